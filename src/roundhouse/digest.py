"""A digest of a state that outlives every change of how states are encoded.

It hashes facts of the table in the words of the state traces (:mod:`roundhouse.trace`), a fixed
list of them: what lies on the table and whose turn it is. Fields that records or traces get later
are not in it, so the digests of old games stay as they are.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from .model.codec import hash_bytes
from .model.records import State
from .rounds.rules import Rules
from .trace import describe

#: What of a state, and of each player and company in it, is hashed. Never to be changed.
_FACTS = (
    "round", "phase", "acting", "order", "bank", "market", "companies", "depot", "loans_left",
    "hexes", "ors", "operator", "finished",
)  # fmt: skip
_BODIES = {
    "players": ("cash", "shares", "companies", "certs", "value", "bankrupt"),
    "corporations": (
        "cash", "president", "trains", "tokens", "companies", "price", "treasury", "loans",
        "operated",
    ),
    "minors": ("cash", "president", "trains", "tokens", "companies", "operated"),
}  # fmt: skip


def facts(rules: Rules[Any], s: State) -> dict[str, Any]:
    """What is hashed: present facts only, so that absent, empty and zero are the same."""
    told = describe(rules, s)
    found = {k: told[k] for k in _FACTS if told.get(k)}
    for group, fields in _BODIES.items():
        found[group] = {name: _some(body, fields) for name, body in told.get(group, {}).items()}
    return found


def _some(body: Mapping[str, Any], fields: tuple[str, ...]) -> dict[str, Any]:
    return {f: body[f] for f in fields if body.get(f)}


def digest(rules: Rules[Any], s: State) -> str:
    """Sixteen hexadecimal digits; the same on every machine and in every release."""
    return hash_bytes(_written(facts(rules, s)))


def _written(told: Mapping[str, Any]) -> bytes:
    """Facts as :mod:`json` writes them, which escapes what is not printable ASCII; where nothing
    has to be escaped so, the quicker writer gives the same bytes."""
    raw = _encode(told)
    if raw.isascii() and b"\x7f" not in raw:
        return raw
    return json.dumps(told, sort_keys=True, separators=(",", ":")).encode()


_encode = msgspec.json.Encoder(order="sorted").encode
