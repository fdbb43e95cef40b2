"""The best selection of columns that are all listed, by branching where fixing does not settle it.

If cuts and fixing leave too many columns to choose from, two borders are looked for that the linear
program's solution lets one column use together only in part (Ryan and Foster's rule). Either one
column uses both, then none uses just one of them, or no column uses both. Each half is fixed and
branched anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from .fixing import Fixing
from .pricing import Column

if TYPE_CHECKING:
    from .best import Search

#: Effort to choose from what fixing leaves before it is branched: at least, and columns a unit.
_LEAST, _COLUMNS = 20, 20

Listed = Mapping[int, Sequence[Column]]


def explore(search: Search, columns: Listed, target: int, *, root: bool = True) -> int:
    """Find answers worth ``target`` or more among columns by class; an upper bound of what they
    allow, less than ``target`` or what was found if all was seen."""
    target = max(target, search.revenue + search.model.grain)
    fixing = Fixing(search, columns, target)
    fixing.run()
    search.offer_in_turn(fixing.master.in_use())
    target = max(target, search.revenue + search.model.grain)
    if fixing.bound < target:
        return target - 1
    if root:
        search.lower(fixing.bound)
    duals = search.duals
    most = search.select(fixing.columns, target, _LEAST + fixing.size // _COLUMNS)
    if most < target or search.clock.out:
        return most
    if search.revenue + search.model.grain > target:
        search.restore(duals)
        return explore(search, fixing.columns, target, root=root)
    pair = fixing.pair()
    if pair is None:
        return search.select(fixing.columns, target, None)
    bound = target - 1
    for half in _halves(fixing, pair):
        search.restore(duals)
        bound = max(bound, explore(search, half, target, root=False))
    return bound


def _halves(fixing: Fixing, pair: tuple[int, int]) -> Iterator[Listed]:
    """The columns if one uses both borders, and if none does."""
    masks = {sub.number: sub for sub in fixing.search.subproblems}
    both = 1 << pair[0] | 1 << pair[1]
    used = {
        number: [fixing.master.mask(masks[number], column) & both for column in some]
        for number, some in fixing.columns.items()
    }
    for allowed in ((0, both), (0, 1 << pair[0], 1 << pair[1])):
        yield {
            number: [c for c, mask in zip(some, used[number], strict=True) if mask in allowed]
            for number, some in fixing.columns.items()
        }
