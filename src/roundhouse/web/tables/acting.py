"""Actions: everything that changes a game comes through :func:`submit`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from django.db import transaction

from ...game import Game
from ...model.actions import Action, Message, Program, Redo, Undo, player_key
from ...model.errors import IllegalAction
from ...sentences.buttons import doing
from .. import archive
from ..attached import attach_absent
from ..live import announce
from ..models import Move, Place, Table
from ..prepared import Prepared, put
from ..statements import Insert, Update
from . import bots, consent, happenings, rights, times, undoing
from .cache import open_game, open_games
from .faults import NotBegun, Refused, Stale
from .log import Opened, move_of, snapshot_of
from .rights import check_seat
from .sent import action_of
from .summary import SUMMARY, summarise

replace = msgspec.structs.replace


def submit(
    table_id: int,
    user: Any,
    action: Action | Mapping[str, Any],
    version: int | None,
    *,
    agreed: bool = False,
    admit: Callable[[Table], None] | None = None,
) -> Table:
    """Carry out an action for a user who has seen ``version`` (None: whatever it is), or first ask
    those who have a say in it. ``agreed``: all at one screen have said yes already. ``admit``
    raises what it likes if the user is not to know the table.

    Raises :class:`Stale`, :class:`Forbidden` or :class:`Refused`; nothing has happened then.
    """
    typed = action_of(action)
    with transaction.atomic():
        table = _locked(table_id)
        if admit is not None:
            admit(table)
        _check_fresh(table, typed, version)
        game = open_game(table).game.copy()
        typed = _bare(table, game, typed)
        if isinstance(typed, Message):
            check_seat(table, game, user, typed)
            return _said(table, user, typed)
        if isinstance(typed, Program) and not table.hotseat:
            return _promised(table, user, typed)
        following = consent.announced(game, typed)
        for one in (typed, *(typed.auto_actions or ())):
            if one not in following:
                check_seat(table, game, user, one)
        consent.check_announced(table, game, user, typed)
        if isinstance(typed, Undo | Redo):
            undoing.check_own(table, game, typed)
            typed = undoing.reaching(table, game, typed)
        asked = consent.asked(table, game, user, typed)
        if asked and not (agreed and table.hotseat):
            _check_legal(game, typed)
            return consent.ask(table, user, typed, asked)
        return carry_out(table, game, user, typed)


def _locked(table_id: int) -> Table:
    """A table, its row locked, with who sits there; an action changes nothing of that."""
    table = _TABLE.first(table_id)
    if table is None:
        raise Table.DoesNotExist(f"There is no table {table_id}.")
    put(table, "places", _PLACES.all(table_id))
    attach_absent(table)
    return table


_TABLE = Prepared(lambda pk: Table.objects.select_for_update().filter(pk=pk), int)
_PLACES = Prepared(
    lambda table: Place.objects.filter(table=table).select_related("user", "partner", "deputy"), int
)


def _promised(table: Table, user: Any, program: Program) -> Table:
    """A program is its owner's own affair, and no part of the game others see."""
    from ..promises.managing import take_program  # it acts through this module

    take_program(table, user, program)
    return table


def _said(table: Table, user: Any, words: Message) -> Table:
    """What players say has lines and numbers of its own, beside the game."""
    from ..talk.saying import write  # it keeps them beside this app's rows

    place = next(p for p in table.all_places if player_key(p.key) == words.actor)
    write(table, user, words.message, place)
    return table


def answer(table_id: int, user: Any, yes: bool) -> Table:
    """Answer a question; with the last yes what was asked for happens.

    Raises :class:`Refused` or :class:`Forbidden`.
    """
    with transaction.atomic():
        table = _locked(table_id)
        question = consent.answered(table, user, yes)
        if question is None:
            bots.take_no(table)
            return table
        game = open_game(table).game.copy()
        carry_out(table, game, question.by, archive.read_action(question.action))
        bots.wake_after(table)
        return table


def _bare(table: Table, game: Game, action: Action) -> Action:
    """Only who has all seats may say more than is needed: numbers, times, automatic actions."""
    if table.hotseat:
        return action
    following = consent.announced(game, action)
    return replace(
        action, id=None, user=None, created_at=None, original_id=None, auto_actions=following
    )


def _check_fresh(table: Table, action: Action, version: int | None) -> None:
    if table.status == Table.Status.OPEN:
        raise NotBegun
    if isinstance(action, Message) or version is None or version == table.version:
        return
    last = table.moves.last()
    who = last.user.get_username() if last and last.user else "somebody"
    kind = doing(archive.read_action(last.action)) if last else "act"
    raise Stale(
        f"The game has moved on: {who} was faster ({kind}). Look again and choose anew.", "stale"
    )


def _check_legal(game: Game, action: Action) -> None:
    fault = game.why_not(action)
    if fault is not None:
        raise Refused(fault.message, fault.code, fault.rule)


def carry_out(table: Table, game: Game, user: Any, action: Action) -> Table:
    """Apply an action to a copy of the game and write it down; the table's row is locked.

    ``user`` None: the server itself, for a bot. Raises :class:`Refused`.
    """
    known, before, waited = len(game.log), game.copy(), list(table.acting)
    following = consent.announced(game, action)
    try:
        game.apply(replace(action, auto_actions=()) if following else action)
        for one in following:
            game.apply(one)
    except IllegalAction as fault:
        raise Refused(fault.message, fault.code, fault.rule) from fault
    standing = rights.stead(table, before, user, action)
    added = range(known + 1, len(game.log) + 1)  # the game itself may have added some
    moves = [_write_down(table, game, number, user, standing) for number in added]
    table.version = len(game.log)
    settled = consent.lapse(table, action)
    summarise(table, game)
    _MOVED_ON.save(table)
    opened = Opened(table.version, game, table.seating)
    transaction.on_commit(lambda: open_games.put(table.pk, opened))
    transaction.on_commit(lambda: times.note(table, moves))
    if table.parent_id is None:
        happenings.moved.send(
            Table, table=table, game=game, user=user, action=action, before=waited
        )
    announce(table, nudge=settled)
    if user is not None:
        bots.wake_after(table)
    return table


def _write_down(table: Table, game: Game, number: int, user: Any, standing: str) -> Move:
    """An entry of the game's log as a row of the table's."""
    move = move_of(table, game, number, user=user, stead=standing)
    _MOVES.save(move)
    if number % archive.SPACING == 0:
        snapshot = snapshot_of(table, game, number)
        if snapshot is not None:
            snapshot.save()
    return move


_MOVES = Insert(Move)
_MOVED_ON = Update(Table, "version", *SUMMARY)
