"""What a server does when it starts, so that nobody's first page has to wait: the tables played on
last are drawn once, then every title's map and tiles as they are at the start.

It is done beside the first requests, a little at a time, and nothing depends on it.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator

#: Tables drawn beforehand.
_TABLES = 6

log = logging.getLogger(__name__)


def start() -> None:
    """Warm up in a thread of its own, which leaves half of the time to others."""
    threading.Thread(target=warm_up, args=(1.0,), name="roundhouse-warm-up", daemon=True).start()


def warm_up(rest: float = 0.0) -> None:
    """Do it now; after each piece of work rest for ``rest`` times as long as it took."""
    from django.db import connections

    try:
        began = time.perf_counter()
        for _ in _pieces():
            time.sleep(rest * (time.perf_counter() - began))
            began = time.perf_counter()
    except Exception:  # a database that is away, or not migrated yet: pages will tell of it
        log.warning("The server has not warmed up.", exc_info=True)
    finally:
        connections.close_all()


def _pieces() -> Iterator[object]:
    """Everything there is to do, one piece after the other."""
    from ..titles.title import all_titles
    from .models import Table

    yield from _templates()
    for table in Table.objects.games().filter(status=Table.Status.RUNNING)[:_TABLES]:
        yield from _table(table)
    for title in all_titles():
        yield from _title(title)


def _templates() -> Iterator[object]:
    from django.template import engines

    yield engines["django"].get_template("roundhouse/table.html")
    parts = engines["jinja2"]
    for name in parts.env.list_templates():  # type: ignore[attr-defined]
        if name.startswith("roundhouse/"):
            yield parts.get_template(name)


def _table(table: object) -> Iterator[object]:
    from django.contrib.auth.models import AnonymousUser

    from .page.view import View

    view = View(table, AnonymousUser())  # type: ignore[arg-type]
    for part in ("map", "market", "companies", "players", "tiles", "log"):
        yield getattr(view, part)


def _title(name: str) -> Iterator[object]:
    from ..creation import new
    from ..titles.title import find_title
    from .page.drawing import map_of, market_of, tile_of
    from .page.summary import in_short

    title = find_title(name)
    yield in_short(title)
    seats = title.box.game.players.min
    game = new(name, [f"Player {n}" for n in range(1, seats + 1)], seed=0)
    yield market_of(game)
    yield map_of(game, {})
    for tile in title.box.tiles.counts:
        yield tile_of(game.rules, tile)
