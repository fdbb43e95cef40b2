"""What the arrays of an observation hold: which rows, which columns, in which order.

A layout is fixed by the rules of a game, that is by title, options and number of players. All
arrays are ``int32`` and hold numbers as players say them: money in units of currency, shares in
percent. Indices of things count from 1, in the order of the layout's lists; 0 is none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..model.records import MARKET, State
from ..rounds.rules import Rules

Array = npt.NDArray[np.int32]

COLORS = ("white", "yellow", "green", "brown", "gray", "red", "blue")


class Table(NamedTuple):
    """One array: what its rows are and what stands in its columns, each with its meaning."""

    rows: str
    size: int
    columns: Mapping[str, str]

    @property
    def shape(self) -> tuple[int, int]:
        return self.size, len(self.columns)


NOW = {
    "turn": "number of the stock round and its operating rounds",
    "number": "number of the round within its set",
    "set_size": "operating rounds in the present set",
    "round": "kind of round",
    "step": "step that waits",
    "phase": "phase",
    "bank": "money in the bank",
    "loans_left": "loans that can still be taken",
    "actor_player": "player who decides: his row in `players`",
    "actor_corporation": "corporation that acts: its row in `corporations`",
    "actor_company": "private company that acts",
    "finished": "1: the game is over",
}
PLAYERS = {
    "cash": "money",
    "worth": "what he would score now",
    "bound": "money his standing bids bind",
    "certificates": "certificates that count toward the limit",
    "limit": "certificate limit",
    "place": "place in the present order",
    "decides": "1: he decides for somebody who is waited for",
    "companies": "private companies",
    "presidencies": "corporations he presides",
    "bankrupt": "1: bankrupt",
}
CORPORATIONS = {
    "exists": "1: it is in the game",
    "kind": "kind of company",
    "president": "its president: his row in `players`",
    "cash": "treasury",
    "price": "share price",
    "row": "row of the market",
    "column": "column of the market",
    "place": "place in the stack of its price",
    "par": "price it was started at",
    "shares": "shares it is divided into",
    "floated": "1: floated",
    "operated": "1: has operated",
    "loans": "loans",
    "trains": "trains",
    "limit": "train limit",
    "placed": "station tokens on the map",
    "unplaced": "station tokens left",
    "companies": "private companies it owns",
    "acting": "1: it is waited for",
}
COMPANIES = {
    "player": "owner, if a player: his row in `players`",
    "corporation": "owner, if a corporation: its row in `corporations`",
    "closed": "1: closed",
    "value": "face value",
    "revenue": "what it pays an operating round",
    "uses": "uses left of its power",
}
DEPOT = {
    "left": "trains left in the pile, -1: unlimited",
    "market": "trains in the open market",
    "price": "price of the bank",
    "next": "1: first kind in the depot now",
}
HEXES = {
    "tile": "tile that lies here, 0: as printed",
    "rotation": "sixths it is turned clockwise",
    "color": "1 white, 2 yellow, 3 green, 4 brown, 5 gray, 6 red, 7 blue",
    **{f"exit_{n}": f"1: track leads over edge {n}" for n in range(6)},
    "cities": "cities",
    "towns": "other stops",
    "revenue": "what its best stop pays in this phase",
    "slots": "slots of its cities",
    "free": "empty slots",
    "own": "tokens of corporations the observer presides",
    "others": "tokens of all others",
    "reserved": "places kept for companies",
    "markers": "markers",
    "cost": "cost of terrain",
}


_LISTS = ("hexes", "tiles", "companies", "trains", "phases", "rounds", "steps", "kinds")


class Layout:
    """The arrays of the observations of one game's rules; see the module's text.

    ``hexes``, ``tiles``, ``trains``, ``companies``, ``phases``, ``rounds``, ``steps``, ``kinds``
    are the lists that indices count; ``corporations`` those of the box and of the start, then rows
    for such as come into being later, in the order they do.
    """

    def __init__(self, rules: Rules[State], start: State) -> None:
        box = rules.box
        self.rules = rules
        self.seats = rules.seats
        self.hexes = tuple(box.map.hexes)
        self.tiles = tuple(box.tiles.counts)
        self.companies = tuple(dict.fromkeys((*box.companies, *start.companies)))
        self.trains = _train_kinds(rules, start)
        self.phases = tuple(box.phases)
        self.rounds = tuple(play.name for play in rules.rounds.values())
        steps = (s.name for play in rules.rounds.values() for s in play.sequence)
        self.steps = tuple(dict.fromkeys(steps))
        self.corporations = tuple(dict.fromkeys((*box.corporations, *start.corporations)))
        self.room = len(self.corporations) + len(self.corporations) // 2
        kinds = {c.kind for c in box.corporations.values()}
        self.kinds = tuple(sorted(kinds | {c.kind for c in start.corporations.values()}))
        self.number = {
            name: {one: n for n, one in enumerate(getattr(self, name), start=1)}
            for name in (
                "hexes",
                "tiles",
                "companies",
                "trains",
                "phases",
                "rounds",
                "steps",
                "kinds",
            )
        }
        self.tables = self._tables()

    def _tables(self) -> dict[str, Table]:
        held = {f"player_{n}": f"percent held by row {n} of `players`" for n in range(self.seats)}
        held |= {"own": "percent in its own hands", MARKET: "percent in the market"}
        held |= {"elsewhere": "percent anywhere else"}
        by_kind = {kind: f"trains of type {kind}" for kind in self.trains} | {
            "other": "trains of other types, such as parts of trains"
        }
        on_hex = {coord: f"its tokens on {coord}" for coord in self.hexes}
        return {
            "now": Table("the moment", 1, NOW),
            "players": Table("a player each, the observer first, then around", self.seats, PLAYERS),
            "corporations": Table("a corporation each", self.room, CORPORATIONS),
            "holdings": Table("a corporation each", self.room, held),
            "fleet": Table("a corporation each", self.room, by_kind),
            "stations": Table("a corporation each", self.room, on_hex),
            "companies": Table("a private company each", len(self.companies), COMPANIES),
            "depot": Table("a type of train each", len(self.trains), DEPOT),
            "hexes": Table("a hex each", len(self.hexes), HEXES),
        }

    @property
    def shapes(self) -> dict[str, tuple[int, int]]:
        """The shape of each array."""
        return {name: table.shape for name, table in self.tables.items() if table.shape[0]}

    @property
    def size(self) -> int:
        """How many numbers an observation holds."""
        return sum(rows * columns for rows, columns in self.shapes.values())

    def flat(self, observation: Mapping[str, Array]) -> npt.NDArray[np.float32]:
        """All arrays one after the other, :func:`squeezed`: small numbers stay apart, and
        money does not drown them."""
        whole = np.concatenate([observation[name].ravel() for name in self.shapes])
        return squeezed(whole)

    # corporations, which may come into being

    def rows(self, s: State) -> dict[str, int]:
        """The row of each corporation that has one, from 0."""
        known = dict.fromkeys((*self.corporations, *s.corporations))
        return {name: n for n, name in enumerate(known) if n < self.room}

    # the board as a graph and as planes

    @cached_property
    def neighbors(self) -> Array:
        """(hexes, 6): over each edge the index of the neighbouring hex, 0: none."""
        map_, number = self.rules.box.map, self.number["hexes"]
        around = [[map_.neighbors[c].get(e, "") for e in range(6)] for c in self.hexes]
        return np.array([[number.get(c, 0) for c in row] for row in around], np.int32)

    @cached_property
    def cells(self) -> Array:
        """(hexes, 2): the row and column of each hex in planes. Rows run along the straight lines
        of hexes; every second one is shifted by half a hex."""
        map_ = self.rules.box.map
        at = np.array([map_.positions[c] for c in self.hexes], np.int32)
        at = at[:, ::-1] if map_.layout == "pointy" else at
        at = at - at.min(axis=0)
        return np.stack([at[:, 0], at[:, 1] // 2], axis=1)

    def planes(self, hexes: Array) -> Array:
        """The array ``hexes`` as planes (columns, rows, places), the first one telling where there
        are hexes."""
        height, width = self.cells.max(axis=0) + 1
        planes = np.zeros((1 + hexes.shape[1], height, width), np.int32)
        rows, places = self.cells.T
        planes[0, rows, places] = 1
        planes[1:, rows, places] = hexes.T
        return planes

    def text(self) -> str:
        """The layout in Markdown."""
        lines: list[str] = []
        for name, table in self.tables.items():
            lines += [f"**`{name}`** {table.shape}: {table.rows}", ""]
            if len(table.columns) < 40 and name != "fleet":
                lines += [f"{n}. `{c}`: {m}" for n, (c, m) in enumerate(table.columns.items())]
                lines.append("")
        return "\n".join(lines)


def squeezed(numbers: Array) -> npt.NDArray[np.float32]:
    """Each number n as sign(n) · log(1 + |n|)."""
    whole = numbers.astype(np.float32)
    made: npt.NDArray[np.float32] = np.sign(whole) * np.log1p(np.abs(whole))
    return made


def _train_kinds(rules: Rules[State], start: State) -> tuple[str, ...]:
    piles: Sequence[Any] = start.depot.piles
    kinds = (*rules.box.trains, *(p.kind for p in piles), *(t.kind for t in start.trains.values()))
    return tuple(dict.fromkeys(kinds))
