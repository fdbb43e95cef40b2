"""What companies earn beside their routes, and would with other equipment."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..model.records import Corporation, State, Train
from ..rounds.rules import Rules
from .knowledge import Knowledge, Level
from .knowledge import Works as Known
from .ledger import Ledger

#: How many of its free places a company is thought to fill: others want the same.
_FILLED = 0.5
#: How much more than it costs equipment must bring.
_MORE = 1.15


class Piece(Struct, frozen=True):
    """One kind of equipment of a place, a machine or a switcher: what the place ``earns`` by which
    it has and by the last kind of train that has come, as it is first (of all but the first kind:
    what they add to that), and what one of each kind ``costs``."""

    earns: tuple[tuple[int, ...], ...]
    costs: tuple[float, ...]


class Estate(Struct, frozen=True):
    """What a company lives on beside its routes. ``pieces``: the equipment of so many ``places``,
    place by place; ``beside``: what no place brings; ``more``: places it is thought to add."""

    pieces: tuple[Piece, ...]
    places: int
    beside: int = 0
    more: float = 0.0


class Works:
    """The places of companies under some rules."""

    def __init__(self, rules: Rules[Any], known: Knowledge) -> None:
        self.rules, self.known = rules, known.works
        # by the identity of a record and its equipment, which are kept beside
        self._pieces: dict[tuple[object, ...], tuple[Corporation, tuple[Piece, ...]]] = {}
        self._alone: dict[tuple[object, ...], tuple[Corporation, Ledger, tuple[float, float]]] = {}
        self._phases: dict[str, str] = {}
        for name, phase in rules.box.phases.items():
            for kind in phase.on:
                self._phases[kind] = name

    def estate(self, s: State, c: Corporation, steady: int) -> Estate | None:
        """What a company lives on; None if it is none that has places."""
        known = self.known
        if known is None or c.trains:
            return None
        owned = [m for m in s.corporations.values() if getattr(m, "owner", None) == c.id]
        if not owned:
            return None
        pieces = tuple([piece for m in owned for piece in self._of(s, m, known)])
        earned = sum([self.rules.facts.fixed_income(s, m.id) for m in owned])
        free = max(0, known.places.get(c.shares, 0) - len(owned))
        return Estate(pieces, len(owned), steady - earned, _FILLED * free)

    def alone(self, s: State, m: Corporation, ledger: Ledger, rounds: float) -> tuple[float, float]:
        """What a place that belongs to a player brings in some rounds, and the money it has
        then."""
        if self.known is None:
            return rounds * self.rules.facts.fixed_income(s, m.id), float(m.cash)
        key = (id(m), *[s.trains[t] for t in m.trains], id(ledger), rounds)
        found = self._alone.get(key)
        if found is None:
            if len(self._alone) > 5_000:
                self._alone.clear()
            course = Course(Estate(self._of(s, m, self.known), 1), self.known)
            found = self._alone[key] = m, ledger, _followed(course, m.cash, ledger, rounds)
        return found[2]

    def improved(self, s: State, then: State, who: str, kind: str | None) -> int:
        """What a place would earn more in a position than in one before it, with the equipment of a
        kind of train."""
        known = self.known
        if known is None or kind is None or kind not in known.levels:
            return 0
        old, new = s.corporations.get(who), then.corporations[who]
        if old is None or new.cell is not None or not hasattr(new, "owner"):
            return 0
        at = list(known.levels).index(kind)
        before, after = self._of(s, old, known), self._of(then, new, known)
        return _together(after, at + 1, at) - _together(before, at + 1, at)

    def _of(self, s: State, m: Corporation, known: Known) -> tuple[Piece, ...]:
        """The equipment of a place, kind by kind."""
        key = (id(m), *[s.trains[t] for t in m.trains])
        found = self._pieces.get(key)
        if found is None:
            if len(self._pieces) > 5_000:
                self._pieces.clear()
            found = self._pieces[key] = m, self._made(s, m, known)
        return found[1]

    def _made(self, s: State, m: Corporation, known: Known) -> tuple[Piece, ...]:
        now = [s.trains[t].variant or s.trains[t].kind for t in m.trains]
        levels = list(known.levels.values())
        today = self._earned(s, m, now, known)
        found = []
        for number in range(len(levels[0].kinds)):
            alike = {level.kinds[number] for level in levels}
            others = [k for k in now if k not in alike]
            base = today if number else (0,) * len(today)
            rows = [
                today,
                *(self._earned(s, m, [*others, lv.kinds[number]], known) for lv in levels),
            ]
            earns = tuple([tuple([r - b for r, b in zip(row, base, strict=True)]) for row in rows])
            costs = [
                _cost(level, number, {lv.kinds[number] for lv in levels[n:]}.intersection(now))
                for n, level in enumerate(levels)
            ]
            found.append(Piece(earns, tuple(costs)))
        return tuple(found)

    def _earned(self, s: State, m: Corporation, kinds: Any, known: Known) -> tuple[int, ...]:
        """What a place earns with some equipment, by the last kind of train that has come."""
        supposed = s.fork()
        names = tuple([f"supposed {n}" for n in range(len(kinds))])
        trains = {n: Train(n, k, m.id) for n, k in zip(names, kinds, strict=True)}
        supposed.trains = {**s.trains, **trains}
        supposed.corporations = {**s.corporations, m.id: replace(m, trains=names)}
        found = []
        for kind in known.levels:
            supposed.phase = self._phases.get(kind, s.phase)
            found.append(self.rules.facts.fixed_income(supposed, m.id))
        return tuple(found)


def _together(pieces: Sequence[Piece], row: int, at: int) -> int:
    """What some pieces of equipment bring, all of one level, while a kind of train is the last that
    has come."""
    return sum([piece.earns[row][at] for piece in pieces])


def _cost(level: Level, number: int, there: Collection[str] = ()) -> float:
    """What one kind of the equipment of a level costs a place: nothing where it, or better, is
    there; of the first kind a card serves several places."""
    if there:
        return 0.0
    return float(level.each) if number else level.card / level.serves


class Course:
    """An estate through the rounds of a plan: places get better equipment, piece by piece, for the
    money there is."""

    def __init__(self, estate: Estate, known: Known) -> None:
        self.estate, self.known = estate, known
        self.kinds = list(known.levels)
        self.levels = list(known.levels.values())
        self.rows = [0] * len(estate.pieces)
        self.new: list[tuple[float, int]] = []

    def earns(self, kind: str | None) -> float:
        """What is earned once the first train of a kind has come, and none of the next."""
        at = self._at(kind)
        total = float(self.estate.beside)
        for piece, row in zip(self.estate.pieces, self.rows, strict=True):
            total += piece.earns[row][at]
        for count, row in self.new:
            total += count * self._mean(row, at)
        return total

    def _at(self, kind: str | None) -> int:
        return self.kinds.index(kind) if kind in self.kinds else 0

    def _mean(self, row: int, at: int) -> float:
        return _together(self.estate.pieces, row, at) / self.estate.places

    def _wishes(self, kind: str | None, rounds: float) -> list[tuple[float, float, int]]:
        """What pays, as yield, cost and the piece; -1: those of a new place."""
        if kind not in self.kinds or rounds <= 0:
            return []
        at = self._at(kind)
        row, found = at + 1, []
        each = len(self.estate.pieces) // self.estate.places
        for number, piece in enumerate(self.estate.pieces):
            old = self.rows[number]
            if old >= row:
                continue
            cost = _cost(self.levels[at], number % each) if old else piece.costs[at]
            gain = piece.earns[row][at] - piece.earns[old][at]
            if cost and gain * rounds > _MORE * cost:
                found.append((gain / cost, cost, number))
        if self._free() > 0:
            cost, mean = self.known.price + self._full(at), self._mean(row, at)
            if mean * rounds > _MORE * cost:
                found.append((mean / cost, cost, -1))
        return sorted(found, reverse=True)

    def _full(self, at: int) -> float:
        """What the equipment of a level costs where there is none."""
        level = self.levels[at]
        return sum([_cost(level, number) for number in range(len(level.kinds))])

    def wanted(self, kind: str | None, rounds: float) -> float:
        """Money that pays if it is spent now."""
        wishes = self._wishes(kind, rounds)
        return sum([cost * (self._free() if number < 0 else 1.0) for _, cost, number in wishes])

    def _free(self) -> float:
        """Places it is still thought to add."""
        return self.estate.more - sum([count for count, _ in self.new])

    def spend(self, cash: float, kind: str | None, rounds: float) -> float:
        """Spend money on what brings most for it; what is left."""
        at = self._at(kind)
        for _, cost, number in self._wishes(kind, rounds):
            if number < 0:
                count = min(self._free(), cash / cost)
                self.new.append((count, at + 1))
                cash -= count * cost
            elif cost <= cash:
                self.rows[number] = at + 1
                cash -= cost
        return cash


def _followed(course: Course, money: int, ledger: Ledger, rounds: float) -> tuple[float, float]:
    """What a place of a player's brings in some rounds, and the money it has then: half of what it
    earns is its own. It closes when it cannot pay its upkeep."""
    cash, found, now = float(money), 0.0, 0
    while now < rounds:
        part = min(1.0, rounds - now)
        earns = course.earns(ledger.begun(now))
        found += part * earns
        cash += part * min(earns, earns / 2)
        if cash < 0:
            return found, 0.0
        cash = course.spend(cash, ledger.on_sale(now), rounds - now - 1)
        now += 1
    return found, cash
