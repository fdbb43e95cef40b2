"""Draw hard positions for the route search.

    python benchmarks/draw_positions.py GAMES --seed 1 --out tests/routes/hard/worked-on.json
    python benchmarks/draw_positions.py GAMES --seed 2 --bots lively --out …/published.json

Late boards of the real games in the folder GAMES with the largest fleets the rules allow, systems
of 1828 with eight trains, late boards of games of 1839 and 1873, real ones and those of bots, with
the trains of their last phases. What is best is left open; ``prove_positions.py`` fills it in.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import roundhouse
from roundhouse.bots import POLICIES
from roundhouse.model.actions import RunRoutes
from roundhouse.routes.clock import Clock
from roundhouse.routes.segment_pool import Pool
from roundhouse.selfplay import Policy, lively, play_on
from roundhouse.titles.g1873.routes import Network
from roundhouse.titles.g1873.rules import Rules1873

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.routes.positions import stored

#: Trains for boards of 1839 and 1873.
FLEETS_1839 = (
    ("7D", "5D", "7+"), ("7+", "7+"), ("7D", "7D"), ("5D", "5D", "7+"), ("7+", "7+", "5+"),
    ("7D", "7+"), ("5+", "5+", "7+", "7+"), ("7D", "5D"), ("FLOOD", "7D"),
)  # fmt: skip
GROUP_1873 = "1873, 3 to 5 trains"
#: By the bots that play 1873: quarters of the questions that are from real games, and segments a
#: railway must be able to run for a question about it. Thrifty bots build more, and take longer.
BOTS = {"thrifty": (3, 60), "lively": (2, 30)}
TRAINS_1873 = ("5T", "5T", "5T", "4T", "3T", "3T", "2T", "2T")


def fleet(rng: Random, game: roundhouse.Game, limit: int) -> tuple[str, ...]:
    """The largest number of trains, of the types there are, most of them big."""
    s, box = game.state, game.rules.box
    left = Counter({pile.kind: 99 if pile.left is None else pile.left for pile in s.depot.piles})
    left.update(t.kind for t in s.trains.values() if t.owner in s.corporations)
    kinds = [kind for kind in box.trains if left[kind]][-5:]
    chosen: list[str] = []
    while len(chosen) < limit:
        kind = rng.choice(kinds[max(0, len(kinds) - rng.randint(1, 5)) :])
        if chosen.count(kind) < left[kind]:
            chosen.append(kind)
    return tuple(sorted(chosen, reverse=True))


def limit_of(game: roundhouse.Game, who: str) -> int:
    """How many trains a company may own."""
    s, found = game.state, game.rules.box.phases[game.state.phase].train_limit
    c = s.corporations[who]
    most = found if isinstance(found, int) else found[c.kind]
    return most * max(1, len(getattr(c, "members", ())))


def late_real(folder: Path, rng: Random, title: str, wanted: int) -> Iterator[dict[str, Any]]:
    """Boards of the last third of real games, one company each."""
    games = [roundhouse.load(p) for p in sorted((folder / title).glob("*.json"))]
    runs = []
    for number, game in enumerate(games):
        own = [e.action for e in game.log if isinstance(e.action, RunRoutes)]
        runs += [(number, a.id or 0, a.actor) for a in own[len(own) * 2 // 3 :]]
    for number, at, who in rng.sample(runs, wanted):
        game = games[number].at(at - 1)
        board = stored(game, f"{title} game {number} at {at}", f"{title} late")
        trains = fleet(rng, game, limit_of(game, who))
        yield ask(board, who, trains)


def systems(folder: Path, rng: Random, wanted: int) -> Iterator[dict[str, Any]]:
    """Systems of 1828 with four trains in each shell."""
    runs = []
    games = [roundhouse.load(p) for p in sorted((folder / "1828").glob("*.json"))]
    for number, game in enumerate(games):
        own = [
            e.action for e in game.log if isinstance(e.action, RunRoutes) and "-" in e.action.actor
        ]
        runs += [(number, a.id or 0, a.actor) for a in own[len(own) // 3 :]]
    for number, at, who in rng.sample(runs, wanted):
        game = games[number].at(at - 1)
        board = stored(game, f"1828 game {number} at {at}", "1828 systems, 8 trains")
        yield ask(board, who, fleet(rng, game, 8))


def ask(board: dict[str, Any], who: str, trains: tuple[str, ...]) -> dict[str, Any]:
    """One more question about a board."""
    board["questions"].append({"who": who, "trains": trains, "best": None})
    return board


def played(title: str, seed: int, players: int, policy: Policy) -> roundhouse.Game:
    """A game to its end or for some thousand actions."""
    game = roundhouse.new(title, [f"Player {n}" for n in range(players)], seed=seed)
    play_on(game, Random(seed), policy=policy)
    return game


def boards_1839(rng: Random, wanted: int) -> Iterator[dict[str, Any]]:
    found = 0
    while found < wanted:
        seed = rng.randrange(10**6)
        game = played("1839", seed, 4, lively)
        s = game.state
        running = [
            c.id for c in s.corporations.values() if any(t.city for t in c.tokens) and c.floated
        ]
        if len(s.board.tiles) < 40 or len(running) < 3:
            continue
        found += 1
        board = stored(game, f"1839 lively {seed}", "1839 lively")
        for who in rng.sample(running, min(4, len(running))):
            ask(board, who, rng.choice(FLEETS_1839))
        yield board


def boards_1873(folder: Path, rng: Random, wanted: int, bots: str) -> Iterator[dict[str, Any]]:
    """Half or more from real games, the others from the end of games bots played; only railways
    with enough track to choose from."""
    share, enough = BOTS[bots]
    found = 0
    for path in sorted((folder / "1873").glob("*.json")):
        game = roundhouse.load(path)
        own = [e.action for e in game.log if isinstance(e.action, RunRoutes)]
        late = [
            a for a in own[len(own) // 2 :] if segments(game.at((a.id or 0) - 1), a.actor) >= enough
        ]
        for a in rng.choices(late, k=wanted * share // 4):
            found += 1
            board = stored(game.at((a.id or 0) - 1), f"1873 at {a.id}", GROUP_1873)
            yield ask(board, a.actor, fleet_1873(rng, game))
    while found < wanted:
        seed = rng.randrange(10**6)
        game = played("1873", seed, 4, POLICIES[bots])
        board = stored(game, f"1873 {bots} {seed}", GROUP_1873)
        rules = game.rules
        assert isinstance(rules, Rules1873)
        for who in rules.railways:
            if found < wanted and segments(game, who) >= enough:
                ask(board, who, fleet_1873(rng, game))
                found += 1
        if board["questions"]:
            yield board


def segments(game: roundhouse.Game, who: str) -> int:
    """How many segments a railway can run."""
    model = game.route_model(who, trains=["5T"])
    assert isinstance(model, Network)
    pool = Pool(model.parts[0])
    pool.find(Clock(10))
    return len(pool.segments)


def fleet_1873(rng: Random, game: roundhouse.Game) -> tuple[str, ...]:
    """Three to five trains, and sometimes a diesel."""
    trains = rng.choices(TRAINS_1873, k=rng.randint(3, 5))
    diesel = ["D"] if game.state.phase == "D" and rng.random() < 0.3 else []
    return tuple(sorted(trains, reverse=True) + diesel)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--bots", choices=BOTS, default="thrifty", help="who plays 1873")
    parser.add_argument("--only", help="draw one part anew and keep the others")
    args = parser.parse_args()
    folder: Path = args.folder
    parts: dict[str, Callable[[Random], Iterable[dict[str, Any]]]] = {
        "1817": lambda rng: late_real(folder, rng, "1817", 18),
        "1828": lambda rng: late_real(folder, rng, "1828", 40),
        "18ireland": lambda rng: late_real(folder, rng, "18ireland", 40),
        "systems": lambda rng: systems(folder, rng, 20),
        "1839": lambda rng: boards_1839(rng, 12),
        "1873": lambda rng: boards_1873(folder, rng, 100, args.bots),
    }
    known = json.loads(args.out.read_text("utf-8")) if args.only else []
    boards = []
    for name, part in parts.items():
        old = [board for board in known if board["part"] == name]
        fresh = () if old and name != args.only else part(Random(f"{args.seed} {name}"))
        boards += [*(old if name != args.only else ()), *({**b, "part": name} for b in fresh)]
    write(args.out, boards)


def write(path: Path, boards: list[dict[str, Any]]) -> None:
    """A board a line."""
    lines = ",\n".join(json.dumps(board, separators=(",", ":"), sort_keys=True) for board in boards)
    path.write_text(f"[\n{lines}\n]\n", "utf-8")


if __name__ == "__main__":
    main()
