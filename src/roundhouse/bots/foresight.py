"""An opponent that looks one action ahead: it tries what it may do and keeps what serves it best.

:data:`thrifty` is a policy as :func:`roundhouse.selfplay.play_on` takes it. It knows no title: what
a player is worth is told by the title's rules, what a company earns by the route finder, and the
rest is common sense about railways, stated in :class:`Outlook`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from msgspec import Struct

from ..board import network
from ..board.derived import DerivedTable
from ..dealing import IMPOSSIBLE, outcome
from ..game import Game
from ..model.actions import Action, Bid, BuyShares, LayTile, Pass, PlaceToken, SellShares
from ..model.choices import Choice, Routes, Span
from ..model.errors import IllegalAction
from ..model.records import Corporation, State
from ..rounds import machine
from ..rounds.rules import Rules
from ..selfplay import promise
from ..stock.market import price
from ..trains import depot

#: What trains of a company earn in a phase.
_INCOMES: DerivedTable[tuple[str, tuple[str, ...], str], int] = DerivedTable("incomes")

#: How many actions back a bot looks so as not to undo its own.
_MEMORY = 12


class Outlook(Struct, frozen=True):
    """What a :class:`Foresight` believes. Money is in the title's own."""

    #: Operating rounds whose dividends count as if they were paid already.
    horizon: float = 4.0
    #: What a dollar in a company's treasury is worth to its owners.
    treasury: float = 0.35
    #: What a dollar a company may still raise by floating is worth to its owners.
    hope: float = 0.25
    #: How much of the price of a train a president fears to pay for a company without one.
    fear: float = 0.5
    #: What one more stop in reach is worth to the owners of a company.
    reach: float = 3.0
    #: Rounds of revenue a private company is bid up to beyond its face value.
    rounds_bid: float = 3.0
    #: Part of his cash a player bids for the founding of a company.
    stake: float = 0.45
    #: Part of his cash he bids for an advantage that is nothing to own.
    favour: float = 0.05
    #: At most so many choices of each type are tried.
    tried: int = 12
    #: Effort of one search of routes; what is not proven by then counts as found.
    route_effort: int = 800


class Foresight:
    """A policy for :func:`roundhouse.selfplay.play_on`. It has no memory: one serves all seats."""

    def __init__(self, outlook: Outlook | None = None) -> None:
        self.outlook = outlook or Outlook()

    def __call__(self, game: Game, choices: Sequence[Choice], rng: Random) -> Action:
        """The action that leaves whoever decides best off; among equals any."""
        rules, now = game.rules, game.state
        actor = now.acting[0]
        own = [c for c in choices if c.actor == actor] or list(choices)
        me = rules.president(now, own[0].actor)
        tried = [a for c in self._few(own, game, rng) for a in _variants(c, rng)]
        if me is None or len(tried) == 1:
            return tried[0]
        earlier = [e.state for e in game.history[-_MEMORY:]]
        after = {a: s for a in tried if (s := _tried(rules, now, a, earlier)) is not None}
        bids = [a for a in after if isinstance(a, Bid)]
        if bids:
            return self._bid(game, me, bids, [a for a in after if not isinstance(a, Bid)], rng)
        if not after:
            return rng.choice(tried)
        glance = Glance(self.outlook, rules, now, me)
        return max(after, key=lambda a: (glance.worth(after[a]), rng.random()))

    def gain(self, game: Game, action: Action, who: str) -> float:
        """What a deal changes for a player, as :class:`roundhouse.dealing.Reckoner`."""
        after = outcome(game.rules, game.state, action)
        if after is None:
            return IMPOSSIBLE
        glance = Glance(self.outlook, game.rules, game.state, who)
        return glance.worth(after) - glance.worth(game.state)

    def _few(self, choices: list[Choice], game: Game, rng: Random) -> Iterator[Choice]:
        """The most promising choices of each type."""
        most = self.outlook.tried
        for kind in dict.fromkeys(c.type for c in choices):
            same = [c for c in choices if c.type == kind]
            if len(same) > most:
                same = rng.sample(same, min(len(same), 3 * most))
                if isinstance(same[0].action, LayTile | PlaceToken):
                    same.sort(key=lambda c: -promise(game, c.action))
            yield from same[:most]

    def _bid(self, game: Game, me: str, bids: list[Bid], rest: list[Action], rng: Random) -> Action:
        """The lowest bid for something worth it, else whatever else may be done."""
        lowest = {_item(a): a for a in sorted(bids, key=lambda a: -a.price)}
        worth = [a for a in lowest.values() if a.price <= self._limit(game, me, a)]
        return rng.choice(worth or rest or bids)

    def _limit(self, game: Game, me: str, a: Bid) -> float:
        rules, s, view = game.rules, game.state, self.outlook
        if a.company is None:
            part = view.stake if _item(a) else view.favour
            return part * s.players[me].cash
        revenue = rules.company_revenue(s, a.company)
        return rules.box.companies[a.company].value + view.rounds_bid * revenue


