"""Telling open pages that a table has moved on: within a process, and across processes.

Each table has two numbers that only grow: its version, and how many other things were told about
it (questions, seats, chat). Whoever listens is told the pair; pairs may come late, twice or not at
all, as the latest is what counts, and every few seconds the pairs of all tables somebody listens to
are read again. News travels by ``NOTIFY`` on PostgreSQL; on SQLite by looking, a few times a
second, whether anybody has written to the file, which the file itself tells.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from django.conf import settings
from django.db import connection, connections, transaction
from django.db.models import F

if TYPE_CHECKING:
    from .models import Table

CHANNEL = "roundhouse"
#: Seconds after which an idle stream tells the version once more.
HEARTBEAT = 15.0
#: Seconds between two looks at a SQLite file.
GLANCE = 0.25

log = logging.getLogger(__name__)


class News(NamedTuple):
    """How far a table is: its version, and what else was told about it."""

    version: int = 0
    others: int = 0

    def joined(self, other: News) -> News:
        """The later of both, number by number."""
        return News(max(self.version, other.version), max(self.others, other.others))

    def __str__(self) -> str:
        return f"{self.version}.{self.others}"


#: Less than any table has to tell.
_NOTHING = News(-1, -1)
#: The header in which the view of a stream says how far its table is.
HEARD = "X-Heard"


def event(news: News) -> str:
    """One server-sent event: both numbers. A page knows which it shows."""
    return f"event: version\ndata: {news}\n\n"


class Ear:
    """One open page. Only the loop it lives in touches it."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.heard = News()
        self.tables: frozenset[int] = frozenset()
        self.closed = False
        #: The row that says who looks (``presence.py``).
        self.mark = ""
        self._rung = asyncio.Event()

    def tell(self, news: News) -> None:
        """There is something new, perhaps."""
        self.heard = self.heard.joined(news)
        self._rung.set()

    def close(self) -> None:
        """Nobody needs to be told any more."""
        self.closed = True
        self._rung.set()

    async def wait(self, seconds: float) -> bool:
        """Until told or closed; False: nothing came in time."""
        try:
            async with asyncio.timeout(seconds):
                await self._rung.wait()
        except TimeoutError:
            return False
        self._rung.clear()
        return True


class Hub:
    """Who listens to which table in this process."""

    def __init__(self) -> None:
        self._ears: dict[int, set[Ear]] = defaultdict(set)
        #: What was told last about each table somebody listens to.
        self._told: dict[int, News] = {}
        self._lock = threading.Lock()

    def publish(self, table: int, news: News) -> None:
        """Tell everybody who listens to a table, if it is new; from any thread. Who began to listen
        after it was told has read the table since."""
        with self._lock:
            ears = tuple(self._ears.get(table, ()))
            before = self._told.get(table, _NOTHING)
            joined = before.joined(news)
            if not ears or joined == before:
                return
            self._told[table] = joined
        for ear in ears:
            _call(ear, ear.tell, news)

    def tables(self) -> list[int]:
        """The tables somebody listens to."""
        with self._lock:
            return list(self._ears)

    def marks(self) -> list[str]:
        """The marks of open pages."""
        with self._lock:
            return [ear.mark for ears in self._ears.values() for ear in ears if ear.mark]

    @property
    def listeners(self) -> int:
        """How many pages are open."""
        with self._lock:
            return len(set().union(*self._ears.values()))

    @contextmanager
    def listening(self, *tables: int) -> Iterator[Ear]:
        """An ear for some tables."""
        ear = Ear()
        self.turn(ear, tables)
        try:
            yield ear
        finally:
            self.turn(ear, ())

    def turn(self, ear: Ear, tables: Iterable[int]) -> None:
        """Have an ear listen to some tables and to no others."""
        wanted = frozenset(tables)
        with self._lock:
            for table in ear.tables - wanted:
                self._ears[table].discard(ear)
                if not self._ears[table]:
                    del self._ears[table]
                    self._told.pop(table, None)
            for table in wanted - ear.tables:
                self._ears[table].add(ear)
            ear.tables = wanted

    def close(self) -> None:
        """Send everybody home: the server stops."""
        with self._lock:
            ears = [ear for ears in self._ears.values() for ear in ears]
        for ear in ears:
            _call(ear, ear.close)


