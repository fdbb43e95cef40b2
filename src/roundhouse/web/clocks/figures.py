"""How much time was used at a table, as numbers: for its page, its file, its transcript, and
programs."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from .. import clock
from ..models import Place, Table
from . import keeping
from .models import Clock, Hand, Spent
from .reckoning import NOTHING, Purse, counted


class Time(NamedTuple):
    """One seat's time: ``left`` of it (None: there is no clock, or it stands and each turn has its
    own), ``due`` if it runs, ``used`` in the whole game, what counted of each of its ``turns``."""

    place: Place
    runs: bool
    left: timedelta | None
    due: datetime | None
    out: bool
    used: timedelta
    turns: list[timedelta]


def times_of(table: Table, found: Clock | None) -> list[Time]:
    """The times of all seats."""
    hands = {h.place_id: h for h in Hand.objects.filter(place__table=table)}
    spent: dict[int, list[timedelta]] = {}
    for place, amount in Spent.objects.filter(place__table=table).values_list("place", "counted"):
        spent.setdefault(place, []).append(amount)
    places = table.places.select_related("user")
    return [_time(p, hands.get(p.pk), found, spent.get(p.pk, [])) for p in places]


def _time(place: Place, hand: Hand | None, found: Clock | None, turns: list[timedelta]) -> Time:
    if hand is None or found is None:
        return Time(place, False, None, None, False, hand.used if hand else NOTHING, turns)
    used, runs = hand.used, hand.since is not None
    if hand.since is not None:
        used += counted(keeping.days_of(place, found), hand.since, clock.now())
    shown = runs or found.kind == Clock.Kind.BUDGET
    left = _left(place, hand, found) if shown else None
    return Time(place, runs, left, hand.due, hand.out, used, turns)


def _left(place: Place, hand: Hand, found: Clock) -> timedelta:
    """What is left now."""
    purse, terms, now = Purse(hand.left, hand.paid), found.terms(), clock.now()
    if hand.since is None:
        return purse.at(terms, now).left
    return purse.spent(terms, keeping.days_of(place, found), hand.since, now).left


def used_by(table: Table) -> dict[str, int]:
    """Seconds that counted, by player's id; nothing where there is no clock."""
    found = Clock.objects.filter(table=table).first()
    if found is None:
        return {}
    return {str(t.place.key): int(t.used.total_seconds()) for t in times_of(table, found)}


def thought_before(table: Table) -> dict[int, int]:
    """Seconds that counted of a turn, by the number of the log's entry that ended it."""
    rows = Spent.objects.filter(place__table=table).values_list("upto", "counted")
    return {upto: int(amount.total_seconds()) for upto, amount in rows}
