"""Log sentences in plain words, made from the typed events.

Each thing is told once: money that another event explains is part of that event's sentence, a
price move follows the sentence about its corporation, and several certificates or trains that go
the same way are told together. How each event is told: :mod:`.telling`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..model.actions import Log, Message, Pass, Redo, Undo
from ..model.events import Event
from ..rounds.steps.progress import StockProgress
from ..rounds.steps.stock import StockTurn
from .telling import board, companies, money, shares, trains, turns
from .telling.teller import Teller
from .words import Sentence, Words

if TYPE_CHECKING:
    from ..history import Entry
    from ..model.records import State
    from ..rounds.rules import Rules

#: How the events of each type are told.
_TELLING = {
    **money.TELLING,
    **shares.TELLING,
    **board.TELLING,
    **trains.TELLING,
    **companies.TELLING,
    **turns.TELLING,
}


def sentences(rules: Rules[Any], before: State, entry: Entry) -> list[Sentence]:
    """What one log entry did, each thing told once, in order. ``before``: the state it met."""
    words = Words(rules, entry.state)
    match entry.action:
        case Message(message=text) | Log(message=text):
            who = words.who(entry.action.actor)
            return [Sentence("chat", (who, f": {text}"), entry.action.actor)]
        case Undo():
            return [Sentence("other", (words.who(entry.action.actor), " takes back."))]
        case Redo():
            return [Sentence("other", (words.who(entry.action.actor), " restores."))]
    return deeds(rules, entry, lambda: before)


def deeds(rules: Rules[Any], entry: Entry, before: Callable[[], State]) -> list[Sentence]:
    """The same of an entry in which somebody acts. ``before``: gives the state it met; asked only
    where that matters, as it may have to be made first."""
    ended = _turn_ended(rules, before(), entry) if isinstance(entry.action, Pass) else ()
    return [*ended, *tell(rules, entry.state, entry.events, before)]


def _turn_ended(rules: Rules[Any], before: State, entry: Entry) -> Iterator[Sentence]:
    """That a turn of a stock round ends in which something was done: no event tells it, as that is
    no pass."""
    who, m = entry.action.actor, before.round
    if not isinstance(m, StockProgress) or m.idle:
        return
    steps = rules.play(before).sequence
    if any(isinstance(step, StockTurn) and step.name == before.step for step in steps):
        yield Sentence("pass", (Words(rules, before).who(who), " ends the turn."), who)


def tell(
    rules: Rules[Any],
    state: State,
    events: Sequence[Event],
    before: Callable[[], State] | None = None,
) -> list[Sentence]:
    """The sentences of some events of one action. ``state``: the one after it, of which names are;
    ``before``: gives the one it met, of which those are that it took out of the game."""
    return Teller(Words(rules, state, before), events, _TELLING).all()
