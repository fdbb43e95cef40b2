"""A banker's sheet as the page shows it."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from msgspec import Struct

from ... import render
from ...box.box import Box
from ...rounds.rules import Rules
from ...sandbox import LaidOut, Layout, laid_out
from ...sentences.buttons import money
from ...stock.market import Cell
from . import entries, keeping
from .book import BANK, POOL, Company
from .entries import AnyEntry
from .models import Line, Sheet

#: Lines told.
_TOLD = 15


class PlayerRow(Struct):
    """A player."""

    name: str
    cash: int
    certificates: int
    worth: int
    privates: list[str]


class CompanyRow(Struct):
    """A company that has started. ``held``: holder and shares, treasury and pool last; ``moves``:
    an arrow and the cell it leads to; ``owed``: the interest of its loans."""

    symbol: str
    company: Company
    price: int
    held: list[tuple[str, int]]
    moves: list[tuple[str, str, str]]
    owed: int = 0


class Page:
    """All a page shows of a sheet."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.book, self.lines = keeping.read(sheet)
        self.terms = self.book.terms
        #: Rules and state, as filters of templates want them.
        self.game: LaidOut = laid_out(Layout(self.terms.title))

    @property
    def box(self) -> Box:
        return self.terms.box

    @property
    def players(self) -> list[PlayerRow]:
        """The players, in order."""
        book = self.book
        return [
            PlayerRow(p, book.cash[p], book.certificates(p), book.worth(p), self._privates(p))
            for p in self.terms.players
        ]

    def _privates(self, player: str) -> list[str]:
        return [name for name, holder in self.book.privates.items() if holder == player]

    @property
    def companies(self) -> list[CompanyRow]:
        """The companies that have started, the dearest first."""
        rows = [self._row(symbol, c) for symbol, c in self.book.companies.items()]
        return sorted(rows, key=lambda row: -row.price)

    def _row(self, symbol: str, c: Company) -> CompanyRow:
        people = [(p, c.count(p)) for p in self.terms.players if c.count(p)]
        outside = [("pool", c.count(POOL)), ("treasury", c.count(symbol))]
        market = self.box.market
        moves = [
            (arrow, word, cell)
            for arrow, word, step in (
                ("◀", "left", market.left), ("▲", "up", market.up),
                ("▼", "down", market.down), ("▶", "right", market.right),
            )
            if (cell := step(c.cell)) != c.cell
        ]  # fmt: skip
        owed = c.loans * self.book.interest if c.loans else 0
        return CompanyRow(symbol, c, self.book.price(symbol), [*people, *outside], moves, owed)

    @property
    def loan(self) -> int:
        """What a loan brings; 0: there are none."""
        return self.game.rules.facts.loan_value

    @property
    def shorts(self) -> bool:
        """Whether shares are sold short."""
        return self.game.rules.shorts

    @property
    def open_companies(self) -> list[str]:
        """Companies that may start."""
        return [s for s in self.box.corporations if s not in self.book.companies]

    @property
    def cells(self) -> list[tuple[str, str]]:
        """Cells of the market, those of a starting price first, the cheapest first."""
        cells = sorted(self.box.market.cells.values(), key=lambda c: (not _par(c), c.price))
        return [(c.id, f"{c.price}{' (par)' if _par(c) else ''}") for c in cells]

    @property
    def holders(self) -> list[str]:
        """Everybody money may be with."""
        return [*self.terms.players, *self.book.companies, BANK]

    @property
    def free_privates(self) -> list[tuple[str, str]]:
        """The private companies, by id and name."""
        return [(c.id, c.name) for c in self.box.companies.values()]

    @property
    def market(self) -> SafeString:
        """The market with all markers."""
        s = self.game.state.fork()
        there: dict[str, tuple[str, ...]] = {}
        for symbol, c in self.book.companies.items():
            there[c.cell] = (*there.get(c.cell, ()), symbol)
        s.market = there
        return mark_safe(render.draw_market(self.game.rules, s.seal()))

    @property
    def last(self) -> Line | None:
        """The last line, which may be taken back."""
        return self.lines[-1] if self.lines else None

    @property
    def told(self) -> list[str]:
        """The last lines in words, the latest first."""
        return [
            told(self.game.rules, entries.read(line.entry))
            for line in self.lines[: -_TOLD - 1 : -1]
        ]


def _par(cell: Cell) -> bool:
    return any(zone.startswith("par") for zone in cell.zones)


def told(rules: Rules[Any], entry: AnyEntry) -> str:
    """An entry in words."""
    return _told(entry, rules)


@singledispatch
def _told(entry: AnyEntry, rules: Rules[Any]) -> str:
    return "income of all private companies"


@_told.register
def _(entry: entries.Pay, rules: Rules[Any]) -> str:
    return f"{entry.payer} pays {entry.payee} {money(rules, entry.amount)}"


@_told.register
def _(entry: entries.Found, rules: Rules[Any]) -> str:
    price = rules.box.market.price[entry.cell]
    return f"{entry.who} starts at {money(rules, price)} with {entry.shares} shares"


@_told.register
def _(entry: entries.Trade, rules: Rules[Any]) -> str:
    giver = "its treasury" if entry.giver == entry.who else entry.giver
    taker = "its treasury" if entry.taker == entry.who else entry.taker
    total = money(rules, entry.count * entry.price)
    return f"{entry.count} of {entry.who} from {giver} to {taker} for {total}"


@_told.register
def _(entry: entries.President, rules: Rules[Any]) -> str:
    return f"{entry.player} leads {entry.who}"


@_told.register
def _(entry: entries.Move, rules: Rules[Any]) -> str:
    return f"{entry.who} goes to {money(rules, rules.box.market.price[entry.cell])}"


@_told.register
def _(entry: entries.Dividend, rules: Rules[Any]) -> str:
    word = ("keeps", "pays half of", "pays")[entry.halves]
    return f"{entry.who} {word} {money(rules, entry.revenue)}"


@_told.register
def _(entry: entries.Loan, rules: Rules[Any]) -> str:
    word = "takes" if entry.count > 0 else "pays back"
    return f"{entry.who} {word} {abs(entry.count)} loan{'s' * (abs(entry.count) > 1)}"


@_told.register
def _(entry: entries.Interest, rules: Rules[Any]) -> str:
    return f"{entry.who} pays interest"


@_told.register
def _(entry: entries.Short, rules: Rules[Any]) -> str:
    return f"{entry.player} sells {entry.who} short"


@_told.register
def _(entry: entries.Private, rules: Rules[Any]) -> str:
    name = rules.box.companies[entry.name].name
    return f"{name} closes" if entry.holder == BANK else f"{name} goes to {entry.holder}"
