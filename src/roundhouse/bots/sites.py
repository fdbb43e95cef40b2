"""Places: what stops are worth, and what track leads to them or may."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ..board import network
from ..board.derived import DerivedTable
from ..board.network import Reach
from ..board.tiles import COLORS, NodeDef
from ..model.records import Board, State
from ..rounds.rules import Rules

#: What the best stops a company reaches are worth, by company, how many stops, and phase.
_POTENTIAL: DerivedTable[object, float] = DerivedTable("potential")

#: What a stop nobody has built at will at least be worth.
_LEAST = {"city": 20, "town": 10}
#: What distance leaves of a stop's worth, a hex.
_FADING = 0.65
#: What each further stop counts against the better ones.
_FURTHER = 0.9
#: Hexes a stop is looked for around.
_AROUND = 3


class Sites:
    """What places of a title's map are worth to a company."""

    def __init__(self, rules: Rules[Any]) -> None:
        self.rules = rules
        self.box = rules.box
        self._near: dict[str, tuple[tuple[str, float], ...]] = {}

    @cached_property
    def stops(self) -> tuple[str, ...]:
        """Hexes with a stop, as printed; one that is built later is one, too."""
        printed = self.box.map.printed
        return tuple([c for c, face in printed.items() if face.tile.stops])

    def near(self, coord: str) -> tuple[tuple[str, float], ...]:
        """The stops around a hex, each with what the distance leaves of it."""
        known = self._near.get(coord)
        if known is None:
            far = self.box.map.distance
            around = [(c, far(coord, c)) for c in self.stops]
            kept = [(c, _FADING**d) for c, d in around if d <= _AROUND]
            known = self._near[coord] = tuple(kept)
        return known

    def value(self, s: State, board: Board, coord: str) -> int:
        """What the best stop of a hex pays now, or will when it is built."""
        face = network.faces(self.box.map, self.box.tiles, board)[coord]
        nodes = [face.tile.nodes[n] for n in face.tile.stops]
        return max((self._pays(s, n) for n in nodes), default=0)

    def _pays(self, s: State, node: NodeDef) -> int:
        pays = node.revenue
        if not isinstance(pays, int):
            colors = self.box.phases[s.phase].tiles
            open_now = [c for c in COLORS if c in colors and c in pays]
            pays = pays[open_now[-1]] if open_now else max(pays.values(), default=0)
        return max(pays, _LEAST.get(node.kind, 0))

    def opens(self, s: State, coord: str) -> bool:
        """Whether track leads out of a hex, or a tile of today's colours would lead out of it: the
        first tile of some cities comes in a later phase."""
        face = network.faces(self.box.map, self.box.tiles, s.board)[coord]
        if face.exits:
            return True
        colors = self.box.phases[s.phase].tiles
        return any(f.tile.color in colors for f in self.rules.upgrades.upgrades(s.board, coord))

    def potential(self, s: State, board: Board, who: str, stops: int = 12) -> float:
        """What the best stops a company reaches, or nearly reaches, are worth together."""
        reach = self.rules.reach(board, who)
        kept = _POTENTIAL.of(board)
        key = (who, stops, s.phase)
        if key not in kept:
            kept[key] = self._potential(s, board, reach, stops)
        return kept[key]

    def _potential(self, s: State, board: Board, reach: Reach, stops: int) -> float:
        part: dict[str, float] = {coord: 1.0 for coord, _ in reach.nodes}
        for coord in reach.edges:
            for stop, left in self.near(coord):
                left *= _FADING
                if left > part.get(stop, 0.0):
                    part[stop] = left
        worth = sorted((w * self.value(s, board, c) for c, w in part.items()), reverse=True)
        return sum([w * _FURTHER**n for n, w in enumerate(worth[:stops])])

    def site(self, s: State, coord: str) -> float:
        """What a hex is worth to begin at: its own stop and those around it, less where others
        are already."""
        board = s.board
        worth = [1.0 * self.value(s, board, coord)]
        taken = 0
        for stop, left in self.near(coord):
            if stop != coord:
                worth.append(left * 1.6 * self.value(s, board, stop))
                taken += sum(1 for city in board.cities.get(stop, ()) for x in city if x)
        worth[1:] = sorted(worth[1:], reverse=True)[:4]
        return sum(worth) - 2.0 * taken
