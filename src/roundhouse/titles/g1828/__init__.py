"""1828.Games. Section numbers (§) are those of its rules text."""

from __future__ import annotations

from ..title import Contents, Title


def _contents() -> Contents:
    from .auction import Auction
    from .operating import Operating
    from .rules import Rules1828
    from .stock import Stock

    return Rules1828, (Auction, Stock, Operating)


TITLE = Title("1828", "1828.Games", __name__, _contents)
