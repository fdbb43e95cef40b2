"""Bids: an auction in which a pass is final, and bids that stand on many things at once."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace


class Bidding(Struct, frozen=True):
    """An ascending auction of ``item``. ``bidders`` are still in, in the order they are asked;
    ``bids`` are (player, price), the last one the highest."""

    item: str
    opener: str
    bidders: tuple[str, ...]
    bids: tuple[tuple[str, int], ...] = ()

    @property
    def leader(self) -> str | None:
        """The highest bidder."""
        return self.bids[-1][0] if self.bids else None

    @property
    def price(self) -> int:
        """The highest bid."""
        return self.bids[-1][1] if self.bids else 0

    @property
    def turn(self) -> str | None:
        """Who is asked now: after the leader, cyclic; before any bid the first."""
        if not self.bidders:
            return None
        if not self.bids:
            return self.bidders[0]
        at = self.bidders.index(self.bids[-1][0])
        return self.bidders[(at + 1) % len(self.bidders)]

    @property
    def winner(self) -> str | None:
        """The highest bidder once nobody else is left."""
        return self.bidders[0] if self.bids and len(self.bidders) == 1 else None


def bid(bidding: Bidding, player: str, price: int) -> Bidding:
    """After a bid: everybody stays in until he passes."""
    return replace(bidding, bids=(*bidding.bids, (player, price)))


def leave(bidding: Bidding, *players: str) -> Bidding:
    """After a pass, or without who cannot bid any more."""
    return replace(bidding, bidders=tuple(p for p in bidding.bidders if p not in players))


# bids that stand on many things

#: (player, price) of the bids on one thing, in the order made.
Bids = tuple[tuple[str, int], ...]


def highest(bids: Bids) -> int:
    """The highest price bid; 0 if there is no bid."""
    return max((price for _, price in bids), default=0)


def lowest_bidder(bids: Bids) -> str:
    """Who has bid least, and must raise or leave next."""
    return min(bids, key=lambda bid: bid[1])[0]


def committed(standing: Mapping[str, Bids], player: str, item: str) -> int:
    """Money a player has bid on other things than ``item``."""
    return sum(
        price
        for other, bids in standing.items()
        for bidder, price in bids
        if bidder == player and other != item
    )


def bid_again(bids: Bids, player: str, price: int) -> Bids:
    """The bids after a new one, which replaces the player's earlier one."""
    return (*withdraw(bids, player), (player, price))


def withdraw(bids: Bids, player: str) -> Bids:
    """The bids without a player's."""
    return tuple(bid for bid in bids if bid[0] != player)
