"""Plays games of 1839 and holds the engine and the independent model of ``model1839`` together.

    python tests/compare1839.py [--games 50] [--first SEED] [--actions 3000]

After every action both states must tell the same; now and then actions drawn from what is legal,
changed a little, or played earlier must be judged alike by both. Most games have a shortened
roster, so that they reach the last phases. The exit code is 1 if anything differed.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import msgspec

import roundhouse
from model1839 import Model
from roundhouse import Game, selfplay, trace
from roundhouse.box.box import Box
from roundhouse.rounds.rules import Seat
from roundhouse.titles.title import Title, find_title

#: Number and price of the trains of each rank: the title's own, and such that games get far.
ROSTERS: dict[str, dict[str, tuple[int | None, int]]] = {
    "full": {},
    "short": {"2+": (3, 100), "3+": (3, 200), "5+": (2, 400), "7+": (3, 700), "5D": (2, 1000)},
    "hasty": {"2+": (2, 100), "3+": (2, 200), "5+": (1, 400), "7+": (1, 700), "5D": (1, 1000)},
    "cheap": {
        "2+": (4, 100), "3+": (3, 130), "5+": (3, 160), "7+": (3, 210), "5D": (3, 220),
        "7D": (3, 240), "FLOOD": (None, 260),
    },
}  # fmt: skip
OPTIONS = (
    "offboards_count", "red_permanent", "exchange_always_zero", "sell_in_sr1",
    "dike_only_when_sold", "jjb_any_train", "city_upgrade_fee", "train_trade_in",
)  # fmt: skip

_titles: dict[str, Title] = {}


def title_with(roster: str) -> Title:
    """The engine's title with a roster; its data are loaded from a changed copy of the files."""
    if roster not in _titles:
        own = find_title("1839")
        title = Title(own.id, own.file_title, own._package, own.contents)
        with tempfile.TemporaryDirectory() as copy:
            for file in (resources.files(own._package) / "data").iterdir():
                raw = json.loads(file.read_bytes())
                if file.name == "trains.json":
                    for train in raw["trains"]:
                        usual = train["count"], train["price"]
                        train["count"], train["price"] = ROSTERS[roster].get(train["name"], usual)
                (Path(copy) / file.name).write_text(json.dumps(raw), encoding="utf-8")
            title.box = Box([Path(copy)])
        _titles[roster] = title
    return _titles[roster]


# one state, told by both


def told(game: Game) -> dict[str, Any]:
    """The engine's state, in what the model's view tells."""
    raw = trace.describe(game.rules, game.state)
    raw["acting"] = None if game.finished else raw["acting"][0]
    raw["order"] = [str(p) for p in raw["order"]]
    raw["finished"] = game.end_reason
    raw["companies"] = {k: v if v == "closed" else v[0] for k, v in raw["companies"].items()}
    raw["depot"] = raw["depot"]["upcoming"]
    raw["market"] = {k: sorted(v) for k, v in raw["market"].items()}
    for player in raw["players"].values():
        player["shares"] = {k: sorted(v) for k, v in player["shares"].items()}
        del player["bankrupt"]
    for company in raw["corporations"].values():
        company["treasury"] = sorted(company["treasury"])
        company["tokens"] = sorted(t for t in company["tokens"] if t)
        company["trains"] = sorted(company["trains"])
    for coord, place in list(raw["hexes"].items()):
        place.pop("assigned", None)
        if not any(any(row) for row in place.get("cities", [])):
            place.pop("cities", None)
        if not place:
            del raw["hexes"][coord]
    return raw


def differences(engine: Any, model: Any, path: str = "") -> Iterator[str]:
    """Everything the model tells that the engine tells otherwise."""
    if isinstance(engine, dict) and isinstance(model, dict):
        exact = path in (".market", ".hexes")
        for key in {**model, **engine} if exact else model:
            yield from differences(engine.get(key), model.get(key), f"{path}.{key}")
    elif engine != model:
        yield f"{path}: engine {engine!r}, model {model!r}"


# actions that may be illegal


def plain(action: Any) -> dict[str, Any]:
    """An action as in a game file, without its number."""
    raw: dict[str, Any] = msgspec.to_builtins(action)
    raw.pop("id", None)
    return raw


