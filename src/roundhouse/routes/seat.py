"""One train of the set a search is about."""

from __future__ import annotations

from .hunt import Find, Given, Hunt
from .pack import Offer


class Seat:
    """One train of the set: where its routes come from, and where its track is among all.

    ``most``: what it earns at most, the price of its track deducted.
    """

    def __init__(self, train: str, source: Hunt | Given, shift: int | None) -> None:
        self.train = train
        self.source = source
        self.shift = shift
        self.most = 0

    def offer(self, find: Find) -> Offer:
        """A find as the packing sees it."""
        mask = 0 if self.shift is None else find.mask << self.shift
        return Offer(self.most - find.net, find.value, mask, find)

    def banned(self, used: int, width: int) -> int:
        """Track in use, as the source numbers it."""
        return 0 if self.shift is None else used >> self.shift & (1 << width) - 1

    def wants(self, find: Find) -> list[int]:
        """The borders a find crosses, as numbered for all trains."""
        return [] if self.shift is None else [self.shift + b for b in self.source.borders(find)]
