"""What stands on a banker's sheet: its entries, one after the other. No request, no database."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import singledispatch
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from ...banker import interest_rate, price_after
from ...box.box import Box
from ...sandbox import LaidOut, Layout, laid_out
from ...titles.title import find_title
from ..tables.faults import Refused
from .entries import (
    AnyEntry,
    Dividend,
    Found,
    Income,
    Interest,
    Loan,
    Move,
    Pay,
    President,
    Private,
    Short,
    Trade,
)

BANK: Final = "bank"
POOL: Final = "pool"
#: Shares the president's certificate stands for.
_PRESIDENT = 2


class Company(Struct, frozen=True):
    """A company that has started: its price cell, cash, president, loans, and shares by holder;
    its own symbol holds the treasury, a player with less than none has sold them short."""

    cell: str
    shares: int
    cash: int = 0
    president: str = ""
    held: Mapping[str, int] = {}
    loans: int = 0

    def count(self, holder: str) -> int:
        """Shares of a holder."""
        return self.held.get(holder, 0)


class Terms(Struct, frozen=True):
    """What a sheet begins with: title, players in order, cash of each, certificate limit, and what
    the bank has beside that (None: as much as it needs)."""

    title: str
    players: tuple[str, ...]
    cash: int
    limit: int
    bank: int | None = None

    @property
    def box(self) -> Box:
        """The title's box."""
        return find_title(self.title).box

    @property
    def table(self) -> LaidOut:
        """The rules, and the state at the start of a game."""
        return laid_out(Layout(self.title))


class Book(Struct, frozen=True):
    """Where everything is now."""

    terms: Terms
    cash: Mapping[str, int]
    companies: Mapping[str, Company] = {}
    privates: Mapping[str, str] = {}
    paid: int = 0

    def price(self, symbol: str) -> int:
        """The price of a share."""
        return self.terms.box.market.price[self.companies[symbol].cell]

    def certificates(self, player: str) -> int:
        """What counts toward a player's limit: private companies, and certificates, of which the
        president's stands for two shares."""
        own = sum(holder == player for holder in self.privates.values())
        return own + sum(_certificates(c, player) for c in self.companies.values())

    def worth(self, player: str) -> int:
        """Cash, shares at their prices, private companies at what they cost."""
        shares = sum(c.count(player) * self.price(s) for s, c in self.companies.items())
        values = self.terms.box.companies
        return (
            self.cash[player]
            + shares
            + sum(values[name].value for name, holder in self.privates.items() if holder == player)
        )

    @property
    def interest(self) -> int:
        """What each loan costs now."""
        rules, s = self.terms.table
        return interest_rate(rules, s, sum(c.loans for c in self.companies.values()))

    @property
    def bank(self) -> int | None:
        """What the bank has; None: as much as it needs."""
        return None if self.terms.bank is None else self.terms.bank - self.paid


def _certificates(c: Company, player: str) -> int:
    held = max(0, c.count(player))
    doubled = c.president == player and c.shares > _PRESIDENT and held >= _PRESIDENT
    return held - (1 if doubled else 0)


def opened(terms: Terms) -> Book:
    """A sheet without entries."""
    return Book(terms, dict.fromkeys(terms.players, terms.cash))


def book_of(terms: Terms, entries: Iterable[AnyEntry]) -> Book:
    """A sheet with its entries."""
    book = opened(terms)
    for entry in entries:
        book = enter(book, entry)
    return book


def enter(book: Book, entry: AnyEntry) -> Book:
    """A sheet with one more entry. Raises :class:`Refused` if somebody pays or gives what he has
    not, or there is no such name."""
    return _enter(entry, book)


@singledispatch
def _enter(entry: AnyEntry, book: Book) -> Book:
    raise Refused("There is no such entry.", "malformed")


@_enter.register
def _pay(entry: Pay, book: Book) -> Book:
    if entry.amount < 1:
        raise Refused("Name an amount of 1 or more.", "amount")
    return _moved(book, entry.payer, entry.payee, entry.amount)


