"""Track (§9.2), with the lays of three privates (§8.2 LVG, SHZ; §8.3 LS)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ...bank import cash, pay
from ...board import laying, network
from ...board.fitting import Fitting
from ...board.lays import lay_choice, named_face
from ...board.tiles import Face, Tile
from ...board.tileset import city_moves, keeps_track
from ...model.actions import Action, LayTile, Pass, PlaceToken
from ...model.choices import Choice, Equal
from ...model.errors import IllegalAction
from ...model.records import BANK, CLOSED
from ...rounds.steps.operating import TurnStep
from .connections import pay_for_new, rename
from .markers import free_slots, marked_hexes, sync, unplaced
from .state import State1839
from .turn import memory

if TYPE_CHECKING:
    from .constants import Powers
    from .rules import Rules1839

Fault = tuple[str, str, str]
#: The edge to the west.
WEST = 1


class Lay(NamedTuple):
    """A tile somebody wants to lay: for whom, by which private (None: an ordinary lay)."""

    who: str
    company: str | None
    coord: str
    face: Face


class Fitting1839(Fitting):
    """§9.2, with the printed stubs; tiles a private lays by itself are no ordinary ones."""

    def __init__(self, rules: Rules1839) -> None:
        super().__init__(rules.box)
        self._automatic = {t.tile for p in rules.powers.values() for t in p.tiles}

    def followers(self, coord: str, old: Face) -> tuple[Tile, ...]:
        return tuple(
            t for t in self.box.tiles.successors(old.tile) if t.name not in self._automatic
        )

    def keeps(self, old: Face, new: Face) -> bool:
        """Track kept, and a city of its own for each city (but on the tile that joins them)."""
        moves = city_moves(old, new)
        if moves is None or len(set(moves)) < min(len(moves), len(new.tile.cities)):
            return False
        return keeps_track(old, new)

    def select(self, coord: str, old: Face, faces: Iterable[Face]) -> Iterable[Face]:
        """Those that use the edges with a printed stub."""
        stubs = self.box.map.hexes[coord].tile.stubs
        return (f for f in faces if all(f.exits >> e & 1 for e in stubs))

    def unsuited(self, coord: str, new: Face) -> str:
        return f"Tile {new.tile.name} must use the track printed on the edge of {coord}."


def lay(rules: Rules1839, s: State1839, plan: Lay, tile: str, cost: int) -> None:
    """Pay for a tile and lay it, with all that hangs on its cities."""
    pay(s, plan.who, BANK, cost, "tile")
    old = laying.face_at(rules.box, s.board, plan.coord)
    slots = laying.slots_at(rules.box, s.board, plan.coord)
    laying.lay(rules.box, s, plan.who, plan.coord, tile, plan.face.rotation, cost)
    if len(plan.face.tile.cities) < len(old.tile.cities):
        _join_cities(rules, s, plan.coord, old, slots)
    sync(s)
    rename(s, plan.coord, old, plan.face)
    pay_for_new(rules, s, plan.who)


def _join_cities(
    rules: Rules1839, s: State1839, coord: str, old: Face, slots: laying.Slots
) -> None:
    """§9.6: of several cities made one, the markers of the west city come first."""
    to_west = [old.node_exits[node] >> WEST & 1 for node in old.tile.cities]
    order = sorted(range(len(slots)), key=lambda city: not to_west[city])
    owners = iter([owner for city in order for owner in slots[city] if owner])
    for slot in range(len(laying.slots_at(rules.box, s.board, coord)[0])):
        laying.fill_slot(rules.box, s, coord, 0, slot, next(owners, None))


def reaches(rules: Rules1839, s: State1839, plan: Lay) -> bool:
    """§9.2: whether track from one of the company's markers leads to track of the new tile."""
    board, box = s.board, rules.box
    faces = network.faces(box.map, box.tiles, board)
    reached = rules.reach(board, plan.who).edges
    if plan.face.exits & reached.get(plan.coord, 0):
        return True
    moves = city_moves(faces[plan.coord], plan.face) or ()
    mine = [n for n, slots in enumerate(board.cities.get(plan.coord, ())) if plan.who in slots]
    cities = plan.face.tile.cities
    return any(n < len(moves) and plan.face.node_exits[cities[moves[n]]] for n in mine)


