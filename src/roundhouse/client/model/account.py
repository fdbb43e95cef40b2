"""The interface, the account and its tokens."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct, field


class About(Struct, frozen=True):
    """The interface of a server: its version, where it is described, what tokens may allow."""

    name: str
    version: str
    openapi: str
    docs: str
    scopes: dict[str, str] = field(default_factory=dict)


class Account(Struct, frozen=True):
    """Whose token it is."""

    name: str
    bot: bool
    owner: str | None = None
    scopes: tuple[str, ...] = ()


class Token(Struct, frozen=True):
    """A token of the account, as far as the server keeps it."""

    id: int
    name: str
    hint: str
    scopes: tuple[str, ...]
    created: datetime
    expires: datetime | None = None
    used: datetime | None = None
