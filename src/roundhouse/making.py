"""Making games: new ones, and those of a game file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from . import gamefile
from .game import Game
from .line import counting
from .model.actions import player_key
from .model.errors import GameFileError, IllegalAction, OptionError
from .model.rng import seed_from
from .rounds.rules import Seat
from .titles.title import find_title


def new(
    title: str,
    players: Sequence[str | tuple[int | str, str] | Mapping[str, Any]],
    *,
    seed: int | None = None,
    options: Iterable[str] = (),
    id: int | str | None = None,
    description: str = "",
) -> Game:
    """A new game. ``players`` in seating order: names (ids count from 1), or (id, name) pairs.

    ``options`` are ids of options and presets. Raises :class:`OptionError` for an unknown title or
    option, excluding options, a wrong number of players or names that are not distinct.
    """
    found = find_title(title)
    seats = [_seat(p, n) for n, p in enumerate(players, start=1)]
    _check_seats(seats)
    chosen = found.select(options)
    number = int.from_bytes(os.urandom(4)) >> 1 if seed is None else int(seed)
    return Game(found, seats, seed=number, options=chosen, id=id, description=description)


def _seat(player: str | tuple[int | str, str] | Mapping[str, Any], number: int) -> Seat:
    if isinstance(player, str):
        return Seat(number, player)
    if isinstance(player, Mapping):
        return Seat(player.get("id", number), player["name"])
    return Seat(*player)


def _check_seats(seats: Sequence[Seat]) -> None:
    if len({s.name for s in seats}) < len(seats):
        raise OptionError("players' names must be distinct")
    if len({player_key(s.id) for s in seats}) < len(seats):
        raise OptionError("players' ids must be distinct")


def load(source: str | Path | bytes | Mapping[str, Any]) -> Game:
    """A game from a file's path, its bytes, or its decoded JSON; every action is checked.

    Raises :class:`GameFileError` naming the place of the first fault; where an action is illegal,
    its ``__cause__`` is the :class:`IllegalAction`.
    """
    game, fault = replay(source)
    if fault is not None:
        raise fault
    return game


def replay(source: str | Path | bytes | Mapping[str, Any]) -> tuple[Game, GameFileError | None]:
    """Like :func:`load`, but gives the part that could be played and the first fault, if any.

    Raises :class:`GameFileError` only where not even a game can be set up.
    """
    file = gamefile.read(_raw(source))
    settings = file.settings or {}
    if settings.get("pin"):
        raise GameFileError("the game needs a frozen old engine", "settings.pin")
    seats = [Seat(p.name if p.id is None else p.id, p.name) for p in file.players]
    try:
        _check_seats(seats)
        title = find_title(file.title)
        options = title.select(gamefile.option_settings(settings), strict=False)
        seed = seed_from(gamefile.seed_setting(settings), file.id)
        game = Game(title, seats, seed=seed, options=options, id=file.id)
    except OptionError as error:
        raise GameFileError(str(error)) from error
    actions = gamefile.numbered(file.actions)
    counts = counting(actions)
    for number, action in enumerate(actions):
        try:
            game.apply(action, recorded=True, undone=number not in counts)
        except IllegalAction as fault:
            where = f"actions[{number}] ({action.type}, id {action.id})"
            stopped = GameFileError(str(fault), where)
            stopped.__cause__ = fault
            return game, stopped
    return game, None


def _raw(source: str | Path | bytes | Mapping[str, Any]) -> bytes | str:
    if isinstance(source, bytes):
        return source
    if isinstance(source, Mapping):
        return msgspec.json.encode(source)
    try:
        return Path(source).read_bytes()
    except OSError as error:
        raise GameFileError(error.strerror or "cannot be read", str(source)) from error
