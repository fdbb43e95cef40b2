"""What is heard over open lines."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class Event(Struct, frozen=True):
    """An event of a stream: its ``type``, the number of its ``table`` where it is about one, and
    all that was told in ``data``."""

    type: str
    table: int | None
    data: dict[str, Any]

    @classmethod
    def of(cls, told: dict[str, Any]) -> Event:
        """An event as it was told."""
        table = told.get("table")
        number = table.get("id") if isinstance(table, dict) else table
        return cls(str(told.get("type", "")), number, told)
