"""What a player should know of a title: data beside it, ``knowledge.json``, in this form."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Literal

import msgspec
from msgspec import Struct

from ..titles.title import Title


class Founding(Struct, frozen=True, forbid_unknown_fields=True):
    """What companies are founded with. ``least`` and ``most``: what is bid for one; ``needs``: what
    it should begin with; ``capital``: shares the bank pays for when it floats; ``reserve``: money
    not spent on privates."""

    least: int = 0
    most: int = 0
    needs: int = 0
    capital: int = 0
    reserve: int = 0
    #: What a dollar that is left for shares brings beside itself, where privates are bought first.
    otherwise: float = 0.0
    #: What it is worth to choose first.
    premium: int = 0
    #: Companies that a card of their name lets a player begin: the card is lost after the stock
    #: round it was not used in.
    cards: tuple[str, ...] = ()
    #: Those of them that need no train; the others are lost without one at the end of their first
    #: turn.
    trainless: tuple[str, ...] = ()
    #: Part of the others' money that goes into a company that is to float, whether companies that
    #: miss less are served first, and how unlikely it is to float while nothing of it is sold.
    joining: float = 0.12
    in_turn: bool = False
    doubt: float = 0.5
    #: Operating rounds to the end below which nothing is founded any more.
    rounds: float = 2.0


class Visits(Struct, frozen=True, forbid_unknown_fields=True):
    """Companies that never run trains and live on those of others: ``part`` of a run goes to each
    whose hexes (``areas``) it gets to, one of those in reach at a time; trains of the kinds
    ``everywhere`` get to all."""

    part: float
    areas: Mapping[str, tuple[str, ...]]
    everywhere: tuple[str, ...] = ()

    def often(self, kinds: Iterable[str], areas: Collection[str]) -> float:
        """How often a run of some trains gets to each of the areas in reach."""
        return 1.0 if self.all_over(kinds) else 1 / len(areas)

    def all_over(self, kinds: Iterable[str]) -> bool:
        """Whether some of the trains get everywhere."""
        return any(kind in self.everywhere for kind in kinds)


class Level(Struct, frozen=True, forbid_unknown_fields=True):
    """Equipment of a place: its kinds; one card of the first costs ``card`` and does for as many
    places as it ``serves``, the others cost ``each``."""

    kinds: tuple[str, ...]
    card: int
    serves: int
    each: int


class Works(Struct, frozen=True, forbid_unknown_fields=True):
    """Companies that earn beside their routes: the equipment of their places while a kind of train
    is on sale, how many places they may have by their shares, and what another one costs."""

    levels: Mapping[str, Level]
    places: Mapping[int, int]
    price: int


class Weights(Struct, frozen=True, forbid_unknown_fields=True):
    """How much things count. Those that ``benchmarks/weights.py people`` goes through are fitted on
    what people did; the others are set by hand."""

    #: What money in hand earns an operating round, so that later money counts for less.
    growth: float = 0.05
    #: How fast a network becomes what networks are at most tables, a round.
    maturing: float = 0.25
    #: How fast a network makes room for one more train, a round.
    spreading: float = 1.0
    #: What a dollar in a treasury at the end is worth to the owners.
    treasury: float = 0.25
    #: What a dollar of revenue the track around may bring is worth, a round, while it is laid.
    potential: float = 0.12
    #: Rounds that count of what a tile brings with the trains to come.
    later: float = 3.0
    #: What a rival's dollar counts against one's own.
    rivals: float = 0.15
    #: What a dollar of the best rival counts beside that in the end, and less before.
    closing: float = 0.5
    #: Part of what a private is thought to be worth that is bid for it.
    daring: float = 1.0
    #: What a share of a living company earns a round beyond what can be foreseen.
    prospect: float = 0.0
    #: What an action must bring beside doing nothing: else the same could be done to and fro.
    trouble: float = 2.0
    #: How much of what money would bring otherwise counts against a purchase of shares.
    thrift: float = 0.0
    #: Least gain for a dollar spent on a share.
    yield_least: float = 0.0
    #: The same beside, where a company offers shares before a stock round to who does not lead it.
    early: float = 0.0
    #: What a sale of shares must bring beyond its price, as a part of it: plans are no more exact.
    sale: float = 0.15
    #: What a train bought from another company of the same player must bring, as a part of its face
    #: value: plans are no more exact than that.
    deal: float = 1.0
    #: How much counts, where a train is bought that is not new, of what the plan loses as that of
    #: the bank is passed up.
    passed_up: float = 0.0
    #: How much counts at a dividend of what the train brings that is then bought in the same turn:
    #: people of most titles rather pay out.
    train_after: float = 0.0
    #: What a tile must bring, and what a dollar spent on track counts.
    laid: float = 3.0
    track: float = 2.0
    #: What a place kept open by a station, and closed to others, is worth.
    held: float = 0.0
    #: What the worth of a share counts that is sold short: it may rise.
    short: float = 1.25
    #: What of a stake counts as lost when a company becomes one that can be sold short.
    exposed: float = 0.0
    #: Part of what a share counts in a stock round by its price, what it earns now and its part of
    #: the treasury; the rest is by its plan.
    plain: float = 0.0
    #: How much of what a company without a train is thought to be worth beyond its price counts.
    fresh: float = 1.0
    #: What the president's help with a train costs him beside the money.
    help: float = 1.3
    #: How much counts of what he loses by sales that pay for help soon.
    raised: float = 0.0
    #: How much of the help with a train counts that is not due at once, and how much less if it is
    #: far off: companies save, and merge.
    caution: float = 0.35
    far_off: float = 0.3
    #: What leading a company is worth to a player, part of its income of one round.
    control: float = 1.0


class Knowledge(Struct, frozen=True, forbid_unknown_fields=True):
    """What is known of a title, from many games and its rules.

    ``pace``: operating rounds from the beginning to the first train of each kind, and to the
    ``end``; ``typical``: what a train of a kind earns a round in a grown network; ``another``: what
    each further train of a company adds, as a part of that; ``alone``: kinds of which a second one
    adds nothing.
    """

    pace: Mapping[str, float]
    typical: Mapping[str, float]
    another: float = 0.7
    alone: tuple[str, ...] = ()
    #: What the first run of a company brings, as a part of what its trains typically earn: 0.5 to
    #: 0.9 at tables of bots; less where companies that have money wait with their first train.
    first_run: float = 0.7
    #: What companies earn in the first phase where they begin, against what is typical then.
    homes: Mapping[str, float] = {}
    #: How vague plans are: the part of the price around each threshold within which a dividend is
    #: more or less likely to bring it about. Unless 0, a game may also end a round sooner or later.
    vague: float = 0.0
    #: Where a price goes at the end of a stock round if players have all shares.
    sold_out: Literal["", "up", "right"] = ""
    #: Where it goes then for each share in the pool; of companies that live on the runs of others,
    #: for all of them together.
    sinks: Literal["", "down", "left"] = ""
    #: What ends the game beside the pace of trains: the highest price of the market; the last money
    #: of the bank.
    peak: bool = False
    bank: bool = False
    #: How much longer that takes than as the crow flies, for each round of it: companies miss
    #: trains, and withhold.
    drag: float = 0.08
    #: Whether a company must own a train, its president helping.
    compulsory: bool = False
    #: Whether the game ends where he cannot pay it.
    ruinous: bool = False
    #: Whether trains wait until a company can pay them: nobody borrows, or helps before he must.
    patient: bool = False
    #: Whether a company without a train at the end of its turn is liquidated.
    perishing: bool = False
    #: Whether its owners lose a company that cannot pay what keeping its things costs.
    insolvency: bool = False
    #: What a train becomes when it rusts: the bank sells those that did.
    leftovers: Mapping[str, str] = {}
    #: Worth of private companies beside face value and revenue.
    privates: Mapping[str, float] = {}
    #: What privates that bring a company bring to who buys them, at once; the company's first train
    #: closes them.
    opening: Mapping[str, float] = {}
    #: Operating rounds the revenue of privates counts, and the part of their face value that does.
    private_rounds: float = 5.0
    private_face: float = 1.0
    #: Whether privates pay for foundings at face value.
    privates_pay: bool = False
    visits: Visits | None = None
    founding: Founding = Founding()
    #: Whether companies earn, or cost, something beside their routes, and how they earn more of it.
    fixed: bool = False
    works: Works | None = None
    #: Whether companies sell shares of their own to players in later stock rounds.
    issues: bool = False
    #: What the track costs a company that makes its network grow, a round.
    building: int = 0
    #: What parts of a revenue a company may keep; any, if none are told.
    kept: tuple[float, ...] = ()
    #: Gauge of track no train runs on, along which towns add to what the stops pay it meets.
    aside: str = ""
    #: Whether trains are measured in the hex sides they may cross.
    sides: bool = False
    #: Whether only a company's own network decides what it earns.
    local: bool = True
    #: Whether people's games of it are among those habits were found in: else those decide between
    #: candidates no farther apart where some are looked into.
    practised: bool = True
    #: Tiles, and stations, routes are searched for where none is looked into.
    searched: int = 12
    #: With so many tiles on the board, or more, no level looks on, as plans alone have won more
    #: games then. 0: that does not depend on them.
    crowded: int = 0
    weights: Weights = Weights()

    def lives_on_visits(self, company: str) -> bool:
        """Whether a company never runs trains and lives on those of others."""
        return self.visits is not None and company in self.visits.areas


@lru_cache(maxsize=64)
def knowledge_of(title: Title) -> Knowledge:
    """What is known of a title: its own file, or that of the title it is made from; nothing in
    particular if neither has one."""
    raw = title.extra("knowledge.json")
    if raw is None:
        return Knowledge(pace={}, typical={})
    return msgspec.json.decode(raw, type=Knowledge)
