"""Track (§9): which tiles fit, what mines and railways may lay; the report of mines it connects
(§5.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ...bank import cash, pay
from ...board import laying, lines, network
from ...board.hexes import opposite
from ...board.network import ALL_EDGES
from ...board.tiles import COLORS, NODE, Face, Tile
from ...model.actions import Action, DestinationConnection, LayTile, Pass
from ...model.choices import Choice, Equal
from ...model.events import Noted
from ...model.records import BANK, Board, set_corporation
from ...rounds.step import Fault, Step
from ...rounds.steps.operating import TurnStep
from . import supply
from .concessions import build_for_another, complete, route_built, terrain
from .rules import Rules1873
from .state import Mine, OperatingRound, State1873, mines_of

if TYPE_CHECKING:
    from .constants import ConcessionTile


# networks (§9.1)


def joinable(rules: Rules1873, board: Board, who: str, mine: bool, coord: str) -> int:
    """§9.1.4: the edges of a hex a builder may join, as a mask."""
    if not mine:
        return rules.reach(board, who).on(coord)
    at_home = coord == rules.box.corporations[who].home[0].hex
    return ALL_EDGES if at_home else mine_reach(rules, board, who).on(coord)


def reachable(rules: Rules1873, board: Board, who: str, mine: bool) -> Mapping[str, int]:
    """The same of all hexes."""
    if not mine:
        return rules.reach(board, who).edges
    home = rules.box.corporations[who].home[0].hex
    return {**mine_reach(rules, board, who).edges, home: ALL_EDGES}


def mine_reach(rules: Rules1873, board: Board, who: str) -> network.Reach:
    """§9.1.3: from all stops of the mine's hex along any track, passing everything."""
    home = rules.box.corporations[who].home[0].hex
    face = laying.face_at(rules.box, board, home)
    starts = [(home, NODE + i) for i in face.tile.stops]
    return network.reach(
        rules.box.map, rules.box.tiles, board, who, gauge="any", starts=starts, blocking=False
    )


def walked(rules: Rules1873, board: Board, who: str, mine: bool) -> network.Reach:
    """What the network of a builder really runs over."""
    if mine:
        return mine_reach(rules, board, who)
    box = rules.box
    return network.reach(box.map, box.tiles, board, who, gauge="narrow", homes=False)


def connect_mines(rules: Rules1873, s: State1873) -> None:
    """§5.4, §9.7: mark the mines that reach the state railway now."""
    goals = set(rules.constants.state_railway)
    for mine in mines_of(s):
        if mine.connected:
            continue
        if any(coord in goals for coord, _ in mine_reach(rules, s.board, mine.id).nodes):
            set_corporation(s, mine.id, connected=True)
            s.now.emit(Noted("connected", mine.id))


