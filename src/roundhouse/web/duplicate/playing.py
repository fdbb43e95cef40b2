"""Events: making, entering, beginning, the score sheet."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from random import Random
from typing import Any

from msgspec import Struct

from ...interchange import nameless
from ...model.errors import OptionError, UnknownName
from ...titles.title import all_titles, find_title
from ..models import Place, Table
from ..notices.models import Kind
from ..notices.recipients import Word, tell
from ..study.standing import lay_out, played_by, table_of, with_bots
from ..tables import Forbidden, Plan, Refused, begin, create, open_game
from ..tables.opponents import USUAL
from .models import Board, Entrant, Event
from .scoring import Score, scores

#: People in one event.
_MOST = 200


def deal(user: Any, name: str, title: str, options: Sequence[str], seats: int) -> Event:
    """An event over a deal: all tables begin alike. Raises :class:`Refused`."""
    if title not in all_titles():
        raise Refused("There is no such title.", "unknown")
    try:
        found = find_title(title)
        chosen = found.select(options)
        found.rules(chosen, seats)
    except OptionError as error:
        raise Refused(f"{error}.", "options") from error
    seed = str(secrets.randbelow(2**31))
    return _made(user, name, title=title, options=sorted(chosen), seats=seats, seed=seed)


def position(user: Any, name: str, table: Table, at: int | None) -> Event:
    """An event over a position of a finished game; who played it is not told. Raises
    :class:`Refused` if the game is not over, or is at that moment."""
    if {table.status, table.root.status} != {Table.Status.FINISHED}:
        raise Refused("Positions are taken from games that are over.", "not_over")
    game = open_game(table).game
    try:
        game = game if at is None else game.at(at)
    except UnknownName as error:
        raise Refused("There was no such moment.", "unknown") from error
    if game.finished:
        raise Refused("Here the game was over; choose a moment before.", "over")
    return _made(
        user, name, title=game.title.id, options=sorted(game.options), seats=len(game.seats),
        file=json.dumps(nameless(game)),
    )  # fmt: skip


def _made(user: Any, name: str, **what: Any) -> Event:
    called = name.replace("\0", "").strip()[:80]
    if not called:
        raise Refused("An event needs a name.", "name")
    return Event.objects.create(by=user, name=called, **what)


def enter(pk: int, user: Any) -> None:
    """Take part, as long as it has not begun."""
    event = _locked(pk)
    if event.entrants.count() >= _MOST:
        raise Refused("No more people fit into one event.", "full")
    Entrant.objects.get_or_create(event=event, user=user)


def withdraw(pk: int, user: Any) -> None:
    """Take no part after all, as long as it has not begun."""
    _locked(pk).entrants.filter(user=user).delete()


def _locked(pk: int) -> Event:
    """An event that has not begun, for as long as the transaction lasts."""
    event = Event.objects.select_for_update().get(pk=pk)
    if event.begun:
        raise Refused("The event has begun already.", "begun")
    return event


def start(pk: int, user: Any) -> None:
    """Draw the seats and begin at all tables at once; what is left of the last one is for bots.
    Nobody sees another table before all are over, and none gives help."""
    event = _locked(pk)
    if event.by_id != user.pk:
        raise Forbidden("Only who made the event may begin it.", "not_yours")
    people = [e.user for e in event.entrants.select_related("user").order_by("pk")]
    if len(people) <= event.seats:
        raise Refused("It takes more than one table: more people than seats.", "players")
    Random(f"{event.pk}:{len(people)}").shuffle(people)
    for number, seated in enumerate(_tables_of(people, event.seats), start=1):
        table = _from_position(event, seated) if event.file else _from_deal(event, seated)
        Board.objects.create(event=event, number=number, table=table)
        _tell(event, table, seated)
    event.begun = True
    event.save(update_fields=["begun"])


def _tables_of(people: Sequence[Any], seats: int) -> list[Sequence[Any]]:
    """People by tables, as evenly as may be."""
    count = -(-len(people) // seats)
    return [people[n::count] for n in range(count)]


def _from_deal(event: Event, people: Sequence[Any]) -> Table:
    plan = Plan(
        event.title, [people[0].get_username()], event.options, event.seats, int(event.seed),
        event.name, public=False, assistance=Table.Assistance.NONE,
    )  # fmt: skip
    table = create(people[0], plan)
    _seat(table, people, first=2)
    begin(Table.objects.get(pk=table.pk))
    return table


def _seat(table: Table, people: Sequence[Any], first: int = 1) -> None:
    """Seats for people, and bots on those that are left."""
    names = with_bots([p.get_username() for p in people], table.seats)
    users = dict(enumerate(people, start=1))
    Place.objects.bulk_create(
        Place(table=table, number=number, key=number, name=names[number - 1],
              user=users.get(number), bot="" if number in users else USUAL)
        for number in range(first, table.seats + 1)
    )  # fmt: skip


def _from_position(event: Event, people: Sequence[Any]) -> Table:
    """A table at which the game stands where the file leads; what led there cannot be told from
    what is played on."""
    game = played_by(
        json.loads(event.file), with_bots([p.get_username() for p in people], event.seats)
    )
    table = table_of(game, event.name, people[0], Table.Assistance.NONE)
    _seat(table, people)
    lay_out(table, game)
    return table


def _tell(event: Event, table: Table, people: Sequence[Any]) -> None:
    for user in people:
        word = Word(Kind.INVITED, f"duplicate:{event.pk}", f"{event.name} has begun",
                    "You are seated.", f"/table/{table.pk}/")  # fmt: skip
        tell(user, word)


class Line(Struct):
    """A line of the score sheet."""

    name: str
    seat: int
    board: int
    score: Score


def score_sheet(event: Event) -> list[Line] | None:
    """The scores of all seats, the best first; None until all tables are over, so that nobody plays
    against a score."""
    boards = list(event.boards.select_related("table"))
    if not boards or any(b.table.status != Table.Status.FINISHED for b in boards):
        return None
    places = [list(b.table.all_places) for b in boards]
    worths = [
        {p.number: b.table.result.get(str(p.key), 0) for p in seats}
        for b, seats in zip(boards, places, strict=True)
    ]
    lines = [
        Line(place.name, place.number, board.number, found[place.number])
        for board, seats, found in zip(boards, places, scores(worths), strict=True)
        for place in seats
    ]
    return sorted(lines, key=lambda x: (-x.score.points, -x.score.more, x.board, x.seat))
