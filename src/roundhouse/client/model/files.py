"""Files that were sent."""

from __future__ import annotations

from msgspec import Struct


class Upload(Struct, frozen=True):
    """A file that was sent."""

    id: int
    done: bool
    table: int | None = None
    fault: str = ""
