"""The analysis of a game in its file: notes on its moments, and variations that go on from them."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from ..model.actions import AnyAction
from .extras import read_extra

#: The field of a game file that holds it.
FIELD = "analysis"

Moment = Annotated[
    int, Meta(ge=0, le=2**53, description="id of the action before the moment; 0: the start")
]
Line = Annotated[str, Meta(max_length=200)]


class Note(Struct, frozen=True, omit_defaults=True):
    """What somebody says of a moment."""

    after: Moment
    text: Annotated[str, Meta(min_length=1, max_length=2000)]
    by: Line = ""


class Variation(Struct, frozen=True, omit_defaults=True):
    """What might have been done after a moment: actions as in the game, in order."""

    after: Moment
    name: Line
    actions: Annotated[tuple[AnyAction, ...], Meta(max_length=2000)]
    by: Line = ""


class Analysis(Struct, frozen=True, omit_defaults=True):
    """All that is said of a game."""

    notes: Annotated[tuple[Note, ...], Meta(max_length=2000)] = ()
    variations: Annotated[tuple[Variation, ...], Meta(max_length=300)] = ()


def read_analysis(raw: bytes) -> Analysis:
    """The analysis in a game file; an empty one if it has none. Raises :class:`GameFileError` with
    the place of the first fault."""
    return read_extra(raw, FIELD, Analysis) or Analysis()
