"""How the price of a company moves in a plan: by what it pays, by its loans, and at the end of
stock rounds by what lies in the pool and what players have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..stock.market import Market
from .knowledge import Knowledge

if TYPE_CHECKING:
    from .firm import Firm

#: How likely a share in the pool lies there still at the end of a stock round: of the one that is
#: running, of the next one. At tables of bots 0.72 and 0.39.
_LYING, _LYING_LATER = 0.7, 0.4
#: How likely a company players have all shares of is so a stock round later, and one of which some
#: are left: in real games, 18 of 19 and 17 of 35 that lasted.
_STAYING, _FILLING = 0.95, 0.4
#: What of a rise has added up before the first: what is sold out rises at once.
_BEFORE = 0.05


def risen(known: Knowledge, market: Market, cell: str) -> str:
    """Where a price is after a stock round that ended with all shares with players."""
    return market.up(cell) if known.sold_out == "up" else market.right(cell)


class Rises:
    """The rises of a price by stock rounds that end with all shares of a company with players, as
    likely as that is: one comes whenever one has added up."""

    def __init__(self, full: bool) -> None:
        self._full, self._added = float(full), _BEFORE

    def due(self) -> bool:
        """Whether one comes by the next of these stock rounds."""
        self._full = _STAYING * self._full + _FILLING * (1.0 - self._full)
        self._added += self._full
        if self._added < 1.0:
            return False
        self._added -= 1.0
        return True


class Quote:
    """Where the price of one company is through the rounds of its plan. ``cell``: on the market;
    ``drift``: the part of a step it is on its way to the right, less than 0 to the left; ``pool``:
    steps it is to fall for shares in the pool; ``traded``: the cell it was in at the first stock
    round, empty before."""

    def __init__(
        self, firm: Firm, market: Market, known: Knowledge, moves: Sequence[tuple[int, int]]
    ) -> None:
        """``moves``: what dividends do, as :meth:`.forecast.Forecast.moves` tells."""
        self.market, self.known, self._moves = market, known, moves
        self.cell, self.pool = firm.cell, firm.pool
        self.drift, self.traded = 0.0, ""
        self._rises = Rises(firm.full)

    @property
    def price(self) -> int:
        """What a share costs."""
        return self.market.price[self.cell]

    def expected(self) -> float:
        """The same, with the part of the next step it is on its way."""
        price = float(self.price)
        beside = self.market.right(self.cell) if self.drift > 0 else self.market.left(self.cell)
        return price + abs(self.drift) * (self.market.price[beside] - price)

    def pay(self, paid: float) -> None:
        """Move as a dividend of so much in all says."""
        self.move(self._steps(paid, max(1, self.price)) if paid > 0 else -1.0)

    def move(self, steps_more: float) -> None:
        """Go as many steps to the right as add up."""
        self.drift += steps_more
        steps = round(self.drift)
        self.drift -= steps
        way = self.market.right if steps > 0 else self.market.left
        for _ in range(abs(steps)):
            self.cell = way(self.cell)

    def fall(self) -> None:
        """Fall by a step, as a loan says."""
        self.cell = self.market.left(self.cell)

    def sold(self) -> None:
        """Move to the right, from where there is no price, until shares are sold."""
        while not self.price and self.market.right(self.cell) != self.cell:
            self.cell = self.market.right(self.cell)

    def trade(self, running: bool) -> None:
        """Move at the end of a stock round, perhaps of that which is ``running``: it falls for what
        still lies in the pool then, and what players have all shares of rises, each as likely as
        that is."""
        self.traded = self.traded or self.cell
        if self.pool:
            self._sink(self.pool * (_LYING if running else _LYING_LATER))
            self.pool = 0
        if self.known.sold_out and self._rises.due():
            self.cell = risen(self.known, self.market, self.cell)

    def lower(self, paid: float, instead: float) -> str:
        """The cell it is in if less has been paid out in one of the last rounds."""
        price, cell = max(1, self.price), self.cell
        steps = self._steps(paid, price) - (self._steps(instead, price) if instead > 0 else -1.0)
        for _ in range(round(steps)):
            cell = self.market.left(cell)
        return cell

    def _sink(self, steps: float) -> None:
        """Fall by some steps; what is left of one counts as a part to the left."""
        way = self.market.down if self.known.sinks == "down" else self.market.left
        for _ in range(int(steps)):
            self.cell = way(self.cell)
        self.move(int(steps) - steps)

    def _steps(self, paid: float, price: int) -> float:
        """Steps to the right for a dividend, as likely as they are: it will be more or less than
        what is planned."""
        (_, before), *moves = self._moves
        found, near = float(before), self.known.vague
        for least, steps in moves:
            beyond = paid / (max(1, least) * price) - 1.0
            sure = 0.5 + beyond / near if near else float(paid >= least * price)
            found += min(1.0, max(0.0, sure)) * (steps - before)
            before = steps
        return found
