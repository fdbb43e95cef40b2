"""Data of a title made from another one: its files, laid over those of the title it is made from.

A *record* is a whole file, an entry of a list that has an ``id`` or a ``name``, or ``special`` of
``game.json``. A record is completed: fields it does not give are those of the record it lies over,
in a list those of the entry of the same name. Every other value replaces the one it lies over: a
table such as cash by players, the powers of a private company. A list says which entries there
are, and in which order. Files that are not there are taken over unchanged. A map is given whole.
Amounts in texts are those of the base, written in the currency of the title.
"""

from __future__ import annotations

import re
from typing import Any

#: Tables of a file's top level that are records themselves.
_RECORDS = frozenset({"special"})
_WHOLE = frozenset({"map.json"})


def laid_over(file: str, base: Any, change: Any) -> Any:
    """The contents of a data file with those of a title made from it laid over them."""
    return change if file in _WHOLE else _completed(base, change)


def in_currency(text: str, before: str, now: str) -> str:
    """A text with its amounts written in another currency; both as ``$%s``."""
    if before == now or "%s" not in before:
        return text
    amount = re.escape(before).replace("%s", r"(\d[\d,]*)")
    return re.sub(amount, lambda found: now.replace("%s", found[1]), text)


def _completed(base: Any, change: Any) -> Any:
    if isinstance(base, dict) and isinstance(change, dict):
        return base | {k: _value(k, base.get(k), v) for k, v in change.items()}
    if isinstance(base, list) and isinstance(change, list):
        named = {_name(entry): entry for entry in base}
        return [_completed(named.get(_name(entry)), entry) for entry in change]
    return change


def _value(key: str, base: Any, change: Any) -> Any:
    record = isinstance(change, list) or key in _RECORDS
    return _completed(base, change) if record else change


def _name(entry: Any) -> str | None:
    name = entry.get("id", entry.get("name")) if isinstance(entry, dict) else None
    return name if isinstance(name, str) else None
