"""Emergency money and bankruptcy (§10.6–7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from ...bank import cash, pay
from ...model.actions import SellShares
from ...model.choices import Choice
from ...model.errors import IllegalAction
from ...model.events import Bankruptcy
from ...model.records import BANK, put
from ...rounds.machine import finish
from ...stock import market
from ...stock.bundles import Bundle
from .order import resort
from .state import Charter, State1828

if TYPE_CHECKING:
    from .rules import Rules1828

replace = msgspec.structs.replace


def _value(rules: Rules1828, s: State1828, symbol: str, bundle: Bundle) -> int:
    corporation = s.corporations[symbol]
    return bundle.percent // corporation.unit * rules.price(s, symbol)


def _cheapest(rules: Rules1828, s: State1828, symbol: str, bundle: Bundle) -> int:
    """The value of the cheapest certificate in a bundle, as far as it is sold."""
    alone = bundle.president and not bundle.singles
    return _value(rules, s, symbol, bundle) if alone else rules.price(s, symbol)


def _keeps_presidency(s: State1828, seller: str, owner: Charter, bundle: Bundle) -> bool:
    """§10.6.1b, where ``owner`` is the corporation whose turn it is."""
    if owner.president != seller:
        return True
    others = max(owner.held(p) for p in s.order if p != seller)
    return owner.held(seller) - bundle.percent >= others


def legal(
    rules: Rules1828, s: State1828, owner: Charter, price: int
) -> Iterator[tuple[Charter, Bundle]]:
    """What the president may sell to pay for a train of ``price``."""
    seller = owner.president or ""
    needed = price - owner.cash - cash(s, seller)
    for corporation in rules.started(s):
        for bundle in rules.trading.bundles(s, seller, corporation):
            symbol = corporation.id
            surplus = _value(rules, s, symbol, bundle) - _cheapest(rules, s, symbol, bundle)
            if surplus >= needed:
                continue
            if symbol != owner.id or _keeps_presidency(s, seller, owner, bundle):
                yield corporation, bundle


def sales(rules: Rules1828, s: State1828, owner: Charter, price: int) -> Iterator[Choice]:
    """The choices of the president."""
    for corporation, bundle in legal(rules, s, owner, price):
        yield rules.trading.sale_choice(s, owner.president or "", corporation, bundle)


def check(rules: Rules1828, s: State1828, owner: Charter, a: SellShares, price: int) -> None:
    """Raise unless §10.6.1 allows a sale."""
    corporation, _, bundle = rules.trading.read_sale(s, a, "5.4")
    if (corporation, bundle) in legal(rules, s, owner, price):
        return
    if fault := rules.trading.why_not_sell(s, a.actor, corporation, bundle):
        raise IllegalAction(fault[0], fault[1], "5.4")
    if corporation.id == owner.id and not _keeps_presidency(s, a.actor, owner, bundle):
        text = f"The presidency of {owner.id} cannot be lost by a sale now."
        raise IllegalAction("presidency", text, "10.6.1")
    needed = price - owner.cash - cash(s, a.actor)
    raise IllegalAction("too_much", f"Only ${needed} more are needed; sell less.", "10.6.1")


def sell(rules: Rules1828, s: State1828, a: SellShares) -> int:
    """Carry a sale out; the share price it was made at."""
    corporation, certs, bundle = rules.trading.read_sale(s, a, "5.4")
    price = rules.price(s, corporation.id)
    rules.trading.sell(s, a.actor, corporation.id, certs, bundle.percent)
    resort(rules, s)
    return price


def _best(
    rules: Rules1828, s: State1828, owner: Charter, price: int
) -> dict[str, tuple[int, Bundle]]:
    """The most valuable legal bundle of each corporation."""
    best: dict[str, tuple[int, Bundle]] = {}
    for corporation, bundle in legal(rules, s, owner, price):
        value = _value(rules, s, corporation.id, bundle)
        if corporation.id not in best or value > best[corporation.id][0]:
            best[corporation.id] = (value, bundle)
    return best


def hopeless(rules: Rules1828, s: State1828, owner: Charter, price: int) -> bool:
    """§10.7.1: not even all legal sales together would pay for the train."""
    raised = sum(value for value, _ in _best(rules, s, owner, price).values())
    return owner.cash + cash(s, owner.president or "") + raised < price


def go_bankrupt(rules: Rules1828, s: State1828, owner: Charter) -> None:
    """§10.7.2: everything legal is sold, all cash is lost, the game ends."""
    player = owner.president or ""
    s.now.emit(Bankruptcy(player))
    price = rules.box.trains[s.depot.piles[0].kind].price
    for symbol in _owned(rules, s, player):
        while found := _best(rules, s, s.corporations[owner.id], price).get(symbol):
            corporation, bundle = s.corporations[symbol], found[1]
            certs = rules.trading.certificates(corporation, player, bundle)
            rules.trading.sell(s, player, symbol, certs, bundle.percent)
    resort(rules, s)
    pay(s, player, BANK, cash(s, player), "bankruptcy")
    s.players = put(s.players, player, replace(s.players[player], bankrupt=True))
    finish(s, "bankrupt")


def _owned(rules: Rules1828, s: State1828, player: str) -> list[str]:
    """A player's corporations in the order of §7.5, unfloated ones included."""
    return [c for c in market.by_price(rules.box.market, s) if player in s.corporations[c].certs]