def changed(a: Mapping[str, Any], game: Game, rng: Random) -> dict[str, Any]:
    """A legal action with one field changed."""
    a = json.loads(json.dumps(a))
    box, s = game.rules.box, game.state
    fields = [k for k in a if k not in ("type", "entity_type", "entity")]
    if not fields or rng.random() < 0.08:
        return _other_actor(a, game, rng)
    field = rng.choice(fields)
    match field:
        case "rotation":
            a[field] = rng.randrange(6)
        case "hex":
            a[field] = rng.choice(list(box.map.hexes))
        case "tile":
            a[field] = f"{rng.choice(list(box.tiles.counts))}-{rng.choice((0, 0, 0, 1, 5))}"
        case "price":
            a[field] += rng.choice((-50, -10, -1, 1, 10, 50, 100))
        case "shares":
            _change_shares(a, game, rng)
        case "percent":
            a[field] += rng.choice((-10, 10, 20))
        case "share_price":
            a[field] = rng.choice(["94,5,3", "94,8,7", "120,1,1", "67,13,7", "105,3,2", "86,7,4"])
        case "company":
            a[field] = rng.choice(list(box.companies))
        case "corporation":
            a[field] = rng.choice(list(box.corporations))
        case "train" | "exchange":
            a[field] = rng.choice(list(s.trains) or ["2+-0"])
        case "city":
            places = [
                (c, n)
                for co in s.corporations.values()
                for t in co.tokens
                if t.city
                for c, n in [t.city.split("/")]
            ]
            coord, n = rng.choice(places or [("G10", "0")])
            laid = s.board.tiles.get(coord)
            a[field] = f"{laid.tile if laid else box.map.hexes[coord].id}-{n}"
        case "slot":
            a[field] = rng.randrange(3)
        case "target":
            pool = list(s.trains) if a["target_type"] == "train" else ["D7", "E10", "G10", "K4"]
            a[field] = rng.choice(pool or ["D7"])
        case "kind":
            a[field] = rng.choice(["payout", "half", "withhold", "all"])
        case "choice":
            a[field] = rng.choice(["both", "B13", "E10", "I4", "LVG", "CO", "2+", "5+", "7+", "5D"])
        case "token_type":
            a[field] = rng.choice(["exchange", "station"])
        case "routes":
            _change_routes(a, rng)
    return a


def _other_actor(a: dict[str, Any], game: Game, rng: Random) -> dict[str, Any]:
    kind = rng.choice(["player", "corporation", "company"])
    names = {
        "player": [p.id for p in game.seats],
        "corporation": [k for k, c in game.state.corporations.items() if c.cell is not None],
        "company": list(game.rules.box.companies),
    }[kind]
    return a | {"entity_type": kind, "entity": rng.choice(names or ["AMS"])}


def _change_shares(a: dict[str, Any], game: Game, rng: Random) -> None:
    a.pop("percent", None)
    company = a["shares"][0].rsplit("_", 1)[0]
    if rng.random() < 0.4:
        company = rng.choice([c for c, x in game.state.corporations.items() if x.certs])
    count = rng.choice((1, 1, 2, 3))
    a["shares"] = [f"{company}_{i}" for i in rng.sample(range(10), count)]
    if rng.random() < 0.3 and a["type"] == "sell_shares":
        a["shares"] = [x for x in a["shares"] if not x.endswith("_0")] + [f"{company}_0"]
        a["percent"] = 10 * len(a["shares"]) + rng.choice((0, 10))


def _change_routes(a: dict[str, Any], rng: Random) -> None:
    for route in a["routes"]:
        for key in ("revenue", "revenue_str", "hexes"):
            route.pop(key, None)
    if not a["routes"]:
        return
    route = rng.choice(a["routes"])
    match rng.randrange(6):
        case 0 if route.get("connections"):
            route["connections"].pop(rng.choice((0, -1)))
            route.pop("nodes", None)
        case 1 if len(a["routes"]) > 1:
            a["routes"].append(rng.choice(a["routes"]) | {"train": route["train"]})
        case 2:
            trains = ["2+-0", "3+-0", "5+-0", "7+-0", "5D-0", "7D-0", "FLOOD-0"]
            route["train"] = rng.choice(trains)
        case 3:
            route["abilities"] = ["PTT"]
        case 4 if len(a["routes"]) > 1:
            other = rng.choice(a["routes"])
            route["train"], other["train"] = other["train"], route["train"]
        case 5 if route.get("nodes"):
            route["nodes"] = route["nodes"][1:]


# one game


