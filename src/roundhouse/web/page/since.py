"""What happened since somebody last had his turn; the map's and the log's marks both ask here."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ...game import Game
from ...history import Entry
from ...model.actions import Log, Message
from ...model.events import Event
from ..tables import decides


def since_turn(game: Game, mine: Collection[str]) -> int:
    """Id of the last action of the viewer's last turn: everything after it is new to him.

    ``mine``: the players he acts for. Who acts for several (all at one screen) sees with the eyes
    of those who are waited for. While it is his turn, the actions of this turn do not count. A
    viewer without seat or earlier turn has seen everything but the last action.
    """
    entries = _moves(game)
    eyes = _eyes(game, mine)
    if not entries or not eyes:
        return _before_last(entries)
    at = len(entries)
    if eyes & _waited(game):
        while at and _his(game, entries[at - 1], eyes):
            at -= 1
    while at and not _his(game, entries[at - 1], eyes):
        at -= 1
    return (entries[at - 1].action.id or 0) if at else _before_last(entries)


def events_since(game: Game, action_id: int) -> Iterator[Event]:
    """What happened after an action, in order, as far as it still counts."""
    for entry in game.history:
        if (entry.action.id or 0) > action_id:
            yield from entry.events


def prices_since(game: Game, action_id: int) -> dict[str, tuple[str, str]]:
    """Companies whose price is another one than after an action, with the cells it was and is in.
    Raises :class:`UnknownName` if there was no such action."""
    then, now = game.at(action_id).state.corporations, game.state.corporations
    return {
        c: (before, after)
        for c in then
        if c in now and (before := then[c].cell) and (after := now[c].cell) and before != after
    }


def _moves(game: Game) -> list[Entry]:
    return [e for e in game.history if not isinstance(e.action, Message | Log)]


def _before_last(entries: list[Entry]) -> int:
    return (entries[-2].action.id or 0) if len(entries) > 1 else 0


def _waited(game: Game) -> frozenset[str]:
    """The players who decide for those the game waits for."""
    found: frozenset[str] = frozenset()
    return found.union(*(decides(game, actor) for actor in game.acting))


def _eyes(game: Game, mine: Collection[str]) -> frozenset[str]:
    """Of the viewer's players those who are waited for, if any of several is."""
    players = frozenset(mine)
    return (players & _waited(game)) or players if len(players) > 1 else players


def _his(game: Game, entry: Entry, eyes: frozenset[str]) -> bool:
    """Whether one of these players sent an action, for himself or for a company he leads now."""
    actor = entry.action.actor
    return actor in eyes or (actor not in game.state.players and bool(eyes & decides(game, actor)))
