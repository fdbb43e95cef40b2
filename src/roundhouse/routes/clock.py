"""Limits of time or effort, cancelling and progress of a search."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import NamedTuple

#: Seconds, or units of effort, between two reports.
_EVERY, _EVERY_EFFORT = 0.1, 400


class OutOfTime(Exception):
    """The clock ran out, or the search was cancelled."""


class Progress(NamedTuple):
    """How far a search is: the revenue found, an upper bound of the best (0: none is known yet),
    seconds spent; if effort is limited, effort spent."""

    revenue: int
    bound: int
    seconds: float


#: Is told how far a search is, several times a second; cancels it by answering False.
Listener = Callable[[Progress], bool | None]


class Effort:
    """A timer that tells the work that is ``done``; being asked is work, too."""

    def __init__(self) -> None:
        self.done = -1

    def __call__(self) -> float:
        self.done += 1
        return self.done


class Clock:
    """Ends a search in time. ``revenue`` and ``bound`` are what it reports.

    ``timer`` tells the time; an :class:`Effort` limits work instead, and so ends a search at the
    same point always.
    """

    def __init__(
        self,
        limit: float,
        listener: Listener | None = None,
        timer: Callable[[], float] = perf_counter,
        every: float = _EVERY,
    ) -> None:
        self.timer = timer
        self.every = every
        self.start = timer()
        self.until = self.start + limit
        self.listener = listener
        self.cancelled = False
        self.revenue = self.bound = 0
        #: The bound of what this search does not look at now.
        self.elsewhere = 0
        #: How often it was told of work: a measure of effort that is the same in every run.
        self.ticks = 0
        self._most = 1 << 60
        self._next = self.start + every

    @property
    def out(self) -> bool:
        """Whether the search must stop for good."""
        return self.cancelled or self.timer() >= self.until

    def tick(self, work: int = 1) -> None:
        """Raise :class:`OutOfTime` if the search, or this part of it, must stop. ``work``: done
        since it was last asked."""
        self.ticks += work
        if self.ticks > self._most:
            raise OutOfTime
        if work > 1 and isinstance(self.timer, Effort):
            self.timer.done += work - 1
        now = self.timer()
        if self.listener is not None and now >= self._next and not self.cancelled:
            self._next = now + self.every
            if self.listener(self._progress(now)) is False:
                self.cancelled = True
        if now >= self.until or self.cancelled:
            raise OutOfTime

    def _progress(self, now: float) -> Progress:
        bound = max(self.bound, self.elsewhere) if self.bound else 0
        return Progress(self.revenue, bound, now - self.start)

    @contextmanager
    def share(self, part: float) -> Iterator[None]:
        """Within, only this part of the time left may be used."""
        outer = self.until
        now = self.timer()
        self.until = min(outer, now + max(0.0, outer - now) * part)
        try:
            yield
        finally:
            self.until = outer

    @contextmanager
    def ticks_at_most(self, count: int) -> Iterator[None]:
        """Within, the clock may be asked only so often."""
        outer = self._most
        self._most = min(outer, self.ticks + count)
        try:
            yield
        finally:
            self._most = outer


def limited(time_limit: float, effort: int | None, listener: Listener | None = None) -> Clock:
    """A clock that ends a search after some seconds or, if ``effort`` is given, after that many
    units of work instead, at the same point on every machine."""
    if effort is None:
        return Clock(time_limit, listener)
    return Clock(effort, listener, Effort(), _EVERY_EFFORT)