class Hunt:
    """One game and what was wrong with it."""

    def __init__(self, seed: int, roster: str | None = None) -> None:
        self.rng = rng = Random(seed)
        self.roster = roster or rng.choice(["short", "hasty", "cheap", "cheap", "full"])
        count = rng.randint(2, 6)
        title = title_with(self.roster)
        share = rng.choice((0.0, 0.25, 0.4))
        self.options = [o for o in OPTIONS if rng.random() < share and o in title.options]
        if self.roster == "cheap" and "train_trade_in" in self.options:
            self.options.remove("train_trade_in")  # a train would cost less than nothing
        seats = [Seat(n, f"Player {n}") for n in range(1, count + 1)]
        self.game = Game(title, seats, seed=seed, options=title.select(self.options))
        self.model = Model(range(1, count + 1), seed, self.options, ROSTERS[self.roster])
        self.wrong: list[str] = []
        self.judged: Counter[str] = Counter()
        self.past: list[dict[str, Any]] = []
        self.push = rng.random() < 0.5

    def play(self, actions: int, every: int = 1, tries: int = 3) -> None:
        """Play on until the end, a difference or so many actions."""
        self.compare("start")
        for n in range(actions):
            if self.wrong:
                return
            choices = self.game.choices()
            if not choices:
                return
            if n % every == 0:
                self.judge(choices, tries)
            if not self.wrong:
                self.step(choices)

    def step(self, choices: Any) -> None:
        action = self.policy(choices)
        a = plain(action)
        try:
            self.game.apply(action)
        except roundhouse.IllegalAction as fault:
            self.note(a, f"engine refuses its own choice: {fault}")
            return
        if (sentence := self.model.why_not(a)) is not None:
            self.note(a, f"model refuses: {sentence}")
            return
        self.model.apply(a)
        self.past.append(a)
        self.compare(json.dumps(a))

    def policy(self, choices: Any) -> Any:
        """Random, but companies buy trains from the supply and run them."""
        if self.push and self.rng.random() < 0.8:
            new = {f"{p.kind}-{p.next}" for p in self.game.state.depot.piles}
            for kind in ("buy_train", "run_routes", "dividend", "lay_tile"):
                some = [c for c in choices if c.type == kind]
                if kind == "buy_train":
                    some = [c for c in some if c.action.train in new]
                if some and kind != "lay_tile":
                    return self.rng.choice(some).sample(self.rng)
                if some:
                    return selfplay.lively(self.game, some, self.rng)
        if self.rng.random() < 0.2:
            return selfplay.uniform(self.game, choices, self.rng)
        return selfplay.lively(self.game, choices, self.rng)

    def judge(self, choices: Any, tries: int) -> None:
        """Actions that may or may not be legal, judged by both."""
        for _ in range(tries):
            if self.past and self.rng.random() < 0.25:
                a = dict(self.rng.choice(self.past[-40:]))
            else:
                a = plain(self.rng.choice(choices).sample(self.rng))
            if self.rng.random() < 0.7:
                a = changed(a, self.game, self.rng)
            engine, model = self.game.why_not(a), self.model.why_not(a)
            self.judged["illegal" if engine else "legal"] += 1
            if (engine is None) != (model is None):
                self.note(a, f"engine: {engine or 'legal'}; model: {model or 'legal'}")

    def compare(self, what: str) -> None:
        self.wrong += [f"{d} after {what}" for d in differences(told(self.game), self.model.view())]

    def note(self, a: Any, what: str) -> None:
        where = trace.describe(self.game.rules, self.game.state)["round"]
        self.wrong.append(
            f"{json.dumps(a)} in {where['short']} {where['turn']}.{where['num']}: {what}"
        )


def main() -> int:
    """Play, tell each game in a line, and count."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--actions", type=int, default=3_000)
    parser.add_argument("--roster", choices=ROSTERS)
    parser.add_argument("--tries", type=int, default=3)
    wanted = parser.parse_args()
    judged: Counter[str] = Counter()
    broken = states = 0
    for seed in range(wanted.first, wanted.first + wanted.games):
        start = perf_counter()
        hunt = Hunt(seed, wanted.roster)
        try:
            hunt.play(wanted.actions, tries=wanted.tries)
        except Exception:
            hunt.wrong.append(traceback.format_exc(limit=-2))
        judged += hunt.judged
        states += len(hunt.game)
        broken += bool(hunt.wrong)
        end = hunt.game.end_reason or hunt.game.state.phase
        story = f"{len(hunt.game.seats)} players, {len(hunt.game)} actions, {end}, {hunt.roster}"
        print(f"{seed}: {story}, {perf_counter() - start:.1f} s {hunt.options}", flush=True)
        for line in hunt.wrong[:8]:
            print(f"  {line}", flush=True)
    print(f"{states} states, {dict(judged)} judged, {broken} games with differences")
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main())
