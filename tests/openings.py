"""Beginnings of games that tests of several things start from."""

from __future__ import annotations

from msgspec.structs import replace

import roundhouse
from roundhouse import Game, bots
from roundhouse.bots.view import View
from roundhouse.model.actions import Par, Pass
from roundhouse.model.records import Cert


def of_1839() -> Game:
    """A new game of 1839 for four."""
    return roundhouse.new("1839", ["Ada", "Ben", "Cleo", "Dora"], seed=1)


def to_stock(game: Game) -> Game:
    """Pass on until companies can be begun."""
    while not any(isinstance(c.action, Par) for c in game.choices()):
        game.apply(next(c.action for c in game.choices() if isinstance(c.action, Pass)))
    return game


def mining_company(game: Game, cash: int, *, connected: bool) -> tuple[View, str]:
    """A position of 1873 in which a public mining company has two mines without equipment and some
    money, as its president sees it."""
    s = game.state.fork()
    mines = {k: replace(s.corporations[k], connected=connected, owner="MO") for k in ("13", "15")}
    company = replace(
        s.corporations["MO"], cell="280,0,17", floated=True, shares=2, cash=cash,
        certs={"player:1": (Cert(0, 50), Cert(1, 50))}, president="player:1", mines=tuple(mines),
    )  # fmt: skip
    s.corporations = {**s.corporations, **mines, "MO": company}
    s.phase, s.depot = "2", replace(s.depot, piles=s.depot.piles[1:])
    return View(bots.Magnate("quick").mind(game), s, "player:1"), "MO"
