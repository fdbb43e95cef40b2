"""Trains that are as good as sold: whoever buys them cannot do otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any

from ..model.frozen import EMPTY
from ..model.records import Corporation, State
from ..rounds.rules import Rules
from ..rounds.steps.operating import beyond
from ..rounds.steps.progress import OperatingProgress
from .knowledge import Knowledge


def as_good_as_sold(
    rules: Rules[Any], known: Knowledge, s: State, brought: Mapping[str, float] = EMPTY
) -> tuple[int, ...]:
    """How many trains of each pile, from the first, are bought in the operating round that is
    running, or comes next: one by each company that must have one, has none and has not had its
    turn; and as many as they can pay by those that spend all they have on trains, with what is
    still ``brought`` to companies that live on the runs of others."""
    found: list[int] = []
    buyers = [*[inf] * _must_buy(known, s), *rules.facts.train_money(s, brought)]
    for pile in s.depot.piles:
        price, left = rules.box.trains[pile.kind].price, inf if pile.left is None else pile.left
        taken = 0
        while buyers and taken < left:
            if buyers[0] < price:
                buyers.pop(0)
                continue
            taken += 1
            buyers[0] = buyers[0] - price if buyers[0] < inf else 0.0
        if not taken:
            break
        found.append(taken)
    return tuple(found)


def _must_buy(known: Knowledge, s: State) -> int:
    """Companies that must buy a train when it is their turn, others than the one that operates:
    none where trains wait for the money of companies, which the ledger reckons with itself."""
    if not known.compulsory or known.patient:
        return 0
    asked = still_to_run(s)
    return sum([c.floated and not c.trains and not known.lives_on_visits(c.id) for c in asked])


def running_yet(rules: Rules[Any], s: State) -> list[Corporation]:
    """The companies whose trains are still to run in the operating round that is running, or in the
    next."""
    found, m = still_to_run(s), s.round
    if not isinstance(m, OperatingProgress) or m.index < 0 or beyond(rules, s, m.who, "dividend"):
        return found
    running = s.corporations.get(m.who)
    return found if running is None else [*found, running]


def still_to_run(s: State) -> list[Corporation]:
    """The companies whose turn comes after that of the one that operates; all in the round to come
    if none does."""
    coming = s.round.later if isinstance(s.round, OperatingProgress) else s.corporations
    return [s.corporations[k] for k in coming if k in s.corporations]