class Track(TurnStep[State1839]):
    """§9.2: up to two tiles, at most one of them an upgrade; a third with LVG."""

    name = "track"
    rule = "9.2"
    takes = frozenset({LayTile, Pass})
    stage = "track"
    rules: Rules1839

    def __init__(self, rules: Rules1839) -> None:
        super().__init__(rules)
        self.fitting = Fitting1839(rules)

    def admits(self, s: State1839, who: str, kind: type[Action]) -> bool:
        company = self.rules.company_of(s, who) if kind is LayTile else None
        return super().admits(s, who if company is None else company.owner or "", kind)

    def waits(self, s: State1839, who: str) -> bool:
        return memory(s).lays < 2 or self.rules.one_with(s, who, "extra_tile") is not None

    # choices

    def choices(self, s: State1839) -> Iterator[Choice]:
        for who in self.actors(s):
            for plan in self._plans(s, who):
                if self.fault(s, plan) is None:
                    yield from self._lay_choice(s, plan)
            yield Choice(Pass(entity=who, entity_type="corporation"))

    def _plans(self, s: State1839, who: str) -> Iterator[Lay]:
        """Everything worth testing: every fitting tile where the network or a power leads."""
        companies: list[str | None] = [None]
        if extra := self.rules.one_with(s, who, "extra_tile"):
            companies.append(extra)
        spots = network.token_spots(s.board, self._faces(s), who)
        reached = self.rules.reach(s.board, who).edges
        for coord in dict.fromkeys((*reached, *(c for c, _ in spots))):
            for face in self.fitting.upgrades(s.board, coord):
                for company in companies:
                    yield Lay(who, company, coord, face)
            yield from self._city_plans(s, who, coord)
        for company, outpost in self.rules.with_power(s, who, "outpost"):
            for coord in outpost.hexes:
                for face in self.fitting.upgrades(s.board, coord):
                    yield Lay(who, company, coord, face)

    def _city_plans(self, s: State1839, who: str, coord: str) -> Iterator[Lay]:
        for company, power in self.rules.with_power(s, who, "city_for_town"):
            name = power.tiles.get(self._faces(s)[coord].tile.name)
            if name:
                for face in map(self.box.tiles.tiles[name].turned, range(6)):
                    yield Lay(who, company, coord, face)

    def _faces(self, s: State1839) -> Mapping[str, Face]:
        return network.faces(self.box.map, self.box.tiles, s.board)

    def _lay_choice(self, s: State1839, plan: Lay) -> Iterator[Choice]:
        sender = {
            "entity": plan.company or plan.who,
            "entity_type": "company" if plan.company else "corporation",
        }
        yield from lay_choice(self.box, s.board, plan.coord, plan.face, **sender)

    # legality: each "why not" is a code, a sentence and a section, or None

    def fault(self, s: State1839, plan: Lay) -> Fault | None:
        """Why a tile cannot be laid, its copy aside."""
        return (
            self._fault_of_turn(s, plan)
            or self._fault_of_place(s, plan)
            or self._fault_of_power(s, plan)
            or self._fault_of_money(s, plan)
        )

    def _powers(self, plan: Lay) -> Powers | None:
        return self.rules.powers[plan.company] if plan.company else None

    def _is_upgrade(self, s: State1839, coord: str) -> bool:
        return self._faces(s)[coord].tile.color != "white"

    def _fault_of_turn(self, s: State1839, plan: Lay) -> Fault | None:
        m, powers = memory(s), self._powers(plan)
        if powers is not None and powers.extra_tile:
            return None
        if m.lays >= 2:
            return "two_lays", "Two tiles have been laid in this turn.", "9.2"
        if m.upgraded and self._is_upgrade(s, plan.coord):
            return "upgraded", "Only one upgrade is possible in a turn.", "9.2"
        return None

    def _fault_of_place(self, s: State1839, plan: Lay) -> Fault | None:
        coord, old, new = plan.coord, self._faces(s)[plan.coord], plan.face
        if blocker := self.rules.blocker(s, coord):
            return "blocked", f"{coord} is blocked by {blocker}.", "8.1"
        if new.tile.color not in self.box.phases[s.phase].tiles:
            return "colour", f"{new.tile.color} tiles come in a later phase.", "4.4"
        if misfit := self._misfit(s, plan, old):
            return "misfit", misfit, "9.2"
        powers = self._powers(plan)
        if powers is not None and powers.outpost:
            return None
        if not reaches(self.rules, s, plan):
            return "unconnected", f"{plan.who} has no track to that tile on {coord}.", "9.2"
        return None

    def _misfit(self, s: State1839, plan: Lay, old: Face) -> str | None:
        powers = self._powers(plan)
        if powers is None or not powers.city_for_town:
            return self.fitting.misfit(s.board, plan.coord, plan.face)
        same = powers.city_for_town.tiles.get(old.tile.name) == plan.face.tile.name
        if same and old.exits == plan.face.exits:
            return None
        return f"{plan.company} can only make the towns of {plan.coord} a city, track as it lies."

    def _fault_of_power(self, s: State1839, plan: Lay) -> Fault | None:
        """§8.2 SHZ: tile and station are both mandatory."""
        powers = self._powers(plan)
        if powers is None or powers.extra_tile or powers.city_for_town:
            return None
        if not powers.outpost or plan.coord not in powers.outpost.hexes:
            return "power", f"{plan.company} cannot lay a tile on {plan.coord}.", "8.2"
        c = s.corporations[plan.who]
        if memory(s).placed or not unplaced(c) or plan.coord in marked_hexes(c):
            return "no_marker", f"{plan.who} cannot place a marker on {plan.coord}.", "8.2"
        copy = f"{plan.face.tile.name}-0"
        after = laying.with_tile(self.box, s.board, plan.coord, copy, plan.face.rotation)
        if None not in laying.slots_at(self.box, after, plan.coord)[0]:
            return "no_slot", f"The city in {plan.coord} would have no free slot.", "8.2"
        return None

    def _fault_of_money(self, s: State1839, plan: Lay) -> Fault | None:
        cost, money = self.cost(s, plan), cash(s, plan.who)
        if cost > money:
            return "no_cash", f"That costs ƒ{cost}; {plan.who} has ƒ{money}.", "9.2"
        return None

    # costs (§9.2)

    def cost(self, s: State1839, plan: Lay) -> int:
        """What a tile costs in all."""
        powers = self._powers(plan)
        if powers is not None and powers.outpost:
            return powers.outpost.cost
        second = memory(s).lays == 1 and not (powers is not None and powers.extra_tile)
        cost = self.rules.constants.second_tile if second else 0
        if powers is not None and powers.city_for_town:
            return cost + self._terrain(s, plan.who, powers.city_for_town.cost)
        return cost + self._fee(s, plan.coord) + self._terrain(s, plan.who, self._river(s, plan))

    def _river(self, s: State1839, plan: Lay) -> int:
        """Terrain: a river under a first tile, or a named city under an upgrade."""
        if self._is_upgrade(s, plan.coord):
            named = self.rules.constants.named_cities
            return named.cost if plan.coord in named.hexes else 0
        return self._faces(s)[plan.coord].tile.cost

    def _terrain(self, s: State1839, who: str, cost: int) -> int:
        """§8.3 RG: terrain may be cheaper."""
        for _, percent in self.rules.with_power(s, who, "terrain_percent"):
            cost = cost * percent // 100
        return cost

    def _fee(self, s: State1839, coord: str) -> int:
        """§14: the option's fee for upgrading a city."""
        city = self._is_upgrade(s, coord) and self._faces(s)[coord].tile.cities
        return self.rules.constants.city_upgrade_fee if self._has_fee and city else 0

    @property
    def _has_fee(self) -> bool:
        return "city_upgrade_fee" in self.rules.options

    # check and apply

    def check(self, s: State1839, a: LayTile | Pass) -> None:
        if isinstance(a, Pass):
            return
        if fault := self.fault(s, self._plan(s, a)):
            code, sentence, rule = fault
            raise IllegalAction(code, sentence, rule)

    def _plan(self, s: State1839, a: LayTile) -> Lay:
        company = str(a.entity) if a.entity_type == "company" else None
        who = self.operator(s) or ""
        return Lay(who, company, a.hex, named_face(self.box, s.board, a, self.rule))

    def apply(self, s: State1839, a: LayTile | Pass) -> None:
        if isinstance(a, Pass):
            self.decline(s, a.actor)
            return
        plan, m = self._plan(s, a), memory(s)
        upgrade, powers = self._is_upgrade(s, a.hex), self._powers(plan)
        lay(self.rules, s, plan, a.tile, self.cost(s, plan))
        if powers is None or not powers.extra_tile:
            self.change(s, lays=m.lays + 1, upgraded=m.upgraded or upgrade)
        if powers is not None and powers.outpost:
            self.change(s, outpost=a.hex, placed=True)
        elif plan.company is not None:
            self.rules.close(s, plan.company)


