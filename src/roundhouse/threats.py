"""What rivals could do to a company's run: for every tile and station they could place in a turn of
their own on the board as it lies, what the company's best run would lose.

A rival's turn is supposed: he begins one now, with the money, trains and powers his company has.
What lies outside a company's reach is on none of its routes, so only what touches it is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from .game import Game
from .model.actions import Action, LayTile, PlaceToken
from .model.errors import BrokenInvariant, IllegalAction, UnknownName
from .model.records import State, put
from .rounds import machine
from .rounds.rules import Rules
from .rounds.step import ActionContext
from .rounds.steps.operating import OperatingPlay
from .sentences.buttons import hex_of

S = TypeVar("S", bound=State)

#: Counted work of one search of routes.
EFFORT = 4_000


class Threat(Struct, frozen=True):
    """Something ``rival`` could do, with what the company's best run earns ``now`` and ``then``;
    ``sure``: both are proven best. ``hex``: where."""

    rival: str
    action: Action
    hex: str
    now: int
    then: int
    sure: bool

    @property
    def loss(self) -> int:
        """What the run loses."""
        return self.now - self.then


def threats(game: Game, who: str, *, effort: int = EFFORT) -> list[Threat]:
    """What the companies of other players could do to a company's run, the worst first; nothing if
    it runs no trains. Raises :class:`UnknownName` if there is no such company."""
    rules, s = game.rules, game.state
    if who not in s.corporations:
        raise UnknownName(f"there is no company {who}")
    now = _best(rules, s, who, effort)
    if now is None or not now[0]:
        return []
    reach = rules.reach(s.board, who)
    near = {*reach.edges, *(coord for coord, _ in reach.nodes)}
    known: dict[object, tuple[int, bool] | None] = {}
    found = []
    for rival, supposed, action in _placings(game, who):
        coord = hex_of(rules, s, action)
        if coord is None or coord not in near:
            continue
        key = _effect(action)
        if key not in known:
            known[key] = _after(rules, s, supposed, action, who, effort)
        then = known[key]
        if then is not None and then[0] < now[0]:
            threat = Threat(rival, action, coord, now[0], then[0], now[1] and then[1])
            found.append(threat)
    return sorted(found, key=lambda t: (-t.loss, t.hex, t.rival))


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


def _after(
    rules: Rules[Any], s: State, supposed: State, action: Action, who: str, effort: int
) -> tuple[int, bool] | None:
    """The best run of a company once something has been placed; all else stays as it is."""
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
    return _best(rules, after.seal(), who, effort)


def _best(rules: Rules[Any], s: State, who: str, effort: int) -> tuple[int, bool] | None:
    if not s.corporations[who].trains:
        return None
    try:
        found = rules.route_model(s, who).best(effort=effort)
    except (IllegalAction, BrokenInvariant, ValueError):
        return None
    return found.revenue, found.optimal


__all__ = ["EFFORT", "Threat", "by_hex", "supposed_turns", "threats"]
