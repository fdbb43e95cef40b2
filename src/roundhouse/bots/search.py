"""Looking on: the best candidates played on for some turns or rounds, and what is gained then."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from ..dealing import concerned
from ..model.choices import Choice
from ..model.records import State
from ..rounds import machine
from .decision import Candidate, Reason
from .judges import judge
from .judges.outlook import after
from .knowledge import Knowledge
from .mind import Mind
from .view import View


class Depth(Struct, frozen=True):
    """How far a search goes. ``width``: candidates looked into at most; ``actions``: made after
    each at most; ``work``: what a decision may take, as :attr:`Spent.work` counts it; ``rounds``:
    where no company operates, it is played on to the end of so many rounds, with what others do,
    or for as many turns of one's own as there is time for; ``operating``: the same where one does,
    0: to the end of its turn; ``samples``: how often at most, each
    time with other whims of those who play; ``within``: candidates this much of the best score
    below it are not looked into; ``trust``: what counts against the first judgement."""

    width: int = 0
    actions: int = 0
    work: int = 60_000
    rounds: int = 0
    operating: int = 0
    samples: int = 1
    within: float = 0.6
    trust: float = 0.5


#: Scores this close are looked into, however small they are.
_CLOSE = 30.0
#: Candidates that are to be looked into at least, rather than fewer of them farther.
_SOME = 3
#: The part of the work a decision may take that looking on has at least, however long it took to
#: judge the candidates.
_LOOKING = 0.25
#: How far a whim moves a score, as a part of it and of so much money beside.
_WHIM, _BESIDE = 0.05, 20.0


def looks_on(known: Knowledge, s: State, depth: Depth) -> bool:
    """Whether anything is looked into in a position: not where so much track lies that it is known
    to tell less than plans do."""
    return depth.width > 1 and not 0 < known.crowded <= len(s.board.tiles)


def looked_into(view: View, found: Sequence[Candidate], depth: Depth) -> list[Candidate]:
    """Candidates with the best of them scored anew by what follows from them, where
    :func:`looks_on` says so."""
    ranked = sorted(found, key=lambda c: (c.last, -c.score))
    near = _near(ranked, depth)
    if len(near) < 2:
        return ranked
    search = _Search(view, depth, near)
    gains = search.gains()
    if gains[0] is None:
        return ranked
    # what comes whatever is done now is no merit of what was looked into
    common = gains[0] - near[0].score
    scored = [
        c if gain is None else _scored(view, c, gain, common, search.until, depth.trust)
        for c, gain in zip(near, gains, strict=True)
    ]
    return sorted([*scored, *ranked[len(near) :]], key=lambda c: (c.last, -c.score))


def _near(ranked: Sequence[Candidate], depth: Depth) -> Sequence[Candidate]:
    """The candidates that may be looked into: those close to the best."""
    if not ranked:
        return ()
    best = ranked[0].score
    least = best - max(_CLOSE, depth.within * abs(best))
    return [c for c in ranked[: depth.width] if c.score >= least and not c.last]


def _scored(
    view: View, c: Candidate, ahead: float, common: float, until: str, trust: float
) -> Candidate:
    """A candidate by its first judgement and by what is gained in the end, less what is ``common``
    to all."""
    score = (1.0 - trust) * c.score + trust * (ahead - common)
    if not round(ahead):
        return Candidate(c.action, score, c.reasons)
    way = "better" if ahead > 0 else "worse"
    text = f"{until} {view.money(abs(ahead))} {way} than now"
    reason = Reason("ahead", text, score - c.score, {"ahead": round(ahead)})
    return Candidate(c.action, score, (*c.reasons, reason))


class _Search:
    """What is gained by what follows from each of some candidates, for so much work."""

    def __init__(self, view: View, depth: Depth, near: Sequence[Candidate]) -> None:
        self.view, self.depth, self.near = view, depth, near
        self._begun = view.mind.spent.work
        #: What looking on may take.
        self._most = max(_LOOKING * depth.work, depth.work - self._begun)
        self._first = self._way(near[0])
        #: How many turns of his own the player is followed, None: to the end.
        self.turns = self._as_far()

    @property
    def until(self) -> str:
        """What is played on to the end of."""
        if not self._first.rounds:
            return "at the end of the turn"
        if self.turns:
            return "when asked again" if self.turns == 1 else f"{self.turns} turns later"
        return f"at the end of the {'next ' * (self._first.rounds > 1)}round"

    def gains(self) -> list[float | None]:
        """What each candidate gains in the mean; None where that is not known, or there was no time
        for it."""
        first = self._first
        if not first.complete and not first.turns:
            return [None] * len(self.near)
        found = [[self._gained(first)]]
        for c in self.near[1:]:
            if self._worked > self._most:
                break
            found.append([self._gained(self._way(c))])
        self._play_again(found)
        means = [_mean(gains) for gains in found]
        return [*means, *[None] * (len(self.near) - len(means))]

    def _play_again(self, found: Sequence[list[float | None]]) -> None:
        """Play on with other whims, each candidate as often as there is time for all."""
        for number in range(1, self.depth.samples):
            if self._worked * (1 + 1 / number) > self._most:
                break
            for c, gains in zip(self.near, found, strict=False):
                settled = number > 1 and gains[-1] == gains[-2]
                gains.append(gains[-1] if settled else self._gained(self._way(c, number)))

    def _as_far(self) -> int | None:
        """To the end, or for as many turns as there is time for with some candidates."""
        first, some = self._first, min(len(self.near), _SOME)
        whole: list[int | None] = [None] if first.complete else []
        possible = [*whole, *range(first.turns, 0, -1)]
        least = possible[-1] if possible else None
        return next((n for n in possible if some * first.stop(n).work <= self._most), least)

    def _way(self, c: Candidate, number: int = 0) -> _Way:
        turns = None if number == 0 and c is self.near[0] else self.turns
        whims = Random(number) if number else None
        return _Way(self.view, self.depth, c, turns, whims, self._most / 2)

    def _gained(self, way: _Way) -> float | None:
        """What is gained by then, with what no position shows; None if it took too long."""
        stop = way.stop(self.turns)
        if stop.position is None:
            return None
        return self.view.score(stop.position) - self.view.here + stop.beside

    @property
    def _worked(self) -> int:
        return self.view.mind.spent.work - self._begun


def _mean(gains: Sequence[float | None]) -> float | None:
    told = [g for g in gains if g is not None]
    return sum(told) / len(told) if told and len(told) == len(gains) else None


class _Stop(Struct, frozen=True):
    """Where a way is looked at: the position, None if there is none; the ``work`` up to there; and
    what the player has done on the way brings ``beside`` what positions show."""

    position: State | None
    work: int
    beside: float


class _Way:
    """What follows a candidate, played as everybody would who does not look on."""

    def __init__(
        self,
        view: View,
        depth: Depth,
        c: Candidate,
        turns: int | None,
        whims: Random | None,
        most: float,
    ) -> None:
        """``turns``: of the player's own after which it is left; ``whims``: what moves those who
        play, if anything does; ``most``: the work after which it is left."""
        self.view, self._most = view, most
        self.rounds = depth.operating if view.rules.operator(view.now) else depth.rounds
        #: Whether it was followed to its end.
        self.complete = False
        # where it is the player's turn anew
        self._turns: list[_Stop] = []
        self._begun = view.mind.spent.work
        self._beside = 0.0
        self._last = self._stop(self._follow(depth, self._done(view.now, c), turns, whims))

    @property
    def turns(self) -> int:
        """How often it is the player's turn on the way."""
        return len(self._turns)

    def stop(self, turns: int | None) -> _Stop:
        """Where it stands after some turns of the player, or if there are not as many, in the end;
        without a position if it was left before."""
        if turns is not None and self.turns >= turns:
            return self._turns[turns - 1]
        return self._last if self.complete else replace(self._last, position=None)

    @property
    def _worked(self) -> int:
        return self.view.mind.spent.work - self._begun

    def _stop(self, s: State | None) -> _Stop:
        return _Stop(s, self._worked, self._beside)

    def _follow(
        self, depth: Depth, s: State | None, turns: int | None, whims: Random | None
    ) -> State | None:
        view, mine = self.view, True
        left, begun = self.rounds, _round(view.now)
        for _ in range(depth.actions):
            if s is None or s.finished is not None:
                break
            if _round(s) != begun:
                begun, left = _round(s), left - 1
                if left <= 0:
                    break
            elif not self.rounds and _turn_over(view, s):
                break
            was, mine = mine, _asked(view, s) == view.me
            if mine and not was:
                self._turns.append(self._stop(s))
            if self.turns == turns or self._worked > self._most:
                return s
            following = quickly(view, s, whims)
            s = self._done(s, following) if following is not None else None
        self.complete = True
        return s

    def _done(self, s: State, c: Candidate) -> State | None:
        """The position after a candidate is done in another one."""
        view = self.view
        found = after(view, c.action, s)
        if found is not None and c.unseen and _asked(view, s) == view.me:
            before = view.here if s is view.now else view.score(s)
            self._beside += c.score - (view.score(found) - before)
        return found


