"""The table before the first action, as the box has it: for titles that set up nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from ..model.frozen import EMPTY, FrozenDict
from ..model.records import Board, Cert, Company, Corporation, Token
from ..trains.depot import first_depot

if TYPE_CHECKING:
    from ..box.box import Box
    from .rules import Rules, Seat

C = TypeVar("C", bound=Corporation)


def fields(rules: Rules[Any], seats: Sequence[Seat]) -> dict[str, Any]:
    """The fields of the first state but its round: players in seat order with their cash, which the
    bank has paid; corporations and private companies nobody owns; all trains in the depot; a map
    with nothing but the places kept for companies."""
    box, players = rules.box, rules.seated(seats)
    return {
        "players": players,
        "order": tuple(players),
        "corporations": {symbol: rules.unstarted(symbol) for symbol in box.corporations},
        "companies": {name: Company(name, None, 1) for name in box.companies},
        "trains": EMPTY,
        "depot": first_depot(box),
        "market": EMPTY,
        "board": Board(reserved=rules.reserved()),
        "phase": next(iter(box.phases)),
        "bank": rules.bank_size - rules.starting_cash * len(players),
        "set_size": next(iter(box.phases.values())).operating_rounds,
    }


def corporation(box: Box, symbol: str, kind: type[C]) -> C:
    """A corporation nobody has started: it holds its certificates, the smallest of which is one
    share, and its tokens."""
    definition = box.corporations[symbol]
    certs = tuple(Cert(i, percent, i) for i, percent in enumerate(definition.certificates))
    return kind(
        id=symbol,
        kind=definition.kind,
        shares=100 // min(definition.certificates, default=10),
        tokens=tuple(Token(price) for price in definition.tokens),
        certs=FrozenDict({symbol: certs}) if certs else EMPTY,
    )
