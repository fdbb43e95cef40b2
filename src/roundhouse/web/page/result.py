"""The end of a game: the ranking, fortunes over time, what each company earned and paid."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from msgspec import Struct

from ...game import Game
from ...model.events import DividendDeclared
from .log import sentences_of
from .panels import CompanyCard
from .spreadsheet import past_figures
from .story import Tale

_WIDE, _TALL, _LEFT, _BELOW = 640.0, 240.0, 46.0, 18.0
#: Lines differ in colour and dash.
_DASHES = ("", "8 3", "3 3", "10 3 3 3", "14 4", "2 4", "6 2 2 2", "12 2 2 2 2 2")


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
    """What a company earned in the whole game, how often, and what of it was paid out."""

    card: CompanyCard
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
    styles = {k: n % len(_DASHES) for n, k in enumerate(s.players)}
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
        (s.finished or "").replace("_", " "),
        ranking,
        _earners(game, tale, cards),
        _chart(game, styles),
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
                paid[event.who] = paid.get(event.who, 0) + sum(n for _, n in event.paid)
    known = {card.symbol: card for card in cards}
    rows = []
    for who, runs in tale.runs.items():
        if who not in known:
            continue
        top = max(runs.values(), key=lambda run: run.revenue)
        earned = sum(run.revenue for run in runs.values())
        row = Earner(known[who], len(runs), earned, top.revenue, top.id, paid.get(who, 0))
        rows.append(row)
    return sorted(rows, key=lambda row: -row.earned)


def _chart(game: Game, styles: dict[str, int]) -> SafeString:
    """Worth from round to round, a line for each player."""
    past = [f.worths for f in past_figures(game)]
    if len(past) < 2:
        return SafeString("")
    values = [w for at in past for w in at.values()]
    low, high = min(0, *values), max(values) or 1
    step = _nice((high - low) / 4)

    def y(value: float) -> float:
        return 8 + (_TALL - 8 - _BELOW) * (1 - (value - low) / (high - low))

    def x(n: int) -> float:
        return _LEFT + (_WIDE - _LEFT - 8) * n / (len(past) - 1)

    grid = "".join(
        f'<path class="grid-line" d="M{_LEFT} {y(v):.1f}H{_WIDE - 8}"/>'
        f'<text x="{_LEFT - 5}" y="{y(v) + 4:.1f}" text-anchor="end">{v}</text>'
        for v in range(int(low // step * step), int(high) + 1, step)
    )
    lines = ""
    for key, player in game.state.players.items():
        points = " ".join(f"{x(n):.1f},{y(at.get(key, 0)):.1f}" for n, at in enumerate(past))
        dash = _DASHES[styles[key]]
        lines += (
            f'<polyline class="fortune s{styles[key]}" points="{points}"'
            f' stroke-dasharray="{dash}"><title>{escape(player.name)}</title></polyline>'
        )
    told = "worth of the players from round to round"
    return format_html(
        '<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>',
        int(_WIDE), int(_TALL), told, mark_safe(grid + lines),
    )  # fmt: skip


def _nice(rough: float) -> int:
    """A round step near a rough one."""
    size = int("1".ljust(len(str(int(rough))), "0"))
    return max(1, next((size * m for m in (1, 2, 5, 10) if size * m >= rough), size * 10))


def transcript(game: Game) -> str:
    """The game as rows of comma-separated values: action, who, type, what happened."""
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow(("action", "who", "type", "told"))
    for entry in game.history:
        told = " ".join(str(t) for t in sentences_of(game, entry))
        rows.writerow((entry.action.id, entry.action.actor, entry.action.type, told))
    return out.getvalue()
