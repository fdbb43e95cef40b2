"""1839: revenue (§11): the worked examples, and an independent count by brute force."""

from __future__ import annotations

from itertools import chain
from random import Random
from typing import Any

import pytest
from test_1839_table import Table, past_auction

from roundhouse.titles.g1839.finder import find_trips
from roundhouse.titles.g1839.routes import RouteRules1839

LINE = ["L9", "K8", "L7", "L5", "M4", "L3", "L1"]
NODES = ["L9-0", "K8-0", "L7-0", "M4-0", "L3-0", "L1-0"]
PIECES = [["L9", "K8"], ["K8", "L7"], ["L7", "L5", "M4"], ["M4", "L3"], ["L3", "L1"]]


def belgian(phase: str, *trains: str, options: tuple[str, ...] = ()) -> Table:
    """The map of the examples, NBDS about to run."""
    table = past_auction(options=options)
    table.tile("K8", "B06-0", 0)
    table.tile("L3", "6-0", 5)
    table.start("NBDS", "94,5,3", p1=(0, 1, 2, 3, 4))
    table.station("NBDS", "K8")
    table.phase(phase)
    table.train("NBDS", *trains)
    table.operate("NBDS", "routes")
    return table


def whole(train: str, **more: Any) -> dict[str, Any]:
    return {"train": train, "connections": PIECES, "nodes": NODES, **more}


@pytest.mark.parametrize(
    ("train", "phase", "revenue"),
    [
        ("3+-0", "Green", 130),
        ("2+-0", "Green", 130),
        ("7+-0", "Brown", 110),
        ("5D-0", "Red", 260),
        ("7D-0", "Gray", 420),
    ],
)
def test_examples_1_to_4(train: str, phase: str, revenue: int) -> None:
    table = belgian(phase, train)
    table.refused("NBDS", "run_routes", "routes.revenue", routes=[whole(train, revenue=1)])
    table.do("NBDS", "run_routes", routes=[whole(train, revenue=revenue)])
    assert table.s.round.revenue == revenue  # type: ignore[union-attr]
    par = {"Green": 94, "Brown": 120, "Red": 120, "Gray": 120}[phase]
    for foreigner in ("BRUSS", "OVER"):
        assert table.company(foreigner) == revenue // 5
        assert table.price(foreigner) == par


def test_example_5_flood() -> None:
    table = belgian("Black", "FLOOD-0")
    run = {"train": "FLOOD-0", "connections": [], "nodes": NODES, "revenue": 230}
    model = RouteRules1839(table.rules, table.s, "NBDS")
    assert model.total(find_trips(model)) == 230
    table.refused("NBDS", "run_routes", "routes.flood", routes=[{**run, "nodes": NODES[1:]}])
    table.refused("NBDS", "run_routes", "routes.flood", routes=[{**run, "connections": PIECES}])
    table.do("NBDS", "run_routes", routes=[run])
    assert table.company("BRUSS") == 46


def test_example_6_printed_track() -> None:
    table = past_auction()
    table.start("ZHESM", "94,5,3", p1=(0, 1, 2, 3, 4))
    table.station("ZHESM", "G8")
    table.train("ZHESM", "2+-0")
    table.operate("ZHESM", "routes")
    run = {"train": "2+-0", "connections": [["G8", "G10"]], "nodes": ["G8-0", "G10-0"]}
    table.do("ZHESM", "run_routes", routes=[{**run, "revenue": 60}])


def test_example_7_once_only_and_exchange_markers() -> None:
    for exchange, total in ((False, 60), (True, 90)):
        table = belgian("Red", "5D-0", "7+-0")
        if exchange:
            with table.arrange() as s:
                from roundhouse.titles.g1839.markers import place_exchange

                place_exchange(s, "NBDS", "K8/0")
        model = RouteRules1839(table.rules, table.s, "NBDS")
        breda = ("K8", 6)
        trips = [(model.kinds["5D-0"], [breda]), (model.kinds["7+-0"], [breda])]
        assert model.values.total(trips) == total


def test_example_8_towns_and_mail() -> None:
    table = belgian("Green", "3+-0")
    table.private("AB", "NBDS")
    table.refused("NBDS", "run_routes", "routes.ability", routes=[whole("3+-0", abilities=["PTT"])])
    table.private("PTT", "NBDS")
    route = whole("3+-0", abilities=["PTT"], revenue=150 + 60)
    table.do("NBDS", "run_routes", routes=[route])


