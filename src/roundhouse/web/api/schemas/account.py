"""The interface, the account and its tokens."""

from __future__ import annotations

from datetime import datetime

from ninja import Schema

from ..tokens import SCOPES


class AccountOut(Schema):
    """Whose token this is. ``owner``: who answers for a bot."""

    name: str
    bot: bool
    owner: str | None
    scopes: list[str]
    joined: datetime


class TokenOut(Schema):
    """A token, as far as it is kept."""

    id: int
    name: str
    hint: str
    scopes: list[str]
    created: datetime
    expires: datetime | None
    used: datetime | None


class InfoOut(Schema):
    """The interface, and where it is described."""

    name: str
    version: str
    openapi: str
    docs: str
    scopes: dict[str, str] = dict(SCOPES)
