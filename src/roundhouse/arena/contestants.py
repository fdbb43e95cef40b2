"""Players by what they are called in a match."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from random import Random

from ..bots import LEVELS, Decision, Magnate, Player, player
from ..engines import Engine, EngineFault, EnginePlayer
from ..game import Game
from ..model.actions import Action
from ..model.choices import Choice
from ..model.errors import UnknownName

#: What comes before the command of an engine. An old version of Roundhouse is one: with its own
#: interpreter, ``engine:/old/.venv/bin/python -m roundhouse engine --bot thrifty``.
ENGINE = "engine:"
#: Who plays on for an engine that is given up.
INSTEAD = "thrifty"


class Absent(Player):
    """Plays for an engine that could not be started, which has forfeited by that."""

    def __init__(self, fault: EngineFault, instead: Player) -> None:
        super().__init__(instead.seed)
        self.fault, self.instead = fault, instead

    def decide(self, game: Game, choices: Sequence[Choice], rng: Random) -> Decision:
        return self.instead.decide(game, choices, rng)

    def gain(self, game: Game, action: Action, who: str) -> float:
        return self.instead.gain(game, action, who)


def contestant(called: str, seed: int) -> Player:
    """A player: ``thrifty``, ``magnate:quick`` or only ``quick``, or ``engine:`` and a command. An
    engine that cannot be started is :class:`Absent`.

    Raises :class:`ValueError` for a name that is unknown.
    """
    if not called.startswith(ENGINE):
        return _ours(called, seed)
    instead = player(INSTEAD, seed=seed)
    try:
        return EnginePlayer(Engine(_command(called)), instead=instead)
    except EngineFault as fault:
        return Absent(fault, instead)


def check(called: str) -> None:
    """Raises :class:`ValueError` for a player there is not, :class:`EngineFault` for an engine that
    cannot be started."""
    if called.startswith(ENGINE):
        Engine(_command(called)).close()
    else:
        _ours(called, 0)


def _ours(called: str, seed: int) -> Player:
    name, _, level = called.partition(":")
    if name in LEVELS and not level:
        name, level = Magnate.name, name
    try:
        return player(name, level, seed)
    except UnknownName as error:
        levels = ", ".join(f"{Magnate.name}:{known}" for known in LEVELS)
        raise UnknownName(f"{error}; with levels: {levels}; programs: engine:COMMAND") from error


def _command(called: str) -> list[str]:
    command = shlex.split(called.removeprefix(ENGINE))
    if not command:
        raise ValueError("an engine needs a command, as in engine:program argument")
    return command
