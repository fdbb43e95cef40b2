"""What the rules of a title need of its data, beyond names that lead somewhere: told as faults."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .box import Box


def entries(where: str, table: Mapping[Any, Any], keys: Iterable[Any]) -> Iterator[str]:
    """Entries a table lacks."""
    return (f"{where} has no entry for {key}" for key in keys if key not in table)


def special(name: str, table: Mapping[Any, Any], keys: Iterable[Any]) -> Iterator[str]:
    """Entries a table of the title's own numbers lacks."""
    return entries(f"game.json: special, {name}", table, keys)


def charters(box: Box, symbols: Iterable[str], *fields: str) -> Iterator[str]:
    """Fields that are empty in the definitions of companies."""
    for symbol in symbols:
        for field in fields:
            if not getattr(box.corporations[symbol], field):
                yield f"corporations.json: {symbol} has no {field}"
