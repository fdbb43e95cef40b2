"""When promises are looked at, and what comes of it.

After every move at every table of several people a moment is drawn at which its promises are looked
at, whether there are any or not and whoever is waited for; so neither the answer to a move nor the
time until the next one depends on a promise but in this: if one acts, it acts then. What it does
is written in one transaction with what has become of it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from random import SystemRandom
from typing import Any

from django.conf import settings
from django.db import transaction

from ...game import Game
from ...model.actions import Action, Redo, Undo, player_key
from ...model.events import AuctionWon
from ...promises import Act, Agree, BidUpTo, Held, Stopped, answer, decode, encode, keep
from .. import clock
from ..archive import read_action
from ..deals import bargaining
from ..deals.models import Deal
from ..models import Place, Table
from ..prepared import Prepared
from ..pulse import each
from ..statements import Update
from ..tables import Refused, open_game
from ..tables.acting import carry_out
from .models import Due, Standing

log = logging.getLogger(__name__)

_luck = SystemRandom()


def after_move(table: Table, action: Any = None, game: Game | None = None, **more: Any) -> None:
    """A table has a new version: what was taken back ends the promises that did it, and a moment is
    drawn to look at all."""
    if table.hotseat or table.status != Table.Status.RUNNING:
        for due in _DUE.all(table.pk):
            due.delete()
        return
    if isinstance(action, Undo | Redo) and game is not None:
        _end_undone(table, game)
    look_soon(table)


def look_soon(table: Table) -> None:
    """Draw the moment at which a table's promises are looked at next."""
    low, high = settings.PROMISES_WAIT
    due = Due(table=table, at=clock.now() + timedelta(seconds=_luck.uniform(low, high)))
    if not _DRAWN.save(due):
        due.save()


_DUE = Prepared(lambda table: Due.objects.filter(table=table), int)
_DRAWN = Update(Due, "at", by="table")


def after_reseating(place: Place, table: Table, **more: Any) -> None:
    """Another person makes his own promises; who is away for a while finds his again."""
    standing = place.promises.filter(state=Standing.State.STANDING)
    if place.user is None or _of_somebody_else(place):
        standing.update(state=Standing.State.WITHDRAWN, why="The seat has changed hands.")
        place.promises.update(text="", body="{}", why="", seen=True)
    look_soon(table)


def _of_somebody_else(place: Place) -> bool:
    """Whether the person who sits there now is not who sat there before, bots aside."""
    rows = place.sittings.filter(partner=False).order_by("-after", "-pk")
    people = [row.user_id for row in rows if row.user_id is not None]
    return len(people) > 1 and people[0] != people[1]


def _end_undone(table: Table, game: Game) -> None:
    """Whatever of a promise was taken back: it has ended, and nothing makes it stand again."""
    counting = {entry.action.id for entry in game.history}
    for row in _standing(table):
        if not counting.issuperset(row.acts):
            _end(row, Standing.State.STOPPED, "What it did was taken back.")
        elif _settled(row, game, counting):
            _end(row, Standing.State.STOPPED, "The auction it was for was taken back.")


def _settled(row: Standing, game: Game, counting: set[int | None]) -> bool:
    """Whether a sealed bid was for an auction that had ended and was taken back."""
    promise = decode(row.body)
    if not isinstance(promise, BidUpTo):
        return False
    gone = (e for e in game.log if e.action.id not in counting and (e.action.id or 0) > row.since)
    won = (e for entry in gone for e in entry.events if isinstance(e, AuctionWon))
    return any(promise.item in (None, event.item) for event in won)


def _standing(table: Table) -> list[Standing]:
    return _STANDING.all(table.pk)


_STANDING = Prepared(
    lambda table: (
        Standing.objects.filter(place__table=table, state=Standing.State.STANDING)
        .select_related("place__user")
        .order_by("place__number", "number")
    ),
    int,
)


# looking


