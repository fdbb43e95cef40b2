"""Recorded files of other programs that hold a pass too many or lack one.

A program that remembered wrongly what a company could reach may have waited where nothing could be
done, or gone on where something could. Such a file is played all the same: what it holds too much
does nothing, and what it lacks counts as given, as long as an empty answer changes nothing else.
"""

from __future__ import annotations

from typing import Any

import msgspec

from .model.actions import Action, Pass, RunRoutes
from .model.choices import Choice
from .model.errors import IllegalAction
from .model.events import Event
from .model.records import State
from .rounds import machine
from .rounds.rules import Rules
from .rounds.step import ActionContext

replace = msgspec.structs.replace

#: More steps in a row than this are not skipped.
_MOST = 6


def is_empty(a: Action) -> bool:
    """Whether an action says that nothing is done."""
    return isinstance(a, Pass) or (isinstance(a, RunRoutes) and not a.routes)


def superfluous(
    rules: Rules[Any], before: State, s: State, a: Action, fault: IllegalAction
) -> bool:
    """Whether a refused action is an empty answer nobody waited for, of who is on turn now, or was
    on turn ``before`` the last action."""
    if not is_empty(a) or fault.code not in ("not_now", "not_your_turn"):
        return False
    on_turn = {rules.operator(before), *before.acting, rules.operator(s), *s.acting}
    return a.actor in on_turn


def missing(
    rules: Rules[Any], s: State, a: Action
) -> tuple[tuple[Action, ...], State, tuple[Event, ...]] | None:
    """The empty answers that would have to come before a refused action for it to be legal, the
    state after them and what happened; None if there are none."""
    context = ActionContext(recorded=True)
    given: list[Action] = []
    while len(given) < _MOST and (answer := _empty_answer(rules, s)) is not None:
        try:
            s = machine.apply(rules, s, answer, context)
        except IllegalAction:
            return None
        given.append(answer)
        if _plays(rules, s, a):
            return tuple(given), s, tuple(context.events)
    return None


def _plays(rules: Rules[Any], s: State, a: Action) -> bool:
    try:
        machine.apply(rules, s, a, ActionContext(recorded=True))
    except IllegalAction:
        return False
    return True


def _empty_answer(rules: Rules[Any], s: State) -> Action | None:
    """How who is on turn says that nothing is done, if that changes nothing else: a company in its
    operating turn always may, anybody else only if he can do nothing."""
    if not s.acting:
        return None
    mine = [c for c in machine.choices(rules, s) if c.actor == s.acting[0]]
    for choice in mine:
        if isinstance(choice.action, RunRoutes):
            return replace(choice.action, routes=())
    free = s.acting[0] == rules.operator(s) or _only_passes(mine)
    return next((c.action for c in mine if free and isinstance(c.action, Pass)), None)


def _only_passes(choices: list[Choice]) -> bool:
    return all(isinstance(c.action, Pass) for c in choices)


def note(found: Action, missed: bool) -> IllegalAction:
    """What is noted of an action that is missing or too much."""
    what = "passes" if isinstance(found, Pass) else "runs no trains"
    if missed:
        text = f"The file does not say that {found.actor} {what} here; it counts as said."
        return IllegalAction("missing", text)
    text = f"The file says that {found.actor} {what}, which nobody waits for; it does nothing."
    return IllegalAction("superfluous", text)
