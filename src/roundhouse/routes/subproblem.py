"""The trains of a search by class: each class has a pricing problem and a pool of columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from .clock import OutOfTime
from .columns import Column, Priced
from .cuts import Cut
from .dominance import pays_tell_all, undominated
from .fixed_routes import FixedRoutes
from .packing import Candidate, CandidateList
from .pricing import Pricing


class Subproblem:
    """Trains that can make and earn the same.

    ``pricing``: where their routes come from; ``offset``: where their track is among that of all
    trains (None: they use none), of which there are ``width`` borders; ``most``: what one of them
    earns at most, prices deducted; ``pool``: the columns on the way.
    """

    def __init__(
        self, number: int, pricing: Pricing | FixedRoutes, offset: int | None, width: int
    ) -> None:
        self.number = number
        self.pricing = pricing
        self.offset = offset
        self.width = width
        self.trains = pricing.class_.trains
        self.most = 0
        #: A bit for the train in cuts, if it is alone.
        self.single = 0
        self.pool: dict[tuple[int, ...], Column] = {}
        self._seen: list[Column] = []
        self._seen_at: tuple[object, int] = None, 0
        # Without track two alike trains may run what one could run twice.
        self._thin = offset is not None and pays_tell_all(pricing.graph.model)
        self._borders: dict[tuple[int, ...], list[int]] = {}
        self._claims: dict[tuple[int, ...], list[tuple[int, int]]] = {}

    def mask(self, column: Column) -> int:
        """The track of a column, as numbered for all trains."""
        return 0 if self.offset is None else column.mask << self.offset

    def own_cuts(self, cuts: Sequence[tuple[int, int]]) -> list[Cut]:
        """Of some cuts and their dual prices those that routes of this class can pay."""
        if self.offset is None:
            return []
        found = []
        for cut, dual in cuts:
            borders, train = self.banned(cut), bool(cut & self.single)
            if borders.bit_count() + train > 1:
                found.append(Cut(borders, train, dual))
        return found

    def candidate(self, column: Column) -> Candidate:
        """A column as the packing sees it."""
        loss, surplus = self.most - column.reduced, self.surplus(column)
        return Candidate(
            loss, column.value, self.mask(column), column, surplus, self.claims(column)
        )

    def claims(self, column: Column) -> list[tuple[int, int]]:
        """The places that pay once a column visits, with what it would get there."""
        found = self._claims.get(column.path)
        if found is None:
            found = self._claims[column.path] = self.pricing.claims(column)
        return found

    def surplus(self, column: Column) -> dict[int, int]:
        """By place what a column gets beyond its price."""
        duals = self.pricing.place_duals
        if not duals:
            return {}
        return {p: pay - duals[p] for p, pay in self.claims(column) if pay > duals[p]}

    def row(self, columns: Iterable[Column], spare: int) -> CandidateList:
        """The columns that lose no more than ``spare``, as the packing sees them."""
        candidates = [
            self.candidate(column) for column in columns if self.most - column.reduced <= spare
        ]
        return CandidateList(sorted(candidates, key=_by_loss), self.most)

    def banned(self, used: int) -> int:
        """Track in use, as the source numbers it."""
        return 0 if self.offset is None else used >> self.offset & (1 << self.width) - 1

    def borders(self, column: Column) -> list[int]:
        """The borders a column crosses, as numbered for all trains."""
        found = self._borders.get(column.path)
        if found is None:
            offset = self.offset
            own = [] if offset is None else [offset + b for b in self.pricing.borders(column)]
            found = self._borders[column.path] = own
        return found

    def all(self, floor: int, tick: Callable[[], None]) -> Priced:
        """All columns worth an amount, without those another one makes useless."""
        priced, pricing = self.pricing.all(floor), self.pricing
        if not self._thin or not priced.complete or not isinstance(pricing, Pricing):
            return priced
        try:
            return Priced(undominated(pricing, priced.columns, tick), True)
        except OutOfTime:
            return Priced(priced.columns, False)

    def legs(self, column: Column) -> list[int]:
        """The numbers of the legs a column runs along."""
        return [] if self.offset is None else [max(leg, ~leg) for leg in column.path]

    def seen(self, pricing: Pricing | FixedRoutes | None = None) -> list[Column]:
        """The columns on the way at present prices, or those of another pricing, best first."""
        if pricing is not None:
            return self._in_order(pricing)
        state = self.pricing.duals, len(self.pool)
        if state != self._seen_at:
            self._seen_at, self._seen = state, self._in_order(self.pricing)
        return self._seen

    def _in_order(self, pricing: Pricing | FixedRoutes) -> list[Column]:
        return sorted(map(pricing.priced, self.pool.values()), key=lambda f: (-f.reduced, f.path))


def _by_loss(candidate: Candidate) -> tuple[int, int, tuple[int, ...]]:
    return candidate.loss, -candidate.value, candidate.column.path
