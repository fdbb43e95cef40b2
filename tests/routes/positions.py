"""Hard positions for the route search, kept small: what routes can depend on, not whole games.

A file holds boards, and to each the questions asked about it: company, trains, and the most they
earn. A board is stored as it differs from a new game of its title: phase, track, tokens and
markers, open mines, owners of privates. ``benchmarks/draw_positions.py`` draws such files.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

import roundhouse
from roundhouse.model.codec import decode_state, encode_state
from roundhouse.model.records import State
from roundhouse.rounds.rules import Rules
from roundhouse.routes.model import RouteModel
from roundhouse.routes.whatif import with_trains

FOLDER = Path(__file__).parent / "hard"
#: What of a corporation or a private routes can depend on.
_FIELDS = ("tokens", "open", "owner", "markers")
#: What the tests solve while the search is worked on, and what is published.
WORKED_ON, PUBLISHED = FOLDER / "worked-on.json", FOLDER / "published.json"


class Position(NamedTuple):
    """A question: ``name`` tells where the board is from; ``best`` is what earns most, proven by
    other means than the search (None: not yet)."""

    name: str
    group: str
    rules: Rules[Any]
    state: State
    who: str
    trains: tuple[str, ...]
    best: int | None

    @property
    def supposed(self) -> State:
        """The state with the trains; nothing is known of the board yet."""
        s = with_trains(self.rules.box, self.state, self.who, self.trains)
        s.board = msgspec.structs.replace(s.board)
        return s

    @property
    def model(self) -> RouteModel:
        """What routes are there."""
        return self.rules.route_model(self.supposed, self.who)


def read(path: Path) -> Iterator[Position]:
    """The positions of a file."""
    for board in json.loads(path.read_text("utf-8")):
        rules, state = rebuilt(board)
        for question in board["questions"]:
            where = f"{board['name']} {question['who']} {' '.join(question['trains'])}"
            trains = tuple(question["trains"])
            args = (rules, state, question["who"], trains, question["best"])
            yield Position(where, board["group"], *args)


def rebuilt(board: dict[str, Any]) -> tuple[Rules[Any], State]:
    """The state of a stored board."""
    game = _fresh(board["title"], tuple(board["options"]))
    plain = json.loads(encode_state(game.state))
    plain["phase"] = board["phase"]
    plain["board"] = board["board"]
    for kind in ("corporations", "companies"):
        for name, fields in board[kind].items():
            plain[kind].setdefault(name, deepcopy(_like(plain[kind], name))).update(fields)
    return game.rules, decode_state(type(game.state), json.dumps(plain).encode())


def stored(game: roundhouse.Game, name: str, group: str) -> dict[str, Any]:
    """The board of a game as a file holds it, without questions."""
    options = tuple(sorted(game.rules.options))
    fresh = json.loads(encode_state(_fresh(game.title.id, options).state))
    plain = json.loads(encode_state(game.state))
    found = {"name": name, "group": group, "title": game.title.id, "options": options}
    found |= {"phase": plain["phase"], "board": plain["board"]}
    for kind in ("corporations", "companies"):
        found[kind] = _differing(plain[kind], fresh[kind])
    return found | {"questions": []}


def _differing(now: dict[str, Any], fresh: dict[str, Any]) -> dict[str, Any]:
    found = {}
    for name, record in now.items():
        before = fresh.get(name, {})
        fields = {f: record[f] for f in _FIELDS if f in record and record[f] != before.get(f)}
        if fields:
            found[name] = fields
    return found


def _like(records: dict[str, Any], name: str) -> dict[str, Any]:
    """A record for a corporation that arises in the course of a game."""
    return {**next(iter(records.values())), "id": name}


def _fresh(title: str, options: tuple[str, ...]) -> roundhouse.Game:
    return roundhouse.new(title, ["Ada", "Ben", "Cleo"], seed=1, options=list(options))
