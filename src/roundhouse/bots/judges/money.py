"""Loans, doing nothing, bankruptcy, and giving privates to companies."""

from __future__ import annotations

from collections.abc import Sequence

from ...model.actions import Pass
from ...model.choices import Choice
from ...rounds.steps.progress import OperatingProgress, StockProgress
from .. import prospects
from ..decision import Candidate, Reason
from ..view import View
from .outlook import after, candidate, foreseen
from .trains import borrowed
from .votes import polled, put_to_vote

#: Money the first tiles of a company cost, about.
_TRACK = 40
#: What the end of a company costs its president beside what he sees: what might have become of it.
_END = 150.0
#: What it is worth to put a private or a marker to use at all.
_USED = 12.0
#: What bankruptcy costs beside all one is worth.
_OUT = 100.0


def loans(view: View, choices: Sequence[Choice]) -> list[Candidate]:
    """Loans are taken for something: a train, or what would end the company else."""
    found = []
    for choice in choices:
        who = choice.actor
        m = view.now.round
        if isinstance(m, OperatingProgress):
            if m.stage != "trains" and not _needs_track(view, who, m.stage):
                continue
            if m.stage == "track":
                why = Reason("track", f"{who} has no money to build with")
                found.append(Candidate(choice.action, 25.0, (why,), unseen=True))
                continue
            scored = borrowed(view, who, choice.action)
            if scored is not None:
                found.append(scored)
        elif not isinstance(m, StockProgress):
            found += _needed(view, choice)
    return found


def passes(view: View, choices: Sequence[Choice]) -> list[Candidate]:
    """Doing nothing: what everything else is measured by, for what follows by itself follows sooner
    or later anyway; but not the end of a company left without a train, nor a vote on what has been
    named."""
    found = [Candidate(c.action, 0.0) for c in choices]
    who = view.rules.operator(view.now)
    m = view.now.round
    if who is None and (vote := put_to_vote(view, view.now)) is not None:
        return [candidate(view, f.action, polled(view, vote)) for f in found]
    if who is None or not isinstance(m, OperatingProgress):
        return found
    c = view.now.corporations[who]
    if m.stage == "trains" and c.floated and c.cell is not None and not view.dying(view.now, c):
        found = [Candidate(f.action, view.waiting(who)) for f in found]
    if not view.known.perishing:
        return found
    if c.trains or m.stage not in ("trains", "loans"):
        return found
    share, lead = view.share(view.now, c)
    left, debt = view._remains(view.now, c)
    lost = max(0.0, (share - left) * c.held(view.me) / c.unit + lead - debt) + _END
    text = f"{who} has no train and is liquidated at the end of its turn"
    why = Reason("liquidation", text, -lost, {"company": who})
    return [Candidate(f.action, -lost, (why,)) for f in found]


def _needs_track(view: View, who: str, stage: str) -> bool:
    """Whether a company that reaches nothing is to build, can, and has next to no money."""
    c = view.now.corporations[who]
    if stage != "track" or c.cash >= _TRACK or not prospects.opens(view, view.now, c):
        return False
    return not view.rules.reach(view.now.board, who).linked


def _needed(view: View, choice: Choice) -> list[Candidate]:
    """A loan without which the company is ended by what follows: none, if that needs none."""
    who = choice.actor
    a = choice.action
    without = after(view, Pass(entity=a.entity, entity_type=a.entity_type))
    if without is None or who not in without.corporations:
        return []
    c = without.corporations[who]
    if c.cell is None or not view.dying(without, c):
        return []
    why = Reason("saved", f"without money {who} is liquidated", 0.0, {"company": who})
    return [Candidate(a, 50.0, (why,))]


def bankrupt(view: View, choices: Sequence[Choice]) -> list[Candidate]:
    """All one is worth, and a little more: done only where nothing else can be."""
    worth = max(0.0, view.standing[view.me])
    text = "it costs all one is worth" + (f", {view.money(worth)}" if round(worth) else "")
    why = Reason("bankrupt", text, -worth - _OUT, {"worth": round(worth)})
    return [Candidate(c.action, -worth - _OUT, (why,)) for c in choices]


def assigned(view: View, choices: Sequence[Choice]) -> list[Candidate]:
    """Privates and markers: put to use, where that costs nothing; a marker where the company that
    operates gets to."""
    who = view.rules.operator(view.now)
    reached = set[str]()
    if who is not None and who in view.now.corporations:
        reached = {coord for coord, _ in view.rules.reach(view.now.board, who).nodes}
    found = []
    for c in foreseen(view, choices):
        kind, target = getattr(c.action, "target_type", ""), getattr(c.action, "target", "")
        used = kind == "company" or (kind == "hex" and target in reached)
        found.append(Candidate(c.action, c.score + (_USED if used else 0.0), c.reasons))
    return found
