"""Actions: everything that changes a game comes through :func:`submit`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from ...game import Game
from ...model.actions import Action, Message, Redo, Undo, decode_action
from ...model.errors import IllegalAction
from .. import archive
from ..live import announce
from ..models import Move, Snapshot, Table, UndoRequest
from .faults import Forbidden, Refused, Stale
from .rights import check_seat, my_places
from .shelf import Opened, open_game, shelf
from .summary import summarise


def submit(
    table_id: int, user: Any, action: Action | Mapping[str, Any], version: int | None
) -> Table:
    """Carry out an action for a user who has seen ``version`` (None: whatever it is).

    Raises :class:`Stale`, :class:`Forbidden` or :class:`Refused`; nothing has happened then.
    """
    typed = _typed(action)
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=table_id)
        _check_fresh(table, typed, version)
        game = open_game(table).game.copy()
        if isinstance(typed, Undo | Redo):
            if not check_undo(table, game, user, typed):
                return _wish(table, user, typed)
        else:
            check_seat(table, game, user, typed)
        return _carry_out(table, game, user, typed)


def _typed(action: Action | Mapping[str, Any]) -> Action:
    if isinstance(action, Action):
        return action
    try:
        return decode_action(dict(action))
    except (ValueError, TypeError, RecursionError) as error:
        raise Refused(f"This is no action: {error}", "malformed") from error


def _check_fresh(table: Table, action: Action, version: int | None) -> None:
    if table.status == Table.Status.OPEN:
        raise Refused("The game has not begun yet.", "not_begun")
    if isinstance(action, Message) or version is None or version == table.version:
        return
    last = table.moves.last()
    who = last.user.get_username() if last and last.user else "somebody"
    kind = archive.read_action(last.action).type.replace("_", " ") if last else "action"
    raise Stale(
        f"The game has moved on: {who} was faster ({kind}). Look again and choose anew.", "stale"
    )


def _carry_out(table: Table, game: Game, user: Any, action: Action) -> Table:
    try:
        game.apply(action)
    except IllegalAction as fault:
        raise Refused(fault.message, fault.code, fault.rule) from fault
    entry = game.log[-1]
    table.version += 1
    Move.objects.create(
        table=table,
        number=table.version,
        action=archive.write_action(entry.action),
        events=archive.write_events(entry.events),
        state_hash=archive.hash_state(entry.state),
        user=user,
    )
    if table.version % archive.SPACING == 0:
        _snapshot(table, game, table.version)
    if not isinstance(action, Message):
        UndoRequest.objects.filter(table=table).delete()
    summarise(table, game)
    table.save()
    opened = Opened(table.version, game)
    transaction.on_commit(lambda: shelf.put(table.pk, opened))
    announce(table.pk, table.version)
    return table


def _snapshot(table: Table, game: Game, number: int) -> None:
    raw = archive.keeps(game.rules, game.state)
    if raw is not None:
        Snapshot.objects.create(table=table, number=number, state=raw)


# taking back


def check_undo(table: Table, game: Game, user: Any, action: Undo | Redo) -> bool:
    """Whether the policy of the table lets a user take back at once; False: others must agree.

    Raises :class:`Forbidden`.
    """
    if not my_places(table, user):
        raise Forbidden("You have no seat at this table.", "no_seat")
    if table.hotseat or table.undo == Table.Undo.FREE:
        return True
    if table.undo == Table.Undo.OWN:
        if isinstance(action, Undo) and action.action_id is not None:
            raise Forbidden("At this table only the last action may be taken back.", "policy")
        last = next((m for m in table.moves.reverse() if '"message"' not in m.action[:20]), None)
        if last is None or last.user_id != user.pk:
            raise Forbidden("You may only take back what you did yourself, last.", "policy")
        return True
    others = table.places.exclude(user=user).exclude(user=None)
    return not others.exists()


def _wish(table: Table, user: Any, action: Action) -> Table:
    place = my_places(table, user)[0]
    UndoRequest.objects.filter(table=table).delete()
    UndoRequest.objects.create(
        table=table, by=user, place=place, action=archive.write_action(action)
    )
    announce(table.pk, table.version, nudge=True)
    return table


def agree(table_id: int, user: Any, yes: bool) -> Table:
    """Answer a wish to take back; the last one to agree lets it happen."""
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=table_id)
        wish = UndoRequest.objects.filter(table=table).first()
        if wish is None:
            raise Refused("There is nothing to agree to any more.", "gone")
        if not my_places(table, user):
            raise Forbidden("You have no seat at this table.", "no_seat")
        if not yes:
            wish.delete()
            announce(table.pk, table.version, nudge=True)
            return table
        wish.agreed.add(user)
        asked = set(table.places.exclude(user=None).values_list("user", flat=True)) - {wish.by_id}
        if asked <= set(wish.agreed.values_list("pk", flat=True)):
            game = open_game(table).game.copy()
            return _carry_out(table, game, wish.by, archive.read_action(wish.action))
        announce(table.pk, table.version, nudge=True)
        return table
