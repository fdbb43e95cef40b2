"""Trading certificates (§5.2–5.4): what stock rounds, emergencies and exchanges share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ...bank import pay
from ...model.actions import SellShares
from ...model.choices import Choice, Equal, Pick
from ...model.errors import IllegalAction
from ...model.records import BANK, MARKET, Cert, put
from ...stock import shares
from ...stock.shares import share_id
from . import presidency
from .presidency import BADGE
from .state import Charter, State1828, StockRound

if TYPE_CHECKING:
    from .rules import Rules1828

replace = msgspec.structs.replace


class Bundle(NamedTuple):
    """Certificates sold together: how many single units, whether with the president's
    certificate, and the percent sold (less than their sum: one unit is kept, §5.4.3)."""

    singles: int
    with_badge: bool
    percent: int


def singles(corporation: Charter, holder: str) -> tuple[Cert, ...]:
    """A holder's certificates without the president's and the treasury share."""
    held = corporation.certs.get(holder, ())
    return tuple(c for c in held if c.index not in (0, corporation.treasury))


def has_badge(corporation: Charter, holder: str) -> bool:
    """Whether a holder has the president's certificate."""
    return any(c.index == 0 for c in corporation.certs.get(holder, ()))


def bundles(rules: Rules1828, s: State1828, seller: str, corporation: Charter) -> Iterator[Bundle]:
    """§5.4.2–3: what a player could sell of one corporation as far as it is concerned."""
    if corporation.cell is None or seller not in corporation.certs:
        return
    unit, own = corporation.unit, len(singles(corporation, seller))
    room = rules.constants.pool_limit - corporation.held(MARKET)
    for count in range(1, min(own, room // unit) + 1):
        yield Bundle(count, False, count * unit)
    if not has_badge(corporation, seller):
        return
    most = max(corporation.held(p) for p in s.order if p != seller)
    if most < BADGE:
        return
    for count in range(own + 1):
        for percent in (count * unit + unit, count * unit + BADGE):
            if percent <= room and corporation.held(seller) - percent < most:
                yield Bundle(count, True, percent)


def check_price(named: Any, price: int) -> None:
    """Raise if an action names another share price than the one that holds."""
    if named not in (None, price):
        raise IllegalAction("share_price", f"The price is ${price} a share, not {named}.", "5.2.2")


def sale_choice(
    rules: Rules1828, s: State1828, seller: str, corporation: Charter, bundle: Bundle
) -> Choice:
    """Sell one bundle; equal certificates are interchangeable."""
    pool = tuple(share_id(corporation.id, c) for c in singles(corporation, seller))
    fixed = (share_id(corporation.id, Cert(0, BADGE)),) if bundle.with_badge else ()
    full = bundle.singles * corporation.unit + BADGE * bundle.with_badge
    percents = (bundle.percent, None) if bundle.percent == full else (bundle.percent,)
    return Choice(
        SellShares(
            entity=s.players[seller].id,
            entity_type="player",
            shares=pool[: bundle.singles] + fixed,
            percent=bundle.percent,
        ),
        {
            "shares": Pick(bundle.singles, pool, fixed),
            "percent": Equal(*percents),
            "share_price": Equal(None, rules.price(s, corporation.id)),
        },
    )


def read_sale(rules: Rules1828, s: State1828, a: SellShares) -> tuple[Charter, list[Cert], Bundle]:
    """What a sale names; raises if the certificates are not the seller's or not of one kind."""
    certs: list[Cert] = []
    symbols = set()
    for name in a.shares:
        found = shares.locate(s, name)
        if found is None or found[1] != a.actor:
            raise IllegalAction("not_yours", f"{name} is no share certificate of yours.", "5.4.1")
        symbols.add(found[0])
        certs.append(found[2])
    if len(symbols) != 1 or len(set(a.shares)) != len(a.shares):
        raise IllegalAction(
            "bundle", "Sell different certificates of one corporation at a time.", "5.4.1"
        )
    if a.swap is not None:
        raise IllegalAction("swap", "Nothing is swapped in a sale.", "5.4.1")
    symbol = symbols.pop()
    check_price(a.share_price, rules.price(s, symbol))
    full = sum(c.percent for c in certs)
    badge = any(c.index == 0 for c in certs)
    percent = full if a.percent is None else a.percent
    return s.corporations[symbol], certs, Bundle(len(certs) - badge, badge, percent)


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
    if bundle.with_badge:
        text = f"Another player must hold 20 % of {corporation.id}, and more than you keep."
        raise IllegalAction("presidency", text, "5.4.2")
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
