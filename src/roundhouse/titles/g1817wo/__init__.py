"""1817WO: 1817 around the world. F1, F2 and F4 are sections of the family's rules text."""

from __future__ import annotations

from ..g1817 import TITLE as BASE
from ..title import Contents, Title


def contents() -> Contents:
    """Rules and rounds: those of the base, with Nieuw Zeeland in the stock round."""
    from ...rounds.step import replaced
    from ..g1817.stock import Stock
    from .nieuw_zeeland import StockWO
    from .rules import Rules1817WO

    base = BASE.contents()
    return base._replace(rules=Rules1817WO, rounds=replaced(base.rounds, {Stock: (StockWO,)}))


TITLE = Title("1817WO", "1817WO", __name__, contents, base=BASE)
