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
    Clock,
    Deal,
    Domain,
    Earnings,
    Event,
    Invitation,
    Judgement,
    Line,
    Move,
    Moves,
    Promise,
    Question,
    Routes,
    Seat,
    Seats,
    Standing,
    State,
    Stint,
    Table,
    TablePage,
    Time,
    Title,
    TitleFacts,
    Upload,
    Vote,
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
    "Clock",
    "Deal",
    "Domain",
    "Earnings",
    "Event",
    "Invitation",
    "Judgement",
    "Line",
    "Move",
    "Moves",
    "NotAllowed",
    "NotFound",
    "Promise",
    "Question",
    "Routes",
    "Seat",
    "Seats",
    "StaleVersion",
    "Standing",
    "State",
    "Stint",
    "Table",
    "TablePage",
    "Time",
    "Title",
    "TitleFacts",
    "TooManyRequests",
    "Upload",
    "Vote",
    "WhatIf",
]
