"""States as bytes: the one way they are written down, and their hash.

A state is written as JSON, its maps in their order, which is that of the choices. There are no sets
in a state. So equal states give equal bytes, in every process and on every machine.
"""

from __future__ import annotations

import hashlib
from typing import TypeVar

import msgspec

from .errors import GameFileError
from .frozen import freeze
from .records import State, sealed_type

S = TypeVar("S", bound=State)

_encode = msgspec.json.Encoder().encode


def encode_state(s: State) -> bytes:
    """A state as JSON; equal states give equal bytes."""
    if s.now is not None:
        s = s.fork()
        s.now = None
    return _encode(s)


def decode_state(kind: type[S], raw: bytes) -> S:
    """A state of a title's ``state_type`` from JSON. Raises :class:`GameFileError`."""
    try:
        state: S = msgspec.json.decode(raw, type=sealed_type(kind))
    except (msgspec.DecodeError, RecursionError) as error:
        raise GameFileError(str(error), "state") from error
    return freeze(state)


def hash_state(s: State) -> str:
    """Sixteen hexadecimal digits: equal states have equal ones."""
    return hash_bytes(encode_state(s))


def hash_bytes(raw: bytes) -> str:
    """Sixteen hexadecimal digits of some bytes."""
    return hashlib.blake2b(raw, digest_size=8).hexdigest()
