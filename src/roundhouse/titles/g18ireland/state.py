"""The state of a game of 18Ireland: what it adds to the common records; its rounds' memories."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ...model.frozen import EMPTY
from ...model.records import Corporation, Round, State
from ...rounds.bidding import Bidding
from ...rounds.steps.progress import OperatingProgress, StandingProgress, StockProgress


class Charter(Corporation, frozen=True, kw_only=True):
    """A corporation; ``markers``: bonus markers it owns, by company (§8.3)."""

    markers: tuple[str, ...] = ()


class AuctionRound(StandingProgress, frozen=True, kw_only=True, tag="auction"):
    """§3. ``offered``: what is left, cheapest first; ``discount``: off the first face value;
    ``sold``: something has been."""

    offered: tuple[str, ...]
    discount: int = 0
    sold: bool = False


class StockRound(StockProgress, frozen=True, kw_only=True, tag="stock"):
    """§5.1. ``bidding``: the auction of a minor; ``homeless``: a corporation whose home is being
    chosen; ``started``: a minor was started in this round.
    """

    lasting = ("started",)

    bidding: Bidding | None = None
    homeless: str | None = None
    started: bool = False


class OperatingRound(OperatingProgress, frozen=True, kw_only=True, tag="operating"):
    """§5.2. ``pair``: company and hex of the first of two tiles laid together; ``traded``: a train
    was handed in."""

    pair: tuple[str, str] | None = None
    traded: bool = False


class Vote(Struct, frozen=True):
    """§5.3.6: ``voters`` still to be asked with their votes; ``accepted`` is None while open."""

    voters: tuple[tuple[str, int], ...]
    available: int
    in_favour: int = 0
    against: int = 0
    accepted: bool | None = None

    @property
    def needed(self) -> int:
        """Votes for that carry the merger."""
        return self.available // 2 + 1


class MergerRound(Round, frozen=True, kw_only=True, tag="merger"):
    """§5.3. ``player`` is on turn; ``merging``: minors he has named; ``proposed``: sets voted on in
    this round, each sorted."""

    player: str
    passed: tuple[str, ...] = ()
    merging: tuple[str, ...] = ()
    proposed: tuple[tuple[str, ...], ...] = ()
    vote: Vote | None = None


AnyRound = AuctionRound | StockRound | OperatingRound | MergerRound


class State18Ireland(State, kw_only=True):
    """Adds what has signalled the end (§13), the kinds of trains that went down with closed
    corporations and still come back when they rust (§10.3), and how many primed trains of each
    kind have come into play."""

    corporations: Mapping[str, Charter]
    round: AnyRound
    capped: bool = False
    lost: tuple[str, ...] = ()
    primed: Mapping[str, int] = EMPTY

    @property
    def broken(self) -> bool:
        """§13: whether the bank has broken."""
        return self.bank_low < 0
