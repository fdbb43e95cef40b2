"""How long bots take where people play with them in one sitting: a pause, so that one sees what
happens, and no rush.

It depends on what kind of thing is decided, and on the table's seed and version; it is counted
from the last action. Bots among themselves, games over days, and servers that live at another time
than the machine's know no pause.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from django.conf import settings

from ...model.choices import Choice
from .. import clock
from ..models import Table
from ..presence import watched
from .rights import present

#: Seconds for a decision among some kinds of actions: the longest counts.
_SECONDS: Final = {
    "pass": 0.6, "run_routes": 1.0, "dividend": 0.8, "lay_tile": 1.4, "place_token": 1.4,
    "buy_train": 1.4, "take_loan": 0.9, "payoff_loan": 0.9, "bid": 1.6, "buy_shares": 1.8,
    "sell_shares": 1.8, "short": 1.8, "par": 2.4, "merge": 2.4, "convert": 2.0,
}  # fmt: skip
#: For kinds that are not named, and where there is nothing to decide.
_OTHERS, _FORCED = 1.2, 0.4
#: How much chance has in it, to both sides.
_EVEN = 0.3


def left(table: Table, choices: Sequence[Choice]) -> float:
    """Seconds the bot that is waited for still takes; 0: it may act."""
    if not settings.BOT_PAUSE or table.pace != Table.Pace.LIVE or not _seen(table):
        return 0.0
    last = table.moves.order_by("-number").values_list("at", flat=True).first() or table.since
    passed = (clock.now() - last).total_seconds()
    return max(0.0, settings.BOT_PAUSE * whole(table, choices) - passed)


def _seen(table: Table) -> bool:
    """Whether anybody plays with the bots, or looks on from the seat one plays for him."""
    return bool(present(table)) or watched(table)


def whole(table: Table, choices: Sequence[Choice]) -> float:
    """Seconds a bot takes for a decision."""
    luck = Random(f"{table.seed}:{table.version}").uniform(1 - _EVEN, 1 + _EVEN)
    if len(choices) == 1 and not choices[0].domains:
        return _FORCED * luck
    return max((_SECONDS.get(c.type, _OTHERS) for c in choices), default=_OTHERS) * luck
