"""The opening auction of the private companies (§3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...bank import cash, pay
from ...model.actions import Bid, Pass
from ...model.choices import Choice, Span
from ...model.events import AuctionWon, BidMade, Passed
from ...model.records import BANK, CLOSED, drop, put
from ...rounds.bidding import bid_again, committed, highest, lowest_bidder, withdraw
from ...rounds.step import RoundPlay, Step
from ...stock.shares import clockwise, starting_with
from ...trains import depot
from .starting import home_of, launch, place_home
from .state import AuctionRound, State18Ireland, StockRound

if TYPE_CHECKING:
    from .rules import Rules18Ireland


def progress(s: State18Ireland) -> AuctionRound:
    assert isinstance(s.round, AuctionRound)
    return s.round


class Bidder(Step[State18Ireland]):
    """Buy the first private, bid on another, or pass; or fight for one among its bidders."""

    name = "auction"
    rule = "3"
    takes = frozenset({Bid, Pass})
    rules: Rules18Ireland

    def actors(self, s: State18Ireland) -> tuple[str, ...]:
        m = progress(s)
        if not m.offered:
            return ()
        if m.contested is None:
            return (m.player,)
        return (lowest_bidder(m.bids[m.contested]),)

    # prices

    def face(self, s: State18Ireland, company: str) -> int:
        """Face value, less the discount on the first one."""
        m = progress(s)
        value = self.box.companies[company].value
        return value - m.discount if company == m.offered[0] else value

    def _limit(self, s: State18Ireland, who: str, company: str) -> int:
        """Cash that is not committed to other privates."""
        return cash(s, who) - committed(progress(s).bids, who, company)

    def _least(self, s: State18Ireland, company: str) -> int:
        m = progress(s)
        if m.contested is None and company == m.offered[0]:
            return self.face(s, company)
        step = self.rules.constants.raise_
        return (highest(m.bids.get(company, ())) or self.face(s, company)) + step

    def choices(self, s: State18Ireland) -> Iterator[Choice]:
        m = progress(s)
        step = self.rules.constants.raise_
        for who in self.actors(s):
            player = s.players[who].id
            for company in [m.contested] if m.contested else m.offered:
                low = self._least(s, company)
                top = self._limit(s, who, company)
                if m.contested is None and company == m.offered[0]:
                    top = min(top, low)
                if low <= top:
                    yield Choice(
                        Bid(entity=player, entity_type="player", company=company, price=low),
                        {"price": Span(low, top, step)},
                    )
            yield Choice(Pass(entity=player, entity_type="player"))

    def check(self, s: State18Ireland, a: Bid | Pass) -> None:
        if isinstance(a, Pass):
            return
        m, company = progress(s), a.company
        if a.corporation or a.minor or company not in m.offered:
            raise self.refuse("not_offered", f"{company} is not on offer.")
        if m.contested not in (None, company):
            raise self.refuse("contested", f"{m.contested} is being fought for now.")
        self._check_price(s, a, company)

    def _check_price(self, s: State18Ireland, a: Bid, company: str) -> None:
        m, least = progress(s), self._least(s, company)
        limit, step = self._limit(s, a.actor, company), self.rules.constants.raise_
        if m.contested is None and company == m.offered[0]:
            if a.price != least and not s.now.recorded:
                raise self.refuse("price", f"{company} is sold for £{least}, not £{a.price}.")
        elif a.price < least:
            raise self.refuse("too_low", f"£{least} is the least bid for {company}.")
        elif (a.price - least) % step:
            raise self.refuse("step", f"Bids are £{least} and more in steps of £{step}.")
        if a.price > limit:
            raise self.refuse("no_cash", f"You have £{limit} that no other bid holds.")

    # applying

    def apply(self, s: State18Ireland, a: Bid | Pass) -> None:
        m = progress(s)
        if m.contested is not None:
            self._fight(s, a, m.contested)
            return
        self.change(s, player=clockwise(s.order, a.actor)[0])
        if isinstance(a, Pass):
            s.now.emit(Passed(a.actor, self.name))
            passed = (*(p for p in m.passed if p != a.actor), a.actor)
            self.change(s, passed=passed)
            if len(passed) == len(s.order):
                self._all_passed(s)
            return
        self._note_bid(s, a)
        if a.company == m.offered[0]:
            self._sell(s, a.actor, a.company, a.price)
            self._resolve(s)

    def _note_bid(self, s: State18Ireland, a: Bid) -> None:
        m = progress(s)
        assert a.company is not None
        bids = bid_again(m.bids.get(a.company, ()), a.actor, a.price)
        self.change(
            s,
            bids=put(m.bids, a.company, bids),
            passed=tuple(p for p in m.passed if p != a.actor),
        )
        s.now.emit(BidMade(a.actor, a.company, a.price))

    def _fight(self, s: State18Ireland, a: Bid | Pass, company: str) -> None:
        if isinstance(a, Bid):
            self._note_bid(s, a)
            return
        s.now.emit(Passed(a.actor, self.name))
        left = withdraw(progress(s).bids[company], a.actor)
        self.change(s, bids=put(progress(s).bids, company, left))
        if len(left) == 1:
            self._resolve(s)

    def _resolve(self, s: State18Ireland) -> None:
        """The first private goes to its only bidder, or is fought for; then the next."""
        self.change(s, contested=None)
        while offered := progress(s).offered:
            bids = progress(s).bids.get(offered[0], ())
            if len(bids) != 1:
                self.change(s, contested=offered[0] if bids else None)
                return
            who, price = bids[0]
            self._sell(s, who, offered[0], price)

    def _sell(self, s: State18Ireland, who: str, company: str, price: int) -> None:
        s.now.emit(AuctionWon(who, company, price))
        pay(s, who, BANK, price, "auction")
        self.rules.give_company(s, company, who)
        self._withdraw(s, company)
        self.change(s, sold=True)
        founds = self.rules.powers[company].founds
        if founds:
            self._found(s, who, founds, price)
            self.rules.give_company(s, company, CLOSED)

    def _withdraw(self, s: State18Ireland, company: str) -> None:
        m = progress(s)
        offered = tuple(c for c in m.offered if c != company)
        self.change(s, offered=offered, bids=drop(m.bids, company), discount=0)

    def _found(self, s: State18Ireland, who: str, symbol: str, price: int) -> None:
        """The minor that comes with a private: president, par, home, money and a train."""
        kind = self.rules.constants.first_train
        coord, city = home_of(s, symbol)
        launch(self.rules, s, symbol, who, self.rules.par_cell(price // 2))
        place_home(self.rules, s, symbol, coord, city or 0)
        pay(s, BANK, symbol, price, "capital")
        cost = self.box.trains[kind].price
        pay(s, symbol, BANK, cost, "train")
        depot.give(s, depot.draw(s, kind), symbol, cost)

    def _all_passed(self, s: State18Ireland) -> None:
        self.change(s, passed=())
        m = progress(s)
        if m.sold:
            self._drop_unbid(s)
            return
        discount = m.discount + self.rules.constants.discount_step
        self.change(s, bids={}, discount=discount)
        if self.face(s, m.offered[0]) <= 0:
            taker = m.player
            self.change(s, player=clockwise(s.order, taker)[0])
            self._sell(s, taker, m.offered[0], 0)
            self._resolve(s)

    def _drop_unbid(self, s: State18Ireland) -> None:
        """The first private leaves unsold; by option all without a bid do."""
        m = progress(s)
        unbid = [c for c in m.offered if not m.bids.get(c)]
        everything = "auction_ends_on_pass" in self.rules.options
        for company in unbid if everything else m.offered[:1]:
            self._withdraw(s, company)
        self._resolve(s)


class Auction(RoundPlay[State18Ireland]):
    """§3: players in turn buy the cheapest private or bid on another, until none is left."""

    name = "Auction Round"
    short = "ISR"
    topic = "auction"
    progress = AuctionRound
    steps = (Bidder,)
    rules: Rules18Ireland

    def proceed(self, s: State18Ireland) -> None:
        """Nothing is left to auction."""
        first = self.rules.constants.first_minor
        if s.corporations[first].cell is None:
            self.rules.close(s, first)
        s.order = starting_with(s.order, progress(s).player)
        self.rules.enter(s, StockRound)
