"""Makes the games of our own the tests replay: self-play, saved with traces.

    python tests/make_games.py [TITLE …]

Run it again only when a rule changes on purpose; the tests then tell what else moved.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import roundhouse
from roundhouse import selfplay
from roundhouse.trace import write_trace

FOLDER = Path(__file__).parent / "games"

#: title -> (name, players, seed, options)
GAMES: dict[str, list[tuple[str, int, int, list[str]]]] = {
    "1817": [
        ("base", 7, 39, []),
        ("volatility", 8, 5, ["volatility", "modern_trains", "short_squeeze"]),
        ("document", 9, 62, ["document"]),
    ],
    "1817DE": [("base", 6, 59, [])],
    "1817NA": [("base", 6, 37, [])],
    "1817WO": [("base", 5, 50, [])],
    "1828": [("base", 4, 36, [])],
    "18Ireland": [("base", 4, 3, [])],
    "1873": [("base", 3, 2, [])],
}


def make(title: str, name: str, players: int, seed: int, options: list[str]) -> None:
    """One game with its trace."""
    names = [f"Player {n}" for n in range(1, players + 1)]
    game = roundhouse.new(title, names, seed=seed, options=options)
    selfplay.play_on(game, Random(seed), policy=selfplay.lively)
    folder = FOLDER / title
    folder.mkdir(parents=True, exist_ok=True)
    game.save(folder / f"{name}.json")
    write_trace(game, folder / f"{name}.jsonl.gz")
    print(title, name, len(game), game.end_reason, game.state.phase)


if __name__ == "__main__":
    for wanted in sys.argv[1:] or GAMES:
        for game in GAMES[wanted]:
            make(wanted, *game)
