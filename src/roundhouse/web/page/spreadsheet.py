"""The spreadsheet: who holds what, what each company earned and when, and how prices and fortunes
went from round to round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from django.utils.html import format_html
from django.utils.safestring import SafeString
from msgspec import Struct

from ...game import Game
from ...history import Entry
from ...model.events import RoundStarted
from ...model.records import MARKET, State
from ...rounds.rules import Rules
from ...sentences.words import capital, unsold_words
from ...stock.market import price
from .panels import CompanyCard
from .story import Run, Tale

#: Operating rounds shown.
_ROUNDS = 12


class Held(NamedTuple):
    """A holder's part of a company."""

    percent: int
    president: bool


class Row(Struct):
    """A company. ``course``: its price from round to round, drawn."""

    card: CompanyCard
    held: list[Held]
    treasury: int
    market: int
    runs: list[Run | None]
    course: SafeString


class Fortune(Struct):
    """A player: ``worth`` now, and drawn from round to round."""

    name: str
    cash: int
    worth: int
    course: SafeString


class Spreadsheet(Struct):
    """Holders by company, and revenues by operating round. ``unsold``: what the column is called of
    the shares companies have themselves."""

    players: list[Fortune]
    rows: list[Row]
    columns: tuple[str, ...]
    unsold: str


class Figures(NamedTuple):
    """Prices and fortunes at one moment."""

    prices: dict[str, int]
    worths: dict[str, int]


#: Figures at the beginning of each round, by the entry that led there.
_figures: WeakKeyDictionary[Entry, Figures] = WeakKeyDictionary()


def spreadsheet_of(game: Game, tale: Tale, cards: list[CompanyCard]) -> Spreadsheet:
    """The spreadsheet of all started companies."""
    s = game.state
    keys = list(s.players)
    columns = tale.columns[-_ROUNDS:]
    past = past_figures(game)
    rows = []
    for card in cards:
        c = s.corporations[card.symbol]
        rows.append(
            Row(
                card,
                [Held(c.held(k), c.president == k) for k in keys],
                c.held(c.id),
                c.held(MARKET),
                [tale.runs.get(card.symbol, {}).get(column) for column in columns],
                spark([f.prices[c.id] for f in past if c.id in f.prices], "price"),
            )
        )
    players = [
        Fortune(p.name, p.cash, past[-1].worths[key], spark([f.worths[key] for f in past], "worth"))
        for key, p in s.players.items()
    ]
    own = capital(unsold_words(game.rules, [card.symbol for card in cards]))
    return Spreadsheet(players, rows, columns, own)


def past_figures(game: Game) -> list[Figures]:
    """The figures at the beginning of each round, and now."""
    return [*_by_round(game), _figures_of(game.rules, game.state)]


def _by_round(game: Game) -> list[Figures]:
    """The figures at the beginning of each round; kept, as the past does not change."""
    found = []
    for entry in game.history:
        if any(isinstance(e, RoundStarted) for e in entry.events):
            known = _figures.get(entry)
            if known is None:
                known = _figures[entry] = _figures_of(game.rules, entry.state)
            found.append(known)
    return found


def _figures_of(rules: Rules[Any], s: State) -> Figures:
    started = [c for c in s.corporations.values() if c.cell]
    return Figures(
        {c.id: price(rules.box.market, s, c.id) for c in started},
        {key: rules.value(s, key) for key in s.players},
    )


def spark(values: Sequence[int], what: str) -> SafeString:
    """A line of values, drawn the size of a word, with its first and last value told."""
    if len(values) < 2:
        return SafeString("")
    low, high = min(values), max(values)
    wide, tall = 4 * (len(values) - 1), 16
    points = " ".join(
        f"{4 * n},{tall - (v - low) * tall / max(1, high - low):.1f}" for n, v in enumerate(values)
    )
    told = f"{what} by round: from {values[0]} to {values[-1]}, between {low} and {high}"
    return format_html(
        '<svg class="spark" viewBox="-2 -2 {} {}" preserveAspectRatio="none" role="img" '
        'aria-label="{}"><title>{}</title><polyline points="{}"/></svg>',
        wide + 4, tall + 4, told, told, points,
    )  # fmt: skip