@_enter.register
def _found(entry: Found, book: Book) -> Book:
    if entry.who not in book.terms.box.corporations:
        raise Refused(f"There is no company {entry.who}.", "unknown")
    if entry.who in book.companies:
        raise Refused(f"{entry.who} has started already.", "started")
    _check_cell(book, entry.cell)
    if not 1 <= entry.shares <= 100:
        raise Refused("A company has 1 to 100 shares.", "shares")
    new = Company(entry.cell, entry.shares, held={entry.who: entry.shares})
    return _with(book, entry.who, new)


@_enter.register
def _trade(entry: Trade, book: Book) -> Book:
    c = _company(book, entry.who)
    for holder in (entry.giver, entry.taker):
        if holder not in (*book.terms.players, entry.who, POOL):
            raise Refused(f"{holder or 'Nobody'} cannot hold shares here.", "unknown")
    if entry.giver == entry.taker or entry.count < 1 or entry.price < 0:
        raise Refused("Say from whom to whom, how many, and at what price.", "malformed")
    if c.count(entry.giver) < entry.count:
        has = c.count(entry.giver)
        raise Refused(
            f"{entry.giver} has {max(0, has)} shares of {entry.who}, not {entry.count}.", "shares"
        )
    held = {**c.held, entry.giver: c.count(entry.giver) - entry.count}
    held[entry.taker] = c.count(entry.taker) + entry.count
    book = _with(book, entry.who, replace(c, held={h: n for h, n in held.items() if n}))
    payer, payee = (_till(entry, holder) for holder in (entry.taker, entry.giver))
    return _moved(book, payer, payee, entry.count * entry.price)


def _till(entry: Trade, holder: str) -> str:
    """Who pays or is paid for shares of a holder."""
    if holder == POOL or (holder == entry.who and entry.paid_to_bank):
        return BANK
    return holder


@_enter.register
def _president(entry: President, book: Book) -> Book:
    c = _company(book, entry.who)
    if entry.player not in book.terms.players:
        raise Refused(f"There is no player {entry.player}.", "unknown")
    return _with(book, entry.who, replace(c, president=entry.player))


@_enter.register
def _move(entry: Move, book: Book) -> Book:
    _check_cell(book, entry.cell)
    return _with(book, entry.who, replace(_company(book, entry.who), cell=entry.cell))


@_enter.register
def _dividend(entry: Dividend, book: Book) -> Book:
    c = _company(book, entry.who)
    if entry.revenue < 0 or entry.halves not in (0, 1, 2):
        raise Refused("Name what was earned, and how much of it is paid.", "malformed")
    each = per_share(c, entry.revenue, entry.halves)
    parts = shared_out(entry, c, each)
    for holder in sorted(parts, key=lambda h: parts[h]):  # who is short pays first
        book = _moved(book, BANK, holder, parts[holder])
    if not entry.moves:
        return book
    rules, s = book.terms.table
    return _to(book, entry.who, price_after(rules, s, entry.who, c.cell, each * c.shares))


def _to(book: Book, symbol: str, cell: str) -> Book:
    return _with(book, symbol, replace(book.companies[symbol], cell=cell))


@_enter.register
def _loan(entry: Loan, book: Book) -> Book:
    c, value = _company(book, entry.who), book.terms.table.rules.facts.loan_value
    if not value:
        raise Refused("There are no loans in this title.", "loan")
    if not entry.count or not 0 <= c.loans + entry.count <= c.shares:
        raise Refused(f"{entry.who} has {c.loans} loans, and holds {c.shares} at most.", "loan")
    market, cell = book.terms.box.market, c.cell
    if entry.moves:
        for _ in range(abs(entry.count)):
            step = market.left(cell) if entry.count > 0 else market.right(cell)
            cell = step if market.price[step] else cell
    book = _with(book, entry.who, replace(c, cell=cell, loans=c.loans + entry.count))
    return _moved(book, BANK, entry.who, entry.count * value)


