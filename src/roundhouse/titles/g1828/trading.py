"""Trading certificates (§5.2–5.4): what stock rounds, emergencies and exchanges share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from ...bank import pay
from ...model.actions import SellShares
from ...model.errors import IllegalAction
from ...model.records import BANK, MARKET, Cert, put
from ...stock import shares
from ...stock.bundles import Bundle, check_named_price, has_badge, named_bundle, ordinary
from . import ongoing, presidency
from .presidency import BADGE
from .state import Charter, State1828, StockRound

if TYPE_CHECKING:
    from .rules import Rules1828

replace = msgspec.structs.replace


def singles(corporation: Charter, holder: str) -> tuple[Cert, ...]:
    """A holder's certificates without the president's and the treasury share."""
    held = corporation.certs.get(holder, ())
    return tuple(c for c in held if c.index not in (0, corporation.treasury))


def bundles(rules: Rules1828, s: State1828, seller: str, corporation: Charter) -> Iterator[Bundle]:
    """§5.4.2–3: what a player could sell of one corporation as far as it is concerned."""
    if corporation.cell is None or seller not in corporation.certs:
        return
    unit, own = corporation.unit, len(ordinary(corporation, seller))
    room = rules.constants.pool_limit - corporation.held(MARKET)
    for count in range(1, min(own, room // unit) + 1):
        yield Bundle(count, False, count * unit)
    if not has_badge(corporation, seller):
        return
    if _heir(s, seller, corporation) < BADGE:
        return
    for percent in (own * unit + unit, own * unit + BADGE):
        if percent <= room:
            yield Bundle(own, True, percent)


def _heir(s: State1828, seller: str, corporation: Charter) -> int:
    """The most another player holds."""
    return max(corporation.held(p) for p in s.order if p != seller)


def read_sale(rules: Rules1828, s: State1828, a: SellShares) -> tuple[Charter, list[Cert], Bundle]:
    """What a sale names; raises if the certificates are not the seller's or not of one kind."""
    symbol, certs, bundle = named_bundle(s, a, "5.4.1")
    check_named_price(a.share_price, rules.price(s, symbol), "5.4.4")
    return s.corporations[symbol], certs, bundle


def check_sale(
    rules: Rules1828, s: State1828, seller: str, corporation: Charter, bundle: Bundle
) -> None:
    """Raise unless §5.4.2–3 allow the sale."""
    if bundle in bundles(rules, s, seller, corporation):
        return
    if corporation.cell is None:
        raise IllegalAction("not_started", f"{corporation.id} has no price yet.", "5.4.1")
    pool, limit = corporation.held(MARKET), rules.constants.pool_limit
    if pool + bundle.percent > limit:
        text = f"The pool holds {pool} % of {corporation.id}; {limit} % is the most it takes."
        raise IllegalAction("pool_limit", text, "5.4.2")
    if bundle.badge and _heir(s, seller, corporation) < BADGE:
        text = f"Another player must hold {BADGE} % of {corporation.id} to become president."
        raise IllegalAction("presidency", text, "5.4.2")
    if bundle.badge and bundle.singles < len(ordinary(corporation, seller)):
        text = "With the president's certificate all your other shares are sold."
        raise IllegalAction("singles_first", text, "5.4.3")
    raise IllegalAction("percent", f"These certificates are not {bundle.percent} %.", "5.4.3")


def sell(
    rules: Rules1828, s: State1828, seller: str, symbol: str, certs: Sequence[Cert], percent: int
) -> None:
    """§5.4.4–5: money, certificates, presidency, price."""
    corporation = s.corporations[symbol]
    units = percent // corporation.unit
    pay(s, BANK, seller, rules.price(s, symbol) * units, "shares")
    shares.move(s, symbol, certs, seller, MARKET)
    presidency.settle(s, symbol)
    if sum(c.percent for c in certs) > percent:
        back = s.corporations[symbol].certs[MARKET][:1]
        shares.move(s, symbol, back, MARKET, seller)
    rules.move_price(s, symbol, "down", "sale", units)
    ongoing.give_chance(s, symbol)


def unit_price(rules: Rules1828, s: State1828, symbol: str, source: str) -> int:
    """§5.2.2: par price from a plain corporation's own hand, else the market price."""
    corporation = s.corporations[symbol]
    if source == symbol and not corporation.system:
        return corporation.par or 0
    return rules.price(s, symbol)


def hand_over(
    rules: Rules1828, s: State1828, symbol: str, cert: Cert, source: str, player: str
) -> None:
    """A certificate comes to a player: presidency and float (§5.2.7)."""
    shares.move(s, symbol, (cert,), source, player)
    ongoing.give_chance(s, symbol)
    presidency.settle(s, symbol, handed=cert.index == 0)
    presidency.test_float(rules, s, symbol)


def over_limit(rules: Rules1828, s: State1828, player: str, corporation: Charter) -> bool:
    """§5.2.3, §6.1: whether one more unit is too much for a player."""
    if rules.grey(s, corporation.id) and "limit_60_always" not in rules.options:
        return False
    return corporation.held(player) + corporation.unit > rules.constants.max_holding


def mark_sold(s: State1828, player: str, symbol: str) -> None:
    """§5.4.6: in this stock round he cannot buy that corporation any more."""
    assert isinstance(s.round, StockRound)
    mine = tuple(dict.fromkeys((*s.round.sold.get(player, ()), symbol)))
    s.round = replace(s.round, sold=put(s.round.sold, player, mine))
