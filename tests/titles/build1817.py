"""Positions of 1817 set up by hand, and played on under full checking.

A :class:`Table` holds the rules and a state. Its setup methods write records directly; ``do`` sends
one action, and on the way holds ``choices`` and ``check`` together and looks for broken invariants.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
import pytest

import roundhouse
from roundhouse import conformance
from roundhouse.board import laying
from roundhouse.game import Game
from roundhouse.model.actions import Action, decode_action
from roundhouse.model.choices import Choice
from roundhouse.model.errors import IllegalAction
from roundhouse.model.events import Event
from roundhouse.model.frozen import put
from roundhouse.model.records import BANK, MARKET, Cert, Token
from roundhouse.rounds import machine
from roundhouse.rounds.step import ActionContext
from roundhouse.stock import market
from roundhouse.titles.g1817.constants import CERTIFICATES
from roundhouse.titles.g1817.rules import Rules1817
from roundhouse.titles.g1817.state import (
    AcquisitionRound,
    MergerRound,
    OperatingRound,
    State1817,
    StockRound,
)
from roundhouse.trains import depot

replace = msgspec.structs.replace

#: Operates after the corporation a test is about.
BYSTANDER = "SR"

#: A player by his number (5 is the one named "Player 5"), a corporation, a private, ``market``.
Who = int | str


class Table:
    """A position that can be edited and played on. The players are named Player 1, Player 2, …"""

    def __init__(self, players: int = 4, options: Iterable[str] = (), seed: int = 1) -> None:
        names = [f"Player {n}" for n in range(1, players + 1)]
        self._seat(roundhouse.new("1817", names, options=options, seed=seed))

    @classmethod
    def of(cls, game: Game) -> Table:
        """The table of a game as it stands."""
        table = cls.__new__(cls)
        table._seat(game)
        return table

    def _seat(self, game: Game) -> None:
        assert isinstance(game.rules, Rules1817)
        self.rules: Rules1817 = game.rules
        self.box = game.rules.box
        self.ids = {int(p.name.rpartition(" ")[2]): p.id for p in game.seats}
        self.s: State1817 = game.state.fork()
        self.money = conformance.total_money(self.s)
        self.events: tuple[Event, ...] = ()

    # reading

    def key(self, who: Who) -> str:
        return f"player:{self.ids[who]}" if isinstance(who, int) else who

    def corp(self, symbol: str) -> Any:
        return self.s.corporations[symbol]

    def cash(self, *who: Who) -> Any:
        """Cash of one, or a tuple of several."""
        found = tuple(self._cash(w) for w in who)
        return found[0] if len(who) == 1 else found

    def _cash(self, who: Who) -> int:
        key = self.key(who)
        player = self.s.players.get(key)
        return player.cash if player else self.s.corporations[key].cash

    @property
    def bystander(self) -> str:
        """Who operates after the corporation a test is about."""
        known = self.box.corporations
        return BYSTANDER if BYSTANDER in known else list(known)[-1]

    def price(self, symbol: str) -> int:
        return self.rules.price(self.s, symbol)

    def index(self, symbol: str) -> int:
        """The market cell, 0 (liquidation) to 31."""
        return self.box.market.cells[self.corp(symbol).cell].column

    def certs(self, symbol: str, who: Who) -> list[int]:
        """Indexes of the certificates of a holder in his order; shorts as well."""
        return [c.index for c in self.corp(symbol).certs.get(self.key(who), ())]

    def held(self, symbol: str, who: Who) -> int:
        held: int = self.corp(symbol).held(self.key(who))
        return held

    def tokens(self, symbol: str) -> list[str | None]:
        return [t.city for t in self.corp(symbol).tokens]

    def privates(self, who: Who) -> list[str]:
        return self.rules.privates(self.s, self.key(who))

    def waits(self, *who: Who) -> bool:
        """Whether the game waits for exactly these, in this order."""
        return self.s.acting == tuple(self.key(w) for w in who)

    def choices(self, kind: str = "") -> list[Choice]:
        found = list(machine.choices(self.rules, self.s))
        return [c for c in found if not kind or c.type == kind]

    @property
    def progress(self) -> Any:
        return self.s.round

    # setting up

    def _edit(self) -> State1817:
        self.s = self.s.fork()
        self.s.now = ActionContext()
        return self.s

    def settle(self) -> Table:
        """Let the machine go on until somebody is waited for."""
        s = self._edit()
        machine.settle(self.rules, s)
        self.events = tuple(s.now.events)
        s.now = None
        return self

    def change(self, symbol: str, **fields: Any) -> None:
        """Set fields of a corporation's record."""
        s = self._edit()
        s.corporations = put(s.corporations, symbol, replace(s.corporations[symbol], **fields))

    def purse(self, who: Who, amount: int) -> None:
        """Set somebody's cash; the bank gives or takes the difference."""
        key, s = self.key(who), self._edit()
        s.bank += self._cash(who) - amount
        if key in s.players:
            s.players = put(s.players, key, replace(s.players[key], cash=amount))
        else:
            s.corporations = put(s.corporations, key, replace(s.corporations[key], cash=amount))

    def own(self, who: Who, *companies: str) -> None:
        """Give privates to an owner."""
        s = self._edit()
        for company in companies:
            s.companies = put(
                s.companies, company, replace(s.companies[company], owner=self.key(who))
            )

    def start(
        self,
        symbol: str,
        president: int,
        *,
        price: int = 100,
        size: int = 2,
        cash: int = 0,
        loans: int = 0,
        holders: Mapping[Who, Sequence[int]] | None = None,
        shorts: Mapping[Who, Sequence[int]] | None = None,
        trains: Sequence[str] = (),
        tokens: Sequence[str] = (),
        spare: int = 0,
        privates: Sequence[str] = (),
        operated: bool = True,
        cell: int | None = None,
    ) -> None:
        """A corporation in play. ``holders``: ordinary certificates by index (10 and up: from short
        sales); what nobody holds is in the treasury. ``tokens``: ``hex/city``; ``spare``: unplaced
        ones. ``trains``: types. ``cell``: its market index instead of a price."""
        named = {self.key(h): i for h, i in (holders or {}).items()}
        short = {self.key(h): i for h, i in (shorts or {}).items()}
        certs = _certificates(symbol, self.key(president), size, named, short)
        s = self._edit()
        record = replace(
            s.corporations[symbol],
            president=self.key(president),
            shares=size,
            floated=True,
            operated=operated,
            loans=loans,
            tokens=(Token(0),) * (len(tokens) + spare),
            certs=certs,
        )
        s.corporations = put(s.corporations, symbol, record)
        s.loans_left -= loans
        market.place(s, symbol, self._cell(price, cell), "setup")
        for city in tokens:
            coord, _, number = city.partition("/")
            slot = laying.free_slot(self.box, s.board, coord, int(number))
            assert slot is not None
            laying.place_token(self.box, s, symbol, coord, int(number), slot, 0)
        for kind in trains:
            depot.give(s, depot.draw(s, kind), symbol)
        self.purse(symbol, cash)
        self.own(symbol, *privates)

    def _cell(self, price: int, index: int | None) -> str:
        for cell in self.box.market.cells.values():
            if cell.column == index or (index is None and cell.price == price):
                return cell.id
        raise ValueError(f"no cell of price {price}")

    def move_to(self, symbol: str, *, price: int = 0, cell: int | None = None) -> None:
        """Put a marker on another cell."""
        market.place(self._edit(), symbol, self._cell(price, cell), "setup")

    def lay(self, coord: str, tile: str, rotation: int) -> None:
        """Put the next copy of a tile on a hex."""
        s = self._edit()
        copy = laying.free_copies(self.box, s.board, tile)[0]
        laying.lay(self.box, s, "", coord, copy, rotation, 0)

    def marker(self, coord: str, marker: str) -> None:
        laying.add_marker(self._edit(), "", coord, marker)

    def depot_at(self, kind: str, *, left: int | None = None) -> None:
        """Remove all depot trains before a type; leave ``left`` of it. Starts no phase."""
        s = self._edit()
        kinds = [p.kind for p in s.depot.piles]
        piles = s.depot.piles[kinds.index(kind) :]
        first = piles[0]
        if left is not None:
            assert first.left is not None
            gone = first.left - left
            piles = ((type(first))(kind, first.next + gone, left), *piles[1:])
        s.depot = replace(s.depot, piles=piles)

    def train(self, symbol: str, kind: str) -> str:
        """Give a corporation the depot's next train of a type."""
        s = self._edit()
        train = depot.draw(s, kind)
        depot.give(s, train, symbol)
        return train

    def discarded(self, kind: str) -> str:
        """A train of a type in the open market."""
        s = self._edit()
        train = depot.draw(s, kind)
        depot.give(s, train, MARKET)
        return train

    def phase(self, name: str) -> None:
        self._edit().phase = name

    def loans_out(self, number: int) -> None:
        """Make ``number`` loans be out; corporations not in play hold what the others do not."""
        s = self._edit()
        missing = number - (self.rules.constants.loans - s.loans_left)
        s.loans_left -= missing
        for record in reversed(list(s.corporations.values())):
            if record.cell is None and record.id != BYSTANDER and missing > 0:
                part = min(10 - record.loans, missing)
                missing -= part
                self.change(record.id, shares=10, loans=record.loans + part)

    # rounds

    def stock_round(self, player: int = 1) -> Table:
        """A stock round with the turn of ``player``, who is first in the seat order."""
        s = self._edit()
        at = s.order.index(self.key(player))
        s.order = s.order[at:] + s.order[:at]
        self.rules.enter(s, StockRound)
        return self.settle()

    def operating_round(self, number: int = 1) -> Table:
        s = self._edit()
        s.set_size = self.rules.operating_rounds
        self.rules.enter(s, OperatingRound, number)
        return self.settle()

    def operate(self, symbol: str, stage: str = "track", **progress: Any) -> Table:
        """The turn of one corporation from some stage on. A bystander operates after it, so that
        the round goes on when the turn is over."""
        bystander = self.bystander
        if self.corp(bystander).cell is None:
            self.start(bystander, len(self.ids), price=40, spare=1)
        s = self._edit()
        fields: dict[str, Any] = {
            "order": (symbol, BYSTANDER),
            "waited": stage not in ("track", "token"),
            "rate": self.rules.interest_rate(s),
            **progress,
        }
        s.round = OperatingRound(index=0, stage=stage, **fields)
        return self.settle()

    def end_after(self, turn: int | None) -> None:
        """The turn the game ends with, as if the last kind of train were out."""
        self._edit().last_turn = turn

    def merger_round(self, number: int = 1) -> Table:
        s = self._edit()
        s.set_size = self.rules.operating_rounds
        self.rules.enter(s, MergerRound, number)
        return self.settle()

    def acquisition_round(self, number: int = 1) -> Table:
        """The acquisition round; zones are noted as they are now, nothing happens in the MR."""
        s = self._edit()
        s.set_size = self.rules.operating_rounds
        self.rules.enter(s, MergerRound, number)
        self.rules.enter(s, AcquisitionRound, number)
        return self.settle()

    # playing

    def action(self, type_: str, who: Who, **fields: Any) -> Action:
        kind = "player" if isinstance(who, int) else "corporation"
        if who in self.box.companies:
            kind = "company"
        entity = self.ids[who] if isinstance(who, int) else who
        return decode_action({"type": type_, "entity": entity, "entity_type": kind, **fields})

    def do(self, type_: str, who: Who, **fields: Any) -> Table:
        """Send an action that must be legal."""
        a = self.action(type_, who, **fields)
        odd = conformance.faults(self.rules, self.s, self.money)  # built so on purpose
        covered = any(c.covers(a) for c in self.choices())
        context = ActionContext()
        self.s = machine.apply(self.rules, self.s, a, context)
        self.events = tuple(context.events)
        assert covered or type_ == "end_game", f"accepted, but no choice covers {a}"
        if not odd:
            wrong = conformance.faults(self.rules, self.s, self.money)
            assert not wrong, wrong
        return self

    def passes(self, *who: Who) -> Table:
        for one in who:
            self.do("pass", one)
        return self

    def refuses(self, code: str, type_: str, who: Who, **fields: Any) -> None:
        """Send an action that must be refused with a code, and change nothing."""
        a = self.action(type_, who, **fields)
        with pytest.raises(IllegalAction) as caught:
            machine.apply(self.rules, self.s, a)
        assert caught.value.code == code, caught.value
        assert not any(c.covers(a) for c in self.choices()), "refused, but a choice covers it"

    def run_until(self, stage: str) -> Table:
        """Pass on in an operating turn up to a stage."""
        for _ in range(12):
            if self.s.step == stage:
                return self
            who = self.s.acting[0]
            kind = {"routes": "run_routes", "dividend": "dividend"}.get(self.s.step, "pass")
            extra: dict[str, Any] = {"run_routes": {"routes": []}, "dividend": {"kind": "payout"}}
            self.do(kind, who, **extra.get(kind, {}))
        raise AssertionError(f"never came to {stage}")


def _certificates(
    symbol: str,
    president: str,
    size: int,
    holders: Mapping[str, Sequence[int]],
    shorts: Mapping[str, Sequence[int]],
) -> dict[str, tuple[Cert, ...]]:
    """All certificates by holder. A short and its twin are born one after the other."""
    badge, count = CERTIFICATES[size]
    unit = 100 // size
    certs: dict[str, tuple[Cert, ...]] = {}

    def add(holder: str, cert: Cert) -> None:
        certs[holder] = (*certs.get(holder, ()), cert)

    placed = {i for indexes in holders.values() for i in indexes}
    if 0 not in placed:
        add(president, Cert(0, badge, 0))
    for holder, indexes in holders.items():
        for i in indexes:
            add(holder, Cert(i, badge if i == 0 else unit, i if i < 10 else i + 1))
    for holder, indexes in shorts.items():
        for i in indexes:
            add(holder, Cert(i, -unit, i - 1))
    for i in range(1, count):
        if i not in placed:
            add(symbol, Cert(i, unit, i))
    return certs


__all__ = ["BANK", "BYSTANDER", "MARKET", "Table", "Who"]
