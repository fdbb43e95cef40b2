"""Revenue, maintenance and dividends (§5.8)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...bank import cash, pay
from ...model.actions import Dividend
from ...model.choices import Choice
from ...model.events import DividendDeclared
from ...model.records import BANK
from ...rounds.steps.operating import TurnStep
from . import fleet
from .concerns import change, close_mine, end_pending
from .insolvency import insolvency
from .routes import local_bonus
from .state import (
    EXTERNAL,
    PUBLIC_MINE,
    Charter,
    Mine,
    State1873,
    charter_of,
    operating,
)

if TYPE_CHECKING:
    from .rules import Rules1873

#: Most steps right a dividend moves a price (§5.8.6).
_MOST_STEPS = 3


def gross_revenue(rules: Rules1873, s: State1873, who: str) -> int:
    """§6.1.3, §6.2.6, §6.4.1, §11.5: before maintenance."""
    record = s.corporations[who]
    if isinstance(record, Mine):
        return fleet.revenue_of_mine(rules, s, who)
    if record.kind == PUBLIC_MINE:
        mines = sum(fleet.revenue_of_mine(rules, s, m) for m in charter_of(s, who).mines)
        return mines + rules.constants.hw_bonus.get(who, 0)
    if record.kind == EXTERNAL:
        sizes = (fleet.size(s.trains[t].kind) for t in record.trains)
        return rules.constants.external_per_size * sum(sizes)
    return operating(s).revenue + local_bonus(rules, s, who)


def net_revenue(rules: Rules1873, s: State1873, who: str) -> int:
    """§5.8: revenue less maintenance; the external railway pays none."""
    gross = gross_revenue(rules, s, who)
    return gross if who == rules.external else gross - fleet.maintenance(rules, s, who)


def declare(rules: Rules1873, s: State1873, who: str, kind: str) -> None:
    """Pay maintenance and dividend and move the price; then the next stage."""
    n, record = net_revenue(rules, s, who), s.corporations[who]
    change(s, who, operated=True)

    if n + record.cash < 0:
        _fail(rules, s, who)
    elif isinstance(record, Mine):
        _pay_mine(s, record, n)
    else:
        _pay_company(rules, s, who, n, kind)
    if who in rules.constants.local_bonus and charter_of(s, who).pending:
        end_pending(s, who)
    if who == rules.external:
        _swap_external(rules, s, who)


def _fail(rules: Rules1873, s: State1873, who: str) -> None:
    """§5.8.1: it cannot pay its maintenance."""
    pay(s, who, BANK, cash(s, who), "maintenance")
    if isinstance(s.corporations[who], Mine):
        close_mine(s, who)
    else:
        insolvency(rules, s, who)


def _pay_mine(s: State1873, mine: Mine, n: int) -> None:
    """§6.1.5: half stays, the rest goes to the owner."""
    if n < 0:
        pay(s, mine.id, BANK, -n, "maintenance")
        return
    assert mine.owner is not None
    pay(s, BANK, mine.id, n // 2, "dividend")
    pay(s, BANK, mine.owner, n - n // 2, "dividend")
    paid = ((mine.id, n // 2), (mine.owner, n - n // 2)) if n else ()
    s.now.emit(DividendDeclared(mine.id, "half", n, n // 2, paid))


def kept_of(n: int, kind: str) -> int:
    """§5.8.4: the part that stays."""
    return {"payout": 0, "withhold": n, "half": n // 2}[kind]


def _pay_company(rules: Rules1873, s: State1873, who: str, n: int, kind: str) -> None:
    charter = charter_of(s, who)
    if n < 0:
        pay(s, who, BANK, -n, "maintenance")
        n = 0
    if charter.receivership:
        pay(s, BANK, who, n, "dividend")
        s.now.emit(DividendDeclared(who, "withhold", n, n, ((who, n),) if n else ()))
        return
    kept = kept_of(n, kind)
    pay(s, BANK, who, kept, "dividend")
    paid = [(who, kept)] if kept else []
    paid += _pay_holders(s, charter, n - kept)
    s.now.emit(DividendDeclared(who, kind, n, kept, tuple(paid)))
    if rules.external_fixed(s, who):
        return
    if n - kept <= 0:
        rules.move_left(s, who, "withheld")
    else:
        steps = min(_MOST_STEPS, (n - kept) // rules.price(s, who))
        rules.move_right(s, who, "dividend", steps)


def _pay_holders(s: State1873, charter: Charter, total: int) -> list[tuple[str, int]]:
    """§5.8.5: the exact fraction, rounded up a player."""
    paid = []
    for player in s.order:
        amount = -(-charter.held(player) * total // 100)
        if amount > 0:
            pay(s, BANK, player, amount, "dividend")
            paid.append((player, amount))
    return paid


def _swap_external(rules: Rules1873, s: State1873, who: str) -> None:
    """§6.4.2: in the last round of a set it changes to the first card of the depot, free."""
    trains = s.corporations[who].trains
    if operating(s).number < s.set_size or rules.external_fixed(s, who):
        return
    top = next(fleet.offered(rules, s), None)
    if top is None:
        return
    for train in trains:
        fleet.scrap(s, train)
    fleet.draw(rules, s, top.kind, who, top.kind, 0)


class ChooseDividend(TurnStep[State1873]):
    """§5.8: what happens with positive net revenue."""

    name = "dividend"
    rule = "5.8"
    takes = frozenset({Dividend})
    stage = "dividend"
    rules: Rules1873

    def waits(self, s: State1873, who: str) -> bool:
        charter = s.corporations[who]
        if not isinstance(charter, Charter) or charter.kind == EXTERNAL or charter.receivership:
            return False
        return net_revenue(self.rules, s, who) > 0

    def skipped(self, s: State1873, who: str) -> None:
        pays = net_revenue(self.rules, s, who) > 0
        declare(self.rules, s, who, "payout" if pays else "withhold")
        self.leave(s)

    def choices(self, s: State1873) -> Iterator[Choice]:
        for who in self.actors(s):
            for kind in ("payout", "half", "withhold"):
                yield Choice(Dividend(entity=who, entity_type="corporation", kind=kind))

    def check(self, s: State1873, a: Dividend) -> None:
        """All kinds are always possible."""

    def apply(self, s: State1873, a: Dividend) -> None:
        declare(self.rules, s, a.actor, a.kind)
        self.leave(s)
