"""What all parts of the interface share."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import ConfigDict, Field, WithJsonSchema

#: A table's number.
Number = Annotated[int, Field(ge=1, le=2**53)]
Version = Annotated[int, Field(ge=0, le=2**53)]
#: A player's id in the game.
Key = int | str
#: An action as in game files; its types are those of the game-file schema.
ActionIn = Annotated[
    dict[str, Any],
    WithJsonSchema({"type": "object", "title": "Action", "x-action": True}),
]
ActionOut = ActionIn
Status = Literal["open", "running", "finished"]


class Strict(Schema):
    """What is sent: a field nobody knows is a mistake, and a number is no text."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Fault(Schema):
    """What is wrong and where. ``rule``: a section of the title's rules, if it is about one.
    ``faults``: all faults found, where there are several. ``fresh``: how the table stands, where
    the request came too late. ``retry_after``: seconds, where something was done too often."""

    code: str
    message: str
    where: str = ""
    rule: str = ""
    faults: list[dict[str, str]] | None = None
    fresh: dict[str, Any] | None = None
    retry_after: int | None = None


class Done(Schema):
    """It is done."""

    ok: bool = True
