"""Positions of 1828 made by hand, for the scenarios of its rules text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

import roundhouse
from roundhouse import Game
from roundhouse.history import History
from roundhouse.model.frozen import put
from roundhouse.model.records import Company
from roundhouse.rounds import machine
from roundhouse.rounds.step import ActionContext
from roundhouse.stock import market
from roundhouse.titles.g1828.rules import Rules1828
from roundhouse.titles.g1828.state import Charter, OperatingRound, State1828, StockRound

replace = msgspec.structs.replace

P1, P2, P3 = "player:1", "player:2", "player:3"
POOL = "market"


class Table:
    """A game whose state is set up piece by piece; :meth:`game` then lets it be played on."""

    def __init__(self, players: int = 3, *, turn: int = 2, options: Sequence[str] = ()) -> None:
        names = ["Ada", "Ben", "Cleo", "Dora", "Emil"][:players]
        self._game = roundhouse.new("1828", names, seed=1, options=options)
        self.rules: Rules1828 = self._game.rules
        self.s: State1828 = self._game.state.fork()
        self.s.now = ActionContext()
        self.s.turn = turn
        closed = {c.id: Company(c.id, "closed") for c in self.s.companies.values()}
        self.s.companies = closed

    def cash(self, **amounts: int) -> None:
        """``p1=…``; for corporations use :meth:`charter`."""
        for name, amount in amounts.items():
            key = f"player:{name[1:]}"
            self.s.players = put(self.s.players, key, replace(self.s.players[key], cash=amount))

    def own(self, owner: str, *companies: str) -> None:
        """Give somebody private companies, with their powers unused."""
        for company in companies:
            self.s.companies = put(self.s.companies, company, Company(company, owner, 1))

    def start(
        self,
        symbol: str,
        cell: str,
        president: str,
        held: Mapping[str, Sequence[int]],
        **fields: Any,
    ) -> None:
        """A corporation with a price; ``held`` are certificate indexes by holder, the rest stays
        with the corporation. Floated and operated unless said otherwise."""
        charter = self.s.corporations[symbol]
        certs = {c.index: c for c in charter.certs[symbol]}
        spread = {h: tuple(certs.pop(i) for i in indexes) for h, indexes in held.items()}
        spread[symbol] = tuple(certs.values())
        known = {"floated": True, "operated": True, "par": int(cell.partition(",")[0])} | fields
        charter = replace(
            charter, president=president, certs={h: c for h, c in spread.items() if c}, **known
        )
        self.s.corporations = put(self.s.corporations, symbol, charter)
        market.place(self.s, symbol, cell, "set up")

    def stock_round(self, player: str, order: Sequence[str] = (), **fields: Any) -> None:
        """It is a player's turn in a stock round."""
        self.s.order = tuple(order) or self.s.order
        self.s.round = StockRound(player=player, **fields)

    def operating(self, who: str, stage: str, *later: str, **fields: Any) -> None:
        """It is a corporation's turn."""
        self.s.round = OperatingRound(order=(who, *later), index=0, stage=stage, **fields)

    def game(self) -> Game:
        """The position as a game that goes on."""
        machine.settle(self.rules, self.s)
        self.s.now = None
        self._game._state = self.s.seal()
        self._game._past = History(self.s)
        return self._game


def charter(game: Game, symbol: str) -> Charter:
    """A corporation as it is now."""
    found: Charter = game.state.corporations[symbol]
    return found


def indexes(game: Game, symbol: str, holder: str) -> list[int]:
    """The certificates of a holder in their order."""
    return [c.index for c in charter(game, symbol).certs.get(holder, ())]


def money(game: Game, who: str) -> int:
    """Cash of a player or corporation."""
    if who in game.state.players:
        return int(game.state.players[who].cash)
    return charter(game, who).cash


def player(number: int, type: str, **fields: Any) -> dict[str, Any]:
    """An action of a player."""
    return {"type": type, "entity": number, "entity_type": "player", **fields}


def corporation(symbol: str, type: str, **fields: Any) -> dict[str, Any]:
    """An action of a corporation or system."""
    kind = "system" if "-" in symbol else "corporation"
    return {"type": type, "entity": symbol, "entity_type": kind, **fields}


def types(game: Game) -> set[str]:
    """Types of what may be done."""
    return {c.type for c in game.choices()}
