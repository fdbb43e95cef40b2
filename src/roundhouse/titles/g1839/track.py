"""Track (§9.2), with the lays of three privates (§8.2 LVG, SHZ; §8.3 LS)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from ...board import laying, network
from ...board.hexes import Map
from ...board.tiles import Face
from ...board.tileset import city_moves
from ...model.actions import Action, PlaceToken, company_key
from ...model.choices import Choice, Equal
from ...model.records import CLOSED, Board
from ...rounds.step import Fault
from ...rounds.steps import track
from ...rounds.steps.operating import TurnStep
from ...rounds.steps.tokens import hexes_with
from ...rounds.steps.track import ORDINARY, Lay, Terms
from .markers import free_slots, pay_for_new, rename, sync
from .rules import Rules1839
from .state import OperatingRound, State1839

#: The edge to the west.
WEST = 1


class Track(track.Track[State1839, Rules1839]):
    """§9.2: up to two tiles, at most one of them an upgrade; a third with LVG."""

    rule = "9.2"
    sections = {"colour": "4.4", "misfit": "9.2", "unconnected": "9.2", "no_cash": "9.2"}

    # who lays what

    def allowances(self, s: State1839, who: str) -> tuple[Terms, ...]:
        return ORDINARY, Terms(self.rules.constants.second_tile)

    def affords(self, s: State1839, who: str, cost: int) -> bool:
        return True

    def waits(self, s: State1839, who: str) -> bool:
        return super().waits(s, who) or self.rules.one_with(s, who, "extra_tile") is not None

    def special(self, s: State1839, who: str, terms: Terms | None) -> Iterator[tuple[str, Terms]]:
        yield from self.rules.with_power(s, who, "extra_tile")
        if terms is None:
            return
        for company, power in self.rules.with_power(s, who, "city_for_town"):
            yield company, Terms(terms.cost, tiles=tuple(power.tiles.values()), rule="8.3")
        yield from self.rules.with_power(s, who, "outpost")

    def lays(self, s: State1839, who: str) -> Iterator[Lay]:
        """Hex by hex, each tile by the company and by LVG, then those of LS; SHZ's at last."""
        by = list(self.lays_by(s, who))
        anywhere = [(company, terms) for company, terms in by if not terms.hexes]
        for coord in self.hexes(s, who, ORDINARY):
            found = [x for c, t in anywhere for x in self.lays_on(s, who, coord, t, c)]
            if len(anywhere) > 1:
                fitting = self.rules.upgrades.upgrades(s.board, coord)
                order = {face: n for n, face in enumerate(fitting)}
                found.sort(key=lambda x: order.get(x.face, len(order)))
            yield from found
        for company, terms in by:
            for coord in terms.hexes:
                yield from self.lays_on(s, who, coord, terms, company)

    # where it fits and what it joins

    def hexes(self, s: State1839, who: str, terms: Terms) -> Iterable[str]:
        """A marker's own hex too, where no track leads yet."""
        spots = network.token_spots(s.board, self._faces(s.board), who)
        return dict.fromkeys((*super().hexes(s, who, terms), *(coord for coord, _ in spots)))

    def faces(self, map_: Map, coord: str, old: Face, terms: Terms) -> Collection[Face]:
        """§8.3 LS: the city for the town that lies there, with its track."""
        if not terms.tiles:
            return super().faces(map_, coord, old, terms)
        powers = [p.city_for_town for p in self.rules.powers.values() if p.city_for_town]
        cities = [p.tiles[old.tile.name] for p in powers if old.tile.name in p.tiles]
        turned = [self.box.tiles.tiles[name].turned(r) for name in cities for r in range(6)]
        return [face for face in turned if face.exits == old.exits]

    def _faces(self, board: Board) -> Mapping[str, Face]:
        return network.faces(self.box.map, self.box.tiles, board)

    def suited(self, s: State1839, who: str, coord: str, terms: Terms) -> Collection[Face]:
        if not terms.connect or not any(who in row for row in s.board.cities.get(coord, ())):
            return super().suited(s, who, coord, terms)
        fitting = self.fitting(s, coord, terms)
        return [face for face in fitting if self.joins(s, Lay(who, coord, face))]

    def why_not_here(self, s: State1839, who: str, coord: str, terms: Terms) -> Fault | None:
        if blocker := self.rules.blocker(s, coord):
            return "blocked", f"{coord} is blocked by {blocker}.", "8.1"
        return None

    def why_not(self, s: State1839, lay: Lay) -> Fault | None:
        return None if lay.terms.connect else self._why_no_outpost(s, lay)

    def joins(self, s: State1839, lay: Lay) -> bool:
        """Whether track from one of the company's markers leads to track of the tile."""
        if super().joins(s, lay):
            return True
        moves = city_moves(self._faces(s.board)[lay.coord], lay.face) or ()
        rows = s.board.cities.get(lay.coord, ())
        mine = [n for n, slots in enumerate(rows) if lay.who in slots]
        cities = lay.face.tile.cities
        return any(n < len(moves) and lay.face.node_exits[cities[moves[n]]] for n in mine)

    def _why_no_outpost(self, s: State1839, lay: Lay) -> Fault | None:
        """§8.2 SHZ: tile and station are both mandatory."""
        who, coord = lay.who, lay.coord
        none_left = OperatingRound.of(s).placed or laying.next_token(s, who) is None
        if none_left or coord in hexes_with(s, who):
            return "no_marker", f"{lay.who} cannot place a marker on {coord}."
        copy = f"{lay.face.tile.name}-0"
        after = laying.with_tile(self.box, s.board, coord, copy, lay.face.rotation)
        if None not in laying.slots_at(self.box, after, coord)[0]:
            return "no_slot", f"The city in {coord} would have no free slot."
        return None

    # what it costs and brings

    def terrain(self, s: State1839, lay: Lay) -> int:
        """A river under a first tile, a named city under an upgrade, the option's fee (§14); §8.3
        RG: terrain may be cheaper."""
        old, constants, fee = self._faces(s.board)[lay.coord].tile, self.rules.constants, 0
        cost = old.cost
        if old.color != "white":
            named = constants.named_cities
            cost = named.cost if lay.coord in named.hexes else 0
            if old.cities and "city_upgrade_fee" in self.rules.options:
                fee = constants.city_upgrade_fee
        if lay.company and (town := self.rules.powers[lay.company].city_for_town):
            cost, fee = town.cost, 0
        for _, percent in self.rules.with_power(s, lay.who, "terrain_percent"):
            cost = cost * percent // 100
        return fee + cost

    def laid(self, s: State1839, lay: Lay, before: Board) -> None:
        old = self._faces(before)[lay.coord]
        if len(lay.face.tile.cities) < len(old.tile.cities):
            slots = laying.slots_at(self.box, before, lay.coord)
            _join_cities(self.rules, s, lay.coord, old, slots)
        sync(s)
        rename(s, lay.coord, old, lay.face)
        pay_for_new(self.rules, s, lay.who)
        if not lay.terms.connect:
            self.change(s, outpost=lay.coord, placed=True)
        elif lay.company is not None:
            self.rules.close(s, lay.company)


