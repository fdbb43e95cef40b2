"""What weights of the magnate are worth: many of them changed at once, for each player otherwise.

python benchmarks/vary.py play TITLE --out FILE [--of title] [--games 200] [--seed 1]
python benchmarks/vary.py fit FILE …

``play`` lets four ``quick`` play each deal, each with weights of his own: those that are not 0 by
factors drawn around 1, others one of two values; ``--of title`` does the same with what else is
known of a title, such as what privates are worth and companies are begun with. Each game goes to
the file as a line of JSON. ``fit`` tells what each change brings, by least squares: how far worth
against the mean of the table goes with each draw, draws of the other players taken off. So one game
tells something of all weights, where :mod:`weights` plays two for each value of one.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import exp
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from msgspec.structs import asdict, replace

from roundhouse import new
from roundhouse.bots import Magnate
from roundhouse.bots.knowledge import Knowledge, Weights, knowledge_of
from roundhouse.titles.title import find_title
from weights import SEATS, played

#: How far factors go: the standard deviation of their logarithms.
SPREAD = 0.5
#: The same of what games are like: the pace of trains, and what they typically earn.
LIKE = 0.2
#: The two values of weights that may be nothing; the first is drawn as -1, the second as 1.
EITHER: Mapping[str, tuple[float, float]] = {
    "prospect": (0.0, 8.0),
    "thrift": (0.0, 0.7),
    "yield_least": (0.0, 0.1),
    "early": (0.0, 1.0),
    "deal": (0.0, 1.0),
    "passed_up": (0.0, 1.0),
    "train_after": (0.0, 1.0),
    "laid": (0.0, 3.0),
    "held": (0.0, 6.0),
    "exposed": (0.0, 1.0),
    "raised": (0.0, 1.0),
    "plain": (0.0, 0.6),
}
#: What is no weight, and goes for all kinds of trains.
ALL = ("pace", "typical", "another")
#: What else is known of a title: numbers, and what it is begun with.
TITLE = ("first_run", "vague", "drag", "private_rounds", "private_face")
FOUNDING = ("least", "most", "needs", "joining", "doubt", "reserve", "otherwise", "premium")


def drawn(rng: Random, of: str = "weights") -> dict[str, float]:
    """How far each weight, or what else is known of a title, is changed for one player, in
    standard deviations."""
    facts = {*TITLE, *FOUNDING, "privates"}
    names = sorted({*(asdict(Weights()) if of == "weights" else facts), *ALL})
    return {n: rng.choice((-1.0, 1.0)) if n in EITHER else rng.gauss(0, 1) for n in names}


def _times(value: Any, draw: float) -> Any:
    """A number by a factor; one that is whole stays whole."""
    found = value * exp(SPREAD * draw)
    return round(found) if isinstance(value, int) else found


def changed(known: Knowledge, draw: Mapping[str, float]) -> Knowledge:
    """What is known of a title with a player's changes."""
    weights: dict[str, Any] = {}
    for name, value in asdict(known.weights).items():
        if name in draw and name in EITHER:
            weights[name] = EITHER[name][draw[name] > 0]
        elif name in draw:
            weights[name] = _times(value, draw[name])
    pace, typical, another = (exp(LIKE * draw[name]) for name in ALL)
    title = {n: _times(getattr(known, n), draw[n]) for n in TITLE if n in draw}
    start = {n: _times(getattr(known.founding, n), draw[n]) for n in FOUNDING if n in draw}
    if "otherwise" in draw and not known.founding.otherwise:
        start["otherwise"] = max(0.0, draw["otherwise"])
    privates = draw.get("privates", 0.0)
    return replace(
        known,
        weights=replace(known.weights, **weights),
        pace={kind: pace * at for kind, at in known.pace.items()},
        typical={kind: typical * earned for kind, earned in known.typical.items()},
        another=min(1.0, known.another * another),
        privates={name: _times(more, privates) for name, more in known.privates.items()},
        founding=replace(known.founding, **start),
        **title,
    )


def play(title: str, of: str, seed: int) -> dict[str, Any]:
    """One game: what was drawn for each player, and what each came to."""
    rng = Random(seed)
    game = new(title, [f"Player {n + 1}" for n in range(SEATS)], seed=seed)
    keys = list(game.state.players)
    draws = [drawn(rng, of) for _ in keys]
    known = knowledge_of(find_title(title))
    players = {
        key: Magnate("quick", seed * SEATS + n, changed(known, draw))
        for n, (key, draw) in enumerate(zip(keys, draws, strict=True))
    }
    worth = played(game, players)
    return {"title": title, "seed": seed, "draws": draws, "worth": [worth[key] for key in keys]}


def fit(games: Sequence[Mapping[str, Any]]) -> list[tuple[str, float, float]]:
    """What each change brings, as a part of the mean worth of a table for each standard deviation,
    and the standard error of that; the surest first."""
    names = sorted(games[0]["draws"][0])
    rows, brought = [], []
    for game in games:
        worth = np.array(game["worth"], dtype=float)
        draws = np.array([[draw[n] for n in names] for draw in game["draws"]])
        # a table of four tells three things: the mean is no player's merit
        rows.append(draws - draws.mean(axis=0))
        brought.append(worth / max(1.0, worth.mean()) - 1.0)
    x, y = np.concatenate(rows), np.concatenate(brought)
    inverse = np.linalg.pinv(x.T @ x)
    slope = inverse @ x.T @ y
    free = max(1, (SEATS - 1) * len(games) - len(names))
    error = np.sqrt(((y - x @ slope) ** 2).sum() / free * np.diag(inverse))
    found = [(n, float(s), float(e)) for n, s, e in zip(names, slope, error, strict=True)]
    return sorted(found, key=lambda f: -abs(f[1] / f[2]) if f[2] else 0.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("play", "fit"))
    parser.add_argument("names", nargs="+", help="a title, or files")
    parser.add_argument("--of", choices=("weights", "title"), default="weights")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_intermixed_args()
    if asked.what == "fit":
        lines = [line for name in asked.names for line in Path(name).read_text().splitlines()]
        games = [json.loads(line) for line in lines]
        print(f"{len(games)} games")
        for name, slope, error in fit(games):
            print(f"{name:12} {slope:+.4f} ± {error:.4f}")
        return
    if asked.out is None:
        parser.error("--out: where games are to go")
    seeds = range(asked.seed, asked.seed + asked.games)
    with ProcessPoolExecutor(asked.processes) as pool, asked.out.open("a") as file:
        for game in pool.map(partial(play, asked.names[0], asked.of), seeds):
            print(json.dumps(game), file=file, flush=True)


if __name__ == "__main__":
    main()
