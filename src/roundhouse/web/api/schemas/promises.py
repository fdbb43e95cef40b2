"""What one promises."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import WithJsonSchema

from .common import Strict

#: A promise by its ``kind``, as :mod:`roundhouse.promises` has them.
PromiseBody = Annotated[
    dict[str, Any], WithJsonSchema({"type": "object", "title": "Promise", "required": ["kind"]})
]


class PromiseOut(Schema):
    """A promise of yours; ``why``: what it did last, or why it ended; ``acts``: ids of the actions
    it did."""

    number: int
    promise: PromiseBody
    text: str
    state: Literal["standing", "kept", "stopped", "withdrawn"]
    why: str
    acts: list[int]


class PromisesOut(Schema):
    """Your promises that stand, and those that acted or ended and were not dismissed."""

    promises: list[PromiseOut]


class PromiseIn(Strict):
    """A promise. Of kind ``run`` (company, rest) and ``plan`` (actions) the server adds what they
    rest on."""

    promise: PromiseBody
