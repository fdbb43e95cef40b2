"""A worker: takes tasks from the database and carries them out, until it is told to stop."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time

import psutil
from django.core.management import call_command
from django.utils.crypto import get_random_string
from django_tasks_db.models import DBTaskResult

#: Seconds between two looks at an empty queue.
INTERVAL = 0.2
#: How much a worker beside a server gives way to it, as ``nice`` counts.
GIVING_WAY = 10


def work(*, parent: int = 0) -> None:
    """Carry out tasks. ``parent``: the server beside which, and no longer than which, this is done:
    whoever waits for its answers comes first.
    """
    from .pulse import beating
    from .tables import bots
    from .tasks import tidy

    _take_over()
    bots.wake_all()
    if not DBTaskResult.objects.ready().filter(task_path=tidy.module_path).exists():
        tidy.enqueue()
    if parent:
        _give_way()
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    with beating():
        call_command(
            "db_worker",
            queue_name="*",
            interval=INTERVAL,
            worker_id=f"{_here()}{os.getpid()}:{get_random_string(6)}",
            startup_delay=False,
            verbosity=0,
        )


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
    for found in DBTaskResult.objects.running():
        worker = found.worker_ids[-1] if found.worker_ids else ""
        if worker.startswith(_here()) and not _lives(int(worker.split(":")[-2])):
            DBTaskResult.objects.filter(pk=found.pk, status="RUNNING").update(status="READY")


def _lives(pid: int) -> bool:
    return pid != os.getpid() and psutil.pid_exists(pid)


def _end_with(parent: int) -> None:
    while os.getppid() == parent and psutil.pid_exists(parent):
        time.sleep(1)
    psutil.Process().terminate()


class Keeper(threading.Thread):
    """Keeps workers running beside a server, and ends them with it."""

    def __init__(self, count: int) -> None:
        super().__init__(name="roundhouse-workers", daemon=True)
        self._count = count
        self._workers: list[subprocess.Popen[bytes]] = []
        self._done = threading.Event()

    def run(self) -> None:
        while not self._done.is_set():
            self._workers = [w for w in self._workers if w.poll() is None]
            while len(self._workers) < self._count:
                self._workers.append(_started())
            self._done.wait(2)

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


def _started() -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "roundhouse", "work", "--parent", str(os.getpid())]
    return subprocess.Popen(command)
