"""The history of a game in short: its rounds, and what each company earned when."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

from msgspec import Struct
from msgspec.structs import replace

from ...game import Game
from ...history import Entry
from ...model.actions import RunRoutes
from ...model.errors import IllegalAction
from ...model.events import DividendDeclared, Ran, RoundStarted
from ...rounds.rules import Rules
from ...routes.model import Route


class Mark(Struct, frozen=True):
    """A round of the game: its name and the moment just before its first action."""

    name: str
    id: int


class Run(Struct):
    """A company's run: what it earned, how it was paid, its routes, and when it ran."""

    id: int
    revenue: int
    kind: str
    routes: str


class Tale(Struct, frozen=True):
    """What a pass over the history tells: its rounds, the rounds in which dividends were decided
    on, and by company the runs in them. ``ran``: companies that have run at all. ``last``: a run
    that no dividend has followed yet."""

    rounds: tuple[Mark, ...] = (Mark("start", 0),)
    columns: tuple[str, ...] = ()
    runs: Mapping[str, Mapping[str, Run]] = {}
    ran: frozenset[str] = frozenset()
    last: Run | None = None


#: The tale up to an entry; what comes after it is told on from there.
_tales: WeakKeyDictionary[Entry, Tale] = WeakKeyDictionary()


def tale_of(game: Game) -> Tale:
    """Rounds and revenues, from the events of everything that counts."""
    entries = game.history
    told = len(entries)
    while told and entries[told - 1] not in _tales:
        told -= 1
    tale = _tales[entries[told - 1]] if told else Tale()
    for entry in entries[told:]:
        tale = _told_on(game.rules, tale, entry)
    if entries:
        _tales[entries[-1]] = tale
    return tale


def _told_on(rules: Rules[Any], tale: Tale, entry: Entry) -> Tale:
    number = entry.action.id or 0
    for event in entry.events:
        if isinstance(event, RoundStarted):
            mark = Mark(rules.round_told(event, short=True), number)
            tale = replace(tale, rounds=(*tale.rounds, mark))
        elif isinstance(event, Ran):
            routes = " · ".join(f"{text} {earned}" for _, text, earned in event.routes)
            tale = replace(tale, ran=tale.ran | {event.who}, last=Run(number, 0, "", routes))
        elif isinstance(event, DividendDeclared):
            tale = _paid(tale, event, number)
    return tale


def _paid(tale: Tale, event: DividendDeclared, number: int) -> Tale:
    column, last = tale.rounds[-1].name, tale.last or Run(number, 0, "", "")
    run = replace(last, revenue=event.revenue, kind=event.kind)
    runs = {**tale.runs, event.who: {**tale.runs.get(event.who, {}), column: run}}
    columns = tale.columns if column in tale.columns[-1:] else (*tale.columns, column)
    return replace(tale, columns=columns, runs=runs, last=None)


def ran(game: Game) -> tuple[Route, ...]:
    """The routes the last action ran; none if it ran none, or a file's differ from our reading."""
    last = game.history[-1] if len(game) else None
    if last is None or not isinstance(last.action, RunRoutes):
        return ()
    before = game.history[-2].state if len(game) > 1 else game.start
    try:
        return tuple(game.rules.read_routes(before, last.action.actor, last.action.routes))
    except IllegalAction:
        return ()
