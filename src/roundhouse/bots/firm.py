"""A company as its forecast sees it, and what is expected of it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from .works import Estate

#: What is left of a company's turn in the round that is running: its run, the trains it may buy
#: after it, nothing.
Turn = Literal["run", "trains", "over"]


class Firm(Struct, frozen=True):
    """What the forecast needs to know of a company. ``income``: what its trains earn now, or would
    if it has none: those of ``supposed``;
    ``quality``: what a train does on its track against what is typical of it; ``more``: the same of
    one more train; ``further``: of each beyond it; ``room``: how many trains it may own, in how
    many ``shells``; ``own``: shares it gets dividends on itself; ``delay``: rounds until it
    operates; ``borrows``: loans it may have;
    ``steady``: what it earns beside its trains; ``waits``: rounds in which it buys no train;
    ``full``: whether players have all its shares; ``pool``: steps its price falls for shares in the
    pool, if they lie there at the end of a stock round; ``estate``: what it lives on beside trains;
    ``coming``: money for shares of its own, and the round it comes in; ``visited``: of one that
    lives on the runs of others, what these bring now, what they will once trains get everywhere,
    and how likely one gets there in a round; ``turn``: what is left of its turn, if a round is
    running; ``at``: when in a round it comes, in rounds from who operates in the position plans are
    made in."""

    id: str
    shares: int
    cell: str
    cash: int
    loans: int
    kinds: tuple[str, ...]
    income: int
    quality: float
    room: int
    own: float = 0.0
    delay: int = 0
    borrows: int = 0
    steady: int = 0
    more: float = 1.0
    further: float = 1.0
    waits: int = 0
    full: bool = False
    pool: int = 0
    estate: Estate | None = None
    coming: tuple[int, float] = (0, 0.0)
    visited: tuple[float, float, float] | None = None
    supposed: tuple[str, ...] = ()
    shells: int = 1
    turn: Turn = "run"
    at: float = 0.0


class Plan(Struct, frozen=True):
    """What is expected of a company. ``worth``: of one share, dividends and last price in the money
    of today; ``price``: the last price expected; ``paid``: dividends a share; ``help``: what its
    president adds for trains, in the money of today, the less of it the less certain it is;
    ``later``: what of that is due after a stock round; ``income``: a round, soon; ``soon``: help
    due in this round and the next; ``bought``: (round, kind) of the trains it gets; ``dies``: the
    round it is liquidated in, -1: never; ``traded``: the cell its price is in at the next stock
    round, empty if none comes."""

    worth: float
    price: float
    paid: float
    help: float = 0.0
    later: float = 0.0
    income: float = 0.0
    soon: tuple[float, float] = (0.0, 0.0)
    bought: tuple[tuple[int, str], ...] = ()
    dies: int = -1
    traded: str = ""
