"""The state of a game of 1839: what it adds to the common records, and its rounds' memories."""

from __future__ import annotations

from collections.abc import Mapping

from ...model.frozen import EMPTY
from ...model.records import Round, State
from ...rounds.steps.progress import OperatingProgress, StockProgress

PUBLIC, FOREIGN, COUNTRY = "public", "foreign", "country"
#: ``Token.kind`` of an exchange marker; an ordinary station has none.
EXCHANGE = "exchange"
#: The stage of an operating round in which the foreigners operate.
ABROAD = "abroad"


class AuctionRound(Round, frozen=True, kw_only=True, tag="auction"):
    """§3: ``player`` is on turn; ``passes`` followed one another; ``pots``: cash on privates."""

    player: str
    passes: int = 0
    pots: Mapping[str, int] = EMPTY


class StockRound(StockProgress, frozen=True, kw_only=True, tag="stock"):
    """§5. ``bought``: the purchase of the turn; ``parred``: the company just started, whose next
    share may follow; ``skipped``: turns in a row in which nothing could be done."""

    lasting = ("skipped",)

    bought: bool = False
    parred: str | None = None
    skipped: int = 0


class OperatingRound(OperatingProgress, frozen=True, kw_only=True, tag="operating"):
    """§4.3. After the public companies the foreigners operate, in the stage ``ABROAD``.

    Of a turn: ``outpost``: the hex where a station of SHZ is due, ``raised``: money for a train was
    raised or given (§10.6). ``abroad``: foreigners of the country on turn still to come,
    ``foreigner`` the one on turn, ``country`` how many countries have begun.
    """

    outpost: str | None = None
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
    linked: Mapping[str, str] = EMPTY
    train_markers: tuple[str | None, ...] = ()
    connected: tuple[str, ...] = ()
    spared: str | None = None
