"""1839: what routes earn on random boards, counted once more by brute force (§11.3, §11.4)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, product
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest
from test_1839_table import Table, past_auction

from roundhouse.routes.best import best_routes
from roundhouse.routes.sample import sample_runs
from roundhouse.titles.g1839.routes import Routes1839

COMPANIES = ("NBDS", "ZHESM", "NCS", "RS")


# the rules text once more, in the most naive words


def naive_total(table: Table, who: str, routes: Sequence[Any], mail: str = "") -> int:
    """§11.3 and §11.4 out of raw data: no code of the title's route rules is used."""
    s, box = table.s, table.rules.box
    foreign = {h: c for c in box.corporations.values() for h in c.special.get("hexes", ())}
    exchanges: dict[tuple[str, int], str] = {}
    for c in s.corporations.values():
        for t in c.tokens:
            if t.kind:
                coord, number = t.city.split("/")
                exchanges[coord, int(number)] = c.id
    owned = [c.id for c in s.companies.values() if c.owner == who]
    always = "exchange_always_zero" in table.rules.options

    def tile(coord: str) -> Any:
        laid = s.board.tiles.get(coord)
        if laid is None:
            return box.map.hexes[coord].tile
        name = laid.tile.rsplit("-", 1)[0]
        return next(t.definition for t in box.tiles.tiles.values() if t.name == name)

    def kind(x: tuple[str, int]) -> str:
        return str(tile(x[0]).nodes[x[1] - 6].kind)

    def city(x: tuple[str, int]) -> tuple[str, int]:
        before = [n for n in tile(x[0]).nodes[: x[1] - 6] if n.kind == "city"]
        return x[0], len(before)

    def worth(x: tuple[str, int]) -> int:
        if kind(x) == "offboard":
            return int(foreign[x[0]].special["values"].get(s.phase, 0))
        value = int(tile(x[0]).nodes[x[1] - 6].revenue)
        for mark in s.board.markers.get(x[0], ()):
            value += 20 if mark == f"VES:{who}" else 10
        return value + (10 if kind(x) == "town" and "AB" in owned else 0)

    def place(x: tuple[str, int]) -> Any:
        return foreign[x[0]].id if kind(x) == "offboard" else x

    paid: dict[Any, list[int]] = {}
    bonus = 0
    for route in routes:
        name = route.train.rsplit("-", 1)[0]
        factor = 2 if name.endswith("D") and name != "FLOOD" else 1
        values: dict[Any, int] = {}
        for at, x in enumerate(route.stops):
            value = worth(x)
            passed = name != "FLOOD" and 0 < at < len(route.stops) - 1
            if passed and kind(x) == "city" and exchanges.get(city(x), who) != who:
                slots = s.board.cities[x[0]][city(x)[1]]
                if always or (None not in slots and who not in slots):
                    value = 0
            values[place(x)] = value
        if "ROER" in values:
            inland = [v for p, v in values.items() if isinstance(p, tuple)]
            abroad = [
                2 * v
                for p, v in values.items()
                if isinstance(p, str) and box.corporations[p].special["country"] != "Germany"
            ]
            values["ROER"] = max(chain(inland, abroad))
        bonus += 10 * len(values) if route.train == mail else 0
        for x in route.stops:
            counted = not (factor == 2 and kind(x) == "town")
            if place(x) in values:
                paid.setdefault((place(x), kind(x)), []).append(
                    values.pop(place(x)) * factor * counted
                )
    total = bonus
    for (where, what), amounts in paid.items():
        own = what == "city" and exchanges.get(city(where)) == who
        total += sum(amounts) if own else max(amounts)
    return total


class Track:
    """The track of a board, one piece after the other."""

    def __init__(self, table: Table, who: str) -> None:
        s, box = table.s, table.rules.box
        self.who, self.cities, self.around = who, s.board.cities, box.map.neighbors
        self.faces = {}
        for coord in box.map.hexes:
            laid = s.board.tiles.get(coord)
            self.faces[coord] = box.map.printed[coord]
            if laid is not None:
                self.faces[coord] = box.tiles.tiles[laid.tile.rsplit("-", 1)[0]].turned(
                    laid.rotation
                )
        self.open = {t.city for c in s.corporations.values() for t in c.tokens if t.kind}

    def kind(self, x: tuple[str, int]) -> str:
        return str(self.faces[x[0]].tile.nodes[x[1] - 6].kind) if x[1] > 5 else "edge"

    def slots(self, x: tuple[str, int]) -> tuple[str | None, ...]:
        number = self.faces[x[0]].tile.cities.index(x[1] - 6)
        slots: tuple[str | None, ...] = self.cities.get(x[0], ((None,),) * (number + 1))[number]
        return slots

    def own(self, x: tuple[str, int]) -> bool:
        return self.kind(x) == "city" and self.who in self.slots(x)

    def ends_here(self, x: tuple[str, int]) -> bool:
        """Whether a train cannot go on."""
        if self.kind(x) != "city":
            return self.kind(x) == "offboard"
        number = self.faces[x[0]].tile.cities.index(x[1] - 6)
        full = None not in self.slots(x) and not self.own(x)
        return full and f"{x[0]}/{number}" not in self.open

    def onward(self, here: tuple[str, int]) -> list[tuple[str, int]]:
        """Where one piece of track leads: a stop, or the far side of an edge."""
        coord, end = here
        found = []
        for track in self.faces[coord].tracks:
            for a, b in ((track.a, track.b), (track.b, track.a)):
                if a != end:
                    continue
                if b > 5:
                    found.append((coord, b))
                elif b in self.around[coord]:
                    found.append((self.around[coord][b], (b + 3) % 6))
        return found

    def markers(self) -> list[tuple[str, int]]:
        return [
            (coord, 6 + node)
            for coord in self.cities
            for node in self.faces[coord].tile.cities
            if self.own((coord, 6 + node))
        ]


