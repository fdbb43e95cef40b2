"""Telling open pages that a table has moved on: within a process, and across them by PostgreSQL."""

from __future__ import annotations

import asyncio
import threading
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction

CHANNEL = "roundhouse"
#: Seconds after which an idle stream says that it is still there.
HEARTBEAT = 15

Ear = tuple[asyncio.AbstractEventLoop, "asyncio.Queue[str]"]


class Hub:
    """Who listens to which table in this process."""

    def __init__(self) -> None:
        self._ears: dict[int, set[Ear]] = defaultdict(set)
        self._lock = threading.Lock()

    def publish(self, table: int, version: str) -> None:
        """Wake everybody who listens to a table; from any thread."""
        with self._lock:
            ears = tuple(self._ears.get(table, ()))
        for loop, queue in ears:
            if not loop.is_closed():
                loop.call_soon_threadsafe(queue.put_nowait, version)

    @contextmanager
    def listening(self, table: int) -> Iterator[asyncio.Queue[str]]:
        """A queue of news while somebody listens."""
        ear: Ear = (asyncio.get_running_loop(), asyncio.Queue())
        with self._lock:
            self._ears[table].add(ear)
        try:
            yield ear[1]
        finally:
            with self._lock:
                self._ears[table].discard(ear)
                if not self._ears[table]:
                    del self._ears[table]


hub = Hub()


def announce(table: int, version: int, *, nudge: bool = False) -> None:
    """Say that a table has a new version, or (``nudge``) that something else about it is new. To
    be called inside the transaction that made it so."""
    news = f"{version}!" if nudge else str(version)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, f"{table}:{news}"])
    else:
        transaction.on_commit(lambda: hub.publish(table, news))


async def messages(table: int, version: int) -> AsyncIterator[str]:
    """The server-sent events of one open page."""
    if connection.vendor == "postgresql":
        Courier.start_one()
    with hub.listening(table) as queue:
        yield f"event: version\nid: {version}\ndata: {version}\n\n"
        while True:
            try:
                news = await asyncio.wait_for(queue.get(), HEARTBEAT)
            except TimeoutError:
                yield ": still here\n\n"
            else:
                yield f"event: version\ndata: {news}\n\n"


class Courier(threading.Thread):
    """Carries PostgreSQL's notifications to this process's hub."""

    _running: Courier | None = None
    _starting = threading.Lock()

    @classmethod
    def start_one(cls) -> None:
        """Start the one courier of this process, if there is none."""
        with cls._starting:
            if cls._running is None or not cls._running.is_alive():
                cls._running = cls(daemon=True, name="roundhouse-courier")
                threading.Thread.start(cls._running)

    def run(self) -> None:
        import time

        while True:
            try:
                self._carry()
            except Exception:  # the database may be away for a while; pages poll meanwhile
                time.sleep(2)

    def _carry(self) -> None:
        import psycopg

        with psycopg.connect(**_parameters(), autocommit=True) as listener:
            listener.execute(f"LISTEN {CHANNEL}")
            for note in listener.notifies():
                table, _, news = note.payload.partition(":")
                hub.publish(int(table), news)


def _parameters() -> dict[str, Any]:
    given: dict[str, Any] = connection.get_connection_params()
    return {k: given[k] for k in ("host", "port", "dbname", "user", "password") if k in given}
