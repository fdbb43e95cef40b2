"""The stock round (§5.1–5.9): turns, and the end of the round."""

from __future__ import annotations

from collections.abc import Iterator

from ...board import laying
from ...model.actions import Action, BuyShares, Choose, FailedMerge, Merge, Par, Pass, SellShares
from ...model.choices import Choice
from ...model.events import CorporationClosed, Noted
from ...model.frozen import drop
from ...rounds.step import Fault
from ...rounds.steps.stock import StockPlay, StockTurn
from . import merging
from .constants import GREY
from .exchange import Answer
from .founding import Exchange, HalfPricePar
from .merging import NameTarget, RemoveClash
from .rules import Rules1828
from .state import Charter, Merger, OperatingRound, State1828, StockRound


class Turn(StockTurn[State1828, Rules1828, Charter]):
    """§5.1: any sales, and one purchase, par or merger among them."""

    rule = "5.1"
    sale_rule, purchase_rule, par_rule = "5.4", "5.2", "5.3"
    takes = frozenset({SellShares, BuyShares, Par, Choose, FailedMerge, Pass})

    def can_act(self, s: State1828, who: str) -> bool:
        if super().can_act(s, who):
            return True
        return not StockRound.of(s).used and (
            self.can_par(s, who)
            or any(True for _ in merging.candidates(self.rules, s, who))
            or self._can_exchange(s, who)
        )

    def _can_exchange(self, s: State1828, who: str) -> bool:
        """§5.1.2e."""
        if s.companies[self.rules.constants.exchange].owner != who:
            return False
        if "mh_plain" not in self.rules.options:
            return True
        return any(True for _ in Exchange(self.rules).offers(s))

    def to_start(self, s: State1828, who: str) -> list[Charter]:
        return self.rules.unparred(s)

    def started(self, s: State1828, who: str, symbol: str) -> None:
        self.change(s, acted=True, used="par")

    def why_no_more(self, s: State1828, who: str, c: Charter) -> Fault | None:
        """§5.2.5–6: a second share only of one's own corporation in the grey area."""
        m, symbol = StockRound.of(s), c.id
        if not m.used:
            return None
        if "one_buy_type" in self.rules.options and m.used != "buy":
            return "bought", "You have used your purchase of this turn."
        if m.used == "par" or any(b != symbol for b in m.bought) or len(m.bought) >= 2:
            return "bought", "You have bought in this turn already."
        if c.president != who or not self.rules.in_zone(c, GREY):
            text = f"A second share needs your own corporation in the grey area; {symbol} is not."
            return "bought", text
        return None

    def offers(self, s: State1828, who: str) -> Iterator[Choice]:
        """Purchases come first: a sale may also follow them."""
        yield from self.purchase_choices(s, who)
        yield from self.sale_choices(s, who)
        if not StockRound.of(s).used:
            yield from self.par_choices(s, who)
            yield from merging.start_choices(self.rules, s, who)

    def follow_ups(self, s: State1828, a: Action) -> tuple[Action, ...]:
        """§5.6.1: the corporations a survivor may take over; their president is asked first."""
        m = StockRound.of(s)
        if not isinstance(a, Choose) or m.merger or m.used:
            return ()
        survivor = str(a.choice)
        return tuple(
            Merge(entity=survivor, entity_type="corporation", corporation=target)
            for target in merging.promising(self.rules, s, survivor)
        )

    def check_other(self, s: State1828, a: Par | Choose | FailedMerge) -> None:
        if StockRound.of(s).used:
            raise self.refuse("bought", "You have used your purchase of this turn.", "5.1.1")
        match a:
            case Par():
                self.check_par(s, a)
            case Choose():
                self.insist(merging.why_no_start(self.rules, s, str(a.choice)))
            case FailedMerge():
                self.insist(merging.why_no_failure(self.rules, s, a))

    def apply_other(self, s: State1828, a: Par | Choose | FailedMerge) -> None:
        match a:
            case Par():
                self.start(s, a.actor, a.corporation, a.share_price)
            case Choose():
                merger = Merger(a.actor, str(a.choice))
                self.change(s, acted=True, used="merger", merger=merger)
            case FailedMerge():
                # §5.6.7.3: it was taken back, and was the purchase of the turn
                names = (a.actor, *a.corporations)
                failed = tuple(dict.fromkeys((*StockRound.of(s).failed, names)))
                self.change(s, acted=True, used="failed merger", failed=failed)
                s.now.emit(Noted("merger_failed", a.actor, "-".join(a.corporations)))

    def bought(self, s: State1828, who: str, symbol: str) -> None:
        m = StockRound.of(s)
        self.change(s, acted=True, used=m.used or "buy", bought=(*m.bought, symbol))


class Stock(StockPlay[State1828, Rules1828]):
    """§5.1."""

    progress = StockRound
    steps = (HalfPricePar, NameTarget, RemoveClash, Answer, Exchange, Turn)
    next_round = OperatingRound

    def open(self, s: State1828) -> None:
        """§4.4: after a D was bought, corporations that have not started leave first."""
        if s.last_turn is not None:
            for corporation in self.rules.unparred(s):
                _remove(self.rules, s, corporation)

    def move_at_end(self, s: State1828, c: Charter) -> None:
        """§7.4: sold out, it rises."""
        needed = 90 if c.treasury is not None else 100
        if sum(c.held(p) for p in s.order) >= needed:
            led = c.president is not None and c.held(c.president) >= 80
            steps = 1 + self.rules.in_zone(c, GREY) + led
            self.rules.move_price(s, c.id, "up", "sold out", steps)

    def why_over(self, s: State1828) -> str | None:
        return "stock_market" if s.topped else None

    def order_after(self, s: State1828) -> tuple[str, ...]:
        """§5.7: the order of passing."""
        return StockRound.of(s).passed


def _remove(rules: Rules1828, s: State1828, corporation: Charter) -> None:
    """§12.3: a blocking token takes each place kept for it."""
    symbol, coord = corporation.id, rules.box.corporations[corporation.id].home[0].hex
    places = s.board.reserved.get(coord, ())
    mine = [p for p in places if p.entity == symbol]
    laying.reserve(s, coord, tuple(p for p in places if p.entity != symbol))
    for place in mine:
        slots = laying.slots_at(rules.box, s.board, coord)
        cities = range(len(slots)) if place.city is None else (place.city,)
        for city in cities:
            if None in slots[city]:
                slot = place.slot if slots[city][place.slot] is None else slots[city].index(None)
                laying.block(rules.box, s, coord, city, slot)
    s.corporations = drop(s.corporations, symbol)
    s.now.emit(CorporationClosed(symbol))
