"""The track step of an operating turn (§9), and what a new tile may lead to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from ...bank import cash, pay
from ...board import laying
from ...board.lays import lay_choice, named_face
from ...board.tiles import Face
from ...model.actions import LayTile, Pass
from ...model.choices import Choice
from ...model.errors import IllegalAction
from ...model.records import BANK
from ...rounds.steps.homes import ChooseCity, free_cities, lift_all
from ...rounds.steps.operating import TurnStep
from ...rounds.steps.tokens import City
from .fitting import ORDINARY, Fault, Fitting18Ireland, Terms, narrow_only, networks
from .state import OperatingRound, State18Ireland

if TYPE_CHECKING:
    from .rules import Rules18Ireland

replace = msgspec.structs.replace


def by_corporation(who: str) -> dict[str, Any]:
    """The sender of a corporation's own lay."""
    return {"entity": who, "entity_type": "corporation"}


def by_company(company: str) -> dict[str, Any]:
    """The sender of a private company's lay."""
    return {"entity": company, "entity_type": "company"}


def memory(s: State18Ireland) -> OperatingRound:
    assert isinstance(s.round, OperatingRound)
    return s.round


class Building:
    """Allowances, costs and the act of laying: what the track step and privates share."""

    def __init__(self, rules: Rules18Ireland) -> None:
        self.rules = rules
        self.box = rules.box
        self.fitting = Fitting18Ireland(rules)

    # allowances and costs (§9.1–2)

    def allowance_left(self, s: State18Ireland, who: str) -> bool:
        """§5.2 4(c): whether some lay could still be paid for, terrain aside."""
        m = memory(s)
        if m.lays == 0:
            return True
        if m.lays > 1 or cash(s, who) < self.rules.constants.second_lay:
            return False
        return not m.upgraded or self.rules.one_with(s, who, "second_upgrade") is not None

    def why_no_allowance(self, s: State18Ireland, who: str, face: Face) -> Fault:
        """§9.1: whether a tile may still be laid in this turn."""
        m, upgrade = memory(s), face.tile.color != "yellow"
        if m.lays == 0:
            return None
        if m.lays > 1:
            return "lays", f"{who} has built twice in this turn."
        if upgrade and self.rules.one_with(s, who, "second_upgrade") is None:
            return "second", f"The second build of {who} must be a yellow tile."
        if not upgrade and m.upgraded:
            return "upgraded", "After an upgrade no yellow tile can be laid."
        return None

    def surcharge(self, s: State18Ireland, who: str, face: Face) -> int:
        """What a second build costs before terrain."""
        if memory(s).lays == 0:
            return 0
        if face.tile.color == "yellow":
            return self.rules.constants.second_lay
        company = self.rules.one_with(s, who, "second_upgrade")
        return self.rules.powers[company].second_upgrade if company else 0

    def cost(self, s: State18Ireland, who: str, coord: str, face: Face, terms: Terms) -> int:
        """§9.2: the terrain printed on what is replaced, none for narrow gauge alone; and the
        surcharge of a second build."""
        free = narrow_only(face) or not terms.terrain
        terrain = 0 if free else laying.face_at(self.box, s.board, coord).tile.cost
        return terrain + (self.surcharge(s, who, face) if terms.counts else 0)

    # choices, check and act

    def choices(
        self, s: State18Ireland, who: str, coord: str, terms: Terms, company: str | None = None
    ) -> Iterator[Choice]:
        """All lays on a hex, by the corporation or its private company."""
        money = cash(s, who)
        for face in self.fitting.upgrades(s.board, coord):
            if terms.counts and self.why_no_allowance(s, who, face):
                continue
            if self.cost(s, who, coord, face, terms) > money:
                continue
            if not laying.free_copies(self.box, s.board, face.tile.name):
                continue
            if self.fitting.why_not(s, who, coord, face, terms) is None:
                sender = by_company(company) if company else by_corporation(who)
                yield from lay_choice(self.box, s.board, coord, face, **sender)

    def check(self, s: State18Ireland, who: str, a: LayTile, terms: Terms) -> None:
        """Raise unless the lay is legal and can be paid."""
        face = named_face(self.box, s.board, a, "9.3")
        if terms.counts:
            _raise(self.why_no_allowance(s, who, face), "9.1")
        if misfit := self.fitting.misfit(s.board, a.hex, face):
            raise IllegalAction("misfit", misfit, "9.3")
        _raise(self.fitting.why_not(s, who, a.hex, face, terms), "9.3")
        cost = self.cost(s, who, a.hex, face, terms)
        if cost > cash(s, who):
            raise IllegalAction("no_cash", f"That costs £{cost}; {who} has £{cash(s, who)}.", "9.2")

    def lay(self, s: State18Ireland, who: str, a: LayTile, terms: Terms) -> None:
        """Pay, lay, and lift tokens that have to choose their city anew (§9.6)."""
        face = named_face(self.box, s.board, a, "9.3")
        old = laying.face_at(self.box, s.board, a.hex)
        cost = self.cost(s, who, a.hex, face, terms)
        pay(s, who, BANK, cost, "tile")
        laying.lay(self.box, s, who, a.hex, a.tile, a.rotation, cost)
        m = memory(s)
        if terms.counts:
            upgraded = m.upgraded or face.tile.color != "yellow"
            s.round = replace(m, lays=m.lays + 1, upgraded=upgraded)
        if not old.exits and len(face.tile.cities) > 1 and a.hex in s.board.cities:
            owners = lift_all(self.box, s, a.hex)
            s.round = replace(memory(s), lifted=owners, lifted_from=a.hex)


