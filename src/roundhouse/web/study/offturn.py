"""What one may know of any company, whether it is on turn or not. What is legal is asked of the
engine, in a turn that is supposed where none is on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from msgspec import Struct

from ...financing import Way, Ways, ways_to_finance
from ...game import Game
from ...model.actions import Action, Dividend, LayTile, Pass, PlaceToken, RunRoutes
from ...model.choices import Choice
from ...model.errors import BrokenInvariant, IllegalAction
from ...model.events import DividendDeclared
from ...model.records import State
from ...promises import until
from ...render import draw_badges
from ...rounds import machine
from ...rounds.rules import Rules
from ...routes.whatif import with_trains
from ...sentences.buttons import Wording, heading, hex_of, money
from ...threats import supposed_turns
from ..models import Table
from ..page.drawing import called, line_of, map_of
from ..page.runs import STYLES
from ..tables import Aid
from ..tables.assistance import check
from .comparing import Line, companies_beside, players_beside

#: Counted work of a search of routes; actions supposed until the end of a round.
_EFFORT, _SHORT = 40_000, 4_000
#: Ways that are shown.
_SHOWN = 60


# where it could build


@lru_cache(maxsize=128)
def lays_of(game: Game, who: str) -> SafeString:
    """Where a company could lay tiles and place stations if it were on turn, for the map."""
    found: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    stations: dict[str, set[str]] = defaultdict(set)
    for s, a in _buildings(game, who):
        coord = hex_of(game.rules, s, a)
        if coord is None:
            continue
        if isinstance(a, LayTile):
            found[coord][a.tile.rpartition("-")[0]].add(a.rotation)
        else:
            stations[coord].add("a station")
    badges = {}
    for coord in dict.fromkeys((*found, *stations)):
        tiles = [f"{t} ({len(ways)})" if len(ways) > 1 else t for t, ways in found[coord].items()]
        short = f"{len(tiles) or ''}{'◎' if stations[coord] else ''}"
        badges[coord] = (short, f"{coord}: {', '.join((*tiles, *stations[coord]))}")
    return mark_safe(draw_badges(game.rules, who, badges, "lays"))


def _buildings(game: Game, who: str) -> Iterator[tuple[State, LayTile | PlaceToken]]:
    for s in _turns(game, who):
        try:
            for choice in machine.choices(game.rules, s):
                if isinstance(choice.action, LayTile | PlaceToken):
                    for action in choice.actions():
                        assert isinstance(action, LayTile | PlaceToken)
                        yield s, action
        except (IllegalAction, BrokenInvariant):
            continue


def _turns(game: Game, who: str) -> Iterator[State]:
    """The company's turn: as it is, and as it would begin."""
    if game.rules.operator(game.state) == who:
        yield game.state
    yield from supposed_turns(game.rules, game.state, who)


# trains


class Run(Struct):
    """The best routes of a company with some trains; ``bound``: no more is possible."""

    revenue: int
    bound: int
    proven: bool
    routes: list[tuple[str, str, int]]
    map: SafeString


def kinds_of(game: Game, who: str) -> list[tuple[str, int]]:
    """All kinds of trains of the box, with how many of each the company has."""
    own = [game.state.trains[t].kind for t in game.state.corporations[who].trains]
    return [(kind, own.count(kind)) for kind in game.rules.box.trains]


def run_with(table: Table, game: Game, who: str, trains: tuple[str, ...]) -> Run:
    """What a company would run with other trains. Raises :class:`Forbidden` at a table that finds
    no routes, :class:`ValueError` for trains there are not."""
    check(table, Aid.ROUTES)
    return _run(game, who, trains)


@lru_cache(maxsize=128)
def _run(game: Game, who: str, trains: tuple[str, ...]) -> Run:
    best = game.best_routes(who, effort=_EFFORT, trains=trains)
    supposed = with_trains(game.rules.box, game.state, who, trains)
    read = game.rules.read_routes(supposed, who, best.routes)
    lines = tuple(line_of(route, n % STYLES) for n, route in enumerate(read))
    rows = [(r.train.rpartition("-")[0] or r.train, r.text, r.revenue) for r in read]
    return Run(best.revenue, best.bound, best.optimal, rows, map_of(game, {}, lines))


# money for a train


class Told(Struct):
    """A way to a train in words; ``number``: its place among all; ``how``: what it has beside the
    passes and the purchase."""

    number: int
    price: str
    how: str
    steps: list[str]
    treasury: str
    helped: str
    notes: list[str]


class Goods(Struct):
    """What the ways lead to: a train of one type and seller, or the president's bankruptcy."""

    name: str
    ways: list[Told]


class Financing(Struct):
    """The ways of a company to a train, by what is bought, the shortest first; ``more`` are not
    told; ``complete``: no position was left unsearched."""

    goods: list[Goods]
    more: int
    complete: bool
    supposed: bool


@lru_cache(maxsize=128)
def _ways(game: Game, who: str) -> Ways:
    return ways_to_finance(game, who)


