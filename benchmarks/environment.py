"""Figures of the games as environments: lists of actions, rows, observations, copies, steps.

    python benchmarks/environment.py [TITLE …] [--games 2]

Positions are those of a known game of each title; steps are whole episodes of the PettingZoo
environment, played by masks alone. All is counted in processor time, so what else the machine does
changes little; the table is that of ``docs/environment.md``.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

import roundhouse
from roundhouse import Game, env
from roundhouse.titles.title import all_titles

GAMES = Path(__file__).resolve().parent.parent / "tests" / "games"
#: Positions of a game that are looked at.
MOST = 300


def milliseconds(work: Callable[[Game], object], positions: Iterable[Game]) -> float:
    """The mean processor time of a call, each position being looked at for the first time."""
    spent = []
    for game in positions:
        began = time.process_time()
        work(game)
        spent.append(time.process_time() - began)
    return statistics.mean(spent) * 1000


def positions(title: str) -> list[Game]:
    """Moments of a known game, evenly over it, at which nobody has looked yet: what follows from a
    state is kept with it."""
    game = known(title)
    entries = game.history[:: max(1, len(game.history) // MOST)]
    return [found for e in entries if (found := game.at(e.action.id or 0)).acting]


def known(title: str) -> Game:
    """A finished game of a title."""
    return roundhouse.load(sorted((GAMES / title).glob("*.json"))[0])


def copies(game: Game) -> float:
    """Microseconds of a copy of a finished game."""
    began = time.process_time()
    for _ in range(1000):
        game.copy()
    return (time.process_time() - began) * 1000


def steps(title: str, games: int, *, observed: bool) -> float:
    """Steps a second in episodes played by masks; ``observed``: with the arrays of each."""
    made, rng, count = env.aec(title, longest=1500), np.random.default_rng(1), 0
    spent = 0.0
    for seed in range(games):
        made.reset(seed=seed)
        began = time.process_time()
        while made.agents and made.candidates is not None:
            if observed:
                made.observe(made.agent_selection)
            made.step(int(rng.integers(len(made.candidates))))
            count += 1
        spent += time.process_time() - began
    return count / spent


def figures(title: str, games: int) -> dict[str, Any]:
    """A column of the table."""
    game, found = known(title), positions(title)
    layout = env.Layout(game.rules, game.start)
    listed = [len(p.space(amounts=8)) for p in found]
    every = [len(p.space()) for p in found]
    timed: dict[str, Callable[[Game], object]] = {
        "choices, ms": lambda p: p.choices(),
        "candidates with rows, ms": lambda p: env.Candidates(p).rows(layout, 0),
        "observation, ms": lambda p: env.observe(layout, p.state, 0),
    }
    return {
        "actions listed, mean": round(statistics.mean(listed)),
        "actions listed, most": max(listed),
        "by every value, mean": round(statistics.mean(every)),
        **{name: round(milliseconds(work, positions(title)), 2) for name, work in timed.items()},
        "copy, µs": round(copies(game), 1),
        "steps a second": round(steps(title, games, observed=False)),
        "steps a second, observed": round(steps(title, games, observed=True)),
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("titles", nargs="*", default=list(all_titles()))
    parser.add_argument("--games", type=int, default=2)
    given = parser.parse_args()
    columns = {title: figures(title, given.games) for title in given.titles}
    print("| |" + "|".join(f" {title} " for title in columns) + "|")
    print("|---" * (len(columns) + 1) + "|")
    for row in next(iter(columns.values())):
        print(f"| {row} |" + "|".join(f" {c[row]:,} " for c in columns.values()) + "|")


if __name__ == "__main__":
    main()
