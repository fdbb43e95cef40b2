"""Insolvency and the reorganisation of a company by the bank (§6.6)."""

from __future__ import annotations

from ...bank import cash, pay
from ...model.events import Noted
from ...model.records import BANK, MARKET, set_corporation
from ...stock import shares
from . import fleet
from .companies import convert, to_pool
from .fleet import face, letter, size
from .rules import Rules1873
from .state import PUBLIC_MINE, State1873, charter_of

#: Cells a price rises by at the most.
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
        bare = [m for m in mines if not fleet.owned(s, m, "M")]
        if not bare:
            return
        kind = next(fleet.offered(rules, s)).kind
        side = fleet.sides(rules.box, kind)[-1]
        smaller = [m for m in mines if m not in bare and fleet.machine_size(s, m) < size(side)]
        train = fleet.draw(rules, s, kind, who, side, rules.prices[side])
        fleet.put_copies(s, train, [*bare, *smaller][: size(side)])
