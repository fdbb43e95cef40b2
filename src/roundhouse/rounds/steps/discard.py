"""Discarding trains: a company with more than it may own gives one away before all else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from ...model.actions import DiscardTrain
from ...model.choices import Choice
from ...model.records import MARKET
from ...trains import depot
from ..rules import R, S
from ..step import Step


class Discard(Step[S, R]):
    """One company after the other discards trains, one at a time, until it keeps its limit.

    ``to_market``: discarded trains are for sale again; else they leave the game.
    """

    name = "discard"
    takes = frozenset({DiscardTrain})
    to_market: ClassVar[bool] = False

    # policies

    def order(self, s: S) -> Iterable[str]:
        """The companies that may have to discard, in the order they are asked."""
        return s.corporations

    def discard(self, s: S, train: str) -> None:
        """A train is given away."""
        if self.to_market:
            depot.give(s, train, MARKET)
        else:
            depot.remove(s, train)

    # what follows from them

    def __init__(self, rules: R) -> None:
        super().__init__(rules)
        limits = {phase.name: phase.train_limit for phase in self.box.phases.values()}
        #: By phase the lowest limit of any company.
        self._least = {n: m if isinstance(m, int) else min(m.values()) for n, m in limits.items()}
        #: The trains last looked at, in which phase, if nobody had more than that.
        self._fine: tuple[object, str] = None, ""

    def actors(self, s: S) -> tuple[str, ...]:
        return self.over(s)[:1]

    def over(self, s: S) -> tuple[str, ...]:
        """The companies that have too many trains, in order."""
        trains, phase = self._fine
        if trains is s.trains and phase == s.phase:
            return ()
        least = self._least[s.phase]
        many = [c.id for c in s.corporations.values() if len(c.trains) > least]
        if not many:
            self._fine = s.trains, s.phase
            return ()
        return tuple([who for who in self.order(s) if who in many and self.rules.surplus(s, who)])

    def choices(self, s: S) -> Iterator[Choice]:
        for who in self.actors(s):
            for train in self.rules.surplus(s, who):
                yield Choice(DiscardTrain(**self.sender(s, who), train=train))

    def check(self, s: S, a: DiscardTrain) -> None:
        surplus = self.rules.surplus(s, a.actor)
        if a.train not in surplus:
            text = f"{a.actor} must discard one of {', '.join(surplus)}."
            raise self.refuse("not_yours", text)

    def apply(self, s: S, a: DiscardTrain) -> None:
        self.discard(s, a.train)