def test_scenario_31_offboards_count() -> None:
    table = belgian("Green", "3+-0", options=("offboards_count",))
    table.refused("NBDS", "run_routes", "routes.too_long", routes=[whole("3+-0")])
    shorter = {"train": "3+-0", "connections": PIECES[1:], "nodes": NODES[1:], "revenue": 100}
    table.do("NBDS", "run_routes", routes=[shorter])


def test_scenario_25_countries() -> None:
    """Belgium to Belgium is refused, Belgium to Overseas is not (examples 1 to 4)."""
    table = belgian("Green", "3+-0")
    model = RouteRules1839(table.rules, table.s, "NBDS")
    ends = [("L9", 6), ("K8", 6), ("L3", 6), ("M2", 6)]
    with pytest.raises(Exception, match="Belgium"):
        model.check_stops("3+-0", ends, [])
    ends[-1] = ("L1", 6)
    model.check_stops("3+-0", ends, [])
    ends[0] = ("F11", 6)
    with pytest.raises(Exception, match="Overseas"):
        model.check_stops("3+-0", ends, [])


def through(options: tuple[str, ...] = (), *, own: bool = False, full: bool = True) -> Table:
    """AMS has its exchange marker in Breda (green, two slots); NBDS comes from Middelburg."""
    table = past_auction(options=options)
    table.tile("K8", "B06-0", 0)
    table.tile("L3", "6-0", 5)
    table.tile("K8", "B121-0", 1)
    for number, symbol in enumerate(("NBDS", "AMS", "SS"), start=1):
        table.start(symbol, "94,5,3", **{f"p{number}": (0, 1, 2, 3, 4)})
    table.station("AMS", "K8", exchange=True)
    if full:
        table.station("NBDS" if own else "SS", "K8")
    table.station("NBDS", "L3")
    table.phase("Green")
    table.train("NBDS", "3+-0", "3+-1")
    table.operate("NBDS", "routes")
    return table


@pytest.mark.parametrize(
    ("options", "own", "full", "value"),
    [
        ((), False, True, 0),
        ((), False, False, 50),
        ((), True, True, 50),
        (("exchange_always_zero",), False, False, 0),
        (("exchange_always_zero",), True, True, 0),
    ],
)
def test_scenario_14_passing_an_exchange_marker(
    options: tuple[str, ...], own: bool, full: bool, value: int
) -> None:
    table = through(options, own=own, full=full)
    model = RouteRules1839(table.rules, table.s, "NBDS")
    kind = model.kinds["3+-0"]
    passing = [("L3", 6), ("K8", 6), ("L9", 6)]
    ending = [("L3", 6), ("K8", 6)]
    assert model.passable(("K8", 6))
    assert model.values.of_trip(kind, passing)["K8/0"] == value
    assert model.values.of_trip(kind, ending)["K8/0"] == 50
    assert model.length("3+-0", passing) == 2
    pair = model.values.total([(kind, passing), (kind, ending)])
    assert pair == 20 + 50 + 30


def test_a_full_city_without_an_exchange_marker_is_blocked() -> None:
    table = through()
    with table.arrange() as s:
        from roundhouse.titles.g1839.markers import lift_exchange

        lift_exchange(s, "AMS")
    model = RouteRules1839(table.rules, table.s, "NBDS")
    assert not model.passable(("K8", 6))


def test_two_trains_share_no_track() -> None:
    table = belgian("Green", "3+-0", "3+-1")
    one = {"train": "3+-0", "connections": PIECES[1:4], "nodes": NODES[1:5]}
    two = {"train": "3+-1", "connections": PIECES[1:2], "nodes": NODES[1:3]}
    table.refused("NBDS", "run_routes", "routes.track_twice", routes=[one, two])
    two = {"train": "3+-1", "connections": [["L9", "K8"]], "nodes": NODES[:2]}
    table.refused("NBDS", "run_routes", "routes.too_short", routes=[one, two])


