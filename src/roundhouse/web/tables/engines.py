"""Engines of the house: programs the host lets play at the server's tables.

Only the host names them (``ROUNDHOUSE_ENGINES``, ``roundhouse serve --engine``); nobody else can
have a command carried out. A process that plays for bots keeps one conversation with each engine,
which goes from table to table. Whatever an engine does wrong, it is ended and
:class:`~roundhouse.engines.EngineFault` tells what it was; the next table starts it anew.
"""

from __future__ import annotations

import atexit
import threading
from collections.abc import Sequence
from random import Random

from django.conf import settings

from ...bots import Decision, Player
from ...engines import Engine, EnginePlayer
from ...engines.messages import Limits
from ...game import Game
from ...model.actions import Action
from ...model.choices import Choice

_speaking = threading.Lock()
_engines: dict[str, Engine] = {}


class Hired(Player):
    """Plays what an engine of the house says. What a deal is worth is reckoned by a player of ours,
    as engines need not know about deals."""

    def __init__(self, name: str, reckoner: Player) -> None:
        super().__init__(reckoner.seed)
        self.name, self.reckoner = name, reckoner

    def decide(self, game: Game, choices: Sequence[Choice], rng: Random) -> Decision:
        with _speaking:
            try:
                return EnginePlayer(_engine(self.name), limits=_limits()).decide(game, choices, rng)
            except BaseException:
                _end(self.name)
                raise

    def gain(self, game: Game, action: Action, who: str) -> float:
        return self.reckoner.gain(game, action, who)


def _limits() -> Limits:
    return Limits(ms=round(1000 * settings.ENGINE_SECONDS))


def _engine(name: str) -> Engine:
    found = _engines.get(name)
    if found is None:
        if not _engines:
            atexit.register(end_all)
        command = settings.ENGINES[name]
        found = _engines[name] = Engine(command, patience=settings.ENGINE_SECONDS)
    return found


def _end(name: str) -> None:
    found = _engines.pop(name, None)
    if found is not None:
        found.close(at_once=True)


def end_all() -> None:
    """End all engines this process has started."""
    with _speaking:
        for name in list(_engines):
            _end(name)
