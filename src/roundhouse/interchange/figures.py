"""The figures of a game, round by round: money, worth, prices, what companies earned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ..game import Game
from ..history import Entry
from ..model.events import DividendDeclared
from ..model.records import State
from ..rounds.rules import Rules
from .rounds import rounds_of
from .tables import written


class Figure(NamedTuple):
    """A player or a company at the end of a round.

    ``action``: id of the round's last action; ``kind``: ``player``, or what the company is;
    ``worth``, ``certificates``, ``received`` (dividends of the round): of players; ``price``,
    ``president``, ``trains``, ``tokens``, ``loans``, ``revenue`` (earned in the round) and
    ``paid`` (of it, paid out): of companies. None: it has none.
    """

    round: str
    action: int
    kind: str
    id: str
    name: str
    cash: int
    worth: int | None = None
    certificates: int | None = None
    received: int | None = None
    price: int | None = None
    president: str | None = None
    trains: str | None = None
    tokens: int | None = None
    loans: int | None = None
    revenue: int | None = None
    paid: int | None = None


def figures_of(game: Game) -> Iterator[Figure]:
    """The figures of a game. A round's are those when the next one begins, or the game ends."""
    number = 0
    for part in rounds_of(game):
        number = max([number, *(e.action.id or 0 for e in part.entries)])
        dividends = _dividends(part.entries)
        yield from _players(game.rules, part.after, part.name, number, dividends)
        yield from _companies(game.rules, part.after, part.name, number, dividends)


def csv_of(game: Game) -> str:
    """The figures as comma-separated values, with a line of names."""
    return written(Figure._fields, figures_of(game))


def _dividends(entries: Sequence[Entry]) -> list[DividendDeclared]:
    return [e for entry in entries for e in entry.events if isinstance(e, DividendDeclared)]


def _players(
    rules: Rules[Any], s: State, name: str, number: int, dividends: Sequence[DividendDeclared]
) -> Iterator[Figure]:
    for key, player in s.players.items():
        yield Figure(
            name,
            number,
            "player",
            str(player.id),
            player.name,
            player.cash,
            worth=rules.value(s, key),
            certificates=rules.certificates(s, key),
            received=sum(n for d in dividends for who, n in d.paid if who == key),
        )


def _companies(
    rules: Rules[Any], s: State, name: str, number: int, dividends: Sequence[DividendDeclared]
) -> Iterator[Figure]:
    cells = rules.box.market.cells
    for company in s.corporations.values():
        if company.cell is None and company.president is None and not company.trains:
            continue
        own = [d for d in dividends if d.who == company.id]
        known = rules.box.corporations.get(company.id)
        president = s.players.get(company.president or "")
        yield Figure(
            name,
            number,
            company.entity_type,
            company.id,
            known.name if known else company.id,
            company.cash,
            price=cells[company.cell].price if company.cell is not None else None,
            president=president.name if president else None,
            trains=" ".join(s.trains[t].kind for t in company.trains),
            tokens=sum(1 for t in company.tokens if t.city),
            loans=company.loans,
            revenue=sum(d.revenue for d in own),
            paid=sum(n for d in own for _, n in d.paid_out if n > 0),
        )
