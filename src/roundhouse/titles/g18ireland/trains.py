"""Trains (§10): what is on offer, buying, trading in, discarding, and what a first one starts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...bank import cash
from ...model.records import MARKET
from ...rounds.steps import discard
from ...trains import depot
from .state import OperatingRound, State18Ireland

if TYPE_CHECKING:
    from .rules import Rules18Ireland


def offers(rules: Rules18Ireland, s: State18Ireland) -> dict[str, int]:
    """§10.2: trains of the depot and the train pool for sale now, with their prices."""
    pile = depot.top(s)
    names = [f"{pile.kind}-{pile.next}"] if pile else []
    names += depot.open_market(s)
    return {name: rules.box.trains[depot.kind_of(s, name)].price for name in names}


def others_trains(s: State18Ireland, who: str) -> list[str]:
    """Trains of other corporations."""
    return [t.id for t in s.trains.values() if t.owner not in (MARKET, who)]


def trade_ins(rules: Rules18Ireland, s: State18Ireland, who: str) -> Iterator[tuple[str, str, int]]:
    """§10.4: (new train, old train, price) for every pair possible in this phase."""
    if s.phase not in rules.constants.trade_in_phases:
        return
    new_only = "trade_in_new_only" in rules.options
    for name in offers(rules, s):
        if new_only and name in s.trains:
            continue
        train = rules.box.trains[depot.kind_of(s, name)]
        for old in s.corporations[who].trains:
            value = train.discount.get(s.trains[old].kind)
            if value is not None:
                yield name, old, train.price - value


def acquire(rules: Rules18Ireland, s: State18Ireland, train: str, who: str, price: int) -> None:
    """Hand a train over; the first of a type starts what it starts."""
    fresh = train not in s.trains
    kind = depot.kind_of(s, train)
    if fresh:
        depot.draw(s, kind)
    depot.give(s, train, who, price)
    if fresh:
        rules.left_depot(s, train)


class Discard(discard.Discard[State18Ireland]):
    """§10.5: all at once, into the train pool."""

    rule = "10.5"
    to_market = True

    def actors(self, s: State18Ireland) -> tuple[str, ...]:
        return tuple(self.over(s))


def cheapest_purchase(rules: Rules18Ireland, s: State18Ireland, who: str) -> int:
    """§5.2 9(b): the least a train could cost."""
    return 1 if others_trains(s, who) else min(offers(rules, s).values())


def may_trade_in(rules: Rules18Ireland, s: State18Ireland, who: str) -> bool:
    """§5.2 9(c)."""
    m = s.round
    if not isinstance(m, OperatingRound) or m.traded:
        return False
    return any(price <= cash(s, who) for _, _, price in trade_ins(rules, s, who))
