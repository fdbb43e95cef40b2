"""What companies earn beside their routes, and would with other equipment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from ..model.records import Corporation, State, Train
from ..rounds.rules import Rules
from .knowledge import Knowledge
from .knowledge import Works as Known
from .ledger import Ledger

#: How many of its free places a company is thought to fill: others want the same.
_FILLED = 0.5
#: How much more than it costs equipment must bring.
_MORE = 1.15


class Piece(Struct, frozen=True):
    """One kind of equipment of a place, a machine or a switcher: what the place ``earns`` by which
    it has, without any first, and by the last kind of train that has come (of all but the first
    kind: what they add to that); and which ``row`` of these is that of today."""

    earns: tuple[tuple[int, ...], ...]
    row: int = 0


class Wish(NamedTuple):
    """Equipment that could be bought: what it brings ``more`` a round, its price, and the pieces it
    is for; none: a new place."""

    more: float
    cost: float
    pieces: tuple[int, ...] = ()

    def pays(self, rounds: float) -> bool:
        """Whether it brings clearly more than it costs in so many rounds."""
        return self.more * rounds > _MORE * self.cost


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

    def may_buy(self, estate: Estate, money: int, ledger: Ledger) -> bool:
        """Whether a company can pay a card in its next turn, with what it earns in it, that brings
        more than it costs."""
        if self.known is None:
            return False
        course, kind = Course(estate, self.known), ledger.on_sale(0.0)
        cash = money + course.earns(ledger.begun(0.0))
        return course.pays_card(cash, kind, ledger.rounds)

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
        levels, found, before = list(known.levels.values()), list[Piece](), list[str]()
        for number in range(len(levels[0].kinds)):
            kinds = [level.kinds[number] for level in levels]
            none = self._earned(s, m, before, known)
            rows = [none, *(self._earned(s, m, [*before, k], known) for k in kinds)]
            base = none if number else (0,) * len(none)
            earns = tuple([tuple([r - b for r, b in zip(row, base, strict=True)]) for row in rows])
            row = max([n for n, k in enumerate(kinds, 1) if k in now], default=0)
            found.append(Piece(earns, row))
            before += [k for k in now if k in kinds]
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


class Course:
    """An estate through the rounds of a plan: places get better equipment for the money there
    is."""

    def __init__(self, estate: Estate, known: Known) -> None:
        self.estate, self.known = estate, known
        self.kinds = list(known.levels)
        self.levels = list(known.levels.values())
        self.rows = [piece.row for piece in estate.pieces]
        self._each = len(estate.pieces) // estate.places
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

    def _wishes(self, kind: str | None, rounds: float) -> list[Wish]:
        """What pays, the best first."""
        if kind not in self.kinds or rounds <= 0:
            return []
        at = self._at(kind)
        offered = [*self._cards(at), *self._others(at)]
        if self._free() > 0:
            offered.append(Wish(self._mean(at + 1, at), self.known.price + self._full(at)))
        paying = [wish for wish in offered if wish.pays(rounds)]
        return sorted(paying, key=lambda w: (w.more / w.cost, w.cost, w.pieces), reverse=True)

    def pays_card(self, cash: float, kind: str | None, rounds: float) -> bool:
        """Whether there is so much money for a card that brings more than it costs."""
        if kind not in self.kinds:
            return False
        cards = self._cards(self._at(kind))
        return any(card.cost <= cash and card.pays(rounds) for card in cards)

    def _cards(self, at: int) -> Iterator[Wish]:
        """Cards of the first kind: each does at one price for several places that have none as
        good."""
        level = self.levels[at]
        places = [n for n in range(0, len(self.rows), self._each) if self.rows[n] <= at]
        places.sort(key=lambda n: -self._more(n, at))
        for first in range(0, len(places), level.serves):
            served = tuple(places[first : first + level.serves])
            yield Wish(sum([self._more(n, at) for n in served]), level.card, served)

    def _others(self, at: int) -> Iterator[Wish]:
        """Other equipment, which is bought place by place."""
        for n, row in enumerate(self.rows):
            if n % self._each and row <= at:
                yield Wish(self._more(n, at), self.levels[at].each, (n,))

    def _more(self, number: int, at: int) -> int:
        """What a piece brings more of a level."""
        earns = self.estate.pieces[number].earns
        return earns[at + 1][at] - earns[self.rows[number]][at]

    def _full(self, at: int) -> float:
        """What the equipment of a level costs a place that has none, of a card its part."""
        level = self.levels[at]
        return level.card / level.serves + level.each * (self._each - 1)

    def wanted(self, kind: str | None, rounds: float) -> float:
        """Money that pays if it is spent now."""
        wishes = self._wishes(kind, rounds)
        return sum([wish.cost * (1.0 if wish.pieces else self._free()) for wish in wishes])

    def _free(self) -> float:
        """Places it is still thought to add."""
        return self.estate.more - sum([count for count, _ in self.new])

    def spend(self, cash: float, kind: str | None, rounds: float, then: str | None) -> float:
        """Spend money on what brings most for it, but for what the next round costs, in which
        ``then`` is the last kind of train that has come; what is left."""
        at = self._at(kind)
        for wish in self._wishes(kind, rounds):
            if not wish.pieces:
                count = min(self._free(), max(0.0, cash + min(0.0, self.earns(then))) / wish.cost)
                self.new.append((count, at + 1))
                cash -= count * wish.cost
            elif wish.cost <= cash:
                before, rows = self.earns(then), self.rows
                self.rows = [at + 1 if n in wish.pieces else row for n, row in enumerate(rows)]
                if cash - wish.cost + self.earns(then) < min(0.0, cash + before):
                    self.rows = rows
                else:
                    cash -= wish.cost
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
        cash = course.spend(cash, ledger.on_sale(now), rounds - now - 1, ledger.begun(now + 1))
        now += 1
    return found, cash
