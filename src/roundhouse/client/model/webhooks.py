"""Addresses that are told."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct


class Webhook(Struct, frozen=True):
    """An address that is told about the account's games. ``secret`` signs what it gets, and is told
    only when it is made; ``fault``: why it could not be told last; ``off``: it is told no more."""

    id: int
    url: str
    events: tuple[str, ...]
    created: datetime
    fault: str = ""
    off: bool = False
    secret: str = ""
