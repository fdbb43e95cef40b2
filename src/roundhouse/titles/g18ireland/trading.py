"""Trading certificates: bundles that may be sold, single purchases, and both as actions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...bank import cash, pay
from ...model.actions import BuyShares, SellShares
from ...model.choices import Choice, Equal
from ...model.errors import IllegalAction
from ...model.records import BANK, MARKET, Cert
from ...stock import bundles, market, shares
from ...stock.bundles import Bundle, ordinary
from ...stock.shares import share_id
from .state import Charter, State18Ireland

if TYPE_CHECKING:
    from .rules import Rules18Ireland


def most_of_others(rules: Rules18Ireland, s: State18Ireland, who: str, corporation: Charter) -> int:
    """The most any other player holds."""
    return max((corporation.held(p) for p in rules.alive(s) if p != who), default=0)


def sellable(
    rules: Rules18Ireland, s: State18Ireland, who: str, corporation: Charter
) -> Iterator[Bundle]:
    """§5.1, ``sell_shares`` 2–3: what a player may sell of a corporation, smaller ones first."""
    held = corporation.certs.get(who, ())
    if corporation.cell is None or not held:
        return
    badge = next((c.percent for c in held if c.index == 0), 0)
    if most_of_others(rules, s, who, corporation) < badge:
        badge = 0
    room, plain = rules.pool_room(corporation), len(ordinary(corporation, who))
    for bundle in bundles.possible(corporation.unit, plain, badge):
        if bundle.percent <= room:
            yield bundle


def sale_choice(
    rules: Rules18Ireland, s: State18Ireland, who: str, corporation: Charter, bundle: Bundle
) -> Choice:
    """Sell a bundle at the market price."""
    return bundles.sale_choice(s, who, corporation, bundle, rules.price(s, corporation.id))


def named_sale(
    rules: Rules18Ireland, s: State18Ireland, a: SellShares, rule: str
) -> tuple[Charter, list[Cert], Bundle]:
    """What a sale names; raises if it is no set of the seller's certificates of one corporation."""
    symbol, certs, bundle = bundles.named_bundle(s, a, rule)
    bundles.check_named_price(a.share_price, rules.price(s, symbol), rule)
    return s.corporations[symbol], certs, bundle


def check_bundle(
    corporation: Charter, bundle: Bundle, allowed: Iterator[Bundle], room: int, rule: str
) -> None:
    """Raise unless the bundle is one of those allowed."""
    if bundle in tuple(allowed):
        return
    if bundle.percent > room:
        text = f"The pool takes only {max(0, room)} % more of {corporation.id}."
        raise IllegalAction("pool_limit", text, rule)
    if bundle.badge:
        text = f"The president's certificate of {corporation.id} cannot be sold like that."
        raise IllegalAction("presidency", text, rule)
    text = f"{bundle.percent} % of {corporation.id} cannot be sold now."
    raise IllegalAction("unsellable", text, rule)


def sell(
    rules: Rules18Ireland, s: State18Ireland, who: str, symbol: str, certs: list[Cert], percent: int
) -> None:
    """§5.1.4: payment, presidency, and then the price falls a row a share."""
    corporation = s.corporations[symbol]
    count = percent // corporation.unit
    surplus = sum(c.percent for c in certs) - percent
    pay(s, BANK, who, rules.price(s, symbol) * count, "shares")
    shares.move(s, symbol, certs, who, MARKET)
    shares.settle_presidency(s, symbol, rules.alive(s), owed=(who, surplus))
    if surplus:
        back = s.corporations[symbol].certs[MARKET][: surplus // corporation.unit]
        shares.move(s, symbol, back, MARKET, who)
    market.move(s, symbol, rules.box.market.down, "sold", count)


# purchases by players


def why_not_buy(
    rules: Rules18Ireland, s: State18Ireland, who: str, corporation: Charter
) -> tuple[str, str] | None:
    """§5.1, ``buy_shares`` 1–3, this round's sales aside; None if he may."""
    symbol, held = corporation.id, corporation.held(who)
    most = rules.max_holding(corporation)
    if corporation.cell is None:
        return "not_started", f"{symbol} has not started."
    if rules.price(s, symbol) > cash(s, who):
        return "no_cash", f"{symbol} costs £{rules.price(s, symbol)}; you have £{cash(s, who)}."
    if held + corporation.unit > most:
        return "holding_limit", f"You hold {held} % of {symbol}; {most} % is the most."
    if rules.full(s, who) and not rules.in_zone(corporation, "no_cert_limit"):
        return "cert_limit", f"You hold {rules.cert_limit(s)} certificates, the limit."
    return None


def purchase_choices(
    rules: Rules18Ireland, s: State18Ireland, who: str, corporation: Charter
) -> Iterator[Choice]:
    """Buy one certificate from the treasury, or one from the pool."""
    unit, price = corporation.unit, rules.price(s, corporation.id)
    for holder in (corporation.id, MARKET):
        names = [(share_id(corporation.id, c),) for c in ordinary(corporation, holder)]
        if names:
            yield Choice(
                BuyShares(
                    entity=s.players[who].id, entity_type="player", shares=names[0], percent=unit
                ),
                {
                    "shares": Equal(*names),
                    "percent": Equal(unit, None),
                    "share_price": Equal(None, price),
                },
            )


def named_share(
    rules: Rules18Ireland, s: State18Ireland, a: BuyShares, rule: str
) -> tuple[Charter, str, Cert]:
    """The one certificate for sale that is named, its corporation and its holder."""
    found = shares.locate(s, a.shares[0]) if len(a.shares) == 1 else None
    if found is None:
        raise IllegalAction("one_share", "Name one existing certificate to buy.", rule)
    symbol, holder, cert = found
    if holder not in (MARKET, symbol) or cert.index == 0:
        raise IllegalAction("not_for_sale", f"{a.shares[0]} is not for sale.", rule)
    if a.percent not in (None, cert.percent):
        raise IllegalAction("percent", f"That certificate is {cert.percent} %.", rule)
    bundles.check_named_price(a.share_price, rules.price(s, symbol), rule)
    return s.corporations[symbol], holder, cert


def buy(rules: Rules18Ireland, s: State18Ireland, who: str, symbol: str, cert: Cert) -> None:
    """§5.1.5: a player buys; the treasury's shares pay the corporation, the pool's the bank."""
    corporation = s.corporations[symbol]
    holder = symbol if cert in corporation.certs.get(symbol, ()) else MARKET
    pay(s, who, symbol if holder == symbol else BANK, rules.price(s, symbol), "shares")
    shares.move(s, symbol, (cert,), holder, who)
    shares.settle_presidency(s, symbol, rules.alive(s))