class OutpostStation(TurnStep[State1839]):
    """§8.2 SHZ: right after its tile, its station."""

    name = "outpost"
    rule = "8.2"
    takes = frozenset({PlaceToken})
    rules: Rules1839

    def _company(self, s: State1839) -> str | None:
        who = self.operator(s) if memory(s).outpost is not None else None
        return None if who is None else self.rules.one_with(s, who, "outpost")

    def waits(self, s: State1839, who: str) -> bool:
        return self._company(s) is not None

    def admits(self, s: State1839, who: str, kind: type[Action]) -> bool:
        company = self._company(s)
        return kind is PlaceToken and company is not None and who == f"company:{company}"

    def _place(self, s: State1839) -> tuple[str, tuple[int, ...]]:
        coord = memory(s).outpost or ""
        who = self.operator(s) or ""
        return laying.city_id(self.box, s.board, coord, 0), free_slots(self.rules, s, coord, 0, who)

    def choices(self, s: State1839) -> Iterator[Choice]:
        if company := self._company(s):
            city, free = self._place(s)
            yield Choice(
                PlaceToken(entity=company, entity_type="company", city=city, slot=free[0]),
                {"slot": Equal(*free, None)},
            )

    def check(self, s: State1839, a: PlaceToken) -> None:
        city, free = self._place(s)
        plain = a.token_type is None and a.tokener is None and a.cost is None
        if a.city != city or a.slot not in (*free, None) or not plain:
            raise self.refuse("place", f"The station goes into a free slot of {city}.")

    def apply(self, s: State1839, a: PlaceToken) -> None:
        who, coord = self.operator(s) or "", memory(s).outpost or ""
        slot = self._place(s)[1][0] if a.slot is None else a.slot
        laying.place_token(self.box, s, who, coord, 0, slot, 0)
        self.rules.give_company(s, str(a.entity), CLOSED)
        self.change(s, outpost=None)
        pay_for_new(self.rules, s, who)
