"""The rounds to come of one company, gone through one by one: which trains it buys, what it pays
out and keeps, what its president adds, and whether it ends."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from .earnings import Earned, Earnings
from .firm import Firm, Plan
from .funds import Funds
from .ledger import Ledger
from .prices import Quote
from .works import Course

if TYPE_CHECKING:
    from ..facts import Unled
    from .forecast import Forecast

#: Rounds looked ahead at most.
FAR = 20
#: Rounds within which the end of a company is certain, and how certain it is later.
_NEAR, _DOUBT = 1, 0.35
#: Rounds until a company can count on new shares: trains rust sooner or later than is expected.
_HEED = 2
#: How much less the shares of a large company may hope for than those of a small one.
_DILUTION = 0.6
#: Rounds until help with a train is far off.
_SOMETIME = 4
#: What a president is thought to have of his company.
_LED = 0.5
#: Rounds a company saves for a train it must have.
_SAVING = 3
#: How likely a train has come by when it is expected, and in how many rounds more it surely has;
#: rounds in which a company may be lost because it comes sooner.
_BY_THEN, _SPREAD, _WARY = 0.5, 3.0, 2
#: Money that is none: what additions are not exact to.
_DUST = 1e-6


class _Payout(NamedTuple):
    """A dividend of all shares, and what money of then is worth now."""

    paid: float
    discount: float


class Future:
    """One company through the rounds to come."""

    def __init__(
        self,
        forecast: Forecast,
        firm: Firm,
        ledger: Ledger,
        earned: Earned,
        waits: int,
        saves: bool = False,
    ) -> None:
        """``waits``: rounds in which it buys no train; ``saves``: it keeps what it earns then;
        ``earned``: see :class:`.earnings.Earnings`."""
        self.earnings = Earnings(forecast, firm, earned)
        self.forecast, self.firm, self.ledger = forecast, firm, ledger
        self.waits, self.saves = waits, saves
        self.known, self.box = forecast.known, forecast.rules.box
        self.quote = Quote(firm, self.box.market, self.known, forecast.moves(firm.id))
        lent = forecast.rules.facts.loan_value
        self.funds = Funds(firm, self.quote, lent, ledger.owed, forecast.sizes)
        self.trains: list[tuple[str, float]] = [(k, ledger.rust.get(k, inf)) for k in firm.kinds]
        self.help = self.later = self.paid = self.first = 0.0
        self.soon = [0.0, 0.0]
        self.bought: list[tuple[int, str]] = []
        self.dies, self.safe = -1, 1.0
        self.payouts: list[_Payout] = []
        works, estate = self.known.works, firm.estate
        self.course = Course(estate, works) if works is not None and estate is not None else None

    def plan(self) -> Plan:
        """What comes of it; asked once, for it goes through the rounds."""
        self.forecast.runs += 1
        left = self.ledger.rounds
        rounds = max(1, min(FAR, round(left))) if left > 0 else 0
        growth = 1.0 + self.known.weights.growth
        discount = 1.0
        if not self.firm.delay:
            self._traded(-1)
        for now in range(rounds):
            discount /= growth
            if now < self.firm.delay:
                continue
            if self.firm.visited is not None:
                self._visits(now, discount, *self.firm.visited)
            elif (does := self._unled()) is not None:
                self._left_alone(now, discount, does)
            else:
                self._round(now, discount)
            if self.dies >= 0:
                break
        return self._result(discount)

    def _result(self, discount: float) -> Plan:
        known, funds = self.known, self.funds
        price, shares = self.quote.expected(), funds.shares
        net = funds.cash - funds.debt
        ended = max(0.0, net) / shares if known.perishing else 0.0
        kept = known.weights.treasury if self.ledger.rounds > 0 else 0.0
        going = price + kept * max(0.0, net) / shares
        size = (2.0 / shares) ** _DILUTION
        going += size * known.weights.prospect * self.ledger.rounds / discount
        sure = self._certainty()
        if sure:
            self._helped(self.dies, sure * max(0.0, -net) * discount)
        last = self.safe * (sure * ended + (1.0 - sure) * going)
        bought = tuple(self.bought)
        worth, soon = self.paid + last * discount, (self.soon[0], self.soon[1])
        return Plan(
            worth=worth,
            price=price,
            paid=self.paid,
            help=self.help,
            later=self.later,
            income=self.first,
            soon=soon,
            bought=bought,
            dies=self.dies,
            traded=self.quote.traded,
        )

    def _helped(self, now: int, amount: float) -> None:
        """Something the president pays in a round; what comes after a stock round may fall to
        somebody else."""
        self.help += amount
        if any(at < now for at in self.ledger.stock):
            self.later += amount

    def _certainty(self) -> float:
        """How sure it is that a company that would be ended is: far off much may happen."""
        if self.dies < 0:
            return 0.0
        return 1.0 if self.dies <= _NEAR else _DOUBT

    # one round

    def _round(self, now: int, discount: float) -> None:
        at = self._when(now)
        self.trains = [(k, last) for k, last in self.trains if last > at]
        alive = [k for k, _ in self.trains]
        earns = self._net(alive, now) + self._steady(now)
        if now <= self.firm.delay:
            self.first = earns
        if now == self.firm.coming[0]:
            self.funds.cash += self.firm.coming[1]
        if not now and self.firm.turn != "run":
            self._after_run(alive, discount)
            return
        owed = self.funds.interest
        self._risk(now, alive)
        keep = self._kept(earns, max(self._shop(now, alive, earns, owed), self._upkeep(now, earns)))
        paid = max(0.0, earns - keep)
        self._settle(now, keep - owed)
        share = paid / self.funds.shares
        self.paid += share * discount
        self.payouts.append(_Payout(paid, discount))
        self.funds.cash += share * self.firm.own
        self.quote.pay(paid)
        self._traded(now)
        self._spend(now)
        self._build(now)
        self._need(now, discount)
        if not self.quote.price:
            self.dies = now

    def _upkeep(self, now: int, earns: float) -> float:
        """What is kept of a revenue for what the next round costs more than it brings, where a
        company that cannot pay that is lost."""
        if not self.known.insolvency or earns <= 0:
            return 0.0
        at = self._when(now + 1)
        alive = [k for k, last in self.trains if last > at]
        costs = -self._brings(alive, now + 1, self.ledger.begun(at))
        return min(earns, max(0.0, costs - self.funds.cash))

    def _brings(self, kinds: Sequence[str], now: int, begun: str | None) -> float:
        """What it earns in a round once the first train of a kind has come; less than 0 only by
        what keeping its things costs."""
        if self.course is not None:
            return self.course.earns(begun)
        costs = self.forecast.upkeep(self.firm.id, begun)
        if costs.keys().isdisjoint(kinds):
            return float(self.firm.steady)
        return self.earnings.net(kinds, now, costs) + self.firm.steady

    def _kept(self, earns: float, wanted: float) -> float:
        """What is kept of a revenue to have so much of it: as large a part as dividends leave; what
        keeping things costs more than they bring is paid."""
        if earns < 0:
            return earns
        parts = [part * earns for part in self.known.kept]
        return min([part for part in parts if part >= wanted], default=wanted)

    def _after_run(self, alive: list[str], discount: float) -> None:
        """The rest of the round that is running, of a company that has run in it."""
        if self.firm.turn == "trains":
            owed = self.funds.interest
            self._shop(0, alive, 0.0, owed)
            self._settle(0, -owed)
            self._spend(0)
            self._need(0, discount)
        self._traded(0)

    def _when(self, now: int) -> float:
        """When its turn in a round comes, in rounds from the position plans are made in."""
        return now + self.firm.at

    def _spend(self, now: int) -> None:
        """Buy what its money pays for beside trains, and pays."""
        if self.course is not None and self.funds.cash > 0:
            kind, rounds = self.ledger.on_sale(self._when(now)), self.ledger.rounds - now - 1
            then = self.ledger.begun(self._when(now + 1))
            self.funds.cash = self.course.spend(self.funds.cash, kind, rounds, then)

    def _need(self, now: int, discount: float) -> None:
        """A company that must have a train at the end of its turn, or dies without."""
        if not self.trains and self.dies < 0 and not self._runs_no_trains():
            self._trainless(now, discount)

    def _runs_no_trains(self) -> bool:
        """Whether it lives on something else than trains."""
        return self.course is not None or (not self.earnings.typical and self.firm.steady > 0)

    def _build(self, now: int) -> None:
        """Pay for track; without money for it the network stays as it is."""
        cost = self.known.building
        if not cost or not self.earnings.grows(now):
            return
        if self.funds.cash >= cost:
            self.funds.cash -= cost
        else:
            self.earnings.unbuilt += 1

    def _steady(self, now: int) -> float:
        """What it earns beside its trains."""
        if self.course is None:
            return self.firm.steady
        return self.course.earns(self.ledger.begun(self._when(now))) if now else self.firm.steady

    def _risk(self, now: int, alive: Sequence[str]) -> None:
        """How likely its owners lose it in a round because a train comes before that is expected
        later, and what keeping things costs with it."""
        if not self.known.insolvency or now > self.firm.delay + _WARY:
            return
        at = self._when(now)
        coming = [(when, k) for k, when in self.ledger.arrival.items() if when > at + 0.01]
        when, kind = min(coming, default=(inf, ""))
        likely = _BY_THEN - (when - at) / _SPREAD
        if likely <= 0:
            return
        if self.funds.cash + self._brings(alive, now, kind) < 0:
            self.safe *= 1.0 - likely

    def _unled(self) -> Unled | None:
        """What it does if nobody leads it."""
        kind = self.trains[0][0] if self.trains else ""
        return self.forecast.rules.facts.unled(self.firm.id, kind) if kind else None

    def _left_alone(self, now: int, discount: float, does: Unled) -> None:
        """A round of a company nobody leads: it pays out what its train brings, and changes it for
        the one on sale in the last round of a set."""
        if not now:
            self.first = does.pays
        if now or self.firm.turn == "run":
            self.paid += does.pays / self.funds.shares * discount
            if not does.stands:
                self.quote.pay(does.pays)
        kind = self.ledger.on_sale(self._when(now))
        if kind is not None and now in self.ledger.stock and not does.stands:
            self.trains = [(kind, inf)]
        self._traded(now)

    def _visits(self, now: int, discount: float, today: float, last: float, likely: float) -> None:
        """A round of a company without trains of its own: it gets what the trains there are then
        bring, and pays it out."""
        kind, before = self.ledger.on_sale(now), self.ledger.on_sale(0)
        visits, table = self.known.visits, self.known.typical
        if visits is not None and kind in visits.everywhere:
            brought, likely = max(today, last), float(last > 0)
        else:
            brought = today * table.get(kind or "", 1.0) / table.get(before or "", 1.0)
        if not now:
            self.first = brought
        self.paid += brought / self.funds.shares * discount
        self.quote.move(2.0 * likely - 1.0)
        self._traded(now)

    def _traded(self, now: int) -> None:
        """Move the price by the stock round after a round, if one comes; -1: before the first."""
        if now in self.ledger.stock:
            self.quote.trade(running=now < 0)

    def _net(self, kinds: Sequence[str], now: int) -> float:
        """What some trains earn in a round, less what keeping them costs."""
        costs = self.forecast.upkeep(self.firm.id, self.ledger.begun(self._when(now)))
        return self.earnings.net(kinds, now, costs)

    def _shop(self, now: int, alive: list[str], earns: float, owed: float) -> float:
        """Buy the train on sale if that pays; what is kept of the revenue for it, or for one that
        will have to be bought."""
        kind = self.ledger.on_sale(self._when(now))
        if kind is None or self._runs_no_trains():
            least = max(0.0, owed - self.funds.cash)
            if self.course is None or now >= self.waits or not self.saves:
                return least
            wanted = self.course.wanted(kind, self.ledger.rounds - now - 1)
            return min(earns, max(least, wanted - self.funds.cash))
        cost = float(self.box.trains[kind].price)
        lasting = [k for k, last in self.trains if last > self._when(now + 1)]
        due = self.funds.dues(cost + owed - self.funds.cash - earns, self.ledger.rounds - now)
        wanted = len(alive) < self._slots(kind) and self._pays(kind, cost + due, alive, now)
        power = self.funds.cash + earns - owed + self.funds.credit()
        least = max(0.0, owed - self.funds.cash)
        if now < self.waits:
            return min(earns, max(least, self._savings(owed))) if self.saves else min(earns, least)
        if (wanted or not lasting) and power >= cost and len(alive) < max(1, self.firm.room):
            return self._buy(now, kind, cost, earns, owed)
        if not lasting and self.ledger.rounds - now > 2:
            return min(earns, max(least, cost + owed - self.funds.cash))
        return min(earns, least)

    def _rather_lent(self, kept: float, cell: str) -> bool:
        """Whether it costs a president less to add so much to a train than that it is kept of a
        dividend and the price is that of another cell for it."""
        fall = self.quote.price - self.box.market.price[cell]
        lost = _LED * (kept + self.funds.shares * fall)
        return lost > self.known.weights.help * kept

    def _savings(self, owed: float) -> float:
        """What is missing for the train that is waited for."""
        kind = self.ledger.on_sale(self._when(self.waits))
        return self.box.trains[kind].price + owed - self.funds.cash if kind else 0.0

    def _slots(self, kind: str) -> int:
        """How many trains a company may have and buy one more of a kind: one place is kept for what
        outlives those it has."""
        last = self.ledger.rust[kind]
        outlives = last == inf or all(other < last for _, other in self.trains)
        return self.firm.room if outlives else max(1, self.firm.room - 1)

    def _pays(self, kind: str, cost: float, alive: list[str], now: int) -> bool:
        """Whether one more train brings more than it costs."""
        more = self._net([*alive, kind], now + 1) - self._net(alive, now + 1)
        return more * max(0.0, self.ledger.life(kind, self._when(now + 1))) > 1.15 * cost

    def _buy(self, now: int, kind: str, cost: float, earns: float, owed: float) -> float:
        self.trains.append((kind, self.ledger.rust[kind]))
        self.bought.append((now, kind))
        keep = min(earns, max(0.0, cost + owed - self.funds.cash))
        missing = cost + owed - self.funds.cash - keep
        if missing > 0:
            self.funds.borrow(missing, self.funds.rate)
        self.funds.cash -= cost
        return keep

    def _settle(self, now: int, amount: float) -> None:
        """What it keeps of a round, less what it owes."""
        self.funds.cash += amount
        if self.funds.cash < -_DUST:
            self._short_of_money(now)
        self.funds.cash = max(0.0, self.funds.cash)

    def _short_of_money(self, now: int) -> None:
        """Interest that cannot be paid: the president pays, and the company is ended; so it is at
        once by what keeping its things costs, where its owners lose it."""
        if self.known.insolvency:
            self.dies = now
            return
        self.funds.borrow(-self.funds.cash, 0)
        if self.funds.cash < 0:
            self._helped(now, -self.funds.cash)
            self.funds.cash = 0.0
            if self.known.perishing:
                self.dies = now

    def _saved(self, missing: float) -> float:
        """Money for a train that the last dividends would have been kept for; what is missing then,
        less than 0 if more had to be kept. Of a dividend the company has got its own part
        already."""
        others = 1.0 - self.firm.own / self.funds.shares
        for n in range(1, min(_SAVING, len(self.payouts)) + 1):
            paid, discount = self.payouts[-n]
            kept = self._kept(paid, min(missing / others, paid)) if others > 0 else 0.0
            if missing <= 0 or kept <= 0:
                continue
            lower = self.quote.lower(paid, paid - kept)
            if self._rather_lent(kept, lower):
                break
            self.payouts[-n] = _Payout(paid - kept, discount)
            self.paid -= kept / self.funds.shares * discount
            self.quote.cell = lower
            missing -= kept * others
        return missing

    def _leftover(self, now: int) -> str | None:
        """The best train the bank sells then out of those that have rusted."""
        rust, found, at = self.ledger.rust, self.known.leftovers, self._when(now)
        sold = [used for kind, used in found.items() if rust[kind] <= at and rust[used] > at + 1]
        return max(sold, key=lambda k: self.known.typical.get(k, 0.0), default=None)

    def _enlarged(self, now: int, kind: str) -> bool:
        """Whether a company that would end without a train buys one for new shares: those are made
        in the round before, so that it is too late for it in the rounds that come first."""
        cost = float(self.box.trains[kind].price)
        if now < _HEED or not self.funds.enlarge(cost):
            return False
        self._buy(now, kind, cost, 0.0, 0.0)
        return True

    def _trainless(self, now: int, discount: float) -> None:
        """A company without a train: its president helps, or it dies."""
        kind = self.ledger.on_sale(self._when(now))
        if self.known.perishing:
            if kind is None or not self._enlarged(now, kind):
                self.dies = now
            return
        if not self.known.compulsory or kind is None:
            return
        cost = float(self.box.trains[kind].price)
        if cost > self.funds.cash and (used := self._leftover(now)) is not None:
            kind, cost = used, float(self.box.trains[used].price)
        short = self._saved(max(0.0, cost - self.funds.cash))
        missing = max(0.0, short)
        caution, far_off = self.known.weights.caution, self.known.weights.far_off
        certain = max(_NEAR, self.firm.delay)  # that of its first turn, too
        sure = 1.0 if now <= certain else caution if now <= _SOMETIME else far_off * caution
        self._helped(now, sure * missing * discount)
        if now < len(self.soon):
            self.soon[now] += missing
        # what had to be kept beyond the price stays
        self.funds.cash = max(0.0, self.funds.cash - cost, -short)
        self.trains.append((kind, self.ledger.rust[kind]))
        self.bought.append((now, kind))
