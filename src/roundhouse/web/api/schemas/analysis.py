"""Routes and what they earn; what would be after some actions."""

from __future__ import annotations

from typing import Annotated, Any

from ninja import Schema
from pydantic import Field

from .common import ActionIn, Strict, Version
from .play import ChoiceOut, Judgement


class LayIn(Strict):
    """A tile as if it were laid."""

    hex: Annotated[str, Field(max_length=20)]
    tile: Annotated[str, Field(max_length=40)]
    rotation: Annotated[int, Field(ge=0, le=5)]


class RoutesIn(Strict):
    """Whose best routes are wanted (none: who operates), perhaps with other trains or one more
    tile, perhaps as the game stood after action ``at``. ``effort`` limits the search: about 4000
    units a second."""

    company: Annotated[str, Field(max_length=60)] | None = None
    trains: Annotated[list[Annotated[str, Field(max_length=40)]], Field(max_length=20)] | None = (
        None
    )
    tile: LayIn | None = None
    at: Version | None = None
    effort: Annotated[int, Field(ge=1, le=20_000)] = 8_000


class RoutesOut(Schema):
    """The best routes found: nothing earns more than ``bound``; ``proven``: these earn it.
    ``routes`` is ready for a ``run_routes`` action."""

    company: str
    revenue: int
    bound: int
    proven: bool
    routes: list[dict[str, Any]]


class RunsIn(Strict):
    """Routes as a ``run_routes`` action writes them."""

    company: Annotated[str, Field(max_length=60)] | None = None
    routes: Annotated[list[dict[str, Any]], Field(max_length=60)]


class RunOut(Schema):
    """A route with what it adds to the total."""

    train: str
    revenue: int
    text: str


class EarningsOut(Schema):
    """What routes earn together, and each of them."""

    company: str
    revenue: int
    routes: list[RunOut]


class WhatIfIn(Strict):
    """Actions to be tried one after the other on a copy of the game."""

    actions: Annotated[list[ActionIn], Field(max_length=40)]
    at: Version | None = None


class WhatIfOut(Schema):
    """What would be: as far as the actions are legal (``played`` of them), the state and the
    choices then; ``fault``: why the next one is not."""

    played: int
    fault: Judgement | None
    told: list[str]
    game: dict[str, Any]
    worth: dict[str, int]
    acting: list[str]
    choices: list[ChoiceOut]
