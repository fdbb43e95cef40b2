"""Saying something at a table. It changes nothing of the game, so it makes nobody's move stale."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.db.models import Max

from .. import bounds, limits, live, tables
from ..models import Place, Table
from ..tables import happenings
from .models import Room, Said

#: Characters of a line; what is longer is cut.
LONGEST = 2000


def say(pk: int, user: Any, text: str, room: str = Room.PLAYERS) -> Said:
    """A line of somebody's, from the seat that is waited for if he has several. Raises
    :class:`Refused` where he has nothing to say."""
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=pk)
        if not may_speak(table, user, room):
            raise tables.Refused("You may not speak here.", "chat")
        return write(table, user, text, _seat(table, user) if room == Room.PLAYERS else None, room)


def _seat(table: Table, user: Any) -> Place:
    mine = tables.my_places(table, user)
    return next((p for p in mine if p.key in table.acting), mine[0])


def may_speak(table: Table, user: Any, room: str) -> bool:
    """Whether somebody may say something: at the table who sits there, among spectators who has an
    account and no seat."""
    if not user.is_authenticated:
        return False
    if room == Room.PLAYERS:
        return bool(tables.my_places(table, user))
    return not _plays(table, user)


def may_hear(table: Table, user: Any, room: str) -> bool:
    """Whether somebody who may look at a table hears what is said: at the table everybody; among
    spectators, before the game is over, who has an account and does not play, as it might help
    those who do."""
    if room == Room.PLAYERS or table.status == Table.Status.FINISHED:
        return True
    return user.is_authenticated and not _plays(table, user)


def _plays(table: Table, user: Any) -> bool:
    """Whether a seat is somebody's, also while a bot plays it for him."""
    people = ((p.user_id, p.partner_id, p.deputy_id) for p in table.all_places)
    return (table.hotseat and table.creator_id == user.pk) or any(user.pk in p for p in people)


def write(
    table: Table, user: Any, text: str, place: Place | None, room: str = Room.PLAYERS
) -> Said:
    """Write a line down; the table's row is locked. ``user`` None: the server, for a bot. Raises
    :class:`Refused` if it is empty, or if the user says too much."""
    if user is not None:
        limits.count("chat", f"user {user.pk}")
    bounds.check(text, "text")
    if not (text := text.strip()[:LONGEST]):
        raise tables.Refused("There is nothing to say.", "chat")
    said = Said.objects.create(
        table=table, number=last(table) + 1, room=room, after=table.version, place=place,
        user=user, text=text,
    )  # fmt: skip
    live.announce(table, nudge=True)
    happenings.said.send(Table, table=table, line=said)
    return said


def heard(
    table: Table,
    user: Any,
    since: int = 0,
    most: int | None = None,
    among: Collection[str] = tuple(Room.values),
) -> list[Said]:
    """What was said after a line of a number, the last of it, oldest first, in those of some rooms
    somebody hears."""
    rooms = [room for room in among if may_hear(table, user, room)]
    if not rooms:
        return []
    found = table.talk.filter(room__in=rooms, number__gt=since).order_by("-number")
    return list(found.select_related("place", "user")[:most])[::-1]


def last(table: Table) -> int:
    """The number of the last line that was said."""
    found: int | None = table.talk.aggregate(last=Max("number"))["last"]
    return found or 0
