"""Games as bytes, to be kept for a while or sent to another process of the same release.

What is packed is the log and the present state; a game unpacked makes any other state when somebody
looks at it. Files for good are those of :meth:`roundhouse.Game.save`.
"""

from __future__ import annotations

import pickle
import zlib
from typing import TYPE_CHECKING

from .history import Stored
from .rounds.rules import Seat
from .titles.title import find_title

if TYPE_CHECKING:
    from .game import Game


def pack(game: Game) -> bytes:
    """A game as a few kilobytes for a hundred actions."""
    terms = {
        "seed": game.seed,
        "options": game.options,
        "id": game.id,
        "description": game.description,
        "revision": game.revision,
    }
    log = [(e.action, e.events) for e in game.log]
    seats = [(p.id, p.name) for p in game.seats]
    parts = (game.title.id, seats, terms, log, game.state, game.findings)
    return zlib.compress(pickle.dumps(parts, pickle.HIGHEST_PROTOCOL), 6)


def unpack(raw: bytes) -> Game:
    """The game again. Raises :class:`roundhouse.OptionError` where its title is not known."""
    from .game import Game

    title, seats, terms, log, state, findings = pickle.loads(zlib.decompress(raw))
    game = Game(find_title(title), [Seat(*seat) for seat in seats], **terms)
    kept = [Stored(action, events, recorded=True) for action, events in log]
    if kept:
        kept[-1] = kept[-1]._replace(snapshot=lambda: state)
    game.resume(kept)
    game._findings = list(findings)
    return game