STOPS = ("city", "town", "offboard")


def naive_flood(table: Table, who: str) -> set[tuple[str, int]]:
    """§11.4 by relaxation over single pieces of track until nothing changes."""
    track = Track(table, who)
    result: set[tuple[str, int]] = set()
    for start in track.markers():
        part, fresh = {start}, [start]
        while fresh:
            here = fresh.pop()
            stop = here != start and track.kind(here) in STOPS and track.ends_here(here)
            for there in [] if stop else track.onward(here):
                if there not in part:
                    part.add(there)
                    fresh.append(there)
        places = {x for x in part if track.kind(x) in STOPS}
        if sum(track.kind(x) != "offboard" for x in places) > 1:
            result |= places
    return result


def naive_routes(table: Table, who: str, cities: int) -> list[tuple[Any, frozenset[Any]]]:
    """§11.1: every route from one stop on, with the pieces of track and the edges it uses."""
    track = Track(table, who)
    foreign = {h: c.special["country"] for c in table.rules.box.corporations.values()
               for h in c.special.get("hexes", ())}  # fmt: skip
    found = []
    starts = {x for x in naive_flood(table, who) if track.kind(x) in STOPS}
    stack: list[tuple[Any, Any, frozenset[Any]]] = [(x, (x,), frozenset()) for x in starts]
    while stack:
        here, stops, used = stack.pop()
        if track.kind(here) in STOPS and len(stops) > 1 and here == stops[-1]:
            inland = [x for x in stops if track.kind(x) != "offboard"]
            if len(inland) > 1 and any(map(track.own, stops)):
                found.append((stops, used))
            if track.ends_here(here):
                continue
        for there in track.onward(here):
            pieces = {(here, there), (there, here)}
            if here[0] != there[0]:
                pieces = {frozenset({here[0], there[0]}), (here, there[0])}
            longer = stops
            if track.kind(there) in STOPS:
                longer = (*stops, there)
                lands = [foreign[x[0]] for x in longer if x[0] in foreign]
                long = sum(track.kind(x) == "city" for x in longer) > cities
                if there in stops or long or len(set(lands)) < len(lands):
                    continue
            if used.isdisjoint(pieces):
                stack.append((there, longer, used | pieces))
    return found


def random_board(seed: int, turns: int = 0) -> tuple[Table, Random]:
    """A board grown by random legal lays and markers of four companies, trains of all ranks."""
    rng = Random(seed)
    options = ("exchange_always_zero",) if seed % 3 == 0 else ()
    table = past_auction(4, options)
    for number, symbol in enumerate(COMPANIES, start=1):
        table.start(symbol, "94,5,3", **{f"p{number}": (0, 1, 2, 3, 4)})
        table.cash(symbol, 20_000)
    for symbol, coord, city in zip(
        COMPANIES, ("K8", "G8", "G10", "I12"), (0, 0, 1, 0), strict=True
    ):
        table.station(symbol, coord, city)
    table.phase("Gray")
    for company in ("AB", "PTT", "VES"):
        table.private(company, rng.choice(COMPANIES))
    for turn in range(turns or rng.randint(10, 36)):
        who = COMPANIES[turn % 4]
        for stage in ("track", "token"):
            table.operate(who, stage)
            for _ in range(3):
                kinds = ("lay_tile", "place_token", "assign")
                choices = [c for c in table.game.choices() if c.type in kinds]
                if table.s.round.stage != stage or not choices:  # type: ignore[union-attr]
                    break
                table.game.apply(rng.choice(choices).sample(rng))
    return table, rng


