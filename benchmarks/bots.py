"""How often one bot that looks ahead beats players who choose at random, per title.

python benchmarks/bots.py [--games 10] [TITLE …]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from random import Random

from roundhouse import Choice, Game, bots, new, selfplay
from roundhouse.model.actions import Action
from roundhouse.titles.title import all_titles

SEATS = 3


def match(title: str, seed: int) -> tuple[Game, int | str, float]:
    """One game: the bot on a seat that changes from game to game, the others at random."""
    game = new(title, [f"Player {n + 1}" for n in range(SEATS)], seed=seed)
    bot, spent = game.seats[seed % SEATS].id, 0.0

    def policy(g: Game, choices: Sequence[Choice], rng: Random) -> Action:
        nonlocal spent
        if g.players_to_act[:1] != (bot,):
            return selfplay.lively(g, choices, rng)
        began = time.process_time()
        action = bots.thrifty(g, choices, rng)
        spent += time.process_time() - began
        return action

    selfplay.play_on(game, Random(seed), actions=3_000, policy=policy)
    return game, bot, spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("titles", nargs="*", default=list(all_titles()))
    parser.add_argument("--games", type=int, default=10)
    chosen = parser.parse_args()
    print(f"{'title':10} {'won':>7} {'bot':>8} {'others':>8} {'s/game':>8}")
    for title in chosen.titles:
        won, mine, theirs, seconds = 0, 0, 0.0, 0.0
        for seed in range(chosen.games):
            game, bot, spent = match(title, seed)
            scores = game.result()
            won += next(iter(scores)) == bot
            mine += scores.pop(bot)
            theirs += sum(scores.values()) / len(scores)
            seconds += spent
        n = chosen.games
        print(f"{title:10} {won:3}/{n:<3} {mine // n:8} {theirs / n:8.0f} {seconds / n:8.1f}")


if __name__ == "__main__":
    main()
