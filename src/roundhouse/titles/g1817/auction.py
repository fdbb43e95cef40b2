"""The opening auction (§3), and the pyramid auction of Volatility (§14.1)."""

from __future__ import annotations

from ...bank import pay
from ...model.records import BANK, CLOSED
from ...rounds.bidding import Bidding
from ...rounds.step import Fault
from ...rounds.steps.auctions import AuctionPlay, NominatingAuction
from ...stock.shares import clockwise, starting_with
from .rules import Rules1817
from .state import AuctionRound, State1817, StockRound


class Bidder(NominatingAuction[State1817, Rules1817]):
    """Open an auction, bid in it, or pass."""

    name = "auction"
    rule = "3"
    drops_out = True

    def chooser(self, s: State1817) -> str | None:
        m = AuctionRound.of(s)
        over = len(m.passed) == len(s.order) or not self.on_offer(s)
        return None if over else m.chooser

    def on_offer(self, s: State1817) -> list[str]:
        """All unsold privates, or the pyramid's last row."""
        m = AuctionRound.of(s)
        if m.rows:
            return [c for c in m.rows[-1] if c is not None]
        return [c.id for c in s.companies.values() if c.owner is None]

    def first_bid(self, s: State1817, item: str) -> int:
        """§3.2, §3.3."""
        value = self.box.companies[item].value
        return 0 if self.rules.volatility else max(0, value - s.seed_money)

    def why_no_pass(self, s: State1817, who: str) -> Fault | None:
        if AuctionRound.of(s).bidding is None and self.rules.volatility:
            return "must_open", "You must open an auction.", "14.1"
        return None

    def put_up_nothing(self, s: State1817, who: str) -> None:
        passed = (*AuctionRound.of(s).passed, who)
        left = [p for p in clockwise(s.order, who) if p not in passed]
        chooser = left[0] if left else clockwise(s.order, who)[0]
        self.change(s, passed=passed, chooser=chooser)

    def won(self, s: State1817, bidding: Bidding) -> None:
        """§3.4."""
        winner, price, company = bidding.winner or "", bidding.price, bidding.item
        pay(s, winner, BANK, price, "auction")
        self.rules.give_company(s, company, winner)
        face = self.box.companies[company].value
        s.seed_money = max(0, s.seed_money - max(0, face - price))
        follows = winner if self.rules.volatility else bidding.opener
        self.change(s, bidding=None, passed=(), chooser=clockwise(s.order, follows)[0])
        if AuctionRound.of(s).rows:
            self._leave_gap(s, company)

    def _leave_gap(self, s: State1817, company: str) -> None:
        """§14.1.4: a neighbour left alone between gaps leaves the game too."""
        rows = list(AuctionRound.of(s).rows)
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


class Auction(AuctionPlay[State1817, Rules1817]):
    """§3: players in turn open auctions until none is left or all pass."""

    progress = AuctionRound
    steps = (Bidder,)
    next_round = StockRound

    def close(self, s: State1817) -> None:
        """§3.6: unsold privates leave the game."""
        for company in list(s.companies.values()):
            if company.owner is None:
                self.rules.give_company(s, company.id, CLOSED)

    def order_after(self, s: State1817) -> tuple[str, ...]:
        """§3.8."""
        return starting_with(s.order, AuctionRound.of(s).chooser)
