"""The best routes of a company, with proof: by :mod:`.search`, of the best of several cases if a
title decides something for all trains at once; or by :mod:`.segment_search` where trains run
segments that must connect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .answer import BestRoutes
from .clock import Clock, Listener, limited
from .drawn import NOTHING, Drawn
from .model import RouteModel
from .search import Search
from .segments import Networks


def best_routes(
    model: RouteModel,
    *,
    time_limit: float = 10.0,
    progress: Listener | None = None,
    effort: int | None = None,
) -> BestRoutes:
    """The routes of a company that earn most.

    ``time_limit`` in seconds. ``progress`` is told several times a second how far the search is,
    and stops it by answering False. Unless it is cut short, a search gives the same answer always;
    one limited by ``effort`` instead (work counted in units of about a quarter of a millisecond,
    whatever the machine) does even then.
    """
    return solve(model, limited(time_limit, effort, progress), hurry=effort is None)


def solve(
    model: RouteModel, clock: Clock, *, hurry: bool = True, drawn: Mapping[str, Drawn] = NOTHING
) -> BestRoutes:
    """As :func:`best_routes`, until a clock says so. ``hurry``, ``drawn``: as in :class:`Search`;
    the revenue is below nothing if not all that was drawn can be run together."""
    if isinstance(model, Networks):
        from .segment_search import best_network  # only titles with segments wait for it

        return best_network(model, clock, drawn)
    cases = model.cases()
    if len(cases) == 1:
        return Search(cases[0], clock, hurry=hurry, drawn=drawn).solve()
    return _best_case(cases, clock, hurry, drawn)


def _best_case(
    cases: Sequence[RouteModel], clock: Clock, hurry: bool, drawn: Mapping[str, Drawn]
) -> BestRoutes:
    """The best of several models: all are begun, then finished one by one, those with the highest
    bound first, each to be better than those before."""
    searches: list[Search] = []
    for case in cases:
        clock.bound = 0
        with clock.share(1 / (4 * len(cases))):
            searches.append(Search(case, clock, hurry=hurry, drawn=drawn))
            searches[-1].begin()
    searches.sort(key=lambda search: -search.least)
    best = max([search.found() for search in searches], key=lambda answer: answer.revenue)
    bound = 0
    for number, search in enumerate(searches):
        search.better_than(best.revenue + search.prize * len(drawn))
        clock.elsewhere = max([bound, *[other.least for other in searches[number + 1 :]]])
        with clock.share(1 / (len(searches) - number)):
            answer = search.finish()
        best = answer if answer.revenue > best.revenue else best
        bound = max(bound, answer.bound)
    bound = max(bound, best.revenue)
    return BestRoutes(best.routes, best.revenue, bound == best.revenue, bound)
