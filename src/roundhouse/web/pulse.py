"""What is to be done when its time has come: workers look for it several times a second.

A beat looks in the database for something that is due by :func:`~roundhouse.web.clock.now`,
takes it so that no other worker does, and carries it out; it returns how much it did. Beats
register when their app is ready. What is due stays due until it is done, so nothing is lost when a
worker dies.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from django.db import close_old_connections, connections

Beat = Callable[[], int]

#: Seconds between two looks when nothing was due.
INTERVAL = 0.5

log = logging.getLogger(__name__)
_beats: list[Beat] = []


def on_beat(beat: Beat) -> Beat:
    """Register a beat; also as a decorator."""
    if beat not in _beats:
        _beats.append(beat)
    return beat


def beat() -> int:
    """Do what is due once; how much it was. A beat that fails does not stop the others."""
    done = 0
    for one in _beats:
        try:
            done += one()
        except Exception:
            log.exception("%s failed; it is tried again.", one.__name__)
    return done


class Pulse(threading.Thread):
    """Does what is due, beside the tasks of a worker."""

    def __init__(self) -> None:
        super().__init__(name="roundhouse-pulse", daemon=True)
        self._done = threading.Event()

    def run(self) -> None:
        while not self._done.is_set():
            close_old_connections()
            if not beat():
                self._done.wait(INTERVAL)
        connections.close_all()

    def end(self) -> None:
        """Finish what is being done, and no more."""
        self._done.set()
        self.join(30)
