"""What one has promised."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class Promise(Struct, frozen=True):
    """A promise of one's own; ``why``: what it did last, or why it ended."""

    number: int
    promise: dict[str, Any]
    text: str
    state: str
    why: str = ""
    acts: tuple[int, ...] = ()


class Promises(Struct, frozen=True):
    """One's own promises."""

    promises: tuple[Promise, ...]
