"""1817, with the Volatility expansion. Section numbers (§) are those of its rules text."""

from __future__ import annotations

from ..title import Contents, Title


def contents() -> Contents:
    from .acquisition import Acquisitions
    from .auction import Auction
    from .facts import Facts1817
    from .invariants import faults
    from .merger import Mergers
    from .operating import Operating
    from .routes import RouteRules1817
    from .rules import Rules1817
    from .stock import Stock
    from .trading import Trading1817

    rounds = (Auction, Stock, Operating, Mergers, Acquisitions)
    return Contents(Rules1817, rounds, Trading1817, RouteRules1817, Facts1817, faults)


TITLE = Title("1817", "1817", __name__, contents)
