"""The state of a game: frozen records in maps from id to record.

Records are never changed in place and maps are never written to: a verb builds the new record,
puts it into a copy of the map and assigns that to the :class:`State` it was given, which is a
private fork nobody else has seen. So a fork is one shallow copy. When all is done the fork is
*sealed*: writing to it, its records or maps raises from then on, and any state ever seen stays what
it was.

Keys. Whoever can own something is a string: ``player:<id>``, the symbol of a corporation or
minor, ``market`` (the bank pool of shares, the open market of trains) or ``bank``. Private
companies are keyed by symbol in :attr:`State.companies`; where one acts it is ``company:<id>``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar, cast

from msgspec import Struct, StructMeta
from msgspec.structs import asdict, force_setattr, replace

from .frozen import EMPTY
from .frozen import drop as drop
from .frozen import put as put

MARKET = "market"
BANK = "bank"
CLOSED = "closed"
#: Owner of a token that blocks a slot for ever.
BLOCKER = "blocker"

S = TypeVar("S", bound="State")
R = TypeVar("R", bound="Round")


class Cert(Struct, gc=False, frozen=True, array_like=True):
    """A share certificate. Index 0 is the president's. Negative ``percent``: a short.

    ``born`` orders certificates of one corporation by creation.
    """

    index: int
    percent: int
    born: int = 0


class Token(Struct, gc=False, frozen=True, array_like=True):
    """A station token of a charter: price to place it, and ``hex/city`` once placed."""

    price: int
    city: str | None = None
    kind: str = ""


class Player(Struct, gc=False, frozen=True):
    """A player; ``id`` as in the game file."""

    id: int | str
    name: str
    cash: int
    bankrupt: bool = False


class Corporation(Struct, gc=False, frozen=True, kw_only=True):
    """A corporation or minor. ``cell`` is its share-price id, None before it has started.

    ``shares``: number of shares it is divided into. ``certs``: certificates by holder, each list in
    order of arrival; its own key holds the treasury.
    """

    id: str
    kind: str = ""
    cash: int = 0
    president: str | None = None
    shares: int = 10
    cell: str | None = None
    par: int | None = None
    floated: bool = False
    operated: bool = False
    loans: int = 0
    tokens: tuple[Token, ...] = ()
    trains: tuple[str, ...] = ()
    certs: Mapping[str, tuple[Cert, ...]] = EMPTY

    @property
    def entity_type(self) -> str:
        """What traces call it."""
        return "corporation"

    @property
    def sender_type(self) -> str:
        """What it is as the sender of an action."""
        return self.entity_type

    @property
    def unit(self) -> int:
        """Percent of one share."""
        return 100 // self.shares

    @property
    def train_groups(self) -> tuple[tuple[str, ...], ...]:
        """Its trains by what the limit counts: all of them, where they are not kept apart."""
        return (self.trains,)

    def held(self, holder: str) -> int:
        """Net percent of a holder, shorts negative."""
        certs = self.certs.get(holder)
        return sum([c.percent for c in certs]) if certs else 0


class Company(Struct, gc=False, frozen=True):
    """A private company: its owner (None: unsold, ``closed``: gone) and uses left of powers."""

    id: str
    owner: str | None = None
    uses: int = 0

    @property
    def closed(self) -> bool:
        return self.owner == CLOSED


class Train(Struct, gc=False, frozen=True):
    """A train outside the depot's pile. ``kind`` is its type's name."""

    id: str
    kind: str
    owner: str
    obsolete: bool = False
    ran: bool = False
    variant: str | None = None


class Pile(Struct, gc=False, frozen=True, array_like=True):
    """What is left of one train type in the depot; ``left`` None: unlimited."""

    kind: str
    next: int
    left: int | None


class Depot(Struct, gc=False, frozen=True):
    """Trains for sale by the bank: the piles in order, and discarded ones in the open market."""

    piles: tuple[Pile, ...]
    market: tuple[str, ...] = ()


class Laid(Struct, gc=False, frozen=True, array_like=True):
    """A tile on the map."""

    tile: str
    rotation: int


class Reserved(Struct, gc=False, frozen=True, array_like=True):
    """A place on a hex kept for a company: a slot of a city, or (``city`` None) the whole hex."""

    entity: str
    city: int | None = None
    slot: int = 0


class Board(Struct, frozen=True, dict=True):
    """The map as it lies now; whatever is not listed is as printed.

    ``tiles``: hex → tile; ``cities``: hex → per city its slots, each the owner of the token in it
    or None; ``markers``: hex → markers; ``copies``: how many copies of an unlimited tile exist;
    ``reserved``: hex → places kept for companies; ``closed``: hex → who alone may pass its cities;
    ``open``: cities (``hex/city``) anybody may pass, sorted.
    What follows from a board is kept with it (:mod:`roundhouse.board.derived`).
    """

    tiles: Mapping[str, Laid] = EMPTY
    cities: Mapping[str, tuple[tuple[str | None, ...], ...]] = EMPTY
    markers: Mapping[str, tuple[str, ...]] = EMPTY
    copies: Mapping[str, int] = EMPTY
    reserved: Mapping[str, tuple[Reserved, ...]] = EMPTY
    closed: Mapping[str, tuple[str, ...]] = EMPTY
    open: tuple[str, ...] = ()


class Round(Struct, gc=False, frozen=True, kw_only=True):
    """Base of the records of how far a round has come. ``number`` counts within a set."""

    number: int = 1

    @classmethod
    def of(cls: type[R], s: State) -> R:
        """The record of the round now played, which is of this kind."""
        assert isinstance(s.round, cls)
        return s.round


class State(Struct, gc=False, kw_only=True):
    """Everything that changes in a game. See the module's text for who may write to it."""

    players: Mapping[str, Player]
    #: Seat or turn order as it is now.
    order: tuple[str, ...]
    corporations: Mapping[str, Corporation]
    companies: Mapping[str, Company]
    trains: Mapping[str, Train]
    depot: Depot
    #: Share-price id → markers on it, first come first.
    market: Mapping[str, tuple[str, ...]]
    board: Board
    round: Round
    phase: str
    bank: int = 0
    #: The least the bank has held, if that was below 0: where it can break, it has.
    bank_low: int = 0
    loans_left: int = 0
    #: Number of the stock round and its operating rounds.
    turn: int = 1
    #: Operating rounds in the present set.
    set_size: int = 0
    #: Entities waited for, the first one on turn; and the step they are in.
    acting: tuple[str, ...] = ()
    step: str = ""
    programs: Mapping[str, tuple[str, ...]] = EMPTY
    #: Why the game ended.
    finished: str | None = None
    #: Where the verbs of the action being applied report; None at rest.
    now: Any = None

    def fork(self: S) -> S:
        """A copy that can be written to without touching this one."""
        new: S = self.__copy__()  # type: ignore[attr-defined]
        force_setattr(new, "__class__", open_type(type(self)))
        return new

    def seal(self: S) -> S:
        """Let nobody write to this state any more. Its maps were frozen when they were made."""
        force_setattr(self, "__class__", sealed_type(type(self)))
        return self

    @property
    def sealed(self) -> bool:
        """Whether nobody can write to it."""
        return self.__struct_config__.frozen

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (open_type(type(self)), asdict(self), self.sealed)


def _again(kind: type[S], values: dict[str, Any], sealed: bool) -> S:
    state = kind(**values)
    return state.seal() if sealed else state


@cache
def sealed_type(kind: type[S]) -> type[S]:
    """What the states of a kind are once they are sealed: the same, but frozen."""
    if kind.__struct_config__.frozen:
        return kind
    body = {name: getattr(kind, name) for name in ("__module__", "__qualname__", "__doc__")}
    twin = StructMeta(kind.__name__, (kind,), body, frozen=True, kw_only=True)
    return cast(type[S], twin)


@cache
def open_type(kind: type[S]) -> type[S]:
    """What forks of states of a kind are: the class as it was defined."""
    return cast(type[S], kind.__base__) if kind.__struct_config__.frozen else kind


def set_corporation(s: State, symbol: str, **fields: Any) -> None:
    """Change fields of a corporation's record."""
    s.corporations = put(s.corporations, symbol, replace(s.corporations[symbol], **fields))
