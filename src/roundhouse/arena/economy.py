"""What kind of game it was: companies founded, phases, trains, loans, mergers, prices of deals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from ..dealing import deals, price_to_face
from ..game import Game

#: Kinds of actions that are counted.
COUNTED = ("take_loan", "payoff_loan", "short", "merge", "convert", "bankrupt", "buy_train")


class Economy(Struct, frozen=True):
    """Figures of one game. ``founded``: by turn, companies that got a share price; ``phases``: the
    turn each began in; ``counts``: how often each kind of action was done; ``deals``: price ÷ face
    of what was bought from other players; ``worth``: of the players, the winner's first."""

    turns: int
    actions: int
    founded: dict[int, int]
    phases: dict[str, int]
    counts: dict[str, int]
    deals: tuple[float, ...]
    worth: tuple[int, ...]
    end: str


def economy_of(game: Game) -> Economy:
    """The figures of a game, finished or not."""
    founded: Counter[int] = Counter()
    phases: dict[str, int] = {game.start.phase: game.start.turn}
    counts: Counter[str] = Counter()
    known: set[str] = {c.id for c in game.rules.started(game.start)}
    for entry in game.history:
        counts[entry.action.type] += 1
        s = entry.state
        phases.setdefault(s.phase, s.turn)
        for company in game.rules.started(s):
            if company.id not in known:
                known.add(company.id)
                founded[s.turn] += 1
    return Economy(
        turns=game.state.turn,
        actions=len(game),
        founded=dict(founded),
        phases=phases,
        counts={k: counts[k] for k in COUNTED if counts[k]},
        deals=tuple(_ratios(game)),
        worth=tuple(game.result().values()),
        end=game.end_reason or "not finished",
    )


def _ratios(game: Game) -> Iterable[float]:
    for before, action in deals(game):
        ratio = price_to_face(before, action)
        if ratio is not None:
            yield round(ratio, 3)


class Table(Struct, frozen=True):
    """Figures of many games of one title: means over the games, and how the games ended."""

    games: int
    turns: float
    founded: dict[int, float]
    phases: dict[str, tuple[float, float]]
    counts: dict[str, float]
    deals: tuple[float, ...]
    winner: float
    mean: float
    ends: dict[str, int]


def table_of(economies: list[Economy]) -> Table:
    """The figures of some games together. ``phases``: the mean turn they began in, and the part of
    the games that had them. Raises :class:`ValueError` if there are none."""
    if not economies:
        raise ValueError("there are no games")
    n = len(economies)
    turns = sorted({t for e in economies for t in e.founded})
    phases = dict.fromkeys(p for e in economies for p in e.phases)
    kinds = [k for k in COUNTED if any(k in e.counts for e in economies)]
    reached = {p: [e.phases[p] for e in economies if p in e.phases] for p in phases}
    return Table(
        games=n,
        turns=sum(e.turns for e in economies) / n,
        founded={t: sum(e.founded.get(t, 0) for e in economies) / n for t in turns},
        phases={p: (sum(at) / len(at), len(at) / n) for p, at in reached.items()},
        counts={k: sum(e.counts.get(k, 0) for e in economies) / n for k in kinds},
        deals=tuple(sorted(d for e in economies for d in e.deals)),
        winner=sum(e.worth[0] for e in economies) / n,
        mean=sum(sum(e.worth) / len(e.worth) for e in economies) / n,
        ends=dict(Counter(e.end for e in economies).most_common()),
    )
