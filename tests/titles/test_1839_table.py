"""A table for the 1839 tests: games put into the position a rule speaks of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import pytest

import roundhouse
from roundhouse.bank import pay
from roundhouse.board import laying
from roundhouse.model.choices import Choice
from roundhouse.model.errors import IllegalAction
from roundhouse.model.frozen import put
from roundhouse.model.records import BANK, Company
from roundhouse.rounds import machine
from roundhouse.rounds.step import ActionContext
from roundhouse.stock import market, shares
from roundhouse.titles.g1839 import markers
from roundhouse.titles.g1839.state import OperatingRound, State1839, StockRound
from roundhouse.trains import depot

replace = msgspec.structs.replace

PRIVATES = [
    "LVG",
    "SHZ",
    "CO",
    "RWS",
    "SWO",
    "VES",
    "RG",
    "VV",
    "CM",
    "AB",
    "NFW",
    "LS",
    "PTT",
    "MES",
    "JJB",
]


class Table:
    """A game whose state can be arranged; players are ``player:1`` … in card order."""

    def __init__(self, players: int = 3, options: Iterable[str] = (), seed: int = 1) -> None:
        names = ["Ada", "Ben", "Cleo", "Dora", "Emil", "Fay"][:players]
        self.game = roundhouse.new("1839", names, seed=seed, options=options)
        self.rules: Any = self.game.rules

    @property
    def s(self) -> State1839:
        state: Any = self.game.state
        return state

    @contextmanager
    def arrange(self) -> Iterator[State1839]:
        """A fork to write to; afterwards the game goes on from it."""
        s = self.s.fork()
        s.now = ActionContext()
        yield s
        machine.settle(self.rules, s)
        s.now = None
        self.game._state = s.seal()

    # arranging

    def phase(self, name: str) -> None:
        """A phase with the right train on sale."""
        with self.arrange() as s:
            names = list(self.rules.phase_names)
            s.phase = name
            keep = max(0, names.index(name) - 1) + (names.index(name) > 0)
            s.depot = replace(s.depot, piles=s.depot.piles[keep:])

    def cash(self, who: str, amount: int) -> None:
        """Exactly so much money, the bank paying the difference."""
        with self.arrange() as s:
            held = s.players[who].cash if who in s.players else s.corporations[who].cash
            pay(s, BANK, who, amount - held, "test")

    def private(self, company: str, owner: str) -> None:
        with self.arrange() as s:
            s.companies = put(s.companies, company, Company(company, owner, 1))

    def start(self, symbol: str, cell: str, **held: tuple[int, ...]) -> None:
        """A company with a price; ``p1=(0, 1)``: certificates of player 1, ``pool=…``."""
        with self.arrange() as s:
            market.start(self.rules.box.market, s, symbol, cell)
            for who, indexes in held.items():
                holder = "market" if who == "pool" else f"player:{who[1:]}"
                self._hand(s, symbol, holder, indexes)
            c = s.corporations[symbol]
            if c.kind == "public":
                s.corporations = put(s.corporations, symbol, replace(c, floated=True))

    def _hand(self, s: State1839, symbol: str, holder: str, indexes: tuple[int, ...]) -> None:
        ipo = s.corporations[symbol].certs[symbol]
        shares.move(s, symbol, [c for c in ipo if c.index in indexes], symbol, holder)
        if 0 in indexes and s.corporations[symbol].kind == "public":
            shares.set_president(s, symbol, holder)

    def hand(self, symbol: str, who: int, *indexes: int) -> None:
        """Certificates from IPO or charter to a player."""
        with self.arrange() as s:
            self._hand(s, symbol, f"player:{who}", indexes)

    def tile(self, coord: str, tile: str, rotation: int) -> None:
        with self.arrange() as s:
            laying.lay(self.rules.box, s, "x", coord, tile, rotation, 0)
            markers.sync(s)

    def track(self, coord: str, tile: str, *exits: int) -> None:
        """A tile turned so that it has just these exits."""
        mask = sum(1 << e for e in exits)
        kind = self.rules.box.tiles.tiles[tile.rpartition("-")[0]]
        rotation = next(r for r in range(6) if kind.turned(r).exits == mask)
        self.tile(coord, tile, rotation)

    def station(self, who: str, coord: str, city: int = 0, *, exchange: bool = False) -> None:
        """A station in the first free slot; with ``exchange`` a marker under it."""
        with self.arrange() as s:
            slot = laying.slots_at(self.rules.box, s.board, coord)[city].index(None)
            laying.place_token(self.rules.box, s, who, coord, city, slot, 0)
            if exchange:
                markers.place_exchange(s, who, f"{coord}/{city}")

    def train(self, who: str, *trains: str) -> None:
        with self.arrange() as s:
            for train in trains:
                depot.give(s, train, who)

    def connected(self) -> None:
        """Everything joined to a marker now counts as known."""
        with self.arrange() as s:
            markers.use_up(self.rules, s)

    def operate(self, who: str, stage: str = "track", **progress: Any) -> None:
        """``who`` is in a stage of its turn; all floated companies are in the round."""
        with self.arrange() as s:
            order = tuple(self.rules.in_order(s))
            for symbol in order:
                begun = replace(s.corporations[symbol], operated=stage != "home")
                s.corporations = put(s.corporations, symbol, begun)
            at = order.index(who)
            s.round = OperatingRound(order=order, index=at, stage=stage, **progress)

    def abroad(self) -> None:
        """All public companies have operated."""
        with self.arrange() as s:
            order = tuple(self.rules.in_order(s))
            s.round = OperatingRound(order=order, index=len(order) - 1, stage="abroad")

    def stock(self, turn: int = 2, **progress: Any) -> None:
        """The first player's turn of a stock round."""
        with self.arrange() as s:
            s.turn = turn
            s.round = StockRound(player=s.order[0], **progress)

    # playing

    def do(self, entity: int | str, type: str, **fields: Any) -> None:
        self.game.apply(self._action(entity, type, fields))

    def _action(self, entity: int | str, type: str, fields: dict[str, Any]) -> dict[str, Any]:
        kind = "player" if isinstance(entity, int) else "corporation"
        if entity in PRIVATES:
            kind = "company"
        return {"entity": entity, "entity_type": kind, "type": type, **fields}

    def refused(self, entity: int | str, type: str, code: str, **fields: Any) -> None:
        """The action is refused for this reason, and no choice covers it."""
        before = self.s
        with pytest.raises(IllegalAction) as fault:
            self.do(entity, type, **fields)
        assert fault.value.code == code, str(fault.value)
        assert self.s is before

    def offered(self, type: str, **fields: Any) -> list[Choice]:
        """The choices of a type whose usual action has these values."""
        return [
            c
            for c in self.game.choices()
            if c.type == type and all(getattr(c.action, k) == v for k, v in fields.items())
        ]

    def city(self, coord: str, number: int = 0) -> str:
        """The id of a city as in game files."""
        return laying.city_id(self.rules.box, self.s.board, coord, number)

    def player(self, number: int) -> int:
        """A player's cash."""
        return self.s.players[f"player:{number}"].cash

    def company(self, symbol: str) -> int:
        """A company's cash (a foreigner's slot, a country's treasury)."""
        return self.s.corporations[symbol].cash

    def price(self, symbol: str) -> int:
        price: int = self.rules.price(self.s, symbol)
        return price

    def held(self, symbol: str, holder: int | str) -> list[int]:
        """Indexes of the certificates somebody holds."""
        key = f"player:{holder}" if isinstance(holder, int) else holder
        return sorted(c.index for c in self.s.corporations[symbol].certs.get(key, ()))


def past_auction(players: int = 3, options: Iterable[str] = (), seed: int = 1) -> Table:
    """A table whose auction ended with nothing sold and the markets clear."""
    table = Table(players, options, seed)
    for n in range(players):
        table.do(n + 1, "pass")
    return table
