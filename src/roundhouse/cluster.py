"""One piece of work done for many jobs: in this process, in several, or on a cluster.

Jobs and what is made of them travel as pickles, so the work has to be a function of a module.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from functools import partial
from itertools import islice
from multiprocessing import active_children, get_context
from multiprocessing.process import BaseProcess
from typing import TypeVar

from .model.errors import UnknownName

Job = TypeVar("Job")
Made = TypeVar("Made")

#: Seconds a process has to close what it has open.
_GOODBYE = 3.0


def spread(
    work: Callable[[Job], Made],
    jobs: Iterable[Job],
    *,
    processes: int = 1,
    cluster: str | None = None,
) -> Iterator[Made]:
    """What the work makes of each job, in their order, as soon as it is there.

    ``processes``: how many at once; 1: in this one. ``cluster``: the address of a Ray cluster
    instead, such as ``auto`` for the one this machine belongs to, or ``local`` for one that is
    begun here; needs the extra ``cluster``. What the work raises is raised here, and ends the
    other processes.
    """
    if processes < 1:
        raise UnknownName(f"processes: at least 1 is wanted, not {processes}")
    if cluster is not None:
        return _on_cluster(work, jobs, cluster)
    return map(work, jobs) if processes == 1 else _in_processes(work, jobs, processes)


def _in_processes(
    work: Callable[[Job], Made], jobs: Iterable[Job], processes: int
) -> Iterator[Made]:
    """Only as many jobs are taken as are needed to keep all processes busy. Whatever ends it early
    ends the processes, in the middle of their jobs."""
    others = set(active_children())
    with ProcessPoolExecutor(processes, get_context("spawn"), _prepared) as pool:
        waiting = iter(jobs)
        stoppable = partial(_stoppable, work)
        running: list[Future[Made]] = []
        try:
            running += [pool.submit(stoppable, job) for job in islice(waiting, 2 * processes)]
            while running:
                yield running.pop(0).result()
                running += [pool.submit(stoppable, job) for job in islice(waiting, 1)]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            _end([p for p in active_children() if p not in others])
            raise


def _end(processes: list[BaseProcess]) -> None:
    """End processes; those that do not stop by themselves soon, by force."""
    for process in processes:
        process.terminate()
    for process in processes:
        process.join(_GOODBYE)
        process.kill()
        process.join()


class _Stopped(BaseException):
    """Somebody wants this process to end."""


#: Whether this process is at a job.
_busy = False


def _prepared() -> None:
    """A keyboard interrupt is for who gave the jobs; he ends the processes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _stop)


def _stop(number: int, frame: object) -> None:
    if _busy:  # what is open is closed first
        raise _Stopped
    os._exit(1)


def _stoppable(work: Callable[[Job], Made], job: Job) -> Made:
    global _busy
    _busy = True
    try:
        return work(job)
    except _Stopped:
        os._exit(1)
    finally:
        _busy = False


def _on_cluster(work: Callable[[Job], Made], jobs: Iterable[Job], address: str) -> Iterator[Made]:
    import ray

    if not ray.is_initialized():
        ray.init(address=address, log_to_driver=False, include_dashboard=False)
    remote = ray.remote(work)
    waiting = iter(jobs)
    room = 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))
    running = [remote.remote(job) for job in islice(waiting, room)]
    while running:
        made: Made = ray.get(running.pop(0))
        yield made
        running += [remote.remote(job) for job in islice(waiting, 1)]
