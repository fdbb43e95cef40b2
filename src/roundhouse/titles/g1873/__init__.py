"""1873 Harzbahn. Section numbers (§) are those of its rules text."""

from __future__ import annotations

from ..title import Contents, Title


def _contents() -> Contents:
    from .auction import Auction
    from .opening import Draft, Premium
    from .operating import Operating
    from .rules import Rules1873
    from .stock import Stock

    return Rules1873, (Premium, Draft, Auction, Stock, Operating)


TITLE = Title("1873", "Harzbahn 1873", __name__, _contents)
