"""The routes to be run: those proposed, those being drawn, what they earn or why they may not."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from ...game import Game
from ...model.actions import Run, RunRoutes
from ...model.choices import Choice
from ...model.errors import IllegalAction
from ...render import RouteLine
from ...routes.answer import BestRoutes
from ...routes.best import best_routes
from ...routes.check import Route
from ...routes.graph import RouteGraph
from ...routes.hand_drawn import pieces_along
from ...sentences.buttons import Wording, place_name
from ..remembered import Remembered, position_of
from .drawing import called, line_of
from .now import write
from .steps import forgone

replace = msgspec.structs.replace

#: Seconds for what a tile would be worth.
_WORTH = 0.8
#: Seconds for the best route through what somebody drew.
_COMPLETING = 1.5
#: Lines on the map have so many looks.
STYLES = 8

#: Hexes in the order somebody touched them.
Trail = tuple[str, ...]


class Row(Struct):
    """One train: its route in words, what it adds to the total, or why it may not be run so.
    ``drawable``: it follows track, so somebody may draw its route."""

    train: str
    name: str
    text: str
    revenue: int | None
    style: int
    drawable: bool
    fault: str = ""


class Plan(Struct):
    """A set of routes as the page holds it: what it earns and whether nothing earns more, or what
    is wrong with it; ``routes`` to come back to it, ``action`` to run it. ``best`` None: nobody has
    looked for the best."""

    rows: list[Row]
    total: int | None
    best: int | None
    proven: bool
    action: str
    routes: str
    who: str
    stops: list[tuple[str, str]]
    fault: str = ""
    rule: str = ""
    drawn: tuple[RouteLine, ...] = ()
    #: What running so gives up: it is asked once more.
    grave: str = ""


class Draft(Struct, frozen=True):
    """What somebody is changing: the routes so far, and for one train the trail he drew (empty: it
    stays idle; None: nothing yet). ``complete``: take the best route that contains the trail."""

    routes: str = ""
    train: str = ""
    trail: Trail | None = None
    complete: bool = False


def running(game: Game) -> Choice | None:
    """The choice to run trains, if it is one now."""
    return next((c for c in game.choices() if isinstance(c.action, RunRoutes)), None)


class Worth(Struct):
    """What a tile would be worth: the best run now and with it. ``sure``: both are proven."""

    who: str
    now: int
    then: int
    sure: bool

    @property
    def more(self) -> int:
        return self.then - self.now


_WORTHS: Remembered[Worth | None] = Remembered(512)


def worth_of(game: Game, actor: str, lay: tuple[str, str, int]) -> Worth | None:
    """What laying a tile (hex, tile, rotation) would add to a company's best run; None if it runs
    no trains."""
    return _WORTHS.get((position_of(game), actor, lay), lambda: _worth(game, actor, lay))


def _worth(game: Game, actor: str, lay: tuple[str, str, int]) -> Worth | None:
    try:
        with_it = game.best_routes(actor, tile=lay, time_limit=_WORTH)
        now = game.best_routes(actor, time_limit=_WORTH)
    except ValueError:
        return None
    sure = with_it.optimal and now.optimal
    return Worth(called(game.rules, game.state, actor), now.revenue, with_it.revenue, sure)


def plan_of(game: Game, draft: Draft, best: BestRoutes | None) -> Plan | None:
    """The routes proposed, or those somebody is drawing; None if no trains are to be run now.
    ``best``: those to propose; without them none are proposed and none completed.

    Raises :class:`ValueError` if the draft cannot be read or names no train that can run.
    """
    choice = running(game)
    if choice is None:
        return None
    if draft.routes:
        runs = _read(draft.routes)
    else:
        runs = best.routes if best else _given(game, choice.actor)
    fault: IllegalAction | None = None
    if draft.trail is not None:
        try:
            complete = draft.complete and best is not None
            runs = _redrawn(game, choice.actor, runs, draft.train, draft.trail, complete)
        except IllegalAction as error:
            fault = error
    return _plan(game, choice, runs, best, fault)


def _given(game: Game, actor: str) -> tuple[Run, ...]:
    """Runs of the trains that serve whatever is in reach, for which nothing is searched."""
    model = game.route_model(actor)
    fixed = [t for t in model.trains() if model.given(t) is not None]
    return tuple(run for t in fixed for run in best_routes(model.for_train(t)).routes)


def lines_of(game: Game, routes: str) -> tuple[RouteLine, ...]:
    """The routes somebody has on his page, as lines; none if they cannot be run here and now."""
    choice = running(game) if routes else None
    if choice is None:
        return ()
    try:
        runs = _read(routes)
        read = game.read_routes(_bare(runs), choice.actor)
    except (IllegalAction, ValueError):
        return ()
    trains = _trains(game, choice.actor, runs)
    return tuple(line_of(r, trains.index(r.train) % STYLES) for r in read)


def _read(raw: str) -> tuple[Run, ...]:
    try:
        return msgspec.json.decode(raw, type=tuple[Run, ...])
    except (msgspec.DecodeError, UnicodeError) as error:
        raise ValueError("these are no routes") from error


def _bare(runs: Sequence[Run]) -> list[Run]:
    """Routes without what they are said to earn: that changes with every route beside them."""
    return [replace(run, revenue=None) for run in runs]


# drawing


def _redrawn(
    game: Game, actor: str, runs: tuple[Run, ...], train: str, trail: Trail, complete: bool
) -> tuple[Run, ...]:
    """The routes with one train's made anew. Raises :class:`IllegalAction` if nothing follows the
    trail."""
    order = list(game.route_model(actor).trains())
    if train not in order:
        raise ValueError(f"{actor} has no train {train} that can run now")
    others = tuple(r for r in runs if r.train != train)
    if not trail:
        return others
    run = _along(game, actor, train, trail, complete)
    before = next((r for r in runs if r.train == train), None)
    run = replace(run, abilities=before.abilities if before else None)
    rank = {t: n for n, t in enumerate(order)}
    return tuple(sorted((*others, run), key=lambda r: rank.get(r.train, len(order))))


def _along(game: Game, actor: str, train: str, trail: Trail, complete: bool) -> Run:
    """A train's route along a trail, or the best one that contains it."""
    model = game.route_model(actor).for_train(train)
    over = ", ".join(place_name(game.rules, c) for c in trail)
    first = model.faces.get(trail[0])
    lone = first is not None and bool(first.tile.stops) and len(trail) == 1
    if lone and not complete:
        raise IllegalAction("one_stop", f"The route begins in {over}; it needs a second stop.")
    pieces = ((trail[0],),) if lone else pieces_along(model, trail)
    if pieces is None:
        raise IllegalAction("no_track", f"No track leads over {over}.")
    if not complete:
        return Run(train, pieces)
    run = game.complete_route(train, pieces, actor, time_limit=_COMPLETING)
    if run is None:
        raise IllegalAction("no_route", f"No route of that train runs over {over}.")
    return run


