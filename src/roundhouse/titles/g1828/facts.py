"""What players of 1828 look at: standing bids and the money they bind, mergers, the end."""

from __future__ import annotations

from collections.abc import Mapping

from ...board import laying
from ...facts import Fact, Facts
from .constants import COAL
from .current_merger import current, understood
from .rules import Rules1828
from .state import State1828


class Facts1828(Facts[State1828, Rules1828]):
    """See the module's text."""

    moves = (1, 1)  # §11.4

    def unsold(self, symbol: str) -> str:
        """§0: what a corporation still holds itself; paid to the bank, and paying nobody."""
        return "IPO"

    def game(self, s: State1828) -> tuple[Fact, ...]:
        """§5.6."""
        merger = current(s)
        if merger is None or merger.target is None:
            return ()
        text = f"{merger.survivor} takes over {merger.target}: {merger.system} (§5.6)."
        return (Fact(f"{merger.survivor} + {merger.target}", text),)

    def train_note(self, s: State1828, train: str) -> str:
        """The shell of a system's train."""
        record = s.trains.get(train)
        owner = s.corporations.get(record.owner) if record is not None else None
        shells = dict(owner.train_shells) if owner is not None and owner.system else {}
        return f"of {shells[train]}" if train in shells else ""

    def route_rights(self, s: State1828, who: str) -> Mapping[str, str]:
        return {COAL: "Coal marker"}

    def grant_right(self, s: State1828, who: str, right: str) -> None:
        """§9.9."""
        if not self.rules.has_coal(s, who):
            field = self.rules.constants.coal.field
            laying.open_only_to(s, field, (*s.board.closed[field], who))

    def merging(self, s: State1828) -> tuple[str, ...]:
        """§5.6.1: the survivor, until the corporation is named that it takes over."""
        merger = current(s)
        return (merger.survivor,) if merger is not None and merger.target is None else ()

    def answer(self, s: State1828, said: str) -> str:
        """§5.6.4–5: which share the question is about, and what it brings or costs."""
        merger = current(s)
        if merger is None or merger.question is None:
            return super().answer(s, said)
        said = understood(merger, said) or said
        who, kind = merger.question.player, merger.question.kind
        if kind == "aside":
            return f"Set a share of {said} aside ({self.money(self.rules.price(s, said))})"
        if kind == "source":
            return f"Trade with {said}"
        last = next(c for c in merger.pair if s.corporations[c].certs.get(who))
        price = self.rules.price(s, last)
        if said == "Sell":
            return f"Sell the share of {last} for {self.money(price)}"
        extra = self.rules.price(s, merger.system) - price
        paying = f", paying {self.money(extra)}" if extra else ""
        return f"Exchange the share of {last} for one of {merger.system}{paying}"

    def endings(self, s: State1828) -> tuple[Fact, ...]:
        last = f"after turn {s.last_turn}" if s.last_turn is not None else ""
        topped = "after this round" if s.topped else ""
        return (
            Fact(topped, "A marker on the last cell ends the game with the round."),
            Fact(last, "Phase Purple: the next turn, with four operating rounds, is the last."),
            Fact("", "A bankruptcy ends the game at once."),
        )
