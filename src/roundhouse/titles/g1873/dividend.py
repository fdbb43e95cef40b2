"""Revenue, maintenance and dividends (§5.8)."""

from __future__ import annotations

from ...bank import cash, pay
from ...model.records import BANK, set_corporation
from ...rounds.steps import dividend
from . import fleet
from .companies import close_mine, end_pending
from .fleet import net_revenue
from .insolvency import insolvency
from .rules import Rules1873
from .state import EXTERNAL, Charter, Mine, OperatingRound, State1873, charter_of


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
    dividend.split(s, mine.id, mine.owner, n)


def _swap_external(rules: Rules1873, s: State1873, who: str) -> None:
    """§6.4.2: in the last round of a set it changes to the first card of the depot, free."""
    trains = s.corporations[who].trains
    if OperatingRound.of(s).number < s.set_size or rules.external_fixed(s, who):
        return
    top = next(fleet.offered(rules, s), None)
    if top is None:
        return
    for train in trains:
        fleet.scrap(s, train)
    fleet.draw(rules, s, top.kind, who, top.kind, 0)


class ChooseDividend(dividend.ChooseDividend[State1873, Rules1873]):
    """§5.8: what happens with positive net revenue."""

    rule = "5.8"
    rounding = "up"
    most_steps = 3

    def revenue(self, s: State1873, who: str) -> int:
        return max(0, net_revenue(self.rules, s, who))

    def waits(self, s: State1873, who: str) -> bool:
        charter = s.corporations[who]
        if not isinstance(charter, Charter) or charter.kind == EXTERNAL or charter.receivership:
            return False
        return super().waits(s, who)

    def skipped(self, s: State1873, who: str) -> None:
        pays = net_revenue(self.rules, s, who) > 0 and not self._received(s, who)
        self.declare(s, who, "payout" if pays else "withhold")

    def _received(self, s: State1873, who: str) -> bool:
        record = s.corporations[who]
        return isinstance(record, Charter) and record.receivership

    def steps(self, s: State1873, who: str, paid: int) -> int:
        """§6.4.1, §6.6: the price of the external railway, or of one nobody leads, may stand."""
        if self._received(s, who) or self.rules.external_fixed(s, who):
            return 0
        return super().steps(s, who, paid)

    def pay_out(self, s: State1873, who: str, kind: str) -> None:
        """§5.8.1: maintenance comes first."""
        net, record = net_revenue(self.rules, s, who), s.corporations[who]
        set_corporation(s, who, operated=True)
        if net + record.cash < 0:
            _fail(self.rules, s, who)
        elif isinstance(record, Mine):
            _pay_mine(s, record, net)
        else:
            pay(s, BANK, who, min(net, 0), "maintenance")
            super().pay_out(s, who, kind)
        if who in self.rules.constants.local_bonus and charter_of(s, who).pending:
            end_pending(s, who)
        if who == self.rules.external:
            _swap_external(self.rules, s, who)
