"""Whose turn it is, and what he may do: a numbered list, with a row of numbers for each action."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any
from zlib import crc32

import numpy as np

from ..board.laying import parse_city
from ..game import Game
from ..model.actions import Action, AnyAction
from ..model.choices import Choice, Span
from ..model.records import State
from ..model.space import Space
from .layout import Array, Layout

#: The columns of the array ``actions``, one row an action; indices count from 1, 0 is none.
COLUMNS: Mapping[str, str] = {
    "kind": "type of action, in the order of `env.KINDS`",
    "player": "who acts, if a player: his row in `players`",
    "actor": "who acts, if a corporation: its row in `corporations`",
    "corporation": "corporation it is about",
    "company": "private company it is about",
    "hex": "hex it is about",
    "tile": "tile",
    "rotation": "sixths the tile is turned clockwise",
    "slot": "city of the hex, from 1",
    "train": "type of train",
    "seller": "owner of the train, if a corporation: its row in `corporations`",
    "shares": "number of certificates",
    "price": "amount",
    "low": "least amount of the same choice",
    "high": "highest amount of the same choice",
    "word": "answer to a question: itself if a number, else a number made of its letters, 1 to 999",
}
_AT = {name: n for n, name in enumerate(COLUMNS)}

#: The types of actions, in the order their numbers count from 1.
KINDS: tuple[str, ...] = tuple(
    str(kind.__struct_config__.tag) for kind in AnyAction.__args__ if kind.__struct_config__.tag
)
_NUMBER = {kind: n for n, kind in enumerate(KINDS, start=1)}


def decider(game: Game) -> str | None:
    """The key of the player who decides now; None: the game is over. Where nobody presides, the
    first in the present order does it."""
    rules, s = game.rules, game.state
    for actor in s.acting:
        player = rules.president(s, actor)
        if player is not None:
            return player
    return next(iter(rules.alive(s)), None) if s.acting else None


class Candidates:
    """What the player who decides now may do, at most ``capacity`` actions of it.

    Ranges of amounts are listed by ``amounts`` values each. Should there be more actions than
    there is room, ranges are thinned further; then choices are left out, evenly within the list,
    and ``left_out`` tells how many.
    """

    def __init__(self, game: Game, *, amounts: int | None = 8, capacity: int = 1024) -> None:
        self.game = game
        self.player = decider(game)
        own = [c for c in game.choices() if self._is_his(c)]
        self.space, self.left_out = _fitting(own or game.choices(), amounts, capacity)

    def _is_his(self, choice: Choice) -> bool:
        rules, s = self.game.rules, self.game.state
        return rules.president(s, choice.actor) in (self.player, None)

    def __len__(self) -> int:
        return len(self.space)

    def __getitem__(self, number: int) -> Action:
        return self.space[number]

    def near(self, action: Action) -> int:
        """The number of the candidate next to a legal action. Raises :class:`IllegalAction`."""
        return self.space.near(action)

    def rows(self, layout: Layout, seat: int) -> Array:
        """A row of numbers for each candidate (:data:`COLUMNS`), seen from a seat."""
        write = _Writer(layout, self.game.state, seat)
        parts = [
            write.of_choice(choice, self.space.domains[n])
            for n, choice in enumerate(self.space.choices)
        ]
        return np.concatenate(parts) if parts else np.zeros((0, len(COLUMNS)), np.int32)


def _fitting(choices: list[Choice], amounts: int | None, capacity: int) -> tuple[Space, int]:
    """The finest space of choices that has room."""
    left_out = max(0, len(choices) - capacity)
    if left_out:
        step = len(choices) / capacity
        choices = [choices[int(n * step)] for n in range(capacity)]
    space = Space(choices, amounts)
    while len(space) > capacity and space.amounts != 1:
        space = Space(choices, max(1, (space.amounts or capacity) // 2))
    while len(space) > capacity:  # fields that list several values without being amounts
        choices = choices[: len(choices) * capacity // len(space)]
        left_out += len(space.choices) - len(choices)
        space = Space(choices, 1)
    return space, left_out


class _Writer:
    """Actions of one state as rows of numbers."""

    def __init__(self, layout: Layout, s: State, seat: int) -> None:
        self.layout, self.number, self.s = layout, layout.number, s
        self.corporations = layout.rows(s)
        keys = list(s.players)
        self.players = {k: n for n, k in enumerate(keys[seat:] + keys[:seat], start=1)}

    def of_choice(self, choice: Choice, domains: Mapping[str, Any]) -> Array:
        """The rows of all actions of a choice, as its space lists them."""
        values = {name: list(d.values()) for name, d in domains.items() if d.size() > 1}
        count = int(np.prod([len(v) for v in values.values()])) if values else 1
        rows = np.repeat(self.row(choice.action)[None], count, axis=0)
        after = count
        for name, listed in values.items():
            after //= len(listed)
            column = _AT["word" if name == "choice" else name] if name in _AMOUNTS else None
            if column is not None:
                repeats = count // (after * len(listed))
                rows[:, column] = np.tile(np.repeat(np.array(listed, np.int32), after), repeats)
        spans = [d for d in choice.domains.values() if isinstance(d, Span)]
        if spans:
            rows[:, _AT["low"]] = spans[0].amounts[0]
            rows[:, _AT["high"]] = spans[0].amounts[-1]
        return rows

    def row(self, a: Action) -> Array:
        """The row of one action, as its template stands."""
        row = np.zeros(len(COLUMNS), np.int32)
        row[_AT["kind"]] = _NUMBER.get(a.type, 0)
        row[_AT["player"]] = self.players.get(a.actor, 0)
        row[_AT["actor"]] = self.corporations.get(a.actor, -1) + 1
        for name in _told(type(a)):
            value = getattr(a, name)
            if value is not None:
                self._write(row, name, value)
        return row

    def _write(self, row: Array, name: str, value: Any) -> None:
        match name:
            case "corporation" | "minor" | "target":
                row[_AT["corporation"]] = self.corporations.get(value, -1) + 1
                row[_AT["company"]] = self.number["companies"].get(value, row[_AT["company"]])
                row[_AT["hex"]] = self.number["hexes"].get(value, row[_AT["hex"]])
            case "company":
                row[_AT["company"]] = self.number["companies"].get(value, 0)
            case "hex":
                row[_AT["hex"]] = self.number["hexes"].get(value, 0)
            case "tile":
                row[_AT["tile"]] = self.number["tiles"].get(value.rpartition("-")[0], 0)
            case "rotation" | "price" | "cost":
                row[_AT["price" if name == "cost" else name]] = value
            case "city":
                self._city(row, value)
            case "train":
                self._train(row, value)
            case "shares":
                row[_AT["shares"]] = len(value)
                symbol = value[0].rpartition("_")[0] if value else ""
                row[_AT["corporation"]] = self.corporations.get(symbol, -1) + 1
            case "share_price" if isinstance(value, str):
                row[_AT["price"]] = _first_number(value)
            case "choice" | "kind" | "description" | "variant":
                row[_AT["word"]] = (
                    value if isinstance(value, int) else 1 + crc32(value.encode()) % 999
                )

    def _city(self, row: Array, city: str) -> None:
        where = parse_city(self.layout.rules.box, self.s.board, city)
        if where is not None:
            row[_AT["hex"]] = self.number["hexes"][where[0]]
            row[_AT["slot"]] = where[1] + 1

    def _train(self, row: Array, train: str) -> None:
        record = self.s.trains.get(train)
        kind = record.kind if record is not None else train.rpartition("-")[0]
        row[_AT["train"]] = self.number["trains"].get(kind, 0)
        row[_AT["seller"]] = self.corporations.get(record.owner, -1) + 1 if record else 0


_AMOUNTS = frozenset({"price", "choice"})


def _word(value: int | str) -> int:
    return value if isinstance(value, int) else 1 + crc32(value.encode()) % 999


def _first_number(text: str) -> int:
    digits = text.split(",", 1)[0]
    return int(digits) if digits.isdecimal() else 0


@cache
def _told(kind: type[Action]) -> tuple[str, ...]:
    """The fields of a type of action that make a row."""
    about = frozenset(Action.__struct_fields__)
    return tuple(f for f in kind.__struct_fields__ if f not in about)
