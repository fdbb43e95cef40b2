"""The state of a game of 1873: what it adds to the common records, and its rounds' memories."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ...model.frozen import EMPTY
from ...model.records import Corporation, Round, State
from ...rounds.bidding import Bidding
from ...rounds.steps.progress import OperatingProgress, StockProgress

RAILWAY, PUBLIC_MINE, EXTERNAL, MINE = "railway", "public_mine", "external", "minor"


class Mine(Corporation, frozen=True, kw_only=True, tag="mine"):
    """§6.1. ``owner``: a player, a public mining company or nobody. ``open`` until it is closed;
    ``connected`` to the state railway, for ever once it is."""

    owner: str | None = None
    open: bool = True
    connected: bool = False
    #: What companies may be, and a mine never is.
    pending: ClassVar[bool] = False
    incomplete: ClassVar[bool] = False
    receivership: ClassVar[bool] = False

    @property
    def entity_type(self) -> str:
        return "minor"


class Charter(Corporation, frozen=True, kw_only=True, tag="charter"):
    """A railway, a public mining company or the external railway.

    ``pending``: it has not bought its compulsory train; ``incomplete``: its concession route is
    not built; ``advanced``: its concession came a phase earlier. ``mines`` in slot order, up to
    ``slots``. ``inactive``: indexes of placed tokens not visited in its latest run.
    """

    pending: bool = False
    incomplete: bool = False
    advanced: bool = False
    mines: tuple[str, ...] = ()
    slots: int = 0
    inactive: tuple[int, ...] = ()

    @property
    def formed(self) -> bool:
        """Whether it has a share price."""
        return self.cell is not None

    @property
    def receivership(self) -> bool:
        """§6.6: formed, but nobody leads it (the external railway never counts)."""
        return self.cell is not None and self.president is None and self.kind != EXTERNAL


class PremiumRound(Round, frozen=True, kw_only=True, tag="premium"):
    """§3.1: the auction that fixes the premium; ``left``: who passed, in order."""

    bidding: Bidding
    left: tuple[str, ...] = ()


class DraftRound(Round, frozen=True, kw_only=True, tag="draft"):
    """§3.2. ``passed``: pass marks; ``begun``: somebody has bought something."""

    player: str
    passed: tuple[str, ...] = ()
    begun: bool = False


class CardRound(Round, frozen=True, kw_only=True, tag="cards"):
    """§4.7: the auction of concessions and purchase options. ``player`` nominates next."""

    player: str
    items: tuple[str, ...]
    passed: tuple[str, ...] = ()
    bidding: Bidding | None = None


class StockRound(StockProgress, frozen=True, kw_only=True, tag="stock"):
    """§5.1. ``bought``: the purchase of this turn; ``extra``: the company of which §5.1.6 allows
    more, ``restarted`` if by its purchase option. ``merging``: the public mining company being
    formed."""

    bought: bool = False
    extra: str | None = None
    restarted: bool = False
    merging: str | None = None


class OperatingRound(OperatingProgress, frozen=True, kw_only=True, tag="operating"):
    """§5.2. ``again``: a second lay is allowed; ``revenue``: before maintenance."""

    again: bool = False


AnyRound = PremiumRound | DraftRound | CardRound | StockRound | OperatingRound


class State1873(State, kw_only=True):
    """Adds what is counted through the whole game.

    ``premium``: of the draft, None before it is known. ``supply``: ids of the tiles not on the map
    and not reserved, in the order they are searched (§9.5.4); ``kept``: hex → reserved tile.
    ``owed``: hex → what its railway must pay back (§9.6.4). ``report``: who has laid track and may
    report connections (§5.4). ``carriers``: train → its route ids (§10.7), with the next number by
    type and the highest number of the diesels' pool; ``switchers`` and ``copies``: next numbers.
    """

    corporations: Mapping[str, Charter | Mine]
    round: AnyRound
    premium: int | None = None
    supply: tuple[str, ...] = ()
    kept: Mapping[str, str] = EMPTY
    owed: Mapping[str, int] = EMPTY
    report: str | None = None
    carriers: Mapping[str, tuple[str, ...]] = EMPTY
    next_carrier: Mapping[str, int] = EMPTY
    diesel_pool: int = 0
    switchers: int = 0
    copies: int = 128
    last_turn: int | None = None


def mine_of(s: State, name: str) -> Mine:
    """A mine's record."""
    record = s.corporations[name]
    assert isinstance(record, Mine)
    return record


def mines_of(s: State) -> list[Mine]:
    """All mines by number."""
    return [c for c in s.corporations.values() if isinstance(c, Mine)]


def charter_of(s: State, name: str) -> Charter:
    """The record of a railway, public mining company or the external railway."""
    record = s.corporations[name]
    assert isinstance(record, Charter)
    return record