def keep_due() -> int:
    """Look at the promises of all tables whose moment has come; how many tables there were."""
    due = list(Due.objects.filter(at__lte=clock.now()).values_list("table", flat=True)[:50])
    return len(each(due, keep_table))


def keep_table(table_id: int) -> bool:
    """Look at the promises of a table now: those that are over end, and one may act, after which
    another moment is drawn. Whether one has acted."""
    with transaction.atomic():
        table = Table.objects.select_for_update().filter(pk=table_id).first()
        taken, _ = Due.objects.filter(table=table_id, at__lte=clock.now()).delete()
        if table is None or not taken or table.status != Table.Status.RUNNING:
            return False
        return _look(table)


def _look(table: Table) -> bool:
    try:
        game = open_game(table).game
    except Refused:  # the game is held; the host decides
        return False
    if _answered(table, game):
        return True
    return any(_kept(table, game, row) for row in _standing(table))


def after_question(table: Table, **more: Any) -> None:
    """Somebody was asked for his word: he may have said beforehand what it is."""
    if not table.hotseat and table.status == Table.Status.RUNNING:
        look_soon(table)


def _answered(table: Table, game: Game) -> bool:
    """Whether a promise has answered what its owner is asked, at once or as an offer."""
    return any(_answers(table, game, row) for row in _standing(table) if not row.place.bot)


def _answers(table: Table, game: Game, row: Standing) -> bool:
    promise = decode(row.body)
    if not isinstance(promise, Agree) or row.place.user is None:
        return False
    for action, reply in _asked(table, row.place):
        said = answer(promise, game, action)
        if said is None:
            continue
        reply(said)
        row.why = f"{'Agreed' if said else 'Said no'}, as you said."
        row.seen, row.changed = False, clock.now()
        row.save()
        return True
    return False


def _asked(table: Table, place: Place) -> list[tuple[Action, Callable[[bool], object]]]:
    """What a seat is asked, and how it answers."""
    return [
        (read_action(deal.action), partial(_on_deal, table, place.user, deal.number))
        for deal in Deal.objects.filter(table=table, state=Deal.State.OPEN)
        if place.number in deal.waiting
    ]


def _on_deal(table: Table, user: Any, number: int, yes: bool) -> None:
    (bargaining.accept if yes else bargaining.decline)(table.pk, user, number)


def _kept(table: Table, game: Game, row: Standing) -> bool:
    """Whether a promise has acted."""
    if row.place.bot or row.place.user is None:
        return False
    try:
        verdict = keep(held(row), game)
    except Exception:
        log.exception("A promise at table %s fails.", table.pk)
        _end(row, Standing.State.STOPPED, "It fails by a fault of the program.")
        return False
    if isinstance(verdict, Stopped):
        _end(row, Standing.State.STOPPED, verdict.why)
    return isinstance(verdict, Act) and _act(table, game, row, verdict)


def _act(table: Table, game: Game, row: Standing, verdict: Act) -> bool:
    try:
        with transaction.atomic():
            carry_out(table, game.copy(), row.place.user, verdict.action)
            _note(row, _last_id(table), verdict)
    except Refused as fault:
        _end(row, Standing.State.STOPPED, fault.sentence)
        return False
    return True


def _last_id(table: Table) -> int:
    """The id of the action that was written last."""
    last = table.moves.order_by("-number").values_list("action", flat=True)[0]
    return read_action(last).id or 0


def _note(row: Standing, action_id: int, verdict: Act) -> None:
    row.acts = [*row.acts, action_id]
    row.why, row.seen, row.changed = verdict.why, False, clock.now()
    if verdict.then is None:
        row.state = Standing.State.KEPT
    else:
        row.body = encode(verdict.then)
    row.save()


def _end(row: Standing, state: str, why: str) -> None:
    row.state, row.why, row.seen, row.changed = state, why, False, clock.now()
    row.save()


def held(row: Standing) -> Held:
    """The promise of a row."""
    return Held(decode(row.body), player_key(row.place.key), row.since, row.round)
