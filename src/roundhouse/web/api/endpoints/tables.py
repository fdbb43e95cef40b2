"""Tables: finding and making them, taking and leaving seats, beginning."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.conf import settings
from django.db.models import Q, QuerySet
from ninja import Query, Router
from ninja import Status as Answer

from ....model.errors import OptionError
from ....titles.title import find_title
from ... import limits, tables
from ...clocks.agreeing import PRESETS
from ...models import Table
from ...people import gathering
from .. import auth, shapes
from ..schemas.common import Done, Number, Status
from ..schemas.tables import TableIn, TableOut, TablesOut
from .common import Request, printable, table_for

router = Router(tags=["Tables"], auth=auth.read)
#: Tables told at once.
_PAGE = 50

Invite = Annotated[str, Query(max_length=64, description="the word of an invitation link")]
Whose = Literal["all", "mine", "my_turn"]


@router.get("", response=TablesOut, summary="Find tables")
def find(
    request: Request,
    status: Status | None = None,
    title: Annotated[str, Query(max_length=60)] = "",
    whose: Whose = "all",
    before: Annotated[int | None, Query(ge=1, le=2**53)] = None,
    limit: Annotated[int, Query(ge=1, le=_PAGE)] = 20,
) -> Any:
    """Public tables, newest first. ``mine``: those you made or play at instead; ``my_turn``: those
    of them that wait for you."""
    rows = _whose(request.user, whose)
    if status:
        rows = rows.filter(status=status)
    if title:
        rows = rows.filter(title__iexact=printable(title, "query.title"))
    if before:
        rows = rows.filter(pk__lt=before)
    told = shapes.tables_of(rows.order_by("-pk")[: limit + 1], request.user)
    more = told[limit - 1]["id"] if len(told) > limit else None
    shown = [t for t in told[:limit] if whose != "my_turn" or t["my_turn"]]
    return {"tables": shown, "next": more}


def _whose(user: Any, whose: str) -> QuerySet[Table]:
    if whose == "all":
        return Table.objects.games().filter(public=True)
    if not user.is_authenticated:
        return Table.objects.none()
    own = Q(places__user=user) | Q(places__deputy=user) | Q(places__partner=user)
    own |= Q(creator=user)
    found = Table.objects.games().filter(pk__in=Table.objects.filter(own).values("pk"))
    return found if whose == "mine" else found.filter(status=Table.Status.RUNNING)


@router.post("", response={201: TableOut}, auth=auth.seats, summary="Make a table")
def create(request: Request, data: TableIn) -> Any:
    """A new table; you sit down at it. With ``hotseat`` all its players are at one screen, which is
    yours, and the game begins at once."""
    limits.count("new-table", limits.visitor(request))
    table = tables.create(request.user, _plan(request, data))
    return Answer(201, shapes.table_of(table, request.user))


def _plan(request: Request, data: TableIn) -> tables.Plan:
    hotseat = data.hotseat or settings.LOCAL
    try:
        least = find_title(data.title).box.game.players.min
    except OptionError as error:
        raise tables.Refused(f"{error}.", "title") from error
    return tables.Plan(
        title=data.title,
        names=data.names if hotseat else [request.user.get_username()],
        options=data.options,
        seats=data.seats or least,
        seed=data.seed,
        description=data.description,
        hotseat=hotseat,
        public=data.public and not settings.LOCAL,
        undo=data.undo,
        bots=data.bots,
        kinds=data.kinds,
        assistance=data.assistance or "",
        clock=PRESETS[data.clock][1] if data.clock and not hotseat else None,
        least=data.least,
        pace=data.pace or "",
    )


@router.get("/{table}", response=TableOut, summary="A table")
def table(request: Request, table: Number, invite: Invite = "") -> Any:
    """Its title, seats and policies, how far its game is, and its result."""
    return shapes.table_of(table_for(request, table, invite), request.user)


@router.post("/{table}/join", response=TableOut, auth=auth.seats, summary="Take a seat")
def join(request: Request, table: Number, invite: Invite = "") -> Any:
    """Take a free seat; with the last one the game begins."""
    table_for(request, table, invite)
    return shapes.table_of(tables.join(table, request.user, invite), request.user)


@router.post("/{table}/leave", response=Done, auth=auth.seats, summary="Leave a seat")
def leave(request: Request, table: Number) -> Any:
    """Give your seat up before the game begins; a table nobody sits at any more is gone."""
    table_for(request, table)
    tables.leave(table, request.user)
    return {"ok": True}


@router.post("/{table}/bot", response=TableOut, auth=auth.seats, summary="Seat the server's bot")
def seat_bot(request: Request, table: Number, kind: str = "") -> Any:
    """Give a free seat of a table you made to the server; with the last one the game begins.
    ``kind``: how it plays, such as ``magnate:quick`` (default: as usual)."""
    table_for(request, table)
    return shapes.table_of(tables.add_bot(table, request.user, kind), request.user)


@router.post("/{table}/ready", response=TableOut, auth=auth.seats, summary="Ready to begin")
def ready(request: Request, table: Number, ask: bool = False) -> Any:
    """Say that you are ready, as a table asks before a live game; the game begins with the last
    one. ``ask``: ask everybody, at a table you made or a full one you sit at."""
    table_for(request, table)
    (gathering.check if ask else gathering.ready)(table, request.user)
    return shapes.table_of(Table.objects.get(pk=table), request.user)


@router.post("/{table}/start", response=TableOut, auth=auth.seats, summary="Begin")
def start(request: Request, table: Number) -> Any:
    """Begin at a table you made, with who is there."""
    table_for(request, table)
    return shapes.table_of(tables.start(table, request.user), request.user)
