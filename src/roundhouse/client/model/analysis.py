"""Routes and what they earn; what would be after some actions."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from .play import Choice, Judgement


class Routes(Struct, frozen=True):
    """The best routes of a company: nothing earns more than ``bound``."""

    company: str
    revenue: int
    bound: int
    proven: bool
    routes: tuple[dict[str, Any], ...]


class RunRoute(Struct, frozen=True):
    """A route and what it adds to the total."""

    train: str
    revenue: int
    text: str


class Earnings(Struct, frozen=True):
    """What routes earn."""

    company: str
    revenue: int
    routes: tuple[RunRoute, ...]


class WhatIf(Struct, frozen=True):
    """What would be after some actions."""

    played: int
    fault: Judgement | None
    told: tuple[str, ...]
    game: dict[str, Any]
    worth: dict[str, int]
    acting: tuple[str, ...]
    choices: tuple[Choice, ...]
