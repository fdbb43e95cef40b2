"""Players by what they are called in a match."""

from __future__ import annotations

import shlex

from ..bots import Player, player
from ..engines import Engine, EnginePlayer

#: What comes before the command of an engine. An old version of Roundhouse is one: with its own
#: interpreter, ``engine:/old/.venv/bin/python -m roundhouse engine --bot thrifty``.
ENGINE = "engine:"
#: Who plays on for an engine that is given up.
INSTEAD = "thrifty"


def contestant(called: str, seed: int) -> Player:
    """A player: ``thrifty``, ``magnate:quick``, or ``engine:`` and a command.

    Raises :class:`ValueError` for a name that is unknown, :class:`EngineFault` for a program that
    cannot be started.
    """
    if called.startswith(ENGINE):
        command = shlex.split(called.removeprefix(ENGINE))
        if not command:
            raise ValueError("an engine needs a command, as in engine:program argument")
        return EnginePlayer(Engine(command), instead=player(INSTEAD, seed=seed))
    name, _, level = called.partition(":")
    return player(name, level, seed)