def _call(ear: Ear, what: Any, *given: Any) -> None:
    if not ear.loop.is_closed():
        ear.loop.call_soon_threadsafe(what, *given)


hub = Hub()


def end_with_server() -> None:
    """Open streams would never end by themselves: send everybody home when the process is told to
    stop. To be called in the main thread, after the server has put up its own handlers."""
    for number in (signal.SIGTERM, signal.SIGINT):
        _also(number)


def _also(number: signal.Signals) -> None:
    before = signal.getsignal(number)

    def handle(signum: int, frame: Any) -> None:
        threading.Thread(target=hub.close, name="roundhouse-close").start()
        if callable(before):
            before(signum, frame)

    if callable(before):
        signal.signal(number, handle)


def announce(table: Table, *, nudge: bool = False) -> None:
    """Say that a table has a new version, or (``nudge``) that something else about it is new. To
    be called inside the transaction that made it so, with the table's row locked."""
    if nudge:
        row = type(table).objects.filter(pk=table.pk)
        row.update(others=F("others") + 1)
        table.others = row.values_list("others", flat=True).get()
    news = News(table.version, table.others)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            told = f"{table.pk}:{news.version}:{news.others}"
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, told])
    transaction.on_commit(partial(hub.publish, table.pk, news))


def survey(tables: Iterable[int]) -> None:
    """Read how far some tables are, and tell who listens."""
    from .models import Table

    wanted, table = list(tables), Table._meta.db_table
    for start in range(0, len(wanted), 500):
        some = ", ".join(map(str, map(int, wanted[start : start + 500])))
        with connection.cursor() as cursor:  # asked so often that Django had most of the work
            cursor.execute(f"SELECT id, version, others FROM {table} WHERE id IN ({some})")
            rows = cursor.fetchall()
        for pk, *pair in rows:
            hub.publish(pk, News(*pair))


class Watch(threading.Thread):
    """Hears for this process what other processes do to the tables."""

    _running: Watch | None = None
    _starting = threading.Lock()

    @classmethod
    def start_one(cls) -> None:
        """Start the one watch of this process, if there is none."""
        with cls._starting:
            if cls._running is None or not cls._running.is_alive():
                cls._running = cls(daemon=True, name="roundhouse-watch")
                threading.Thread.start(cls._running)

    def run(self) -> None:
        watching = _listen if connection.vendor == "postgresql" else _look
        while True:
            try:
                watching()
            except Exception:  # the database may be away for a while; then all is read anew
                log.warning("News from other processes are cut off.", exc_info=True)
                time.sleep(1)
            finally:
                connections.close_all()


def _listen() -> None:
    """Carry PostgreSQL's notifications to the hub. What was told before the line stood, or while
    it was cut unnoticed, is found by reading."""
    import psycopg

    with psycopg.connect(**_parameters(), autocommit=True) as listener:
        listener.execute(f"LISTEN {CHANNEL}")
        while True:
            _tend()
            for note in listener.notifies(timeout=HEARTBEAT):
                table, *pair = map(int, note.payload.split(":"))
                hub.publish(table, News(*pair))
            listener.execute("SELECT 1")


def _look() -> None:
    """See whether somebody has written to the SQLite file, and read what is new."""
    seen, tend_due = -1, 0.0
    while True:
        with connection.cursor() as cursor:
            now = int(cursor.execute("PRAGMA data_version").fetchone()[0])
        if now != seen:
            survey(hub.tables())
            seen = now
        if time.monotonic() > tend_due:
            _tend()
            tend_due = time.monotonic() + HEARTBEAT
        time.sleep(GLANCE)


def _tend() -> None:
    """What is done in every heartbeat, whatever was heard."""
    from . import presence

    survey(hub.tables())
    presence.prolong(hub.marks())


def _parameters() -> dict[str, Any]:
    """Where to listen: the database itself, even where a pooler stands before it."""
    given: dict[str, Any] = settings.LISTEN_TO or connection.get_connection_params()
    names = ("host", "port", "dbname", "user", "password", "sslmode")
    alive = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3}
    return {k: given[k] for k in names if k in given} | alive | {"connect_timeout": 10}
