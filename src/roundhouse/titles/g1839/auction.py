"""The discount auction (§3)."""

from __future__ import annotations

from collections.abc import Iterator

from ...bank import cash, pay
from ...model.actions import Bid, Choose, Pass
from ...model.choices import Choice
from ...model.events import AuctionWon, Noted
from ...model.frozen import put
from ...model.records import BANK
from ...rounds.steps.auctions import AuctionPlay, BidStep
from ...stock import market, shares
from ...stock.shares import clockwise
from .rules import Rules1839
from .state import AuctionRound, State1839, StockRound


class Discounts(BidStep[State1839, Rules1839]):
    """A turn of the auction (§3.1): buy a private, lay money on one, or pass."""

    name = "auction"
    rule = "3.1"
    takes = frozenset({Bid, Choose, Pass})

    def asked(self, s: State1839) -> str | None:
        m = AuctionRound.of(s)
        return m.player if m.passes < len(s.order) and self.items(s, m.player) else None

    def items(self, s: State1839, who: str) -> list[str]:
        return [c.id for c in s.companies.values() if c.owner is None]

    def price(self, s: State1839, item: str) -> int:
        return self.box.companies[item].value - AuctionRound.of(s).pots.get(item, 0)

    def answers(self, s: State1839, who: str) -> Iterator[Choice]:
        yield from super().answers(s, who)
        for company in self.items(s, who):
            yield self.choice(s, who, Choose, choice=company)

    def check_answer(self, s: State1839, a: Bid | Choose) -> None:
        if isinstance(a, Bid):
            super().check_answer(s, a)
        elif a.choice not in self.items(s, a.actor):
            raise self.refuse("not_for_sale", f"{a.choice} is not for sale now.")

    def passed(self, s: State1839, who: str) -> None:
        self.change(s, passes=AuctionRound.of(s).passes + 1)
        self._next(s)

    def answer(self, s: State1839, a: Bid | Choose) -> None:
        if isinstance(a, Choose):
            self._discount(s, a.actor, str(a.choice))
            return
        pay(s, a.actor, BANK, a.price, "auction")
        self._award(s, str(a.company), a.actor, a.price)

    def _next(self, s: State1839) -> None:
        self.change(s, player=clockwise(s.order, AuctionRound.of(s).player)[0])

    def _discount(self, s: State1839, who: str, company: str) -> None:
        step, pots = self.rules.constants.discount_step, AuctionRound.of(s).pots
        pot = pots.get(company, 0) + step
        self.change(s, passes=0, pots=put(pots, company, pot))
        s.now.emit(Noted("discount", who, company, step))
        self._next(s)
        if self.price(s, company) == 0:
            self._award(s, company, AuctionRound.of(s).player, 0)

    def _award(self, s: State1839, company: str, who: str, price: int) -> None:
        """§3.2–5: the private, and the certificate that may come with it."""
        s.now.emit(AuctionWon(who, company, price))
        self.rules.give_company(s, company, who)
        self._linked_certificate(s, company, who)
        self.change(s, passes=0)
        self._next(s)

    def _linked_certificate(self, s: State1839, company: str, who: str) -> None:
        constants = self.rules.constants
        symbol = s.linked.get(company)
        if symbol is None:
            return
        president = company == constants.linked_president.company
        index = 0 if president else constants.linked_share.index
        ipo = s.corporations[symbol].certs[symbol]
        shares.move(s, symbol, [c for c in ipo if c.index == index], symbol, who)
        if president:
            market.start(self.box.market, s, symbol, constants.linked_president.cell)
            shares.set_president(s, symbol, who)


class Auction(AuctionPlay[State1839, Rules1839]):
    """§3: players in turn buy a private, lay ƒ10 on one, or pass."""

    short = "AR"
    progress = AuctionRound
    steps = (Discounts,)
    next_round = StockRound

    def close(self, s: State1839) -> None:
        """§3.6: what nobody bought leaves the game."""
        for company in list(s.companies.values()):
            if company.owner is None:
                self.rules.close(s, company.id)

    def order_after(self, s: State1839) -> tuple[str, ...]:
        """§3.7: cards by cash."""
        return tuple(sorted(s.order, key=lambda p: cash(s, p)))
