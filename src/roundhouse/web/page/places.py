"""What may be done at one place of the map, and the routes that are proposed."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from ...board.laying import face_at, slots_at
from ...board.tiles import revenue_of
from ...game import Game
from ...model.actions import LayTile, Run
from ...model.choices import Choice
from ...model.errors import IllegalAction
from ...routes.best import BestRoutes
from ...routes.check import Route, check_runs
from ..tables import decides
from .drawing import called, tile_of
from .now import Item, consequence, item_of, write
from .words import Wording, hex_of, money, place_name

if TYPE_CHECKING:
    from .view import View


class Turn(Struct):
    """A legal rotation of a tile."""

    rotation: int
    drawn: str
    action: str
    after: str


class Tile(Struct):
    """A tile that may be laid, with its legal rotations."""

    name: str
    actor: str
    turns: list[Turn]


class Spot(Struct):
    """A hex: what lies there in words, and everything that may be done."""

    hex: str
    name: str
    text: list[str]
    tiles: list[Tile]
    items: list[Item]


def spot_of(view: View, coord: str) -> Spot:
    """A hex for a viewer."""
    game = view.game
    spot = Spot(coord, place_name(game.rules, coord), describe(game, coord), [], [])
    if view.past or not view.mine:
        return spot
    words = Wording(game.rules, game.state)
    tiles: dict[tuple[str, str], Tile] = {}
    for choice in game.choices():
        a = choice.action
        if hex_of(game.rules, game.state, a) != coord:
            continue
        if not view.mine & decides(game, choice.actor):
            continue
        if isinstance(a, LayTile):
            name = a.tile.rpartition("-")[0]
            tile = tiles.setdefault(
                (name, a.actor), Tile(name, called(game.rules, game.state, a.actor), [])
            )
            tile.turns.append(
                Turn(a.rotation, tile_of(game.rules, name, a.rotation), write(a), _cost(game, a))
            )
        else:
            item = item_of(words, choice, coord)
            item.after = consequence(game, a)
            spot.items.append(item)
    spot.tiles = list(tiles.values())
    return spot


def _cost(game: Game, a: LayTile) -> str:
    return consequence(game, a)


def describe(game: Game, coord: str) -> list[str]:
    """A hex in sentences, for those who listen to the page and for the curious."""
    rules, s = game.rules, game.state
    face = face_at(rules.box, s.board, coord)
    laid = s.board.tiles.get(coord)
    told = [f"Tile {laid.tile.rpartition('-')[0]}, {face.tile.color}." if laid else "As printed."]
    for node in face.tile.nodes:
        if node.revenue:
            value = revenue_of(node, rules.box.phases[s.phase].tiles)
            told.append(f"{node.kind.capitalize()} worth {money(rules, value)} now.")
    for number, slots in enumerate(slots_at(rules.box, s.board, coord)):
        holders = [owner or "free" for owner in slots]
        told.append(f"City {number + 1}: {', '.join(holders)}.")
    if face.tile.cost and not laid:
        terrain = " and ".join(sorted(face.tile.terrain)) or "terrain"
        told.append(f"{terrain.capitalize()} for {money(rules, face.tile.cost)}.")
    if markers := s.board.markers.get(coord):
        told.append(f"Markers: {', '.join(markers)}.")
    return told


# routes


class RouteRow(Struct):
    """One train and its route, if it has one."""

    train: str
    name: str
    text: str
    revenue: int | None
    style: int


class RoutePlan(Struct):
    """A set of routes as the page holds it: what it earns, whether that is proven to be the best,
    what is wrong with it, and the action that runs it."""

    rows: list[RouteRow]
    total: int
    best: int
    proven: bool
    action: str
    routes: str
    who: str
    fault: str = ""
    rule: str = ""
    drawn: tuple[Route, ...] = ()


class Draft(Struct, frozen=True):
    """What somebody is changing: the routes so far, and for one train the hexes it is to call at
    (none: it stays idle)."""

    routes: str = ""
    train: str = ""
    via: tuple[str, ...] = ()


#: Seconds the page waits for the best routes; what is found by then is shown with its bound.
PATIENCE = 4.0


def running(game: Game) -> Choice | None:
    """The choice to run trains, if it is one now."""
    return next((c for c in game.choices() if c.type == "run_routes"), None)


def routes_of(view: View, draft: Draft) -> RoutePlan | None:
    """The routes proposed, or those somebody is making; None if no trains are to be run now."""
    choice = running(view.game)
    if choice is None:
        return None
    best = best_of(view.game, choice.actor)
    runs = _runs(draft.routes) if draft.routes else best.routes
    fault: IllegalAction | None = None
    if draft.train:
        runs, fault = _redrawn(view.game, choice.actor, runs, draft)
    return _plan(view.game, choice, runs, best, fault)


@lru_cache(maxsize=128)
def best_of(game: Game, actor: str) -> BestRoutes:
    """The best routes of a company, searched once a moment."""
    return game.best_routes(actor, time_limit=PATIENCE)


def _runs(raw: str) -> tuple[Run, ...]:
    try:
        return msgspec.json.decode(raw, type=tuple[Run, ...])
    except (msgspec.DecodeError, UnicodeError) as error:
        raise ValueError("these are no routes") from error


def _redrawn(
    game: Game, actor: str, runs: tuple[Run, ...], draft: Draft
) -> tuple[tuple[Run, ...], IllegalAction | None]:
    """The routes with one train's made anew from the hexes it is to call at."""
    others = tuple(r for r in runs if r.train != draft.train)
    if not draft.via:
        return others, None
    pieces = [[coord] for coord in draft.via]
    run = game.complete_route(draft.train, pieces, actor, time_limit=1.0)
    if run is None:
        listed = ", ".join(draft.via)
        return runs, IllegalAction("no_route", f"No route of that train calls at {listed}.")
    return (*others, run), None


def _plan(
    game: Game,
    choice: Choice,
    runs: tuple[Run, ...],
    best: BestRoutes,
    fault: IllegalAction | None,
) -> RoutePlan:
    model = game.route_model(choice.actor)
    drawn: tuple[Route, ...] = ()
    total = best.revenue if runs == best.routes else sum(r.revenue or 0 for r in runs)
    if runs != best.routes:  # what a route adds depends on the others, which may have changed
        runs = tuple(msgspec.structs.replace(r, revenue=None) for r in runs)
    try:
        drawn = tuple(check_runs(model, runs))
    except IllegalAction as error:
        fault = fault or error
    if drawn and runs != best.routes:
        total = sum(r.revenue for r in drawn)
        pairs = zip(runs, drawn, strict=True)
        runs = tuple(msgspec.structs.replace(r, revenue=d.revenue) for r, d in pairs)
    words = Wording(game.rules, game.state)
    by_train = {r.train: r for r in runs}
    rows = [_route_row(words, n, t, by_train.get(t)) for n, t in enumerate(model.listed(by_train))]
    action = msgspec.structs.replace(choice.action, routes=runs)
    return RoutePlan(
        rows,
        total,
        best.revenue,
        best.optimal,
        write(action),
        msgspec.json.encode(runs).decode(),
        called(game.rules, game.state, choice.actor),
        fault.message if fault else "",
        fault.rule if fault else "",
        drawn,
    )


def _route_row(words: Wording, n: int, train: str, run: Run | None) -> RouteRow:
    text = (run.revenue_str or "-".join(run.hexes or ())) if run else ""
    return RouteRow(train, words.train(train), text, run.revenue if run else None, n % 8)
