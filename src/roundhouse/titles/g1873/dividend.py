"""Revenue, maintenance and dividends (§5.8); insolvency and recapitalisation (§6.6)."""

from __future__ import annotations

from ...bank import cash, pay
from ...model.events import DividendDeclared, Noted
from ...model.records import BANK, MARKET, set_corporation
from ...rounds.steps import dividend
from ...stock import shares
from . import fleet
from .companies import close_mine, convert, end_pending, to_pool
from .fleet import face, letter, net_revenue, size
from .rules import Rules1873
from .state import EXTERNAL, PUBLIC_MINE, Charter, Mine, OperatingRound, State1873, charter_of

_MOST_STEPS = 3


def insolvency(rules: Rules1873, s: State1873, who: str) -> None:
    """§6.6: the holders lose their shares, the bank reorganises the company."""
    s.now.emit(Noted("insolvent", who))
    _forfeit(s, who)
    to_pool(rules, s, who, paid=True)
    cost = reorganisation_cost(rules, s, who)
    while cash(s, who) < cost and charter_of(s, who).shares < 10:
        convert(rules, s, who)
        to_pool(rules, s, who, paid=True)
    _subsidise(rules, s, who, cost - cash(s, who))
    _scrap_dear(rules, s, who)
    if cost and charter_of(s, who).kind == PUBLIC_MINE:
        _buy_machines(rules, s, who)
    elif cost:
        kind = next(fleet.offered(rules, s)).kind
        fleet.draw(rules, s, kind, who, kind, rules.prices[kind])
    set_corporation(s, who, pending=False)


def _forfeit(s: State1873, who: str) -> None:
    """§6.6.1: all shares in players' hands go to the pool; nobody leads the company."""
    for player in s.order:
        certs = charter_of(s, who).certs.get(player, ())
        shares.move(s, who, certs, player, MARKET)
    shares.set_president(s, who, None)


def reorganisation_cost(rules: Rules1873, s: State1873, who: str) -> int:
    """§6.6.3: what it must buy anew."""
    charter = charter_of(s, who)
    top = next(fleet.offered(rules, s)).kind
    if charter.pending:
        return rules.prices[top]
    if charter.kind == PUBLIC_MINE:
        return _machine_cost(rules, s, who)
    if not rules.railways[who].concession_routes:
        return 0
    trains = fleet.owned(s, who, "T")
    if any(not fleet.maintenance_cost(rules, s, t.kind) for t in trains):
        return 0
    return rules.prices[top]


def _machine_cost(rules: Rules1873, s: State1873, who: str) -> int:
    """Machines for all mines whose own has a maintenance cost, from the depot in order."""
    sides = [f"{fleet.machine_size(s, m)}M" for m in charter_of(s, who).mines]
    needed = sum(1 for side in sides if fleet.maintenance_cost(rules, s, side))
    total = 0
    for pile in s.depot.piles:
        card = next((x for x in fleet.sides(rules.box, pile.kind) if letter(x) == "M"), None)
        left = pile.left
        while card and needed > 0 and left != 0:
            total += rules.prices[card]
            needed -= size(card)
            left = None if left is None else left - 1
    return total


def _subsidise(rules: Rules1873, s: State1873, who: str, missing: int) -> None:
    """§6.6.5: the bank adds what is missing; more than a share's price moves the marker right."""
    if missing <= 0:
        return
    pay(s, BANK, who, missing, "reorganisation")
    price = rules.price(s, who)
    if missing > price:
        rules.move_right(s, who, "reorganisation", min(missing // price, _MOST_STEPS))


def _scrap_dear(rules: Rules1873, s: State1873, who: str) -> None:
    """§6.6.6: everything with a maintenance cost goes."""
    for holder in fleet.holders(s, who):
        for train in s.corporations[holder].trains:
            if fleet.maintenance_cost(rules, s, face(s.trains[train])):
                fleet.scrap(s, train)


def _buy_machines(rules: Rules1873, s: State1873, who: str) -> None:
    """§6.6.7: machines until no mine is without; first those without, then smaller ones."""
    while True:
        mines = charter_of(s, who).mines
        bare = [m for m in mines if fleet.machine(s, m) is None]
        if not bare:
            return
        kind = next(fleet.offered(rules, s)).kind
        side = fleet.sides(rules.box, kind)[-1]
        smaller = [m for m in mines if m not in bare and fleet.machine_size(s, m) < size(side)]
        train = fleet.draw(rules, s, kind, who, side, rules.prices[side])
        fleet.put_copies(s, train, [*bare, *smaller][: size(side)])


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
