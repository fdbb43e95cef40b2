"""Dividends: what of the revenue is paid, to whom, and how the price moves."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, ClassVar, Literal

from ...bank import pay
from ...model.actions import Dividend
from ...model.choices import Choice
from ...model.events import DividendDeclared
from ...model.records import BANK, MARKET, Corporation, State, set_corporation
from ..rules import R, Rules, S
from .operating import TurnStep
from .progress import OperatingProgress

Kind = Literal["payout", "half", "withhold"]


def split(s: State, who: str, owner: str, revenue: int) -> None:
    """The revenue of a company without shares: half stays with it, the rest is its owner's."""
    kept = revenue // 2
    paid = tuple((p, n) for p, n in ((who, kept), (owner, revenue - kept)) if n)
    for receiver, amount in paid:
        pay(s, BANK, receiver, amount, "dividend")
    s.now.emit(DividendDeclared(who, "half", revenue, kept, paid))


class ChooseDividend(TurnStep[S, R]):
    """The company on turn chooses what becomes of its revenue; without revenue it withholds.

    ``kinds``: what it may choose, in the order it is offered.
    ``rounding``: the part of a player is rounded ``down`` or ``up``, or that of each ``share`` is
    rounded down.
    ``paid_for``: the shares the company itself is paid for: of its ``treasury``, those in the
    ``pool``, or none.
    ``most_steps``: how often the price moves right at most, once for each time the dividend
    contains it.
    """

    name = "dividend"
    takes = frozenset({Dividend})
    stage = "dividend"
    kinds: ClassVar[tuple[Kind, ...]] = ("payout", "half", "withhold")
    rounding: ClassVar[str] = "down"
    paid_for: ClassVar[Literal["treasury", "pool", ""]] = ""
    most_steps: ClassVar[int] = 1

    # policies

    def revenue(self, s: S, who: str) -> int:
        """What there is to pay."""
        return OperatingProgress.of(s).revenue

    def waits(self, s: S, who: str) -> bool:
        return self.revenue(s, who) > 0

    def half(self, s: S, who: str, revenue: int) -> int:
        """What stays with the company when it pays half."""
        return revenue // 2

    def own_percent(self, c: Corporation) -> int:
        """For how many percent the company itself is paid."""
        holder = {"treasury": c.id, "pool": MARKET, "": ""}[self.paid_for]
        return c.held(holder)

    def step_price(self, s: S, who: str) -> int:
        """The dividend that moves the price by one cell."""
        return self.rules.price(s, who)

    def moves(self, who: str) -> tuple[tuple[int, int], ...]:
        """How far a dividend moves the price of a company to the right: (at least so many times the
        price, so many steps), in rising order."""
        return tuple((n, n) for n in range(1, self.most_steps + 1))

    def steps(self, s: S, who: str, paid: int) -> int:
        """How far a dividend moves the price: to the right, or below 0 to the left."""
        price = max(1, self.step_price(s, who))
        return self.steps_for(who, paid / price) if paid else -1

    def steps_for(self, who: str, times: float) -> int:
        """The same for one that is so many times the price, and more than nothing."""
        return max([n for least, n in self.moves(who) if times >= least], default=0)

    def pay_out(self, s: S, who: str, kind: str) -> None:
        """Pay, and move the price."""
        c, revenue = s.corporations[who], self.revenue(s, who)
        if not c.operated:
            set_corporation(s, who, operated=True)
        kept = {"payout": 0, "withhold": revenue}.get(kind, self.half(s, who, revenue))
        parts = [(who, kept), *self.parts(s, c, revenue - kept)]
        paid = tuple((holder, amount) for holder, amount in parts if amount)
        for holder, amount in paid:
            pay(s, BANK, holder, amount, "dividend", debt=True)
        s.now.emit(DividendDeclared(who, kind, revenue, kept, paid))
        self.move_price(s, who, revenue - kept)

    # what follows from them

    def parts(self, s: S, c: Corporation, dividend: int) -> Iterator[tuple[str, int]]:
        """Each holder's part of a dividend, the company's own last."""
        if not dividend:
            return
        if self.rounding == "share":
            dividend -= dividend % c.shares
        up = 99 if self.rounding == "up" else 0
        for player in s.order:
            yield player, (c.held(player) * dividend + up) // 100
        yield c.id, self.own_percent(c) * dividend // 100

    def move_price(self, s: S, who: str, paid: int) -> None:
        """Move the price after a dividend."""
        steps = self.steps(s, who, paid)
        if steps > 0:
            self.rules.move_right(s, who, "dividend", steps)
        elif steps < 0:
            self.rules.move_left(s, who, "low dividend" if paid else "withheld", -steps)

    def declare(self, s: S, who: str, kind: str) -> None:
        """Pay, and go on to the next stage."""
        self.pay_out(s, who, kind)
        self.leave(s)

    def skipped(self, s: S, who: str) -> None:
        self.declare(s, who, "withhold")

    def answers(self, s: S, who: str) -> Iterator[Choice]:
        for kind in self.kinds:
            yield self.choice(s, who, Dividend, kind=kind)

    def check_answer(self, s: S, a: Dividend) -> None:
        if a.kind not in self.kinds:
            raise self.refuse("kind", "The revenue is paid out or withheld as a whole.")

    def answer(self, s: S, a: Dividend) -> None:
        self.declare(s, a.actor, a.kind)


@lru_cache(maxsize=16)
def dividends_of(rules: Rules[Any]) -> ChooseDividend[Any, Any] | None:
    """The step of some rules in which companies choose their dividend, if there is one."""
    steps = [one for play in rules.rounds.values() for one in play.sequence]
    return next((one for one in steps if isinstance(one, ChooseDividend)), None)
