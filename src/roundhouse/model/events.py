"""What happened: typed events, emitted by the verbs and by rounds as an action is applied.

The game log's sentences, the page's highlights and statistics are made from these; rules code
writes no prose. ``who`` and the like are entity keys.
"""

from __future__ import annotations

from msgspec import Struct


class Event(Struct, gc=False, frozen=True, tag=True):
    """Base of all events."""


class Paid(Event, frozen=True):
    """Money moved. ``why`` is a short word such as ``tile``, ``dividend``, ``interest``."""

    payer: str
    payee: str
    amount: int
    why: str


class SharesMoved(Event, frozen=True):
    """Certificates changed hands; ``shares`` are ids as in game files."""

    corporation: str
    shares: tuple[str, ...]
    percent: int
    source: str
    target: str


class SharesCreated(Event, frozen=True):
    corporation: str
    shares: tuple[str, ...]
    holder: str


class SharesVanished(Event, frozen=True):
    corporation: str
    shares: tuple[str, ...]
    holder: str


class PresidentChanged(Event, frozen=True):
    corporation: str
    before: str | None
    after: str | None


class PriceMoved(Event, frozen=True):
    """A marker moved, entered (``before`` None) or left (``after`` None) the market."""

    corporation: str
    before: str | None
    after: str | None
    why: str


class TileLaid(Event, frozen=True):
    who: str
    hex: str
    tile: str
    rotation: int
    cost: int


class TokenPlaced(Event, frozen=True):
    who: str
    city: str
    cost: int


class TokenRemoved(Event, frozen=True):
    who: str
    city: str


class MarkerPlaced(Event, frozen=True):
    who: str
    hex: str
    marker: str


class MarkerRemoved(Event, frozen=True):
    hex: str
    marker: str


class TrainMoved(Event, frozen=True):
    """``source``/``target``: an owner, ``depot``, ``market`` or ``gone``."""

    train: str
    source: str
    target: str
    price: int


class TrainsRusted(Event, frozen=True):
    trains: tuple[str, ...]


class TrainsObsolete(Event, frozen=True):
    trains: tuple[str, ...]


class PhaseStarted(Event, frozen=True):
    phase: str


class LoanTaken(Event, frozen=True):
    corporation: str
    loans: int


class LoanRepaid(Event, frozen=True):
    corporation: str
    loans: int


class CompanyMoved(Event, frozen=True):
    """A private changed hands; ``target`` may be ``closed``."""

    company: str
    source: str
    target: str


class BidMade(Event, frozen=True):
    who: str
    item: str
    price: int


class AuctionWon(Event, frozen=True):
    who: str
    item: str
    price: int


class Passed(Event, frozen=True):
    """Somebody did nothing; ``about``: with which company or lot, if he was asked about one."""

    who: str
    step: str
    about: str = ""


class Ran(Event, frozen=True):
    """A company ran; ``routes`` are (train, text, revenue)."""

    who: str
    revenue: int
    routes: tuple[tuple[str, str, int], ...]


class DividendDeclared(Event, frozen=True):
    """``kept`` stays with the corporation; ``paid`` are cash changes by entity."""

    who: str
    kind: str
    revenue: int
    kept: int
    paid: tuple[tuple[str, int], ...]

    @property
    def paid_out(self) -> tuple[tuple[str, int], ...]:
        """What others than the corporation itself got."""
        return tuple((who, amount) for who, amount in self.paid if who != self.who and amount)


class Founded(Event, frozen=True):
    corporation: str
    who: str
    size: int


class Converted(Event, frozen=True):
    corporation: str
    size: int


class Merged(Event, frozen=True):
    survivor: str
    other: str


class Liquidated(Event, frozen=True):
    """A corporation entered liquidation."""

    corporation: str


class CorporationClosed(Event, frozen=True):
    corporation: str


class Bankruptcy(Event, frozen=True):
    who: str


class RoundStarted(Event, frozen=True):
    name: str
    turn: int
    number: int


class TurnStarted(Event, frozen=True):
    who: str


class Noted(Event, frozen=True):
    """Anything a title tells in its own words: ``code`` is looked up in its texts. ``amount``:
    money, or a number ``among`` others."""

    code: str
    who: str = ""
    what: str = ""
    amount: int = 0
    among: int = 0


class GameEnded(Event, frozen=True):
    reason: str
