"""The opening auction (§3), and the pyramid auction of Volatility (§14.1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...bank import cash, pay
from ...model.actions import Bid, Pass
from ...model.choices import Choice, Span
from ...model.events import AuctionWon, BidMade, Passed
from ...model.records import BANK, CLOSED
from ...rounds.bidding import Bidding, leave, raise_bid
from ...rounds.step import RoundPlay, Step
from ...stock.shares import clockwise, starting_with
from .state import AuctionRound, State1817, StockRound

if TYPE_CHECKING:
    from .rules import Rules1817


def progress(s: State1817) -> AuctionRound:
    assert isinstance(s.round, AuctionRound)
    return s.round


class Bidder(Step[State1817]):
    """Open an auction, bid in it, or pass."""

    name = "auction"
    rule = "3"
    takes = frozenset({Bid, Pass})
    rules: Rules1817

    def actors(self, s: State1817) -> tuple[str, ...]:
        m = progress(s)
        if m.bidding is not None:
            turn = m.bidding.turn
            return (turn,) if turn else ()
        if len(m.passed) == len(s.order) or not self.on_offer(s):
            return ()
        return (m.chooser,)

    def on_offer(self, s: State1817) -> list[str]:
        """Privates an auction may be opened for: all unsold ones, or the pyramid's last row."""
        m = progress(s)
        if m.rows:
            return [c for c in m.rows[-1] if c is not None]
        return [c.id for c in s.companies.values() if c.owner is None]

    def minimum(self, s: State1817, company: str) -> int:
        """§3.2, §3.3: the least bid for a private now."""
        bidding = progress(s).bidding
        if bidding is not None:
            return bidding.price + self.rules.constants.minimum_raise
        if self.rules.volatility:
            return 0
        return max(0, self.box.companies[company].value - s.seed_money)

    def choices(self, s: State1817) -> Iterator[Choice]:
        m = progress(s)
        step = self.rules.constants.minimum_raise
        for who in self.actors(s):
            player = s.players[who]
            open_now = [m.bidding.item] if m.bidding else self.on_offer(s)
            for company in open_now:
                low = self.minimum(s, company)
                high = player.cash - (player.cash - low) % step
                if low <= high:
                    yield Choice(
                        Bid(entity=player.id, entity_type="player", company=company, price=low),
                        {"price": Span(low, high, step)},
                    )
            if m.bidding or not self.rules.volatility:
                yield Choice(Pass(entity=player.id, entity_type="player"))

    def check(self, s: State1817, a: Bid | Pass) -> None:
        m = progress(s)
        if isinstance(a, Pass):
            if m.bidding is None and self.rules.volatility:
                raise self.refuse("must_open", "You must open an auction.", "14.1")
            return
        company = a.company
        if company is None or a.corporation or a.minor:
            raise self.refuse("no_company", "A bid here is for a private company.")
        if m.bidding and company != m.bidding.item:
            raise self.refuse("other_auction", f"The auction is for {m.bidding.item}.")
        if not m.bidding and company not in self.on_offer(s):
            raise self.refuse("not_on_offer", f"{company} is not for sale now.")
        low, step = self.minimum(s, company), self.rules.constants.minimum_raise
        if a.price < low:
            raise self.refuse("bid_too_low", f"${a.price} is too little; the minimum is ${low}.")
        if a.price > cash(s, a.actor):
            raise self.refuse("no_cash", f"You have only ${cash(s, a.actor)}, not ${a.price}.")
        if (a.price - low) % step:
            raise self.refuse("bid_step", f"Bids go up in steps of ${step} from ${low}.")

    def apply(self, s: State1817, a: Bid | Pass) -> None:
        if isinstance(a, Pass):
            self._pass(s, a.actor)
            return
        company = a.company or ""
        bidding = progress(s).bidding or Bidding(company, a.actor, s.order)
        following = a.price + self.rules.constants.minimum_raise
        bidding = raise_bid(bidding, a.actor, a.price, following, lambda p: cash(s, p))
        s.now.emit(BidMade(a.actor, company, a.price))
        self.change(s, bidding=bidding)
        self._settle(s)

    def _pass(self, s: State1817, who: str) -> None:
        m = progress(s)
        s.now.emit(Passed(who, self.name))
        if m.bidding is not None:
            self.change(s, bidding=leave(m.bidding, who))
            self._settle(s)
            return
        passed = (*m.passed, who)
        left = [p for p in clockwise(s.order, who) if p not in passed]
        chooser = left[0] if left else clockwise(s.order, who)[0]
        self.change(s, passed=passed, chooser=chooser)

    def _settle(self, s: State1817) -> None:
        """§3.4: sell to the last bidder."""
        m = progress(s)
        bidding = m.bidding
        if bidding is None or bidding.winner is None:
            return
        winner, price, company = bidding.winner, bidding.price, bidding.item
        s.now.emit(AuctionWon(winner, company, price))
        pay(s, winner, BANK, price, "auction")
        self.rules.give_company(s, company, winner)
        face = self.box.companies[company].value
        s.seed_money = max(0, s.seed_money - max(0, face - price))
        follows = winner if self.rules.volatility else bidding.opener
        self.change(s, bidding=None, passed=(), chooser=clockwise(s.order, follows)[0])
        if m.rows:
            self._leave_gap(s, company)

    def _leave_gap(self, s: State1817, company: str) -> None:
        """§14.1.4: a neighbour left alone between gaps leaves the game too."""
        rows = list(progress(s).rows)
        row = list(rows[-1])
        at = row.index(company)
        row[at] = None
        for side in (-1, 1):
            near, far = at + side, at + 2 * side
            alone = not 0 <= far < len(row) or row[far] is None
            if 0 <= near < len(row) and row[near] is not None and alone:
                self.rules.give_company(s, row[near] or "", CLOSED)
                row[near] = None
        rows[-1] = tuple(row)
        while rows and not any(rows[-1]):
            rows.pop()
        self.change(s, rows=tuple(rows))


class Auction(RoundPlay[State1817]):
    """§3: players in turn open auctions until none is left or all pass."""

    name = "Auction Round"
    short = "ISR"
    topic = "auction"
    progress = AuctionRound
    steps = (Bidder,)
    rules: Rules1817

    def over(self, s: State1817) -> bool:
        """Nothing is left to auction, or everybody has passed (§3.6–8)."""
        return True

    def leave(self, s: State1817) -> None:
        """§3.6, §3.8: unsold privates leave the game; the priority deal."""
        for company in list(s.companies.values()):
            if company.owner is None:
                self.rules.give_company(s, company.id, CLOSED)
        s.order = starting_with(s.order, progress(s).chooser)
        self.rules.enter(s, StockRound)
