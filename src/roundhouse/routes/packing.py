"""Choosing one route for each train, so that no track is used twice and the sum is greatest.

The search works with what a choice *loses* against an upper bound that no selection can exceed, and
goes through selections in which the losses do not add up to too much. The routes a train can still
choose are the bits of a number, those that lose least lowest; so what a choice leaves to the other
trains is a few operations on such numbers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from .clock import OutOfTime
from .columns import Column

#: Work done between two looks at the clock, in routes taken up.
_STEPS = 64


class Candidate(NamedTuple):
    """A route a train could run: what choosing it loses, its worth, its track among all trains',
    where it is from; and by place that pays once what it gets there beyond the place's price."""

    loss: int
    value: int
    mask: int
    column: Column
    surplus: Mapping[int, int] = {}


class CandidateList:
    """The candidates of one train, those that lose least first, and what it loses if idle."""

    def __init__(self, candidates: Sequence[Candidate], idle: int) -> None:
        self.candidates = candidates
        self.idle = idle
        self.losses = [candidate.loss for candidate in candidates]
        #: By bit of track, the candidates that use it.
        self.users = _users(candidates)

    def barred(self, mask: int) -> int:
        """The candidates that use some of this track."""
        barred, users = 0, self.users
        while mask:
            low = mask & -mask
            barred |= users.get(low, 0)
            mask ^= low
        return barred

    def within(self, spare: int) -> int:
        """The candidates that lose no more than this."""
        return (1 << bisect_right(self.losses, spare)) - 1

    def least(self, left: int) -> int:
        """The least a train with these candidates left loses."""
        if not left:
            return self.idle
        return min(self.losses[(left & -left).bit_length() - 1], self.idle)


def _users(candidates: Sequence[Candidate]) -> dict[int, int]:
    width = len(candidates) // 8 + 1
    users: dict[int, bytearray] = {}
    for i, candidate in enumerate(candidates):
        place, bit, mask = i >> 3, 1 << (i & 7), candidate.mask
        while mask:
            low = mask & -mask
            if low not in users:
                users[low] = bytearray(width)
            users[low][place] |= bit
            mask ^= low
    return {low: int.from_bytes(bits, "little") for low, bits in users.items()}


#: What a whole selection is really worth, a route or None for each train, if that is more than an
#: amount; None: it is not, or the selection is not allowed.
Evaluate = Callable[[Sequence[Candidate | None], int], int | None]


class Packing(NamedTuple):
    """The best selection above what was known (None: there is none), and an upper bound of all."""

    chosen: tuple[Candidate | None, ...] | None
    value: int
    bound: int


def pack(
    rows: Sequence[CandidateList],
    bound: int,
    known: int,
    grain: int,
    tick: Callable[[], None],
    evaluate: Evaluate | None = None,
) -> Packing:
    """The best selection worth at least ``known + grain``.

    A selection is worth at most ``bound`` less its losses. Trains with the very same row are alike
    and must stand side by side. ``evaluate`` gives the worth of selections where it is not the sum.
    """
    count = len(rows)
    best, answer = known, None
    spare = bound - known - grain
    chosen: list[Candidate | None] = [None] * count
    lost = work = 0

    def close() -> None:
        nonlocal best, answer, spare
        worth = evaluate(chosen, best) if evaluate else sum([o.value for o in chosen if o])
        if worth is not None and worth > best:
            best, answer = worth, tuple(chosen)
            spare = bound - best - grain

    def place(level: int, spent: int, left: Sequence[int], paid: Mapping[int, int]) -> None:
        """Choose for the trains from ``level`` on; ``left``: what avoids the track in use;
        ``paid``: by place that pays once the most beyond its price so far."""
        nonlocal work, lost
        if level == count:
            close()
            return
        row, open_, later = rows[level], left[0], rows[level + 1 :]
        ahead = spent + sum([r.least(o) for r, o in zip(later, left[1:], strict=True)])
        while open_:
            low = open_ & -open_
            open_ ^= low
            candidate = row.candidates[low.bit_length() - 1]
            if ahead + candidate.loss > spare:
                break
            if not level:
                lost = min(candidate.loss, row.idle)
            work += 1
            if work >= _STEPS:
                work = 0
                tick()
            chosen[level] = candidate
            loss = spent + candidate.loss
            if candidate.surplus and paid:
                loss += _overlap(candidate.surplus, paid)
                if loss > spare:
                    continue
            onward = _onward(row, later, left, candidate.mask, -low << 1, spare - loss)
            if onward is not None:
                place(level + 1, loss, onward, _more(paid, candidate.surplus))
        chosen[level] = None
        if ahead + row.idle <= spare:
            onward = _onward(row, later, left, 0, 0, spare - spent - row.idle)
            if onward is not None:
                place(level + 1, spent + row.idle, onward, paid)

    try:
        place(0, 0, [row.within(spare) for row in rows], {})
    except OutOfTime:
        return Packing(answer, best, max(best, bound - lost))
    return Packing(answer, best, best)


def _onward(
    row: CandidateList,
    later: Sequence[CandidateList],
    left: Sequence[int],
    mask: int,
    after: int,
    spare: int,
) -> list[int] | None:
    """What later trains can still choose: nothing that uses the track ``mask`` or loses too much;
    of the same row only ``after``. None: they would lose too much."""
    result = []
    known: dict[int, int] = {}
    for other, before in zip(later, left[1:], strict=True):
        rest = known.get(id(other))
        if rest is None:
            rest = before & ~other.barred(mask)
            if other is row:
                rest &= after
            known[id(other)] = rest
        result.append(rest)
        spare -= other.least(rest)
    return result if spare >= 0 else None


def _overlap(surplus: Mapping[int, int], paid: Mapping[int, int]) -> int:
    """What is lost because places pay once."""
    return sum([min(paid[place], more) for place, more in surplus.items() if place in paid])


def _more(paid: Mapping[int, int], surplus: Mapping[int, int]) -> Mapping[int, int]:
    """The most any train gets at each place, with one train more."""
    if not surplus:
        return paid
    most = dict(paid)
    for place, more in surplus.items():
        if more > most.get(place, 0):
            most[place] = more
    return most
