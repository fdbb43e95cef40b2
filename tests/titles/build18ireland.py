"""Positions of 18Ireland built by hand, for the tests of its rules."""

from __future__ import annotations

from typing import Any

import msgspec

import roundhouse
from roundhouse import Game, IllegalAction
from roundhouse.bank import pay
from roundhouse.board import laying
from roundhouse.model.actions import Action, decode_action
from roundhouse.model.frozen import put
from roundhouse.model.records import BANK, MARKET, Depot
from roundhouse.rounds import machine
from roundhouse.rounds.step import ActionContext
from roundhouse.stock import shares
from roundhouse.titles.g18ireland.rules import Rules18Ireland
from roundhouse.titles.g18ireland.starting import home_of, launch, place_home
from roundhouse.titles.g18ireland.state import (
    OperatingRound,
    State18Ireland,
    StockRound,
)
from roundhouse.titles.g18ireland.trains import BuyTrains
from roundhouse.trains import depot

replace = msgspec.structs.replace

P1, P2, P3 = "player:1", "player:2", "player:3"


#: Where majors of these tests are at home.
HOMES = {
    "GSWR": "C13",
    "MGWR": "C13",
    "MRNCC": "I17",
    "DSER": "G19",
    "WLWR": "E21",
    "GNRI": "I9",
}


class Table:
    """A game whose state is arranged before play goes on."""

    def __init__(self, seed: int = 1, players: int = 3, options: tuple[str, ...] = ()) -> None:
        names = [f"P{n}" for n in range(1, players + 1)]
        self.game: Game = roundhouse.new("18Ireland", names, seed=seed, options=options)
        assert isinstance(self.game.rules, Rules18Ireland)
        self.rules: Rules18Ireland = self.game.rules

    @property
    def s(self) -> State18Ireland:
        assert isinstance(self.game.state, State18Ireland)
        return self.game.state

    @property
    def help(self) -> BuyTrains:
        """The train step, asked about the president's help."""
        steps = self.rules.play(self.s).sequence
        return next(p for p in steps if type(p) is BuyTrains)

    # arranging

    def arrange(self) -> State18Ireland:
        """A state that can be written to."""
        s = self.s.fork()
        s.now = ActionContext()
        self.game._state = s
        return s

    def settle(self) -> None:
        machine.settle(self.rules, self.s)

    def lay(self, coord: str, tile: str, rotation: int) -> None:
        s = self.arrange()
        copy = laying.free_copies(self.rules.box, s.board, tile)[0]
        laying.lay(self.rules.box, s, "", coord, copy, rotation, 0)

    def start(
        self,
        symbol: str,
        cell: str,
        president: str,
        cash: int = 0,
        **held: int,
    ) -> None:
        """Start a corporation; ``held``: further ordinary shares by player number or ``pool``."""
        s = self.arrange()
        if symbol not in s.corporations:
            s.corporations = put(s.corporations, symbol, self.rules.unstarted(symbol))
        if symbol in HOMES:
            coord, city = HOMES[symbol], None
            laying.reserve(s, coord, ())
        else:
            coord, city = home_of(s, symbol)
        place_home(self.rules, s, symbol, coord, city or 0)
        launch(self.rules, s, symbol, president, cell)
        pay(s, BANK, symbol, cash, "")
        for name, count in held.items():
            holder = MARKET if name == "pool" else f"player:{name[1:]}"
            own = [c for c in s.corporations[symbol].certs.get(symbol, ()) if c.index]
            shares.move(s, symbol, own[:count], symbol, holder)

    def train(self, symbol: str, kind: str, index: int = 0) -> None:
        s = self.arrange()
        depot.give(s, f"{kind}-{index}", symbol)

    def own(self, company: str, owner: str) -> None:
        s = self.arrange()
        if company not in s.companies:
            uses = self.rules.powers[company].free_terrain or 1
            new = roundhouse.model.records.Company(company, None, uses)
            s.companies = put(s.companies, company, new)
        self.rules.give_company(s, company, owner)

    def cash(self, who: str, amount: int) -> None:
        s = self.arrange()
        held = (s.players.get(who) or s.corporations[who]).cash
        pay(s, BANK, who, amount - held, "")

    def phase(self, name: str, trains: Depot | None = None) -> None:
        s = self.arrange()
        s.phase = name
        if trains is not None:
            s.depot = trains

    def operate(self, who: str, stage: str, **fields: Any) -> None:
        """The operating turn of a corporation, at a stage of it."""
        s = self.arrange()
        order = tuple(self.rules.in_order(s))
        s.round = OperatingRound(order=order, index=order.index(who), stage=stage, **fields)
        self.settle()

    def stock_round(self, player: str, turn: int = 2) -> None:
        s = self.arrange()
        s.turn = turn
        s.round = StockRound(player=player)
        self.settle()

    # playing

    def do(self, who: str, kind: str, /, **fields: Any) -> None:
        """A legal action, which one of the choices covers."""
        action = self._action(who, kind, fields)
        assert self._covered(action), f"no choice covers {action}"
        self.game.apply(action)

    def record(self, who: str, kind: str, /, **fields: Any) -> None:
        """As from a file: nothing is added to the action, and practice's leniencies hold."""
        self.game.apply(self._action(who, kind, fields), recorded=True)

    def refused(self, who: str, kind: str, /, **fields: Any) -> str:
        """The code of the refusal of an action no choice covers."""
        action = self._action(who, kind, fields)
        fault = self.game.why_not(action)
        assert isinstance(fault, IllegalAction)
        assert not self._covered(action), f"refused, but a choice covers {action}"
        return fault.code

    def _covered(self, action: dict[str, Any]) -> bool:
        typed = decode_action(action)
        return any(choice.covers(typed) for choice in self.game.choices())

    def _action(self, who: str, kind: str, fields: dict[str, Any]) -> dict[str, Any]:
        if who.startswith("P"):
            entity: dict[str, Any] = {"entity": int(who[1:]), "entity_type": "player"}
        elif who in self.s.corporations:
            entity = {"entity": who, "entity_type": "corporation"}
        else:
            entity = {"entity": who, "entity_type": "company"}
        return {"type": kind, **entity, **fields}

    def offered(self, kind: str) -> list[Action]:
        """The actions of a type that are choices now."""
        choices = [c for c in self.game.choices() if c.type == kind]
        return [a for c in choices for a in c.actions()]
