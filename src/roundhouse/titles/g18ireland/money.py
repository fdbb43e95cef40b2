"""Money, with an eye on the bank: it breaks at the first payment it cannot make (§13)."""

from __future__ import annotations

from ...bank import pay as _pay
from ...model.records import BANK
from .state import State18Ireland


def pay(s: State18Ireland, payer: str, payee: str, amount: int, why: str) -> None:
    """Move money; note when the bank breaks. It goes on paying then."""
    if payer == BANK:
        strain(s, amount)
    _pay(s, payer, payee, amount, why)


def strain(s: State18Ireland, amount: int) -> None:
    """The bank has to lay out an amount, if only for a moment."""
    if amount > s.bank and not s.broken:
        s.broken = True
