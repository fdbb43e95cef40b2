"""Selling and buying certificates: what the stock round and an emergency share (§5.4–5.7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ...bank import cash, pay
from ...model.actions import SellShares
from ...model.choices import Choice, Domain, Equal
from ...model.errors import IllegalAction
from ...model.records import BANK, MARKET, Cert, Corporation
from ...stock import shares
from ...stock.shares import share_id
from .state import FOREIGN, State1839

if TYPE_CHECKING:
    from random import Random

    from .rules import Rules1839

UNIT = 10
#: Most 10 % certificates a new director hands over for the director's one.
SWAPPED = 2


class Bundle(NamedTuple):
    """A legal sale: so many of one's own 10 % certificates, and so many of those a new director
    hands over; with any of these the action names the director's certificate (§5.4)."""

    own: int
    received: int = 0

    @property
    def size(self) -> int:
        return self.own + self.received


def ordinary(c: Corporation, holder: str) -> tuple[Cert, ...]:
    """A holder's 10 % certificates, lowest index first."""
    held = [x for x in c.certs.get(holder, ()) if x.index or c.kind == FOREIGN]
    return tuple(sorted(held, key=lambda x: x.index))


def successor(s: State1839, c: Corporation, director: str) -> str:
    """Who follows a director: the one with most, ties in card order after him (§5.7)."""
    others = [p for p in shares.clockwise(s.order, director) if p != director]
    return max(others, key=c.held)


# selling (§5.4)


def why_unsellable(
    rules: Rules1839, s: State1839, c: Corporation, *, first_round: bool
) -> tuple[str, str] | None:
    """Why nothing of a company can be sold now; a code and a sentence."""
    if c.kind == FOREIGN and c.cell is None:
        return "no_price", f"{c.id} has no price yet."
    if c.kind != FOREIGN and not c.floated:
        return "not_floated", f"{c.id} has not floated; its shares cannot be sold."
    if first_round and "sell_in_sr1" not in rules.options:
        return "first_round", "Nothing is sold in the first stock round."
    return None


