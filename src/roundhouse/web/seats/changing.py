"""Seats of running games change hands: one function for each way, holding permission, execution
and record."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction

from .. import bounds
from ..live import announce
from ..models import Barred, Place, Table
from ..notices.current import checks
from ..notices.models import Notice
from ..tables import Forbidden, Refused, bots, may_see
from ..tables.cache import open_games
from ..tables.happenings import reseated, wanted
from ..tables.log import rename
from ..tables.opponents import checked
from ..tables.rights import alone, present
from ..tables.seating import check_welcome, free_name
from . import record
from .models import How, Invitation, Vacancy

#: Letters of a player's name at one screen.
LONGEST = 60


@contextmanager
def running(table_id: int, by: Any = None) -> Iterator[Table]:
    """A table with a running game of several people, its row locked; at the end those who look on
    are told. ``by``: one of this user's alone against bots will do as well. Raises
    :class:`Refused`."""
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=table_id)
        if table.status != Table.Status.RUNNING:
            raise Refused("The game is not running; its seats do not change hands.", "not_running")
        if table.hotseat and (by is None or alone(table, by) is None):
            raise Refused("At one screen no seat changes hands.", "hotseat")
        yield table
        announce(table, nudge=True)


# names at one screen


def name_seat(table_id: int, user: Any, number: int, name: str) -> Table:
    """Call a player at one screen by another name, in its log too; who opened the table may, at
    any time. Raises :class:`Forbidden`, or :class:`Refused` for no name or somebody else's."""
    bounds.check(name, "name")
    name = name.strip()
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=table_id)
        if not table.hotseat:
            raise Refused("Here everybody plays under the name of his account.", "names")
        if table.creator_id != user.pk:
            raise Forbidden("Who opened the table names its players.", "not_yours")
        place = _numbered(table, number)
        others = [p.name for p in table.all_places if p.pk != place.pk]
        if not name or len(name) > LONGEST or name in others:
            text = f"Every player needs a name of his own, of at most {LONGEST} letters."
            raise Refused(text, "names")
        place.name = name
        place.save(update_fields=["name"])
        _renamed(table)
        announce(table, nudge=True)
    return table


def _renamed(table: Table) -> None:
    """A player of a table has another name: games that are open are opened anew."""
    rename(table)
    transaction.on_commit(lambda: open_games.drop(table.pk))


# giving up


def leave(table_id: int, user: Any, *, bot: bool = False, kind: str = "") -> Table:
    """Give up a seat for good. It is open to whoever may look at the table; a partner has it alone
    now. ``bot``: the server plays until somebody comes, as ``kind`` says."""
    with running(table_id) as table:
        give_up(own(table, user), user, How.LEFT, bot=checked(kind) if bot else "")
    return table


def give_up(place: Place, user: Any, how: str, *, bot: str = "") -> None:
    """One of the people of a seat goes; the table's row is locked."""
    if place.partner_id == user.pk:
        _part(place)
    elif place.partner is not None:
        _hand_over(place, place.partner, How.ALONE)
    else:
        vacate(place, how, bot=bot)


def vacate(place: Place, how: str, *, bot: str = "") -> None:
    """A seat loses its people; the table's row is locked. ``bot``: how the server plays it until
    somebody comes; empty: it does not."""
    record.remember(place)
    place.user = place.partner = place.deputy = None
    place.bot = bot
    place.save()
    record.begin(place, how=how)
    Vacancy.objects.get_or_create(place=place)
    _changed(place)


def let_bot_play(table_id: int, user: Any, number: int, kind: str = "") -> Table:
    """Somebody at the table lets the server play a free seat until a person takes it."""
    with running(table_id) as table:
        own(table, user)
        place = _numbered(table, number)
        if not is_free(place) or place.bot:
            raise Refused("Nobody is missing there.", "not_free")
        vacate(place, How.SERVER, bot=checked(kind))
    return table


# away for a while


def substitute(table_id: int, user: Any, kind: str = "") -> Table:
    """Let the server play one's seat until one is back, as ``kind`` says (empty: as usual)."""
    with running(table_id, by=user) as table:
        stand_in(own(table, user), How.AWAY, kind)
    return table


def stand_in(place: Place, how: str, kind: str = "") -> None:
    """The server plays for whoever sits there, until he is back; the table's row is locked."""
    if place.user is None or place.bot:
        raise Refused("Nobody plays there.", "nobody")
    play_on(place, checked(kind), how)


def play_on(place: Place, bot: str, how: str) -> None:
    """The server plays a seat from now on, in some way; the table's row is locked."""
    record.remember(place)
    place.bot = bot
    place.save()
    record.begin(place, how=how)
    _changed(place)


def come_back(table_id: int, user: Any) -> Table:
    """Play again oneself."""
    with running(table_id, by=user) as table:
        place = own(table, user)
        if not place.bot:
            raise Refused("You play your seat yourself.", "not_away")
        place.bot = ""
        place.save()
        _seat(place, How.BACK)
    return table


# coming


def take(table_id: int, user: Any, number: int, key: str = "") -> Table:
    """Take a free seat of a table one may look at."""
    with running(table_id) as table:
        place = _numbered(table, number)
        if not may_see(table, user, key):
            raise Forbidden("This table is by invitation.", "private")
        if not is_free(place):
            raise Refused("This seat is not free.", "not_free")
        _check_newcomer(table, user)
        _hand_over(place, user, How.TOOK)
    return table


