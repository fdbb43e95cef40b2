"""When somebody may be told: pure functions of the time."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from ..clocks.reckoning import Days, due

_SOON = timedelta(microseconds=1)


class Hours(NamedTuple):
    """When somebody wants to be left alone, by his wall; the same times: never. ``digest``: the
    time of his daily letter, if he has one."""

    zone: ZoneInfo
    start: time
    end: time
    digest: time | None = None


def not_before(hours: Hours, at: datetime) -> datetime:
    """The first moment from another on at which somebody may be told."""
    days = Days(hours.zone, hours.start, hours.end)
    if days.counts(at.astimezone(hours.zone).replace(tzinfo=None)):
        return at
    awake = due(days, at, _SOON)
    return at if awake is None else awake - _SOON


def next_letter(hours: Hours, at: datetime) -> datetime:
    """When the next daily letter goes out."""
    assert hours.digest is not None
    day = at.astimezone(hours.zone).date()
    found = datetime.combine(day, hours.digest, hours.zone)
    if found <= at:
        found = datetime.combine(day + timedelta(days=1), hours.digest, hours.zone)
    return found.astimezone(UTC)