class Track(TurnStep[State1873, Rules1873]):
    """§5.3: lay tiles."""

    name = "track"
    rule = "9"
    takes = frozenset({LayTile, Pass})
    stage = "track"

    def waits(self, s: State1873, who: str) -> bool:
        m = OperatingRound.of(s)
        record = s.corporations[who]
        if isinstance(record, Mine):
            builds = not record.connected or "connected_mines_build" in self.rules.options
            return builds and not m.lays
        if who not in self.rules.railways or record.receivership:
            return False
        return record.incomplete or not m.lays or m.again

    def skipped(self, s: State1873, who: str) -> None:
        """The connections are made and reported (§5.4)."""
        if OperatingRound.of(s).lays:
            connect_mines(self.rules, s)
            s.report = who
        self.leave(s)

    # choices

    def answers(self, s: State1873, who: str) -> Iterator[Choice]:
        for coord in reachable(self.rules, s.board, who, isinstance(s.corporations[who], Mine)):
            yield from self._on(s, who, coord)

    def why_no_pass(self, s: State1873, who: str) -> Fault | None:
        if not s.corporations[who].incomplete:
            return None
        return "must_build", f"{who} must build its concession route.", "9.5.1"

    def _on(self, s: State1873, who: str, coord: str) -> Iterator[Choice]:
        old = laying.face_at(self.box, s.board, coord)
        if self._why_not_here(s, who, coord) is not None:
            return
        for face in self.rules.upgrades.upgrades(s.board, coord):
            copies = supply.copies_for(s, coord, face.tile.name)
            groups: dict[bool, list[str]] = {}
            for copy in copies:
                groups.setdefault(copy == s.kept.get(coord), []).append(copy)
            for group in groups.values():
                if self._why_not(s, who, coord, group[0], face.rotation) is None:
                    fields = {"hex": coord, "tile": group[0], "rotation": face.rotation}
                    yield self.choice(s, who, LayTile, {"tile": Equal(*group)}, **fields)
        yield from self._any_color(s, who, coord, old)

    def _any_color(self, s: State1873, who: str, coord: str, old: Face) -> Iterator[Choice]:
        """§9.5.3: the railway lays its reserved tile whatever is below."""
        kept = s.kept.get(coord)
        if kept is None:
            return
        if self._tile(kept) in self.rules.upgrades.followers(coord, old):
            return
        for rotation in range(6):
            if self._why_not(s, who, coord, kept, rotation) is None:
                yield self.choice(s, who, LayTile, hex=coord, tile=kept, rotation=rotation)

    # legality

    def cost(self, s: State1873, coord: str) -> int:
        return terrain(self.rules, s, coord)

    def _why_not_here(self, s: State1873, who: str, coord: str) -> Fault | None:
        """Faults of the hex, whatever the tile."""
        colors = self.box.phases[s.phase].tiles
        if coord in self.rules.constants.locked_hexes and "green" not in colors:
            return "locked", f"Nothing can be built on {coord} before the first 3-train.", "9.2.5"
        if s.corporations[who].incomplete:
            concession = self.rules.constants.concession_tiles.get(coord)
            if concession is None or concession.railway != who:
                return "concession", f"{who} must build its concession route first.", "9.5.1"
        cost = self.cost(s, coord)
        if cost > cash(s, who):
            return "no_cash", f"{coord} costs {cost}; {who} has {cash(s, who)}.", "9.4"
        return None

    def _tile(self, tile: str) -> Tile:
        return self.box.tiles.tiles[supply.name_of(tile)]

    def _why_not(
        self, s: State1873, who: str, coord: str, tile: str, rotation: int
    ) -> Fault | None:
        old = laying.face_at(self.box, s.board, coord)
        new = self._tile(tile).turned(rotation)
        concession = self.rules.constants.concession_tiles.get(coord)
        own = concession is not None and concession.railway == who
        special = own and s.kept.get(coord) == tile
        return (
            self._why_not_tile(s, coord, old, new, special)
            or self._why_not_double(s, who, new)
            or self._why_not_joined(s, who, coord, tile, old, new)
            or (self._why_not_route(s, who, coord, tile, new, concession) if concession else None)
        )

    def _why_not_tile(
        self, s: State1873, coord: str, old: Face, new: Face, special: bool
    ) -> Fault | None:
        colors = self.box.phases[s.phase].tiles
        if not special and new.tile.color not in colors:
            return "colour", f"{new.tile.color} tiles come in a later phase.", "9.2.1"
        if not special and new.tile not in self.rules.upgrades.followers(coord, old):
            return "tile", f"Tile {new.tile.name} cannot replace what lies on {coord}.", "9.2.2"
        if not self.rules.upgrades.lies(coord, old, new):
            text = f"Laid like that, {new.tile.name} loses track on {coord} or leads nowhere."
            return "misfit", text, "9.2.3"
        if special and COLORS.index(new.tile.color) <= COLORS.index(old.tile.color):
            return "tile", f"Tile {new.tile.name} cannot replace what lies on {coord}.", "9.2.2"
        return None

    def _why_not_double(self, s: State1873, who: str, new: Face) -> Fault | None:
        m = OperatingRound.of(s)
        if not m.lays or s.corporations[who].incomplete:
            return None
        if not (m.again and new.tile.name in self.rules.constants.double_lay_tiles):
            return "double", "Two lays are possible only with yellow or double-track tiles.", "9.3"
        return None

    def _why_not_joined(
        self, s: State1873, who: str, coord: str, tile: str, old: Face, new: Face
    ) -> Fault | None:
        """§9.2.3–4: an exit joins the network, and all new track belongs to it."""
        mine = isinstance(s.corporations[who], Mine)
        if not new.exits & joinable(self.rules, s.board, who, mine, coord):
            return "unconnected", f"{who} has no track to {coord} there.", "9.2.3"
        fresh = new.exits & ~old.exits
        if fresh & ~self._surely_joined(s.board, who, coord, old, new, mine=mine) and (
            fresh & ~self._perhaps_joined(s.board, who, coord, old, new, mine=mine)
            or fresh & ~self._joined_by(s.board, who, coord, tile, new, mine=mine)
        ):
            return "restrictive", f"Not all new track on {coord} would join {who}.", "9.2.4"
        return None

    def _joined_by(
        self, board: Board, who: str, coord: str, tile: str, new: Face, *, mine: bool
    ) -> int:
        """The edges of a hex the network would lead to with a tile, as a mask, by laying it."""
        preview = laying.with_tile(self.box, board, coord, tile, new.rotation)
        return walked(self.rules, preview, who, mine).on(coord)

    def _begun(
        self, board: Board, who: str, coord: str, old: Face, new: Face, *, mine: bool
    ) -> int:
        """Where on a tile the network begins, as a mask of ends."""
        if not mine:
            return laying.own_cities(board, who, coord, old, new)
        at_home = coord == self.box.corporations[who].home[0].hex
        return sum([1 << NODE + i for i in new.tile.stops]) if at_home else 0

    def _surely_joined(
        self, board: Board, who: str, coord: str, old: Face, new: Face, *, mine: bool
    ) -> int:
        """The edges of a tile that belong to the network because it begins there, or comes in over
        some edge now and goes on doing so where no city gets smaller, as a mask."""
        begun = self._begun(board, who, coord, old, new, mine=mine)
        open_ = mine or not board.cities.get(coord) or laying.no_city_shrinks(old, new)
        over = walked(self.rules, board, who, mine).over(coord) if open_ else 0
        shut = 0 if mine else laying.shut_cities(board, who, coord, old, new)
        return lines.joined_sides(new, "any" if mine else "narrow", over | begun, shut)

    def _perhaps_joined(
        self, board: Board, who: str, coord: str, old: Face, new: Face, *, mine: bool
    ) -> int:
        """The edges of a tile that could belong to the network if all track around did."""
        live = self._begun(board, who, coord, old, new, mine=mine)
        for edge, neighbor in self.box.map.neighbors[coord].items():
            exits = laying.face_at(self.box, board, neighbor).exits
            live |= (exits >> opposite(edge) & 1) << edge
        return lines.joined_sides(new, "any" if mine else "narrow", live)

    def _why_not_route(
        self, s: State1873, who: str, coord: str, tile: str, new: Face, concession: ConcessionTile
    ) -> Fault | None:
        """§9.5: the concession route stays buildable."""
        serving = supply.serves(new, concession)
        if concession.railway == who:
            wanted = s.kept.get(coord) or concession.tile
            if s.corporations[who].incomplete and tile != wanted and new.tile.name != wanted:
                return "standard", f"{who} must lay {wanted} on {coord}.", "9.5.1"
            if not serving:
                return "route", f"Laid like that, {coord} would not serve the route.", "9.5.2"
            return None
        if serving:
            return None
        if new.exits & concession.mask == concession.mask:
            text = f"That would part the route of the {concession.railway} on {coord}."
            return "parts_route", text, "9.5.4"
        left = supply.after_laying(self.rules, s, coord, tile)
        if supply.find_reserve(self.rules, left, coord, new, concession) is None:
            text = f"No tile would be left for the route of the {concession.railway} on {coord}."
            return "no_reserve", text, "9.5.4"
        return None

    # check and apply

    def check_answer(self, s: State1873, a: LayTile) -> None:
        who = a.actor
        if a.hex not in self.box.map.hexes:
            raise self.refuse("unknown_hex", f"There is no hex {a.hex}.")
        if a.tile not in s.supply and a.tile != s.kept.get(a.hex):
            raise self.refuse("no_tile", f"Tile {a.tile} is not available for {a.hex}.")
        self.insist(self._why_not_here(s, who, a.hex))
        self.insist(self._why_not(s, who, a.hex, a.tile, a.rotation))

    def passed(self, s: State1873, who: str) -> None:
        self.skipped(s, who)

    def answer(self, s: State1873, a: LayTile) -> None:
        who, m = a.actor, OperatingRound.of(s)
        new = self._tile(a.tile).turned(a.rotation)
        cost = self.cost(s, a.hex)
        pay(s, who, BANK, cost, "tile")
        supply.take(self.rules, s, a.hex, a.tile, new)
        laying.lay(self.box, s, who, a.hex, a.tile, a.rotation, cost)
        concession = self.rules.constants.concession_tiles.get(a.hex)
        if concession is not None and concession.railway != who:
            build_for_another(self.rules, s, who, a.hex, cost)
        building = s.corporations[who].incomplete
        if building and route_built(self.rules, s.board, who):
            complete(self.rules, s, who)
        doubles = self.rules.constants.double_lay_tiles
        again = not building and not m.lays and new.tile.name in doubles
        self.change(s, lays=m.lays + 1, again=again)


class Report(Step[State1873, Rules1873]):
    """Nobody waits for it: the connections are made when the track step ends. A file's report is
    held against them."""

    name = "report"
    rule = "5.4"
    takes = frozenset({DestinationConnection})
    quiet = True

    def admits(self, s: State1873, who: str, kind: type[Action]) -> bool:
        return kind is DestinationConnection and who == s.report

    def choices(self, s: State1873) -> Iterator[Choice]:
        if s.report is not None:
            yield Choice(self._report(s, s.report))

    def check(self, s: State1873, a: DestinationConnection) -> None:
        ours = self._report(s, a.actor).minors
        if a.minors != ours:
            raise self.refuse(
                "mines", f"The mines connected are {', '.join(ours)}, not {', '.join(a.minors)}."
            )

    def auto_actions(self, s: State1873) -> tuple[Action, ...]:
        """Files expect it after track was laid."""
        return () if s.report is None else (self._report(s, s.report),)

    def _report(self, s: State1873, who: str) -> DestinationConnection:
        connected = tuple(m.id for m in mines_of(s) if m.connected)
        return DestinationConnection(**self.sender(s, who), minors=connected)

    def apply(self, s: State1873, a: DestinationConnection) -> None:
        s.report = None
