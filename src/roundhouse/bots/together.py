"""Players at one table: who decides now, and on what."""

from __future__ import annotations

from collections.abc import Mapping

from ..dealing import Dealers
from ..deciding import decides
from ..game import Game
from .decision import Decision
from .players import Player


def waited(game: Game, players: Mapping[str, Player]) -> str | None:
    """The key of the first of some players a game waits for."""
    return next((k for a in game.acting for k in sorted(decides(game, a)) if k in players), None)


def decide(game: Game, players: Mapping[str, Player], *, asking: bool = False) -> Decision | None:
    """What the first of some players who is waited for does; None if only others can go on.
    ``players``: by key. ``asking``: it may be something others have to be asked about."""
    who = waited(game, players)
    choices = [c for c in game.choices() if players.keys() & decides(game, c.actor)]
    if who is None or not choices:
        return None
    own = [c for c in choices if who in decides(game, c.actor)]
    allowed = Dealers(players, proposing=asking).open(game, own or choices)
    return players[who].choose(game, allowed)