def test_roer_is_the_best_place_or_twice_the_other_end() -> None:
    table = past_auction()
    table.start("AMS", "94,5,3", p1=(0, 1, 2, 3, 4))
    table.phase("Green")
    table.train("AMS", "5+-0", "5D-0")
    table.operate("AMS", "track")
    model = RouteRules1839(table.rules, table.s, "AMS")
    for train, factor in (("5+-0", 1), ("5D-0", 2)):
        kind = model.kinds[train]
        inland = [("E10", 6), ("D7", 6), ("J17", 6)]
        assert model.values.of_trip(kind, inland)["ROER"] == 40 * factor
        across = [("L1", 6), ("E10", 6), ("J17", 6)]
        assert model.values.of_trip(kind, across)["ROER"] == 60 * factor


def test_nothing_at_all_may_run() -> None:
    table = belgian("Green", "3+-0")
    table.do("NBDS", "run_routes", routes=[])
    assert table.price("NBDS") == 90


# brute force: the rules text once more, in the most naive words, over random boards


def naive_total(table: Table, who: str, trips: list[Any]) -> int:
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
    for trip in trips:
        name = trip.train.rsplit("-", 1)[0]
        factor = 2 if name.endswith("D") and name != "FLOOD" else 1
        values: dict[Any, int] = {}
        for at, x in enumerate(trip.stops):
            value = worth(x)
            passed = name != "FLOOD" and 0 < at < len(trip.stops) - 1
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
        bonus += 10 * len(values) if trip.mail else 0
        for x in trip.stops:
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
    """A board grown by random legal lays and markers of four companies."""
    rng = Random(seed)
    options = ("exchange_always_zero",) if seed % 3 == 0 else ()
    table = past_auction(4, options)
    names = ["NBDS", "ZHESM", "NCS", "RS"]
    for number, symbol in enumerate(names, start=1):
        table.start(symbol, "94,5,3", **{f"p{number}": (0, 1, 2, 3, 4)})
        table.cash(symbol, 20_000)
    for symbol, coord, city in zip(names, ("K8", "G8", "G10", "I12"), (0, 0, 1, 0), strict=True):
        table.station(symbol, coord, city)
    table.phase("Gray")
    for company in ("AB", "PTT", "VES"):
        table.private(company, rng.choice(names))
    for turn in range(rng.randint(10, 36)):
        who = names[turn % 4]
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
    for who in ("NBDS", "ZHESM", "NCS", "RS"):
        ranks = ["2+", "3+", "5+", "7+", "5D", "7D", "FLOOD"]
        with table.arrange() as s:
            s.phase = rng.choice(table.rules.phase_names)
        table.train(who, *(f"{r}-{n}{seed}" for n, r in enumerate(rng.choices(ranks, k=3))))
        model = RouteRules1839(table.rules, table.s, who)
        assert set(model.flood_stops()) == naive_flood(table, who)
        trips = find_trips(model)
        assert model.total(trips) == naive_total(table, who, trips)
        for _ in range(5):
            some = [t._replace(mail=False) for t in trips if rng.random() < 0.7]
            assert model.total(some) == naive_total(table, who, some)
            assert sum(model.shares_of(some)) == model.total(some)
        assert [t[:2] for t in model.read(model.written(trips))] == [t[:2] for t in trips]


@pytest.mark.parametrize("seed", range(100, 104))
def test_foreign_income_equals_brute_force(seed: int) -> None:
    """Every area touched gets a fifth of the revenue, once, and is started if it was not."""
    table, rng = random_board(seed)
    who = rng.choice(["NBDS", "ZHESM", "NCS", "RS"])
    table.train(who, "7D-0", "FLOOD-0")
    table.operate(who, "routes")
    if table.s.step != "routes":
        pytest.skip("nothing to run on this board")
    model = RouteRules1839(table.rules, table.s, who)
    trips = find_trips(model)
    total = naive_total(table, who, trips)
    hexes = {h: f.id for f in table.rules.foreigners(table.s)
             for h in table.rules.foreign[f.id].hexes}  # fmt: skip
    touched = {hexes[x[0]] for t in trips for x in t.stops if x[0] in hexes}
    table.do(who, "run_routes", routes=[_plain(r) for r in model.written(trips)])
    for foreigner in table.rules.foreigners(table.s):
        expected = total // 5 if foreigner.id in touched else 0
        assert foreigner.cash == expected
        assert (foreigner.cell is not None) == (foreigner.id in touched)


def _plain(run: Any) -> dict[str, Any]:
    import msgspec

    plain: dict[str, Any] = msgspec.to_builtins(run)
    return plain
