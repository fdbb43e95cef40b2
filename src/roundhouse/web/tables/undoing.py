"""Taking back: how far it reaches, and what the table's policy says to it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
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
        done = "Only bots have acted so far." if entries else "Nothing has been done yet."
        raise Forbidden(done, "policy")
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
    entries = _moves(game)
    back = _taken_back(entries, action)
    by = _movers(table, game, user, back)
    if _crosses_an_auction(table, game, user, entries, len(back), by):
        return others(table, user)
    if table.undo == Table.Undo.FREE:
        return []
    turn = 0 if isinstance(action, Redo) else len(_last_turn(entries, by, user))
    own = 0 < len(back) <= turn or (isinstance(action, Redo) and _was_last(game, user, by))
    if own and table.undo == Table.Undo.OWN:
        return []
    if len(back) <= turn and _leads_to_a_no(table, user, action, back, by):
        return []
    return others(table, user)


def _crosses_an_auction(
    table: Table, game: Game, user: Any, entries: Sequence[Entry], back: int, by: _Movers
) -> bool:
    """Whether it takes back what somebody else did in an auction, or his winning it: by going
    back and forth one could find out how far he would have gone. It is so whether he bid himself
    or had promised to, or asking would tell which. Bots promise nothing."""
    people = {player_key(p.key) for p in others(table, user)}
    return any(
        _won_by(people, entries[n])
        or (by.get(entries[n]) not in (None, user.pk) and _in_an_auction(game, entries, n))
        for n in range(len(entries) - back, len(entries))
    )


def _won_by(people: Collection[str], entry: Entry) -> bool:
    return any(isinstance(e, AuctionWon) and e.who in people for e in entry.events)


def _in_an_auction(game: Game, entries: Sequence[Entry], number: int) -> bool:
    before = entries[number - 1].state if number else game.start
    if isinstance(entries[number].action, Bid):
        return True
    step = game.rules.play(before).waiting(before)
    return isinstance(entries[number].action, Pass) and step is not None and Bid in step.takes


def _was_last(game: Game, user: Any, by: _Movers) -> bool:
    """Whether the user has sent what was sent last: what he takes back he may restore."""
    last = next((e for e in reversed(game.log) if not isinstance(e.action, Message)), None)
    return last is not None and by.get(last) == user.pk


def _leads_to_a_no(
    table: Table, user: Any, action: Undo | Redo, back: Sequence[Entry], by: _Movers
) -> bool:
    """Somebody's no may leave a player with nothing else to do than to go back: the one choice of
    his that led to the question may be taken back, and nothing before it."""
    question = question_of(table)
    if question is None or question.open or question.by_id != user.pk:
        return False
    asked_for = read_action(question.action)
    if isinstance(action, Redo) or isinstance(asked_for, Undo | Redo | EndGame):
        return False
    return sum(1 for e in back if by.get(e) == user.pk) == 1


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


def _taken_back(entries: Sequence[Entry], action: Undo | Redo) -> Sequence[Entry]:
    """What would be taken back; ids only rise."""
    if isinstance(action, Redo):
        return ()
    if action.action_id is None:
        return entries[-1:]
    return entries[bisect_right(entries, action.action_id, key=_number) :]


def _number(entry: Entry) -> int:
    return entry.action.id or 0


def _moves(game: Game) -> list[Entry]:
    """What counts, without messages."""
    return [e for e in game.history if not isinstance(e.action, Message)]


def _movers(table: Table, game: Game, user: Any, back: Sequence[Entry] = ()) -> _Movers:
    """Who sent each of the last entries of the log, and all that is taken ``back``; None: a bot,
    or somebody who has left. What a user's partner sent counts as his."""
    since = table.version - 200
    if back:
        since = min(since, bisect_left(game.log, _number(back[0]), key=_number))
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
