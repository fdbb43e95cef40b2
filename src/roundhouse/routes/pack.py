"""Choosing one route for each train, so that no track is used twice and the sum is greatest.

The search works with what a choice *loses* against an upper bound that no selection can exceed, and
goes through selections in which the losses do not add up to too much.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from .clock import OutOfTime
from .hunt import Find

#: Offers looked at between two looks at the clock.
_LAP = 1024


class Offer(NamedTuple):
    """A route a train could run: what choosing it loses, its worth, its track among all trains',
    where it is from."""

    loss: int
    value: int
    mask: int
    find: Find


class Row(NamedTuple):
    """The offers of one train, those that lose least first; and what it loses if it stays idle."""

    offers: Sequence[Offer]
    idle: int


#: What a whole selection is really worth, a route or None for each train; None: not allowed.
Judge = Callable[[Sequence[Offer | None]], int | None]


class Packed(NamedTuple):
    """The best selection above what was known (None: there is none), and an upper bound of all."""

    chosen: tuple[Offer | None, ...] | None
    value: int
    bound: int


def pack(
    rows: Sequence[Row],
    bound: int,
    known: int,
    grain: int,
    tick: Callable[[], None],
    judge: Judge | None = None,
) -> Packed:
    """The best selection worth at least ``known + grain``.

    A selection is worth at most ``bound`` less its losses. Trains with the very same row are alike
    and must stand side by side. ``judge`` gives the worth of selections where it is not the sum.
    """
    count = len(rows)
    best, answer = known, None
    spare = bound - known - grain
    chosen: list[Offer | None] = [None] * count
    lost = work = 0

    def close() -> None:
        nonlocal best, answer, spare
        worth = judge(chosen) if judge else sum([o.value for o in chosen if o])
        if worth is not None and worth > best:
            best, answer = worth, tuple(chosen)
            spare = bound - best - grain

    def place(level: int, spent: int, left: list[Row]) -> None:
        """Choose for the trains from ``level`` on, whose offers ``left`` avoid what is used."""
        nonlocal work, lost
        if level == count:
            close()
            return
        (offers, idle), later = left[0], left[1:]
        ahead = spent + sum([_least(row) for row in later])
        for i, offer in enumerate(offers):
            now = spent + offer.loss
            if ahead + offer.loss > spare:
                break
            if not level:
                lost = min(offer.loss, idle)
            work += 16 + sum([len(row.offers) for row in later])
            if work >= _LAP:
                work = 0
                tick()
            chosen[level] = offer
            place(level + 1, now, _without(later, left[0], i, offer.mask, spare - now))
        chosen[level] = None
        if ahead + idle <= spare:
            skip = len(offers)
            place(level + 1, spent + idle, _without(later, left[0], skip, 0, spare - spent - idle))

    try:
        place(0, 0, list(rows))
    except OutOfTime:
        return Packed(answer, best, max(best, bound - lost))
    return Packed(answer, best, best)


def _least(row: Row) -> int:
    """The least a train loses."""
    return min(row.offers[0].loss, row.idle) if row.offers else row.idle


def _without(later: list[Row], row: Row, at: int, mask: int, spare: int) -> list[Row]:
    """What later trains can still choose after offer ``at`` of ``row``: nothing that uses its track
    or loses too much; of the same row only what comes after it."""
    result = []
    known: dict[int, Row] = {}
    for other in later:
        left = known.get(id(other))
        if left is None:
            offers, idle = other
            if other is row:
                offers = offers[at + 1 if mask else at :]
            left = Row([o for o in offers if o[0] <= spare and not o[2] & mask], idle)
            known[id(other)] = left
        result.append(left)
    return result
