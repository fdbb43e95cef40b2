"""Which time counts, and when it is used up: pure functions of a person's days.

Time counts while its owner is awake, on days that are not free. A time of day is one of his wall:
when his clocks go forward the hour that is skipped does not exist, when they go back it counts
twice.
All times are aware; results are in UTC.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

NOTHING = timedelta(0)
GREENWICH = ZoneInfo("UTC")
DAY = timedelta(days=1)
#: How far ahead is looked; who has no counting time until then never runs out of it.
HORIZON = timedelta(days=800)
#: Clocks are set at most once in so long, which is how changes are found.
_STEP = timedelta(hours=6)


@dataclass(frozen=True)
class Days:
    """When time counts for somebody.

    ``zone``: where he lives. ``asleep``, ``awake``: from when to when he sleeps, by his wall; the
    same: he never does. ``off``: days of the week that are free (0 is Monday). ``away``: first and
    last days of his vacations.
    """

    zone: ZoneInfo = GREENWICH
    asleep: time = time(0)
    awake: time = time(0)
    off: frozenset[int] = frozenset()
    away: tuple[tuple[date, date], ...] = ()

    def counts(self, wall: datetime) -> bool:
        """Whether time counts at a moment by the wall."""
        return not (self.free(wall.date()) or self.sleeps(wall.time()))

    def free(self, day: date) -> bool:
        """Whether a day does not count."""
        return day.weekday() in self.off or any(a <= day <= b for a, b in self.away)

    def sleeps(self, at: time) -> bool:
        """Whether it is a time of sleep."""
        if self.asleep <= self.awake:
            return self.asleep <= at < self.awake
        return at >= self.asleep or at < self.awake


def counted(days: Days, start: datetime, end: datetime) -> timedelta:
    """How much of the time between two moments counts."""
    return sum((b - a for a, b in _counting(days, start, end)), NOTHING)


def due(days: Days, start: datetime, amount: timedelta) -> datetime | None:
    """The first moment at which as much time as an amount has counted since a start; None: never,
    or not within the horizon."""
    left = amount
    if left <= NOTHING:
        return start.astimezone(UTC)
    for a, b in _counting(days, start, start + HORIZON):
        if b - a >= left:
            return a + left
        left -= b - a
    return None


def _counting(days: Days, start: datetime, end: datetime) -> Iterator[tuple[datetime, datetime]]:
    """The stretches of counting time between two moments."""
    for a, b, offset in _steady(days.zone, start.astimezone(UTC), end.astimezone(UTC)):
        at = a
        while at < b:
            wall = at.replace(tzinfo=None) + offset
            upto = min(b, at + (_next_edge(days, wall) - wall))
            if days.counts(wall):
                yield at, upto
            at = upto


def _next_edge(days: Days, wall: datetime) -> datetime:
    """The next moment by the wall at which something may change: midnight, sleep, waking."""
    edges = (datetime.combine(wall.date(), t) for t in (days.asleep, days.awake))
    midnight = datetime.combine(wall.date() + DAY, time(0))
    return min([e for e in edges if e > wall], default=midnight)


def _steady(
    zone: ZoneInfo, start: datetime, end: datetime
) -> Iterator[tuple[datetime, datetime, timedelta]]:
    """The stretches between two moments in which a zone's clocks are not set, and what they are
    ahead of UTC."""
    at = start
    while at < end:
        upto, offset = min(end, at + _STEP), _offset(zone, at)
        if _offset(zone, upto) != offset:
            upto = _change(zone, at, upto)
        yield at, upto, offset
        at = upto


def _change(zone: ZoneInfo, low: datetime, high: datetime) -> datetime:
    """The moment between two at which a zone's clocks are set, to the second."""
    before, second = _offset(zone, low), timedelta(seconds=1)
    while high - low > second:
        middle = low + (high - low) / 2
        if _offset(zone, middle) == before:
            low = middle
        else:
            high = middle
    return max(low + timedelta(microseconds=1), high.replace(microsecond=0))


def _offset(zone: ZoneInfo, at: datetime) -> timedelta:
    return at.astimezone(zone).utcoffset() or NOTHING


# budgets


@dataclass(frozen=True)
class Terms:
    """What a clock gives: ``turn`` for each turn; or a ``budget`` at the start, ``increment`` more
    after every turn, ``daily`` more every day, never ``most`` or more in all."""

    turn: timedelta = NOTHING
    budget: timedelta = NOTHING
    increment: timedelta = NOTHING
    daily: timedelta = NOTHING
    most: timedelta = timedelta.max

    def given(self, left: timedelta, more: timedelta) -> timedelta:
        """What is left after something is added; what was granted beyond the most stays."""
        return max(left, min(left + more, self.most))


@dataclass(frozen=True)
class Purse:
    """What is ``left`` of a budget; ``paid``: up to when the daily part was given."""

    left: timedelta
    paid: datetime

    def at(self, terms: Terms, moment: datetime) -> Purse:
        """With what the days until a moment have brought."""
        whole = (moment - self.paid) // DAY
        if whole <= 0 or not terms.daily:
            return self
        left = terms.given(self.left, min(whole * terms.daily, terms.most))
        return Purse(left, self.paid + whole * DAY)

    def spent(self, terms: Terms, days: Days, start: datetime, end: datetime) -> Purse:
        """After a time of thinking; never less than nothing."""
        at, purse = start, self.at(terms, start)
        while terms.daily and (pay := purse.paid + DAY) <= end:
            left = max(NOTHING, purse.left - counted(days, at, pay))
            purse, at = Purse(terms.given(left, terms.daily), pay), pay
        return Purse(max(NOTHING, purse.left - counted(days, at, end)), purse.paid)

    def out(self, terms: Terms, days: Days, start: datetime) -> datetime | None:
        """When a budget is used up by somebody who thinks from a moment on; None: never."""
        at, purse = start, self.at(terms, start)
        while at - start < HORIZON:
            end = due(days, at, purse.left)
            pay = purse.paid + DAY
            if not terms.daily or (end is not None and end < pay):
                return end
            left = max(NOTHING, purse.left - counted(days, at, pay))
            purse, at = Purse(terms.given(left, terms.daily), pay), pay
        return None


# vacations


def granted(
    away: Iterable[tuple[date, date]], since: date, allowance: int
) -> tuple[tuple[date, date], ...]:
    """Of somebody's vacations what a game allows: the first days of them since it began."""
    days = sorted({d for first, last in away for d in _dates(max(first, since), last)})
    return tuple((d, d) for d in days[:allowance])


def _dates(first: date, last: date) -> Iterator[date]:
    while first <= last:
        yield first
        first += DAY


def lead(amount: timedelta) -> timedelta:
    """How long before its time is used up somebody is warned: a quarter of what he had, half a day
    at most."""
    return min(amount / 4, timedelta(hours=12))
