"""The state of a game of 1839: what it adds to the common records, and its rounds' memories."""

from __future__ import annotations

from collections.abc import Mapping

from ...model.records import Round, State

PUBLIC, FOREIGN, COUNTRY = "public", "foreign", "country"
#: ``Token.kind`` of an exchange marker; an ordinary station has none.
EXCHANGE = "exchange"


class AuctionRound(Round, frozen=True, kw_only=True, tag="auction"):
    """§3: ``player`` is on turn; ``passes`` followed one another; ``pots``: cash on privates."""

    player: str
    passes: int = 0
    pots: Mapping[str, int] = {}


class StockRound(Round, frozen=True, kw_only=True, tag="stock"):
    """§5. ``player`` is on turn; ``passed``: the order of passing; ``sold``: companies each player
    sold in this round; ``parred``: the company just started, whose next share may follow;
    ``skipped``: turns in a row in which nothing could be done."""

    player: str
    passed: tuple[str, ...] = ()
    sold: Mapping[str, tuple[str, ...]] = {}
    acted: bool = False
    bought: bool = False
    parred: str | None = None
    skipped: int = 0


class OperatingRound(Round, frozen=True, kw_only=True, tag="operating"):
    """§4.3. ``order[index]`` operates, in ``stage``; afterwards the foreigners.

    ``lays``: tiles that count, ``outpost``: the hex where a station of SHZ is due, ``marked``: the
    turn's marker is used up, ``raised``: money for a train was raised or given (§10.6).
    ``abroad``: foreigners of the country on turn still to come, ``foreigner`` the one on turn,
    ``country`` how many countries have begun.
    """

    order: tuple[str, ...]
    index: int = -1
    stage: str = "end"
    lays: int = 0
    upgraded: bool = False
    outpost: str | None = None
    marked: bool = False
    revenue: int = 0
    raised: bool = False
    country: int = 0
    abroad: tuple[str, ...] = ()
    foreigner: str | None = None


AnyRound = AuctionRound | StockRound | OperatingRound


class State1839(State, kw_only=True):
    """Adds what was drawn: private → public company linked to it (§2.4); the train marker of each
    stock round so far (§13.2); locations that have been connected (§8.3 MES); the train that will
    run once more instead of rusting (§8.3 VV). A foreigner's cash is its income slot, a country's
    its treasury.
    """

    round: AnyRound
    linked: Mapping[str, str] = {}
    train_markers: tuple[str | None, ...] = ()
    connected: frozenset[str] = frozenset()
    spared: str | None = None
