"""Choosing one route for each train, so that no track is used twice and the sum is greatest.

The search works with what a choice *loses* against an upper bound that no selection can exceed, and
goes through selections in which the losses do not add up to too much, and what trains get does to
enough. The routes a train can still choose are the bits of a number, those that lose least lowest;
so what a choice leaves to the other trains is a few operations on such numbers.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import accumulate
from operator import or_
from typing import NamedTuple

from .clock import OutOfTime
from .columns import Column

#: Work done between two looks at the clock, in routes taken up.
_STEPS = 64


class Candidate(NamedTuple):
    """A route a train could run: what choosing it loses, its worth, its track among all trains',
    where it is from; by place that pays once what it gets there beyond the place's price, and the
    places with what it gets there at all."""

    loss: int
    value: int
    mask: int
    column: Column
    surplus: Mapping[int, int] = {}
    claims: Sequence[tuple[int, int]] = ()


class CandidateList:
    """The candidates of one train, those that lose least first, and what it loses if idle."""

    def __init__(self, candidates: Sequence[Candidate], idle: int) -> None:
        self.candidates = candidates
        self.idle = idle
        self.losses = [candidate.loss for candidate in candidates]
        #: By bit of track, the candidates that use it.
        self.users = _users(candidates)
        #: What they are worth, from least to most, and which are worth so much at least.
        self._values, self._worth = _by_value(candidates)
        #: What a train gets at most.
        self.most = max(self._values, default=0)

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

    def worth(self, least: int) -> int:
        """The candidates that are worth so much at least."""
        at = bisect_left(self._values, least)
        return self._worth[at] if at < len(self._values) else 0

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


def _by_value(candidates: Sequence[Candidate]) -> tuple[list[int], list[int]]:
    """What some are worth, from least to most, and which are worth so much at least."""
    own: dict[int, int] = {}
    for i, candidate in enumerate(candidates):
        own[candidate.value] = own.get(candidate.value, 0) | 1 << i
    values = sorted(own)
    above = accumulate([own[value] for value in reversed(values)], or_)
    return values, list(above)[::-1]


#: What a whole selection is really worth, a route or None for each train, if that is more than an
#: amount; None: it is not, or the selection is not allowed.
Evaluate = Callable[[Sequence[Candidate | None], int], int | None]


class Packing(NamedTuple):
    """The best selection above what was known (None: there is none), and an upper bound of all."""

    chosen: tuple[Candidate | None, ...] | None
    value: int
    bound: int


class Before(NamedTuple):
    """What the trains chosen so far lose and get; by place that pays once the most that one of them
    gets there beyond its price, and at all."""

    lost: int
    gained: int
    beyond: Mapping[int, int]
    got: Mapping[int, int]

    def loss(self, candidate: Candidate) -> int:
        """What one more loses."""
        if not candidate.surplus or not self.beyond:
            return candidate.loss
        return candidate.loss + _overlap(candidate.surplus.items(), self.beyond)

    def gain(self, candidate: Candidate) -> int:
        """What one more adds, or somewhat more where it comes to a place twice."""
        if not self.got:
            return candidate.value
        return candidate.value - _overlap(candidate.claims, self.got)

    def then(self, candidate: Candidate, loss: int, gain: int) -> Before:
        """With one more, of which this is known."""
        return Before(
            self.lost + loss,
            self.gained + gain,
            _more(self.beyond, candidate.surplus.items()),
            _more(self.got, candidate.claims),
        )


def pack(
    rows: Sequence[CandidateList],
    bound: int,
    known: int,
    grain: int,
    tick: Callable[[], None],
    evaluate: Evaluate | None = None,
    slack: int = 0,
) -> Packing:
    """The best selection worth at least ``known + grain``.

    A selection is worth at most ``bound`` less its losses, and at most ``slack`` more than its
    trains get, places that pay once counted once. Trains with the very same row are alike and must
    stand side by side. ``evaluate`` gives the worth of selections where it is not the sum.
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

    def place(level: int, before: Before, left: Sequence[int]) -> None:
        """Choose for the trains from ``level`` on; ``left``: what avoids the track in use."""
        nonlocal work, lost
        if level == count:
            close()
            return
        row, later, others = rows[level], rows[level + 1 :], before.gained + tops[level + 1]
        open_ = left[0] & row.worth(best + grain - others)
        ahead = before.lost + sum([r.least(o) for r, o in zip(later, left[1:], strict=True)])
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
            loss, gain = before.loss(candidate), before.gain(candidate)
            if before.lost + loss > spare or others + gain < best + grain:
                continue
            rest = spare - before.lost - loss
            onward = _onward(row, later, left, candidate.mask, -low << 1, rest)
            if onward is not None:
                chosen[level] = candidate
                place(level + 1, before.then(candidate, loss, gain), onward)
        chosen[level] = None
        if ahead + row.idle <= spare and others >= best + grain:
            onward = _onward(row, later, left, 0, 0, spare - before.lost - row.idle)
            if onward is not None:
                place(level + 1, before._replace(lost=before.lost + row.idle), onward)

    #: What the trains from each on get at most.
    tops = [slack + sum([row.most for row in rows[n:]]) for n in range(count + 1)]
    try:
        place(0, Before(0, 0, {}, {}), [row.within(spare) for row in rows])
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


def _overlap(pays: Iterable[tuple[int, int]], paid: Mapping[int, int]) -> int:
    """What is lost because places pay once."""
    return sum([min(paid[place], pay) for place, pay in pays if place in paid])


def _more(paid: Mapping[int, int], pays: Collection[tuple[int, int]]) -> Mapping[int, int]:
    """The most any train gets at each place, with one train more."""
    if not pays:
        return paid
    most = dict(paid)
    for place, pay in pays:
        if pay > most.get(place, 0):
            most[place] = pay
    return most