# what they earn


def _plan(
    game: Game,
    choice: Choice,
    runs: tuple[Run, ...],
    best: BestRoutes | None,
    fault: IllegalAction | None,
) -> Plan:
    actor = choice.actor
    routes: dict[str, Route] = {}
    try:
        routes = {r.train: r for r in game.read_routes(_bare(runs), actor)}
        runs = tuple(_written(game, actor, run, routes[run.train]) for run in runs)
    except IllegalAction as error:
        fault = fault or error
    assert isinstance(choice.action, RunRoutes)
    trains, ran = _trains(game, actor, runs), replace(choice.action, routes=runs)
    return Plan(
        rows=_rows(game, actor, trains, runs, routes),
        total=sum(r.revenue for r in routes.values()) if routes or not runs else None,
        best=best.revenue if best else None,
        proven=best is not None and best.optimal,
        action=write(ran),
        routes=msgspec.json.encode(runs).decode(),
        who=called(game.rules, game.state, actor),
        stops=_stops(game, actor),
        fault=fault.message if fault else "",
        rule=fault.rule if fault else "",
        drawn=tuple(line_of(r, trains.index(r.train) % STYLES) for r in routes.values()),
        grave=forgone(game, ran) if best is None or best.revenue else "",
    )


def _written(game: Game, actor: str, run: Run, route: Route) -> Run:
    """A route as game files write it, with what it adds to the total."""
    if run.hexes is not None:
        return replace(run, revenue=route.revenue)
    return replace(game.route_model(actor).as_run(route), abilities=run.abilities)


def _trains(game: Game, actor: str, runs: Sequence[Run]) -> list[str]:
    """The trains somebody may give routes, and those of other kinds that have one."""
    used = [r.train for r in runs]
    return list(dict.fromkeys((*game.route_model(actor).listed(used), *used)))


def _rows(
    game: Game, actor: str, trains: Sequence[str], runs: Sequence[Run], routes: dict[str, Route]
) -> list[Row]:
    model, words = game.route_model(actor), Wording(game.rules, game.state)
    own, by_train = set(model.trains()), {r.train: r for r in runs}
    rows = []
    for n, train in enumerate(trains):
        run = by_train.get(train)
        route, fault = routes.get(train), ""
        if run is not None and route is None:
            route, fault = _alone(game, actor, run)
        text = _text(run, route) if run else ""
        earned = route.revenue if route else None
        drawable = train in own and model.given(train) is None
        rows.append(Row(train, words.train(train), text, earned, n % STYLES, drawable, fault))
    return rows


def _alone(game: Game, actor: str, run: Run) -> tuple[Route | None, str]:
    """A route of a set that may not be run: as if it were alone, or what is wrong with it."""
    try:
        return game.read_routes(_bare((run,)), actor)[0], ""
    except IllegalAction as error:
        return None, error.message


def _text(run: Run, route: Route | None) -> str:
    if run.revenue_str or route is None:
        ends = [piece[-1] for piece in run.connections]
        return run.revenue_str or "-".join([*run.connections[0][:1], *ends])
    return route.text


def _stops(game: Game, actor: str) -> list[tuple[str, str]]:
    """The stops a company's routes may touch, for who chooses them without a pointer."""
    places = dict.fromkeys(coord for coord, _ in RouteGraph(game.route_model(actor)).stops)
    return [(coord, place_name(game.rules, coord)) for coord in sorted(places)]
