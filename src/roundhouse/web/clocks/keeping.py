"""Clocks that run: who thinks, since when, and until when. What changes a hand of a clock is here;
each function is called with the table's row locked."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from .. import clock
from ..attached import absent
from ..deals.models import question_of
from ..models import Place, Table
from ..prepared import Prepared
from ..tables.rights import present
from .models import Clock, Hand, Rhythm, Spent, Vacation
from .reckoning import GREENWICH, NOTHING, Days, Purse, Terms, counted, due, granted, lead


def follow(table: Table, *, undone: bool = False) -> None:
    """Let the hands of those run who are waited for, and no others. A turn lasts until its player
    is not waited for any more, whoever is asked in between. ``undone``: something was taken back,
    and a turn that was over may go on."""
    found = None if absent(table, "clock") else _CLOCK.first(table.pk)
    if found is None or table.hotseat:
        return
    now, thinking = clock.now(), _thinking(table, found)
    hands = {h.place_id: h for h in Hand.objects.filter(place__table=table)}
    for place in table.all_places:
        hand = hands.get(place.pk) or Hand(place=place, left=found.terms().budget, paid=now)
        if place.pk in thinking and hand.since is None:
            _start(hand, place, found, now, undone=undone)
        elif place.pk not in thinking and hand.since is not None:
            ended = not found.paused and (place.key not in table.acting or not _runs(table))
            _stop(hand, place, found, now, ended=ended)


def _runs(table: Table) -> bool:
    return table.status == Table.Status.RUNNING


def _thinking(table: Table, found: Clock) -> set[int]:
    """The places whose time runs: those asked something, else those whose turn it is."""
    if found.paused or not _runs(table):
        return set()
    people = present(table)
    question = question_of(table)
    if question is not None and question.open:
        return {p.pk for p in people if p.number in question.waiting}
    return {p.pk for p in people if p.key in table.acting}


def _start(hand: Hand, place: Place, found: Clock, now: datetime, *, undone: bool) -> None:
    terms = found.terms()
    if hand.began is None and not (undone and _again(hand, found)):
        hand.began, hand.after, hand.spent = now, place.table.version, NOTHING
        if found.kind == Clock.Kind.TURN:
            hand.left, hand.paid = terms.turn, now
    purse = Purse(hand.left, hand.paid).at(terms, now)
    hand.left, hand.paid, hand.since = purse.left, purse.paid, now
    _look_ahead(hand, place, found, terms)
    hand.save()


def _again(hand: Hand, found: Clock) -> bool:
    """Go on with a turn that was over: it gives no new time."""
    last = Spent.objects.filter(place=hand.place_id).last()
    if last is None:
        return False
    hand.began, hand.after, hand.spent = last.began, last.after, last.counted
    if found.kind == Clock.Kind.TURN:
        hand.left = max(NOTHING, found.turn - last.counted)
    else:
        hand.left = max(NOTHING, hand.left - found.increment)
    last.delete()
    return True


def _look_ahead(hand: Hand, place: Place, found: Clock, terms: Terms) -> None:
    """When a running hand is to be looked at again."""
    assert hand.since is not None
    days, purse = days_of(place, found), Purse(hand.left, hand.paid)
    hand.due = purse.out(terms, days, hand.since)
    hand.near = None
    if hand.due is not None and hand.left:
        hand.near = due(days, hand.since, max(NOTHING, hand.left - lead(hand.left)))
        hand.near = min(hand.near or hand.due, hand.due)
    hand.warned = hand.out = False


def _settle(hand: Hand, place: Place, found: Clock, now: datetime) -> None:
    """Count what was thought so far."""
    assert hand.since is not None
    days, terms = days_of(place, found), found.terms()
    thought = counted(days, hand.since, now)
    purse = Purse(hand.left, hand.paid).spent(terms, days, hand.since, now)
    hand.left, hand.paid, hand.since = purse.left, purse.paid, now
    hand.used += thought
    hand.spent += thought


def _stop(hand: Hand, place: Place, found: Clock, now: datetime, *, ended: bool) -> None:
    _settle(hand, place, found, now)
    hand.since = hand.due = hand.near = None
    hand.out = False
    if ended:
        terms, began = found.terms(), hand.began or now
        hand.began = None
        hand.left = terms.given(hand.left, terms.increment)
        Spent.objects.create(
            place=place, user=place.user, began=began, ended=now,
            counted=hand.spent, after=hand.after, upto=place.table.version,
        )  # fmt: skip
    hand.save()


def reseated(place: Place) -> None:
    """Somebody else sits there: a turn begins anew, and of a budget he has a quarter at least."""
    hand = Hand.objects.filter(place=place).first()
    found = Clock.objects.filter(table=place.table_id).first()
    if hand is None or found is None:
        return
    if hand.since is not None:
        _stop(hand, place, found, clock.now(), ended=True)
    if found.kind == Clock.Kind.BUDGET:
        hand.left = max(hand.left, found.budget / 4)
        hand.save()


def grant(place: Place, amount: timedelta) -> None:
    """More time."""
    found, now = Clock.objects.get(table=place.table_id), clock.now()
    hand = Hand.objects.filter(place=place).first() or Hand(
        place=place, left=found.terms().budget, paid=now
    )
    if hand.since is not None:
        _settle(hand, place, found, now)
    hand.left += amount
    if hand.since is not None:
        _look_ahead(hand, place, found, found.terms())
    hand.save()


def pause(table: Table, found: Clock) -> None:
    """The clock stands."""
    found.paused = clock.now()
    found.save()
    follow(table)


def resume(table: Table, found: Clock) -> None:
    """The clock goes on where it stood."""
    found.paused = None
    found.save()
    follow(table)


# people's days


def days_of(place: Place, found: Clock) -> Days:
    """The days of who sits on a place, as a clock counts them."""
    rhythm = Rhythm.objects.filter(user=place.user_id).first() if place.user_id else None
    zone = rhythm.place() if rhythm else GREENWICH
    off = frozenset({5, 6}) if found.weekends else frozenset()
    began = place.table.created.astimezone(zone).date()
    away = _vacations(place) if found.vacation else ()
    plain = Days(zone, off=off, away=granted(away, began, found.vacation))
    if rhythm is None or not found.nights:
        return plain
    return Days(zone, rhythm.asleep, rhythm.awake, off, plain.away)


def _vacations(place: Place) -> Iterable[tuple[Any, Any]]:
    return Vacation.objects.filter(user=place.user_id).values_list("first", "last")


def running_of(user: Any) -> list[int]:
    """The tables at which somebody's time runs."""
    hands = Hand.objects.filter(place__user=user).exclude(since=None)
    return sorted(set(hands.values_list("place__table", flat=True)))


def before_change(user: Any, table: Table) -> list[Hand]:
    """Count by the days as they were; to be called before somebody's days change."""
    found = Clock.objects.get(table=table)
    hands = list(Hand.objects.filter(place__user=user, place__table=table).exclude(since=None))
    for hand in hands:
        _settle(hand, hand.place, found, clock.now())
        hand.save()
    return hands


def after_change(hands: Iterable[Hand]) -> None:
    """Look ahead by the days as they are now."""
    for hand in hands:
        found = Clock.objects.get(table=hand.place.table_id)
        _look_ahead(hand, hand.place, found, found.terms())
        hand.save()


_CLOCK = Prepared(lambda table: Clock.objects.filter(table=table), int)