@pytest.mark.parametrize("seed", range(12))
def test_revenue_equals_brute_force_on_random_boards(seed: int) -> None:
    table, rng = random_board(seed)
    for who in COMPANIES:
        ranks = ["2+", "3+", "5+", "7+", "5D", "7D", "FLOOD"]
        with table.arrange() as s:
            s.phase = rng.choice(table.rules.phase_names)
        table.train(who, *(f"{r}-{n}{seed}" for n, r in enumerate(rng.choices(ranks, k=3))))
        model = Routes1839(table.rules, table.s, who)
        assert set(model.flood_stops) == naive_flood(table, who)
        for runs in (sample_runs(model), *(sample_runs(model, rng) for _ in range(3))):
            mail = next((r.train for r in runs if r.abilities), "")
            routes = table.rules.read_routes(table.s, who, runs)
            assert [(r.train, r.revenue) for r in routes] == [(r.train, r.revenue) for r in runs]
            assert sum(r.revenue for r in routes) == naive_total(table, who, routes, mail)
            for number in range(len(routes)):
                first = naive_total(table, who, routes[: number + 1], mail)
                assert first - naive_total(table, who, routes[:number], mail) == (
                    routes[number].revenue
                )


@pytest.mark.parametrize("seed", range(100, 104))
def test_foreign_income_equals_brute_force(seed: int) -> None:
    """Every area touched gets a fifth of the revenue, once, and is started if it was not."""
    table, rng = random_board(seed)
    who = rng.choice(COMPANIES)
    table.train(who, "7D-0", "FLOOD-0")
    table.operate(who, "routes")
    if table.s.step != "routes":
        pytest.skip("nothing to run on this board")
    runs = sample_runs(Routes1839(table.rules, table.s, who))
    routes = table.rules.read_routes(table.s, who, runs)
    mail = next((r.train for r in runs if r.abilities), "")
    total = naive_total(table, who, routes, mail)
    hexes = {h: f.id for f in table.rules.foreigners(table.s)
             for h in table.rules.foreign[f.id].hexes}  # fmt: skip
    touched = {hexes[x[0]] for r in routes for x in r.stops if x[0] in hexes}
    table.do(who, "run_routes", routes=msgspec.to_builtins(runs))
    for foreigner in table.rules.foreigners(table.s):
        expected = total // 5 if foreigner.id in touched else 0
        assert foreigner.cash == expected
        assert (foreigner.cell is not None) == (foreigner.id in touched)


STABLES = (("7D", "2+"), ("5+", "FLOOD"), ("3+",), ("5D", "5D"))


@pytest.mark.parametrize("seed", [0, 5, 12, 16])
def test_best_routes_are_legal_and_counted_right(seed: int) -> None:
    table, rng = random_board(seed)
    for who, stable in zip(COMPANIES, STABLES, strict=True):
        table.train(who, *(f"{kind}-{n}{seed}" for n, kind in enumerate(stable)))
        model = Routes1839(table.rules, table.s, who)
        answer = best_routes(model, effort=400)
        routes = table.rules.read_routes(table.s, who, answer.routes)
        mail = next((r.train for r in answer.routes if r.abilities), "")
        assert naive_total(table, who, routes, mail) == answer.revenue <= answer.bound
        drawn = table.rules.read_routes(table.s, who, sample_runs(model, rng))
        assert sum(r.revenue for r in drawn) <= answer.bound
        if answer.optimal:
            assert sum(r.revenue for r in drawn) <= answer.revenue


class Ran(NamedTuple):
    train: str
    stops: tuple[tuple[str, int], ...]


@pytest.mark.parametrize("seed", range(200, 210))
def test_the_best_routes_are_the_best_of_all(seed: int) -> None:
    """Every pair of routes that shares no track, with and without the mail."""
    table, rng = random_board(seed, turns=7 + seed % 4)
    tried = 0
    for who in COMPANIES:
        kinds = [rng.choice(["2+", "3+", "5D"]), rng.choice(["2+", "3+", "5D"])]
        with table.arrange() as s:
            s.phase = rng.choice(table.rules.phase_names)
        names = [f"{kind}-{seed}{n}" for n, kind in enumerate(kinds)]
        table.train(who, *names)
        ways = [naive_routes(table, who, int(kind[0])) for kind in kinds]
        if len(ways[0]) * len(ways[1]) > 4_000:
            continue
        tried += 1
        sets = [
            [Ran(name, stops) for name, (stops, _) in zip(names, pair, strict=True) if stops]
            for pair in product(*([*way, ((), frozenset())] for way in ways))
            if pair[0][1].isdisjoint(pair[1][1])
        ]
        mails = ["", *names] if table.s.companies["PTT"].owner == who else [""]
        most = max(naive_total(table, who, ran, mail) for ran in sets for mail in mails)
        answer = best_routes(Routes1839(table.rules, table.s, who), effort=20_000)
        assert answer.optimal
        assert answer.revenue == most, (who, kinds)
    assert tried
