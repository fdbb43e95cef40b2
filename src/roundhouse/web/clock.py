"""What time it is. The whole server asks here and nowhere else, so that weeks can be played in
seconds.

``ROUNDHOUSE_CLOCK`` names a file that holds the time as ISO 8601 text: every process that shares
it lives at that time. Without it the machine's own clock counts. Rules never ask.

What only keeps processes apart (leases, timeouts) is measured by :func:`machine`, which always
runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from django.conf import settings

Clock = Callable[[], datetime]

_used: list[Clock] = []


def now() -> datetime:
    """The time, with its zone (UTC)."""
    return _used[-1]() if _used else _settled()()


def machine() -> float:
    """Seconds of the machine's own clock since 1970: never set, never stopped."""
    return time.time()


class Set:
    """A clock that stands still until it is set or moved on."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def __call__(self) -> datetime:
        return self.at

    def move(self, by: timedelta) -> None:
        """Let time pass."""
        self.at += by


@contextmanager
def using(clock: Clock) -> Iterator[Clock]:
    """Another clock for this process, as long as the block lasts."""
    _used.append(clock)
    try:
        yield clock
    finally:
        _used.remove(clock)


def _settled() -> Clock:
    return partial(written, Path(settings.CLOCK)) if settings.CLOCK else _system


def _system() -> datetime:
    return datetime.now(UTC)


def written(path: Path) -> datetime:
    """The time a file tells. Raises :class:`ValueError` with the path if it tells none."""
    text = path.read_text(encoding="ascii").strip()
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise ValueError(f"{path} holds no time: {text[:40]!r}") from error
    return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)


def write(path: Path, at: datetime) -> None:
    """Set the clock of all processes that share a file; none ever reads half of it."""
    beside = path.with_name(f".{path.name}.new")
    beside.write_text(at.isoformat(), encoding="ascii")
    beside.replace(path)
