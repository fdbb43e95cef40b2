"""The course of a game as charts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence

from django.utils.safestring import SafeString
from msgspec import Struct

from ...game import Game
from ...interchange import Figure, Left, figures_of, flows_of
from ...sentences.buttons import money
from ..templatetags.roundhouse_tags import co
from .drawing import Link, Point, Series, bars, lines
from .flow import flow_chart

#: What is told round by round: of players or companies, the field, a word for it, the heading.
CHARTS = (
    (True, "worth", "worth", "Worth"),
    (True, "cash", "cash", "Cash"),
    (True, "certificates", "certificates", "Certificates"),
    (False, "price", "prices", "Prices"),
    (False, "revenue", "revenue", "Revenue"),
    (False, "cash", "treasuries", "Treasuries"),
)
_LOOKS = 8


class Chart(Struct, frozen=True):
    """A chart: a word to name it by, its heading, and the drawing."""

    name: str
    heading: str
    drawing: SafeString


def worth_chart(game: Game, link: Link) -> SafeString:
    """Worth from round to round, a line for each player."""
    players = [f for f in figures_of(game) if f.kind == "player"]
    return _over_time(game, players, "worth", link)


def charts_of(game: Game, link: Link) -> list[Chart]:
    """How worth, cash, certificates, prices, revenue and treasuries went."""
    found: dict[bool, list[Figure]] = {True: [], False: []}
    for f in figures_of(game):
        found[f.kind == "player"].append(f)
    return [
        Chart(name, heading, drawing)
        for players, field, name, heading in CHARTS
        if (drawing := _over_time(game, found[players], field, link))
    ]


def look_of(game: Game, name: str) -> str:
    """The class that gives a player, by his name, or a company its colour."""
    names = [p.name for p in game.state.players.values()]
    if name in names:
        return f"s{names.index(name) % _LOOKS}"
    return co(name, game_view(game))


def game_view(game: Game) -> object:
    """A game as filters of templates want it."""
    return _Viewed(game)


class _Viewed(Struct, frozen=True):
    game: Game


def _over_time(game: Game, figures: Sequence[Figure], field: str, link: Link) -> SafeString:
    """A chart of a field of the figures; empty if there is not enough to show."""
    told: dict[str, dict[tuple[str, int], Point]] = defaultdict(dict)
    for f in figures:
        value = getattr(f, field)
        if value is not None and (value or field != "revenue"):
            who = f.name if f.kind == "player" else f.id
            sentence = f"{who}, {f.round}: {_amount(game, field, value)}"
            told[who][f.round, f.action] = Point(value, f.action, sentence)
    used = {r for points in told.values() for r in points}
    rounds = [r for r in dict.fromkeys((f.round, f.action) for f in figures) if r in used]
    series = [
        Series(who, look_of(game, who), tuple(points.get(r) for r in rounds))
        for who, points in told.items()
    ]
    if len(rounds) < 2 or not series:
        return SafeString("")
    return lines(f"{field} from round to round", [name for name, _ in rounds], series, link)


def _amount(game: Game, field: str, value: int) -> str:
    return str(value) if field == "certificates" else money(game.rules, value)


def left_chart(game: Game, runs: Collection[Left], link: Link) -> SafeString:
    """What was left on the table, round by round, by president."""
    rounds = list(dict.fromkeys(run.round for run in runs))
    found: dict[str, dict[str, list[Left]]] = defaultdict(lambda: defaultdict(list))
    for run in runs:
        if run.left:
            found[run.president or "nobody"][run.round].append(run)
    series = [
        Series(who, look_of(game, who), tuple(_sum(game, who, by[r]) for r in rounds))
        for who, by in found.items()
    ]
    if not series:
        return SafeString("")
    return bars("left on the table in each round", rounds, series, link)


def _sum(game: Game, who: str, runs: Sequence[Left]) -> Point | None:
    if not runs:
        return None
    most = max(runs, key=lambda run: run.left)
    total = sum(run.left for run in runs)
    companies = ", ".join(run.company for run in runs)
    told = f"{who}, {most.round}: {money(game.rules, total)} ({companies})"
    return Point(total, most.action, told)


def flows_chart(game: Game, link: Link) -> SafeString:
    """Where the money went."""
    look = {who: look_of(game, who) for who in _names(game)}
    return flow_chart(flows_of(game), _in_money(game), look, link)


def _names(game: Game) -> Iterable[str]:
    yield from game.state.corporations
    yield from (p.name for p in game.state.players.values())


def _in_money(game: Game) -> Callable[[int], str]:
    return lambda amount: money(game.rules, amount)
