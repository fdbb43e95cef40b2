"""Stock rounds: players have turns of sales, purchases and starts until all have passed in a row.

A title writes its progress, a subclass of :class:`.StockProgress`, how its shares are traded
(:class:`.Trading`), the turn, and a play that names both::

    class Turn(StockTurn[MyState, MyRules, Corporation]):
        rule = "5.1"

    class Stock(StockPlay[MyState, MyRules]):
        progress = StockRound
        steps = (Turn,)
        next_round = OperatingRound
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, cast

from ...bank import cash
from ...model.actions import Action, Bid, BuyShares, Pass, SellShares
from ...model.choices import Choice
from ...model.events import Passed
from ...model.records import Round, State
from ...stock import market
from ...stock.bundles import Bundle
from ...stock.shares import clockwise, starting_with
from ..machine import finish
from ..rules import R, Rules, S
from ..step import Asking, Fault, RoundPlay
from .par import SetsPar
from .progress import StockProgress
from .trading import C

if TYPE_CHECKING:
    from .auctions import RisingAuction
    from .trading import Purchase, Sale, Trading


class StockTurn(SetsPar[S, R, C], Asking[S, R]):
    """A turn: sales, and a purchase or the start of a company.

    ``limit_rule``, ``sale_rule``, ``purchase_rule``: the sections on limits, sales and purchases,
    if they are not ``rule``.
    ``sells_in_first_round``: shares are sold in the first stock round too.
    ``keeps_limits``: who is over a limit sells, as far as he can, before he does anything else.
    ``auction``: what a bid in the turn begins, where companies are started by auction.
    """

    name = "stock turn"
    takes = frozenset({SellShares, BuyShares, Pass})
    limit_rule: ClassVar[str] = ""
    sale_rule: ClassVar[str] = ""
    purchase_rule: ClassVar[str] = ""
    sells_in_first_round: ClassVar[bool] = False
    keeps_limits: ClassVar[bool] = False
    auction: ClassVar[type[RisingAuction[Any, Any]] | None] = None
    #: That auction.
    opening: RisingAuction[Any, Any]

    def __init__(self, rules: R) -> None:
        super().__init__(rules)
        self.trading: Trading[S, R, C] = rules.trading
        if self.auction is not None:
            self.opening = self.auction(rules)

    # policies

    def can_act(self, s: S, who: str) -> bool:
        """Whether there is something to decide for who is on turn."""
        return any(True for _ in self.sales(s, who)) or any(True for _ in self.purchases(s, who))

    def why_no_sales(self, s: S) -> Fault | None:
        """Why nothing at all is sold now."""
        if s.turn == 1 and not self.sells_in_first_round:
            return "first_round", "Nothing is sold in the first stock round."
        return None

    def why_no_more(self, s: S, who: str, c: C) -> Fault | None:
        """Why, by what he has done in this turn, a player cannot buy of a company."""
        return None

    def offers(self, s: S, who: str) -> Iterator[Choice]:
        """All that may be done but passing, for one who need not sell, in order."""
        yield from self.sale_choices(s, who)
        yield from self.purchase_choices(s, who)
        yield from self.other_choices(s, who)

    def other_choices(self, s: S, who: str) -> Iterator[Choice]:
        """What else may be done instead of a purchase: by default start a company."""
        return self.par_choices(s, who)

    def check_other(self, s: S, a: Any) -> None:
        """Raise unless an action that is neither sale nor purchase is legal: a start, or a bid."""
        if isinstance(a, Bid):
            self.opening.check_answer(s, a)
        else:
            self.check_par(s, a)

    def apply_other(self, s: S, a: Any) -> None:
        """Carry it out."""
        if isinstance(a, Bid):
            self.opening.answer(s, a)
        else:
            self.start(s, a.actor, a.corporation, a.share_price)

    def sold(self, s: S, who: str, symbol: str) -> None:
        """What a sale means for the turn."""
        self.change(s, acted=True)

    def bought(self, s: S, who: str, symbol: str) -> None:
        """What a purchase means for the turn."""
        self.change(s, acted=True, done=True)

    def started(self, s: S, who: str, symbol: str) -> None:
        self.bought(s, who, symbol)

    # what follows from them

    def companies(self, s: S) -> Iterable[C]:
        """The companies, in the fixed list order."""
        return cast("Iterable[C]", s.corporations.values())

    def asked(self, s: S) -> str | None:
        m: Any = s.round
        if m.done or m.all_passed(self.rules.alive(s)):
            return None
        return m.player if self.can_act(s, m.player) else None

    def sales(self, s: S, who: str) -> Iterator[tuple[C, Bundle]]:
        """Everything a player may sell now, by company."""
        if self.why_no_sales(s) is None:
            for c in self.companies(s):
                if who in c.certs:
                    for bundle in self.trading.sellable(s, who, c):
                        yield c, bundle

    def purchases(self, s: S, who: str) -> Iterator[tuple[C, str]]:
        """Companies and sources a player may buy from now."""
        m: Any = s.round
        money, barred, trading = cash(s, who), m.barred.get(who, ()), self.trading
        for c in self.companies(s):
            if c.cell is None or c.id in barred:
                continue
            found = [source for source, cost in trading.on_sale(c) if cost <= money]
            if found and not self.why_no_more(s, who, c) and not trading.why_not_buy(s, who, c):
                for source in found:
                    yield c, source

    def must_sell(self, s: S, who: str) -> bool:
        """Whether a player is over a limit that he can get below by a sale."""
        if not self.keeps_limits or self.why_no_sales(s):
            return False
        over = self.trading.count(s, who) > self.rules.limit_of(s, who)
        return any(
            (over or c.held(who) > self.trading.max_holding(s, c))
            and self.trading.sellable(s, who, c)
            for c in self.companies(s)
            if who in c.certs
        )

    def answers(self, s: S, who: str) -> Iterator[Choice]:
        return self.sale_choices(s, who) if self.must_sell(s, who) else self.offers(s, who)

    def why_no_pass(self, s: S, who: str) -> Fault | None:
        if self.must_sell(s, who):
            return "must_sell", "You are over a limit and must sell.", self.limit_rule
        return None

    def sale_choices(self, s: S, who: str) -> Iterator[Choice]:
        """Everything a player may sell now, as choices."""
        for c, bundle in self.sales(s, who):
            yield self.trading.sale_choice(s, who, c, bundle)

    def purchase_choices(self, s: S, who: str) -> Iterator[Choice]:
        """Everything a player may buy now, as choices."""
        for c, source in self.purchases(s, who):
            yield self.trading.purchase_choice(s, who, c, source)

    def check_answer(self, s: S, a: Action) -> None:
        if isinstance(a, SellShares):
            self.check_sale(s, a)
            return
        self.insist(self.why_no_pass(s, a.actor))
        if isinstance(a, BuyShares):
            self.check_purchase(s, a)
        else:
            self.check_other(s, a)

    def check_sale(self, s: S, a: SellShares) -> None:
        rule = self.sale_rule
        self.insist(self.why_no_sales(s), rule)
        c, _, bundle = s.now.checked = self.trading.read_sale(s, a, rule or self.rule)
        self.insist(self.trading.why_not_sell(s, a.actor, c, bundle), rule)

    def check_purchase(self, s: S, a: BuyShares) -> None:
        m: Any = s.round
        rule = self.purchase_rule
        purchase = s.now.checked = self.trading.read_purchase(s, a, rule or self.rule)
        c, source, certs = purchase
        if c.id in m.barred.get(a.actor, ()):
            raise self.refuse("sold", f"You have sold {c.id} in this stock round.", rule)
        self.insist(self.why_no_more(s, a.actor, c), rule)
        self.insist(self.trading.why_not_buy(s, a.actor, c), rule)
        cost = self.trading.price(c, source) * len(certs)
        self.insist(self.rules.why_no_cash(s, a.actor, cost), rule)

    def decline(self, s: S, who: str) -> None:
        end_turn(self.rules, s)

    def answer(self, s: S, a: Any) -> None:
        match a:
            case SellShares():
                sale: Sale[C] = s.now.checked
                c, certs, bundle = sale
                self.trading.sell(s, a.actor, c.id, certs, bundle.percent, a.share_price)
                s.round = StockProgress.of(s).bar(a.actor, c.id)
                self.sold(s, a.actor, c.id)
            case BuyShares():
                purchase: Purchase[C] = s.now.checked
                self.trading.buy(s, a.actor, purchase)
                self.bought(s, a.actor, purchase.corporation.id)
            case _:
                self.apply_other(s, a)


def end_turn(rules: Rules[Any], s: State) -> None:
    """Close the turn of who is on turn: a pass if nothing was done in it. The next one is on."""
    m: Any = s.round
    if m.idle:
        s.now.emit(Passed(m.player, StockTurn.name))
    s.round = m.turn(clockwise(rules.alive(s), m.player)[0])


class StockPlay(RoundPlay[S, R]):
    """A stock round. ``next_round``: the progress of the round that follows."""

    name = "Stock Round"
    short = "SR"
    topic = "stock"
    single = True
    next_round: ClassVar[type[Round]]

    # policies

    def open(self, s: S) -> None:
        """What comes before the first turn."""

    def close(self, s: S) -> None:
        """What comes after the last turn: prices move."""
        for symbol in self.rules.in_order(s):
            self.move_at_end(s, s.corporations[symbol])

    def move_at_end(self, s: S, c: Any) -> None:
        """How the price of a company that operates moves: up, if players hold all of it."""
        if sum(c.held(p) for p in s.order) == 100:
            market.move(s, c.id, self.box.market.up, "sold out")

    def why_over(self, s: S) -> str | None:
        """Why the game ends with this round."""
        return None

    def order_after(self, s: S) -> tuple[str, ...]:
        """The players' order after this round: who would be next comes first."""
        return starting_with(s.order, StockProgress.of(s).player)

    # what follows from them

    def begin(self, s: S, number: int = 1) -> None:
        self.open(s)
        progress: Any = self.progress
        s.round = progress(number=number, player=self.rules.alive(s)[0])

    def proceed(self, s: S) -> None:
        end_turn(self.rules, s)

    def over(self, s: S) -> bool:
        return StockProgress.of(s).all_passed(self.rules.alive(s))

    def leave(self, s: S) -> None:
        self.close(s)
        if reason := self.why_over(s):
            finish(s, reason)
            return
        s.order = self.order_after(s)
        s.set_size = self.box.phases[s.phase].operating_rounds
        self.rules.enter(s, self.next_round)
