"""Making games: new ones, and those of a game file."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from . import gamefile
from .game import Game
from .model.actions import player_key
from .model.arguments import several, text, whole, wrong
from .model.errors import GameFileError, IllegalAction, OptionError
from .model.revisions import FIRST
from .model.rng import seed_from
from .rounds.rules import Seat
from .titles.title import find_title
from .undo import counting


def new(
    title: str,
    players: Sequence[str | tuple[int | str, str] | Mapping[str, Any]],
    *,
    seed: int | None = None,
    options: Iterable[str] = (),
    id: int | str | None = None,
    description: str = "",
    revision: int | None = None,
) -> Game:
    """A new game. ``players`` in seating order: names (ids count from 1), or (id, name) pairs.

    ``options`` are ids of options and presets; ``revision`` is the rules revision, the
    latest if not given. Raises :class:`OptionError`, naming the argument, for an unknown title,
    option or revision, excluding options, a wrong number of players, names that are not distinct
    and values of a wrong kind.
    """
    found = find_title(text(title, "title"))
    seats = [_seat(p, n) for n, p in enumerate(several(players, "players"), start=1)]
    _check_seats(seats)
    chosen = found.select(text(o, "options") for o in several(options, "options"))
    number = int.from_bytes(os.urandom(4)) >> 1 if seed is None else whole(seed, "seed")
    revision = None if revision is None else whole(revision, "revision")
    return Game(
        found,
        seats,
        seed=number,
        options=chosen,
        id=id,
        description=description,
        revision=revision,
    )


def _seat(player: str | tuple[int | str, str] | Mapping[str, Any], number: int) -> Seat:
    match player:
        case {"id": bool()} | (bool(), _):  # Python takes them for numbers
            pass
        case str(name) | {"name": str(name), "id": None}:
            return Seat(number, name)
        case {"name": str(name), "id": int() | str() as who}:
            return Seat(who, name)
        case {"name": str(name), **others} if "id" not in others:
            return Seat(number, name)
        case (int() | str() as who, str(name)):
            return Seat(who, name)
    wanted = "a name, or an id with a name, is wanted"
    raise OptionError(f"players: {wanted} for each, not {player!r}")


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
    if (file.settings or {}).get("pin"):
        raise GameFileError("the game needs a frozen old engine", "settings.pin")
    if file.rules_revision is not None:
        return _play(_set_up(file, file.rules_revision), file)
    return _under_the_latest_that_fits(file)


def _under_the_latest_that_fits(file: gamefile.GameFile) -> tuple[Game, GameFileError | None]:
    """A file that does not say its rules revision: the latest that plays it to the end and to the
    result it tells; else the latest that plays it to the end; else the one that gets furthest."""
    tries: list[tuple[Game, GameFileError | None]] = []
    game = _set_up(file, None)
    for revision in range(game.revision, FIRST - 1, -1):
        game = game if game.revision == revision else _set_up(file, revision)
        tries.append(_play(game, file))
        if tries[-1][1] is None and _ends_as_told(game, file):
            return tries[-1]
    return max(tries, key=lambda t: (t[1] is None, len(t[0].log)))


def _ends_as_told(game: Game, file: gamefile.GameFile) -> bool:
    told = file.result
    if not game.finished or not isinstance(told, dict) or not told:
        return True
    return bool(told == {str(k): v for k, v in game.result().items()})


def _set_up(file: gamefile.GameFile, revision: int | None) -> Game:
    """The game of a file before its first action. Raises :class:`GameFileError`."""
    settings = file.settings or {}
    seats = [Seat(p.name if p.id is None else p.id, p.name) for p in file.players]
    with _at("players"):
        _check_seats(seats)
    with _at("title"):
        title = find_title(file.title)
    with _at("settings.optional_rules"):
        options = title.select(gamefile.option_settings(settings), strict=False)
    with _at("players"):
        title.rules(options, len(seats))
    seed = seed_from(gamefile.seed_setting(settings), file.id)
    with _at("rules_revision"):
        return Game(title, seats, seed=seed, options=options, id=file.id, revision=revision)


@contextmanager
def _at(where: str) -> Iterator[None]:
    """Say where in the file a setting is wrong."""
    try:
        yield
    except OptionError as error:
        raise GameFileError(str(error), where) from error


@contextmanager
def _without_collections() -> Iterator[None]:
    """Without garbage collections, which would walk many new values again and again and find
    nothing: states and what they are made of live on, and hold no cycles. They count as old at
    once, unless somebody keeps other things out of collections."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            if not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()


@_without_collections()
def _play(game: Game, file: gamefile.GameFile) -> tuple[Game, GameFileError | None]:
    """The game played on by a file's actions, as far as they are legal."""
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
    if not isinstance(source, str | os.PathLike):
        raise wrong("source", "a path, bytes or a decoded game file", source)
    try:
        return Path(source).read_bytes()
    except OSError as error:
        raise GameFileError(error.strerror or "cannot be read", str(source)) from error
