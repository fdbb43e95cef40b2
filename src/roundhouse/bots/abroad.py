"""Companies that never run trains: what the runs of others bring them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from ..model.records import State
from . import floats, prospects
from .income import kinds_in
from .knowledge import Visits

if TYPE_CHECKING:
    from .view import View


class _Guest(Struct, frozen=True):
    """A company that runs, or will: the ``areas`` it gets to, each ``often`` in a round, and how
    likely at all; what it ``earns``, and how ``likely`` it is to do that one day."""

    areas: Mapping[str, float]
    often: float
    sure: float
    earns: float
    likely: float = 1.0


def visited(view: View, s: State) -> Mapping[str, tuple[float, float, float]]:
    """What each company that lives on the runs of others gets a round: now, and once trains get
    everywhere; and how likely a run gets to it."""
    visits = view.known.visits
    if visits is None:
        return {}
    found = {area: [0.0, 0.0, 1.0] for area in visits.areas}
    best = max((view.known.typical.get(k, 0.0) for k in visits.everywhere), default=0.0)
    for guest in (*_running(view, visits, s), *_beginning(view, s)):
        for area, part in guest.areas.items():
            mine, likely = found[area], part * guest.likely
            mine[0] += visits.part * likely * guest.often * guest.earns
            mine[1] += visits.part * likely * best
            mine[2] *= 1.0 - likely * guest.sure
    return {
        k: (round(now, 1), round(last, 1), round(1.0 - missed, 2))
        for k, (now, last, missed) in found.items()
    }


def _running(view: View, visits: Visits, s: State) -> Iterator[_Guest]:
    """The companies that have stations."""
    for who, areas in view.income.abroad(s).items():
        trains = s.corporations[who].trains or prospects.supposed(view)
        kinds = kinds_in(s, trains)
        often = visits.often(kinds, areas)
        sure = 1.0 if visits.all_over(kinds) else min(1.0, len(trains) / len(areas))
        yield _Guest(dict.fromkeys(areas, 1.0), often, sure, view.income.having(s, who, trains))


def _beginning(view: View, s: State) -> Iterator[_Guest]:
    """Those that have a price and have not begun to build, where their first train will get
    everywhere: to each area as likely as others get there."""
    if not prospects.everywhere(view, prospects.supposed(view)):
        return
    reached = view.income.abroad(s).values()
    parts = {
        a: sum([a in areas for areas in reached]) / len(reached) for areas in reached for a in areas
    }
    for c in s.corporations.values():
        if c.cell and not view.known.lives_on_visits(c.id) and not any(t.city for t in c.tokens):
            yield _Guest(parts, 1.0, 1.0, prospects.earning(view, s, c), floats.hope(view, s, c))
