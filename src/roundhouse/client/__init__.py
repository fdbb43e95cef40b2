"""A client of the interface for programs (``/api/``): typed, synchronous and asynchronous.

>>> from roundhouse.client import Client
>>> client = Client("http://127.0.0.1:8018", token="rh_…")  # doctest: +SKIP
>>> for event in client.follow_account():  # doctest: +SKIP
...     print(event.type, event.table)

It needs the package ``httpx`` (``pip install 'roundhouse[client]'``).
"""

from __future__ import annotations

from .asynchronous import AsyncClient
from .errors import ApiError, NotAllowed, NotFound, StaleVersion, TooManyRequests
from .model import (
    Account,
    Choice,
    Choices,
    Domain,
    Earnings,
    Event,
    Judgement,
    Line,
    Move,
    Moves,
    Question,
    Routes,
    Seat,
    Standing,
    State,
    Table,
    TablePage,
    Title,
    TitleFacts,
    Upload,
    WhatIf,
)
from .synchronous import Client

__all__ = [
    "Account",
    "ApiError",
    "AsyncClient",
    "Choice",
    "Choices",
    "Client",
    "Domain",
    "Earnings",
    "Event",
    "Judgement",
    "Line",
    "Move",
    "Moves",
    "NotAllowed",
    "NotFound",
    "Question",
    "Routes",
    "Seat",
    "StaleVersion",
    "Standing",
    "State",
    "Table",
    "TablePage",
    "Title",
    "TitleFacts",
    "TooManyRequests",
    "Upload",
    "WhatIf",
]
