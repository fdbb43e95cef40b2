"""The state of a game of 1817: what it adds to the common records, and its rounds' memories."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ...model.records import Corporation, Round, State
from ...rounds.bidding import Bidding
from ...rounds.steps.progress import OperatingProgress, StockProgress


class Charter(Corporation, frozen=True, kw_only=True):
    """A corporation; ``former_president``: who led it when it was marked for liquidation."""

    former_president: str | None = None


class AuctionRound(Round, frozen=True, kw_only=True, tag="auction"):
    """§3: ``chooser`` opens the next auction; ``rows``: the Volatility pyramid, top row first."""

    chooser: str
    passed: tuple[str, ...] = ()
    bidding: Bidding | None = None
    rows: tuple[tuple[str | None, ...], ...] = ()


class Founding(Struct, frozen=True):
    """§5.1.6: a corporation being started. ``stage``: ``auction``, ``size``, ``privates``."""

    corporation: str
    opener: str
    bidding: Bidding
    home_due: bool = True
    stage: str = "auction"
    winner: str | None = None


class StockRound(StockProgress, frozen=True, kw_only=True, tag="stock"):
    """§5.1. ``barred``: what was sold or shorted. Of the turn: ``acted`` for oneself; ``shorted``;
    ``corporate``: whose corporate turn this is; ``redeemed``: shares were bought back in it."""

    shorted: bool = False
    corporate: str | None = None
    redeemed: bool = False
    founding: Founding | None = None

    @property
    def idle(self) -> bool:
        return not self.acted and self.corporate is None


class OperatingRound(OperatingProgress, frozen=True, kw_only=True, tag="operating"):
    """§5.2. ``rate``: interest of the round; of the turn, ``waited``: somebody has been asked,
    ``hexes`` laid on, ``borrowed`` since the interest."""

    lasting = ("rate",)

    rate: int = 0
    waited: bool = False
    hexes: tuple[str, ...] = ()
    borrowed: bool = False


class TokenClash(Struct, frozen=True):
    """§6.8: tokens of ``other`` being taken over by ``survivor``; some must come off first."""

    survivor: str
    other: str


class Deal(Struct, frozen=True):
    """§5.3.5: what follows a conversion or merger of ``corporation``. ``stations`` it must buy
    as far as it has room for tokens, ``subsidised`` if privates help; ``done``: players who have
    had their say."""

    corporation: str
    stations: int
    stage: str = "players"
    done: tuple[str, ...] = ()
    redeemed: bool = False
    subsidised: bool = False


class MergerRound(Round, frozen=True, kw_only=True, tag="merger"):
    """§5.3. ``zones``: every started corporation's zone when the M&A rounds began."""

    order: tuple[str, ...]
    zones: Mapping[str, str]
    index: int = 0
    done: tuple[str, ...] = ()
    deal: Deal | None = None
    clash: TokenClash | None = None


class Offer(Struct, frozen=True):
    """§5.4: a corporation being treated in an acquisition round.

    ``kind``: its zone; ``stage``: ``offer``, ``auction``, ``buyer``, ``loans``, ``repay``.
    ``pot``/``debts``: cash and loans set aside in a liquidation; ``unpaid``: loans taken over.
    """

    corporation: str
    kind: str
    stage: str
    minimum: int
    president: str | None
    pot: int = 0
    debts: int = 0
    bidding: Bidding | None = None
    buyer: str | None = None
    unpaid: int = 0


class AcquisitionRound(Round, frozen=True, kw_only=True, tag="acquisition"):
    """§5.4. ``order``: corporations still to come; ``crisis_from``: whose seat comes first when
    settlements left players in debt, that of the last one."""

    order: tuple[str, ...]
    bidders: tuple[str, ...]
    zones: Mapping[str, str]
    offer: Offer | None = None
    clash: TokenClash | None = None
    crisis_from: str | None = None


AnyRound = AuctionRound | StockRound | OperatingRound | MergerRound | AcquisitionRound


class State1817(State, kw_only=True):
    """Adds seed money (§3.2), the last turn once it is known (§13.1), what the Inventor has been
    paid for (§14.1), and trains lost in bank liquidations that still count as on offer (§10.3)."""

    corporations: Mapping[str, Charter]
    round: AnyRound
    seed_money: int = 0
    last_turn: int | None = None
    last_set: int = 0
    invented: tuple[str, ...] = ()
    ghosts: tuple[str, ...] = ()
