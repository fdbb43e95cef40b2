"""1873 Harzbahn. Section numbers (§) are those of its rules text."""

from __future__ import annotations

from ..title import Contents, Title


def _contents() -> Contents:
    from .auction import Auction, Draft, Premium
    from .facts import Facts1873
    from .invariants import faults
    from .operating import Operating
    from .routes import Network
    from .rules import Rules1873
    from .stock import Stock
    from .trading import Trading1873

    rounds = (Premium, Draft, Auction, Stock, Operating)
    return Contents(Rules1873, rounds, Trading1873, Network, Facts1873, faults)


TITLE = Title("1873", "Harzbahn 1873", __name__, _contents)
