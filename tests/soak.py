"""Plays many random games to their ends and checks every state of them.

    python tests/soak.py TITLE [--games 300] [--first SEED] [--actions 6000] [--hasty] [--branches]

Seats and options are drawn from each game's seed; the policies of
:mod:`roundhouse.selfplay` take turns. With ``--hasty`` there are few and cheap trains, bought in a
rush, so that the last phases come in seconds. With ``--branches`` a game starts from a position of
a real game of the title instead, where such games are at hand. Every state must keep all
invariants; now and then choices and checks are held together too. The last lines count how the
games ended. The exit code is 1 if anything was wrong.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections import Counter
from pathlib import Path
from random import Random
from time import perf_counter

import roundhouse
from roundhouse import Game, conformance, selfplay, transitions
from roundhouse.title_check import POLICIES, last_action_faults, random_game
from roundhouse.titles.title import Title, all_titles, register

sys.path.append(str(Path(__file__).parents[1] / "examples"))  # where a title of the tests lives

import fenland

from hasty import hasty
from reference import GAMES, real_games

register(fenland.TITLE)

#: Actions between two looks at whether choices and checks agree.
EVERY = 97


def branch(title: Title, seed: int) -> Game:
    """A position of a real game, or of one of ours, drawn from the seed."""
    rng = Random(seed)
    own = sorted((GAMES / title.id).glob("*.json"))
    path = rng.choice([*real_games(title.id.lower()), *real_games(title.id), *own])
    game, _ = roundhouse.replay(path)
    return game.at(rng.choice(game.history[:-1]).action.id or 0).copy()


def begin(title: Title, seed: int, wanted: argparse.Namespace) -> tuple[Game, selfplay.Policy]:
    """A game to play on, and who plays it."""
    if wanted.hasty:
        return random_game(hasty(title), seed), selfplay.pushing
    game = branch(title, seed) if wanted.branches else random_game(title, seed)
    return game, POLICIES[seed % len(POLICIES)]


def soak(title: Title, seed: int, wanted: argparse.Namespace) -> tuple[Game, list[str]]:
    """One game, and what was wrong with it."""
    game, policy = begin(title, seed, wanted)
    before = game.state
    money = conformance.total_money(game.start)
    wrong: list[str] = []

    def watch(game: Game) -> None:
        nonlocal before
        found = conformance.faults(game.rules, game.state, money)
        found += last_action_faults(game, before)
        before = game.state
        if len(game) % EVERY == 0:
            found += conformance.disagreements(game, 40)
            found += transitions.alike(game.rules, game.state)
        wrong.extend(f"action {len(game)}: {fault}" for fault in found)
        if found:
            raise ArithmeticError(found[0])

    try:
        selfplay.play_on(game, Random(seed), actions=wanted.actions, policy=policy, watch=watch)
    except Exception:
        wrong.append(traceback.format_exc())
    return game, wrong


def main() -> int:
    """Play, tell each game in a line, and count."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("title")
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--actions", type=int, default=6_000)
    parser.add_argument("--hasty", action="store_true", help="few and cheap trains")
    parser.add_argument("--branches", action="store_true", help="start from real games")
    wanted = parser.parse_args()
    title = all_titles()[wanted.title]
    ends: Counter[str] = Counter()
    broken = 0
    for seed in range(wanted.first, wanted.first + wanted.games):
        start = perf_counter()
        game, wrong = soak(title, seed, wanted)
        reason = game.end_reason or "unfinished"
        ends[reason] += 1
        broken += bool(wrong)
        told = f"{seed}: {len(game.seats)} players, {len(game)} actions, {reason}"
        print(f"{told}, {perf_counter() - start:.0f} s {sorted(game.options)}", flush=True)
        for line in wrong:
            print(f"  {line}", flush=True)
    print("\n".join(f"{n:5d} {reason}" for reason, n in ends.most_common()))
    print(f"{broken:5d} games with faults")
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main())
