"""The JSON Schema of the game files we write, made from the types they are read with.

It lies beside this file and is shipped with the package; ``roundhouse schema`` writes it anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from ..gamefile import GameFile
from ..model.actions import EntityId
from .analysis import Analysis
from .talk import Talk

NAME = "game-file.schema.json"


class WrittenSettings(msgspec.Struct, frozen=True):
    """What the game was begun with."""

    seed: Annotated[int, Meta(description="of the random stream")]
    optional_rules: Annotated[tuple[str, ...], Meta(description="ids of options")]


class Sitting(msgspec.Struct, frozen=True):
    """Somebody's time on a seat."""

    player: Annotated[EntityId, Meta(description="id of the player whose seat it is")]
    name: Annotated[str, Meta(description="who sat there; empty: nobody")]
    bot: Annotated[bool, Meta(description="a bot played, for him or for nobody")]
    partner: Annotated[bool, Meta(description="as the second of a team")]
    after: Annotated[int, Meta(description="id of the last action before; 0: from the start")]
    until: Annotated[int | None, Meta(description="id of the last action; null: he still sits")]
    why: Annotated[str, Meta(description="how it came about")]


class WrittenGame(GameFile, frozen=True, kw_only=True):
    """A game file as we write it. What is read of one is less: ``title``, ``players`` and
    ``actions`` are needed, and fields that are not listed are ignored.
    """

    description: Annotated[str, Meta(description="what its players call it")] = ""
    status: Annotated[
        Literal["active", "finished"] | str, Meta(description="whether the game is over")
    ] = "active"
    turn: Annotated[int, Meta(description="number of the stock and operating rounds' cycle")] = 1
    round: Annotated[str, Meta(description="name of the round in force at the end")] = ""
    acting: Annotated[
        tuple[EntityId, ...], Meta(description="ids of the players who are waited for")
    ] = ()
    result: Annotated[
        dict[str, int] | None, Meta(description="worth by player's id, once the game is over")
    ] = None
    time_used: Annotated[
        dict[str, int] | None,
        Meta(description="seconds of the table's clock each player used, by his id"),
    ] = None
    sittings: Annotated[
        tuple[Sitting, ...] | None,
        Meta(description="who sat when, where seats changed hands"),
    ] = None
    talk: Annotated[Talk | None, Meta(description="what was said at the table")] = None
    game_end_reason: Annotated[str | None, Meta(description="why the game is over")] = None
    analysis: Annotated[
        Analysis | None, Meta(description="notes and variations, of a game that is over")
    ] = None


def game_file_schema() -> dict[str, Any]:
    """The schema, as draft 2020-12."""
    found: dict[str, Any] = msgspec.json.schema(WrittenGame)
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A game of Roundhouse, as a file",
    }
    return head | found


def write(folder: Path) -> Path:
    """Write the schema into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / NAME
    path.write_text(json.dumps(game_file_schema(), indent=1) + "\n", encoding="utf-8")
    return path
