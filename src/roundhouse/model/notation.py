"""Moves as short texts, and back.

A text is the type, the sender, the fields an action of that type must have, in order, and the
others by name, parted by blanks::

    bid player:1 45 company=PSM
    lay_tile corporation:A&S F13 57-0 2
    buy_shares player:2 ["A&S_1","A&S_2"]
    run_routes corporation:A&S [{"train":"2-0","connections":[["F13","F15"]]}]

Values are JSON; a word that would not be read as JSON needs no quotes. Ids, times and automatic
actions are no part of a move.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

from .actions import Action, decode_action
from .errors import IllegalAction

#: What no move consists of.
_ABOUT = frozenset(Action.__struct_fields__)
_NUMBERS = frozenset("-0123456789")
_JSON = frozenset('[{"') | _NUMBERS
_WORDS = frozenset({"true", "false", "null"})
_read = json.JSONDecoder().raw_decode


def write_move(a: Action) -> str:
    """The text of a move; :func:`read_move` makes an equal action of it."""
    told = msgspec.to_builtins(a)
    needed, others = _fields(type(a))
    words = [a.type, _sender(a.entity_type, a.entity), *(_word(told[f]) for f in needed)]
    words += [f"{f}={_word(told[f])}" for f in others if f in told]
    return " ".join(words)


def read_move(text: str) -> Action:
    """The action a text stands for. Raises :class:`IllegalAction`, code ``malformed``."""
    try:
        kind, _, rest = text.strip().partition(" ")
        needed, _ = _fields(_kinds()[kind])
        return decode_action({"type": kind} | _values(list(_split(rest)), needed))
    except KeyError as error:
        raise IllegalAction("malformed", f"There is no action {error} in {text!r}.") from error
    except (ValueError, RecursionError) as error:
        raise IllegalAction("malformed", f"{text!r} is no move: {error}") from error


def _values(words: list[tuple[str | None, Any]], needed: tuple[str, ...]) -> dict[str, Any]:
    """The fields of a move by name."""
    if not words or not isinstance(words[0][1], str) or words[0][0] is not None:
        raise ValueError("who acts is missing")
    sender, _, entity = words[0][1].partition(":")
    found = {"entity_type": sender, "entity": _entity(sender, entity)}
    named = iter(needed)
    for name, value in words[1:]:
        if name is None and (name := next(named, None)) is None:
            raise ValueError(f"{value!r} is one value too many")
        if name in _ABOUT:
            raise ValueError(f"{name} is no part of a move")
        found[name] = value
    return found


def _sender(kind: str, entity: int | str) -> str:
    """Who acts, as one word. Of players a number is a number, of others a text."""
    if isinstance(entity, int):
        return f"{kind}:{entity}" if kind == "player" else f"{kind}:#{entity}"
    if (
        _plain(entity)
        and entity[0] not in ('"', "#")
        and not (kind == "player" and _number(entity))
    ):
        return f"{kind}:{entity}"
    return json.dumps(f"{kind}:{json.dumps(entity)}", ensure_ascii=False)


def _entity(kind: str, word: str) -> int | str:
    """The id of a sender. Raises :class:`ValueError`."""
    if word[:1] == '"':
        return str(json.loads(word))
    if word[:1] == "#" or (kind == "player" and _number(word)):
        return int(word.removeprefix("#"))
    return word


def _number(text: str) -> bool:
    return text.removeprefix("-").isdecimal() and text.isascii()


def _word(value: Any) -> str:
    if isinstance(value, str) and _bare(value):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _bare(text: str) -> bool:
    """Whether a value can stand without quotes."""
    return _plain(text) and text not in _WORDS and text[0] not in _JSON


def _plain(text: str) -> bool:
    return bool(text) and not any(c.isspace() or c in '"=' for c in text)


def _split(text: str) -> Iterator[tuple[str | None, Any]]:
    """The words of a text with their names, values read."""
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        name, at = _name(text, at)
        value, at = _value(text, at)
        yield name, value


def _name(text: str, at: int) -> tuple[str | None, int]:
    end = at
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    named = end > at and text[end : end + 1] == "="
    return (text[at:end], end + 1) if named else (None, at)


def _value(text: str, at: int) -> tuple[Any, int]:
    if text[at : at + 1] in ("", " "):
        raise ValueError("a value is missing")
    if text[at] in _JSON:
        try:
            value, end = _read(text, at)
        except ValueError:
            value, end = None, at
        if end > at and (end == len(text) or text[end].isspace()):
            return value, end
    end = at
    while end < len(text) and not text[end].isspace():
        end += 1
    return _read_word(text[at:end]), end


def _read_word(word: str) -> Any:
    return json.loads(word) if word in _WORDS else word


@cache
def _kinds() -> dict[str, type[Action]]:
    found = list(_below(Action))
    return {str(k.__struct_config__.tag): k for k in found if k.__struct_config__.tag}


def _below(kind: type[Action]) -> Iterator[type[Action]]:
    for one in kind.__subclasses__():
        yield one
        yield from _below(one)


@cache
def _fields(kind: type[Action]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The fields an action must have, and those it may have."""
    own = [f for f in msgspec.structs.fields(kind) if f.name not in _ABOUT]
    needed = tuple(f.name for f in own if f.required)
    return needed, tuple(f.name for f in own if not f.required)
