"""Making tables, taking and leaving seats, beginning."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.db import transaction

from ...lessons import lesson_of
from ...model.errors import OptionError
from ...titles.title import find_title
from ..live import announce
from ..models import Barred, Block, Place, Table
from . import bots, happenings
from .assistance import usual
from .cache import open_games
from .faults import Forbidden, Refused
from .log import Opened, fresh
from .opponents import LESSON, checked
from .rights import may_see
from .summary import summarise

#: What who learns is called at the table of a lesson.
LEARNER = "Robin"


class Plan(NamedTuple):
    """What a new table is to be."""

    title: str
    names: Sequence[str]
    options: Sequence[str] = ()
    seats: int = 0
    seed: int | None = None
    description: str = ""
    hotseat: bool = False
    public: bool = True
    undo: str = Table.Undo.OWN
    bots: int = 0
    #: How the server plays each of them (:func:`.opponents.kinds`), the last one the rest; empty:
    #: as usual.
    kinds: Sequence[str] = ()
    #: What help the players get (:class:`Table.Assistance`); empty: what is usual.
    assistance: str = ""
    #: With so many players the creator may begin; 0: only with all ``seats``.
    least: int = 0
    #: Whether it is to be played in one sitting (:class:`Table.Pace`); empty: what is usual.
    pace: str = ""
    #: The terms of its clock (fields of :class:`~..clocks.models.Clock`); None: it has none.
    clock: Mapping[str, Any] | None = None


def create(user: Any, plan: Plan) -> Table:
    """A new table. Hotseat: with all its names and begun at once; else open, the creator seated.
    ``plan.bots`` seats more are played by the server.

    Raises :class:`Refused` for options or numbers of players that do not go together.
    """
    try:
        title = find_title(plan.title)
        chosen = title.select(plan.options)
        title.rules(chosen, len(plan.names) + plan.bots if plan.hotseat else plan.seats)
        if plan.least and not plan.hotseat:
            title.rules(chosen, plan.least)
    except OptionError as error:
        raise Refused(f"{error}.", "options") from error
    if plan.least > plan.seats and not plan.hotseat:
        raise Refused("It cannot take more players to begin than there are seats.", "seats")
    if plan.bots > plan.seats - len(plan.names) and not plan.hotseat:
        raise Refused(_too_many_bots(plan), "bots")
    names = [n.strip() for n in plan.names if n.strip()]
    if len(set(names)) < len(names) or not names:
        raise Refused("Every player needs a name of his own.", "names")
    with transaction.atomic():
        table = Table.objects.create(
            title=title.id,
            options=sorted(chosen),
            seed=str(plan.seed if plan.seed is not None else _draw_seed()),
            description=plan.description,
            creator=user,
            hotseat=plan.hotseat,
            public=plan.public,
            undo=plan.undo,
            assistance=plan.assistance or usual(hotseat=plan.hotseat),
            seats=len(names) + plan.bots if plan.hotseat else plan.seats,
            least=0 if plan.hotseat else plan.least,
            pace=plan.pace or (Table.Pace.LIVE if plan.hotseat else Table.Pace.SLOW),
            revision=title.latest,
        )
        if plan.clock and not plan.hotseat:
            _set_clock(table, plan.clock)
        for number, name in enumerate(names, start=1):
            Place.objects.create(table=table, number=number, key=number, name=name, user=user)
        for n in range(plan.bots):
            _seat_bot(table, *plan.kinds[: n + 1][-1:])
        if plan.hotseat or table.places.count() == table.seats:
            begin(table)
    return table


def _too_many_bots(plan: Plan) -> str:
    bots, seats = plan.bots, plan.seats
    count = "A bot" if bots == 1 else f"{bots} bots"
    return f"{count} and you need {bots + 1} seats, and there are {seats} at most."


def teach(user: Any, title: str) -> Table:
    """A table that plays the lesson of a title with somebody, against bots that know it.

    Raises :class:`Refused` if there is no such title or lesson.
    """
    try:
        lesson = lesson_of(find_title(title))
    except OptionError as error:
        raise Refused(f"{error}.", "title") from error
    if lesson is None:
        raise Refused("There is no lesson of this title.", "no_lesson")
    file = lesson.file
    plan = Plan(
        title, [LEARNER], file.options, file.players, file.seed, "A guided first game",
        public=False, assistance=usual(hotseat=True),
    )  # fmt: skip
    with transaction.atomic():
        table = create(user, plan)
        for _ in range(file.players - 1):
            _seat_bot(table)
        table.places.exclude(bot="").update(bot=LESSON)
        begin(table)
    return table


def _set_clock(table: Table, terms: Mapping[str, Any]) -> None:
    from ..clocks.models import Clock  # an app that stands on this package

    Clock.objects.create(table=table, **terms)


def _seat_bot(table: Table, kind: str = "") -> None:
    taken = list(table.all_places)
    names = {p.name for p in taken}
    name = next(n for n in bots.NAMES if n not in names)
    number = max((p.number for p in taken), default=0) + 1
    Place.objects.create(table=table, number=number, key=number, name=name, bot=checked(kind))


def _draw_seed() -> int:
    return secrets.randbelow(2**31)


def begin(table: Table) -> None:
    """Deal out the game."""
    table.seats = table.places.count()
    game = fresh(table)
    summarise(table, game)
    table.save()
    open_games.put(table.pk, Opened(0, game, table.seating))
    happenings.moved.send(Table, table=table, game=game, user=None, action=None, before=[])
    bots.wake_after(table)


def join(table_id: int, user: Any, key: str = "") -> Table:
    """Take a seat; with the last one the game begins, a live one once all say that they are
    here."""
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=table_id)
        check_welcome(table, user)
        if not may_see(table, user, key):
            raise Forbidden("This table is by invitation.", "private")
        if table.status != Table.Status.OPEN:
            raise Refused("The game has begun already.", "begun")
        taken = list(table.all_places)
        if any(p.user_id == user.pk for p in taken):
            raise Refused("You sit here already.", "seated")
        if len(taken) >= table.seats:
            raise Refused("There is no free seat.", "full")
        number = max((p.number for p in taken), default=0) + 1
        name = free_name(taken, number, user)
        Place.objects.create(table=table, number=number, key=number, name=name, user=user)
        if len(taken) + 1 == table.seats:
            _full(table, user)
        announce(table, nudge=True)
    return table


def free_name(others: Iterable[Place], number: int, user: Any) -> str:
    """What somebody is called on a seat: as his account, unless a bot is called so already."""
    name: str = user.get_username()
    return f"{name} ({number})" if any(p.name == name for p in others) else name


def _full(table: Table, user: Any) -> None:
    """Somebody has taken the last seat."""
    from ..people.gathering import call_all  # it seats people by this module

    if table.pace != Table.Pace.LIVE or not call_all(table, user):
        begin(table)


def check_welcome(table: Table, user: Any) -> None:
    """Raise :class:`Forbidden` if somebody at a table does not want to play with a user."""
    seated = [p.user_id for p in table.all_places if p.user_id]
    blocked = Block.objects.filter(by__in=seated, user=user)
    if blocked.exists() or table.barred.filter(user=user).exists():
        raise Forbidden("Somebody at this table does not want to play with you.", "not_welcome")


def kick(table_id: int, user: Any, number: int) -> Table:
    """The creator sends somebody away from a table that has not begun, for good."""
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=table_id)
        _check_opener(table, user)
        place = table.places.filter(number=number).exclude(user=user).first()
        if place is None:
            raise Refused("Nobody else sits there.", "nobody")
        if place.user is not None:
            Barred.objects.create(table=table, user=place.user)
            table.places.filter(deputy=place.user).update(deputy=None)
        place.delete()
        announce(table, nudge=True)
    return table


def appoint(table_id: int, user: Any, name: str) -> Table:
    """A player lets somebody else at the table act for him while he is away; an empty name: nobody
    any more."""
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=table_id)
        mine = table.places.filter(user=user)
        other = table.places.filter(name=name, user__isnull=False).exclude(user=user).first()
        if not mine.exists() or (name and other is None):
            raise Refused("Only a player may stand in for a player.", "nobody")
        mine.update(deputy=other.user if other else None)
        announce(table, nudge=True)
    return table


def add_bot(table_id: int, user: Any, kind: str = "") -> Table:
    """The creator gives a free seat to the server; with the last one the game begins. ``kind``: one
    of :func:`.opponents.kinds` (empty: the usual)."""
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=table_id)
        _check_opener(table, user)
        if table.places.count() >= table.seats:
            raise Refused("There is no free seat.", "full")
        _seat_bot(table, kind)
        if table.places.count() == table.seats:
            _full(table, user)
        announce(table, nudge=True)
    return table


def change_bot(table_id: int, user: Any, number: int, kind: str) -> Table:
    """Choose how the server plays a seat: the creator before the game begins and at one screen;
    once several play, nobody but whoever the seat is played for."""
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=table_id)
        place = table.places.filter(number=number).exclude(bot="").first()
        if place is None:
            raise Refused("No bot sits there.", "nobody")
        if user.pk not in may_choose(table, place):
            raise Forbidden("How this bot plays is not for you to choose.", "not_yours")
        place.bot = checked(kind)
        place.save(update_fields=["bot"])
        announce(table, nudge=True)
        bots.wake_after(table)
    return table


def may_choose(table: Table, place: Place) -> frozenset[int | None]:
    """Users (by primary key) who choose how the server plays a seat."""
    if table.hotseat or table.status == Table.Status.OPEN:
        return frozenset((table.creator_id,))
    return frozenset((place.user_id, place.partner_id)) - {None}


def _check_opener(table: Table, user: Any) -> None:
    if table.creator_id != user.pk:
        raise Forbidden("Only who made the table may do that.", "not_yours")
    if table.status != Table.Status.OPEN:
        raise Refused("The game has begun already.", "begun")


def leave(table_id: int, user: Any) -> None:
    """Give up a seat of a game that has not begun; the table goes with its last player."""
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=table_id)
        if table.status != Table.Status.OPEN:
            raise Refused("The game has begun; give your seat up under People.", "begun")
        table.places.filter(deputy=user).update(deputy=None)
        table.places.filter(user=user).delete()
        if not table.places.exclude(user=None).exists():
            table.delete()
        else:
            announce(table, nudge=True)


def start(table_id: int, user: Any) -> Table:
    """The creator begins with the players there are."""
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=table_id)
        _check_opener(table, user)
        if (there := table.places.count()) < table.least:
            raise Refused(f"It takes {table.least} players to begin; {there} are here.", "players")
        try:
            begin(table)
        except OptionError as error:
            raise Refused(f"{error}.", "players") from error
        announce(table, nudge=True)
    return table
