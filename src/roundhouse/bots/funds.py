"""What a company can pay with in a plan: its treasury, loans, and shares it makes more of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .prices import Quote

if TYPE_CHECKING:
    from .firm import Firm

#: The part of new shares that players buy at once. At tables of bots 0.9, at people's 0.4 to 0.6,
#: who buy more of them in the next stock round.
_SUBSCRIBED = 0.9
#: What the stations of a company cost that makes more of its shares.
_STATIONS = 50
#: Part of the rounds to the end for which a loan is owed: most are paid back.
_OWED = 0.5


class Funds:
    """The money of one company through the rounds of its plan. ``cash``: in its treasury;
    ``loans``: taken, of ``allowed`` ones; ``shares``: there are of it; its ``quote`` falls by a
    step for each loan."""

    def __init__(
        self, firm: Firm, quote: Quote, lent: int, owed: int, sizes: Sequence[int] = ()
    ) -> None:
        """``lent``: what a loan brings, 0: there are none; ``owed``: what each costs a round;
        ``sizes``: the numbers of shares companies may have that can make more of them."""
        self.cash, self.shares = float(firm.cash), firm.shares
        self.loans, self.allowed = firm.loans, firm.borrows
        self.quote, self.rate, self._lent, self._sizes = quote, owed, lent, sizes

    @property
    def interest(self) -> int:
        """What the loans cost a round."""
        return self.rate * self.loans

    @property
    def debt(self) -> int:
        """What has to be paid back."""
        return self._lent * self.loans

    def credit(self) -> int:
        """What further loans bring, less what they cost at once."""
        return max(0, self.allowed - self.loans) * self._each()

    def _each(self) -> int:
        """What a loan brings, less what it costs at once."""
        return self._lent - self.rate

    def borrow(self, missing: float, rate: int) -> None:
        """Take the loans that bring some money. ``rate``: what each of them costs at once."""
        while missing > 0 and self.loans < self.allowed:
            self.loans += 1
            self.cash += self._lent - rate
            missing -= self._lent - rate
            self.quote.fall()

    def dues(self, missing: float, rounds: float) -> float:
        """What loans that bring so much cost beside, with so many rounds to come."""
        each = self._each()
        if each <= 0 or missing <= 0 or rounds <= 0:
            return 0.0
        return _OWED * -(-missing // each) * self.rate * rounds

    def enlarge(self, cost: float) -> bool:
        """Make as many more shares as it takes, with the loans that allows, to pay something, or as
        many as there may be; whether there may be more. What is missing even so comes from
        elsewhere, as companies merge, and the price stays one that shares are sold at."""
        price, before = self.quote.price, self.shares
        for size in self._sizes:
            if self.shares > before and self.cash + self.credit() >= cost:
                break
            if size > self.shares:
                more = size - self.shares
                self.cash += _SUBSCRIBED * more * price - _STATIONS
                self.shares, self.allowed = size, self.allowed + more
        if self.shares == before:
            return False
        self.borrow(cost - self.cash, self.rate)
        self.cash = max(cost, self.cash)
        self.quote.sold()
        return True
