"""What happens when time runs short, and when it is used up."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC

from django.db import transaction

from .. import clock
from ..live import announce
from ..models import Place, Table
from ..notices.current import checks, last_of
from ..notices.models import Kind, Notice
from ..notices.receivers import called
from ..notices.recipients import Word, people_of, tell
from ..pulse import each
from ..seats import voting
from ..seats.models import Vote
from ..tables import Refused
from ..tables.rights import present
from .models import Clock, Hand, Proposal

#: Hands looked at in one beat.
_MANY = 50


def ring() -> int:
    """Warn whose time is short, and do what is to be done where it is used up; how often."""
    now = clock.now()
    running = Hand.objects.exclude(since=None)
    near = running.filter(near__lte=now, warned=False).values_list("pk", "place__table")
    out = running.filter(due__lte=now, out=False).values_list("pk", "place__table")
    found = {*near[:_MANY], *out[:_MANY]}
    return len(each(sorted(found), _look))


def _look(found: tuple[int, int]) -> None:
    pk, table_id = found
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=table_id)
        hand = Hand.objects.select_related("place__user").filter(pk=pk).exclude(since=None).first()
        if hand is None:
            return
        now = clock.now()
        if hand.due is not None and hand.due <= now and not hand.out:
            hand.out = hand.warned = True
            hand.save()
            _used_up(table, hand)
        elif hand.near is not None and hand.near <= now and not hand.warned:
            hand.warned = True
            hand.save()
            _warn(table, hand)


def _warn(table: Table, hand: Hand) -> None:
    assert hand.due is not None
    until = f"{hand.due.astimezone(UTC):%A %d %B, %H:%M} UTC"
    for user in people_of([hand.place]):
        text = f"Your time at this table lasts until {until}."
        tell(user, _word(Kind.NEAR, "near", hand, f"Your time is short: {called(table)}", text))


def _used_up(table: Table, hand: Hand) -> None:
    kind = Clock.objects.get(table=table).at_zero
    if kind == Clock.Zero.NOTHING:
        return announce(table, nudge=True)
    for user in people_of([hand.place]):
        text = "Everybody waits for you."
        tell(user, _word(Kind.NEAR, "zero", hand, f"Your time is up: {called(table)}", text))
    others = [p for p in present(table) if p.pk != hand.place_id]
    subject = f"{hand.place.name}’s time is up: {called(table)}"
    if kind == Clock.Zero.BOT and others:
        Proposal.objects.get_or_create(table=table, kind=Proposal.Kind.BOT, place=hand.place)
        _tell_all(others, hand, Kind.ASKED, subject, "Shall a bot play for him meanwhile?")
    elif kind == Clock.Zero.VOTE and others:
        _vote(table, hand.place)
        _tell_all(others, hand, Kind.ASKED, subject, "Shall he be sent away? There is a vote.")
    else:
        _tell_all(others, hand, Kind.NEAR, subject, "He was reminded.")
    return announce(table, nudge=True)


def _vote(table: Table, place: Place) -> None:
    try:
        voting.open_vote(table, Vote.Kind.REMOVE, place, None)
    except Refused:
        return  # there is one


def _tell_all(places: Iterable[Place], hand: Hand, kind: Kind, subject: str, text: str) -> None:
    for user in people_of(places):
        tell(user, _word(kind, "late", hand, subject, text))


def still_so(notice: Notice, place: int) -> bool:
    """Whether the time a notice tells of runs, or has run out, as it did."""
    hand = Hand.objects.filter(place=place).exclude(since=None).first()
    return hand is not None and last_of(notice) == _stamp(hand)


def _stamp(hand: Hand) -> str:
    """What tells a spell of thinking from others."""
    assert hand.since is not None
    return str(int(hand.since.timestamp()))


checks.update(near=still_so, zero=still_so, late=still_so)


def _word(kind: Kind, what: str, hand: Hand, subject: str, text: str) -> Word:
    table = hand.place.table
    key = f"{what}:{hand.place_id}:{_stamp(hand)}"
    return Word(kind, key, subject, text, f"/table/{table.pk}/time/", table)
