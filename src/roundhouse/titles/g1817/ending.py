"""How worth still changes from the last operating round on (§13.1): the round itself, the mergers
and conversions after it, and what companies can still pay for each other.

Presidents decide for their companies. So a player who does nothing he need not, and agrees to
nothing, keeps the price of his own ones but for dividends withheld and loans the interest forces on
them; everybody else's may lose all of theirs, as long as they have a turn, can be converted or can
buy another one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from ...facts import Closing, Facts
from ...rounds.steps.operating import beyond
from ...rounds.steps.progress import END
from .acquisition import minimum
from .constants import RED, WHITE
from .rules import Rules1817
from .state import AcquisitionRound, Charter, MergerRound, Offer, OperatingRound, State1817
from .takeover import bid_limit

#: Size nothing can be converted from or merged any more.
_FULL = 10
#: The last stages of a turn, after the interest.
_PAID = ("loans", END)


class Ending(Facts[State1817, Rules1817]):
    """See the module's text."""

    moves = (2, 1)  # §5.2.3

    def closing(self, s: State1817, steady: str = "") -> Closing | None:
        """§13.1. Nothing is told before the last operating round, as companies could still be
        merged and sold before another one."""
        m = s.round
        if not isinstance(m, OperatingRound | MergerRound | AcquisitionRound):
            return None
        last = s.last_turn is not None and s.turn >= s.last_turn and m.number >= s.set_size
        grown = s.phase == self.rules.phase_names[-1]
        if not last or not grown:
            return None
        mine = [c for c in s.corporations.values() if c.cell and c.president == steady]
        risks = {c.id: self._risk(s, c) for c in mine}
        others = [c for c in s.corporations.values() if c.cell and c.president != steady]
        trading = self._trading(s, others)
        coming = self._coming(s)
        shaken = {c.president for c in others if c.id in coming or self.rules.zone(s, c.id) == RED}
        shaken |= {p for p in s.players if s.players[p].cash < 0}
        if coming:
            shaken |= self._short(s)
        fragile = {c.id for c in others if c.president in shaken or c.id in coming} | trading
        if self._buying(s, steady):
            fragile |= risks.keys()
        return Closing(
            int(isinstance(m, OperatingRound)),
            helped=False,
            selling=frozenset(p for p in shaken if p is not None),
            trading=frozenset(trading),
            fragile=frozenset(fragile | {c for c, due in risks.items() if due}),
            due=sum(risks.values()),
            markers=self._markers(s),
        )

    def price_moves(self, s: State1817, who: str, turns: int, steady: str = "") -> tuple[int, int]:
        """§5.2.3, §5.2.5: dividends, loans taken and repaid; one taken where the price can fall no
        more costs no step, and brings one back."""
        if who not in self._coming(s):
            return 0, 0
        up, down = super().price_moves(s, who, turns)
        c = s.corporations[who]
        more = c.shares - c.loans
        taken = (self._forced(s, c) or 0) if c.president == steady else more
        return up + c.loans + max(0, more - self._steps_left(c)), down + taken

    def aftermath(
        self, s: State1817, closing: Closing, income: Mapping[str, int], steady: str = ""
    ) -> Closing:
        """§5.4: shareholders of a company that is sold may get more than its price, and whoever
        buys loses his own price by loans. If nobody can pay for the first one, nothing happens.

        A bid is limited to what the buyer has with all loans and what it gains, less the loans it
        takes over (§5.4.4). So loans of what was bought before bring it nothing: it never pays more
        than its own size in loans, the money there is now in companies, and the bank's
        compensation. Before a turn is over its loans may be handed on for trains, though."""
        started = [c for c in s.corporations.values() if c.cell]
        buyers = [c for c in started if c.president != steady]
        m = s.round
        listed = m.order if isinstance(m, AcquisitionRound) else [c.id for c in started]
        targets = [c for c in started if c.id in listed and self._exposed(s, c, closing, steady)]
        coming = self._coming(s)
        busy = any(c.id in coming or c.id in closing.trading for c in buyers)
        extra = self._windfalls(s, len(buyers))
        if not any(busy or self._payable(s, c, steady, extra) for c in targets):
            return closing
        money = extra + self._in_progress(s)
        money += self.loan_value * max((c.shares for c in buyers), default=0)
        for c in {x.id: x for x in (*buyers, *targets)}.values():
            loans = c.shares - c.loans if c.id in coming else 0
            money += c.cash + income.get(c.id, 0) + self.loan_value * loans
        if traded := [c for c in started if c.id in closing.trading]:
            dearest = max(self._highest(s, c) for c in traded)
            money += _FULL * (len(traded) * dearest + self.loan_value)
        out = {c.id: c.shares - c.held(c.id) // c.unit for c in targets}
        return replace(
            closing,
            selling=closing.selling | self._short(s),
            fragile=closing.fragile | {c.id for c in buyers},
            more={p: self._parachutes(s) for p in s.players},
            sales={c: max(0, money - n * self.rules.price(s, c)) for c, n in out.items()},
        )

    # companies of who does nothing he need not

    def _risk(self, s: State1817, c: Charter) -> int:
        """What a president may have to pay for a company of his: interest it cannot pay (§5.2.4),
        and what its loans cost if it is liquidated (§5.4.9), as it is without a train (§5.2.5)."""
        owed = self.loan_value * c.shares
        if self.rules.zone(s, c.id) == RED:
            return owed
        if c.id not in self._coming(s):
            return 0
        m = OperatingRound.of(s)
        bare = all(s.trains[t].obsolete for t in c.trains)
        if self._forced(s, c) is None:
            return owed + max(0, self.rules.interest_owed(s, c.id, m.rate)) + m.rate * c.shares
        return owed if bare else 0

    def _forced(self, s: State1817, c: Charter) -> int | None:
        """The loans its interest forces on a company that spends nothing, if these suffice, even
        if all others borrow first."""
        m = OperatingRound.of(s)
        if m.index >= 0 and m.who == c.id and m.stage in _PAID:
            return 0
        others = [s.corporations[o] for o in self._coming(s) if o != c.id]
        left = s.loans_left - sum(o.shares - o.loans for o in others)
        owed = max(0, self.rules.interest_owed(s, c.id, m.rate))
        for n in range(max(0, min(c.shares - c.loans, left)) + 1):
            if owed + n * m.rate <= c.cash + n * self.loan_value:
                return n
        return None

    def _buying(self, s: State1817, who: str) -> bool:
        """Whether a player has bid for a company, and may have to buy it."""
        offer = s.round.offer if isinstance(s.round, AcquisitionRound) else None
        if offer is None or offer.bidding is None:
            return False
        return any(p == who for p, _ in offer.bidding.bids)

    # all companies

    def _coming(self, s: State1817) -> tuple[str, ...]:
        """Whose turn is not over."""
        if not isinstance(s.round, OperatingRound):
            return ()
        return tuple(c for c in s.round.order if not beyond(self.rules, s, c, "loans"))

    def _short(self, s: State1817) -> set[str]:
        """Players whom dividends and settlements of companies they are short of may ruin (§5.5)."""
        return {p for p in s.players for c in s.corporations.values() if c.held(p) < 0}

    def _trading(self, s: State1817, others: Iterable[Charter]) -> set[str]:
        """Companies that may still be converted or merged (§5.3), or are."""
        m = s.round
        if isinstance(m, AcquisitionRound):
            return set()
        deal = m.deal if isinstance(m, MergerRound) else None
        return {c.id for c in others if c.shares < _FULL} | ({deal.corporation} if deal else set())

    def _steps_left(self, c: Charter) -> int:
        """How far the price can fall by loans (§7.2)."""
        steps, cell = 0, c.cell or ""
        while (lower := self.rules.step_left(cell)) != cell:
            steps, cell = steps + 1, lower
        return steps

    def _highest(self, s: State1817, c: Charter) -> int:
        """No share of a company will cost more."""
        cell = c.cell or ""
        for _ in range(self.price_moves(s, c.id, 1)[0]):
            cell = self.box.market.right(cell)
        return self.box.market.price[cell]

    # what is paid for companies

    def _exposed(self, s: State1817, c: Charter, closing: Closing, steady: str) -> bool:
        """Whether a company may be sold though who does nothing he need not does not offer it: that
        of others, or one of his outside the white zone (§5.4.3)."""
        if c.president != steady or c.id in closing.fragile or not self.rules.white(s, c.id):
            return True
        turns = int(c.id in self._coming(s))
        return self.price_moves(s, c.id, turns, steady)[1] >= self._steps_white(c)

    def _steps_white(self, c: Charter) -> int:
        """Steps down at which the price leaves the white zone."""
        steps, cell = 0, c.cell or ""
        while self.rules.zone_of[cell] == WHITE:
            steps, cell = steps + 1, self.rules.step_left(cell)
        return steps

    def _payable(self, s: State1817, c: Charter, steady: str, extra: int) -> bool:
        """Whether somebody else could buy a company (§5.4.4), or it is sold already."""
        zone, m = self.rules.zone(s, c.id), s.round
        on = m.offer if isinstance(m, AcquisitionRound) else None
        if (
            c.president == steady
            or zone != WHITE
            or (on and on.corporation == c.id and on.bidding and on.bidding.bids)
        ):
            return True
        least = minimum(self.rules, s, c.id)
        offer = Offer(c.id, zone, "offer", least, c.president)
        able = [p for p in self.rules.alive(s) if p != steady]
        return any(bid_limit(self.rules, s, p, offer) + extra >= least for p in able)

    def _in_progress(self, s: State1817) -> int:
        """What is set aside of a company being liquidated, and what has been paid for one."""
        offer = s.round.offer if isinstance(s.round, AcquisitionRound) else None
        if offer is None:
            return 0
        paid = offer.bidding.price if offer.bidding is not None and offer.buyer else 0
        return offer.pot + paid

    def _open(self, s: State1817) -> list[str]:
        return [c.id for c in s.companies.values() if not c.closed]

    def _parachutes(self, s: State1817) -> int:
        """§14.1 P20."""
        return sum(self.rules.powers[c].parachute for c in self._open(s))

    def _windfalls(self, s: State1817, companies: int) -> int:
        """What the bank may still pay companies beside dividends and loans (§8, §14.1)."""
        total = 0
        for power in map(self.rules.powers.__getitem__, self._open(s)):
            total += sum(power.inventor.values())
            total += len(s.trains) * max(power.scrap_values.values(), default=0)
            total += 2 * companies * max(power.terrain_income.values(), default=0)
        idle = [-self.rules.interest_owed(s, c.id, 0) for c in s.corporations.values() if c.cell]
        return total + sum(max(0, paid) for paid in idle)

    def _markers(self, s: State1817) -> int:
        """§11.3: what bridges, mines and ranches yet to be laid may add to a run, and tokens yet to
        be placed to that of a modern train."""
        most = max(self.rules.constants.bonuses.values(), default=0)
        powers = [self.rules.powers[c] for c in self._open(s)]
        counts = [x.count for p in powers for x in (p.tiles, p.bridges) if x is not None]
        modern = self.rules.constants.modern_trains if "modern_trains" in self.rules.options else {}
        tokens = self.rules.constants.max_tokens * max(modern.values(), default=0)
        return most * sum(counts) + tokens
