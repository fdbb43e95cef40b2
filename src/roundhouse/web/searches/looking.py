"""Looking for the best routes: at once if that is soon done, otherwise by a worker."""

from __future__ import annotations

import time

import msgspec
from django_tasks import task
from msgspec import Struct

from ...game import Game
from ...routes.best import BestRoutes
from ...routes.clock import Progress
from .. import tables
from ..models import Table
from ..remembered import Remembered, position_of
from .models import RouteSearch

#: Seconds an answer waits for a search, before a worker goes on with it.
SOON = 0.5
#: Seconds a search may take; one may stop it before.
PATIENCE = 20.0
#: Seconds between two notes of how far a search is.
_NOTED = 0.3
#: Seconds to wait for the answer of a search that was stopped.
_STOPPING = 1.0


class Look(Struct, frozen=True):
    """The best routes as far as they are known. ``going``: the search goes on; it has found
    ``revenue`` and knows that nothing earns more than ``bound``."""

    best: BestRoutes
    revenue: int
    bound: int
    going: bool = False


def look(table: Table, game: Game, company: str, *, stop: bool = False) -> Look:
    """The best routes of a company. ``stop``: be content with what is found so far."""
    first = _at_once(game, company)
    if first.optimal:
        return Look(first, first.revenue, first.bound)
    row = _search(table, game, company, first)
    if stop and not row.answer:
        _stop(row)
    return _seen(row, first)


def best_of(table: Table, game: Game, company: str) -> BestRoutes:
    """The best routes of a company; waits for them."""
    until = time.monotonic() + PATIENCE
    found = look(table, game, company)
    while found.going and time.monotonic() < until:
        time.sleep(0.2)
        found = look(table, game, company)
    return found.best


_SOON: Remembered[BestRoutes] = Remembered(128)


def _at_once(game: Game, company: str) -> BestRoutes:
    question = position_of(game), company
    return _SOON.get(question, lambda: game.best_routes(company, time_limit=SOON))


def _search(table: Table, game: Game, company: str, first: BestRoutes) -> RouteSearch:
    """The search of this position, begun by the first who asks for it."""
    row, new = RouteSearch.objects.get_or_create(
        table=table,
        after=game.history[-1].action.id or 0 if game.history else 0,
        company=company,
        defaults={"revenue": first.revenue, "bound": first.bound},
    )
    if new:
        search_routes.enqueue(row.pk)
        row.refresh_from_db()
    return row


def _stop(row: RouteSearch) -> None:
    """End a search, and give it a moment to say what it has found."""
    RouteSearch.objects.filter(pk=row.pk).update(stopped=True)
    until = time.monotonic() + _STOPPING
    row.refresh_from_db()
    while row.begun and not row.answer and time.monotonic() < until:
        time.sleep(0.05)
        row.refresh_from_db()


def _seen(row: RouteSearch, first: BestRoutes) -> Look:
    best = msgspec.json.decode(row.answer, type=BestRoutes) if row.answer else first
    going = not (row.answer or row.stopped)
    return Look(best, max(best.revenue, row.revenue), min(best.bound, row.bound), going)


@task(priority=15)
def search_routes(number: int) -> None:
    """Carry out a search, noting how far it is. A task may be carried out twice."""
    rows = RouteSearch.objects.filter(pk=number, answer="")
    row = rows.filter(stopped=False).select_related("table").first()
    if row is None:
        return
    rows.update(begun=True)
    game = tables.open_game(row.table).game.at(row.after)
    best = game.best_routes(row.company, time_limit=PATIENCE, progress=_Noting(number))
    rows.update(answer=msgspec.json.encode(best).decode(), revenue=best.revenue, bound=best.bound)


class _Noting:
    """Writes down how far a search is, now and then; ends it if somebody stopped it."""

    def __init__(self, number: int) -> None:
        self._rows = RouteSearch.objects.filter(pk=number)
        self._next = 0.0

    def __call__(self, progress: Progress) -> bool:
        now = time.monotonic()
        if now < self._next:
            return True
        self._next = now + _NOTED
        self._rows.update(revenue=progress.revenue, bound=progress.bound)
        return self._rows.filter(stopped=False).exists()
