"""The discount auction (§3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...bank import cash, pay
from ...model.actions import Bid, Choose, Pass
from ...model.choices import Choice
from ...model.events import AuctionWon, Noted, Passed
from ...model.records import BANK, put
from ...rounds.step import RoundPlay, Step
from ...stock import shares
from ...stock.shares import clockwise
from .state import AuctionRound, State1839, StockRound

if TYPE_CHECKING:
    from .rules import Rules1839


def progress(s: State1839) -> AuctionRound:
    assert isinstance(s.round, AuctionRound)
    return s.round


class Discounts(Step[State1839]):
    """A turn of the auction (§3.1)."""

    name = "auction"
    rule = "3.1"
    takes = frozenset({Bid, Choose, Pass})
    rules: Rules1839

    def actors(self, s: State1839) -> tuple[str, ...]:
        m = progress(s)
        over = m.passes >= len(s.order) or not self._on_offer(s)
        return () if over else (m.player,)

    def _on_offer(self, s: State1839) -> list[str]:
        return [c.id for c in s.companies.values() if c.owner is None]

    def _price(self, s: State1839, company: str) -> int:
        return self.box.companies[company].value - progress(s).pots.get(company, 0)

    def choices(self, s: State1839) -> Iterator[Choice]:
        for who in self.actors(s):
            player = s.players[who]
            for company in self._on_offer(s):
                price = self._price(s, company)
                if price <= player.cash:
                    yield Choice(
                        Bid(entity=player.id, entity_type="player", company=company, price=price)
                    )
            for company in self._on_offer(s):
                yield Choice(Choose(entity=player.id, entity_type="player", choice=company))
            yield Choice(Pass(entity=player.id, entity_type="player"))

    def check(self, s: State1839, a: Bid | Choose | Pass) -> None:
        if isinstance(a, Pass):
            return
        company = a.company if isinstance(a, Bid) else a.choice
        if company not in self._on_offer(s):
            raise self.refuse("not_on_offer", f"{company} is not for sale now.")
        if not isinstance(a, Bid):
            return
        if a.corporation or a.minor:
            raise self.refuse("no_company", "Only private companies are sold here.")
        price = self._price(s, str(company))
        if a.price != price:
            raise self.refuse("price", f"{company} costs ƒ{price} now, not ƒ{a.price}.")
        if price > cash(s, a.actor):
            raise self.refuse("no_cash", f"You have only ƒ{cash(s, a.actor)}, not ƒ{price}.")

    def apply(self, s: State1839, a: Bid | Choose | Pass) -> None:
        match a:
            case Pass():
                s.now.emit(Passed(a.actor, self.name))
                self.change(s, passes=progress(s).passes + 1)
                self._next(s)
            case Bid():
                pay(s, a.actor, BANK, a.price, "auction")
                self._award(s, str(a.company), a.actor, a.price)
            case Choose():
                self._discount(s, a.actor, str(a.choice))

    def _next(self, s: State1839) -> None:
        self.change(s, player=clockwise(s.order, progress(s).player)[0])

    def _discount(self, s: State1839, who: str, company: str) -> None:
        step, pots = self.rules.constants.discount_step, progress(s).pots
        pot = pots.get(company, 0) + step
        self.change(s, passes=0, pots=put(pots, company, pot))
        s.now.emit(Noted("discount", who, company, step))
        self._next(s)
        if self._price(s, company) == 0:
            self._award(s, company, progress(s).player, 0)

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
            self.rules.start_at(s, symbol, constants.linked_president.cell)
            shares.set_president(s, symbol, who)


class Auction(RoundPlay[State1839]):
    """§3: players in turn buy a private, lay ƒ10 on one, or pass."""

    name = "Auction Round"
    short = "AR"
    topic = "auction"
    progress = AuctionRound
    steps = (Discounts,)
    rules: Rules1839

    def proceed(self, s: State1839) -> None:
        """§3.6–9: what nobody bought leaves the game; cards by cash; the first stock round."""
        for company in list(s.companies.values()):
            if company.owner is None:
                self.rules.close(s, company.id)
        s.order = tuple(sorted(s.order, key=lambda p: cash(s, p)))
        self.rules.enter(s, StockRound)
