"""Matches of one player against others of another kind, with seats that rotate: games won, the pace
of the economy, milliseconds a move; and how often a player does what people did.

python benchmarks/bots.py matches [--player …] [--against …] [--games 8] [--first 0] [TITLE …]
python benchmarks/bots.py tables [--player quick] [--games 4] [--first 0] [--save DIR]
                                 [--seats 4] [--option ID …] [TITLE …]
python benchmarks/bots.py agreement [--player quick] [--every 3] GAME.json …
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import NamedTuple

from people import Agreement, questions
from roundhouse import Game, bots, load, new
from roundhouse.arena.economy import Economy, economy_of, table_of
from roundhouse.arena.match import MOST
from roundhouse.bots import Player
from roundhouse.bots.together import decide, waited
from roundhouse.titles.title import all_titles

#: Players at a table.
SEATS = 4


def player_of(name: str, seed: int) -> Player:
    """A player by name, or a level of the usual one."""
    if name in bots.LEVELS:
        return bots.player(level=name, seed=seed)
    return bots.player(name, seed=seed)


class Match(NamedTuple):
    """One game: who was tried, what became of it, seconds and moves of the one tried."""

    game: Game
    tried: int | str
    economy: Economy
    seconds: float
    moves: int


class Table(NamedTuple):
    """Seats, and the ids of the title's options a game is played with."""

    seats: int = SEATS
    options: tuple[str, ...] = ()

    def game(self, title: str, seed: int) -> Game:
        names = [f"Player {n + 1}" for n in range(self.seats)]
        return new(title, names, seed=seed, options=self.options)


def play(title: str, seed: int, player: str, against: str | None, table: Table) -> Match:
    """One game of a player on a seat that changes, the others of another kind (None: the same); all
    deal with each other."""
    game = table.game(title, seed)
    keys = list(game.state.players)
    tried, mine = keys[seed % table.seats], player_of(player, seed)
    theirs = mine if against is None else player_of(against, seed)
    players = {k: mine if k == tried else theirs for k in keys}
    seconds, moves = 0.0, 0
    while not game.finished and len(game) < MOST:
        who, began = waited(game, players), time.process_time()
        decision = decide(game, players)
        if decision is None:
            break
        if players[who or tried] is mine:
            seconds, moves = seconds + time.process_time() - began, moves + 1
        game.apply(decision.action)
    return Match(game, game.seats[seed % table.seats].id, economy_of(game), seconds, moves)


def matches(title: str, player: str, against: str, seeds: range, table: Table) -> None:
    """How often one player beats others of another kind; each game is told when it is over, so that
    none is lost if the rest are broken off."""
    won, mine, theirs, seconds, moves, games = 0, 0, 0.0, 0.0, 0, len(seeds)
    for seed in seeds:
        match = play(title, seed, player, against, table)
        scores = match.game.result()
        won += next(iter(scores)) == match.tried
        print(f"  seed {seed}: {scores[match.tried]} of {list(scores.values())}", flush=True)
        mine += scores.pop(match.tried)
        theirs += sum(scores.values()) / len(scores)
        seconds, moves = seconds + match.seconds, moves + match.moves
    pace = 1000 * seconds / max(1, moves)
    print(
        f"{title:10} {won:3}/{games:<3} {mine // games:8} {theirs / games:8.0f} {pace:8.1f}",
        flush=True,
    )


def tables(title: str, player: str, seeds: range, save: Path | None, seated: Table) -> None:
    """What a table of equal players looks like: each game when it is over, and all together."""
    found = []
    if save is not None:
        save.mkdir(parents=True, exist_ok=True)
    for seed in seeds:
        match = play(title, seed, player, None, seated)
        if save is not None:
            match.game.save(save / f"{title}-{seed}.json")
        game, pace = match.game, 1000 * match.seconds / max(1, match.moves)
        print(f"{title} seed {seed}: {_told(match.economy)}; {pace:.1f} ms a move", flush=True)
        if not game.finished:
            print(f"  stalled in {game.state.step}")
        found.append(match.economy)
    table = table_of(found)
    phases = " ".join(f"{p}@{at:.1f} ({often:.0%})" for p, (at, often) in table.phases.items())
    print(f"{title}: {table.games} games, {table.turns:.1f} turns, {table.ends}, phases {phases}")
    founded = {turn: round(n, 1) for turn, n in table.founded.items()}
    print(f"  founded {founded}; {table.counts}; price / face {table.deals}")
    winners = sorted(e.worth[0] for e in found)
    print(f"  winner {table.winner:.0f} ({winners[0]} to {winners[-1]}), mean {table.mean:.0f}")


def _told(e: Economy) -> str:
    phases = " ".join(f"{p}@{turn}" for p, turn in e.phases.items())
    told = f"{e.end} in turn {e.turns}, {list(e.worth)}, founded {e.founded}; phases {phases}"
    return f"{told}; {e.counts}; price / face {e.deals}"


def agreement(path: str, player: str, every: int) -> Agreement:
    """How often the played action is the player's first, and among its first five, by kind."""
    chosen: Player = bots.player(level=player) if player in bots.LEVELS else bots.player(player)
    found = Agreement()
    for question in questions(load(path), every):
        found.add(question, chosen.choose(question.position, question.own))
    return found


def _tell(name: str, found: Agreement) -> None:
    print(f"{name}: {found}")
    for line in found.kinds():
        print(f"  {line}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("matches", "tables", "agreement"))
    parser.add_argument("names", nargs="*", help="titles, or game files")
    parser.add_argument("--player", default="quick")
    parser.add_argument("--against", default="thrifty")
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--first", type=int, default=0, help="the first deal's seed")
    parser.add_argument("--every", type=int, default=3)
    parser.add_argument("--save", type=Path, help="a folder for the games of tables")
    parser.add_argument("--seats", type=int, default=SEATS)
    parser.add_argument("--option", action="append", default=[], help="a title's option, by its id")
    chosen = parser.parse_intermixed_args()
    table = Table(chosen.seats, tuple(chosen.option))
    seeds = range(chosen.first, chosen.first + chosen.games)
    if chosen.what == "agreement":
        total = Agreement()
        for path in chosen.names:
            found = agreement(path, chosen.player, chosen.every)
            _tell(path, found)
            total += found
        _tell("all", total)
        return
    if chosen.what == "matches":
        print(f"{'title':10} {'won':>7} {'player':>8} {'others':>8} {'ms/move':>8}")
    for title in chosen.names or list(all_titles()):
        if chosen.what == "matches":
            matches(title, chosen.player, chosen.against, seeds, table)
        else:
            tables(title, chosen.player, seeds, chosen.save, table)


if __name__ == "__main__":
    main()
