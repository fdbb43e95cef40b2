"""Looking for the best routes: at once if that is soon done, otherwise by a worker."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from typing import Any

import msgspec
from django_tasks import task
from msgspec import Struct

from ...game import Game
from ...model.codec import hash_bytes
from ...routes.answer import BestRoutes
from ...routes.clock import Listener, Progress
from .. import tables
from ..models import Table
from ..queues import SECONDS
from ..remembered import Remembered, position_of
from .models import RouteSearch
from .openers import Search, open_question

log = logging.getLogger(__name__)

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
    ``revenue`` and knows that nothing earns more than ``bound``. ``fault``: why it cannot."""

    best: BestRoutes
    revenue: int
    bound: int
    going: bool = False
    fault: str = ""

    @property
    def gap(self) -> int:
        """What could still be gained; 0 while nothing bounds it."""
        return max(0, self.bound - self.revenue)


def go_on(kind: str, asked: Mapping[str, Any], first: BestRoutes, *, stop: bool = False) -> Look:
    """The best routes, of which ``first`` were found at once; a worker goes on with the search if
    they are not proven. ``stop``: be content with what is found so far."""
    if first.optimal:
        return Look(first, first.revenue, first.bound)
    row = _search(kind, asked, first)
    if stop and not row.over:
        _stop(row)
    return _seen(row, first)


# at tables


def look(table: Table, game: Game, company: str, *, stop: bool = False) -> Look:
    """The best routes of a company as a game of a table stands."""
    after = game.history[-1].action.id or 0 if game.history else 0
    asked = {"table": table.pk, "after": after, "company": company}
    return go_on("table", asked, _at_once(game, company), stop=stop)


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
    return _SOON.find_once(question, lambda: game.best_routes(company, time_limit=SOON))


def open_at_table(asked: Mapping[str, Any]) -> Search:
    """A question about a game of a table, opened by a worker."""
    table = Table.objects.get(pk=asked["table"])
    game = tables.open_game(table).game.at(asked["after"])

    def search(*, time_limit: float, progress: Listener | None = None) -> BestRoutes:
        return game.best_routes(asked["company"], time_limit=time_limit, progress=progress)

    return search


# the worker's part


def _search(kind: str, asked: Mapping[str, Any], first: BestRoutes) -> RouteSearch:
    """The worker's search, begun by the first who asks for it."""
    found = {"kind": kind, "asked": asked, "revenue": first.revenue, "bound": first.bound}
    key = hash_bytes(msgspec.json.encode([kind, asked], order="deterministic"))
    row, new = RouteSearch.objects.get_or_create(key=key, defaults=found)
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
    revenue, bound = max(best.revenue, row.revenue), min(best.bound, row.bound)
    return Look(best, revenue, bound, not row.over, row.fault)


@task(priority=15, queue_name=SECONDS)
def search_routes(number: int) -> None:
    """Carry out a search, noting how far it is. A task may be carried out twice."""
    rows = RouteSearch.objects.filter(pk=number)
    row = rows.first()
    if row is None or row.over:
        return
    rows.update(begun=True)
    try:
        search = open_question(row.kind, row.asked)
        best = search(time_limit=PATIENCE, progress=_Noting(number))
    except Exception as error:  # told to whoever waits for it
        log.exception("The routes of %s cannot be searched.", row)
        rows.update(fault=f"The routes cannot be searched: {error}.")
        return
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
