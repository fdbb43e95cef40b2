"""Track (§9): what a lay costs and may be, what a new tile may lead to; the steps of a turn for
tiles and tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache

from ...bank import cash
from ...board import laying
from ...board.tiles import Face
from ...model.frozen import FrozenDict
from ...model.kept import MOST
from ...rounds.step import Fault
from ...rounds.steps import tokens, track
from ...rounds.steps.companies import on_sale
from ...rounds.steps.homes import ChooseAgain
from ...rounds.steps.track import Lay
from .rules import Rules18Ireland
from .state import OperatingRound, State18Ireland
from .upgrades import NOWHERE, ORDINARY, Site, Terms, narrow_only, networks


class LaysTiles(track.LaysTiles[State18Ireland, Rules18Ireland]):
    """A step in which tiles are laid. Two builds a turn; the second lays a yellow tile, or with a
    power upgrades one, and costs more (§9.1)."""

    sections = dict.fromkeys(("colour", "misfit", "unconnected", "gauge", "no_use"), "9.3")
    chooses_again = True  # §9.6

    def allowance_left(self, s: State18Ireland, who: str) -> bool:
        """§5.2 4(c): whether some build could still be paid for, terrain aside."""
        m = OperatingRound.of(s)
        if m.lays == 0:
            return True
        if m.lays > 1 or cash(s, who) < self.rules.constants.second_lay:
            return False
        return not m.upgraded or self._second_upgrade(s, who) is not None

    def _second_upgrade(self, s: State18Ireland, who: str) -> int | None:
        """What an upgrade as second build costs; None if there can be none."""
        found = self.rules.with_power(s, who, "second_upgrade")
        return found[0][1] if found else None

    def _is_upgrade(self, s: State18Ireland, coord: str) -> bool:
        return laying.face_at(self.box, s.board, coord).tile.color != "white"

    def hexes(self, s: State18Ireland, who: str, terms: Terms) -> Iterable[str]:
        return terms.hexes or networks(self.rules, s.board, who).sides

    def why_not_here(self, s: State18Ireland, who: str, coord: str, terms: Terms) -> Fault | None:
        fault = self._why_no_build(s, who, coord) if terms.counts else None
        return fault or self.rules.upgrades.why_blocked(s, coord)

    def _why_no_build(self, s: State18Ireland, who: str, coord: str) -> Fault | None:
        m = OperatingRound.of(s)
        if m.lays == 0:
            return None
        if not self._is_upgrade(s, coord):
            text = "After an upgrade no yellow tile can be laid."
            return ("upgraded", text, "9.1") if m.upgraded else None
        if self._second_upgrade(s, who) is None:
            return "second", f"The second build of {who} must be a yellow tile.", "9.1"
        return None

    def has_upgraded(self, s: State18Ireland) -> bool:
        return False

    def edges(self, s: State18Ireland, who: str, coord: str) -> int:
        broad, narrow, *_ = networks(self.rules, s.board, who).sides.get(coord, NOWHERE)
        return broad | narrow

    def joins(self, s: State18Ireland, lay: Lay) -> bool:
        return bool(lay.face.exits & self.edges(s, lay.who, lay.coord))

    def suited(self, s: State18Ireland, who: str, coord: str, terms: Terms) -> Mapping[Face, bool]:
        """Those that may be of use, and whether they are sure to be."""
        return self._promising(self.rules.upgrades.site(s.board, who, coord), terms, self.colors(s))

    @cached_property
    def _promising(self) -> Callable[[Site, Terms, tuple[str, ...]], Mapping[Face, bool]]:
        return lru_cache(MOST)(self._sorted_out)

    def _sorted_out(self, site: Site, terms: Terms, colors: tuple[str, ...]) -> Mapping[Face, bool]:
        edges = site.sides[0] | site.sides[1] if terms.connect else track.ANY
        fitting = self._suited(site.map, site.coord, site.old, terms, colors, edges)
        return FrozenDict(self.rules.upgrades.promising(site, fitting, terms))

    def why_not(self, s: State18Ireland, lay: Lay) -> Fault | None:
        fitting, face = self.rules.upgrades, lay.face
        site = fitting.site(s.board, lay.who, lay.coord)
        return fitting.why_gauge(site, face) or fitting.why_unconnected(
            s.board, lay.who, site, face, lay.terms
        )

    def allowed(self, s: State18Ireland, lays: list[Lay]) -> list[Lay]:
        """Those of :meth:`suited` ones that are of use."""
        if not lays:
            return lays
        who, coord, _, terms, _ = lays[0]
        sure, improves = self.suited(s, who, coord, terms), self.rules.upgrades.improves
        return [x for x in lays if sure[x.face] or improves(s.board, who, coord, x.face)]

    def terrain(self, s: State18Ireland, lay: Lay) -> int:
        """§9.2: none for narrow gauge alone."""
        return 0 if narrow_only(lay.face) else super().terrain(s, lay)

    def affordable(self, s: State18Ireland, lays: list[Lay]) -> list[Lay]:
        """Of all tiles narrow gauge alone may cost less, where terrain costs anything."""
        if not lays or not laying.face_at(self.box, s.board, lays[0].coord).tile.cost:
            return super().affordable(s, lays)
        costs = {narrow_only(lay.face): lay for lay in lays}
        paid = {k for k, lay in costs.items() if self.cost(s, lay) <= cash(s, lay.who)}
        return [lay for lay in lays if narrow_only(lay.face) in paid]

    def cost(self, s: State18Ireland, lay: Lay) -> int:
        cost = super().cost(s, lay)
        if not lay.terms.counts or OperatingRound.of(s).lays == 0:
            return cost
        if self._is_upgrade(s, lay.coord):
            return cost + (self._second_upgrade(s, lay.who) or 0)
        return cost + self.rules.constants.second_lay


class Track(track.Track[State18Ireland, Rules18Ireland], LaysTiles):
    """§5.2 4: lays and upgrades of the operating corporation."""

    rule = "9.1"

    def next_lay(self, s: State18Ireland, who: str) -> Terms | None:
        return ORDINARY if self.allowance_left(s, who) else None

    def waits(self, s: State18Ireland, who: str) -> bool:
        return (
            self.allowance_left(s, who)
            or any(self._lays_alone(c) for c in self.rules.privates(s, who))
            or self._could_buy_builder(s, who)
        )

    def _lays_alone(self, company: str) -> bool:
        powers = self.rules.powers[company]
        return powers.pair is not None or powers.sea_tile is not None

    def _could_buy_builder(self, s: State18Ireland, who: str) -> bool:
        """4(b): a player has a private that builds, and it could be bought."""
        found = (company for company, _ in on_sale(self.rules, s, who))
        return any(self._lays_alone(c) or self.rules.powers[c].free_terrain for c in found)


class Replace(ChooseAgain[State18Ireland, Rules18Ireland]):
    """§9.6: tokens of a hex that got its first track choose their city."""

    name = "replace token"
    rule = "9.6"


class StationToken(tokens.StationToken[State18Ireland, Rules18Ireland]):
    """§9.7."""

    rule = "9.7"
