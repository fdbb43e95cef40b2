"""The history of a game as the page shows it: log lines, the rounds, what each company earned."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ...game import Game
from ...history import Entry
from ...model.actions import Log, Message, Redo, Undo
from ...model.events import DividendDeclared, Ran, RoundStarted, TurnStarted
from ...sentences import Sentence
from .drawing import called, told

#: Lines of the log shown at first.
LINES = 40


class Line(Struct):
    """One entry of the log: its sentences, and the moment a click leads to."""

    id: int
    sentences: list[Sentence]
    who: str = ""
    chat: str = ""
    round: str = ""
    turn: bool = False


class Mark(Struct):
    """A round of the game: its name and the moment just before its first action."""

    name: str
    id: int


class Run(Struct):
    """A company's run: what it earned, how it was paid, its routes, and when."""

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
    routes = ""
    for entry in game.history:
        for event in entry.events:
            if isinstance(event, RoundStarted):
                name = f"{shorts.get(event.name, event.name)} {event.turn}.{event.number}"
                rounds.append(Mark(name, entry.action.id or 0))
            elif isinstance(event, Ran):
                routes = ", ".join(text for _, text, _ in event.routes)
            elif isinstance(event, DividendDeclared):
                column = rounds[-1].name
                if not columns or columns[-1] != column:
                    columns.append(column)
                run = Run(entry.action.id or 0, event.revenue, event.kind, routes)
                runs.setdefault(event.who, {})[column] = run
                routes = ""
    return Tale(rounds, columns, runs)


def lines_of(game: Game, before: int | None = None, count: int = LINES) -> list[Line]:
    """The last lines of the log, oldest first; ``before``: those before an action's id."""
    log: Sequence[Entry] = game.log
    if before is not None:
        log = [e for e in log if (e.action.id or 0) < before]
    return [line for e in log[-count:] if (line := _line(game, e)) is not None]


def _line(game: Game, entry: Entry) -> Line | None:
    a = entry.action
    number = a.id or 0
    who = called(game.rules, game.state, a.actor)
    if isinstance(a, Message | Log):
        return Line(number, [], who, chat=a.message)
    if isinstance(a, Undo | Redo):
        text = "took back" if isinstance(a, Undo) else "restored what was taken back"
        return Line(number, [Sentence("undo", (f"{who} {text}.",))])
    found = told(game.rules, game.state, entry.events)
    if not found and a.type != "pass":
        found = [Sentence("other", (f"{who}: {a.type.replace('_', ' ')}.",))]
    begun = next((e for e in entry.events if isinstance(e, RoundStarted)), None)
    turn = any(isinstance(e, TurnStarted) for e in entry.events)
    name = f"{begun.name} {begun.turn}.{begun.number}" if begun else ""
    return Line(number, found, who, round=name, turn=turn)
