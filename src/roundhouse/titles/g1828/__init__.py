"""1828.Games. Section numbers (§) are those of its rules text."""

from __future__ import annotations

from ..title import Contents, Title


def _contents() -> Contents:
    from .auction import Auction
    from .facts import Facts1828
    from .invariants import faults
    from .operating import Operating
    from .routes import model
    from .rules import Rules1828
    from .stock import Stock
    from .trading import Trading1828

    rounds = (Auction, Stock, Operating)
    return Contents(Rules1828, rounds, Trading1828, model, Facts1828, faults)


TITLE = Title("1828", "1828.Games", __name__, _contents)
