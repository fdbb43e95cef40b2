"""18Ireland. Section numbers (§) are those of its rules text."""

from __future__ import annotations

from ..title import Contents, Title


def _contents() -> Contents:
    from .auction import Auction
    from .merger import Mergers
    from .operating import Operating
    from .rules import Rules18Ireland
    from .stock import Stock

    return Rules18Ireland, (Auction, Stock, Operating, Mergers)


TITLE = Title("18Ireland", "18Ireland", __name__, _contents)
