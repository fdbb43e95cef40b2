"""States in which certificates that are equal to the rules are not told apart."""

from __future__ import annotations

from collections import Counter
from typing import Any

from roundhouse import Game
from roundhouse.model.records import State
from roundhouse.trace import describe


def unnamed(game: Game, s: State) -> dict[str, Any]:
    """The state as a trace tells it, its certificates only counted by kind."""
    told = describe(game.rules, s)
    for player in told["players"].values():
        player["shares"] = {c: _kinds(held) for c, held in player["shares"].items()}
    for body in told["corporations"].values():
        if "treasury" in body:
            body["treasury"] = _kinds(body["treasury"])
    told["market"] = {c: _kinds(held) for c, held in told["market"].items()}
    return told


def _kinds(certificates: list[list[int]]) -> Counter[tuple[int, bool]]:
    return Counter((percent, index == 0) for index, percent in certificates)
