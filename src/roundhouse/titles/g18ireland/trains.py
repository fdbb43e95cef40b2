"""Trains (§10): what is on offer, buying, trading in, discarding, and what a first one starts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...bank import cash
from ...model.records import CLOSED, MARKET, put
from ...rounds.steps import discard
from ...trains import depot
from .constants import MAJOR
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
    if fresh and train.endswith("-0"):
        first_of_type(rules, s, kind)


def first_of_type(rules: Rules18Ireland, s: State18Ireland, kind: str) -> None:
    """§12: phase, then rust, then events."""
    phase = depot.starts_phase(rules.box, s, kind)
    if phase is not None:
        depot.start_phase(s, phase)
    _rust(rules, s, depot.rusted_by(rules.box, kind))
    for event in rules.box.trains[kind].events:
        match event.type:
            case "corporations_can_merge":
                _add_majors(rules, s)
            case "minors_cannot_start":
                for symbol in rules.pile(s):
                    rules.close(s, symbol)
            case "close_companies":
                for company in s.companies.values():
                    if not company.closed:
                        rules.give_company(s, company.id, CLOSED)


def _rust(rules: Rules18Ireland, s: State18Ireland, kinds: set[str]) -> None:
    """§10.3: everywhere at once; some come back into the train pool as smaller ones."""
    if not kinds:
        return
    gone = [t.kind for t in depot.rust(s, kinds)]
    gone += [kind for kind in s.lost if kind in kinds]
    s.lost = tuple(kind for kind in s.lost if kind not in kinds)
    for kind in gone:
        primed = rules.constants.rusted.get(kind)
        if primed is not None:
            number = s.primed.get(primed, 0)
            s.primed = put(s.primed, primed, number + 1)
            depot.give(s, f"{primed}-{number}", MARKET)


def _add_majors(rules: Rules18Ireland, s: State18Ireland) -> None:
    majors = [c.id for c in rules.box.corporations.values() if c.kind == MAJOR]
    s.corporations = {**s.corporations, **{c: rules.unstarted(c) for c in majors}}


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
