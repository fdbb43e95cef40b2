"""What companies earn: best routes by counted effort, remembered by what they depend on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from ..board.derived import Derived, DerivedTable
from ..model.actions import Run
from ..model.errors import BrokenInvariant, IllegalAction, UnknownName
from ..model.records import Board, State
from ..rounds.rules import Rules
from ..routes.answer import BestRoutes
from ..routes.best import solve
from ..routes.clock import limited
from ..routes.whatif import with_trains
from .knowledge import Knowledge
from .spent import Spent

#: What lies where a company gets to, and anywhere.
_PLACES: DerivedTable[str, object] = DerivedTable("places")
_WHOLE: Derived[object] = Derived("whole")

#: The areas each company gets to.
_ABROAD: Derived[Mapping[str, frozenset[str]]] = Derived("abroad")

#: Answers remembered at most, of one game's rules.
_MOST = 20_000

#: The effort of finding the network, which no search counts.
_NETWORK = 3

Key = tuple[object, ...]


class Income:
    """What companies earn with some trains on some board. Every search may spend ``effort``."""

    def __init__(self, rules: Rules[Any], known: Knowledge, effort: int, spent: Spent) -> None:
        self.rules, self.known, self.effort, self.spent = rules, known, effort, spent
        # revenue, and the effort it took
        self._found: dict[Key, tuple[int, int]] = {}

    def now(self, s: State, who: str) -> int:
        """What a company earns with its present trains."""
        return self.having(s, who, s.corporations[who].trains)

    def having(self, s: State, who: str, trains: Sequence[str]) -> int:
        """What a company would earn with some trains, its own by id, others by kind."""
        if not trains:
            return 0
        kinds = tuple(sorted(kinds_in(s, trains)))
        key = (who, kinds, s.phase, _rights(s, who), self._place(s, who))
        known = self._found.get(key)
        if known is None:
            if len(self._found) >= _MOST:
                self._found.clear()
            known = self._found[key] = self._search(s, who, trains)
        self.spent.once(key, known[1])
        return known[0]

    def best(self, s: State, who: str) -> tuple[tuple[Run, ...], int]:
        """The routes to run now, and what they earn."""
        found: BestRoutes = self.rules.route_model(s, who).best(effort=2 * self.effort)
        return found.routes, found.revenue

    def paying(self, s: State, who: str, kind: str | None) -> int:
        """What the stops a company gets to pay together, with what is theirs by the track around
        them, or would if it ran a kind of train; nothing if it runs none, or they pay by what else
        is run."""
        if not s.corporations[who].trains:
            if kind is None:
                return 0
            s = with_trains(self.rules.box, s, who, (kind,))
        train, stops = s.corporations[who].trains[0], self.rules.reach(s.board, who).nodes
        try:
            model = self.rules.route_model(s, who)
            return sum([model.stop_value(train, stop) for stop in stops])
        except (UnknownName, NotImplementedError):
            return 0

    def abroad(self, s: State) -> Mapping[str, frozenset[str]]:
        """Of each company that builds, whose areas it gets to, if any."""
        found = _ABROAD.known(s.board)
        if found is None:
            found = _ABROAD.keep(s.board, dict(self._areas(s)))
        return found

    def _areas(self, s: State) -> Iterator[tuple[str, frozenset[str]]]:
        areas = self.known.visits.areas if self.known.visits else {}
        owner = {coord: who for who, hexes in areas.items() for coord in hexes}
        for c in s.corporations.values():
            if any(t.city for t in c.tokens):
                nodes = self.rules.reach(s.board, c.id).nodes
                if got := frozenset(owner[coord] for coord, _ in nodes if coord in owner):
                    yield c.id, got

    def _search(self, s: State, who: str, trains: Sequence[str]) -> tuple[int, int]:
        clock = limited(0, self.effort)
        try:
            if tuple(trains) != s.corporations[who].trains:
                s = with_trains(self.rules.box, s, who, trains)
            model = self.rules.route_model(_rested(s, who), who)
            return solve(model, clock, hurry=False).revenue, clock.ticks + _NETWORK
        except (IllegalAction, BrokenInvariant, ValueError, KeyError):
            return 0, clock.ticks + _NETWORK

    def _place(self, s: State, who: str) -> object:
        """What a company's revenue depends on: the track it reaches, or the whole board."""
        board = s.board
        if not self.known.local:
            return _whole(board), _closed(s)
        kept = _PLACES.of(board)
        if who not in kept:
            reached = sorted(self.rules.reach(board, who).edges)
            kept[who] = tuple([_lies_for(board, coord, who) for coord in reached])
        return kept[who]


def _rights(s: State, who: str) -> tuple[str, ...]:
    """What changes a company's runs beside track: its privates, and what lies under stations."""
    owned = [k for k, p in s.companies.items() if p.owner == who]
    return (*owned, *[t.city for t in s.corporations[who].tokens if t.kind and t.city])


def kinds_in(s: State, trains: Sequence[str]) -> list[str]:
    """The kinds of trains, some by id, others by kind."""
    return [s.trains[t].kind if t in s.trains else t for t in trains]


def _rested(s: State, who: str) -> State:
    """The state before a company's trains have run in this round."""
    tired = [t for t in s.corporations[who].trains if s.trains[t].ran]
    if not tired:
        return s
    new = s.fork()
    new.trains = {**s.trains, **{t: replace(s.trains[t], ran=False) for t in tired}}
    return new


def _lies(board: Board, coord: str) -> tuple[Any, ...]:
    """What lies on a hex."""
    laid = board.tiles.get(coord)
    tile = None if laid is None else (laid.tile.rpartition("-")[0], laid.rotation)
    return coord, tile, board.cities.get(coord), board.markers.get(coord)


def _lies_for(board: Board, coord: str, who: str) -> tuple[object, ...]:
    """The same to a company, to which the tokens of all others are alike."""
    _, tile, cities, markers = _lies(board, coord)
    if not cities:
        return coord, tile, markers
    ours = ["own" if who in slots else "free" if None in slots else "full" for slots in cities]
    return coord, tile, tuple(ours), markers


def _closed(s: State) -> tuple[str, ...]:
    """The companies that are closed where they can be opened again: runs get nothing of them."""
    return tuple([k for k, c in s.corporations.items() if not getattr(c, "open", True)])


def _whole(board: Board) -> object:
    kept = _WHOLE.known(board)
    if kept is None:
        coords = sorted({*board.tiles, *board.cities, *board.markers})
        kept = _WHOLE.keep(board, tuple([_lies(board, c) for c in coords]))
    return kept
