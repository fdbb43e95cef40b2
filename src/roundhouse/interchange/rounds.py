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
    rules, topic, entries = game.rules, game.rules.play(game.start).topic, list[Entry]()
    name = rules.round_of(game.start, short=True)
    for entry in game.history:
        entries.append(entry)
        for event in entry.events:
            if isinstance(event, RoundStarted):
                yield Round(name, topic, tuple(entries), entry.state)
                play = plays.get(event.name)
                name, topic = rules.round_told(event, short=True), play.topic if play else ""
                entries = []
    yield Round(name, topic, tuple(entries), game.state)
