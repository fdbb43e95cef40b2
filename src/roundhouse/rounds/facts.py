"""What a title's players look at beside what all titles have; pages and commands tell it."""

from __future__ import annotations

from msgspec import Struct


class Fact(Struct, frozen=True):
    """One thing worth knowing of a game, a company or a player. ``short``: a few letters for a line
    of a table; ``text``: in full, as one would say it."""

    short: str
    text: str


class Lot(Struct, frozen=True):
    """Something that is auctioned or sold: an item's symbol, its price or least bid now, the bids
    made (player, price; the highest last), who may still bid, who has passed, whether it is the
    one being fought for."""

    item: str
    price: int
    bids: tuple[tuple[str, int], ...] = ()
    bidders: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()
    open: bool = False
    note: str = ""
