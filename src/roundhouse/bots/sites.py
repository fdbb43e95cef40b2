"""Places: what stops are worth, and what track leads to them or may."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from ..board import network
from ..board.derived import DerivedTable
from ..board.tiles import COLORS, NodeDef
from ..model.records import Board, State
from ..rounds.rules import Rules
from ..trains import depot
from .aside import towns
from .ways import Ways

#: What the stops a company may reach are worth, by company and phase.
_POTENTIAL: DerivedTable[object, float] = DerivedTable("potential")

#: What a stop nobody has built at will at least be worth.
_LEAST = {"city": 20, "town": 10}
#: What distance leaves of a stop's worth: each tile that must be laid to get there; and each hex
#: from where a company may begin, up to so many.
_FADING = 0.8
#: What each further stop counts against the better ones.
_FURTHER = 0.95
_FADING_AROUND, _AROUND = 0.65, 3
#: How often a town counts that adds to stops: to each it is joined to, on each run; and what each
#: tile to it leaves of that: few of those that may be laid are.
_SEVERAL, _ASIDE = 6.0, 0.3
#: What each hex side leaves of a stop's worth beyond those the company's trains may cross.
_BEYOND = 0.5


class Sites:
    """What places of a title's map are worth to a company."""

    def __init__(self, rules: Rules[Any], aside: str = "", sides: bool = False) -> None:
        """``aside``: the gauge of track that adds its towns to the stops it meets, if any does;
        ``sides``: whether trains are measured in the hex sides they may cross."""
        self.rules, self.sides = rules, sides
        self.box = rules.box
        self.ways = Ways(rules)
        self.aside = Ways(rules, aside) if aside else None
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
            kept = [(c, _FADING_AROUND**d) for c, d in around if d <= _AROUND]
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

    def potential(self, s: State, board: Board, who: str) -> float:
        """What the stops a company reaches, or may reach by some tiles, are worth together."""
        kept = _POTENTIAL.of(board)
        most = self._most(s, who) if self.sides else None
        key = (who, s.phase, self.aside is not None, most)
        if key not in kept:
            away, left = self.ways.away(s, board, who), self._left(board, who, most)
            worth = [_FADING**n * self.value(s, board, c) * left(c) for c, n in away.items()]
            best = sorted(worth, reverse=True)
            kept[key] = sum([w * _FURTHER**n for n, w in enumerate(best)])
            kept[key] += self._along(s, board, who)
        return kept[key]

    def _most(self, s: State, who: str) -> int:
        """Hex sides the farthest train of a company crosses, or one it may buy."""
        kinds = [s.trains[t].kind for t in s.corporations[who].trains]
        top = depot.top(s)
        kinds += [top.kind] if top is not None else []
        reaches = [self.box.trains[k].distance for k in kinds]
        return max([n for n in reaches if isinstance(n, int)], default=0)

    def _left(self, board: Board, who: str, most: int | None) -> Callable[[str], float]:
        """What is left of a hex by how far it is from a company's stations, whose trains cross so
        many hex sides at most; all, where they are not measured in these."""
        if most is None:
            return lambda _: 1.0
        at = [c for c, cities in board.cities.items() if any(who in slots for slots in cities)]
        far = self.box.map.distance
        return lambda coord: _BEYOND ** max(0, min([far(a, coord) for a in at], default=0) - most)

    def _along(self, s: State, board: Board, who: str) -> float:
        """What the towns are worth that other track adds to the stops a company reaches, or may by
        some tiles."""
        if self.aside is None:
            return 0.0
        found = towns(self.aside, s, board, who).items()
        return _SEVERAL * sum([_ASIDE**n * self.value(s, board, c) for c, n in found])

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
