"""One piece of work done for many jobs: in this process, in several, or on a cluster.

Jobs and what is made of them travel as pickles, so the work has to be a function of a module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from typing import TypeVar

from .model.errors import UnknownName

Job = TypeVar("Job")
Made = TypeVar("Made")


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
    begun here; needs the extra ``cluster``. What the work raises is raised here.
    """
    if processes < 1:
        raise UnknownName(f"processes: at least 1 is wanted, not {processes}")
    if cluster is not None:
        return _on_cluster(work, jobs, cluster)
    return map(work, jobs) if processes == 1 else _in_processes(work, jobs, processes)


def _in_processes(
    work: Callable[[Job], Made], jobs: Iterable[Job], processes: int
) -> Iterator[Made]:
    """Only as many jobs are taken as are needed to keep all processes busy."""
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        waiting = iter(jobs)
        running: list[Future[Made]] = []
        running += [pool.submit(work, job) for job in islice(waiting, 2 * processes)]
        while running:
            yield running.pop(0).result()
            running += [pool.submit(work, job) for job in islice(waiting, 1)]


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