def _item(a: Bid) -> str | None:
    return a.company or a.corporation or a.minor


def _variants(choice: Choice, rng: Random) -> Iterator[Action]:
    """The usual action of a choice, and another one where an amount is open."""
    if any(isinstance(d, Routes) for d in choice.domains.values()):
        yield from choice.actions()
        return
    yield choice.action
    if any(isinstance(d, Span) for d in choice.domains.values()):
        yield choice.sample(rng)


def _tried(rules: Rules[Any], now: State, a: Action, earlier: Sequence[State]) -> State | None:
    """The state after an action; None if it is illegal, or leads back: nobody buys to sell again,
    or offers again what nobody wants."""
    try:
        s: State = machine.apply(rules, now, a)
    except IllegalAction:
        return None
    trade = isinstance(a, BuyShares | SellShares)
    if isinstance(a, Pass) or not any(_alike(s, e, trade) for e in earlier):
        return s
    return None


def _alike(s: State, e: State, trade: bool) -> bool:
    """Whether everybody owns the same as before, and (but after a trade) is asked the same."""
    return (trade or s.round == e.round) and _wealth(s) == _wealth(e)


def _wealth(s: State) -> tuple[Any, ...]:
    cash = [p.cash for p in s.players.values()]
    return cash, [(c.cash, c.trains, _holdings(c)) for c in s.corporations.values()], s.board


def _holdings(c: Corporation) -> dict[str, int]:
    return {who: c.held(who) for who, certs in c.certs.items() if certs}


class Glance:
    """How states that may follow look to one player."""

    def __init__(self, outlook: Outlook, rules: Rules[Any], now: State, me: str) -> None:
        self.outlook, self.rules, self.now, self.me = outlook, rules, now, me

    def worth(self, s: State) -> float:
        """What he would score, and what may be expected of companies he has a part in."""
        total = float(self.rules.value(s, self.me))
        if s.finished is not None:
            return total
        for c in s.corporations.values():
            if held := c.held(self.me) / 100:
                total += held * self._prospects(s, c)
            if c.president == self.me and c.floated and not c.trains:
                total -= self._risk(s, c)
        return total

    def _prospects(self, s: State, c: Corporation) -> float:
        """What may be expected of a whole company."""
        view = self.outlook
        if not c.floated:
            if c.cell is None:
                return 0.0
            sold = 100 - c.held(c.id)
            return view.hope * price(self.rules.box.market, s, c.id) * c.shares * sold / 100
        return view.horizon * self._income(s, c) + view.treasury * c.cash + self._reach(s, c)

    def _risk(self, s: State, c: Corporation) -> float:
        """A company without a train must have one some day."""
        pile = depot.top(s)
        if pile is None:
            return 0.0
        cost = self.rules.box.trains[pile.kind].price
        return self.outlook.fear * (cost + max(0, cost - c.cash))

    def _income(self, s: State, c: Corporation) -> int:
        """What its trains earn a round. Others' track is taken as it lies now."""
        board = s.board if c.id == self.now.acting[0] else self.now.board
        known = _INCOMES.of(board)
        key = (c.id, c.trains, s.phase)
        if c.trains and key not in known:
            try:
                found = self.rules.route_model(s, c.id).best(effort=self.outlook.route_effort)
                known[key] = found.revenue
            except (IllegalAction, ValueError):
                known[key] = 0
        return known.get(key, 0)

    def _reach(self, s: State, c: Corporation) -> float:
        if c.id != self.now.acting[0]:
            return 0.0
        box = self.rules.box
        return self.outlook.reach * len(network.reach(box.map, box.tiles, s.board, c.id).nodes)


#: The usual one.
thrifty = Foresight()
