"""A game, round by round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..game import Game
from ..history import Entry
from ..model.events import RoundStarted
from ..model.records import State


class Round(NamedTuple):
    """A round that was played: its short name, what it is about (``map``, ``stock`` …), the entries
    of it, and the state when the next one began, or the game ended."""

    name: str
    topic: str
    entries: tuple[Entry, ...]
    after: State


def rounds_of(game: Game) -> Iterator[Round]:
    """The rounds of a game along the line that counts. What the last action of a round brought
    about belongs to it, with whatever the next one begins with."""
    plays = {play.name: play for play in game.rules.rounds.values()}
    first = game.rules.play(game.start)
    name, topic, entries = _named(first.short, game.start), first.topic, list[Entry]()
    for entry in game.history:
        entries.append(entry)
        for event in entry.events:
            if isinstance(event, RoundStarted):
                yield Round(name, topic, tuple(entries), entry.state)
                play = plays.get(event.name)
                short = play.short if play else event.name
                name, topic = f"{short} {event.turn}.{event.number}", play.topic if play else ""
                entries = []
    yield Round(name, topic, tuple(entries), game.state)


def _named(short: str, state: State) -> str:
    number = state.round.number
    return f"{short} {state.turn}.{number}" if number else short
