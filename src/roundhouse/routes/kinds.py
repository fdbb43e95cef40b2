"""The trains of a search, by kind."""

from __future__ import annotations

from collections.abc import Iterable

from .hunt import Find, Given, Hunt
from .pack import Offer, Row


class Kind:
    """Trains that can make and earn the same.

    ``source``: where their routes come from; ``shift``: where their track is among that of all
    trains (None: they use none), of which there are ``width`` borders; ``most``: what one of them
    earns at most, prices deducted; ``pool``: the finds on the way.
    """

    def __init__(self, number: int, source: Hunt | Given, shift: int | None, width: int) -> None:
        self.number = number
        self.source = source
        self.shift = shift
        self.width = width
        self.trains = source.stock.trains
        self.most = 0
        self.pool: dict[tuple[int, ...], Find] = {}

    def mask(self, find: Find) -> int:
        """The track of a find, as numbered for all trains."""
        return 0 if self.shift is None else find.mask << self.shift

    def offer(self, find: Find) -> Offer:
        """A find as the packing sees it."""
        return Offer(self.most - find.net, find.value, self.mask(find), find)

    def row(self, finds: Iterable[Find], spare: int) -> Row:
        """The finds that lose no more than ``spare``, as the packing sees them."""
        offers = [self.offer(find) for find in finds if self.most - find.net <= spare]
        return Row(sorted(offers, key=_by_loss), self.most)

    def banned(self, used: int) -> int:
        """Track in use, as the source numbers it."""
        return 0 if self.shift is None else used >> self.shift & (1 << self.width) - 1

    def wants(self, find: Find) -> list[int]:
        """The borders a find crosses, as numbered for all trains."""
        return [] if self.shift is None else [self.shift + b for b in self.source.borders(find)]

    def seen(self) -> list[Find]:
        """The finds on the way at present prices, best first."""
        return sorted(map(self.source.priced, self.pool.values()), key=lambda f: (-f.net, f.path))


def _by_loss(offer: Offer) -> tuple[int, int, tuple[int, ...]]:
    return offer.loss, -offer.value, offer.find.path
