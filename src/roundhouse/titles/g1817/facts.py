"""What players of 1817 look at: loans and interest, shorts, buying power, seed money, the end."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from ...facts import Fact, Lot
from ...model.records import MARKET
from ...rounds.bidding import Bidding
from .ending import Ending
from .state import AcquisitionRound, AuctionRound, Offer, OperatingRound, State1817
from .takeover import bid_limit, compensation


class Facts1817(Ending):
    """See the module's text."""

    def game(self, s: State1817) -> tuple[Fact, ...]:
        found = []
        if isinstance(s.round, AuctionRound) and s.seed_money:
            seed = self.money(s.seed_money)
            found.append(Fact(f"seed {seed}", f"Seed money left for the auction: {seed} (§3.2)."))
        out = self.rules.constants.loans - s.loans_left
        rate = self.money(self._rate(s))
        text = f"{out} loans are out; each costs {rate} interest now (§6.5)."
        found.append(Fact(f"interest {rate}", text))
        return tuple(found)

    def of(self, s: State1817, key: str) -> tuple[Fact, ...]:
        return self._player(s, key) if key in s.players else self._company(s, key)

    def _player(self, s: State1817, key: str) -> tuple[Fact, ...]:
        short = [c.id for c in s.corporations.values() if c.held(key) < 0]
        names = ", ".join(short)
        return (Fact(f"short {names}", f"Short of {names}."),) if short else ()

    def _company(self, s: State1817, key: str) -> tuple[Fact, ...]:
        c, found = s.corporations[key], []
        if c.cell is None:
            return ()
        power = self.money(self.rules.buying_power(s, key))
        found.append(Fact(f"≤{power}", f"Buying power with all loans it may take: {power}."))
        owed = self.rules.interest_owed(s, key, self._rate(s))
        due = self.money(abs(owed))
        if owed > 0:
            found.append(Fact(f"−{due}", f"Interest due: {due}."))
        elif owed < 0:
            found.append(Fact(f"+{due}", f"Instead of interest the bank pays it {due}."))
        shorts = sum(x.percent < 0 for certs in c.certs.values() for x in certs)
        if shorts:
            in_market = sum(x.percent < 0 for x in c.certs.get(MARKET, ()))
            text = f"Shorts of it: {shorts}, of these in the market: {in_market}."
            found.append(Fact(f"{shorts}S", text))
        return tuple(found)

    def _rate(self, s: State1817) -> int:
        """§6.5: the interest on a loan: an operating round keeps the rate it began with."""
        fixed = s.round.rate if isinstance(s.round, OperatingRound) else 0
        return fixed or self.rules.interest_rate(s)

    def answer(self, s: State1817, said: str) -> str:
        """The size of a corporation as so many shares."""
        return f"{said} shares" if said.isdigit() else super().answer(s, said)

    def most_shorts(self, shares: int) -> int:
        return self.rules.most_shorts(shares)

    @property
    def loan_value(self) -> int:
        return self.rules.constants.loan_value

    def interest_rate(self, s: State1817) -> int:
        return self.rules.interest_rate(s)

    def bonus_markers(self, coord: str) -> Mapping[str, str]:
        return {marker: marker for marker in sorted(self.rules.constants.bonuses)}

    def lots(self, s: State1817) -> tuple[Lot, ...]:
        match s.round:
            case AcquisitionRound(offer=offer) if offer and offer.bidding:
                return (self._on_offer(s, offer, offer.bidding),)
            case AuctionRound(rows=rows):
                later = (c for row in reversed(rows[:-1]) for c in row if c is not None)
                return (*super().lots(s), *(Lot(c, 0, note="its row comes later") for c in later))
        return super().lots(s)

    def _on_offer(self, s: State1817, offer: Offer, bidding: Bidding) -> Lot:
        """§5.4: companies pay, each president as much as the best of his can."""
        raised = bidding.price + self.rules.constants.acquisition.step
        least = raised if bidding.bids else offer.minimum
        lot = Lot.of(bidding, least, AcquisitionRound.of(s).bidders)
        told = []
        if paid := compensation(self.rules, s, offer):
            told.append(f"the bank adds {self.money(paid)} compensation for its treasury shares")
        most = {p: bid_limit(self.rules, s, p, offer) for p in bidding.bidders}
        named = [f"{s.players[p].name} {self.money(n)}" for p, n in most.items() if n]
        if named:
            told.append(f"at most: {', '.join(named)}")
        return replace(lot, note="; ".join(told), own=False)

    def endings(self, s: State1817) -> tuple[Fact, ...]:
        sure = f"after turn {s.last_turn}" if s.last_turn is not None else ""
        return (
            Fact(sure, "The first 8-train fixes the end: the next turn is the last (§13.1)."),
            Fact("", "The game ends when only one player is not bankrupt (§13.2)."),
        )

    def rounds_left(self, s: State1817) -> int | None:
        """§13.1."""
        if s.last_turn is None:
            return None
        if s.turn >= s.last_turn:
            return self.left_of_set(s, s.last_set)
        return self.left_of_set(s, self.rules.operating_rounds) + s.last_set
