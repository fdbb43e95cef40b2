"""Addresses that are told about the account's games."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from ninja import Schema
from pydantic import Field

from .common import Strict


class WebhookIn(Strict):
    """An address that is to be told. ``events``: which of the events of the account's stream; none
    named: all."""

    url: Annotated[str, Field(min_length=8, max_length=1000)]
    events: Annotated[list[Literal["start", "turn", "question", "end"]], Field(max_length=4)] = []


class WebhookOut(Schema):
    """An address that is told. ``fault``: why it could not be, the last time; ``off``: so often
    that it is told nothing any more."""

    id: int
    url: str
    events: list[str]
    created: datetime
    fault: str
    off: bool


class WebhookMade(WebhookOut):
    """… with the secret that signs what it gets, told this once."""

    secret: str
