"""The stock round (§5.1): turns of players, and the end of the round."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.actions import Action, Bid, BuyShares, Par, Pass, SellShares
from ...model.choices import Choice
from ...rounds.steps.stock import StockPlay, StockTurn
from . import starting
from .rules import Rules18Ireland
from .starting import ChooseHome, MinorAuction, progress
from .state import OperatingRound, State18Ireland, StockRound


class Turn(StockTurn[State18Ireland]):
    """§5.1: sell any number of times, then buy a share or start a corporation; nothing is started
    after a sale."""

    rule = "5.1"
    takes = frozenset({SellShares, BuyShares, Bid, Par, Pass})
    keeps_limits = True
    rules: Rules18Ireland

    def can_act(self, s: State18Ireland, who: str) -> bool:
        return super().can_act(s, who) or (not progress(s).acted and self._can_start(s, who))

    def _can_start(self, s: State18Ireland, who: str) -> bool:
        """Who could pay is waited for, even if no city is left for a major."""
        opening = starting.bid_limit(self.rules, s, who) >= self.rules.constants.minor_bid
        return (opening and bool(self.rules.pile(s))) or starting.affords_par(self.rules, s, who)

    def other_choices(self, s: State18Ireland, who: str) -> Iterator[Choice]:
        if not progress(s).acted:
            yield from starting.opening_choices(self.rules, s, who)
            yield from starting.par_choices(self.rules, s, who)

    def check_other(self, s: State18Ireland, a: Bid | Par) -> None:
        if progress(s).acted:
            raise self.refuse("sold", "You have sold in this turn and cannot start anything.")
        if isinstance(a, Bid):
            starting.check_opening(self.rules, s, a)
        else:
            starting.check_par(self.rules, s, a)

    def apply_other(self, s: State18Ireland, a: Action) -> None:
        if isinstance(a, Bid):
            starting.open_auction(self.rules, s, a)
        elif isinstance(a, Par):
            starting.par(self.rules, s, a)


class Stock(StockPlay[State18Ireland]):
    """§5.1."""

    progress = StockRound
    steps = (ChooseHome, MinorAuction, Turn)
    next_round = OperatingRound
    rules: Rules18Ireland

    def close(self, s: State18Ireland) -> None:
        """§4: the top of the pile leaves if no minor was started; sold-out prices rise."""
        pile = self.rules.pile(s)
        if pile and not progress(s).started:
            self.rules.close(s, pile[0])
        super().close(s)
