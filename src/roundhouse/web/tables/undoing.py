"""Taking back: how far it reaches, and what the table's policy says to it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from ...game import Game
from ...history import Entry
from ...model.actions import Action, Bid, EndGame, Message, Pass, Redo, Undo, player_key
from ...model.events import AuctionWon
from ..archive import read_action
from ..deals.models import question_of
from ..models import Move, Place, Table
from ..prepared import Prepared
from .faults import Forbidden
from .rights import others, team_of

replace = msgspec.structs.replace

#: Who sent each of some entries; None: a bot, or somebody who has left.
_Movers: TypeAlias = Mapping[Entry, int | None]


def reaching(table: Table, game: Game, action: Undo | Redo) -> Action:
    """The action meant: at a table with bots a step back leads to before somebody's last action,
    as they would only repeat theirs."""
    if isinstance(action, Redo) or action.action_id is not None or not _bots(table):
        return action
    entries = _moves(game)
    by = _movers(table, game, None)
    last = next((n for n in reversed(range(len(entries))) if by.get(entries[n])), None)
    if last is None:
        raise Forbidden("Only bots have acted so far.", "policy")
    return replace(action, action_id=entries[last - 1].action.id if last else 0)


def check_own(table: Table, game: Game, action: Undo | Redo) -> None:
    """Raise :class:`Forbidden` if a branch would take back what is its game's."""
    if table.parent_id is None or isinstance(action, Redo):
        return
    first = table.moves.values_list("number", flat=True).first()
    base = len(game.log) if first is None else first - 1
    begun = (game.log[base - 1].action.id or 0) if base else 0
    back = _taken_back(_moves(game), action)
    if not back or (back[0].action.id or 0) <= begun:
        raise Forbidden("The branch begins here: what came before is the game’s.", "policy")


def asked(table: Table, game: Game, user: Any, action: Undo | Redo) -> list[Place]:
    """The places to ask before something is taken back or restored; none: it is done at once."""
    if table.hotseat:
        return []
    by = _movers(table, game, user, action)
    if _crosses_an_auction(table, game, user, action, by):
        return others(table, user)
    if table.undo == Table.Undo.FREE:
        return []
    if table.undo == Table.Undo.OWN and _is_own(game, user, action, by):
        return []
    if _leads_to_a_no(table, game, user, action, by):
        return []
    return others(table, user)


def _crosses_an_auction(
    table: Table, game: Game, user: Any, action: Undo | Redo, by: _Movers
) -> bool:
    """Whether an undo takes back what somebody else did in an auction, or his winning it: by going
    back and forth one could find out how far he would have gone. It is so whether he bid himself
    or had promised to, or asking would tell which. Bots promise nothing."""
    if isinstance(action, Redo):
        return False
    entries = _moves(game)
    people = {player_key(p.key) for p in others(table, user)}
    first = len(entries) - len(_taken_back(entries, action))
    return any(
        _won_by(people, entries[n])
        or (by.get(entries[n]) not in (None, user.pk) and _in_an_auction(game, entries, n))
        for n in range(first, len(entries))
    )


def _won_by(people: Collection[str], entry: Entry) -> bool:
    return any(isinstance(e, AuctionWon) and e.who in people for e in entry.events)


def _in_an_auction(game: Game, entries: Sequence[Entry], number: int) -> bool:
    before = entries[number - 1].state if number else game.start
    if isinstance(entries[number].action, Bid):
        return True
    step = game.rules.play(before).waiting(before)
    return isinstance(entries[number].action, Pass) and step is not None and Bid in step.takes


def _is_own(game: Game, user: Any, action: Undo | Redo, by: _Movers) -> bool:
    """Whether nothing is touched but what the user did since anybody else did something."""
    if isinstance(action, Redo):
        last = next((e for e in reversed(game.log) if not isinstance(e.action, Message)), None)
        return last is not None and by.get(last) == user.pk
    entries = _moves(game)
    back = len(_taken_back(entries, action))
    return 0 < back <= len(_last_turn(entries, by, user))


def _leads_to_a_no(table: Table, game: Game, user: Any, action: Undo | Redo, by: _Movers) -> bool:
    """Somebody's no may leave a player with nothing else to do than to go back: the one choice of
    his that led to the question may be taken back, and nothing before it."""
    question = question_of(table)
    if question is None or question.open or question.by_id != user.pk:
        return False
    asked_for = read_action(question.action)
    if isinstance(action, Redo) or isinstance(asked_for, Undo | Redo | EndGame):
        return False
    entries = _moves(game)
    back = len(_taken_back(entries, action))
    own = sum(1 for e in entries[len(entries) - back :] if by.get(e) == user.pk)
    return own == 1 and back <= len(_last_turn(entries, by, user))


def turn_start(table: Table, game: Game, user: Any) -> int | None:
    """The id of the action after which the user's last turn began (0: the start of the game), to
    take it back as a whole; None if he did nothing since somebody else did something."""
    entries = _moves(game)
    turn = _last_turn(entries, _movers(table, game, user), user)
    if not turn:
        return None
    before = len(entries) - len(turn)
    return (entries[before - 1].action.id or 0) if before else 0


def _last_turn(entries: Sequence[Entry], by: _Movers, user: Any) -> Sequence[Entry]:
    """What the user did without anybody else in between, and the answers of bots to it; nothing
    if somebody else has acted since."""
    first = len(entries)
    while first and by.get(entries[first - 1]) is None:
        first -= 1
    while first and by.get(entries[first - 1]) == user.pk:
        first -= 1
    turn = entries[first:]
    return turn if any(by.get(e) == user.pk for e in turn) else ()


def _taken_back(entries: Sequence[Entry], action: Undo) -> Sequence[Entry]:
    """What an undo would take back."""
    if action.action_id is None:
        return entries[-1:]
    return [e for e in entries if (e.action.id or 0) > action.action_id]


def _moves(game: Game) -> list[Entry]:
    """What counts, without messages."""
    return [e for e in game.history if not isinstance(e.action, Message)]


def _movers(table: Table, game: Game, user: Any, action: Undo | Redo | None = None) -> _Movers:
    """Who sent each of the last entries of the log, and all an ``action`` takes back; None: a bot,
    or somebody who has left. What a user's partner sent counts as his."""
    since = table.version - 200
    if isinstance(action, Undo) and (back := _taken_back(_moves(game), action)):
        first = back[0].action.id or 0
        since = min(since, bisect_left(game.log, first, key=lambda e: e.action.id or 0))
    rows = _SENT.all(table.pk, since)
    log, team = game.log, team_of(table, user) if user is not None else frozenset()
    return {
        log[number - 1]: user.pk if sender in team else sender
        for number, sender in rows
        if number <= len(log)
    }


_SENT = Prepared(
    lambda table, since: Move.objects.filter(table=table, number__gt=since).values_list(
        "number", "user"
    ),
    int,
    int,
)


def _bots(table: Table) -> bool:
    return any(p.bot for p in table.all_places)
