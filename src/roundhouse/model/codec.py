"""States as JSON, and their fingerprints."""

from __future__ import annotations

import hashlib
from typing import TypeVar

import msgspec

from .errors import GameFileError
from .records import State

S = TypeVar("S", bound=State)


def encode_state(s: State) -> bytes:
    """A state as JSON; equal states give equal bytes."""
    plain = s.fork()
    plain.now = None
    return msgspec.json.encode(plain, order="sorted")


def decode_state(kind: type[S], raw: bytes) -> S:
    """A state of a title's ``state_type`` from JSON. Raises :class:`GameFileError`."""
    try:
        return msgspec.json.decode(raw, type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        raise GameFileError(str(error), "state") from error


def fingerprint(s: State) -> str:
    """A short hash of a state; the same on every machine."""
    return hashlib.blake2b(encode_state(s), digest_size=12).hexdigest()
