"""What may be done with tables: one function each, holding permission, execution and record.

The pages, the admin and tests all come through here. Everything that changes a game goes through
:func:`submit`; of several submissions to one version exactly one wins.
"""

from __future__ import annotations

from ...deciding import decides
from .acting import answer, submit
from .assistance import Aid, assistance_of, may
from .cache import open_game, open_games
from .consent import withdraw
from .faults import Forbidden, Held, NotBegun, Refused, Stale, as_sentence
from .files import import_file, take_in
from .log import Opened, fresh
from .rights import check_seat, may_see, my_keys, my_places
from .seating import (
    Plan,
    add_bot,
    appoint,
    begin,
    change_bot,
    create,
    join,
    kick,
    leave,
    start,
    teach,
)
from .sent import action_of
from .summary import round_name, summarise
from .undoing import turn_start
from .verifying import Verdict, mend, verdict, verify

__all__ = [
    "Aid",
    "Forbidden",
    "Held",
    "NotBegun",
    "Opened",
    "Plan",
    "Refused",
    "Stale",
    "Verdict",
    "action_of",
    "add_bot",
    "answer",
    "appoint",
    "as_sentence",
    "assistance_of",
    "begin",
    "change_bot",
    "check_seat",
    "create",
    "decides",
    "fresh",
    "import_file",
    "join",
    "kick",
    "leave",
    "may",
    "may_see",
    "mend",
    "my_keys",
    "my_places",
    "open_game",
    "open_games",
    "round_name",
    "start",
    "submit",
    "summarise",
    "take_in",
    "teach",
    "turn_start",
    "verdict",
    "verify",
    "withdraw",
]
