"""What companies earn beside their routes, and would with other equipment."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..model.records import Corporation, State, Train
from ..rounds.rules import Rules
from .knowledge import Knowledge, Level
from .knowledge import Works as Known

#: How many of its free places a company is thought to fill: others want the same.
_FILLED = 0.5
#: How much more than it costs equipment must bring.
_MORE = 1.15


class Place(Struct, frozen=True):
    """A place of a company: ``earns`` by equipment and kind of train on sale, as it is first, and
    ``costs`` of the equipment of each kind."""

    earns: tuple[tuple[int, ...], ...]
    costs: tuple[float, ...]


class Estate(Struct, frozen=True):
    """What a company lives on beside its routes. ``beside``: what no place brings; ``more``: places
    it is thought to add."""

    places: tuple[Place, ...]
    beside: int
    more: float


class Works:
    """The places of companies under some rules."""

    def __init__(self, rules: Rules[Any], known: Knowledge) -> None:
        self.rules, self.known = rules, known.works
        # by the identity of a record and its equipment, which are kept beside
        self._places: dict[tuple[object, ...], tuple[Corporation, Place]] = {}
        self._phases: dict[str, str] = {}
        for name, phase in rules.box.phases.items():
            for kind in phase.on:
                self._phases[kind] = name

    def estate(self, s: State, c: Corporation, steady: int) -> Estate | None:
        """What a company lives on; None if it is none that has places."""
        known = self.known
        if known is None or c.trains or steady <= 0:
            return None
        owned = [m for m in s.corporations.values() if getattr(m, "owner", None) == c.id]
        if not owned:
            return None
        places = tuple([self._place(s, m, known) for m in owned])
        earned = sum([self.rules.facts.fixed_income(s, m.id) for m in owned])
        free = max(0, known.places.get(c.shares, 0) - len(owned))
        return Estate(places, steady - earned, _FILLED * free)

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
        before, after = self._place(s, old, known), self._place(then, new, known)
        return after.earns[at + 1][at] - before.earns[at + 1][at]

    def _place(self, s: State, m: Corporation, known: Known) -> Place:
        key = (id(m), *[s.trains[t] for t in m.trains])
        found = self._places.get(key)
        if found is None:
            if len(self._places) > 5_000:
                self._places.clear()
            found = self._places[key] = m, self._made(s, m, known)
        return found[1]

    def _made(self, s: State, m: Corporation, known: Known) -> Place:
        now = [s.trains[t].variant or s.trains[t].kind for t in m.trains]
        levels = list(known.levels.values())
        earns = [self._earned(s, m, now, known)]
        earns += [self._earned(s, m, level.kinds, known) for level in levels]
        costs = [_cost(levels, n, now) for n in range(len(levels))]
        return Place(tuple(earns), tuple(costs))

    def _earned(self, s: State, m: Corporation, kinds: Any, known: Known) -> tuple[int, ...]:
        """What a place earns with some equipment, by the kind of train on sale."""
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


def _cost(levels: list[Level], number: int, now: list[str]) -> float:
    """What the equipment of a level costs where some is there."""
    level, first = levels[number], {lv.kinds[0] for lv in levels[number:]}
    cost = 0.0 if first.intersection(now) else level.card / level.serves
    other = {k for lv in levels[number:] for k in lv.kinds[1:]}
    return cost if other.intersection(now) else cost + level.each


class Course:
    """An estate through the rounds of a plan: places get better equipment for the money there
    is."""

    def __init__(self, estate: Estate, known: Known) -> None:
        self.estate, self.known = estate, known
        self.kinds = list(known.levels)
        self.levels = list(known.levels.values())
        self.rows = [0] * len(estate.places)
        self.new: list[tuple[float, int]] = []

    def earns(self, kind: str | None) -> float:
        """What is earned while a kind of train is on sale."""
        at = self._at(kind)
        total = float(self.estate.beside)
        for place, row in zip(self.estate.places, self.rows, strict=True):
            total += place.earns[row][at]
        for count, row in self.new:
            total += count * self._mean(row, at)
        return total

    def _at(self, kind: str | None) -> int:
        return self.kinds.index(kind) if kind in self.kinds else 0

    def _mean(self, row: int, at: int) -> float:
        places = self.estate.places
        return sum([p.earns[row][at] for p in places]) / len(places)

    def _wishes(self, kind: str | None, rounds: float) -> list[tuple[float, float, int]]:
        """What pays, as yield, cost and the place; -1: a new one."""
        if kind not in self.kinds or rounds <= 0:
            return []
        at = self._at(kind)
        row, found = at + 1, []
        for number, place in enumerate(self.estate.places):
            old = self.rows[number]
            if old >= row:
                continue
            cost = place.costs[at] if not old else self._full(at)
            gain = place.earns[row][at] - place.earns[old][at]
            if cost and gain * rounds > _MORE * cost:
                found.append((gain / cost, cost, number))
        if self._free() > 0:
            cost, mean = self.known.price + self._full(at), self._mean(row, at)
            if mean * rounds > _MORE * cost:
                found.append((mean / cost, cost, -1))
        return sorted(found, reverse=True)

    def _full(self, at: int) -> float:
        """What the equipment of a level costs where there is none."""
        return _cost(self.levels, at, [])

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
