"""Promises: what a player says ahead that he will do.

A promise is a record (:mod:`.kinds`); :func:`keep` says what it does in a game as it stands: act,
wait, or stop with a reason. It knows no title: all it goes by are the choices, the facts and the
events every title has. It keeps nothing and asks nobody; who stores promises, and when they are
kept, is a server's matter.

>>> import roundhouse
>>> from roundhouse.promises import Act, PassUntil, hold, keep
>>> title, *_ = roundhouse.titles()
>>> game = roundhouse.new(title, players=["Ada", "Ben", "Cleo"], seed=7)
>>> verdict = keep(hold(PassUntil(), game, game.acting[0]), game)
>>> isinstance(verdict, Act) and verdict.action.type
'pass'
"""

from .ahead import next_turn, until
from .keeping import answer, hold, keep
from .kinds import (
    Act,
    Agree,
    AnyPromise,
    BidUpTo,
    BuyUntil,
    Condition,
    Held,
    Order,
    PassFor,
    PassUntil,
    Plan,
    Promise,
    RunAsLast,
    Stopped,
    Verdict,
    Wait,
    decode,
    encode,
)
from .orders import plan_of
from .programs import from_program, to_program
from .repeating import as_last
from .situation import Situation
from .words import told

__all__ = [
    "Act",
    "Agree",
    "AnyPromise",
    "BidUpTo",
    "BuyUntil",
    "Condition",
    "Held",
    "Order",
    "PassFor",
    "PassUntil",
    "Plan",
    "Promise",
    "RunAsLast",
    "Situation",
    "Stopped",
    "Verdict",
    "Wait",
    "answer",
    "as_last",
    "decode",
    "encode",
    "from_program",
    "hold",
    "keep",
    "next_turn",
    "plan_of",
    "to_program",
    "told",
    "until",
]
