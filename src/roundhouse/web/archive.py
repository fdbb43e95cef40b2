"""States, actions and events as the database keeps them."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import cache, reduce
from operator import or_
from typing import Any

import msgspec

from ..digest import digest
from ..model import events as model_events
from ..model.actions import Action, AnyAction
from ..model.codec import decode_state, encode_state, hash_bytes
from ..model.errors import GameFileError
from ..model.events import Event
from ..model.records import State
from ..rounds.rules import Rules
from ..trace import describe

#: A snapshot is kept after every so many actions.
SPACING = 25

#: Counts up when states are written differently though their records are the same.
_ENCODING = 2
#: How positions are told; the number goes before each fingerprint.
_POSITION = 2
_actions = msgspec.json.Decoder(AnyAction)
_all_events: Any = reduce(or_, model_events.Event.__subclasses__())
_events = msgspec.json.Decoder(tuple[_all_events, ...])


def pack_state(state: State) -> bytes:
    """A state as a few kilobytes."""
    return zlib.compress(encode_state(state), 1)


def unpack_state(rules: Rules[Any], raw: bytes) -> State:
    """The state again. Raises :class:`GameFileError` or :class:`zlib.error` if it cannot be
    read."""
    state: State = decode_state(rules.state_type, zlib.decompress(raw))
    return state


def stamp(rules: Rules[Any]) -> str:
    """A fingerprint of how states and events are written now. What was written under another one is
    made anew from the actions."""
    return _stamp(rules.state_type)


@cache
def _stamp(state_type: type[State]) -> str:
    shapes = [_bare(msgspec.json.schema(t)) for t in (state_type, tuple[_all_events, ...])]
    return hash_bytes(msgspec.json.encode([_ENCODING, shapes]))


def _bare(schema: Any) -> Any:
    """A schema without its prose."""
    if isinstance(schema, dict):
        return {k: _bare(v) for k, v in sorted(schema.items()) if k != "description"}
    return [_bare(v) for v in schema] if isinstance(schema, list) else schema


def hash_position(rules: Rules[Any], state: State) -> str:
    """A fingerprint of what lies on the table: it stays when the records are written
    differently."""
    return f"{_POSITION}:{digest(rules, state)}"


def same_position(kept: str, rules: Rules[Any], state: State) -> bool | None:
    """Whether a fingerprint of a position is that of a state; None if there is none to compare."""
    if kept.startswith("1:"):
        told = msgspec.msgpack.encode(describe(rules, state), order="deterministic")
        return kept == f"1:{hash_bytes(told)}"
    return kept == hash_position(rules, state) if kept.startswith(f"{_POSITION}:") else None


def keeps(rules: Rules[Any], state: State) -> bytes | None:
    """The packed state if it comes back as it was, else None (then it is not kept)."""
    raw = pack_state(state)
    try:
        return raw if unpack_state(rules, raw) == state else None
    except GameFileError:
        return None


def write_action(action: Action) -> str:
    """An action as in game files."""
    return msgspec.json.encode(action).decode()


def read_action(raw: str) -> Action:
    """The action again."""
    action: Action = _actions.decode(raw)
    return action


def write_events(events: Sequence[Event]) -> str:
    """Events as JSON; those of a title's own kinds are left out, the log can live without."""
    known = [e for e in events if type(e) in _all_events.__args__]
    return msgspec.json.encode(known).decode()


def read_events(raw: str) -> tuple[Event, ...]:
    """The events again."""
    events: tuple[Event, ...] = _events.decode(raw)
    return events
