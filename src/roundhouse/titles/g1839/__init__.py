"""1839, in its edition of 2013. Section numbers (§) are those of its rules text;
docs/titles/1839.md says where each rule comes from."""

from __future__ import annotations

from ..title import Contents, Title


def _contents() -> Contents:
    from .auction import Auction
    from .operating import Operating
    from .rules import Rules1839
    from .stock import Stock

    return Rules1839, (Auction, Stock, Operating)


TITLE = Title("1839", "1839", __name__, _contents)
