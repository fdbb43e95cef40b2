"""The machine: takes a state and an action to the next state.

It finds the step that takes the action, lets it check and apply, and then settles: skips what
cannot act, goes on to the next entity and round, until somebody has to decide or the game is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..model.actions import Action, EndGame
from ..model.choices import Choice
from ..model.errors import BrokenInvariant, IllegalAction
from ..model.events import GameEnded, RoundStarted
from ..model.frozen import freeze
from ..model.records import Round, State
from .rules import Rules, S, Seat
from .step import ActionContext, RoundPlay, Step

_PATIENCE = 10_000

#: A game that gets to this turn is given up (game-file format, section 9).
LAST_TURN = 100

#: Reasons of an end the rules of the title have no part in.
BY_AGREEMENT, GIVEN_UP = "manually_ended", "dnf"


def begin(rules: Rules[S], seats: list[Seat], seed: int) -> S:
    """The first state, waiting for the first action."""
    s = rules.setup(seats, seed)
    s.now = ActionContext()
    settle(rules, s)
    s.now = None
    return freeze(s).seal()


def apply(rules: Rules[S], s: S, action: Action, context: ActionContext | None = None) -> S:
    """The state after ``action``. Raises :class:`IllegalAction`; ``s`` is never changed."""
    if s.finished is not None:
        raise IllegalAction("finished", "The game is over.")
    check_sender(s, action)
    new = s.fork()
    new.now = context or ActionContext()
    if isinstance(action, EndGame):
        finish(new, BY_AGREEMENT)
    else:
        step = find(rules, new, action)
        step.check(new, action)
        rules.rounds[type(s.round)].acted(new, step)
        before = new.round
        step.apply(new, action)
        if new.round is not before:
            _tell_round(rules, new, before)
        settle(rules, new)
        if new.finished is None and (reason := rules.game_over(new)):
            finish(new, reason)
    new.now = None
    return new.seal()


def check_sender(s: State, action: Action) -> None:
    """Raise unless the sender plays here, under exactly this id and as this kind of entity."""
    who = action.entity
    if action.entity_type == "player":
        player = s.players.get(action.actor)
        known = player is not None and player.id == who
    elif action.entity_type == "company":
        known = who in s.companies
    else:
        record = s.corporations.get(str(who))
        known = record is not None and (record.id, record.sender_type) == (who, action.entity_type)
    if not known:
        name = f"{action.entity_type} {who!r}"
        raise IllegalAction("unknown_entity", f"There is no {name} in this game.")


def why_not(rules: Rules[S], s: S, action: Action) -> IllegalAction | None:
    """Why the step that would take an action refuses it; None if it does not. What would follow
    from the action is not looked at."""
    new = s.fork()
    new.now = ActionContext()
    try:
        find(rules, new, action).check(new, action)
    except IllegalAction as fault:
        return fault
    return None


def find(rules: Rules[S], s: S, action: Action) -> Step[Any, Any]:
    """The step that takes an action now."""
    who, kind = action.actor, type(action)
    for step in rules.rounds[type(s.round)].taking(kind, s.step):
        if step.admits(s, who, kind):
            return step
    raise _not_now(rules, s, action)


def _not_now(rules: Rules[S], s: S, action: Action) -> IllegalAction:
    who, kind = _name(s, action.actor), action.type.replace("_", " ")
    if action.actor in s.acting:
        return IllegalAction("not_now", f"{who} cannot {kind} in the step “{s.step}”.")
    waited = " and ".join(_name(s, key) for key in s.acting) or "nobody"
    return IllegalAction("not_your_turn", f"{who} cannot {kind} now; the game waits for {waited}.")


def _name(s: State, key: str) -> str:
    """What somebody at the table is called: players by their names, companies by their symbols."""
    return s.players[key].name if key in s.players else key


def settle(rules: Rules[S], s: S) -> None:
    """Go on until somebody has to decide."""
    for _ in range(_PATIENCE):
        if s.finished is not None:
            return
        if s.turn >= LAST_TURN:
            finish(s, GIVEN_UP)
            return
        before = s.round
        play = rules.rounds[type(before)]
        found = play.asked(s)
        if found is not None:
            step, s.acting = found
            s.step = step.name
            return
        _go_on(rules, s, play)
        if s.round is not before:
            _tell_round(rules, s, before)
    raise BrokenInvariant("the game goes round in circles")


def _go_on(rules: Rules[S], s: S, play: RoundPlay[Any, Any]) -> None:
    """One step further in the round, or out of it: no round begins once the game is over."""
    if not play.over(s):
        play.proceed(s)
    elif reason := rules.game_over(s):
        finish(s, reason)
    else:
        play.leave(s)


def _tell_round(rules: Rules[S], s: State, before: Round) -> None:
    """Say that a round has begun, however it was entered; before the end, if it began with that."""
    if type(s.round) is not type(before) or s.round.number != before.number:
        told = s.now.events
        at = len(told) - (s.finished is not None)
        told.insert(at, RoundStarted(rules.play(s).name, s.turn, s.round.number))


def finish(s: State, reason: str) -> None:
    """End the game."""
    s.finished = reason
    s.acting = ()
    s.step = ""
    s.now.emit(GameEnded(reason))


def choices(rules: Rules[S], s: S) -> Iterator[Choice]:
    """Everything anybody may do now."""
    if s.finished is not None:
        return
    m = s.round
    for step in rules.rounds[type(m)].offering(s.step):
        if not step.occasion or getattr(m, step.occasion):
            yield from step.choices(s)
