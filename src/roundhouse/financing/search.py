"""Looking for the ways, breadth first through a turn."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple, TypeVar

import msgspec

from ..bank import cash
from ..dealing import concerned
from ..game import Game
from ..model.actions import (
    Action,
    Assign,
    Bankrupt,
    BuyCompany,
    BuyTrain,
    Dividend,
    LayTile,
    Pass,
    PlaceToken,
    RemoveToken,
    RunRoutes,
)
from ..model.choices import Choice, Span
from ..model.codec import hash_state
from ..model.errors import BrokenInvariant, IllegalAction, UnknownName
from ..model.events import Event, PresidentChanged, PriceMoved
from ..model.records import State
from ..rounds import machine
from ..rounds.rules import Rules
from ..rounds.step import ActionContext
from ..rounds.steps.trains import BuyTrains, Offer
from ..threats import supposed_turns
from .ways import Way, Ways

S = TypeVar("S", bound=State)

#: States looked at, if not told otherwise; counted work of the search for a run.
MOST, EFFORT = 1_500, 4_000


#: What never brings money.
_SPENDING = (Assign, BuyCompany, LayTile, PlaceToken, RemoveToken)


class _Node(NamedTuple):
    """A state on the way, how it was come to, and the trains that could have been had before."""

    state: State
    actions: tuple[Action, ...]
    states: tuple[State, ...]
    events: tuple[Event, ...]
    had: frozenset[object]


def ways_to_finance(game: Game, who: str, *, most: int = MOST, effort: int = EFFORT) -> Ways:
    """The ways of a company to a train in its present turn; if that is not on, or no train can be
    bought in it any more, in one that is supposed. None if it never operates. Raises
    :class:`UnknownName` if there is no such company."""
    rules, s = game.rules, game.state
    if who not in s.corporations:
        raise UnknownName(f"there is no company {who}")
    if rules.president(s, who) is None:
        return Ways(who, (), True, rules.operator(s) != who)
    if rules.operator(s) == who:
        found = _from(rules, s, who, most, effort)
        if found.ways:
            return found
    start = next(supposed_turns(rules, s, who), None)
    if start is None:
        return Ways(who, (), True, True)
    return msgspec.structs.replace(_from(rules, start, who, most, effort), supposed=True)


def _from(rules: Rules[Any], s: State, who: str, most: int, effort: int) -> Ways:
    """The ways from a state, the shortest first."""
    ways, complete = _Search(rules, who, effort).all(s, most)
    return Ways(who, tuple(sorted(ways, key=lambda w: len(w.actions))), complete, False)


class _Search:
    """Looking through the turn of a company, breadth first."""

    def __init__(self, rules: Rules[Any], who: str, effort: int) -> None:
        self.rules = rules
        self.who = who
        self.effort = effort
        self.runs: dict[str, Action | None] = {}
        self.leader = ""

    def all(self, start: State, most: int) -> tuple[list[Way], bool]:
        """The ways from a state, and whether no more than ``most`` states had to be looked at."""
        self.leader = self.rules.president(start, self.who) or ""
        queue = deque([_Node(start, (), (), (), frozenset())])
        seen, ways = {hash_state(start)}, list[Way]()
        for _ in range(most):
            if not queue:
                return ways, True
            node = queue.popleft()
            bought, had = self.bought(node)
            ways += bought
            for after in self.onwards(node._replace(had=had)):
                mark = hash_state(after.state)
                if mark not in seen:
                    seen.add(mark)
                    queue.append(after)
        return ways, not queue

    def choices(self, s: State) -> list[Choice]:
        """What company and president may do."""
        ours = {self.who, self.leader}
        every = machine.choices(self.rules, s)
        return [
            c for c in every if c.actor in ours or self.rules.president(s, c.actor) == self.leader
        ]

    # buying

    def bought(self, node: _Node) -> tuple[list[Way], frozenset[object]]:
        """The purchases possible now that were not before, and what can be had by now."""
        ways, had = [], set(node.had)
        for choice in self.choices(node.state):
            a = choice.action
            key = _goods(node.state, a)
            if key is None or key in had:
                continue
            way = self.way(node, choice)
            if way is not None:
                ways.append(way)
                had.add(key)
        return ways, frozenset(had)

    def way(self, node: _Node, choice: Choice) -> Way | None:
        """The way that ends with a purchase, or a bankruptcy."""
        action, s = choice.action, node.state
        span = choice.domains.get("price")
        high = span.high if isinstance(span, Span) else getattr(action, "price", 0)
        tried = self.tried(s, action)
        if tried is None:
            return None
        after, events = tried
        told = (*node.events, *events)
        return Way(
            (*node.actions, action),
            (*node.states, s),
            _kind(s, action),
            _seller(s, action),
            getattr(action, "price", 0),
            high,
            max(0, cash(s, self.leader) - cash(after, self.leader)),
            after,
            tuple(e for e in told if isinstance(e, PresidentChanged)),
            tuple(e for e in told if isinstance(e, PriceMoved)),
            tuple(p for p in concerned(self.rules, s, action) if p != self.leader),
        )

    # going on

    def onwards(self, node: _Node) -> Iterator[_Node]:
        """What may be done before a purchase: passing on, running, paying, raising money."""
        raising = self.lacks(node)
        for choice in self.choices(node.state):
            for action in self.alternatives(node.state, choice, raising=raising):
                tried = self.tried(node.state, action)
                if tried is not None and self.leads_on(node.state, action, tried[0]):
                    actions, states = (*node.actions, action), (*node.states, node.state)
                    events = (*node.events, *tried[1])
                    yield _Node(tried[0], actions, states, events, node.had)

    def lacks(self, node: _Node) -> bool:
        """Whether something is on offer that could not be had so far; unknown while nothing is."""
        step = self.rules.play(node.state).waiting(node.state)
        if not isinstance(step, BuyTrains):
            return True
        offers = step.offers(node.state, self.who)
        return any(_thing(node.state, offer) not in node.had for offer in offers)

    def alternatives(self, s: State, choice: Choice, *, raising: bool) -> Iterator[Action]:
        """The actions of a choice that are worth trying."""
        match choice.action:
            case BuyTrain() | Bankrupt():
                return
            case RunRoutes():
                found = self.run(s, choice)
                yield from () if found is None else (found,)
            case Pass() | Dividend():
                yield from _ends(choice)
            case a if raising and not isinstance(a, _SPENDING):
                yield from _ends(choice)

    def run(self, s: State, choice: Choice) -> Action | None:
        """The best run, the same for all ways on which board and trains are the same."""
        mark = hash_state(s)
        if mark not in self.runs:
            try:
                best = self.rules.route_model(s, choice.actor).best(effort=self.effort)
                self.runs[mark] = msgspec.structs.replace(choice.action, routes=best.routes)
            except (IllegalAction, ValueError):
                self.runs[mark] = None
        return self.runs[mark]

    def tried(self, s: State, action: Action) -> tuple[State, tuple[Event, ...]] | None:
        context = ActionContext()
        try:
            after = machine.apply(self.rules, s, action, context)
        except (IllegalAction, BrokenInvariant):
            return None
        return after, tuple(context.events)

    def leads_on(self, s: State, action: Action, after: State) -> bool:
        """Whether the turn goes on, nearer to a train: by passes, runs, and what brings money."""
        if self.who not in after.corporations or self.rules.operator(after) != self.who:
            return False
        return isinstance(action, Pass | RunRoutes | Dividend) or self.money(after) > self.money(s)

    def money(self, s: State) -> int:
        return cash(s, self.who) + cash(s, self.leader)


def _ends(choice: Choice) -> Iterator[Action]:
    """An action for each end of its spans; of equal things the first."""
    names = list(choice.domains)
    for values in product(*(_some(choice, name) for name in names)):
        yield msgspec.structs.replace(choice.action, **dict(zip(names, values, strict=True)))


def _some(choice: Choice, name: str) -> tuple[Any, ...]:
    domain = choice.domains[name]
    if isinstance(domain, Span):
        return tuple(dict.fromkeys((domain.low, domain.high)))
    return (getattr(choice.action, name),)


def _goods(s: State, a: Action) -> object | None:
    """What tells purchases apart; None: it is none."""
    if isinstance(a, Bankrupt):
        return "bankrupt"
    if not isinstance(a, BuyTrain):
        return None
    return _thing(s, a)


def _thing(s: State, one: BuyTrain | Offer) -> object:
    """What is bought, and from whom: trains of one type are alike."""
    return _type(s, one.train), _owner(s, one.train), one.exchange, one.shell


def _type(s: State, train: str) -> str:
    return s.trains[train].kind if train in s.trains else train.rpartition("-")[0]


def _owner(s: State, train: str) -> str:
    """The company that owns a train; empty: none does."""
    owner = s.trains[train].owner if train in s.trains else ""
    return owner if owner in s.corporations else ""


def _kind(s: State, a: Action) -> str:
    return _type(s, a.train) if isinstance(a, BuyTrain) else ""


def _seller(s: State, a: Action) -> str:
    return _owner(s, a.train) if isinstance(a, BuyTrain) else ""
