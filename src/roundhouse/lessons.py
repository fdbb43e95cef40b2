"""A guided first game of a title: data beside it, ``lesson.json``, and where somebody is in it.

A lesson is a game of our own up to the end of an operating turn of the learner's first company. Who
learns makes its moves at a real table; bots make those of the others as they are written down. It
goes on as long as the same things are done by the same players, also with other tiles or other
amounts, and until a move that is written down is not legal any more; then the bots think for
themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct

from .deciding import decides
from .game import Game
from .model.actions import Action, Log, Message, decode_action
from .model.records import State
from .titles.title import Title

#: What is shown before the learner's first move, and once the lesson is over.
BEGIN, END = "begin", "end"


class Note(Struct, frozen=True):
    """What is told at a point; ``look``: the view of the table it is about."""

    title: str
    text: str
    look: str = ""


class LessonFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The form of ``lesson.json``. ``learner``: who learns, as a number from 1; ``notes``: by the
    step they are shown in, laid over those of the title it is made from. An action may have a
    ``why`` beside its own fields: what speaks for it, in this position."""

    seed: int
    players: int
    actions: tuple[dict[str, Any], ...]
    learner: int = 1
    options: tuple[str, ...] = ()
    notes: dict[str, Note] = {}


class Lesson:
    """The lesson of a title."""

    def __init__(self, file: LessonFile, notes: dict[str, Note]) -> None:
        self.file = file
        self.notes = notes
        self.actions = tuple(decode_action(_without(a, "why")) for a in file.actions)
        self.reasons = tuple(str(a.get("why", "")) for a in file.actions)
        #: One by one what is done, with what an action brings along; and the place of each.
        self._steps = tuple((n, a) for n, one in enumerate(self.actions) for a in _each(one))

    def _at(self, game: Game) -> int | None:
        """How many of its steps a game has taken; None if it goes another way."""
        taken = _taken(game)
        same = _alike(taken, [a for _, a in self._steps])
        return min(len(taken), len(self._steps)) if same else None

    def place(self, game: Game) -> int | None:
        """How many of its actions a game has taken; None if it goes another way."""
        at = self._at(game)
        done = at is not None and at == len(self._steps)
        return at if at is None else len(self.actions) if done else self._steps[at][0]

    def coming(self, game: Game) -> Action | None:
        """The next action, or what the last one brings along where a table plays that by itself;
        None if the lesson is over or has been left."""
        at = self._at(game)
        if at is None or at >= len(self._steps):
            return None
        action = self._steps[at][1]
        return action if game.why_not(action) is None else None

    def why(self, game: Game) -> str:
        """What speaks for the next action; empty if nothing is told of it."""
        return self.reasons[self.place(game) or 0] if self.coming(game) is not None else ""

    def note(self, game: Game, learner: str) -> Note | None:
        """What is to be told now, and whoever learns is waited for or has nothing more to learn."""
        at = self.place(game)
        if at is not None and at >= len(self.actions):
            return self.notes.get(END)
        if not any(_theirs(game, e.action, learner) for e in game.history):
            return self.notes.get(BEGIN)
        return self.notes.get(game.state.step)


def _without(told: dict[str, Any], name: str) -> dict[str, Any]:
    return {k: v for k, v in told.items() if k != name}


def _each(action: Action) -> tuple[Action, ...]:
    """An action, and what it brings along."""
    return (action, *(action.auto_actions or ()))


def _taken(game: Game) -> list[Action]:
    own = (e.action for e in game.history if not isinstance(e.action, Message | Log))
    return [a for action in own for a in _each(action)]


def _alike(taken: Sequence[Action], told: Sequence[Action]) -> bool:
    """Whether the same players did the same things, as far as both go."""
    return all((a.type, a.actor) == (b.type, b.actor) for a, b in zip(taken, told, strict=False))


def _theirs(game: Game, action: Action, learner: str) -> bool:
    return learner == action.actor or learner in decides(game, action.actor)


def seen(game: Game, learner: str) -> bool:
    """Whether somebody has acted in the present step earlier in the game."""
    before: State = game.start
    for entry in game.history:
        if before.step == game.state.step and _theirs(game, entry.action, learner):
            return True
        before = entry.state
    return False


@lru_cache(maxsize=64)
def lesson_of(title: Title) -> Lesson | None:
    """The lesson of a title; None if it has none. Raises :class:`msgspec.ValidationError` for a
    file that is not of its form."""
    own = _file(title)
    return Lesson(own, _notes(title)) if own is not None else None


def _file(title: Title) -> LessonFile | None:
    raw = title.own("lesson.json")
    return msgspec.json.decode(raw, type=LessonFile) if raw is not None else None


def _notes(title: Title) -> dict[str, Note]:
    own = _file(title)
    before = _notes(title.base) if title.base is not None else {}
    return before | (own.notes if own is not None else {})
