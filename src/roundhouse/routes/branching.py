"""The best selection of columns that are all listed, by branching where fixing does not settle it.

If cuts and fixing leave too many columns to choose from, two borders are looked for that the linear
program's solution lets one column use together only in part (Ryan and Foster's rule). Either one
column uses both, then none uses just one of them, or no column uses both. Where there are no such
two, a border is looked for that trains of a class use in part: either no others do, or those do
not. Each half is fixed and branched anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from .columns import Column
from .fixing import Fixing

if TYPE_CHECKING:
    from .search import Search

#: Effort to choose from what fixing leaves before it is branched: at least, and columns a unit.
_LEAST, _COLUMNS = 20, 20

Listed = Mapping[int, Sequence[Column]]


def explore(
    search: Search, columns: Listed, target: int, *, cuts: Sequence[int] = (), root: bool = True
) -> int:
    """Find answers worth ``target`` or more among columns by class; an upper bound of what they
    allow, less than ``target`` or what was found if all was seen. ``cuts``: to begin with."""
    target = max(target, search.revenue + search.model.grain)
    fixing = Fixing(search, columns, target, cuts)
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
        return explore(search, fixing.columns, target, cuts=fixing.cuts, root=root)
    halves = _halves(fixing)
    if halves is None:
        return search.select(fixing.columns, target, None)
    bound = target - 1
    for half in halves:
        search.restore(duals)
        bound = max(bound, explore(search, half, target, cuts=fixing.cuts, root=False))
    return bound


def _halves(fixing: Fixing) -> list[Listed] | None:
    """The columns if something is so, and if it is not; None: the solution leaves nothing open."""
    pair = fixing.pair()
    if pair is not None:
        return list(_together(fixing, *pair))
    own = fixing.of_class()
    return None if own is None else list(_by_class(fixing, *own))


def _together(fixing: Fixing, one: int, other: int) -> Iterator[Listed]:
    """The columns if one uses both borders, and if none does."""
    both, columns = 1 << one | 1 << other, fixing.columns
    for allowed in ((0, both), (0, 1 << one, 1 << other)):
        yield {
            sub.number: [
                c for c in columns[sub.number] if fixing.master.mask(sub, c) & both in allowed
            ]
            for sub in fixing.search.subproblems
        }


def _by_class(fixing: Fixing, border: int, number: int) -> Iterator[Listed]:
    """The columns if a train of a class uses a border or nobody does, and if none of it does."""
    columns = fixing.columns
    for barred in (True, False):
        yield {
            sub.number: [
                c
                for c in columns[sub.number]
                if (sub.number != number) is not barred or not sub.mask(c) >> border & 1
            ]
            for sub in fixing.search.subproblems
        }
