"""1839, in its edition of 2013. Section numbers (§) are those of its rules text;
docs/titles/1839.md says where each rule comes from."""

from __future__ import annotations

from ..title import Contents, Title


def _contents() -> Contents:
    from .auction import Auction
    from .facts import Facts1839
    from .invariants import faults
    from .operating import Operating
    from .routes import Routes1839
    from .rules import Rules1839
    from .stock import Stock
    from .trading import Trading1839

    rounds = (Auction, Stock, Operating)
    return Contents(Rules1839, rounds, Trading1839, Routes1839, Facts1839, faults)


TITLE = Title("1839", "1839", __name__, _contents)
