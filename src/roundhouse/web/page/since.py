"""What happened since somebody last had his turn; the map's and the log's marks both ask here."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice

from ...deciding import decides, waited_for
from ...game import Game
from ...model.actions import Action, Log, Message
from ...model.events import Event


def since_turn(game: Game, mine: Collection[str]) -> int:
    """Id of the last action of the viewer's last turn: everything after it is new to him.

    ``mine``: the players he acts for. Who acts for several (all at one screen) sees with the eyes
    of those who are waited for. While it is his turn, the actions of this turn do not count. A
    viewer without seat or earlier turn has seen everything but the last action.
    """
    eyes = _eyes(game, mine)
    running = bool(eyes & waited_for(game))
    leads: dict[str, bool] = {}
    for action in _moves_back(game) if eyes else ():
        actor = action.actor
        if actor not in leads:
            leads[actor] = _his(game, actor, eyes)
        if leads[actor] and not running:
            return action.id or 0
        running = running and leads[actor]
    last = [a.id or 0 for a in islice(_moves_back(game), 2)]
    return last[1] if len(last) > 1 else 0


def events_since(game: Game, action_id: int) -> Iterator[Event]:
    """What happened after an action, in order, as far as it still counts."""
    entries = game.history
    first = len(entries)
    while first and (entries[first - 1].action.id or 0) > action_id:
        first -= 1
    for entry in entries[first:]:
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


def _moves_back(game: Game) -> Iterator[Action]:
    """The moves of a game, the last one first: most who ask look a few back."""
    actions = (e.action for e in reversed(game.history))
    return (a for a in actions if not isinstance(a, Message | Log))


def _eyes(game: Game, mine: Collection[str]) -> frozenset[str]:
    """Of the viewer's players those who are waited for, if any of several is."""
    players = frozenset(mine)
    return (players & waited_for(game)) or players if len(players) > 1 else players


def _his(game: Game, actor: str, eyes: frozenset[str]) -> bool:
    """Whether what somebody sent is of these players: for one himself or a company he leads now."""
    return actor in eyes or (actor not in game.state.players and bool(eyes & decides(game, actor)))
