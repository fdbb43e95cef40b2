"""One game of a match, as a value that can be sent anywhere and comes back as figures."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from ..bots import Player
from ..bots.together import decide, waited
from ..creation import new
from ..engines import EnginePlayer
from ..game import Game
from .contestants import contestant
from .economy import Economy, economy_of

#: Actions after which a game is given up.
MOST = 6_000


class Match(Struct, frozen=True):
    """A game to be played: who sits where, and the seed of the deal."""

    title: str
    seats: tuple[str, ...]
    seed: int
    options: tuple[str, ...] = ()
    actions: int = MOST
    keep: bool = False


class Played(Struct, frozen=True):
    """What came of a game. By seat: ``worth``; ``place`` (equal worth shares a place, who has
    forfeited is last); seconds (of an engine by the clock, else of the processor) and number of
    decisions; why a program was given up (empty: it was
    not). ``stalled``: it was given up unfinished; ``file``: the game, if it was to be kept."""

    match: Match
    worth: tuple[int, ...]
    place: tuple[int, ...]
    seconds: tuple[float, ...]
    decisions: tuple[int, ...]
    faults: tuple[str, ...]
    stalled: bool
    economy: Economy
    file: dict[str, Any] | None = None


def lineups(
    title: str,
    seats: Sequence[str],
    games: int,
    seed: int = 1,
    *,
    options: Sequence[str] = (),
    keep: bool = False,
) -> Iterator[Match]:
    """Games in which everybody sits everywhere: the same deal is played with the players moved on
    by one seat, until all have sat everywhere; then comes the next deal."""
    count = len(seats)
    for number in range(games):
        turn = number % count
        moved = (*seats[turn:], *seats[:turn])
        yield Match(title, moved, seed + number // count, tuple(options), keep=keep)


def play(match: Match) -> Played:
    """Play a game to its end. Raises :class:`OptionError` or :class:`ValueError` for a title,
    number of players or player there is not."""
    names = [f"{n} {called[:30]}" for n, called in enumerate(match.seats, start=1)]
    game = new(match.title, names, seed=match.seed, options=match.options)
    players: list[Player] = []
    done = False
    try:
        for n, called in enumerate(match.seats):
            players.append(contestant(called, match.seed * 100 + n))
            for other in players[:-1]:
                players[-1].remember_with(other)
        played = _played(match, game, players)
        done = True
        return played
    finally:
        for one in players:
            if isinstance(one, EnginePlayer):
                one.close(at_once=not done)


def _played(match: Match, game: Game, players: Sequence[Player]) -> Played:
    keys = list(game.state.players)
    seated = dict(zip(keys, players, strict=True))
    seconds, decisions = dict.fromkeys(keys, 0.0), dict.fromkeys(keys, 0)
    while not game.finished and len(game) < match.actions:
        who = waited(game, seated) or keys[0]
        # an engine works in a process of its own
        clock = time.perf_counter if isinstance(seated[who], EnginePlayer) else time.process_time
        began = clock()
        decision = decide(game, seated)
        seconds[who] += clock() - began
        decisions[who] += 1
        if decision is None:
            break
        game.apply(decision.action)
    worth = [game.rules.value(game.state, k) for k in keys]
    faults = [str(getattr(p, "fault", None) or "") for p in players]
    return Played(
        match,
        tuple(worth),
        tuple(_places(worth, faults)),
        tuple(seconds.values()),
        tuple(decisions.values()),
        tuple(faults),
        not game.finished,
        economy_of(game),
        game.dump() if match.keep else None,
    )


def _places(worth: Sequence[int], faults: Sequence[str]) -> list[int]:
    """The places; who has forfeited is behind everybody who has not."""
    scores = [(not fault, value) for value, fault in zip(worth, faults, strict=True)]
    return [1 + sum(other > score for other in scores) for score in scores]
