"""The best routes on a map laid out freely: at once where that is quick, else by a worker."""

from __future__ import annotations

import logging
from datetime import timedelta

import msgspec
from django.db import transaction

from ...game import Game
from ...model.codec import hash_bytes
from ...model.errors import UnknownName
from ...routes.best import BestRoutes
from ...sandbox import LaidOut
from .. import clock
from ..models import Table
from ..tables import Aid, Refused, may, open_game
from .address import open_layout, read
from .models import Search
from .tasks import search_routes

log = logging.getLogger(__name__)

#: What a search may cost at once, and by a worker: about a second and a minute.
QUICK, LONG = 4_000, 240_000
#: How long an answer of a worker is kept.
KEPT = timedelta(days=7)


class Answer(msgspec.Struct):
    """The best routes found, and whether a worker goes on searching."""

    found: BestRoutes
    waiting: bool = False
    fault: str = ""


def best_for(laid: LaidOut, who: str, title: str, query: dict[str, str]) -> Answer:
    """The best routes of a company. Raises :class:`Refused` if it can run none there."""
    found = _search(laid, who, QUICK)
    if found.optimal:
        return Answer(found)
    known = _asked(title, query, who)
    if known.found is not None:
        return Answer(msgspec.convert(known.found, BestRoutes))
    return Answer(found, waiting=not known.done, fault=known.fault)


def _search(laid: LaidOut, who: str, effort: int) -> BestRoutes:
    if who not in laid.state.corporations:
        raise Refused(f"There is no company {who}.", "unknown")
    return laid.rules.best_routes(laid.state, who, effort=effort)


def _asked(title: str, query: dict[str, str], who: str) -> Search:
    """The worker's search for it, which is begun if there is none."""
    key = hash_bytes(msgspec.json.encode([title, who, sorted(query.items())]))
    with transaction.atomic():
        Search.objects.filter(at__lt=clock.now() - KEPT).delete()
        given = {"title": title, "query": query, "who": who}
        found, new = Search.objects.get_or_create(key=key, defaults=given)
        if new:
            search_routes.enqueue(found.pk)
    found.refresh_from_db()
    return found


def search_on(pk: int) -> None:
    """Search once more, for longer."""
    row = Search.objects.filter(pk=pk).first()
    if row is None or row.done:
        return
    try:
        laid = open_layout(read(row.title, row.query), game_under(row.query))
        row.found = msgspec.to_builtins(_search(laid, row.who, LONG))
    except Exception as error:  # told to whoever waits for it
        log.exception("The routes of %s cannot be searched.", row)
        row.fault = f"The routes cannot be searched: {error}."
    row.save()


def game_under(query: dict[str, str]) -> Game | None:
    """The game a map is laid over, as it stood at ``at``; None: over an empty table. Who asks has
    been let in before. Raises :class:`Refused` if the table gives no routes now."""
    if not query.get("table"):
        return None
    table = Table.objects.filter(pk=query["table"]).exclude(status=Table.Status.OPEN).first()
    if table is None or not may(table, Aid.ROUTES):
        raise Refused("No map can be laid over that table's.", "assistance")
    game = open_game(table).game
    try:
        return game.at(int(query["at"])) if query.get("at") else game
    except (UnknownName, ValueError) as error:
        raise Refused("There was no such moment.", "unknown") from error