def ways_of(table: Table, game: Game, who: str) -> Ways:
    """The ways of a company to a train. Raises :class:`Forbidden` at a table without help,
    :class:`ValueError` if there is no such company."""
    check(table, Aid.ROUTES, "no ways to pay for trains are worked out")
    return _ways(game, who)


def financing_of(table: Table, game: Game, who: str) -> Financing:
    """The same in words."""
    found = ways_of(table, game, who)
    goods = dict[str, list[Told]]()
    for number, way in enumerate(found.ways[:_SHOWN]):
        goods.setdefault(_bought(game.rules, way), []).append(_told(game.rules, who, number, way))
    rows = [Goods(name, ways) for name, ways in goods.items()]
    return Financing(rows, max(0, len(found.ways) - _SHOWN), found.complete, found.supposed)


def _bought(rules: Rules[Any], way: Way) -> str:
    if not way.train:
        return f"Bankruptcy of the {rules.facts.leader}"
    return f"{way.train}-train of {way.seller or 'the bank'}"


def _told(rules: Rules[Any], who: str, number: int, way: Way) -> Told:
    steps = [worded(rules, s, a) for s, a in zip(way.states, way.actions, strict=True)]
    after, market = way.after, rules.box.market.price
    company = after.corporations.get(who)
    notes = [f"{e.corporation}: {called(rules, after, e.after)} becomes {rules.facts.leader}"
             for e in way.presidents if e.after]  # fmt: skip
    notes += [f"{e.corporation}: nobody leads it" for e in way.presidents if not e.after]
    notes += [
        f"{e.corporation} {market[e.before] if e.before else '–'} → {market[e.after]}"
        for e in way.prices if e.after and e.before != e.after
    ]  # fmt: skip
    notes += [f"{called(rules, after, p)} has to agree" for p in way.asked]
    cost = money(rules, way.price)
    if way.most > way.price:
        cost = f"{cost} to {money(rules, way.most)}"
    before = zip(steps, way.actions[:-1], strict=False)
    how = [step for step, a in before if not isinstance(a, Pass)]
    shell = getattr(way.actions[-1], "shell", None)
    return Told(
        number,
        cost if way.train else "",
        ", ".join([*how, f"into {shell}"] if shell else how),
        steps,
        money(rules, company.cash) if company is not None else "",
        money(rules, way.help) if way.help else "",
        list(dict.fromkeys(notes)),
    )


def worded(rules: Rules[Any], s: State, a: Action) -> str:
    """An action in words, such as a plan lists it."""
    words, kind = Wording(rules, s), heading(a)
    label, price = words.label(a), words.paid(a)
    cost = f" for {money(rules, price)}" if price else ""
    by = f"{called(rules, s, a.actor)}: " if a.actor in s.players else ""
    return f"{by}{kind}{cost if label in ('', kind) else f': {label}{cost}'}"


# the end of the round


class Outlook(Struct):
    """How it would be when the present round is over: what was now, and what then; the order of
    companies and players then; ``reached`` is the round that follows."""

    reached: str
    players: list[Line]
    companies: list[Line]
    order: list[str]
    seats: list[str]


def outlook_of(table: Table, game: Game) -> Outlook | None:
    """The end of the round if everybody passes, and companies run their best and pay as they did
    last; None: there is no telling. Raises :class:`Forbidden` at a table without help."""
    check(table, Aid.ROUTES, "no round is reckoned to its end")
    return _outlook(game)


@lru_cache(maxsize=64)
def _outlook(game: Game) -> Outlook | None:
    round_ = (type(game.state.round), game.state.turn, game.state.round.number)

    def over(twin: Game) -> bool:
        s = twin.state
        return twin.finished or (type(s.round), s.turn, s.round.number) != round_

    then = until(game, over, _usual)
    if then is None:
        return None
    rules, s = then.rules, then.state
    return Outlook(
        "the end of the game" if then.finished else rules.round_of(s),
        players_beside(game, then),
        companies_beside(game, then),
        list(rules.in_order(s)),
        [s.players[p].name for p in s.order if p in s.players],
    )


def _usual(game: Game, choice: Choice) -> Action:
    """The best run in little work, a dividend as the last one; else the first there is."""
    a = choice.action
    if isinstance(a, RunRoutes):
        try:
            best = game.rules.route_model(game.state, a.actor).best(effort=_SHORT)
        except (IllegalAction, ValueError):
            return next(choice.actions())
        return type(a)(entity=a.entity, entity_type=a.entity_type, routes=best.routes)
    if isinstance(a, Dividend):
        kind = _last_kind(game, a.actor)
        return next((d for d in choice.actions() if getattr(d, "kind", "") == kind), a)
    return next(choice.actions())


def _last_kind(game: Game, who: str) -> str:
    """How a company paid last; at first in full."""
    for entry in reversed(game.history):
        for event in entry.events:
            if isinstance(event, DividendDeclared) and event.who == who and event.revenue:
                return event.kind
    return "payout"
