"""Taking back: how far it reaches, and what the table's policy says to it."""

from __future__ import annotations

from typing import Any

import msgspec

from ...game import Game
from ...history import Entry
from ...model.actions import Action, Message, Redo, Undo
from ..models import Move, Place, Table
from .faults import Forbidden

replace = msgspec.structs.replace


def reaching(table: Table, game: Game, action: Undo | Redo) -> Action:
    """The action meant: at a table with bots a step back leads to before somebody's last action,
    as they would only repeat theirs."""
    if isinstance(action, Redo) or action.action_id is not None or not _bots(table):
        return action
    entries = _moves(game)
    by = _movers(table, game)
    last = next((n for n in reversed(range(len(entries))) if by.get(entries[n])), None)
    if last is None:
        raise Forbidden("Only bots have acted so far.", "policy")
    return replace(action, action_id=entries[last - 1].action.id if last else 0)


def asked(table: Table, game: Game, user: Any, action: Undo | Redo) -> list[Place]:
    """The places to ask before something is taken back or restored; none: it may be done at once.

    Raises :class:`Forbidden`.
    """
    if table.hotseat or table.undo == Table.Undo.FREE or _after_a_no(table, user):
        return []
    if table.undo == Table.Undo.OWN:
        _check_own(table, game, user, action)
        return []
    return [p for p in table.places.all() if p.user_id not in (None, user.pk)]


def _after_a_no(table: Table, user: Any) -> bool:
    """Somebody's no may leave a player with nothing else to do than to go back."""
    question = getattr(table, "question", None)
    return question is not None and bool(question.refused) and question.by_id == user.pk


def _check_own(table: Table, game: Game, user: Any, action: Undo | Redo) -> None:
    """What is taken back must be the user's own, and bots' answers to it; what is restored, too."""
    by = _movers(table, game)
    if isinstance(action, Redo):
        last = next((e for e in reversed(game.log) if not isinstance(e.action, Message)), None)
        if last is not None and by.get(last) == user.pk:
            return
        raise Forbidden("You may only restore what you took back yourself, last.", "policy")
    entries = _moves(game)
    if action.action_id is None:
        concerned = entries[-1:]
    else:
        concerned = [e for e in entries if (e.action.id or 0) > action.action_id]
    own = sum(1 for e in concerned if by.get(e) == user.pk)
    others = sum(1 for e in concerned if by.get(e) not in (None, user.pk))
    if own != 1 or others:
        raise Forbidden("You may only take back what you did yourself, last.", "policy")


def _moves(game: Game) -> list[Entry]:
    """What counts, without messages."""
    return [e for e in game.history if not isinstance(e.action, Message)]


def _movers(table: Table, game: Game) -> dict[Entry, int | None]:
    """Who sent each of the last entries of the log; None: a bot, or somebody who has left."""
    since = table.version - 200
    rows = Move.objects.filter(table=table, number__gt=since).values_list("number", "user")
    log = game.log
    return {log[number - 1]: user for number, user in rows if number <= len(log)}


def _bots(table: Table) -> bool:
    return any(p.bot for p in table.places.all())