def _round(s: State) -> tuple[object, ...]:
    """What tells a round from the one before."""
    return type(s.round), s.turn, s.round.number


def _asked(view: View, s: State) -> str | None:
    """The player who is to decide."""
    return view.rules.president(s, s.acting[0]) if s.acting else None


def _turn_over(view: View, s: State) -> bool:
    """Whether the turn the search began in is over."""
    return _asked(view, s) != view.me or view.rules.operator(s) != view.rules.operator(view.now)


def quickly(view: View, s: State, whims: Random | None = None) -> Candidate | None:
    """What a player who does not look on does in a position looked on to."""
    mind = view.mind
    choices = list(machine.choices(mind.rules, s))
    if not choices:
        return None
    me, free = own(mind, s, choices)
    if len(free) == 1 and not free[0].domains:
        return Candidate(free[0].action, 0.0)
    found = judge(View(mind, s, me, view.origin), free)
    if not found:
        possible = next(free[0].actions(), None)
        return None if possible is None else Candidate(possible, 0.0)
    if whims is None:
        return found[0]
    moved = [c.score + _WHIM * (abs(c.score) + _BESIDE) * whims.gauss(0, 1) for c in found]
    scores = [(not c.last, score) for c, score in zip(found, moved, strict=True)]
    return found[scores.index(max(scores))]


def own(mind: Mind, s: State, choices: Sequence[Choice]) -> tuple[str, list[Choice]]:
    """Who decides, and those of some choices that are his, with nobody else to be asked."""
    rules = mind.rules
    actor = s.acting[0] if s.acting else choices[0].actor
    me = rules.president(s, actor) or next(iter(s.players))
    mine = [c for c in choices if rules.president(s, c.actor) == me] or list(choices)
    free = [c for c in mine if all(p == me for p in concerned(rules, s, c.action))]
    return me, free or mine