def _join_cities(
    rules: Rules1839, s: State1839, coord: str, old: Face, slots: laying.Slots
) -> None:
    """§9.6: of several cities made one, the markers of the west city come first."""
    to_west = [old.node_exits[node] >> WEST & 1 for node in old.tile.cities]
    order = sorted(range(len(slots)), key=lambda city: not to_west[city])
    owners = iter([owner for city in order for owner in slots[city] if owner])
    for slot in range(len(laying.slots_at(rules.box, s.board, coord)[0])):
        laying.fill_slot(rules.box, s, coord, 0, slot, next(owners, None))


class OutpostStation(TurnStep[State1839, Rules1839]):
    """§8.2 SHZ: right after its tile, its station."""

    name = "outpost"
    rule = "8.2"
    occasion = "outpost"
    takes = frozenset({PlaceToken})

    def _company(self, s: State1839) -> str | None:
        who = self.operator(s) if OperatingRound.of(s).outpost is not None else None
        return None if who is None else self.rules.one_with(s, who, "outpost")

    def waits(self, s: State1839, who: str) -> bool:
        return self._company(s) is not None

    def admits(self, s: State1839, who: str, kind: type[Action]) -> bool:
        company = self._company(s)
        return kind is PlaceToken and company is not None and who == f"company:{company}"

    def _place(self, s: State1839) -> tuple[str, tuple[int, ...]]:
        coord = OperatingRound.of(s).outpost or ""
        who = self.operator(s) or ""
        return laying.city_id(self.box, s.board, coord, 0), free_slots(self.box, s, coord, 0, who)

    def answers(self, s: State1839, who: str) -> Iterator[Choice]:
        city, free = self._place(s)
        key, slots = company_key(self._company(s) or ""), {"slot": Equal(*free, None)}
        yield self.choice(s, key, PlaceToken, {**slots}, city=city, slot=free[0])

    def check_answer(self, s: State1839, a: PlaceToken) -> None:
        city, free = self._place(s)
        plain = a.token_type is None and a.tokener is None and a.cost is None
        if a.city != city or a.slot not in (*free, None) or not plain:
            raise self.refuse("place", f"The station goes into a free slot of {city}.")

    def answer(self, s: State1839, a: PlaceToken) -> None:
        who, coord = self.operator(s) or "", OperatingRound.of(s).outpost or ""
        slot = self._place(s)[1][0] if a.slot is None else a.slot
        laying.place_token(self.box, s, who, coord, 0, slot, 0)
        self.rules.give_company(s, str(a.entity), CLOSED)
        self.change(s, outpost=None)
        pay_for_new(self.rules, s, who)
