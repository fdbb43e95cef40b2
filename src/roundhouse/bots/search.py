"""Looking on: the best candidates played to the end of the turn, or until one is asked again."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ..dealing import concerned
from ..model.actions import Action
from ..model.choices import Choice
from ..model.errors import BrokenInvariant, IllegalAction
from ..model.records import State
from ..rounds import machine
from .decision import Candidate, Reason
from .judges import judge
from .mind import Mind
from .view import View


class Depth(Struct, frozen=True):
    """How far a search goes. ``width``: candidates looked into at most; ``actions``: made after
    each at most; ``total``: what may be weighed on the way in all, so that fewer candidates are
    looked into where the best of them has taken much of it; ``rounds``: where no company operates,
    it is played on to the end of so many rounds, with what others do, and not only of the turn;
    ``within``: candidates this much of the best score below it are not looked into; ``trust``: what
    counts against the first judgement."""

    width: int = 0
    actions: int = 0
    total: int = 3_000
    rounds: int = 0
    within: float = 0.6
    trust: float = 0.5


def looked_into(view: View, found: Sequence[Candidate], depth: Depth) -> list[Candidate]:
    """Candidates with the best of them scored anew by what follows from them."""
    ranked = sorted(found, key=lambda c: -c.score)
    if depth.width < 2 or len(ranked) < 2:
        return ranked
    least = ranked[0].score - max(_CLOSE, depth.within * abs(ranked[0].score))
    near = [c for c in ranked[: depth.width] if c.score >= least]
    if len(near) < 2:
        return ranked
    first, weighed = _end(view, near[0].action, depth)
    near = near[: max(2, depth.total // max(1, weighed))]
    ends = [first, *[_end(view, c.action, depth)[0] for c in near[1:]]]
    gains = [None if end is None else view.score(end) - view.here for end in ends]
    if gains[0] is None:
        return ranked
    # what the rest of the turn brings whatever is done now is no merit of what was looked into
    common = gains[0] - near[0].score
    scored = [
        c if gain is None else _scored(view, c, gain, common, depth)
        for c, gain in zip(near, gains, strict=True)
    ]
    return sorted([*scored, *ranked[len(near) :]], key=lambda c: -c.score)


#: Scores this close are looked into, however small they are.
_CLOSE = 30.0


def _scored(view: View, c: Candidate, ahead: float, common: float, depth: Depth) -> Candidate:
    """A candidate by its first judgement and by what is gained in the end, less what is ``common``
    to all."""
    score = (1.0 - depth.trust) * c.score + depth.trust * (ahead - common)
    way = "better" if ahead >= 0 else "worse"
    text = f"at the end of the {_until(view, depth)} {view.money(abs(ahead))} {way} than now"
    reason = Reason("ahead", text, score - c.score, {"ahead": round(ahead)})
    return Candidate(c.action, score, (*c.reasons, reason))


def _until(view: View, depth: Depth) -> str:
    """What is played on to the end of."""
    return ("turn", "round", "next round")[min(2, _rounds(view, depth))]


def _rounds(view: View, depth: Depth) -> int:
    """Rounds that are played on to their end, 0: the turn is."""
    return depth.rounds if depth.rounds and view.rules.operator(view.now) is None else 0


def _end(view: View, a: Action, depth: Depth) -> tuple[State | None, int]:
    """The position after an action and what follows it, and how much had to be weighed for that:
    all ends are to be alike."""
    s, rounds = _applied(view, view.now, a), _rounds(view, depth)
    begun, weighed = _round(view.now), 0
    for _ in range(depth.actions):
        if s is None or s.finished is not None:
            break
        if _round(s) != begun:
            begun, rounds = _round(s), rounds - 1
            if rounds <= 0:
                break
        elif not rounds and _turn_over(view, s):
            break
        following, count = quickly(view.mind, s)
        weighed += count
        s = _applied(view, s, following) if following is not None else None
    return s, weighed


def _round(s: State) -> tuple[object, ...]:
    """What tells a round from the one before."""
    return type(s.round), s.turn, s.round.number


def _turn_over(view: View, s: State) -> bool:
    """Whether the turn the search began in is over."""
    asked = view.rules.president(s, s.acting[0]) if s.acting else None
    return asked != view.me or view.rules.operator(s) != view.rules.operator(view.now)


def _applied(view: View, s: State, a: Action) -> State | None:
    try:
        found: State = machine.apply(view.rules, s, a)
    except (IllegalAction, BrokenInvariant):
        return None
    return found


def quickly(mind: Mind, s: State) -> tuple[Action | None, int]:
    """What a player who does not look on does in a position, and how much he weighs for it."""
    choices = list(machine.choices(mind.rules, s))
    if not choices:
        return None, 0
    me, free = own(mind, s, choices)
    if len(free) == 1 and not free[0].domains:
        return free[0].action, 1
    found = judge(View(mind, s, me), free)
    return found[0].action if found else next(free[0].actions(), None), 1 + len(found)


def own(mind: Mind, s: State, choices: Sequence[Choice]) -> tuple[str, list[Choice]]:
    """Who decides, and those of some choices that are his, with nobody else to be asked."""
    rules = mind.rules
    actor = s.acting[0] if s.acting else choices[0].actor
    me = rules.president(s, actor) or next(iter(s.players))
    mine = [c for c in choices if rules.president(s, c.actor) == me] or list(choices)
    free = [c for c in mine if all(p == me for p in concerned(rules, s, c.action))]
    return me, free or mine
