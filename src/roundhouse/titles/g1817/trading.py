"""Trading certificates: what purchases, short sales and buy-backs share across rounds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...bank import cash, pay
from ...model.actions import BuyShares, SellShares
from ...model.choices import Anything, Choice, Equal, Pick
from ...model.errors import IllegalAction
from ...model.records import BANK, MARKET, Cert
from ...stock import bundles, shares
from ...stock.bundles import Bundle
from ...stock.shares import share_id
from .state import Charter, State1817

if TYPE_CHECKING:
    from .rules import Rules1817


def named_sale(
    rules: Rules1817, s: State1817, a: SellShares, rule: str
) -> tuple[Charter, list[Cert], Bundle]:
    """What a sale names; raises if these are no shares of the seller's, or not of one kind."""
    symbol, certs, bundle = bundles.named_bundle(s, a, rule)
    bundles.check_named_price(a.share_price, rules.price(s, symbol), rule)
    return s.corporations[symbol], certs, bundle


def single(s: State1817, names: tuple[str, ...], rule: str) -> tuple[Charter, str, Cert]:
    """The one certificate a buyer names, with its corporation and holder."""
    found = shares.locate(s, names[0]) if len(names) == 1 else None
    if found is None:
        raise IllegalAction("one_share", "Name one existing certificate to buy.", rule)
    return s.corporations[found[0]], found[1], found[2]


def check_purchase(
    rules: Rules1817, s: State1817, a: BuyShares, corporation: Charter, holder: str, cert: Cert
) -> None:
    """§5.1.7, cash and this round's sales aside."""
    symbol = corporation.id
    if holder not in (MARKET, symbol) or cert.index == 0 or cert.percent < 0:
        raise IllegalAction("not_for_sale", f"{share_id(symbol, cert)} is not for sale.", "5.1.7")
    if not rules.white(s, symbol):
        raise IllegalAction("zone", f"{symbol} is not in the white zone of the market.", "5.1.7")
    if a.percent not in (None, cert.percent):
        raise IllegalAction("percent", f"That certificate is {cert.percent} %.", "5.1.7")
    if not rules.may_gain(s, a.actor, symbol, cert.percent):
        held, most = corporation.held(a.actor), rules.max_holding(corporation)
        if held + cert.percent > most:
            text = f"You hold {held} % of {symbol}; {most} % is the most one may hold."
            raise IllegalAction("holding_limit", text, "6.3")
        limit = rules.cert_limit(s)
        raise IllegalAction("cert_limit", f"You hold {limit} certificates, the limit.", "2.2")


def purchase(player: int | str, corporation: Charter, certs: tuple[Cert, ...]) -> Choice:
    """Buy one of some equal certificates."""
    names = [(share_id(corporation.id, c),) for c in certs]
    unit = corporation.unit
    return Choice(
        BuyShares(entity=player, entity_type="player", shares=names[0], percent=unit),
        {"shares": Equal(*names), "percent": Equal(unit, None), "share_price": Anything()},
    )


def sales(
    rules: Rules1817, s: State1817, seller: str, corporation: Charter, most: int
) -> Iterator[Choice]:
    """Sell one or more, up to ``most``, of a player's shares without the president's."""
    price = rules.price(s, corporation.id)
    for bundle in bundles.possible(corporation.unit, most):
        yield bundles.sale_choice(s, seller, corporation, bundle, price)


def sell_short(rules: Rules1817, s: State1817, player: str, symbol: str) -> None:
    """§6.6.1: a short for the player, its regular twin for the market, where both kinds may lie
    side by side until shares are sold (§6.6.3)."""
    corporation = s.corporations[symbol]
    top, unit = max(9, shares.highest_index(corporation)), corporation.unit
    pay(s, BANK, player, rules.price(s, symbol), "short")
    shares.create(s, symbol, player, top + 2, -unit)
    shares.create(s, symbol, MARKET, top + 1, unit)


def redeemable(rules: Rules1817, s: State1817, symbol: str) -> int:
    """§5.1.7: how many of its shares a corporation could buy back from the market."""
    corporation = s.corporations[symbol]
    if not rules.white(s, symbol):
        return 0
    in_market = len(rules.ordinary(corporation, MARKET))
    return min(in_market, corporation.cash // rules.price(s, symbol)) if in_market else 0


def redemptions(rules: Rules1817, s: State1817, symbol: str) -> Iterator[Choice]:
    """A corporation buys back one or more of its shares."""
    corporation = s.corporations[symbol]
    pool = tuple(share_id(symbol, c) for c in rules.ordinary(corporation, MARKET))
    for count in range(1, redeemable(rules, s, symbol) + 1):
        percent = count * corporation.unit
        yield Choice(
            BuyShares(
                entity=symbol, entity_type="corporation", shares=pool[:count], percent=percent
            ),
            {
                "shares": Pick(count, pool),
                "percent": Equal(percent, None),
                "share_price": Anything(),
            },
        )


def check_redemption(rules: Rules1817, s: State1817, symbol: str, a: BuyShares) -> None:
    """§5.1.7: own shares from the market, in the white zone, for cash."""
    corporation, price = s.corporations[symbol], rules.price(s, symbol)
    if not rules.white(s, symbol):
        raise IllegalAction("zone", f"{symbol} is not in the white zone of the market.", "5.1.7")
    mine = {share_id(symbol, c) for c in rules.ordinary(corporation, MARKET)}
    if not a.shares or len(set(a.shares)) != len(a.shares) or not mine.issuperset(a.shares):
        raise IllegalAction("not_for_sale", f"{symbol} buys its own shares in the market.", "5.1.7")
    if a.percent not in (None, len(a.shares) * corporation.unit):
        raise IllegalAction("percent", f"{a.percent} % are not these certificates.", "5.1.7")
    total = price * len(a.shares)
    if corporation.cash < total:
        raise IllegalAction(
            "no_cash", f"That costs ${total}; {symbol} has ${corporation.cash}.", "5.1.7"
        )


def redeem(rules: Rules1817, s: State1817, symbol: str, names: tuple[str, ...]) -> None:
    """Buy back."""
    by_name = {share_id(symbol, c): c for c in s.corporations[symbol].certs[MARKET]}
    pay(s, symbol, BANK, rules.price(s, symbol) * len(names), "shares")
    shares.move(s, symbol, [by_name[n] for n in names], MARKET, symbol)


def can_afford(rules: Rules1817, s: State1817, player: str, symbol: str) -> bool:
    """Whether a player has the price of a share."""
    return cash(s, player) >= rules.price(s, symbol)
