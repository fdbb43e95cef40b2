"""Making, withdrawing and listing promises. Nobody but who sits on the seat hears of it: nothing of
the table changes, and nobody is told."""

from __future__ import annotations

from typing import Any

import msgspec
from django.db import transaction
from django.db.models import Max

from ...game import Game
from ...model.actions import AnyAction, Program, ProgramDisable, player_key
from ...model.errors import IllegalAction
from ...promises import (
    AnyPromise,
    Situation,
    as_last,
    decode,
    encode,
    from_program,
    hold,
    next_turn,
    plan_of,
    to_program,
    told,
)
from .. import clock
from ..models import Place, Table
from ..prepared import Prepared
from ..tables import Forbidden, Refused, open_game
from .keeping import look_soon
from .models import Standing

#: Promises a seat may have standing at once, and how long one may be.
MOST, LONGEST = 30, 20_000


def seat_of(table: Table, user: Any) -> Place:
    """The seat whose promises a user makes: his own, or his partner's. Raises
    :class:`Forbidden`."""
    if table.hotseat:
        raise Refused("At one screen nothing needs to be promised.", "hotseat")
    for place in table.all_places:
        if user.pk in (place.user_id, place.partner_id):
            return place
    raise Forbidden("You have no seat at this table.", "no_seat")


@transaction.atomic
def make(table_id: int, user: Any, promise: AnyPromise) -> Standing:
    """Let a promise stand from now on. Raises :class:`Refused` or :class:`Forbidden`."""
    table = Table.objects.select_for_update().get(pk=table_id)
    place = seat_of(table, user)
    if table.status != Table.Status.RUNNING:
        raise Refused("The game is not running; nothing can be promised in it.", "not_running")
    body = encode(promise)
    if len(body) > LONGEST:
        raise Refused("The promise is too long.", "malformed")
    if place.promises.filter(state=Standing.State.STANDING).count() >= MOST:
        raise Refused(f"No more than {MOST} promises stand at once; withdraw one first.", "full")
    game = open_game(table).game
    made = hold(promise, game, player_key(place.key))
    last = place.promises.aggregate(last=Max("number"))["last"] or 0
    row = Standing.objects.create(
        place=place, number=last + 1, body=body, since=made.since, round=made.round,
        text=told(promise, game),
    )  # fmt: skip
    look_soon(table)
    return row


def make_from_json(table_id: int, user: Any, raw: str) -> Standing:
    """The same from JSON. To run as last time and to plan a turn need no more than the company, or
    the actions: what they rest on is noted here."""
    try:
        said = msgspec.json.decode(raw, type=_Said)
        if said.kind == "run":
            return run_as_last(table_id, user, said.company, rest=said.rest)
        if said.kind == "plan":
            return plan_turn(table_id, user, said.actions)
        return make(table_id, user, decode(raw))
    except (msgspec.DecodeError, RecursionError) as error:
        raise Refused(f"This is no promise: {error}", "malformed") from error


class _Said(msgspec.Struct):
    """What is said of a promise before it is known what it rests on."""

    kind: str
    company: str = ""
    rest: bool = False
    actions: tuple[AnyAction, ...] = ()


def run_as_last(table_id: int, user: Any, company: str, *, rest: bool = False) -> Standing:
    """Promise that a company runs and pays as in its last turn."""
    table = Table.objects.get(pk=table_id)
    at = Situation(open_game(table).game, player_key(seat_of(table, user).key))
    promise = as_last(at, company, rest=rest)
    if promise is None:
        raise Refused(f"{company} has not run yet, or is not yours to lead.", "not_run")
    return make(table_id, user, promise)


def plan_turn(table_id: int, user: Any, actions: tuple[Any, ...]) -> Standing:
    """Promise a whole turn, tried out on what would be one's next turn if nobody did more than he
    has to until then."""
    table = Table.objects.get(pk=table_id)
    owner = player_key(seat_of(table, user).key)
    ahead = ahead_of(table, owner)
    try:
        plan = plan_of(actions, Situation(ahead, owner))
    except IllegalAction as fault:
        raise Refused(fault.message, fault.code, fault.rule) from fault
    return make(table_id, user, plan)


def ahead_of(table: Table, owner: str) -> Game:
    """The game as it would be at a player's next turn. Raises :class:`Refused`."""
    ahead = next_turn(open_game(table).game, owner)
    if ahead is None:
        raise Refused("Your next turn is too far off to be planned.", "too_far")
    return ahead


def withdraw(table_id: int, user: Any, number: int) -> None:
    """Take a promise back, or forget one that is over."""
    place = seat_of(Table.objects.get(pk=table_id), user)
    mine = place.promises.filter(number=number)
    standing = mine.filter(state=Standing.State.STANDING)
    if not mine.exists():
        raise Refused("There is no such promise.", "gone")
    standing.update(state=Standing.State.WITHDRAWN, seen=True, changed=clock.now())
    mine.update(seen=True)


def listed(table: Table, user: Any) -> list[Standing]:
    """A seat's promises that stand, and those that ended or acted and were not dismissed yet."""
    try:
        place = seat_of(table, user)
    except Refused:
        return []
    return [r for r in _LISTED.all(place.pk) if r.state == Standing.State.STANDING or not r.seen]


_LISTED = Prepared(
    lambda place: Standing.objects.filter(place=place).exclude(state=Standing.State.WITHDRAWN), int
)


# the file format's programs


def take_program(table: Table, user: Any, action: Program) -> None:
    """What other programs send as ``program_*`` stands as a promise, and nowhere in the log."""
    place = seat_of(table, user)
    if place.key != action.entity:
        raise Forbidden("This is not for you to decide.", "not_yours")
    game = open_game(table).game
    if isinstance(action, ProgramDisable):
        _disable(place, game, action.original_type)
        return
    promise = from_program(action, game)
    if promise is None:
        raise Refused("There is nothing to promise in this.", "malformed")
    make(table.pk, user, promise)


def _disable(place: Place, game: Game, kind: str | None) -> None:
    for row in place.promises.filter(state=Standing.State.STANDING):
        program = to_program(decode(row.body), game, player_key(place.key))
        if program is not None and kind in (None, program.type):
            row.state, row.seen = Standing.State.WITHDRAWN, True
            row.save()


def programs(table: Table, user: Any) -> list[Program]:
    """A seat's standing promises as the file format has them, as far as it knows them."""
    place, game = seat_of(table, user), open_game(table).game
    rows = place.promises.filter(state=Standing.State.STANDING)
    found = (to_program(decode(r.body), game, player_key(place.key)) for r in rows)
    return [program for program in found if program is not None]
