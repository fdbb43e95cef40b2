"""The community's game-file format: a file's envelope, read with clear errors, and written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta, Struct

from .model.actions import Action, AnyAction, EntityId, Name
from .model.errors import GameFileError

if TYPE_CHECKING:
    from .game import Game

replace = msgspec.structs.replace

#: Files larger than this are refused unread (bytes).
MAX_SIZE = 64 * 1024 * 1024


class FilePlayer(Struct, frozen=True):
    """A player; without ``id`` the name is the id."""

    name: Annotated[str, Meta(max_length=200)]
    id: EntityId | None = None


class GameFile(Struct, frozen=True):
    """A game file. Only these fields matter; all others are ignored.

    ``rules_revision`` is a field of ours: the rules revision the game is played under.
    ``result`` is what the file says of a finished game, unchecked.
    """

    title: Name
    players: Annotated[tuple[FilePlayer, ...], Meta(min_length=1, max_length=100)]
    actions: tuple[AnyAction, ...]
    id: EntityId | None = None
    settings: dict[str, Any] | None = None
    rules_revision: Annotated[int, Meta(ge=1, le=10_000)] | None = None
    result: Any = None


@cache
def _decoder() -> msgspec.json.Decoder[GameFile]:
    return msgspec.json.Decoder(GameFile)


def read(raw: bytes | str) -> GameFile:
    """Decode a file. Raises :class:`GameFileError` naming the place of the first fault."""
    data = raw.encode() if isinstance(raw, str) else raw
    if len(data) > MAX_SIZE:
        raise GameFileError(f"the file is larger than {MAX_SIZE // 2**20} MiB")
    try:
        return _decoder().decode(data)
    except msgspec.ValidationError as error:
        text, _, place = str(error).partition(" - at ")
        where = place.strip("`").removeprefix("$").removeprefix(".")
        raise GameFileError(text, where) from error
    except msgspec.DecodeError as error:
        raise GameFileError(f"this is no complete JSON file ({error})") from error
    except (RecursionError, UnicodeDecodeError, OverflowError) as error:
        raise GameFileError("the file is nested too deeply or badly encoded") from error


def numbered(actions: Sequence[AnyAction]) -> list[AnyAction]:
    """The actions with their ids; one that has none takes the next after the one before it."""
    found: list[AnyAction] = []
    for action in actions:
        if action.id is None:
            action = replace(action, id=(found[-1].id or 0) + 1 if found else 1)
        found.append(action)
    return found


def seed_setting(settings: dict[str, Any]) -> int | str | None:
    """``settings.seed``, checked."""
    seed = settings.get("seed")
    if seed is None or seed == "":
        return None
    if isinstance(seed, bool) or not isinstance(seed, int):
        text = str(seed)
        if not text.isascii() or not text.isdigit() or len(text) > 20:
            raise GameFileError(f"{seed!r} is no seed", "settings.seed")
        return int(text)
    if abs(seed) >= 10**20:
        raise GameFileError("the seed has more than 20 digits", "settings.seed")
    return seed


def option_settings(settings: dict[str, Any]) -> list[str]:
    """``settings.optional_rules``, checked."""
    rules = settings.get("optional_rules") or []
    if not isinstance(rules, list) or not all(isinstance(r, str) for r in rules):
        raise GameFileError("this is no list of rule names", "settings.optional_rules")
    return rules


def written(game: Game, actions: Iterable[Action]) -> dict[str, Any]:
    """A file of a game with some actions, as plain JSON values."""
    play = game.rules.play(game.state)
    return {
        "id": game.id if game.id is not None else 1,
        "title": game.title.file_title,
        "description": game.description,
        "players": [{"id": p.id, "name": p.name} for p in game.seats],
        "rules_revision": game.revision,
        "settings": {"seed": game.seed, "optional_rules": sorted(game.options)},
        "status": "finished" if game.finished else "active",
        "turn": game.state.turn,
        "round": play.name,
        "acting": list(game.players_to_act),
        "result": {str(k): v for k, v in game.result().items()} if game.finished else {},
        "actions": [msgspec.to_builtins(a) for a in actions],
    } | ({"game_end_reason": game.end_reason} if game.finished else {})
