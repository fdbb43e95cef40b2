"""What the runs of a game left on the table: what was run against the best that could be."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from msgspec import Struct

from ..game import Game
from ..history import Entry
from ..model.actions import RunRoutes
from ..model.errors import IllegalAction
from ..model.records import State
from .rounds import rounds_of
from .tables import written

#: What finding out about one run may cost, in units of the search's effort.
EFFORT = 6000

#: Told how far a look at a game is, from 0 to 1.
Progress = Callable[[float], None]


class Left(Struct, frozen=True):
    """A run: by which company, led by whom (a name; empty: nobody), what it ``ran`` and what the
    ``best`` found would have been; ``bound``: nothing earns more. ``action``: its id."""

    round: str
    action: int
    company: str
    president: str
    ran: int
    best: int
    bound: int

    @property
    def left(self) -> int:
        """What was left on the table, at least."""
        return self.best - self.ran

    @property
    def proven(self) -> bool:
        """Whether it is proven that there is nothing better than ``best``."""
        return self.bound == self.best


def runs_left(
    game: Game,
    known: Collection[int] = (),
    *,
    effort: int = EFFORT,
    progress: Progress | None = None,
) -> Iterator[Left]:
    """What each run of a game left on the table, in order, but of those with ``known`` ids.

    A run whose routes cannot be read any more is left out. ``effort`` as for
    :meth:`~roundhouse.Game.best_routes`.
    """
    before, seen, total = game.start, 0, max(1, len(game.history))
    for part in rounds_of(game):
        for entry in part.entries:
            seen += 1
            if isinstance(entry.action, RunRoutes) and entry.action.id not in known:
                found = _judged(game, part.name, before, entry, entry.action, effort)
                if found is not None:
                    yield found
                if progress is not None:
                    progress(seen / total)
            before = entry.state


def _judged(
    game: Game, round_: str, s: State, entry: Entry, run: RunRoutes, effort: int
) -> Left | None:
    who = run.actor
    try:
        ran = sum([route.revenue for route in game.rules.read_routes(s, who, run.routes)])
    except IllegalAction:
        return None
    found = game.rules.route_model(s, who).best(effort=effort)
    best = max(ran, found.revenue)
    president = s.players.get(game.rules.president(s, who) or "")
    return Left(
        round_, entry.action.id or 0, who, president.name if president else "", ran, best,
        max(best, found.bound),
    )  # fmt: skip


def runs_csv(runs: Collection[Left]) -> str:
    """The runs as comma-separated values, with a line of names."""
    fields = Left.__struct_fields__
    rows = ([getattr(r, f) for f in fields] + [r.left] for r in runs)
    return written((*fields, "left"), rows)
