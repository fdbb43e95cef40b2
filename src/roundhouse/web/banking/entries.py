"""What may be written into a banker's sheet. A sheet is its entries; what stands on it follows."""

from __future__ import annotations

from typing import TypeAlias

import msgspec
from msgspec import Struct


class Entry(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """Base of all entries. Holders are names of players, symbols of companies, ``bank`` and, of
    shares, ``pool``."""


class Pay(Entry, frozen=True, tag="pay"):
    """Money from one to another."""

    payer: str
    payee: str
    amount: int


class Found(Entry, frozen=True, tag="found"):
    """A company starts at a price, of so many shares, all in its treasury."""

    who: str
    cell: str
    shares: int = 10


class Trade(Entry, frozen=True, tag="trade"):
    """Shares change hands, each at a price; whoever gets them pays whoever gave them, of shares
    from the pool and from a treasury that is ``paid_to_bank`` the bank."""

    who: str
    giver: str
    taker: str
    count: int = 1
    price: int = 0
    paid_to_bank: bool = True


class President(Entry, frozen=True, tag="president"):
    """Somebody becomes president."""

    who: str
    player: str


class Move(Entry, frozen=True, tag="move"):
    """A price marker goes to a cell."""

    who: str
    cell: str


class Dividend(Entry, frozen=True, tag="dividend"):
    """A company earned something: ``part`` of it (0, ½ or 1, in halves) is paid for its shares.
    ``pool``, ``treasury``: for those there the company is paid. ``moves``: its price follows, by
    the title's rules."""

    who: str
    revenue: int
    halves: int = 2
    pool: bool = True
    treasury: bool = False
    moves: bool = False


class Loan(Entry, frozen=True, tag="loan"):
    """A company takes loans, or pays them back (``count`` below 0); ``moves``: its price goes left
    for each it takes, right for each it pays back."""

    who: str
    count: int = 1
    moves: bool = True


class Interest(Entry, frozen=True, tag="interest"):
    """A company pays the interest on its loans, at what it is with those that are out."""

    who: str


class Short(Entry, frozen=True, tag="short"):
    """A player sells a share he does not have: the bank pays, he owes it, and another one lies in
    the pool. Who gets a share owes one less."""

    who: str
    player: str


class Private(Entry, frozen=True, tag="private"):
    """A private company goes to a holder; to ``bank``: it is closed."""

    name: str
    holder: str


class Income(Entry, frozen=True, tag="income"):
    """All private companies pay their owners."""


AnyEntry: TypeAlias = (
    Pay | Found | Trade | President | Move | Dividend | Loan | Interest | Short | Private | Income
)
_decoder = msgspec.json.Decoder(AnyEntry)


def write(entry: Entry) -> str:
    """An entry as it is kept."""
    return msgspec.json.encode(entry).decode()


def read(raw: str) -> AnyEntry:
    """The entry again."""
    entry: AnyEntry = _decoder.decode(raw)
    return entry


def typed(form: dict[str, object]) -> AnyEntry:
    """An entry of a form's fields, all texts. Raises :class:`msgspec.ValidationError`."""
    given = {k: v for k, v in form.items() if v != ""}
    entry: AnyEntry = msgspec.convert(given, AnyEntry, strict=False)
    return entry
