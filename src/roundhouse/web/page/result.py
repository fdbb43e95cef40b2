"""The end of a game: the ranking, fortunes over time, what each company earned and paid."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.safestring import SafeString
from msgspec import Struct

from ...game import Game
from ...model.events import DividendDeclared
from ...sentences.words import ending
from ..charts.course import worth_chart
from .panels import PLAYER_STYLES, CompanyCard
from .story import Tale


class Place(Struct):
    """A player's place: equal worth shares a place. ``behind``: the first."""

    place: int
    name: str
    worth: int
    cash: int
    shares: int
    behind: int
    bankrupt: bool
    style: int


class Earner(Struct):
    """What a company earned in the whole game, how often, and what of it was paid out. ``price``:
    None if it has none, or is no more."""

    symbol: str
    price: int | None
    runs: int
    earned: int
    best: int
    best_at: int
    paid: int


class Result(Struct):
    """The standing of a game, final or not."""

    over: bool
    reason: str
    ranking: list[Place]
    earners: list[Earner]
    chart: SafeString
    received: list[tuple[str, int]]


def result_of(game: Game, tale: Tale, cards: Sequence[CompanyCard]) -> Result:
    """The standing as it is now."""
    s = game.state
    worth = {k: game.rules.value(s, k) for k in s.players}
    order = sorted(worth, key=lambda k: -worth[k])
    styles = {k: n % PLAYER_STYLES for n, k in enumerate(s.players)}
    best = max(worth.values(), default=0)
    ranking = [
        Place(
            1 + sum(w > worth[k] for w in worth.values()), s.players[k].name, worth[k],
            s.players[k].cash, worth[k] - s.players[k].cash, best - worth[k],
            s.players[k].bankrupt, styles[k],
        )
        for k in order
    ]  # fmt: skip
    received = _received(game)
    return Result(
        game.finished,
        ending(game.rules, s.finished) if s.finished else "",
        ranking,
        _earners(game, tale, cards),
        worth_chart(game, "?at={}".format),
        [(s.players[k].name, received.get(k, 0)) for k in order],
    )


def _received(game: Game) -> dict[str, int]:
    """What each player got in dividends."""
    found: dict[str, int] = {}
    for entry in game.history:
        for event in entry.events:
            if isinstance(event, DividendDeclared):
                for who, amount in event.paid:
                    found[who] = found.get(who, 0) + amount
    return found


def _earners(game: Game, tale: Tale, cards: Sequence[CompanyCard]) -> list[Earner]:
    paid: dict[str, int] = {}
    for entry in game.history:
        for event in entry.events:
            if isinstance(event, DividendDeclared):
                paid[event.who] = paid.get(event.who, 0) + sum(n for _, n in event.paid_out)
    prices = {card.symbol: card.price for card in cards}
    rows = []
    for who, runs in tale.runs.items():
        top = max(runs.values(), key=lambda run: run.revenue)
        earned = sum(run.revenue for run in runs.values())
        price, out = prices.get(who), paid.get(who, 0)
        rows.append(Earner(who, price, len(runs), earned, top.revenue, top.id, out))
    return sorted(rows, key=lambda row: -row.earned)
