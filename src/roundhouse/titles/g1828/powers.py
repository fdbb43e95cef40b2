"""Private companies (§8): their sale to corporations, closing, the minor's end; what they and coal
markers do outside the ordinary steps (§8.4, §8.5.2, §8.6.2, §9.9.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...bank import cash, pay
from ...board import laying
from ...model.actions import Pass, PlaceToken, SpecialBuy, company_key
from ...model.choices import Choice
from ...model.records import BANK, CLOSED, Board
from ...rounds.steps.companies import BuyCompanies
from ...rounds.steps.homes import ChooseCity, free_cities
from ...rounds.steps.operating import TurnStep
from ...rounds.steps.tokens import City, hexes_with
from ...rounds.steps.track import FreeLays, Lay, PrivateLays, Terms
from .constants import COAL, Powers
from .rules import Rules1828
from .state import OperatingRound, State1828
from .track import LOOSE, LaysTiles


def close_presidencies(rules: Rules1828, s: State1828, who: str) -> None:
    """§8.3: a train has come to ``who``; the $250 privates of its names close."""
    names = s.corporations[who].names()
    for company in list(s.companies.values()):
        if rules.powers[company.id].presidency in names and company.owner in s.players:
            rules.give_company(s, company.id, CLOSED)


class BuyPrivate(BuyCompanies[State1828, Rules1828]):
    """§8.2: at any moment of a corporation's turn."""

    name = "privates"
    rule = "8.2"

    def buyer(self, s: State1828) -> str | None:
        return self.rules.corporation(s)

    def power_left(self, s: State1828, who: str) -> bool:
        return bool(self.rules.usable(s, who, "free_tile"))

    def bought(self, s: State1828, who: str, company: str) -> None:
        powers = self.rules.powers[company]
        if powers.town_tile:
            self.change(s, special=company)
        elif powers.minor:
            self._take_minor(s, who, company)

    def _take_minor(self, s: State1828, who: str, company: str) -> None:
        """§8.6.2: money, and what becomes of its place."""
        minor = s.corporations[self.rules.constants.minor.id]
        pay(s, minor.id, who, minor.cash, "private")
        coord, city, slot = self.rules.remove_minor(s)
        charter = s.corporations[who]
        if coord in hexes_with(s, who) or all(t.city for t in charter.tokens):
            if "cp_always_blocker" in self.rules.options:
                laying.block(self.box, s, coord, city, slot)
        elif OperatingRound.of(s).placed:
            laying.block(self.box, s, coord, city, slot)
        else:
            self.change(s, special=company)


DESCRIPTION = "Coal Marker"


class CoalMarker(TurnStep[State1828, Rules1828]):
    """§9.9.3: buy a marker at any moment of a corporation's turn."""

    name = "coal marker"
    rule = "9.9.3"
    takes = frozenset({SpecialBuy})
    quiet = True

    def operator(self, s: State1828) -> str | None:
        return self.rules.corporation(s)

    def _fault(self, s: State1828, who: str) -> str | None:
        coal = self.rules.constants.coal
        if COAL not in s.board.markers.get(coal.field, ()):
            return "There is no coal marker left."
        if self.rules.has_coal(s, who):
            return f"{who} has a coal marker already."
        if (money := cash(s, who)) < coal.cost:
            return f"A coal marker costs {self.money(coal.cost)}; {who} has {self.money(money)}."
        nodes = self.rules.reach(s.board, who).nodes
        if not any(coord == coal.field for coord, _ in nodes):
            return f"The network of {who} does not reach {coal.field}."
        return None

    def answers(self, s: State1828, who: str) -> Iterator[Choice]:
        if self._fault(s, who) is None:
            cost = self.rules.constants.coal.cost
            yield self.choice(s, who, SpecialBuy, description=DESCRIPTION, cost=cost)

    def check_answer(self, s: State1828, a: SpecialBuy) -> None:
        cost = self.rules.constants.coal.cost
        if a.description != DESCRIPTION or a.cost != cost:
            text = f"What can be bought is a {DESCRIPTION} for {self.money(cost)}."
            raise self.refuse("offer", text)
        if fault := self._fault(s, a.actor):
            raise self.refuse("coal", fault)

    def answer(self, s: State1828, a: SpecialBuy) -> None:
        field = self.rules.constants.coal.field
        pay(s, a.actor, BANK, a.cost, "coal")
        laying.remove_marker(s, field, COAL)
        laying.open_only_to(s, field, (*s.board.closed[field], a.actor))


class FreeTile(FreeLays[State1828, Rules1828], LaysTiles):
    """§8.4.1: C&StL, at any moment of its owner's turn."""

    name = "free tile"
    rule = "8.4.1"
    power = "free_tile"


class TownTile(PrivateLays[State1828, Rules1828], LaysTiles):
    """§8.4.2: E&K's tile, directly after a corporation has bought it."""

    name = "town tile"
    rule = "8.4.2"
    occasion = "special"
    quiet = False

    def actors(self, s: State1828) -> tuple[str, ...]:
        found = self._company(s)
        return (company_key(found[0]),) if found and any(True for _ in self.choices(s)) else ()

    def _company(self, s: State1828) -> tuple[str, Terms] | None:
        special = OperatingRound.of(s).special
        power = self.rules.powers[special].town_tile if special else None
        return (special, power) if special and power else None

    def lays_by(self, s: State1828, who: str) -> Sequence[tuple[str, Terms]]:
        found = self._company(s)
        return (found,) if found else ()

    def laid(self, s: State1828, lay: Lay, before: Board) -> None:
        super().laid(s, lay, before)
        self.change(s, special=None)


class SpecialStation(ChooseCity[State1828, Rules1828]):
    """§8.5.2, §8.6.2: D&H or C&P offers a free token on its hex."""

    name = "special station"
    rule = "8.5.2"
    occasion = "special"
    takes = frozenset({PlaceToken, Pass})
    loose = LOOSE

    def due(self, s: State1828) -> tuple[str, str] | None:
        special = OperatingRound.of(s).special
        if special is None or self.rules.powers[special].town_tile:
            return None
        return self.rules.corporation(s) or "", company_key(special)

    def _special(self, s: State1828) -> Powers:
        return self.rules.powers[OperatingRound.of(s).special or ""]

    def cities(self, s: State1828, owner: str) -> Iterator[City]:
        """The only city of the hex."""
        coord = self._special(s).blocks or ""
        if not OperatingRound.of(s).placed and coord not in hexes_with(s, owner):
            yield from free_cities(self.box, s, (coord,), owner)

    def answer(self, s: State1828, a: PlaceToken) -> None:
        """A token placed free keeps the price 0, which counts when systems sort theirs."""
        who, _ = s.now.checked
        at = laying.next_token(s, who)
        assert at is not None
        laying.change_token(s, who, at, price=0)
        super().answer(s, a)

    def chosen(self, s: State1828, owner: str) -> None:
        self.change(s, special=None, placed=True)

    def decline(self, s: State1828, who: str) -> None:
        """That is not told. Where the minor was, a blocker takes the slot."""
        power = self._special(s)
        self.change(s, special=None)
        if power.minor:
            coord = power.blocks or ""
            slot = laying.slots_at(self.box, s.board, coord)[0].index(None)
            laying.block(self.box, s, coord, 0, slot)
