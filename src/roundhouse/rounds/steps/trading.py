"""Trading: how shares are sold and bought, in stock turns and wherever else that is done.

A title names its own as ``trading`` of its rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar, cast

from ...bank import pay
from ...model.actions import BuyShares, EntityId, SellShares
from ...model.choices import Choice, Domain, Equal, Pick
from ...model.errors import IllegalAction
from ...model.kept import kept
from ...model.records import BANK, MARKET, Cert, Corporation
from ...stock import shares
from ...stock.bundles import Bundle, bundle_choice, named_certs, possible, president_percent, trader
from ...stock.shares import most_of_others, share_id
from ..rules import Part, R, S

if TYPE_CHECKING:
    from ..step import Fault


#: The records of the companies shares are of.
C = TypeVar("C", bound=Corporation)


class Sale(NamedTuple, Generic[C]):
    """What a sale names."""

    corporation: C
    certs: list[Cert]
    bundle: Bundle


class Purchase(NamedTuple, Generic[C]):
    """What a purchase names, and who has it: the company itself or the pool."""

    corporation: C
    source: str
    certs: tuple[Cert, ...]


class Trading(Part[S, R], Generic[S, R, C]):
    """Sales and purchases of shares by players. What is told of a company's record alone is asked
    once for it.

    ``pays_company``: the price of a company's own shares goes to it, not to the bank.
    ``sections``: by code of a refusal the section it rests on, if not that of the step.
    """

    pays_company: ClassVar[bool] = False
    sections: ClassVar[Mapping[str, str]] = {}
    #: What was counted last: the holdings, whose, and how many.
    _counted: tuple[object, object, str, int] = (None, None, "", 0)

    # policies: sales

    def singles(self, c: C, holder: str) -> tuple[Cert, ...]:
        """A holder's certificates that change hands one by one: without the president's."""
        return tuple([x for x in c.certs.get(holder, ()) if x.index and x.percent > 0])

    @kept
    def names(self, c: C, holder: str) -> tuple[str, ...]:
        """The share ids of these."""
        return tuple([share_id(c.id, x) for x in self.singles(c, holder)])

    def why_unsellable(self, c: C) -> Fault | None:
        """Why nothing of a company can be sold now."""
        return self.fault("not_started", f"{c.id} has no price yet.") if c.cell is None else None

    def pool_room(self, c: C) -> int | None:
        """Percent the pool still takes; None: it takes everything."""
        return None

    def bundles(self, c: C, seller: str, players: tuple[str, ...]) -> Iterator[Bundle]:
        """What a player may sell of a company, smaller ones first; its presidency only if another
        one of the players has what its certificate is worth."""
        held = c.certs.get(seller)
        if not held or self.why_unsellable(c):
            return
        president = president_percent(held) if c.president == seller else 0
        if president and most_of_others(c, seller, players) < president:
            president = 0
        room = self.pool_room(c)
        for bundle in possible(c.unit, len(self.names(c, seller)), president):
            if room is None or bundle.percent <= room:
                yield bundle

    def why_no_bundle(self, s: S, seller: str, c: C, bundle: Bundle) -> Fault:
        """Why a bundle is none of those that may be sold."""
        room = self.pool_room(c)
        if room is not None and bundle.percent > room:
            text = f"The pool takes {f'only {room} % more' if room > 0 else 'no more'} of {c.id}."
            return self.fault("pool_limit", text)
        if bundle.president:
            worth = president_percent(c.certs[seller])
            if most_of_others(c, seller, self.rules.alive(s)) < worth:
                text = f"Another player must hold {worth} % of {c.id}."
                return self.fault("presidency", text)
            if bundle.singles < len(self.singles(c, seller)):
                text = "The president's certificate is sold after all your other shares."
                return self.fault("singles_first", text)
        return self.fault("percent", f"These certificates are not {bundle.percent} %.")

    def sale_prices(self, s: S, c: C) -> Domain:
        """What a sale may say of the price of a share."""
        return Equal(None, self.rules.price(s, c.id))

    def sold(self, s: S, symbol: str, count: int) -> None:
        """What follows when so many shares have been sold: how the price moves."""

    # policies: purchases

    def at_once(self, c: C) -> int:
        """How many certificates of a company are bought at a time."""
        return 1

    def price(self, c: C, source: str) -> int:
        """What a share costs, by who has it."""
        return self.rules.price_of(c)

    def purchase_prices(self, c: C, source: str) -> Domain:
        """What a purchase may say of the price of a share."""
        return Equal(None, self.price(c, source))

    def max_holding(self, s: S, c: C) -> int:
        """Percent of a company that a player may reach by a purchase."""
        return 100

    def why_full(self, s: S, player: str, c: C | None = None) -> Fault | None:
        """Why a player can hold no certificate more, of a company or of any."""
        count, limit = self.count(s, player), self.rules.limit_of(s, player)
        if count < limit:
            return None
        return self.fault("cert_limit", f"You hold {count} certificates; the limit is {limit}.")

    def why_not_buy(self, s: S, player: str, c: C) -> Fault | None:
        """Why a player cannot buy of a company, money and this round's sales aside."""
        if c.cell is None:
            return self.fault("not_started", f"{c.id} has no price yet.")
        held, most = c.held(player), self.max_holding(s, c)
        if held + c.unit > most:
            text = f"You hold {held} % of {c.id}; {most} % is the most."
            return self.fault("holding_limit", text)
        return self.why_full(s, player, c)

    def take(self, s: S, player: str, symbol: str, certs: Sequence[Cert], source: str) -> None:
        """Certificates come to a player, and what follows: president, float."""
        shares.move(s, symbol, certs, source, player)
        self.settle(s, symbol)

    def take_presidency(self, s: S, player: str, symbol: str) -> None:
        """The president's certificate comes to who starts a company, and what follows."""
        shares.take_presidency(s, symbol, player)

    def settle(self, s: S, symbol: str, owed: tuple[str, int] | None = None) -> None:
        """Who is president after shares have moved; see :func:`.shares.settle_presidency`."""
        shares.settle_presidency(s, symbol, self.rules.alive(s), owed=owed)

    # what follows from them: sales

    def company(self, s: S, symbol: str) -> C:
        """The record of a company whose shares are traded."""
        return cast("C", s.corporations[symbol])

    def fault(self, code: str, text: str) -> Fault:
        """A reason against something, with its section if it has one of its own."""
        return (code, text, self.sections[code]) if code in self.sections else (code, text)

    def count(self, s: S, player: str) -> int:
        """The certificates of a player, which are counted once while nothing changes hands."""
        corporations, companies, who, count = self._counted
        if corporations is not s.corporations or companies is not s.companies or who != player:
            count = self.rules.certificates(s, player)
            self._counted = s.corporations, s.companies, player, count
        return count

    def sellable(self, s: S, seller: str, c: C) -> tuple[Bundle, ...]:
        """The bundles a player may sell of a company now."""
        return self._sellable(c, seller, self.rules.alive(s))

    @kept
    def _sellable(self, c: C, seller: str, players: tuple[str, ...]) -> tuple[Bundle, ...]:
        return tuple(self.bundles(c, seller, players))

    def sale_choice(self, s: S, seller: str, c: C, bundle: Bundle) -> Choice:
        """A bundle as something that can be chosen."""
        return bundle_choice(s, seller, c, self.names(c, seller), bundle, self.sale_prices(s, c))

    def read_sale(self, s: S, a: SellShares, rule: str) -> Sale[C]:
        """What a sale names; raises :class:`IllegalAction` if these are no shares of the seller's,
        not of one company, or at another price."""
        symbol, certs = named_certs(s, a, rule)
        c = self.company(s, symbol)
        count = len(set(certs).intersection(self.singles(c, a.actor)))
        percent = sum(x.percent for x in certs) if a.percent is None else a.percent
        bundle = Bundle(count, count < len(certs), percent)
        self._check_price(a.share_price, self.sale_prices(s, c), rule)
        return Sale(c, certs, bundle)

    def why_not_sell(self, s: S, seller: str, c: C, bundle: Bundle) -> Fault | None:
        """Why a bundle cannot be sold."""
        if bundle in self.sellable(s, seller, c):
            return None
        return self.why_unsellable(c) or self.why_no_bundle(s, seller, c, bundle)

    def certificates(self, c: C, seller: str, bundle: Bundle) -> list[Cert]:
        """The certificates of a bundle; of equal ones the first, the president's last."""
        president = [x for x in c.certs[seller] if x.index == 0] if bundle.president else []
        return [*self.singles(c, seller)[: bundle.singles], *president]

    def sell(
        self,
        s: S,
        seller: str,
        symbol: str,
        certs: Sequence[Cert],
        percent: int,
        price: int | None = None,
    ) -> None:
        """Carry a sale out. ``percent`` below the sum of the certificates gives part of the
        president's certificate back. ``price`` of a share, if it is not the present one."""
        each = self.rules.price(s, symbol) if price is None else price
        c = self.company(s, symbol)
        surplus = sum(x.percent for x in certs) - percent
        count = percent // c.unit
        pay(s, BANK, seller, each * count, "shares")
        shares.move(s, symbol, certs, seller, MARKET)
        self.settle(s, symbol, (seller, surplus))
        if surplus:
            back = self.singles(self.company(s, symbol), MARKET)[: surplus // c.unit]
            shares.move(s, symbol, back, MARKET, seller)
        self.sold(s, symbol, count)

    # what follows from them: purchases

    @kept
    def on_sale(self, c: C) -> tuple[tuple[str, int], ...]:
        """Who has enough of a company for a purchase, itself or the pool, and what that costs."""
        count = self.at_once(c)
        sources = [x for x in (c.id, MARKET) if len(self.names(c, x)) >= count]
        return tuple([(source, count * self.price(c, source)) for source in sources])

    def purchase_choice(self, s: S, player: str, c: C, source: str) -> Choice:
        """Buy of a company from a source; which of the equal certificates makes no difference."""
        return self._purchase_choice(c, source, trader(s, player))

    @kept
    def _purchase_choice(self, c: C, source: str, buyer: tuple[EntityId, Any]) -> Choice:
        names, count = self.names(c, source), self.at_once(c)
        prices = self.purchase_prices(c, source)
        domains: dict[str, Domain] = {"shares": Pick(count, names), "share_price": prices}
        return self.buying(buyer, names[:count], count * c.unit, domains)

    def buying(
        self,
        buyer: tuple[EntityId, Any],
        names: tuple[str, ...],
        percent: int,
        domains: dict[str, Domain],
    ) -> Choice:
        """A purchase of named certificates, with what is open in it beside the percent; ``buyer``
        as the action names him."""
        entity, kind = buyer
        action = BuyShares(entity=entity, entity_type=kind, shares=names, percent=percent)
        return Choice(action, {"percent": Equal(percent, None), **domains})

    def read_purchase(self, s: S, a: BuyShares, rule: str) -> Purchase[C]:
        """What a purchase names; raises :class:`IllegalAction` if that is not for sale like that or
        at another price."""
        symbol, held = self.read_named(s, a, rule)
        c, certs, source = self.company(s, symbol), tuple(cert for _, cert in held), held[0][0]
        on_sale = self.singles(c, source) if source in (symbol, MARKET) else ()
        if not set(certs).issubset(on_sale):
            raise IllegalAction("not_for_sale", "That is not for sale now.", rule)
        count = self.at_once(c)
        if len(certs) != count:
            text = f"Certificates of {c.id} are bought {count} at a time."
            raise IllegalAction("one_share", text, rule)
        self.insist_percent(a.percent, count * c.unit, rule)
        self._check_price(a.share_price, self.purchase_prices(c, source), rule)
        return Purchase(c, source, certs)

    def read_named(self, s: S, a: BuyShares, rule: str) -> tuple[str, list[tuple[str, Cert]]]:
        """The company of a purchase, and of each certificate its holder; raises
        :class:`IllegalAction` unless these are existing ones of one company, each named once."""
        if (found := shares.named(s, a.shares)) is None:
            text = "Name the certificates to buy: existing ones of one company, each once."
            raise IllegalAction("one_share", text, rule)
        return found

    def insist_percent(self, named: int | None, percent: int, rule: str) -> None:
        """Raise :class:`IllegalAction` unless what an action says of its certificates is true."""
        if named not in (None, percent):
            text = f"These certificates are {percent} %, not {named} %."
            raise IllegalAction("percent", text, rule)

    def _check_price(self, named: object, prices: Domain, rule: str) -> None:
        if prices.contains(named):
            return
        *_, price = prices.alternatives if isinstance(prices, Equal) else prices.values()
        if not isinstance(price, int):
            text = "The price of a share is not named here."
        else:
            asked = self.money(price)
            other = f", not {self.money(named)}" if isinstance(named, int) else "; name that"
            text = f"A share costs {asked}{other}."
        raise IllegalAction("price", text, rule)

    def buy(self, s: S, player: str, purchase: Purchase[C]) -> None:
        """Carry a purchase out."""
        c, source, certs = purchase
        payee = c.id if self.pays_company and source == c.id else BANK
        pay(s, player, payee, self.price(c, source) * len(certs), "shares")
        self.take(s, player, c.id, certs, source)
