"""Beginnings of games that tests of several things start from."""

from __future__ import annotations

import roundhouse
from roundhouse import Game
from roundhouse.model.actions import Par, Pass


def of_1839() -> Game:
    """A new game of 1839 for four."""
    return roundhouse.new("1839", ["Ada", "Ben", "Cleo", "Dora"], seed=1)


def to_stock(game: Game) -> Game:
    """Pass on until companies can be begun."""
    while not any(isinstance(c.action, Par) for c in game.choices()):
        game.apply(next(c.action for c in game.choices() if isinstance(c.action, Pass)))
    return game
