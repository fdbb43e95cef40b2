"""1839: what routes earn on random boards, counted once more by brute force (§11.3, §11.4)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from random import Random
from typing import Any

import msgspec
import pytest
from test_1839_table import Table, past_auction

from roundhouse.routes.best import best_routes
from roundhouse.routes.sample import sample_runs
from roundhouse.titles.g1839.routes import Routes1839, check

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


def naive_flood(table: Table, who: str) -> set[tuple[str, int]]:
    """§11.4 by relaxation over single pieces of track until nothing changes."""
    s, box = table.s, table.rules.box
    faces = {}
    for coord in box.map.hexes:
        laid = s.board.tiles.get(coord)
        name = laid.tile.rsplit("-", 1)[0] if laid else None
        faces[coord] = (
            box.tiles.tiles[name].turned(laid.rotation) if name else box.map.printed[coord]
        )
    ends = {
        c.tokens[i].city for c in s.corporations.values() for i in range(len(c.tokens))
        if c.tokens[i].kind
    }  # fmt: skip

    def stops_here(x: tuple[str, int]) -> bool:
        node = faces[x[0]].tile.nodes[x[1] - 6]
        if node.kind in ("offboard", "town"):
            return bool(node.kind == "offboard")
        if node.kind != "city":
            return False
        number = faces[x[0]].tile.cities.index(x[1] - 6)
        slots = s.board.cities.get(x[0], ((None,),) * (number + 1))[number]
        return None not in slots and who not in slots and f"{x[0]}/{number}" not in ends

    def onward(here: tuple[str, int]) -> list[tuple[str, int]]:
        """Where one piece of track leads: a stop, or the far side of an edge."""
        coord, end = here
        found = []
        for track in faces[coord].tracks:
            for a, b in ((track.a, track.b), (track.b, track.a)):
                if a != end:
                    continue
                if b > 5:
                    found.append((coord, b))
                elif b in box.map.neighbors[coord]:
                    found.append((box.map.neighbors[coord][b], (b + 3) % 6))
        return found

    result: set[tuple[str, int]] = set()
    for coord, cities in s.board.cities.items():
        for number, slots in enumerate(cities):
            if who not in slots:
                continue
            start = (coord, 6 + faces[coord].tile.cities[number])
            part, fresh = {start}, [start]
            while fresh:
                here = fresh.pop()
                is_stop = here[1] > 5 and here != start and stops_here(here)
                for there in [] if is_stop else onward(here):
                    if there not in part:
                        part.add(there)
                        fresh.append(there)
            places = {x for x in part if x[1] > 5 and faces[x[0]].tile.nodes[x[1] - 6].kind in
                      ("city", "town", "offboard")}  # fmt: skip
            inland = [x for x in places if faces[x[0]].tile.nodes[x[1] - 6].kind != "offboard"]
            if len(inland) > 1:
                result |= places
    return result


def random_board(seed: int) -> tuple[Table, Random]:
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
    for turn in range(rng.randint(10, 36)):
        who = COMPANIES[turn % 4]
        for stage in ("track", "marker"):
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
            routes = check(table.rules, table.s, who, runs)
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
    routes = check(table.rules, table.s, who, runs)
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
        routes = check(table.rules, table.s, who, answer.routes)
        mail = next((r.train for r in answer.routes if r.abilities), "")
        assert naive_total(table, who, routes, mail) == answer.revenue <= answer.bound
        drawn = check(table.rules, table.s, who, sample_runs(model, rng))
        assert sum(r.revenue for r in drawn) <= answer.bound
        if answer.optimal:
            assert sum(r.revenue for r in drawn) <= answer.revenue
