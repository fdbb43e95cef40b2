"""The forecast of a company: its plan for the rounds to come, and what a share is worth by it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import floor
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..rounds.rules import Rules
from ..rounds.steps.dividend import dividends_of
from .earnings import Earned
from .firm import Firm, Plan
from .future import FAR, Future
from .knowledge import Knowledge
from .ledger import Ledger

#: Rounds trains on sale are passed up at most.
_PATIENCE = 3
#: How much better it must be that they are, or that money is saved for them, as a part of what the
#: company is worth.
_CLEARLY, _SURELY = 0.3, 0.05
#: How likely it comes as it is expected, rather than otherwise.
_LIKELY = 0.5


class Doubt(Struct, frozen=True):
    """How it may come otherwise than is expected. ``pace``: how many times as long all that is to
    come takes; ``track``: how many times as good a company's track proves to be."""

    pace: float = 1.0
    track: float = 1.0

    def ledger(self, expected: Ledger) -> Ledger:
        """What happens to the game."""
        return expected if self.pace == 1.0 else expected.stretched(self.pace)

    def firm(self, expected: Firm) -> Firm:
        """What happens to a company: what it earns now is half known. One that lives on the runs
        of others has no track."""
        if self.track == 1.0 or expected.visited is not None:
            return expected
        now = round(expected.income * (1.0 + self.track) / 2)
        return replace(expected, income=now, quality=expected.quality * self.track)


def sizes_of(rules: Rules[Any]) -> tuple[int, ...]:
    """The numbers of shares companies may have, where phases tell with which they begin."""
    return tuple(sorted({n for p in rules.box.phases.values() for n in p.corporation_sizes}))


class Forecast:
    """Plans of companies under a ledger. ``doubts``: what plans are the mean of as well, all alike;
    half of it is as it is expected."""

    def __init__(self, rules: Rules[Any], known: Knowledge, doubts: Sequence[Doubt] = ()) -> None:
        self.rules, self.known, self.doubts = rules, known, doubts
        self.dividends = dividends_of(rules)
        #: The numbers of shares companies may have, in rising order, where they begin with some.
        self.sizes = sizes_of(rules)
        #: How often a company has been followed through its rounds.
        self.runs = 0
        self._upkeep: dict[tuple[str, str | None], Mapping[str, int]] = {}
        self._typical: dict[tuple[tuple[str, ...], int], float] = {}

    def upkeep(self, who: str, begun: str | None) -> Mapping[str, int]:
        """What each kind of train costs a company a round, once the first one of a kind has
        come."""
        found = self._upkeep.get((who, begun))
        if found is None:
            found = self._upkeep[who, begun] = self.rules.facts.upkeep(who, begun)
        return found

    def moves(self, who: str) -> tuple[tuple[int, int], ...]:
        """How far dividends move the price of a company, as the rules say: (at least so many times
        the price, so many steps to the right), in rising order, from the smallest on."""
        if self.dividends is None:
            return ((0, 0),)
        return ((0, self.dividends.steps_for(who, 0.0)), *self.dividends.moves(who))

    def typical(self, kinds: Sequence[str], shells: int = 1) -> float:
        """What trains earn together in a grown network, or in one grown from as many as there are
        shells, with work for one train more each."""
        key = tuple(kinds), shells
        found = self._typical.get(key)
        if found is None:
            found = self._typical[key] = self._together(*key)
        return found

    def _together(self, kinds: Sequence[str], shells: int) -> float:
        table, less = self.known.typical, self.known.another
        if self.known.alone:
            kinds = [
                k for n, k in enumerate(kinds) if k not in self.known.alone or k not in kinds[:n]
            ]
        worth = sorted([table.get(k, 0.0) for k in kinds], reverse=True)
        return sum([w * less ** (n // shells) for n, w in enumerate(worth)])

    def plan(self, firm: Firm, ledger: Ledger) -> Plan:
        """What is expected of a company, in the mean of all that may come."""
        likely = self._supposed(firm, ledger)
        if not self.doubts or ledger.rounds <= 1:
            return likely
        each = (1.0 - _LIKELY) / len(self.doubts)
        others = [self._supposed(d.firm(firm), d.ledger(ledger)) for d in self.doubts]
        return _mean(likely, [(each, other) for other in others])

    def _supposed(self, firm: Firm, ledger: Ledger) -> Plan:
        """What is expected of a company whose president buys the next train at once, saves for one
        he could not pay, or passes up what is on sale for what comes after it, whichever is
        best."""
        if not self.known.vague or ledger.rounds <= 0:
            return self._best(firm, ledger)[0]
        less = floor(ledger.rounds)
        near = max(1, round(ledger.rounds))
        other = max(1, less if near > less else less + 1)
        likely, waits, saves = self._best(firm, replace(ledger, rounds=float(near)))
        if near == ledger.rounds:
            return likely
        instead = Future(self, firm, replace(ledger, rounds=float(other)), {}, waits, saves).plan()
        return _mean(likely, [(abs(ledger.rounds - near), instead)])

    def _best(self, firm: Firm, ledger: Ledger) -> tuple[Plan, int, bool]:
        """The best plan, with the rounds in which no train is bought, and whether money is saved
        in them."""
        earned: Earned = {}
        now = Future(self, firm, ledger, earned, firm.waits).plan()
        best, most = (now, firm.waits, False), 0.0
        if firm.visited is not None:
            return best
        whole = self._whole(firm, now)
        first = now.bought[0][0] if now.bought else FAR
        last = min(firm.delay + _PATIENCE, round(ledger.rounds) - 1)
        for n in range(firm.waits + 1, last + 1):
            passed_up = n > first
            for saves in (True, False) if passed_up else (True,):
                plan = Future(self, firm, ledger, earned, n, saves).plan()
                gain = self._whole(firm, plan) - whole
                gain -= (_CLEARLY if passed_up else _SURELY) * abs(whole)
                if gain > most:
                    best, most = (plan, n, saves), gain
        return best

    def _whole(self, firm: Firm, plan: Plan) -> float:
        """What all shares of a company are worth, less what its president adds."""
        return plan.worth * firm.shares - self.known.weights.help * plan.help


def _mean(likely: Plan, others: Sequence[tuple[float, Plan]]) -> Plan:
    """What is expected where a plan holds, but for some parts other ones: trains are bought, and
    the company dies, as the likely one says."""

    def mean(asked: Callable[[Plan], float]) -> float:
        known = asked(likely)
        return known + sum([part * (asked(other) - known) for part, other in others])

    return replace(
        likely,
        worth=mean(lambda p: p.worth),
        price=mean(lambda p: p.price),
        paid=mean(lambda p: p.paid),
        help=mean(lambda p: p.help),
        later=mean(lambda p: p.later),
        income=mean(lambda p: p.income),
        soon=(mean(lambda p: p.soon[0]), mean(lambda p: p.soon[1])),
    )
