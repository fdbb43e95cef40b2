"""The table before the first action, as the box has it: for titles that set up nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..model.frozen import EMPTY, FrozenDict
from ..model.records import Board, Cert, Corporation, Token
from ..trains.depot import first_depot

if TYPE_CHECKING:
    from ..box.box import Box
    from .rules import Rules, Seat


def fields(rules: Rules[Any], seats: Sequence[Seat]) -> dict[str, Any]:
    """The fields of the first state but its round: players in seat order with their cash, which the
    bank has paid; corporations nobody has started; all trains in the depot; a bare map."""
    box, players = rules.box, rules.seated(seats)
    return {
        "players": players,
        "order": tuple(players),
        "corporations": {symbol: corporation(box, symbol) for symbol in box.corporations},
        "companies": EMPTY,
        "trains": EMPTY,
        "depot": first_depot(box),
        "market": EMPTY,
        "board": Board(),
        "phase": next(iter(box.phases)),
        "bank": (box.game.bank or 0) - rules.starting_cash * len(players),
        "set_size": next(iter(box.phases.values())).operating_rounds,
    }


def corporation(box: Box, symbol: str) -> Corporation:
    """A corporation nobody has started: it holds its certificates, the smallest of which is one
    share, and its tokens."""
    definition = box.corporations[symbol]
    certs = tuple(Cert(i, percent, i) for i, percent in enumerate(definition.certificates))
    return Corporation(
        id=symbol,
        kind=definition.kind,
        shares=100 // min(definition.certificates, default=100),
        tokens=tuple(Token(price) for price in definition.tokens),
        certs=FrozenDict({symbol: certs}) if certs else EMPTY,
    )
