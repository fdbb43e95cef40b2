"""The track step (§9.2–9.4), with D&H and the second power of E&K (§8.4.3, §8.5); the token step
(§9.5), home tokens and those whose city is chosen again (§9.6–7)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ...bank import cash
from ...board import laying
from ...model.records import Board
from ...rounds.step import Fault
from ...rounds.steps import tokens, track
from ...rounds.steps.companies import OPEN
from ...rounds.steps.homes import ChooseAgain, put_free
from ...rounds.steps.track import ORDINARY, Lay, Terms
from .constants import COAL
from .rules import Rules1828
from .state import OperatingRound, State1828


class LaysTiles(track.LaysTiles[State1828, Rules1828]):
    """A step in which tiles are laid."""

    sections = dict.fromkeys(("colour", "misfit", "unconnected", "no_cash"), "9.3")
    chooses_again = True

    def laid(self, s: State1828, lay: Lay, before: Board) -> None:
        """The tunnel's marker is taken."""
        if lay.coord == self.rules.constants.coal.tunnel:
            take_tunnel_marker(self.rules, s, lay.who)
        self.change(s, hexes=(*OperatingRound.of(s).hexes, lay.coord))


def take_tunnel_marker(rules: Rules1828, s: State1828, who: str) -> None:
    """§9.9.4: its layer gets the marker; one who has one already puts it on the coalfields."""
    coal = rules.constants.coal
    laying.remove_marker(s, coal.tunnel, COAL)
    owners = s.board.closed[coal.field]
    if who in owners or who == rules.constants.minor.id:
        laying.add_marker(s, who, coal.field, COAL)
    else:
        laying.open_only_to(s, coal.field, (*owners, who))


class Track(track.Track[State1828, Rules1828], LaysTiles):
    """§9.2: one tile, two of a system, and E&K's."""

    rule = "9.2"

    def allowances(self, s: State1828, who: str) -> tuple[Terms, ...]:
        charter = s.corporations[who]
        two = charter.system or "two_tiles_for_all" in self.rules.options
        count = 2 if two and who != self.rules.constants.minor.id else 1
        extra = Terms(self.rules.constants.extra_lay_cost, upgrade=False)
        more = sum(1 for name in charter.names() if name in self.rules.extra_layers)
        return (ORDINARY,) * count + (extra,) * more

    def next_lay(self, s: State1828, who: str) -> Terms | None:
        """Nothing after an upgrade where only yellow tiles are left."""
        terms: Terms | None = super().next_lay(s, who)
        return terms if terms is None or terms.upgrade or not self.has_upgraded(s) else None

    def has_upgraded(self, s: State1828) -> bool:
        """§8.4.3: E&K's tile stands for the upgrade."""
        return OperatingRound.of(s).upgraded or OperatingRound.of(s).extra

    def special(self, s: State1828, who: str, terms: Terms | None) -> Iterator[tuple[str, Terms]]:
        if terms is not None:
            for company, one in self.rules.usable(s, who, "teleport"):
                yield company, replace(one, cost=terms.cost + one.cost, upgrade=terms.upgrade)
        if not OperatingRound.of(s).upgraded:
            yield from self.rules.usable(s, who, "extra_tile")

    def waits(self, s: State1828, who: str) -> bool:
        """§9.2.4."""
        if super().waits(s, who):
            return True
        if who == self.rules.constants.minor.id:
            return False
        return bool(self.rules.usable(s, who, "extra_tile")) or self._extra_for_sale(s, who)

    def _extra_for_sale(self, s: State1828, who: str) -> bool:
        if not self.rules.has_status(s, OPEN):
            return False
        players = [c for c in s.companies.values() if c.owner in s.players]
        return cash(s, who) >= 1 and any(self.rules.powers[c.id].extra_tile for c in players)

    def why_not_here(self, s: State1828, who: str, coord: str, terms: Terms) -> Fault | None:
        if coord in OperatingRound.of(s).hexes:
            return "same_hex", f"A tile was laid on {coord} in this turn already.", "9.3"
        if company := self.rules.blocked_hex(s, coord, who):
            return "private", f"{coord} is kept by {company} while a player owns it.", "8.1.2"
        return None

    def laid(self, s: State1828, lay: Lay, before: Board) -> None:
        super().laid(s, lay, before)
        if lay.company is None:
            return
        self.rules.use_up(s, lay.company, closes=False)
        if not lay.terms.counts:
            self.change(s, extra=True)
        elif any(t.city is None for t in s.corporations[lay.who].tokens):
            self.change(s, special=lay.company)  # §8.5.2


# tokens (§9.5–9.7)

#: Fields of a token's action that only repeat what follows from the city.
LOOSE = tokens.LOOSE | {"tokener"}


class StationToken(tokens.StationToken[State1828, Rules1828]):
    """§9.5."""

    rule = "9.5"
    loose = LOOSE

    def waits(self, s: State1828, who: str) -> bool:
        """§9.5.4: also with nothing but the coalfields in reach."""
        field = self.rules.constants.coal.field
        if not self.may_place(s, who) or self.price(s, who, field, 0) > cash(s, who):
            return False
        return self.affords_one(s, who) or field in dict(self.rules.reach(s.board, who).stops())

    def why_not(self, s: State1828, who: str, coord: str, city: int) -> Fault | None:
        if coord == self.rules.constants.coal.field:
            return "coal", f"{coord} takes no tokens."
        for place in s.board.reserved.get(coord, ()):
            if place.city is None and place.entity != who:
                return "reserved", f"{coord} is kept for {place.entity}."
        return super().why_not(s, who, coord, city)


def place_homes(rules: Rules1828, s: State1828, who: str) -> None:
    """On its first turn a corporation takes its home, a system those of parts that never did."""
    for name in s.corporations[who].names():
        coord = rules.box.corporations[name].home[0].hex
        places = s.board.reserved.get(coord, ())
        mine = [p for p in places if p.entity == who]
        for place in mine:
            if place.city is None and coord in s.board.tiles:
                # of a kept hex a city is chosen, once it has real cities
                m = OperatingRound.of(s)
                s.round = replace(m, to_place=(*m.to_place, (who, coord)))
            else:
                put_free(rules.box, s, who, coord, place.city or 0)
        if mine:
            laying.reserve(s, coord, tuple(p for p in places if p.entity != who))


class HomeToken(ChooseAgain[State1828, Rules1828]):
    """§9.6: choose the city of a home token, free."""

    name = "home token"
    rule = "9.6"
    loose = LOOSE

    def chooser(self, s: State1828, owner: str) -> str:
        return owner
