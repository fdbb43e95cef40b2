"""A company without a train and without the money for one (§10.6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...bank import cash, pay
from ...board import laying
from ...model.actions import Action, RemoveToken, SellCompany, SellShares
from ...model.choices import Choice, Equal
from ...model.errors import IllegalAction
from ...model.events import Bankruptcy
from ...model.records import BANK, Corporation
from ...rounds.machine import finish
from ...rounds.step import replace
from ...stock.bundles import Bundle
from ...trains import depot
from .marker import city_value
from .markers import exchange_city, lift_exchange, stations
from .state import State1839
from .trading import UNIT
from .turn import memory

if TYPE_CHECKING:
    from .rules import Rules1839

RULE = "10.6"


def on_sale(rules: Rules1839, s: State1839) -> tuple[str, str, int]:
    """Id, rank and price of the train the bank sells now; the last rank never ends."""
    pile = depot.top(s)
    assert pile is not None
    return f"{pile.kind}-{pile.next}", pile.kind, rules.box.trains[pile.kind].price


def lowest_price(rules: Rules1839, s: State1839, who: str) -> int:
    """What that train costs a company, its privates counted."""
    _, kind, price = on_sale(rules, s)
    best = max((d.get(kind, 0) for _, d in rules.with_power(s, who, "train_discount")), default=0)
    return price - int(best)


def in_need(rules: Rules1839, s: State1839, who: str) -> bool:
    """Whether a company has no train and too little money for one."""
    c = s.corporations[who]
    return not c.trains and c.cash < lowest_price(rules, s, who)


def help_for(rules: Rules1839, s: State1839, who: str) -> int:
    """Money the director may add."""
    director = s.corporations[who].president
    return cash(s, director) if director and in_need(rules, s, who) else 0


def _missing(rules: Rules1839, s: State1839, who: str) -> int:
    """Money company and director lack together; 0 or less: none."""
    return lowest_price(rules, s, who) - cash(s, who) - help_for(rules, s, who)


# what may be given up


def markers(rules: Rules1839, s: State1839, who: str) -> Iterator[tuple[str, int, bool]]:
    """City, value and kind (exchange?) of every marker that may be sold."""
    if not in_need(rules, s, who):
        return
    under, placed = exchange_city(s, who), stations(s.corporations[who])
    for place in placed:
        coord, _, number = place.partition("/")
        value = city_value(rules, s, coord, int(number))
        if value and (place == under or len(placed) > 1):
            yield place, value, place == under


def share_sales(rules: Rules1839, s: State1839, who: str) -> Iterator[tuple[Corporation, Bundle]]:
    """Bundles the director may sell: no more than needed, and never the company on turn itself."""
    director = s.corporations[who].president
    if director is None or not in_need(rules, s, who) or _missing(rules, s, who) <= 0:
        return
    for c in s.corporations.values():
        for bundle in rules.trading.bundles(s, director, c):
            if _needed(rules, s, who, c, bundle) and _keeps(rules, s, who, director, c, bundle):
                yield c, bundle


def _needed(rules: Rules1839, s: State1839, who: str, c: Corporation, bundle: Bundle) -> bool:
    """Whether the money would still be short without the last 10 %."""
    return (bundle.percent // UNIT - 1) * rules.price(s, c.id) < _missing(rules, s, who)


def _keeps(
    rules: Rules1839, s: State1839, who: str, director: str, c: Corporation, bundle: Bundle
) -> bool:
    """Whether nobody gets more of the company on turn than its director."""
    if c.id != who:
        return True
    left = c.held(director) - bundle.percent
    return c.held(rules.trading.successor(s, c, director)) <= left


def private_sales(rules: Rules1839, s: State1839, who: str) -> Iterator[tuple[str, int]]:
    """The director's privates, with half their face value."""
    director = s.corporations[who].president
    if director is None or not in_need(rules, s, who) or _missing(rules, s, who) <= 0:
        return
    for company in rules.privates(s, director):
        yield company, rules.box.companies[company].value // 2


def hopeless(rules: Rules1839, s: State1839, who: str) -> bool:
    """Whether nothing can be raised any more and it is not enough."""
    if not in_need(rules, s, who) or _missing(rules, s, who) <= 0:
        return False
    ways = (markers, share_sales, private_sales)
    return not any(True for way in ways for _ in way(rules, s, who))


