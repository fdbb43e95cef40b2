"""What rivals could do to a company's run: for every tile and station they could place in a turn of
their own on the board as it lies, what the company's best run would lose.

A rival's turn is supposed: he begins one now, with the money, trains and powers his company has.
What lies outside a company's reach is on none of its routes, so only what touches it is looked at;
and routes are searched for only where the best run of now earns less or cannot be run any more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from .game import Game
from .model.actions import Action, LayTile, PlaceToken, Run
from .model.errors import BrokenInvariant, IllegalAction, UnknownName
from .model.records import State, put
from .rounds import machine
from .rounds.rules import Rules
from .rounds.step import ActionContext
from .rounds.steps.operating import OperatingPlay
from .routes.answer import BestRoutes
from .sentences.buttons import hex_of

S = TypeVar("S", bound=State)

#: Counted work of one search of routes, and of all for one company.
EFFORT, BUDGET = 3_000, 4_500
#: What a search takes that is not counted.
_BEGINNING = 60


class Threat(Struct, frozen=True):
    """Something ``rival`` could do, with what the company's best run earns ``now`` and ``then``;
    ``sure``: both are proven best. ``hex``: where. ``searched`` False: there was no work left to
    look for the best run ``then``, which earns this at least."""

    rival: str
    action: Action
    hex: str
    now: int
    then: int
    sure: bool
    searched: bool = True

    @property
    def loss(self) -> int:
        """What the run loses, or could lose at most if no best run was searched for."""
        return self.now - self.then


class _Placing(Struct):
    """Something that can be placed, by any of some rivals, the state after it, and what of the best
    run of now is ``left`` there."""

    by: list[tuple[str, Action, str]]
    after: State
    left: int


def threats(game: Game, who: str, *, effort: int = EFFORT, budget: int = BUDGET) -> list[Threat]:
    """What the companies of other players could do to a company's run, the worst first; nothing if
    it runs no trains. All together is given a ``budget`` of work, what breaks most of the run
    first; what could not be searched for any more comes last. Raises :class:`UnknownName` if there
    is no such company."""
    s = game.state
    if who not in s.corporations:
        raise UnknownName(f"there is no company {who}")
    work = _Work(game.rules, who, effort, budget)
    now = work.best(s)
    if now is None or not now.revenue:
        return []
    found = []
    for placing in sorted(_harmful(game, who, now), key=lambda p: p.left):
        searched = work.left > 0
        best = work.best(placing.after) if searched else None
        if searched and best is None:
            continue
        then = max(placing.left, best.revenue if best else 0)
        sure = now.optimal and best is not None and best.optimal
        if then < now.revenue:
            found += [Threat(*by, now.revenue, then, sure, searched) for by in placing.by]
    return sorted(found, key=lambda t: (not t.searched, -t.loss, t.hex, t.rival))


class _Work:
    """Searches for the best run of a company, which together take no more than a budget."""

    def __init__(self, rules: Rules[Any], who: str, effort: int, budget: int) -> None:
        self.rules, self.who, self.effort, self.left = rules, who, effort, budget

    def best(self, s: State) -> BestRoutes | None:
        """The best run in a state; None if it runs none."""
        from .routes.best import solve
        from .routes.clock import limited

        if not s.corporations[self.who].trains:
            return None
        clock = limited(0, min(self.effort, self.left))
        try:
            return solve(self.rules.route_model(s, self.who), clock, hurry=False)
        except (IllegalAction, BrokenInvariant, ValueError):
            return None
        finally:
            self.left -= round(clock.timer() - clock.start) + _BEGINNING


def _harmful(game: Game, who: str, now: BestRoutes) -> list[_Placing]:
    """What could be placed, as far as the best run of now would not earn as much after it."""
    rules, s = game.rules, game.state
    reach = rules.reach(s.board, who)
    near = {*reach.edges, *(coord for coord, _ in reach.nodes)}
    known: dict[object, _Placing | None] = {}
    for rival, supposed, action in _placings(game, who):
        coord = hex_of(rules, s, action)
        if coord is None or coord not in near:
            continue
        key = _effect(action)
        if key not in known:
            after = _after(rules, s, supposed, action)
            known[key] = None
            if after is not None:
                known[key] = _Placing([], after, _left(rules, after, who, now.routes))
        placing = known[key]
        if placing is not None:
            placing.by.append((rival, action, coord))
    return [p for p in known.values() if p is not None and p.left < now.revenue]


def _left(rules: Rules[Any], s: State, who: str, runs: Sequence[Run]) -> int:
    """What some runs earn in a state, without those that cannot be run together with the ones
    before: the best run earns no less."""
    bare = [msgspec.structs.replace(run, revenue=None, revenue_str=None) for run in runs]
    earned = _earned(rules, s, who, bare)
    if earned is not None:
        return earned
    kept: list[Run] = []
    most = 0
    for run in bare:
        earned = _earned(rules, s, who, [*kept, run])
        if earned is not None:
            kept, most = [*kept, run], earned
    return most


def _earned(rules: Rules[Any], s: State, who: str, runs: Sequence[Run]) -> int | None:
    try:
        return sum(route.revenue for route in rules.read_routes(s, who, runs))
    except (IllegalAction, BrokenInvariant, ValueError):
        return None


def by_hex(found: list[Threat]) -> Mapping[str, list[Threat]]:
    """Threats by where they are, the worst of each first."""
    places: dict[str, list[Threat]] = {}
    for threat in found:
        places.setdefault(threat.hex, []).append(threat)
    return places


def _placings(game: Game, who: str) -> Iterator[tuple[str, State, Action]]:
    """The tiles and stations companies of others could place, each with the turn it is part of."""
    rules, s = game.rules, game.state
    mine = rules.president(s, who)
    for rival in dict.fromkeys((*rules.in_order(s), *s.acting)):
        if rival not in s.corporations or rival == who or rules.president(s, rival) == mine:
            continue
        seen: set[object] = set()
        present = (s,) if rival in s.acting else ()
        for turn in (*present, *supposed_turns(rules, s, rival)):
            try:
                for choice in machine.choices(rules, turn):
                    a = choice.action
                    if isinstance(a, LayTile | PlaceToken) and _effect(a) not in seen:
                        seen.add(_effect(a))
                        yield rival, turn, a
            except (IllegalAction, BrokenInvariant):
                continue


def supposed_turns(rules: Rules[Any], s: S, who: str) -> Iterator[S]:
    """States in which a company is in each stage of a turn of its own in which it is waited for."""
    play = next((p for p in rules.rounds.values() if isinstance(p, OperatingPlay)), None)
    if play is None or s.finished is not None:
        return
    order: Any = play.progress
    for stage in play.stages:
        new = s.fork()
        new.now = ActionContext()
        new.round = order(number=1, order=(who,)).turn(0, stage)
        try:
            asked = play.asked(new)
        except (IllegalAction, BrokenInvariant, LookupError):
            continue
        if asked is not None and getattr(asked[0], "stage", "") == stage:
            new.acting, new.step = asked[1], asked[0].name
            new.now = None
            yield new.seal()


def _effect(action: Action) -> object:
    """What of an action changes others' routes: whose token it is does not."""
    if isinstance(action, LayTile):
        return action.hex, action.tile.rpartition("-")[0], action.rotation
    assert isinstance(action, PlaceToken)
    return action.city, action.slot


def _after(rules: Rules[Any], s: State, supposed: State, action: Action) -> State | None:
    """The state once something has been placed; all else stays as it is. None: it cannot be."""
    try:
        placed = machine.apply(rules, supposed, action)
    except (IllegalAction, BrokenInvariant):
        return None
    after = s.fork()
    after.board = placed.board
    for name, company in s.corporations.items():
        other = placed.corporations.get(name)
        if other is not None and other.tokens != company.tokens:
            changed = msgspec.structs.replace(company, tokens=other.tokens)
            after.corporations = put(after.corporations, name, changed)
    return after.seal()


__all__ = ["BUDGET", "EFFORT", "Threat", "by_hex", "supposed_turns", "threats"]