def bundles(s: State1839, player: str, c: Corporation) -> Iterator[Bundle]:
    """Everything a player may sell of a company, its price and the moment aside."""
    own, held = len(ordinary(c, player)), c.held(player)
    if c.president != player:
        yield from (Bundle(k) for k in range(1, own + 1))
        return
    heir = successor(s, c, player)
    for count in range(1, held // UNIT + 1):
        if c.held(heir) <= held - count * UNIT:
            if count <= own:
                yield Bundle(count)
        elif c.held(heir) >= SWAPPED * UNIT:
            for received in range(SWAPPED + 1):
                if 0 <= count - received <= own:
                    yield Bundle(count - received, received)


class SoldShares(Domain):
    """So many of the equal ``pool`` in any order, then the director's certificate if named."""

    def __init__(self, count: int, pool: tuple[str, ...], badge: tuple[str, ...]) -> None:
        self.count, self.pool, self.badge = count, pool, badge

    def __repr__(self) -> str:
        return f"SoldShares({self.count}, {self.pool}, {self.badge})"

    def values(self) -> Iterator[tuple[str, ...]]:
        yield self.pool[: self.count] + self.badge

    def contains(self, value: Any) -> bool:
        names = tuple(value)
        rest = tuple(n for n in names if n not in self.badge)
        return (
            len(set(names)) == len(names) == self.count + len(self.badge)
            and len(rest) == self.count
            and set(rest) <= set(self.pool)
        )

    def draw(self, rng: Random) -> tuple[str, ...]:
        return (*rng.sample(self.pool, self.count), *self.badge)


def sale_choice(player: int | str, c: Corporation, who: str, bundle: Bundle) -> Choice:
    """A bundle as something that can be chosen."""
    pool = tuple(share_id(c.id, x) for x in ordinary(c, who))
    badge = (f"{c.id}_0",) if bundle.received else ()
    domain = SoldShares(bundle.own, pool, badge)
    percent = bundle.size * UNIT
    full = bundle.received in (0, SWAPPED)
    return Choice(
        SellShares(
            entity=player, entity_type="player", shares=next(domain.values()), percent=percent
        ),
        {"shares": domain, "percent": Equal(percent, None) if full else Equal(percent)},
    )


def read_sale(s: State1839, a: SellShares, rule: str) -> tuple[Corporation, Bundle, list[Cert]]:
    """Company, bundle and own 10 % certificates of a sale; raises if they are not the seller's."""
    certs: list[Cert] = []
    symbols = set()
    for name in a.shares:
        found = shares.locate(s, name)
        if found is None or found[1] != a.actor:
            raise IllegalAction("not_yours", f"{name} is no certificate of yours.", rule)
        symbols.add(found[0])
        certs.append(found[2])
    if len(symbols) != 1 or len(set(a.shares)) != len(a.shares):
        raise IllegalAction("bundle", "Sell certificates of one company at a time.", rule)
    c = s.corporations[symbols.pop()]
    full = sum(x.percent for x in certs)
    percent = full if a.percent is None else a.percent
    own = [x for x in certs if x.percent == UNIT]
    received = percent // UNIT - len(own)
    named = len(certs) > len(own)
    if percent % UNIT or (received not in (1, 2) if named else received != 0):
        raise IllegalAction("percent", f"These certificates are {full} %, not {percent} %.", rule)
    return c, Bundle(len(own), received), own


def check_bundle(s: State1839, player: str, c: Corporation, bundle: Bundle, rule: str) -> None:
    """Raise unless a bundle is legal; the reason is always the directorship."""
    if bundle in bundles(s, player, c):
        return
    least = SWAPPED * UNIT
    raise IllegalAction(
        "directorship",
        f"Selling {bundle.size * UNIT} % of {c.id} like that is possible only if somebody else"
        f" holds at least {least} % and more than you keep.",
        rule,
    )


def sell(
    rules: Rules1839, s: State1839, player: str, symbol: str, own: Sequence[Cert], bundle: Bundle
) -> None:
    """Certificates to the pool, money to the seller; the directorship goes first if it must."""
    c = s.corporations[symbol]
    pay(s, BANK, player, rules.price(s, symbol) * bundle.size, "shares")
    gone = list(own)
    if c.president == player:
        heir = successor(s, c, player)
        if c.held(heir) > c.held(player) - bundle.size * UNIT:
            gone += hand_over(s, symbol, player, heir)[: bundle.received]
    shares.move(s, symbol, gone, player, MARKET)


def hand_over(s: State1839, symbol: str, old: str, new: str) -> tuple[Cert, ...]:
    """§5.7: the director's certificate against two 10 % ones; returns these."""
    c = s.corporations[symbol]
    given = ordinary(c, new)[:SWAPPED]
    badge = next(x for x in c.certs[old] if x.index == 0)
    shares.move(s, symbol, given, new, old)
    shares.move(s, symbol, (badge,), old, new)
    shares.set_president(s, symbol, new)
    return given


# buying (§5.5)


def why_not_buy(
    rules: Rules1839, s: State1839, player: str, c: Corporation, sources: Sequence[str]
) -> tuple[str, str] | None:
    """Why a player cannot buy 10 % certificates of a company, one after another from ``sources``
    (the company's own symbol: IPO or charter; the pool), sales of this round aside."""
    if c.cell is None:
        return "not_started", f"{c.id} has not been started."
    if c.kind == FOREIGN and not rules.has_status(s, "foreign_shares"):
        return "foreign", "Foreign shares are sold from the Green phase on."
    if len(sources) > 1 and c.president != player:
        return "one", "Only the director buys more than one certificate of a company at a time."
    if len(sources) * UNIT > rules.constants.bulk:
        return "bulk", f"A director buys {rules.constants.bulk} % at most in one turn."
    total = rules.price(s, c.id) * len(sources)
    if total > cash(s, player):
        return "no_cash", f"That costs ƒ{total}; you have ƒ{cash(s, player)}."
    return None if c.kind == FOREIGN else _why_over(rules, s, player, c, sources)


def _why_over(
    rules: Rules1839, s: State1839, player: str, c: Corporation, sources: Sequence[str]
) -> tuple[str, str] | None:
    """The limits, certificate by certificate."""
    constants = rules.constants
    held, count, limit = c.held(player), rules.certificates(s, player), rules.limit_of(s, player)
    for source in sources:
        if count >= limit:
            return "cert_limit", f"You hold {count} certificates; the limit is {limit}."
        if source == c.id and held + UNIT > constants.max_holding:
            most = constants.max_holding
            return "holding", f"{most} % of a company is the most one buys out of its IPO."
        if held < constants.bonus.holding <= held + UNIT:
            limit += constants.bonus.certificates
        held, count = held + UNIT, count + 1
    return None


def buy(rules: Rules1839, s: State1839, player: str, symbol: str, cert: Cert, source: str) -> None:
    """One certificate: money, certificate, float, director."""
    c = s.corporations[symbol]
    seller = rules.country_of(symbol) if c.kind == FOREIGN and source == symbol else BANK
    pay(s, player, seller, rules.price(s, symbol) * cert.percent // UNIT, "shares")
    shares.move(s, symbol, (cert,), source, player)
    rules.float_if_sold(s, symbol)
    c = s.corporations[symbol]
    director = c.president
    if director is not None and c.held(player) > c.held(director):
        hand_over(s, symbol, director, player)
