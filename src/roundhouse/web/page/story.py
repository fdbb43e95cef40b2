"""The history of a game in short: its rounds, and what each company earned when."""

from __future__ import annotations

from msgspec import Struct

from ...game import Game
from ...model.actions import RunRoutes
from ...model.errors import IllegalAction
from ...model.events import DividendDeclared, Ran, RoundStarted
from ...routes.check import Route, check_runs


class Mark(Struct):
    """A round of the game: its name and the moment just before its first action."""

    name: str
    id: int


class Run(Struct):
    """A company's run: what it earned, how it was paid, its routes, and when it ran."""

    id: int
    revenue: int
    kind: str
    routes: str


class Tale(Struct):
    """What a pass over the whole history tells."""

    rounds: list[Mark]
    columns: list[str]
    runs: dict[str, dict[str, Run]]


def tale_of(game: Game) -> Tale:
    """Rounds and revenues, from the events of everything that counts."""
    rounds = [Mark("start", 0)]
    columns: list[str] = []
    runs: dict[str, dict[str, Run]] = {}
    shorts = {play.name: play.short for play in game.rules.rounds.values()}
    routes, ran = "", 0
    for entry in game.history:
        for event in entry.events:
            if isinstance(event, RoundStarted):
                name = f"{shorts.get(event.name, event.name)} {event.turn}.{event.number}"
                rounds.append(Mark(name, entry.action.id or 0))
            elif isinstance(event, Ran):
                routes = " · ".join(f"{text} {earned}" for _, text, earned in event.routes)
                ran = entry.action.id or 0
            elif isinstance(event, DividendDeclared):
                column = rounds[-1].name
                if not columns or columns[-1] != column:
                    columns.append(column)
                run = Run(ran or entry.action.id or 0, event.revenue, event.kind, routes)
                runs.setdefault(event.who, {})[column] = run
                routes, ran = "", 0
    return Tale(rounds, columns, runs)


def ran(game: Game) -> tuple[Route, ...]:
    """The routes the last action ran; none if it ran none, or a file's differ from our reading."""
    last = game.history[-1] if len(game) else None
    if last is None or not isinstance(last.action, RunRoutes):
        return ()
    before = game.history[-2].state if len(game) > 1 else game.start
    model = game.rules.route_model(before, last.action.actor)
    try:
        return tuple(check_runs(model, last.action.routes))
    except IllegalAction:
        return ()
