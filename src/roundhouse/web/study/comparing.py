"""A branch and its game side by side."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from ...game import Game
from ...model.actions import Log, Message
from ..page.panels import CompanyCard, PlayerCard, companies_of, players_of
from ..page.story import Mark, Tale, tale_of


class Pair(Struct):
    """A figure in the game and in the branch; None: there is none."""

    game: int | None
    branch: int | None

    @property
    def more(self) -> int:
        """What the branch has more, where both have something."""
        if self.branch is None or self.game is None:
            return 0
        return self.branch - self.game


class Line(Struct):
    """A player or a company, with figures."""

    name: str
    pairs: list[Pair]
    trains: tuple[str, str] = ("", "")


class Comparison(Struct):
    """``at``: the moment of the game that is compared with; ``game`` and ``branch``: what rounds
    they are in; ``columns``: operating rounds since the branch began, ``runs`` what each company
    earned in them; ``moments``: ends of rounds to choose from."""

    at: int
    game: str
    branch: str
    players: list[Line]
    companies: list[Line]
    columns: list[str]
    runs: list[Line]
    moments: list[Mark]


def compare(live: Game, branch: Game, begun: int, at: int | None) -> Comparison:
    """A branch beside its game at a moment (None: where the game was in the same round at last).
    Raises :class:`ValueError` if there was no such moment."""
    there, here = tale_of(live), tale_of(branch)
    at = _alike(live, there, here) if at is None else at
    then = live.at(at)
    past = tale_of(then)
    columns = [c for c in dict.fromkeys((*past.columns, *here.columns)) if _new(c, live, begun)]
    return Comparison(
        at,
        past.rounds[-1].name,
        here.rounds[-1].name,
        players_beside(then, branch),
        companies_beside(then, branch),
        columns,
        _runs(past, here, columns),
        _ends(live, there),
    )


def _ends(game: Game, tale: Tale) -> list[Mark]:
    """The last moment of each round, and the present."""
    ids = [0, *(e.action.id or 0 for e in game.history if not isinstance(e.action, Message | Log))]
    follows = [*(m.id for m in tale.rounds[1:]), ids[-1] + 1]
    lasts = [max((i for i in ids if i < then), default=0) for then in follows]
    return [Mark(m.name, last) for m, last in zip(tale.rounds, lasts, strict=True)]


def _alike(game: Game, there: Tale, here: Tale) -> int:
    """The last moment of the branch's present round in the game; where it never came to that, its
    present."""
    ends = _ends(game, there)
    return next((m.id for m in ends if m.name == here.rounds[-1].name), ends[-1].id)


def _new(column: str, game: Game, begun: int) -> bool:
    """Whether a round had not ended when the branch began."""
    ended = {m.name: m.id for m in _ends(game, tale_of(game))}
    return ended.get(column, begun + 1) > begun


def players_beside(then: Game, now: Game) -> list[Line]:
    """Worth, cash and certificates of the players in two positions."""
    figures: tuple[Callable[[PlayerCard], int], ...] = (
        lambda p: p.value, lambda p: p.cash, lambda p: p.certificates,
    )  # fmt: skip
    after = {p.key: p for p in players_of(now)}
    return [
        Line(p.name, [Pair(figure(p), figure(after[p.key])) for figure in figures])
        for p in players_of(then)
    ]


def companies_beside(then: Game, now: Game) -> list[Line]:
    """Price, treasury, last run and trains of the companies in two positions."""
    before, after = ({c.symbol: c for c in companies_of(g, tale_of(g))[0]} for g in (then, now))
    return [_company(c, before.get(c), after.get(c)) for c in dict.fromkeys((*before, *after))]


def _company(symbol: str, then: CompanyCard | None, now: CompanyCard | None) -> Line:
    figures: tuple[Callable[[CompanyCard], int | None], ...] = (
        lambda c: c.price, lambda c: c.cash, lambda c: c.last,
    )  # fmt: skip
    pairs = [Pair(f(then) if then else None, f(now) if now else None) for f in figures]
    trains = [" ".join(t.name for t in c.trains) if c else "–" for c in (then, now)]
    return Line(symbol, pairs, (trains[0], trains[1]))


def _runs(then: Tale, now: Tale, columns: list[str]) -> list[Line]:
    return [
        Line(who, [Pair(_revenue(then, who, c), _revenue(now, who, c)) for c in columns])
        for who in dict.fromkeys((*then.runs, *now.runs))
        if any(c in then.runs.get(who, {}) or c in now.runs.get(who, {}) for c in columns)
    ]


def _revenue(tale: Tale, who: str, column: str) -> int | None:
    run = tale.runs.get(who, {}).get(column)
    return run.revenue if run is not None else None
