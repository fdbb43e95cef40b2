"""Choosing one route for each train, so that no track is used twice and the sum is greatest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from .clock import OutOfTime
from .hunt import Find

#: Steps between two looks at the clock.
_LAP = 256


class Offer(NamedTuple):
    """A route a train could run: its worth, its track among all trains', where it is from."""

    value: int
    mask: int
    find: Find


#: What a whole selection is really worth, a route or None for each train; None: not allowed.
Judge = Callable[[Sequence[Offer | None]], int | None]


class Packed(NamedTuple):
    """The best selection above what was known (None: there is none), and an upper bound of all."""

    chosen: tuple[Offer | None, ...] | None
    value: int
    bound: int


def pack(
    offers: Sequence[Sequence[Offer]],
    known: int,
    tick: Callable[[], None],
    judge: Judge | None = None,
    slack: int = 0,
) -> Packed:
    """The best selection worth more than ``known``.

    ``offers``: for each train its routes, best first; trains with the very same list are alike and
    must stand side by side. ``judge`` gives the worth of selections where it is not the sum; it is
    never more than ``slack`` above the sum.
    """
    count = len(offers)
    ahead = _ahead(offers)
    best, answer = known, None
    chosen: list[Offer | None] = [None] * count
    top = ahead[0]
    steps = 0

    def close(total: int) -> None:
        nonlocal best, answer
        worth = total if judge is None else judge(chosen)
        if worth is not None and worth > best:
            best, answer = worth, tuple(chosen)

    def place(level: int, total: int, used: int, first: int) -> None:
        nonlocal steps, top
        if level == count:
            close(total)
            return
        rest = ahead[level + 1] + slack
        row = offers[level]
        twin = level + 1 < count and offers[level + 1] is row
        for i in range(first, len(row)):
            offer = row[i]
            if total + offer.value + rest <= best:
                break
            if not level:
                top = offer.value + ahead[1]
            if offer.mask & used:
                continue
            steps += 1
            if not steps % _LAP:
                tick()
            chosen[level] = offer
            again = i + 1 if offer.mask else i
            place(level + 1, total + offer.value, used | offer.mask, again if twin else 0)
        chosen[level] = None
        if total + rest > best:
            if not level:
                top = ahead[1]
            place(level + 1, total, used, len(row) if twin else 0)

    try:
        place(0, 0, 0, 0)
    except OutOfTime:
        return Packed(answer, best, max(best, top + slack))
    return Packed(answer, best, best)


def _ahead(offers: Sequence[Sequence[Offer]]) -> list[int]:
    """The most all trains from each one on can earn, track apart."""
    ahead = [0]
    for row in reversed(offers):
        ahead.append(ahead[-1] + (row[0].value if row else 0))
    return ahead[::-1]
