"""A worker: takes tasks from the database and carries them out, until it is told to stop.

It has threads for tasks that wait for other machines, and a process for those that reckon for long
(:mod:`roundhouse.web.queues`), so that what is left takes moments.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import psutil
from django.db import DatabaseError, close_old_connections, connection, connections
from django.utils.crypto import get_random_string
from django_tasks_db.compat import DEFAULT_TASK_BACKEND_ALIAS, TASKS_LOGGER
from django_tasks_db.management.commands.db_worker import Worker
from django_tasks_db.models import DBTaskResult, get_date_max

from .queues import BESIDE, LONG, SECONDS

#: Seconds between two looks at an empty queue; at one whose tasks nobody looks at the page for.
INTERVAL, AT_LEISURE = 0.2, 1.0
#: Seconds for what a thread is at when its worker is told to stop: in all that wait for other
#: machines; in those that reckon for long, and begin anew elsewhere.
_PATIENCE, _LONG_PATIENCE = 5.0, 2.0
#: How much a worker beside a server gives way to it, as ``nice`` counts.
GIVING_WAY = 10

log = logging.getLogger(__name__)


def work(*, parent: int = 0) -> None:
    """Carry out tasks. ``parent``: the server beside which, and no longer than which, this is done:
    whoever waits for its answers comes first.
    """
    from .pulse import beating
    from .tables import bots
    from .tasks import tidy

    _begin(parent)
    bots.wake_all()
    if not DBTaskResult.objects.ready().filter(task_path=tidy.module_path).exists():
        tidy.enqueue()
    with _kept(Keeper(1, "--long", when=_long_due)), beating(), beside(BESIDE, _PATIENCE):
        worker = Patient()
        worker.configure_signals()
        worker.run()


def work_long(*, parent: int) -> None:
    """Carry out the tasks that reckon for long, beside a worker and no longer than it. What is not
    done when that stops begins anew."""
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    _begin(parent)
    with beside(LONG, _LONG_PATIENCE):
        stop.wait()


def _begin(parent: int) -> None:
    _take_over()
    if parent:
        _give_way()
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


@contextmanager
def beside(queues: Sequence[str], patience: float) -> Iterator[None]:
    """Carry out the tasks of some queues, each in a thread of its own, as long as the block lasts;
    what is not done after some more seconds is given back."""
    workers = [Patient(queue) for queue in queues]
    threads = [threading.Thread(target=w.keep_on, daemon=True) for w in workers]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        for worker in workers:
            worker.running = False
        until = time.monotonic() + patience
        for thread in threads:
            thread.join(max(0.0, until - time.monotonic()))
        _give_back({worker.worker_id for worker in workers}.__contains__)


class Patient(Worker):
    """A worker that takes the lock of those who write only when there is a task to be taken, which
    an empty queue would take as often from those who play. ``queue``: the one it serves; empty: all
    but those that have workers of their own."""

    def __init__(self, queue: str = "") -> None:
        self.queue = queue
        super().__init__(
            queue_names=[queue or "*"],
            interval=INTERVAL if queue in ("", SECONDS) else AT_LEISURE,
            batch=True,
            backend_name=DEFAULT_TASK_BACKEND_ALIAS,
            startup_delay=False,
            max_tasks=None,
            worker_id=f"{_here()}{os.getpid()}:{get_random_string(6)}",
            excluded_queue_names=[] if queue else [*BESIDE, *LONG],
        )
        for name in (TASKS_LOGGER, "django_tasks_db"):  # failures are kept with their tasks
            logging.getLogger(name).setLevel(logging.CRITICAL)

    def run(self) -> None:
        """Carry out tasks until told to stop."""
        while self.running:
            close_old_connections()
            if self.due():
                super().run()  # until none is left
            if self.running:
                time.sleep(self.interval)

    def keep_on(self) -> None:
        """The same in a thread, whatever becomes of the database."""
        while self.running:
            try:
                self.run()
            except Exception:
                log.exception("The queue of %s stands still for a moment.", self.queue)
                time.sleep(1)
            finally:
                connections.close_all()

    def due(self) -> bool:
        """Whether there is a task to be taken."""
        if self.queue:
            return _due("= %s", [self.queue])
        others = self.excluded_queue_names
        return _due(f"NOT IN ({', '.join(['%s'] * len(others))})", others)


def _long_due() -> bool:
    """Whether something that reckons for long is to be done; the process for it takes memory that
    nobody needs before."""
    close_old_connections()
    try:
        return _due(f"IN ({', '.join(['%s'] * len(LONG))})", list(LONG))
    except DatabaseError:
        log.exception("Nobody knows for a moment what is to be done.")
        connections.close_all()
        time.sleep(1)
        return False


def _due(among: str, queues: list[str]) -> bool:
    """Whether there is a task of some queues, by one short statement: Django would write it anew at
    every look."""
    from .tasks import soon

    row, when = DBTaskResult._meta.db_table, DBTaskResult._meta.get_field("run_after")
    moments = [when.get_db_prep_value(m, connection) for m in (get_date_max(), soon(0))]
    with connection.cursor() as cursor:
        due = f"status = %s AND (run_after = %s OR run_after <= %s) AND queue_name {among}"
        cursor.execute(f"SELECT 1 FROM {row} WHERE {due} LIMIT 1", ["READY", *moments, *queues])
        return cursor.fetchone() is not None


def _here() -> str:
    return f"{socket.gethostname()[:40]}:"


def _give_way() -> None:
    own = psutil.Process()
    own.nice(
        psutil.BELOW_NORMAL_PRIORITY_CLASS
        if psutil.WINDOWS
        else min(19, int(own.nice()) + GIVING_WAY)
    )


def _take_over() -> None:
    """Tasks of workers of this machine that are no more begin anew."""
    _give_back(lambda worker: worker.startswith(_here()) and not _lives(_process_of(worker)))


def _give_back(gone: Callable[[str], bool]) -> None:
    """Let tasks begin anew that were begun by workers who do not go on with them."""
    for found in DBTaskResult.objects.running():
        if gone(found.worker_ids[-1] if found.worker_ids else ""):
            DBTaskResult.objects.filter(pk=found.pk, status="RUNNING").update(status="READY")


def _process_of(worker: str) -> int:
    return int(worker.split(":")[-2])


def _lives(pid: int) -> bool:
    return pid != os.getpid() and psutil.pid_exists(pid)


def _end_with(parent: int) -> None:
    while os.getppid() == parent and psutil.pid_exists(parent):
        time.sleep(1)
    psutil.Process().terminate()


class Keeper(threading.Thread):
    """Keeps workers running beside a server, or beside a worker those of another kind, and ends
    them with it. ``more``: what else they are told; ``when``: not before there is this."""

    def __init__(self, count: int, *more: str, when: Callable[[], bool] | None = None) -> None:
        super().__init__(name="roundhouse-workers", daemon=True)
        self._count, self._more, self._when = count, more, when
        self._workers: list[subprocess.Popen[bytes]] = []
        self._done = threading.Event()

    def run(self) -> None:
        self._wait_for_work()
        while not self._done.is_set():
            self._workers = [w for w in self._workers if w.poll() is None]
            while len(self._workers) < self._count:
                self._workers.append(_started(self._more))
            self._done.wait(2)

    def _wait_for_work(self) -> None:
        """Until there is something to do. Once begun workers are kept, as what they are at is
        theirs."""
        if self._when is not None:
            while not self._done.wait(INTERVAL) and not self._when():
                pass
            connections.close_all()

    def end(self) -> None:
        """Let each finish what it is doing, for a while."""
        self._done.set()
        self.join()
        for worker in self._workers:
            worker.terminate()
        for worker in self._workers:
            try:
                worker.wait(10)
            except subprocess.TimeoutExpired:
                worker.kill()
                worker.wait()


@contextmanager
def _kept(keeper: Keeper) -> Iterator[None]:
    keeper.start()
    try:
        yield
    finally:
        keeper.end()


def _started(more: Sequence[str]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "roundhouse", "work", "--parent", str(os.getpid()), *more]
    return subprocess.Popen(command)
