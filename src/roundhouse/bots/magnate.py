"""The player that understands the game: one for all titles, in levels of effort."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec import Struct

from ..dealing import IMPOSSIBLE, outcome
from ..game import Game
from ..model.actions import Action
from ..model.choices import Choice
from ..model.records import State
from .decision import Decision, Reason
from .forecast import Doubt
from .habits import preferred
from .judges import judge
from .knowledge import Knowledge, knowledge_of
from .mind import Mind
from .players import Player
from .search import Depth, looked_into, looks_on, own
from .view import View

#: How much chance has in a decision: part of a score that counts as equal.
_TEMPER = 0.02


class Level(Struct, frozen=True):
    """How hard a player thinks. ``effort``: of one search of routes; ``depth``: how far it looks
    on; ``vague``: how much less exact scores are than plain ones, as they depend on what others do
    in a few games played on; ``doubts``: see :class:`.forecast.Forecast`."""

    effort: int = 200
    depth: Depth = Depth()
    vague: float = 1.0
    doubts: tuple[Doubt, ...] = ()


#: How it may come as well, to those who look on: what is to come may take less time or more, and
#: track may prove worse or better.
_PACES = (Doubt(pace=0.7), Doubt(pace=1.4))
_TRACK = (Doubt(track=0.8), Doubt(track=1.25))
#: The levels, by effort alone: a game is the same on every machine.
LEVELS = {
    "quick": Level(),
    "club": Level(
        depth=Depth(width=4, actions=200, work=6_000, rounds=1, samples=4, trust=0.6),
        vague=3.0,
        doubts=_PACES,
    ),
    "strong": Level(
        depth=Depth(width=8, actions=400, work=25_000, rounds=1, samples=16, trust=0.6),
        vague=3.0,
        doubts=(*_PACES, *_TRACK),
    ),
}


class _Memory:
    """What is kept between decisions, perhaps by several who think alike: what is thought of the
    games under some rules, by the identity of these, and the position last asked about in deals,
    as it looks to anybody, with where these lead."""

    def __init__(self) -> None:
        self.minds: dict[int, Mind] = {}
        self.dealt: tuple[View, dict[Action, State | None]] | None = None


class Magnate(Player):
    """Weighs everything he may do by what everybody is worth after it."""

    name = "magnate"

    def __init__(self, level: str = "quick", seed: int = 0, known: Knowledge | None = None) -> None:
        super().__init__(seed)
        self.level = level
        self.how = LEVELS[level]
        self._known = known
        self._memory = _Memory()

    def decide(self, game: Game, choices: Sequence[Choice], rng: Random) -> Decision:
        mind = self.mind(game)
        mind.spent.begin()
        now = game.state
        me, free = own(mind, now, choices)
        if len(free) == 1 and not free[0].domains:
            return Decision.only(free[0].action, Reason("only", "nothing else can be done"))
        view = View(mind, now, me, thorough=looks_on(mind.known, now, self.how.depth))
        found = judge(view, free)
        if view.thorough:
            found = looked_into(view, found, self.how.depth)
        if not found:
            return Decision.only(free[0].sample(rng))
        found.sort(key=lambda c: (c.last, -c.score * (1 + _TEMPER * rng.random()) - rng.random()))
        vague = self.how.vague if mind.known.practised else 1.0
        found = [c.told() for c in preferred(view, found, rng, vague)]
        best = found[0]
        return Decision(best.action, best.reasons, tuple(found))

    def gain(self, game: Game, action: Action, who: str) -> float:
        """What everybody's plans make of a deal: the player's own worth after it against now."""
        memory = self._memory
        if memory.dealt is None or memory.dealt[0].now is not game.state:
            memory.dealt = View(self.mind(game), game.state, who), {}
        view, found = memory.dealt
        if action not in found:
            found[action] = outcome(game.rules, game.state, action)
        then = found[action]
        return IMPOSSIBLE if then is None else view.worth(then, who) - view.standing[who]

    def trifle(self, game: Game) -> float:
        """What is asked of all that is not a pass."""
        return self.mind(game).known.weights.trouble

    def remember_with(self, other: Player) -> None:
        if isinstance(other, Magnate) and (other.level, other._known) == (self.level, self._known):
            self._memory = other._memory

    def reweighed(self, known: Knowledge) -> Magnate:
        """The same player with other weights, who remembers what companies earn."""
        found = Magnate(self.level, self.seed, known)
        minds = self._memory.minds
        found._memory.minds = {key: mind.reweighed(known) for key, mind in minds.items()}
        return found

    def mind(self, game: Game) -> Mind:
        """What is thought of games under these rules."""
        key = id(game.rules)
        found = self._memory.minds.get(key)
        if found is None or found.rules is not game.rules:
            known = self._known or knowledge_of(game.title)
            found = Mind(game.rules, known, self.how.effort, self.how.doubts)
            self._memory.minds[key] = found
        return found
