"""Rules revisions: how a game that has begun is played to its end by the rules it began with.

A fault in the rules of a title becomes a :class:`Fix` when it is mended, and the title lists the
fix under the number of the revision that brings it. Every game carries the revision it is played
under; code that a fix changed asks ``rules.mended(FIX)`` and keeps both ways. docs/revisions.md
tells how to add one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from msgspec import Struct

#: The revision every title begins with.
FIRST = 1


class Fix(Struct, frozen=True):
    """A mended fault. ``text``: one sentence that tells players what holds from it on; ``rule``:
    section of the rules text."""

    text: str
    rule: str = ""


#: A title's fixes by the revision that brings them, counted up from 2.
Revisions: TypeAlias = Mapping[int, tuple[Fix, ...]]


def latest(revisions: Revisions) -> int:
    """The revision new games are played under."""
    return max(revisions, default=FIRST)


class Terms(NamedTuple):
    """What a game is played under: its options, the number of its players, the rules revision."""

    options: frozenset[str]
    seats: int
    revision: int = FIRST
