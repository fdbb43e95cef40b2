"""How shares are traded (§5.4–5.7): mixed purchases of a director, and sales in which a new
director's certificates go to the pool."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...bank import pay
from ...model.actions import BuyShares, EntityId
from ...model.choices import Choice, Domain, Equal, InOrder
from ...model.errors import IllegalAction
from ...model.kept import kept
from ...model.records import BANK, MARKET, Cert, Corporation
from ...rounds.step import Fault
from ...rounds.steps.trading import Trading
from ...stock import shares
from ...stock.bundles import Bundle, possible, trader
from ...stock.shares import share_id
from .rules import Rules1839
from .state import FOREIGN, State1839

UNIT = 10
#: Most 10 % certificates a new director hands over for the director's one.
SWAPPED = 2


class Trading1839(Trading[State1839, Rules1839, Corporation]):
    """A bundle may consist of one's own 10 % certificates and of those a new director hands over;
    with any of these the action names the director's certificate (§5.4)."""

    sections = {"cert_limit": "5.8"}

    def singles(self, c: Corporation, holder: str) -> tuple[Cert, ...]:
        """A holder's 10 % certificates, lowest index first."""
        held = [x for x in c.certs.get(holder, ()) if x.index or c.kind == FOREIGN]
        return tuple(sorted(held, key=lambda x: x.index))

    def successor(self, c: Corporation, director: str, order: Sequence[str]) -> str:
        """Who follows a director: the one with most, ties in card order after him (§5.7)."""
        others = [p for p in shares.clockwise(order, director) if p != director]
        return max(others, key=c.held)

    # selling (§5.4)

    def why_unsellable(self, c: Corporation) -> Fault | None:
        if c.kind == FOREIGN and c.cell is None:
            return "no_price", f"{c.id} has no price yet."
        if c.kind != FOREIGN and not c.floated:
            return "not_floated", f"{c.id} has not floated; its shares cannot be sold."
        return None

    def bundles(self, c: Corporation, seller: str, players: tuple[str, ...]) -> Iterator[Bundle]:
        if seller not in c.certs or self.why_unsellable(c):
            return
        own, held = len(self.names(c, seller)), c.held(seller)
        if c.president != seller:
            yield from possible(UNIT, own)
            return
        most = c.held(self.successor(c, seller, players))
        for count in range(1, held // UNIT + 1):
            if most <= held - count * UNIT:
                if count <= own:
                    yield Bundle(count, False, count * UNIT)
            elif most >= SWAPPED * UNIT:
                for received in range(SWAPPED + 1):
                    if 0 <= count - received <= own:
                        yield Bundle(count - received, received > 0, count * UNIT)

    def why_no_bundle(self, s: State1839, seller: str, c: Corporation, bundle: Bundle) -> Fault:
        """If the percent can be meant, the reason is always the directorship."""
        received, rest = divmod(bundle.percent - bundle.singles * UNIT, UNIT)
        if rest or (received not in (1, SWAPPED) if bundle.president else received != 0):
            return "percent", f"These certificates are not {bundle.percent} %."
        text = (
            f"Selling {bundle.percent} % of {c.id} like that is possible only if somebody else"
            f" holds at least {SWAPPED * UNIT} % and more than you keep."
        )
        return "directorship", text

    def sale_prices(self, s: State1839, c: Corporation) -> Domain:
        """§16: a sale names certificates and a percentage only."""
        return Equal(None)

    def sell(
        self,
        s: State1839,
        seller: str,
        symbol: str,
        certs: Sequence[Cert],
        percent: int,
        price: int | None = None,
    ) -> None:
        """The directorship goes first if it must."""
        c = s.corporations[symbol]
        pay(s, BANK, seller, self.rules.price(s, symbol) * percent // UNIT, "shares")
        gone = [x for x in certs if x.percent == UNIT]
        if c.president == seller:
            heir = self.successor(c, seller, s.order)
            if c.held(heir) > c.held(seller) - percent:
                received = percent // UNIT - len(gone)
                gone += self.hand_over(s, symbol, seller, heir)[:received]
        shares.move(s, symbol, gone, seller, MARKET)

    def hand_over(self, s: State1839, symbol: str, old: str, new: str) -> tuple[Cert, ...]:
        """§5.7: the director's certificate against two 10 % ones; returns these."""
        c = s.corporations[symbol]
        given = self.singles(c, new)[:SWAPPED]
        presidency = next(x for x in c.certs[old] if x.index == 0)
        shares.move(s, symbol, given, new, old)
        shares.move(s, symbol, (presidency,), old, new)
        shares.set_president(s, symbol, new)
        return given

    def take_presidency(self, s: State1839, player: str, symbol: str) -> None:
        """§5.6."""
        super().take_presidency(s, player, symbol)
        self.rules.float_if_sold(s, symbol)

    # buying (§5.5)

    @kept
    def mixes(self, c: Corporation, count: int) -> tuple[tuple[str, ...], ...]:
        """From where so many 10 % certificates of a company could come, one after another."""
        piles = {x: len(self.names(c, x)) for x in (c.id, MARKET)}
        found: list[tuple[str, ...]] = [()]
        for _ in range(count):
            found = [(*f, x) for f in found for x, left in piles.items() if f.count(x) < left]
        return tuple(found)

    def why_not_from(
        self, s: State1839, player: str, c: Corporation, sources: Sequence[str]
    ) -> Fault | None:
        """Why a player cannot buy 10 % certificates of a company, one after another from
        ``sources`` (the company's own symbol: IPO or charter; the pool), sales of this round
        aside."""
        if c.cell is None:
            return "not_started", f"{c.id} has not been started."
        if c.kind == FOREIGN and not self.rules.has_status(s, "foreign_shares"):
            return "foreign", "Foreign shares are sold from the Green phase on."
        if len(sources) > 1 and c.president != player:
            return "one", "Only the director buys more than one certificate of a company at a time."
        most = self.rules.constants.bulk
        if len(sources) * UNIT > most:
            return "bulk", f"A director buys {most} % at most in one turn."
        total = self.rules.price(s, c.id) * len(sources)
        if fault := self.rules.why_no_cash(s, player, total):
            return fault
        return None if c.kind == FOREIGN else self._why_over(s, player, c, sources)

    def _why_over(
        self, s: State1839, player: str, c: Corporation, sources: Sequence[str]
    ) -> Fault | None:
        """The limits, certificate by certificate."""
        rules, most, bonus = self.rules, self.max_holding(s, c), self.rules.constants.bonus
        held, count = c.held(player), self.count(s, player)
        limit = rules.cert_limit(s)
        if count + len(sources) > limit:
            limit = rules.limit_of(s, player)
        for source in sources:
            if count >= limit:
                return "cert_limit", f"You hold {count} certificates; the limit is {limit}."
            if source == c.id and held + UNIT > most:
                return "holding", f"{most} % of a company is the most one buys out of its IPO."
            if held < bonus.holding <= held + UNIT:
                limit += bonus.certificates
            held, count = held + UNIT, count + 1
        return None

    def max_holding(self, s: State1839, c: Corporation) -> int:
        """Out of the IPO."""
        return self.rules.constants.max_holding

    def mixed_choice(
        self, s: State1839, player: str, c: Corporation, sources: Sequence[str]
    ) -> Choice:
        """Buy certificates one after another from sources."""
        return self._mixed_choice(c, tuple(sources), trader(s, player))

    @kept
    def _mixed_choice(
        self, c: Corporation, sources: tuple[str, ...], buyer: tuple[EntityId, Any]
    ) -> Choice:
        domain = InOrder(tuple([self.names(c, x) for x in sources]))
        names, percent = next(domain.values()), UNIT * len(sources)
        return self.buying(buyer, names, percent, {"shares": domain})

    def read_mixed(
        self, s: State1839, a: BuyShares, rule: str
    ) -> tuple[Corporation, list[tuple[str, Cert]]]:
        """The company of a purchase, and each certificate with its source; raises
        :class:`IllegalAction` if these are not for sale."""
        symbol, held = self.read_named(s, a, rule)
        c = s.corporations[symbol]
        for holder, cert in held:
            if holder not in (c.id, MARKET) or cert.percent != UNIT:
                text = f"{share_id(c.id, cert)} is not for sale."
                raise IllegalAction("not_for_sale", text, rule)
        if a.share_price is not None:
            raise IllegalAction("percent", "A purchase does not name the price of a share.", "16")
        self.insist_percent(a.percent, UNIT * len(held), "16")
        return c, held

    def buy_one(self, s: State1839, player: str, symbol: str, source: str, cert: Cert) -> None:
        """One certificate: money, certificate, float, director."""
        foreign = s.corporations[symbol].kind == FOREIGN and source == symbol
        payee = self.rules.country_of(symbol) if foreign else BANK
        pay(s, player, payee, self.rules.price(s, symbol) * cert.percent // UNIT, "shares")
        shares.move(s, symbol, (cert,), source, player)
        self.rules.float_if_sold(s, symbol)
        c = s.corporations[symbol]
        director = c.president
        if director is not None and c.held(player) > c.held(director):
            self.hand_over(s, symbol, director, player)
