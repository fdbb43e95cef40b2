"""1817, with the Volatility expansion. Section numbers (§) are those of its rules text."""

from __future__ import annotations

from ..title import Contents, Title


def contents() -> Contents:
    from .acquisition import Acquisitions
    from .auction import Auction
    from .merger import Mergers
    from .operating import Operating
    from .rules import Rules1817
    from .stock import Stock

    return Rules1817, (Auction, Stock, Operating, Mergers, Acquisitions)


TITLE = Title("1817", "1817", __name__, contents)