def _hand_over(place: Place, user: Any, how: str) -> None:
    """A seat gets another person, under his name."""
    record.remember(place)
    place.user, place.bot = user, ""
    place.partner = place.deputy = None
    place.name = free_name(place.table.places.exclude(pk=place.pk), place.number, user)
    place.save()
    _seat(place, how)
    Vacancy.objects.filter(place=place).delete()
    Invitation.objects.filter(place=place).delete()
    _renamed(place.table)


def _seat(place: Place, how: str) -> None:
    record.begin(place, how=how)
    if place.partner_id is not None:
        record.begin(place, how=how, partner=True)
    _changed(place)


def _check_newcomer(table: Table, user: Any) -> None:
    check_welcome(table, user)
    if any(user.pk in (p.user_id, p.partner_id) for p in table.all_places):
        raise Refused("You sit at this table already.", "seated")


# inviting


def invite(
    table_id: int, user: Any, number: int, name: str = "", *, partner: bool = False
) -> Invitation:
    """Invite somebody by name, or (no name) whoever gets the link, to one's own seat, to a free
    one, or to share one's own. The seat is his once he accepts."""
    with running(table_id) as table:
        mine, place = own(table, user), _numbered(table, number)
        if place != mine and (partner or not is_free(place)):
            raise Forbidden("This seat is not yours to offer.", "not_yours")
        if partner and place.partner_id is not None:
            raise Refused("Two play this seat already.", "full")
        guest = _named(table, name) if name else None
        fields = {"place": place, "user": guest, "partner": partner}
        found: Invitation
        found, _ = Invitation.objects.get_or_create(**fields, defaults={"by": user})
        text = f"{user} offers you the seat of {place.name}."
        users = [guest] if guest is not None else []
        wanted.send(Table, table=table, users=users, key=f"seat:{found.pk}", text=text)
    return found


def still_offered(notice: Notice, number: int) -> bool:
    """Whether the seat a notice tells of is still offered."""
    return Invitation.objects.filter(pk=number).exists()


checks["seat"] = still_offered


def _named(table: Table, name: str) -> Any:
    guest = get_user_model().objects.filter(username=name, is_active=True).first()
    if guest is None:
        raise Refused(f"There is nobody called {name} here.", "nobody")
    if table.barred.filter(user=guest).exists():
        Barred.objects.filter(table=table, user=guest).delete()
    _check_newcomer(table, guest)
    return guest


def accept(table_id: int, user: Any, word: str) -> Table:
    """Accept an invitation, one's own or that of a link."""
    with running(table_id) as table:
        found = _invitation(table, user, word)
        _check_newcomer(table, user)
        place = found.place
        if found.partner:
            _pair(place, user, found)
        else:
            _hand_over(place, user, How.INVITED)
    return table


def decline(table_id: int, user: Any, word: str) -> Table:
    """Decline an invitation, or take back one's own."""
    with running(table_id) as table:
        found = Invitation.objects.filter(place__table=table, word=word).first()
        if found is None or user.pk not in (found.user_id, found.by_id):
            raise Refused("There is no such invitation any more.", "gone")
        found.delete()
    return table


def _invitation(table: Table, user: Any, word: str) -> Invitation:
    found = Invitation.objects.filter(place__table=table, word=word).first()
    if found is None or found.user_id not in (None, user.pk):
        raise Refused("There is no such invitation any more.", "gone")
    return found


# two on a seat


def _pair(place: Place, user: Any, invitation: Invitation) -> None:
    if place.user is None or place.partner_id is not None:
        raise Refused("There is nobody to play it with.", "not_free")
    record.remember(place)
    place.partner = user
    place.save()
    record.begin(place, how=How.PARTNER, partner=True)
    Invitation.objects.filter(place=place, partner=True).delete()
    _changed(place)


def _part(place: Place) -> None:
    """The partner leaves a team."""
    record.rise(place, partner=True)
    place.partner = None
    place.save()
    _changed(place)


# what all have in common


def own(table: Table, user: Any) -> Place:
    """The seat of a user, which he may share. Raises :class:`Forbidden`."""
    for place in table.places.select_related("user", "partner"):
        if user.pk in (place.user_id, place.partner_id):
            return place
    raise Forbidden("You have no seat at this table.", "no_seat")


def is_free(place: Place) -> bool:
    """Whether a seat waits for somebody to take it."""
    return hasattr(place, "vacancy")


def free_places(table: Table) -> list[Place]:
    """The seats anybody may take."""
    return [p for p in table.all_places if is_free(p)]


def anybody_left(table: Table) -> bool:
    """Whether any person still plays."""
    return bool(present(table))


def _numbered(table: Table, number: int) -> Place:
    place = table.places.select_related("user", "partner").filter(number=number).first()
    if place is None:
        raise Refused("There is no such seat.", "nobody")
    return place


def _changed(place: Place) -> None:
    """What follows when a seat has other people, or another bot. Who is at the table no more stands
    in for nobody there."""
    seated = place.table.places.exclude(user=None).values("user")
    place.table.places.exclude(deputy=None).exclude(deputy__in=seated).update(deputy=None)
    reseated.send(Table, table=place.table, place=place)
    bots.wake_after(place.table)
