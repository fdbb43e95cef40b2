"""The stock round (§5.1): how shares are traded, turns of players, and the end of the round."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.actions import Bid, BuyShares, Par, Pass, SellShares
from ...model.choices import Choice
from ...model.records import MARKET, set_corporation
from ...rounds.step import Fault
from ...rounds.steps.stock import StockPlay, StockTurn
from ...rounds.steps.trading import Trading
from ...stock import market
from .rules import Rules18Ireland
from .starting import ChooseHome, MinorAuction, open_cities
from .state import Charter, OperatingRound, State18Ireland, StockRound


class Trading18Ireland(Trading[State18Ireland, Rules18Ireland, Charter]):
    """The pool takes a limited part of a corporation; a price falls a row for each share sold."""

    pays_company = True

    def pool_room(self, c: Charter) -> int:
        """§6.1."""
        return self.rules.constants.max_pool[c.kind] - c.held(MARKET)

    def sold(self, s: State18Ireland, symbol: str, count: int) -> None:
        market.move(s, symbol, self.box.market.down, "sold", count)

    def max_holding(self, s: State18Ireland, c: Charter) -> int:
        """§6.1."""
        return self.rules.constants.max_holding[c.kind]

    def take_presidency(self, s: State18Ireland, player: str, symbol: str) -> None:
        """It floats at once."""
        super().take_presidency(s, player, symbol)
        set_corporation(s, symbol, floated=True)

    def why_full(self, s: State18Ireland, player: str, c: Charter | None = None) -> Fault | None:
        """Shares in the yellow zone do not count."""
        free = c is not None and self.rules.in_zone(c, "no_cert_limit")
        return None if free else super().why_full(s, player, c)


class Turn(StockTurn[State18Ireland, Rules18Ireland, Charter]):
    """§5.1: sell any number of times, then buy a share or start a corporation; nothing is started
    after a sale."""

    rule = "5.1"
    takes = frozenset({SellShares, BuyShares, Bid, Par, Pass})
    keeps_limits = True
    auction = MinorAuction

    def can_act(self, s: State18Ireland, who: str) -> bool:
        return super().can_act(s, who) or (not StockRound.of(s).acted and self._can_start(s, who))

    def _can_start(self, s: State18Ireland, who: str) -> bool:
        """Who could pay is waited for, even if no city is left for a major."""
        pile, least = self.rules.pile(s), self.rules.constants.minor_bid
        return (bool(pile) and self.opening.able(s, who, "", least)) or self.can_par(s, who)

    # majors

    def to_start(self, s: State18Ireland, who: str) -> Iterator[Charter]:
        return (s.corporations[symbol] for symbol in self.rules.unstarted_majors(s))

    def why_no_par(self, s: State18Ireland, who: str) -> Fault | None:
        if not self.rules.reached(s, self.rules.constants.majors_start_with):
            return "phase", "Majors can be started from phase 6 on."
        return super().why_no_par(s, who)

    def _why_homeless(self, s: State18Ireland) -> Fault | None:
        majors = self.rules.unstarted_majors(s)
        if majors and not open_cities(self.rules, s, majors[0]):
            return "no_home", "No city has a free place for its home."
        return None

    def started(self, s: State18Ireland, who: str, symbol: str) -> None:
        self.change(s, homeless=symbol, acted=True, done=True)

    # what else may be done

    def other_choices(self, s: State18Ireland, who: str) -> Iterator[Choice]:
        if not StockRound.of(s).acted:
            yield from self.opening.answers(s, who)
            if self._why_homeless(s) is None:
                yield from self.par_choices(s, who)

    def check_other(self, s: State18Ireland, a: Bid | Par) -> None:
        if StockRound.of(s).acted:
            raise self.refuse("sold", "You have sold in this turn and cannot start anything.")
        super().check_other(s, a)
        if isinstance(a, Par):
            self.insist(self._why_homeless(s))


class Stock(StockPlay[State18Ireland, Rules18Ireland]):
    """§5.1."""

    progress = StockRound
    steps = (ChooseHome, MinorAuction, Turn)
    next_round = OperatingRound

    def close(self, s: State18Ireland) -> None:
        """§4: the top of the pile leaves if no minor was started; sold-out prices rise."""
        pile = self.rules.pile(s)
        if pile and not StockRound.of(s).started:
            self.rules.close(s, pile[0])
        super().close(s)
