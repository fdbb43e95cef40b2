"""Fenland: a small but whole 18xx game, as an example of a title made outside Roundhouse.

Its rules are told in page.md beside this file; section numbers (§) in the code are its own.
"""

from __future__ import annotations

from roundhouse.titles.title import Contents, Title


def _contents() -> Contents:
    from .operating import Operating
    from .routes import FenlandRoutes
    from .rules import Fenland
    from .stock import Stock
    from .trading import FenlandTrading

    return Contents(Fenland, (Stock, Operating), FenlandTrading, FenlandRoutes)


TITLE = Title("Fenland", "Fenland", __name__, _contents)
