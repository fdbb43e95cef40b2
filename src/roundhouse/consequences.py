"""What an action leads to: the state after it, with the automatic actions it brings along.

Moves are the machine's (:mod:`.rounds.machine`). What is no move stands beside the rules: words
change nothing, and a standing order of a player is only written down.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from .history import Stored
from .model.actions import Action, Log, Message, Program, ProgramDisable, Redo, Undo
from .model.errors import IllegalAction
from .model.frozen import put
from .model.records import State
from .rounds import machine
from .rounds.rules import Rules
from .rounds.step import ActionContext

replace = msgspec.structs.replace


def follow(
    rules: Rules[Any], state: State, a: Action, context: ActionContext
) -> tuple[Action, State]:
    """An action with its automatic ones, and the state after them; what happened is told to
    ``context``. Those a file expects are added unless the action comes from one (``recorded``).

    Raises :class:`IllegalAction`, also for what only the game itself adds, unless ``recorded``.
    """
    if context.recorded:
        return a, with_automatic(rules, state, a, context)
    _check_sent(rules, a)
    state = with_automatic(rules, state, a, context)
    while due := rules.auto_actions(state):
        for extra in due:
            state = after(rules, state, extra, context)
        a = replace(a, auto_actions=(*(a.auto_actions or ()), *due))
    return a, state


def remade(rules: Rules[Any], state: State, stored: Stored) -> State:
    """The state after an action played before; one that its file took back did nothing."""
    try:
        return with_automatic(rules, state, stored.action, ActionContext(stored.recorded))
    except IllegalAction:
        if not stored.recorded:
            raise
        return state


def with_automatic(rules: Rules[Any], state: State, a: Action, context: ActionContext) -> State:
    """The state after an action and the automatic ones it brings along. Raises
    :class:`IllegalAction`."""
    state = after(rules, state, a, context)
    for extra in a.auto_actions or ():
        state = after(rules, state, extra, context)
    return state


def after(rules: Rules[Any], state: State, a: Action, context: ActionContext) -> State:
    """The state after one action alone. Raises :class:`IllegalAction`."""
    if _is_beside(type(a)):
        return _beside(state, a, context)
    moved: State = machine.apply(rules, state, a, context)
    return moved


@cache
def _is_beside(kind: type[Action]) -> bool:
    """Whether actions of a kind are no moves: the machine knows nothing of them."""
    return issubclass(kind, (Message, Log, Undo, Redo, Program))


def _beside(state: State, a: Action, context: ActionContext) -> State:
    """The state after an action that is no move: words, or a standing order."""
    if isinstance(a, Message):
        _check_speaker(state, a)
        return state
    if state.finished is not None and not context.recorded:
        raise IllegalAction("finished", "The game is over.")
    if isinstance(a, Log):
        _check_speaker(state, a)
        return state
    if isinstance(a, Undo | Redo):
        raise IllegalAction("auto", f"{a.type} cannot be an automatic action.")
    _check_speaker(state, a)
    new = state.fork()
    kept = () if isinstance(a, ProgramDisable) else (a.type,)
    new.programs = put(state.programs, a.actor, kept)
    return new.seal()


def _check_sent(rules: Rules[Any], a: Action) -> None:
    for one in (a, *(a.auto_actions or ())):
        if type(one) in rules.appended:
            text = f"{one.type} is never sent; where it is due the game adds it by itself."
            raise IllegalAction("appended", text)


def _check_speaker(state: State, a: Action) -> None:
    player = state.players.get(a.actor)
    if a.entity_type != "player" or player is None or player.id != a.entity:
        raise IllegalAction("unknown_player", f"{a.entity!r} is no player of this game.")
