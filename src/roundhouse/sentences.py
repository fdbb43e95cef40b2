"""Log sentences in plain words, made from the typed events; and short summaries of a state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from .game import Entry
    from .model.events import Event
    from .model.records import State
    from .rounds.rules import Rules


class Ref(Struct, frozen=True):
    """Something a sentence names: ``kind`` is ``player``, ``corporation``, ``company``, ``hex``,
    ``train`` or ``tile``; ``key`` its key in the state; ``text`` what is written."""

    kind: str
    key: str
    text: str

    def __str__(self) -> str:
        return self.text


class Sentence(Struct, frozen=True):
    """A line of the log. ``kind`` sorts it (``money``, ``share``, ``track``, ``token``, ``train``,
    ``run``, ``auction``, ``company``, ``round``, ``chat``); ``str()`` gives the plain text."""

    kind: str
    parts: tuple[str | Ref, ...]

    def __str__(self) -> str:
        return "".join(map(str, self.parts))


def sentences(rules: Rules[Any], before: State, entry: Entry) -> list[Sentence]:
    """What one log entry did, each thing told once, in order. ``before``: the state it met."""
    raise NotImplementedError


def tell(rules: Rules[Any], state: State, events: Sequence[Event]) -> list[Sentence]:
    """The sentences of some events of one action."""
    raise NotImplementedError


def name_of(rules: Rules[Any], state: State, key: str) -> str:
    """What an entity key is called: a player's name, a company's symbol, ``the bank`` …"""
    raise NotImplementedError


def where(rules: Rules[Any], state: State) -> str:
    """The place in the game in a few words: ``OR 4.2, phase 5``."""
    raise NotImplementedError


def summary(rules: Rules[Any], state: State) -> str:
    """The state as a short plain text: where the game is, who is waited for, players by worth,
    corporations in operating order."""
    raise NotImplementedError