def _raise(fault: Fault, rule: str) -> None:
    if fault is not None:
        raise IllegalAction(*fault, rule)


class Track(TurnStep[State18Ireland]):
    """§5.2 4: lays and upgrades of the operating corporation."""

    name = "track"
    rule = "9.1"
    takes = frozenset({LayTile, Pass})
    stage = "track"
    rules: Rules18Ireland

    def waits(self, s: State18Ireland, who: str) -> bool:
        return (
            self.rules.building.allowance_left(s, who)
            or any(self._lays_alone(c) for c in self.rules.privates(s, who))
            or self._could_buy_builder(s, who)
        )

    def _lays_alone(self, company: str) -> bool:
        powers = self.rules.powers[company]
        return powers.pair is not None or powers.sea_tile is not None

    def _could_buy_builder(self, s: State18Ireland, who: str) -> bool:
        """4(b): a player has a private that builds, and it could be bought."""
        if not self.rules.has_status(s, "can_buy_companies"):
            return False
        money = cash(s, who)
        return any(
            c.owner in s.players
            and (self._lays_alone(c.id) or self.rules.powers[c.id].free_terrain)
            and (self.box.companies[c.id].min_price or 0) <= money
            for c in s.companies.values()
        )

    def choices(self, s: State18Ireland) -> Iterator[Choice]:
        for who in self.actors(s):
            if self.rules.building.allowance_left(s, who):
                for coord in networks(self.rules, s.board, who).hexes:
                    yield from self.rules.building.choices(s, who, coord, ORDINARY)
            yield Choice(Pass(entity=who, entity_type="corporation"))

    def check(self, s: State18Ireland, a: LayTile | Pass) -> None:
        if isinstance(a, LayTile):
            self.rules.building.check(s, a.actor, a, ORDINARY)

    def apply(self, s: State18Ireland, a: LayTile | Pass) -> None:
        if isinstance(a, LayTile):
            self.rules.building.lay(s, a.actor, a, ORDINARY)
            return
        self.decline(s, a.actor)


class Replace(ChooseCity[State18Ireland]):
    """§9.6: tokens of a hex that got its first track choose their city."""

    name = "replace token"
    rule = "9.6"
    rules: Rules18Ireland

    def due(self, s: State18Ireland) -> tuple[str, str] | None:
        m = memory(s)
        return (m.lifted[0], m.who) if m.lifted else None

    def cities(self, s: State18Ireland, owner: str) -> Iterator[City]:
        return free_cities(self.box, s, (memory(s).lifted_from,), owner)

    def chosen(self, s: State18Ireland, owner: str) -> None:
        self.change(s, lifted=memory(s).lifted[1:])
