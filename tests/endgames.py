"""Games played to their end by adversaries, to hold what is proven of the end against them.

One player does nothing he need not with what is his (``steady``); all others play at random, each
game with likings of its own: they borrow, sell, run short routes or none, close what they lead.
What needs the steady player's consent is not done.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from msgspec.structs import replace

from roundhouse.clinch import EFFORT, _Closing
from roundhouse.dealing import concerned
from roundhouse.model.actions import Action
from roundhouse.model.choices import Choice
from roundhouse.model.records import State
from roundhouse.rounds import machine
from roundhouse.rounds.rules import Rules

#: What a steady player does if he has to: run trains, say what a dividend is.
CHOSEN = ("run_routes", "dividend")
#: Kinds of actions the others like more or less.
KINDS = (
    "pass", "lay_tile", "place_token", "take_loan", "payoff_loan", "buy_train", "scrap_train",
    "convert", "merge", "assign", "bid", "bankrupt", "sell_shares", "buy_shares", "buy_corporation",
)  # fmt: skip


def late(s: State, rounds: int, phase: str, for_sale: Sequence[str]) -> State:
    """A position of an operating round as if it were the last but some of the whole game, in a
    late phase. ``for_sale``: kinds of trains there still are; all have been sold before."""
    made: Any = s.fork()
    made.last_turn = s.turn
    made.set_size = made.round.number + rounds - 1
    made.phase = phase
    piles = [p for p in s.depot.piles if p.kind in for_sale]
    sold = tuple(replace(p, next=max(1, p.next)) for p in piles)
    made.depot = replace(s.depot, piles=sold)
    return made.seal()  # type: ignore[no-any-return]


def played(rules: Rules[Any], s: State, steady: str, rng: Random) -> Iterator[State]:
    """The states of a game played on like that, to its end."""
    liking = {kind: 10 ** rng.uniform(-1.5, 1.5) for kind in KINDS}
    while s.finished is None:
        choices = list(machine.choices(rules, s))
        s = machine.apply(rules, s, _chosen(rules, s, choices, steady, liking, rng))
        yield s


def _chosen(
    rules: Rules[Any],
    s: State,
    choices: list[Choice],
    steady: str,
    liking: dict[str, float],
    rng: Random,
) -> Action:
    decided = [rules.president(s, a) for a in s.acting]
    own = steady in decided
    kinds = {c.type for c in choices}
    if own and kinds & {"pass", *CHOSEN}:
        usual = [c for c in choices if c.type in CHOSEN] or [c for c in choices if c.type == "pass"]
        return rng.choice(usual).sample(rng)
    loans = ("take_loan", "payoff_loan")
    open_to_all = [
        c
        for c in choices
        if (c.type not in loans if own else rules.president(s, c.actor) != steady)
    ]
    while True:
        weights = [liking.get(c.type, 1.0) for c in open_to_all]
        action = rng.choices(open_to_all, weights)[0].sample(rng)
        if own or steady not in concerned(rules, s, action):
            return action


class Claims:
    """What is proven of a position, if a player does nothing he need not."""

    def __init__(self, rules: Rules[Any], s: State, steady: str) -> None:
        found = _Closing(rules, s, EFFORT // 4)
        income, own = found.incomes(), found.steadily(steady)
        self.rules, self.steady, self.at = rules, steady, s
        self.low, self.safe = own.low(), own.leads((), income)
        rivals = [p for p in s.players if p != steady]
        self.margins = {p: min(self.low, own.margin(p, income)) for p in rivals}
        self.won = self.safe and min(self.margins.values()) > 0
        halves = [c.id for c in s.corporations.values() if c.shares == 2]  # prices may be added
        self.prices = {c.id: own.prices(c) for c in own._companies() if c.id not in halves}
        self.highs = {p: found.high(p) for p in s.players}

    def check(self, end: State) -> None:
        """All of it, against the end of the game."""
        rules, steady = self.rules, self.steady
        worth = {p: rules.value(end, p) for p in end.players}
        assert self.low <= worth[steady]
        assert all(worth[p] <= most + 1 for p, most in self.highs.items())
        for c, (least, most) in self.prices.items():
            before, company = self.at.corporations[c], end.corporations[c]
            if self.safe and least:
                kept = company.held(steady) // company.unit
                assert kept >= before.held(steady) // before.unit
            if company.cell is not None and company.president is not None:
                price = rules.price(end, c)
                assert price <= most
                assert price >= least or company.held(steady) == 0
        if self.safe:
            assert all(worth[steady] - worth[p] >= most for p, most in self.margins.items())


def hold(rules: Rules[Any], s: State, steady: str, rng: Random, often: float = 0.1) -> list[bool]:
    """Play a position on and hold what is proven of it, and of some positions that come, against
    the end; for each of these whether it is decided."""
    claims = [Claims(rules, s, steady)]
    for end in played(rules, s, steady, rng):
        if end.finished is None and rng.random() < often:
            claims.append(Claims(rules, end, steady))
    for claim in claims:
        claim.check(end)
    return [claim.won for claim in claims]
