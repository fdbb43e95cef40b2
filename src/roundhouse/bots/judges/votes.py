"""Mergers that are proposed and voted on: what becomes of them if everybody votes for himself."""

from __future__ import annotations

from ...dealing import outcome
from ...model.actions import Action, Choose, Merge, Pass
from ...model.choices import Choice
from ...model.records import State
from ...rounds import machine
from ..view import View
from .outlook import after


def answers(view: View, s: State) -> dict[str, Choose]:
    """What can be answered in words, by the word; nothing if anything else can be done."""
    if s.finished is not None or not s.acting:
        return {}
    found = [c.action for c in machine.choices(view.rules, s)]
    words = {str(a.choice): a for a in found if isinstance(a, Choose)}
    return words if len(words) == len(found) else {}


def mergers(view: View, s: State) -> list[Choice]:
    """The mergers, where nothing else can be done; else none."""
    choices = list(machine.choices(view.rules, s)) if s.finished is None else []
    return choices if all(isinstance(c.action, Merge) for c in choices) else []


def unanimous(view: View, vote: State, a: Action) -> State | None:
    """The position after a vote if all answer as an action does, with the merger it may end in;
    None if that is no vote: others are not asked the same, nor is it the last one's."""
    words, word = answers(view, vote).keys(), str(getattr(a, "choice", ""))
    s = after(view, a, vote)
    if s is None or len(words) < 2 or s.finished is not None:
        return None
    for _ in view.now.players:
        following = answers(view, s)
        if s.step != vote.step or following.keys() != words:
            break
        s = after(view, following[word], s) or s
    if s.step == vote.step:
        return None
    return merged(view, s) or (s if s.round != vote.round else None)


def merged(view: View, s: State) -> State | None:
    """The position after the first of the mergers, where nothing else can be done."""
    offered = mergers(view, s)
    return outcome(view.rules, s, offered[0].action) if offered else None


def polled(view: View, s: State) -> State:
    """The position after a vote in which everybody answers what leaves him better off, with the
    merger it may end in; the position itself if no vote is asked for."""
    if s.step == view.now.step:
        return s
    ends = {w: unanimous(view, s, a) for w, a in answers(view, s).items()}
    found = {w: (end, view.worths(end)) for w, end in ends.items() if end is not None}
    if len(found) < 2 or len(found) < len(ends):
        return s
    step = s.step
    for _ in view.now.players:
        following = answers(view, s)
        if s.step != step or following.keys() != found.keys():
            break
        who = view.rules.president(s, s.acting[0]) or view.me
        word = max(found, key=lambda w: view.against(*found[w], who))
        s = after(view, following[word], s) or s
    return merged(view, s) or s


def put_to_vote(view: View, s: State) -> State | None:
    """The position after passing, where that puts to the vote what has been named; else None."""
    offered = list(machine.choices(view.rules, s)) if s.finished is None else []
    passing = next((c.action for c in offered if isinstance(c.action, Pass)), None)
    if passing is None or not all(isinstance(c.action, Merge | Pass) for c in offered):
        return None
    vote = after(view, passing, s)
    return vote if vote is not None and asks_for_votes(view, vote, s) else None


def asks_for_votes(view: View, vote: State, s: State) -> bool:
    """Whether everybody is asked for an answer now who was not a moment ago."""
    return vote.step != s.step and any(
        unanimous(view, vote, a) is not None for a in answers(view, vote).values()
    )
