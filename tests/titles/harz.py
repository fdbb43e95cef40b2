"""Positions of 1873 for its tests: a game driven by short commands, and states set up by hand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
import pytest

from roundhouse.board import laying
from roundhouse.model.actions import decode_action
from roundhouse.model.errors import IllegalAction
from roundhouse.model.frozen import put
from roundhouse.model.records import MARKET, Train, set_corporation
from roundhouse.rounds import machine
from roundhouse.rounds.rules import Seat
from roundhouse.rounds.step import ActionContext
from roundhouse.stock import market, shares
from roundhouse.titles.g1873 import TITLE, fleet
from roundhouse.titles.g1873.companies import convert
from roundhouse.titles.g1873.insolvency import insolvency
from roundhouse.titles.g1873.rules import Rules1873
from roundhouse.titles.g1873.state import OperatingRound, State1873, StockRound, charter_of

replace = msgspec.structs.replace


class Table:
    """A game of 1873 with players 1, 2, 3…; ``s`` is the present state.

    Methods in the imperative act as players do; the others set the position up by hand.
    """

    def __init__(self, seats: int = 3, options: Iterable[str] = ()) -> None:
        chosen = TITLE.select(options)
        self.rules: Rules1873 = TITLE.rules(chosen, seats)  # type: ignore[assignment]
        players = [Seat(n + 1, f"Player {n + 1}") for n in range(seats)]
        self.s: State1873 = machine.begin(self.rules, players, 0)

    # acting

    def act(self, entity: Any, kind: str, /, **fields: Any) -> None:
        """One action: ``entity`` is a player's number, or the id of a mine or company."""
        self.s = machine.apply(self.rules, self.s, self.action(entity, kind, **fields))
        assert self.rules.faults(self.s) == []

    def action(self, entity: Any, kind: str, /, **fields: Any) -> Any:
        """An action in the form of game files."""
        who = "player"
        if isinstance(entity, str):
            who = "minor" if entity in self.rules.mines else "corporation"
        return decode_action({"type": kind, "entity": entity, "entity_type": who, **fields})

    def refused(self, entity: Any, kind: str, /, **fields: Any) -> IllegalAction:
        """The refusal of an action; no choice may cover it either."""
        action = self.action(entity, kind, **fields)
        with pytest.raises(IllegalAction) as caught:
            machine.apply(self.rules, self.s, action)
        assert not any(c.covers(action) for c in machine.choices(self.rules, self.s))
        return caught.value

    def may(self) -> set[str]:
        """Kinds of action possible now."""
        return {c.type for c in machine.choices(self.rules, self.s)} - {"destination_connection"}

    def offers(self, kind: str) -> list[Any]:
        """The usual action of every choice of a kind."""
        return [c.action for c in machine.choices(self.rules, self.s) if c.type == kind]

    def pass_until(self, step: str, who: str = "") -> None:
        """Let everybody pass until a step waits (for ``who``)."""
        for _ in range(200):
            if self.s.step == step and who in (self.s.acting[0], ""):
                return
            kind: str = self.offers("pass")[0].actor
            entity = self.s.players[kind].id if kind in self.s.players else kind
            self.act(entity, "pass")
        raise AssertionError(f"{step} of {who} never waits")

    # looking

    def cash(self, who: Any) -> int:
        name = f"player:{who}" if isinstance(who, int) else who
        owner = self.s.players.get(name) or self.s.corporations[name]
        return owner.cash

    def price(self, who: str) -> int:
        return self.rules.price(self.s, who)

    def held(self, player: int, who: str) -> int:
        """Percent a player holds."""
        return self.s.corporations[who].held(f"player:{player}")

    def president(self, who: str) -> int | None:
        found = self.rules.president(self.s, who)
        return None if found is None else int(self.s.players[found].id)

    def charter(self, who: str) -> Any:
        return charter_of(self.s, who)

    @property
    def acting(self) -> Any:
        """The player's number or entity waited for first."""
        who = self.s.acting[0]
        return self.s.players[who].id if who in self.s.players else who

    # setting up

    def edit(self) -> State1873:
        """The state as a fork that may be written to."""
        self.s = self.s.fork()
        self.s.now = ActionContext()
        return self.s

    def done(self) -> None:
        """Settle after editing."""
        machine.settle(self.rules, self.s)
        self.s.now = None

    def money(self, **amounts: int) -> None:
        """Set cash: ``p1=…`` for players, ids for companies, ``m14=…`` for mines."""
        s = self.edit()
        for name, amount in amounts.items():
            if name[0] == "p" and name[1:].isdigit():
                key = f"player:{name[1:]}"
                s.players = put(s.players, key, replace(s.players[key], cash=amount))
            else:
                set_corporation(
                    s, name.removeprefix("m") if name[1:].isdigit() else name, cash=amount
                )

    def own(self, player: int, *mines: str) -> None:
        """Give mines to a player."""
        for mine in mines:
            set_corporation(self.edit(), mine, owner=f"player:{player}", open=True)

    def phase(self, name: str) -> None:
        """Start a phase, with the depot emptied of earlier cards."""
        s = self.edit()
        s.phase = name
        digit = 5 if name in ("5", "5a", "D") else int(name)
        piles = [p for p in s.depot.piles if p.kind == "D" or int(p.kind[0]) >= digit]
        s.depot = replace(s.depot, piles=tuple(piles))

    def form(self, railway: str, price: int, *holdings: int, floated: bool = True) -> None:
        """A railway at a price; ``holdings`` are shares of players 1, 2, …, the first leads it.
        What is left goes to the pool."""
        s = self.edit()
        cell = next(c for c in self.rules.box.market.cells.values() if c.price == price)
        market.place(s, railway, cell.id, "par")
        for number, count in enumerate(holdings, start=1):
            certs = s.corporations[railway].certs.get(railway, ())[:count]
            shares.move(s, railway, certs, railway, f"player:{number}")
        leader = next(n for n, count in enumerate(holdings, start=1) if count)
        shares.set_president(s, railway, f"player:{leader}")
        if floated:
            rest = s.corporations[railway].certs.get(railway, ())
            shares.move(s, railway, rest, railway, MARKET)
            set_corporation(s, railway, floated=True)
            for home in self.rules.box.corporations[railway].home:
                self.token(railway, home.hex)

    def form_mines(self, company: str, price: int, player: int, *mines: str) -> None:
        """A public mining company of one player with some mines."""
        s = self.edit()
        cell = next(c for c in self.rules.box.market.cells.values() if c.price == price)
        market.place(s, company, cell.id, "formed")
        shares.move(s, company, s.corporations[company].certs[company], company, f"player:{player}")
        shares.set_president(s, company, f"player:{player}")
        while charter_of(s, company).slots < len(mines):
            convert(self.rules, s, company)
        set_corporation(s, company, floated=True, mines=mines)
        for mine in mines:
            set_corporation(s, mine, owner=company, open=True)

    def convert(self, company: str) -> None:
        """Convert, whatever the conditions."""
        convert(self.rules, self.edit(), company)

    def fail(self, company: str) -> None:
        """Insolvency, at once."""
        insolvency(self.rules, self.edit(), company)
        self.s.now = None

    def running(self, *railways: str) -> None:
        """Railways that have built and bought what they must."""
        for railway in railways:
            set_corporation(self.edit(), railway, pending=False, incomplete=False, operated=True)

    def token(self, railway: str, coord: str, city: int = 0) -> None:
        """Put a token somewhere, at no cost."""
        s = self.edit()
        slot = laying.free_slot(self.rules.box, s.board, coord, city, railway)
        assert slot is not None
        laying.place_token(self.rules.box, s, railway, coord, city, slot, 0)

    def tile(self, coord: str, name: str, rotation: int) -> None:
        """Lay a tile, at no cost."""
        s = self.edit()
        tile = next(t for t in s.supply if t.rpartition("-")[0] == name)
        old = s.board.tiles.get(coord)
        rest = tuple(t for t in s.supply if t != tile)
        if self.rules.box.tiles.counts[name] is None:
            rest += (f"{name}-{laying.copies(self.rules.box, s.board, name)}",)
        s.supply = rest + ((old.tile,) if old else ())
        laying.lay(self.rules.box, s, "", coord, tile, rotation, 0)

    def equip(self, who: str, *trains: str) -> None:
        """Give cards such as ``2T``, ``3M``, ``2S`` or ``D``; they come from nowhere."""
        s = self.edit()
        for side in trains:
            kind = side.replace("M", "T")
            number = 70 + sum(1 for t in s.trains if t.startswith(f"{kind}-"))
            name = f"{kind}-{number}"
            variant = side if side.endswith("M") else None
            s.trains = put(s.trains, name, Train(name, kind, who, variant=variant))
            owner = s.corporations[who]
            set_corporation(s, who, trains=(*owner.trains, name))
            if side.endswith("T") or side == "D":
                fleet.give_carriers(self.rules, s, name)

    def route_built(self, railway: str) -> None:
        """Lay a railway's whole standard route."""
        for coord, need in self.rules.constants.concession_tiles.items():
            if need.railway != railway:
                continue
            tile = self.rules.box.tiles.tiles[need.tile]
            for rotation in range(6):
                face = tile.turned(rotation)
                if face.exits & need.mask == need.mask and (
                    coord not in ("D15",)
                    or self.rules.upgrades.lies(
                        coord, laying.face_at(self.rules.box, self.s.board, coord), face
                    )
                ):
                    self.tile(coord, need.tile, rotation)
                    break

    def stock(self, turn: int = 2, player: int = 1) -> None:
        """A stock round with a player on turn."""
        s = self.edit()
        s.premium, s.turn = 0, turn
        s.round = StockRound(player=f"player:{player}")
        self.done()

    def turn_of(self, who: str, stage: str = "track", number: int = 1, last: int = 1) -> None:
        """The operating turn of an entity, in a stage; the external railway follows."""
        s = self.edit()
        s.premium, s.turn, s.set_size = 0, 3, last
        order = (who,) if who == self.rules.external else (who, self.rules.external)
        s.round = OperatingRound(number=number, order=order)
        if stage != "track":
            s.round = replace(s.round, index=0, stage=stage)
        self.done()
