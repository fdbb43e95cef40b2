"""What is to be done when its time has come: workers look for it, ``PULSE`` seconds after they
found nothing.

A beat looks in the database for something that is due by :func:`~roundhouse.web.clock.now`,
takes it so that no other worker does, and carries it out; it returns how much it did. Beats
register when their app is ready. What is due stays due until it is done, so nothing is lost when a
worker dies.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from django.conf import settings
from django.db import close_old_connections, connections

Beat = Callable[[], int]
T = TypeVar("T")
R = TypeVar("R")

#: Threads of a worker for beats that wait for others.
SIDE_BY_SIDE = 3

log = logging.getLogger(__name__)
_beats: dict[bool, list[Beat]] = {False: [], True: []}


def on_beat(beat: Beat, *, slow: bool = False) -> None:
    """Register a beat. ``slow``: it waits for others, so several of it run side by side."""
    if beat not in _beats[slow]:
        _beats[slow].append(beat)


def beat(*, slow: bool = False) -> int:
    """Do what is due once; how much it was. A beat that fails does not stop the others."""
    done = 0
    for one in _beats[slow]:
        try:
            done += one()
        except Exception:
            log.exception("%s failed; it is tried again.", one.__name__)
    return done


def each(found: Iterable[T], do: Callable[[T], R]) -> list[R]:
    """Do something for all that is due; what it gave. What fails for one keeps none of the others
    waiting, and is tried again with the next beat."""
    done = []
    for one in found:
        try:
            done.append(do(one))
        except Exception:
            log.exception("%s failed for %s; it is tried again.", do.__name__, one)
    return done


class Pulse(threading.Thread):
    """Does what is due, beside the tasks of a worker. ``slow``: beats that wait for others; several
    take turns to look, this is the one of a number (``turn``)."""

    def __init__(self, *, slow: bool = False, turn: int = 0) -> None:
        super().__init__(name="roundhouse-pulse", daemon=True)
        self._slow, self._turn = slow, turn
        self._done = threading.Event()

    def run(self) -> None:
        self._done.wait(settings.PULSE * self._turn)
        pause = settings.PULSE * (SIDE_BY_SIDE if self._slow else 1)
        while not self._done.is_set():
            close_old_connections()
            if not beat(slow=self._slow):
                self._done.wait(pause)
        connections.close_all()

    def end(self) -> None:
        """Finish what is being done, and no more."""
        self._done.set()


@contextmanager
def beating() -> Iterator[None]:
    """Do what is due, as long as the block lasts."""
    pulses = [Pulse(), *(Pulse(slow=True, turn=n) for n in range(SIDE_BY_SIDE))]
    for pulse in pulses:
        pulse.start()
    try:
        yield
    finally:
        for pulse in pulses:
            pulse.end()
        for pulse in pulses:
            pulse.join(30)
