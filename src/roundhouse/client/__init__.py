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
from .model.account import About, Account, Token
from .model.analysis import Earnings, Routes, RunRoute, WhatIf
from .model.common import Done
from .model.deals import Deal, Deals
from .model.files import Upload
from .model.play import Choice, Choices, Domain, Judgement, Move, Moves, Question, Standing, State
from .model.promises import Promise, Promises
from .model.seats import Clock, Invitation, SeatChange, SeatDeed, Seats, Stint, Time, Vote
from .model.streams import Event
from .model.study import (
    Beside,
    Branch,
    Branches,
    Comparison,
    Handing,
    Moment,
    Pair,
    Remark,
    Remarks,
    Step,
)
from .model.tables import Seat, Table, TablePage, TablePlan
from .model.talk import Line, Notes, Talk
from .model.titles import Option, Preset, Rulebook, Title, TitleFacts
from .model.webhooks import Webhook
from .synchronous import Client

__all__ = [
    "About",
    "Account",
    "ApiError",
    "AsyncClient",
    "Beside",
    "Branch",
    "Branches",
    "Choice",
    "Choices",
    "Client",
    "Clock",
    "Comparison",
    "Deal",
    "Deals",
    "Domain",
    "Done",
    "Earnings",
    "Event",
    "Handing",
    "Invitation",
    "Judgement",
    "Line",
    "Moment",
    "Move",
    "Moves",
    "NotAllowed",
    "NotFound",
    "Notes",
    "Option",
    "Pair",
    "Preset",
    "Promise",
    "Promises",
    "Question",
    "Remark",
    "Remarks",
    "Routes",
    "Rulebook",
    "RunRoute",
    "Seat",
    "SeatChange",
    "SeatDeed",
    "Seats",
    "StaleVersion",
    "Standing",
    "State",
    "Step",
    "Stint",
    "Table",
    "TablePage",
    "TablePlan",
    "Talk",
    "Time",
    "Title",
    "TitleFacts",
    "Token",
    "TooManyRequests",
    "Upload",
    "Vote",
    "Webhook",
    "WhatIf",
]