# as choices


def choices(rules: Rules1839, s: State1839, who: str) -> Iterator[Choice]:
    """Everything that may be given up now."""
    director = s.corporations[who].president
    if director is None:
        return
    for place, _, _ in markers(rules, s, who):
        city, slot = _written(rules, s, who, place)
        yield Choice(RemoveToken(entity=who, entity_type="corporation", city=city, slot=slot))
    player = s.players[director].id
    for c, bundle in share_sales(rules, s, who):
        yield rules.trading.sale_choice(s, director, c, bundle)
    for company, price in private_sales(rules, s, who):
        yield Choice(
            SellCompany(entity=player, entity_type="player", company=company, price=price),
            {"price": Equal(price, None)},
        )


def _written(rules: Rules1839, s: State1839, who: str, place: str) -> tuple[str, int]:
    """City id and slot of a marker as in game files."""
    coord, _, number = place.partition("/")
    slot = laying.slots_at(rules.box, s.board, coord)[int(number)].index(who)
    return laying.city_id(rules.box, s.board, coord, int(number)), slot


def check(rules: Rules1839, s: State1839, who: str, a: Action) -> None:
    """Raise :class:`IllegalAction` unless an emergency action is legal."""
    if not in_need(rules, s, who):
        raise IllegalAction("no_need", f"{who} is in no need of money for a train.", RULE)
    match a:
        case RemoveToken():
            found = [_written(rules, s, who, p) for p, _, _ in markers(rules, s, who)]
            if (a.city, a.slot) not in found:
                raise IllegalAction(
                    "marker", f"{who} cannot sell a marker in {a.city}, slot {a.slot}.", RULE
                )
        case SellShares():
            _check_shares(rules, s, who, a)
        case SellCompany():
            prices = dict(private_sales(rules, s, who))
            if a.company not in prices:
                raise IllegalAction("private", f"{a.company} cannot be sold now.", RULE)
            if a.price not in (None, prices[a.company]):
                raise IllegalAction(
                    "price", f"The bank pays ƒ{prices[a.company]} for {a.company}.", RULE
                )


def _check_shares(rules: Rules1839, s: State1839, who: str, a: SellShares) -> None:
    c, _, bundle = rules.trading.read_sale(s, a, RULE)
    if _missing(rules, s, who) <= 0:
        raise IllegalAction("enough", "Company and director have enough money together.", RULE)
    if fault := rules.trading.why_not_sell(s, a.actor, c, bundle):
        raise IllegalAction(fault[0], fault[1], RULE)
    if not _needed(rules, s, who, c, bundle):
        raise IllegalAction("too_much", "Less of it would raise enough money.", RULE)
    if not _keeps(rules, s, who, a.actor, c, bundle):
        raise IllegalAction("directorship", f"You must stay director of {who}.", RULE)


def apply(rules: Rules1839, s: State1839, who: str, a: Action) -> None:
    """Carry out a checked emergency action."""
    match a:
        case RemoveToken():
            _sell_marker(rules, s, who, a)
        case SellShares():
            c, certs, bundle = rules.trading.read_sale(s, a, RULE)
            rules.trading.sell(s, a.actor, c.id, certs, bundle.percent)
        case SellCompany():
            price = rules.box.companies[a.company].value // 2
            pay(s, BANK, a.actor, price, "private")
            rules.close(s, a.company)
    s.round = replace(memory(s), raised=True)


def _sell_marker(rules: Rules1839, s: State1839, who: str, a: RemoveToken) -> None:
    """The bank pays its value; the exchange marker goes before the station over it."""
    for place, value, exchange in list(markers(rules, s, who)):
        if _written(rules, s, who, place) == (a.city, a.slot):
            coord, _, number = place.partition("/")
            if exchange:
                lift_exchange(s, who)
            else:
                laying.lift_token(rules.box, s, who, coord, int(number), a.slot)
            pay(s, BANK, who, value, "marker")
            return


def go_bankrupt(s: State1839, who: str) -> None:
    """The game is over at once (§13.1)."""
    s.now.emit(Bankruptcy(s.corporations[who].president or who))
    finish(s, "bankrupt")