@_enter.register
def _interest(entry: Interest, book: Book) -> Book:
    c = _company(book, entry.who)
    if not c.loans:
        raise Refused(f"{entry.who} has no loans.", "loan")
    return _moved(book, entry.who, BANK, c.loans * book.interest)


@_enter.register
def _short(entry: Short, book: Book) -> Book:
    c, player = _company(book, entry.who), entry.player
    if not book.terms.table.rules.shorts:
        raise Refused("In this title nobody sells what he does not have.", "short")
    if player not in book.terms.players:
        raise Refused(f"There is no player {player}.", "unknown")
    if c.count(player) > 0 or c.president == player:
        raise Refused(f"{player} has shares of {entry.who} to sell.", "short")
    held = {**c.held, player: c.count(player) - 1, POOL: c.count(POOL) + 1}
    book = _with(book, entry.who, replace(c, held={h: n for h, n in held.items() if n}))
    return _moved(book, BANK, player, book.price(entry.who))


def per_share(c: Company, revenue: int, halves: int) -> int:
    """What is paid for a share; of half a revenue fractions are for the shareholders."""
    return (
        -(-revenue * halves // (2 * c.shares))
        if halves == 1
        else revenue * halves // (2 * c.shares)
    )


def shared_out(entry: Dividend, c: Company, each: int) -> dict[str, int]:
    """What everybody gets of a dividend: shareholders so much a share, the company what is kept and
    what it gets for shares in pool and treasury."""
    outside = (entry.who, POOL)
    found = {h: n * each for h, n in c.held.items() if h not in outside}
    own = max(0, entry.revenue - each * c.shares)
    own += c.count(POOL) * each if entry.pool else 0
    own += c.count(entry.who) * each if entry.treasury else 0
    return {h: amount for h, amount in {**found, entry.who: own}.items() if amount}


@_enter.register
def _private(entry: Private, book: Book) -> Book:
    if entry.name not in book.terms.box.companies:
        raise Refused(f"There is no private company {entry.name}.", "unknown")
    if entry.holder not in (*book.terms.players, *book.companies, BANK):
        raise Refused(f"There is nobody called {entry.holder}.", "unknown")
    left = {name: holder for name, holder in book.privates.items() if name != entry.name}
    more = {} if entry.holder == BANK else {entry.name: entry.holder}
    return replace(book, privates=left | more)


@_enter.register
def _income(entry: Income, book: Book) -> Book:
    for name, holder in book.privates.items():
        book = _moved(book, BANK, holder, book.terms.box.companies[name].revenue)
    return book


# what the entries are made of


def _company(book: Book, symbol: str) -> Company:
    if symbol not in book.companies:
        raise Refused(f"{symbol or 'No company'} has not started.", "unknown")
    return book.companies[symbol]


def _check_cell(book: Book, cell: str) -> None:
    if cell not in book.terms.box.market.cells:
        raise Refused(f"The market has no cell {cell}.", "unknown")


def _with(book: Book, symbol: str, company: Company) -> Book:
    return replace(book, companies={**book.companies, symbol: company})


def _moved(book: Book, payer: str, payee: str, amount: int) -> Book:
    """Money moves; whoever is not the bank must have it."""
    if payer == payee or not amount:
        return book
    return _changed(_changed(book, payer, -amount), payee, amount)


def _changed(book: Book, who: str, amount: int) -> Book:
    if who == BANK:
        return replace(book, paid=book.paid - amount)
    c = book.companies.get(who)
    if c is None and who not in book.cash:
        raise Refused(f"There is nobody called {who}.", "unknown")
    has = book.cash[who] if c is None else c.cash
    if has + amount < 0:
        raise Refused(f"{who} has {has}, not {-amount}.", "cash")
    if c is not None:
        return _with(book, who, replace(c, cash=has + amount))
    return replace(book, cash={**book.cash, who: has + amount})
