"""Which time counts, held against a minute by minute count by the wall."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from hypothesis import assume, given
from hypothesis import strategies as st

from roundhouse.web.clocks.reckoning import NOTHING, Days, Purse, Terms, counted, due

MINUTE = timedelta(minutes=1)
ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe",
         "America/St_Johns", "Pacific/Apia", "Pacific/Chatham", "Africa/Casablanca"]  # fmt: skip

zones = st.sampled_from(ZONES).map(ZoneInfo)
times = st.times().map(lambda t: t.replace(second=0, microsecond=0))
moments = st.datetimes(datetime(2024, 1, 1), datetime(2029, 12, 31)).map(
    lambda d: d.replace(second=0, microsecond=0, tzinfo=UTC)
)
dates = st.dates(date(2024, 1, 1), date(2029, 12, 31))
vacations = st.tuples(dates, st.integers(0, 20)).map(lambda v: (v[0], v[0] + timedelta(v[1])))


@st.composite
def lives(draw):
    return Days(
        zone=draw(zones),
        asleep=draw(times),
        awake=draw(times),
        off=draw(st.sets(st.integers(0, 6), max_size=6).map(frozenset)),
        away=tuple(draw(st.lists(vacations, max_size=3))),
    )


def by_the_minute(days, start, end):
    """Every minute asked by itself what the wall says."""
    found, at = NOTHING, start
    while at < end:
        if days.counts(at.astimezone(days.zone).replace(tzinfo=None)):
            found += MINUTE
        at += MINUTE
    return found


@given(lives(), moments, st.integers(0, 1500))
def test_what_counts_is_what_every_minute_says(days, start, minutes):
    end = start + minutes * MINUTE
    assert counted(days, start, end) == by_the_minute(days, start, end)


@given(zones, times, times, st.integers(2024, 2029), st.sampled_from([3, 4, 9, 10, 11]))
def test_nights_in_which_clocks_are_set(zone, asleep, awake, year, month):
    """A whole month of those in which most zones change, by the quarter of an hour."""
    days = Days(zone, asleep.replace(minute=0), awake.replace(minute=0))
    start = datetime(year, month, 1, tzinfo=UTC)
    end, step = start + timedelta(days=31), timedelta(minutes=15)
    walls = ((start + n * step).astimezone(zone) for n in range((end - start) // step))
    every = sum(days.counts(wall.replace(tzinfo=None)) for wall in walls) * step
    assert counted(days, start, end) == every


@given(lives(), moments, st.integers(0, 6000))
def test_due_is_the_first_moment_at_which_it_has_counted(days, start, minutes):
    amount = minutes * MINUTE
    end = due(days, start, amount)
    assume(end is not None)
    assert counted(days, start, end) == amount
    if amount:
        assert counted(days, start, end - MINUTE) == amount - MINUTE


@given(lives(), moments, st.integers(0, 5000), st.integers(0, 5000))
def test_parts_make_the_whole(days, start, one, two):
    middle, end = start + one * MINUTE, start + (one + two) * MINUTE
    parts = counted(days, start, middle) + counted(days, middle, end)
    assert parts == counted(days, start, end) <= end - start


def test_who_is_never_there_never_runs_out():
    nobody = Days(off=frozenset(range(7)))
    start = datetime(2026, 1, 1, tzinfo=UTC)
    assert due(nobody, start, MINUTE) is None
    assert due(nobody, start, NOTHING) == start
    assert Purse(MINUTE, start).out(Terms(budget=MINUTE), nobody, start) is None


def test_a_night_in_berlin():
    """Twelve hours from eight in the evening, asleep from eleven to seven: noon and four more."""
    days = Days(ZoneInfo("Europe/Berlin"), time(23), time(7))
    start = datetime(2026, 6, 1, 18, tzinfo=UTC)  # 20:00 there
    assert due(days, start, timedelta(hours=12)) == datetime(2026, 6, 2, 14, tzinfo=UTC)
    weekend = Days(ZoneInfo("Europe/Berlin"), off=frozenset({5, 6}))
    friday = datetime(2026, 6, 5, 18, tzinfo=UTC)
    assert due(weekend, friday, timedelta(hours=24)) == datetime(2026, 6, 8, 18, tzinfo=UTC)


def test_the_hour_that_is_skipped_and_the_hour_that_comes_twice():
    days = Days(ZoneInfo("Europe/Berlin"))
    for day, hours in ((date(2026, 3, 29), 23), (date(2026, 10, 25), 25)):
        start = datetime.combine(day, time(0), days.zone)
        end = datetime.combine(day + timedelta(1), time(0), days.zone)
        assert counted(days, start, end) == timedelta(hours=hours)


# budgets

amounts = st.integers(0, 5000).map(lambda n: n * MINUTE)
terms = st.builds(
    lambda budget, increment, daily, more: Terms(
        budget=budget, increment=increment, daily=daily, most=budget + more
    ),
    amounts, amounts, amounts, amounts,
)  # fmt: skip


@given(lives(), terms, moments, st.lists(st.tuples(amounts, amounts), max_size=8))
def test_a_budget_is_never_negative_nor_more_than_the_most(days, terms, start, turns):
    purse, at = Purse(terms.budget, start), start
    for waiting, thinking in turns:
        begin, end = at + waiting, at + waiting + thinking
        purse = purse.at(terms, begin).spent(terms, days, begin, end)
        assert NOTHING <= purse.left <= terms.most
        purse = Purse(terms.given(purse.left, terms.increment), purse.paid)
        assert NOTHING <= purse.left <= terms.most
        assert purse.paid <= end
        at = end


@given(lives(), terms, moments)
def test_a_budget_runs_out_when_it_is_said_to(days, terms, start):
    purse = Purse(terms.budget, start)
    end = purse.out(terms, days, start)
    assume(end is not None)
    assert purse.spent(terms, days, start, end).left == NOTHING
    if end > start:
        assert purse.spent(terms, days, start, end - MINUTE).left > NOTHING


@given(lives(), moments, amounts, amounts)
def test_sleep_costs_nothing(days, start, budget, thinking):
    plain = Terms(budget=budget)
    left = Purse(budget, start).spent(plain, days, start, start + thinking).left
    assert left == max(NOTHING, budget - by_the_minute(days, start, start + thinking))
