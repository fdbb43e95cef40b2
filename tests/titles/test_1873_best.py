"""1873: the best segments against everything tried and against an integer program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import reduce
from itertools import combinations, count, pairwise, permutations
from operator import or_
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from oracle1873 import Harz, Trip, Wish, best, program

import roundhouse
from roundhouse.board import laying
from roundhouse.model.errors import BrokenInvariant, IllegalAction
from roundhouse.model.records import set_corporation
from roundhouse.routes.answer import BestRoutes
from roundhouse.routes.check import check_runs
from roundhouse.routes.clock import Clock, Progress
from roundhouse.routes.complete import complete_routes
from roundhouse.routes.drawn import Drawn
from roundhouse.routes.model import Route
from roundhouse.routes.sample import sample_runs
from roundhouse.routes.segment_pool import Pool
from roundhouse.routes.segment_search import Search, best_network
from roundhouse.titles.g1873.routes import DieselSegments, Network

from harz import Table

RAILWAYS = ("HBE", "GHE", "NWE", "SHE", "KEZ", "WBE", "QLB")
OPTIONS = ((), ("joint_stations",), ("tokenless_segments",))

seeds = st.integers(0, 2**32)
relaxed = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)


def random_table(
    rng: Random, tiles: int, options: tuple[str, ...] | None = None
) -> tuple[Table, str]:
    """A railway on its route, with tiles strewn about, mines closed, its tokens and others'."""
    t = Table(3, rng.choice(OPTIONS) if options is None else options)
    t.phase(rng.choice(("2", "3", "4", "5", "D")))
    who, other = rng.sample(RAILWAYS, k=2)
    t.form(who, 240, 3)
    t.form(other, 240, 0, 3)
    t.running(who, other)
    t.route_built(who)
    places = [h for h in around(t, around(t, t.rules.route_hexes[who] | {"E20"})) if h != "D15"]
    for coord in rng.choices(places, k=tiles):
        upgrade(t, rng, coord)
    for mine in rng.sample(sorted(t.rules.mines, key=int), k=4):
        set_corporation(t.edit(), mine, open=False)
    for coord in rng.sample(places, k=min(12, len(places))):
        put_token(t, rng.choice((who, who, other)), coord, rng)
    return t, who


def around(t: Table, hexes: Iterable[str]) -> list[str]:
    """Hexes and all that border on them."""
    neighbors = t.rules.box.map.neighbors
    return sorted({*hexes} | {n for h in hexes for n in neighbors[h].values()})


def upgrade(t: Table, rng: Random, coord: str) -> None:
    """Any tile that fits on a hex, if one is left."""
    left = {tile.rpartition("-")[0] for tile in t.s.supply}
    fitting = [f for f in t.rules.upgrades.upgrades(t.s.board, coord) if f.tile.name in left]
    if fitting:
        face = rng.choice(fitting)
        with suppress(BrokenInvariant):  # tokens with no city to go to
            t.tile(coord, face.tile.name, face.rotation)


def put_token(t: Table, who: str, coord: str, rng: Random) -> None:
    """A token in some city of a hex, if there is room."""
    rows = laying.slots_at(t.rules.box, t.s.board, coord)
    left = any(token.city is None for token in t.charter(who).tokens)
    if rows and left and not any(who in row for row in rows):
        city = rng.randrange(len(rows))
        if laying.free_slot(t.rules.box, t.s.board, coord, city, who) is not None:
            t.token(who, coord, city)


def sizes_of(network: Network) -> list[int]:
    return [card.size for card in network.parts[0].cards()]


def agree(t: Table, who: str, most: int | None) -> None:
    """Our answer is legal, proven, always the same, and what the other way found."""
    network = Network(t.rules, t.s, who)
    answer = best_network(network, Clock(60))
    if most is None:
        assert answer == BestRoutes((), 0, True, 0)
        return
    assert answer.optimal
    assert answer.bound == answer.revenue == most
    assert sum(r.revenue for r in check_runs(network, answer.routes)) == most
    assert best_network(network, Clock(60)) == answer
    for runs in (sample_runs(network), sample_runs(network, Random(most))):
        assert sum(r.revenue for r in check_runs(network, runs)) <= most


@given(seeds)
@relaxed
def test_against_everything_tried(seed: int) -> None:
    rng = Random(seed)
    trips: list[Trip] = []
    while not 8 < len(trips) < 18:
        t, who = random_table(rng, rng.randint(6, 20))
        harz = Harz(t.rules, t.s, who)
        trips = [trip for trip in harz.lines(most=2_000) if harz.for_train(trip)]
    t.equip(who, *rng.choice((["2T"], ["3T"], ["4T"], ["2T", "1T"], ["2T", "2T"], ["3T", "1T"])))
    agree(t, who, best(harz, trips, sizes_of(Network(t.rules, t.s, who))))


def pieces_of(trip: Trip) -> Drawn:
    """Track from stop to stop, as it is drawn."""
    at = [trip.hexes.index(coord) for coord, _ in trip.stops]
    return [trip.hexes[a : b + 1] for a, b in pairwise(at)]


def drawn_at_random(
    rng: Random, network: Network, harz: Harz
) -> tuple[dict[str, Drawn], list[Wish]]:
    """Track drawn for one or two route ids, and what the oracle takes it for: any track over the
    same hexes."""
    lines = [
        line
        for line in harz.lines(most=2_000)
        if 2 <= len(line.stops) <= 3
        if len({coord for coord, _ in line.stops}) == len(line.stops)
        if len(set(line.hexes)) == len(line.hexes)
    ]
    cards = network.parts[0].cards()
    numbered = [(k, carrier) for k, card in enumerate(cards) for carrier in card.carriers]
    drawn: dict[str, Drawn] = {}
    wishes: list[Wish] = []
    for k, carrier in rng.sample(numbered, k=rng.randint(1, 2)):
        drawn[carrier] = pieces = pieces_of(rng.choice(lines))
        back = [piece[::-1] for piece in reversed(pieces)]
        wishes.append((k, [line for line in lines if pieces_of(line) in (pieces, back)]))
    return drawn, wishes


@given(seeds)
@relaxed
def test_all_trains_together_contain_what_was_drawn_for_some(seed: int) -> None:
    """Also for two segments of one train, and where not all of it can be run."""
    rng = Random(seed)
    trips: list[Trip] = []
    while not 8 < len(trips) < 18:
        t, who = random_table(rng, rng.randint(6, 20))
        harz = Harz(t.rules, t.s, who)
        trips = [trip for trip in harz.lines(most=2_000) if harz.for_train(trip)]
    t.equip(who, *rng.choice((["2T"], ["3T"], ["4T"], ["2T", "1T"], ["2T", "2T"], ["3T", "1T"])))
    network = Network(t.rules, t.s, who)
    drawn, wishes = drawn_at_random(rng, network, harz)
    answer = complete_routes(network, drawn, time_limit=60)
    most = best(harz, trips, sizes_of(network), wishes)
    assert (answer.revenue if answer else None) == most
    if answer is not None:
        assert answer.optimal
        found = {route.train: route for route in check_runs(network, answer.routes)}
        assert sum(route.revenue for route in found.values()) == most
        for carrier, pieces in drawn.items():
            hexes = {coord for leg in found[carrier].legs for coord in leg.hexes}
            assert hexes.issuperset(coord for piece in pieces for coord in piece)


@given(seeds)
@settings(relaxed, max_examples=15)
def test_against_an_integer_program(seed: int) -> None:
    pytest.importorskip("scipy")
    rng = Random(seed)
    trips: list[Trip] = []
    while not 15 < len(trips) < 120:
        t, who = random_table(rng, rng.randint(12, 40))
        harz = Harz(t.rules, t.s, who)
        trips = [trip for trip in harz.lines(most=20_000) if harz.for_train(trip)]
    t.equip(who, *rng.choice((["4T"], ["5T"], ["3T", "2T"], ["5T", "3T"], ["3T", "3T"])))
    agree(t, who, program(harz, trips, sizes_of(Network(t.rules, t.s, who))))


def known(part: DieselSegments) -> Pool:
    """All segments a diesel could run."""
    pool = Pool(part)
    pool.find(Clock(60))
    return pool


def diesel_sets(part: DieselSegments) -> Iterator[list[Route]]:
    """Every legal set of segments of a diesel, in some order."""
    pool = known(part)
    carriers = pool.cards[0].carriers
    ways = [Route("", *g.way, 0) for g in pool.segments]
    for number in range(len(ways) + 1):
        for some in combinations(range(len(ways)), number):
            tracks = [pool.segments[n].track for n in some]
            routes = [replace(ways[n], train=c) for n, c in zip(some, carriers, strict=False)]
            if sum(tracks) == reduce(or_, tracks, 0):
                with suppress(IllegalAction):
                    part.check_set(routes)
                    yield routes


def both_cities(part: DieselSegments) -> bool:
    """Whether some segment passes both cities of a hex."""
    return any(len({c for c, _ in g.way[0]}) < len(g.way[0]) for g in known(part).segments)


#: Tables with few enough segments to try every set; in the last one of them passes both cities of a
#: hex.
DIESEL_SEEDS = (5, 52, 65, 84, 1734)


@pytest.mark.parametrize("options", [(), ("joint_stations",)])
@pytest.mark.parametrize("seed", DIESEL_SEEDS)
def test_diesels_against_everything_tried(seed: int, options: tuple[str, ...]) -> None:
    """§11.6.5, in the best order."""
    rng = Random(seed)
    t, who = random_table(rng, rng.randint(15, 30), options)
    t.equip(who, "D")
    part = Network(t.rules, t.s, who).parts[1]
    found = [
        sum(r.revenue for r in part.share_out(order))
        for routes in diesel_sets(part)
        for order in permutations(routes)
    ]
    search = Search(known(part), Clock(60))
    search.run()
    assert search.revenue == search.bound == max(found)
    assert both_cities(part) == (seed == DIESEL_SEEDS[-1])


@pytest.fixture(scope="module")
def real(request: pytest.FixtureRequest) -> Any:
    reference = request.getfixturevalue("reference")
    return roundhouse.load(reference / "games" / "1873" / "1873_game_end_stock_market.json")


@pytest.mark.parametrize(
    ("at", "who", "trains"),
    [
        (1171, "HBE", ["5T"]),
        (1085, "HBE", ["5T", "3T"]),
        (1179, "NWE", ["3T", "2T"]),
        (1199, "KEZ", ["4T"]),
        (1187, "GHE", ["5T", "5T", "2T"]),
        (1138, "NWE", ["5T", "5T"]),
    ],
)
def test_late_positions_against_an_integer_program(
    real: Any, at: int, who: str, trains: list[str]
) -> None:
    pytest.importorskip("scipy")
    network = real.at(at).route_model(who, trains=trains)
    harz = Harz(real.rules, network.parts[0].s, who)
    trips = [trip for trip in harz.lines(most=100_000) if harz.for_train(trip)]
    answer = best_network(network, Clock(60))
    assert answer.optimal
    assert answer.revenue == program(harz, trips, sizes_of(network))


@pytest.fixture(scope="module")
def crowded() -> Network:
    """More track than there are tiles, tokens everywhere and five of the biggest trains."""
    rng = Random(4)
    t = Table(3)
    t.phase("D")
    t.form("GHE", 240, 3)
    t.running("GHE")
    t.convert("GHE")
    t.route_built("GHE")
    names = t.rules.box.tiles.counts
    t.edit().supply = tuple(f"{name}-{300 + n}" for name in names for n in range(60))
    places = sorted(t.rules.box.map.hexes)
    for coord in places * 5:
        upgrade(t, rng, coord)
    for coord in rng.sample(places, k=60):
        put_token(t, "GHE", coord, rng)
    t.equip("GHE", *["5T"] * 5)
    return Network(t.rules, t.s, "GHE")


def test_a_search_cut_short_is_legal_and_bounded(crowded: Network) -> None:
    """Whenever time is over, and always the same after the same effort."""
    revenues, bounds = [], []
    for effort in (1, 5, 20, 100):
        answer = best_network(crowded, Clock(effort, timer=count().__next__))
        assert answer == best_network(crowded, Clock(effort, timer=count().__next__))
        assert sum(r.revenue for r in check_runs(crowded, answer.routes)) == answer.revenue
        revenues.append(answer.revenue)
        bounds.append(answer.bound)
    assert max(revenues) <= min(bounds)
    assert revenues[0] < revenues[-1]


def test_a_search_tells_how_far_it_is_and_can_be_cancelled(crowded: Network) -> None:
    told: list[Progress] = []

    def cancel(progress: Progress) -> bool:
        told.append(progress)
        return len(told) < 3

    hundredths = count()  # of a second, one for each time somebody asks
    answer = best_network(crowded, Clock(600, cancel, timer=lambda: next(hundredths) / 100))
    assert len(told) == 3
    assert not answer.optimal
    assert told[0].revenue <= told[-1].revenue <= answer.revenue
    bounds = [p.bound for p in told if p.bound]  # the first reports may know none yet
    assert bounds == sorted(bounds, reverse=True)
    assert answer.revenue < answer.bound <= min(bounds, default=answer.bound)


def test_more_trains_than_work(real: Any) -> None:
    """Far more segments than anybody needs: proven none the less."""
    network = real.at(1171).route_model("HBE", trains=["5T"] * 4)
    answer = best_network(network, Clock(60))
    assert answer.optimal
    assert sum(r.revenue for r in check_runs(network, answer.routes)) == answer.revenue
    one = best_network(real.at(1171).route_model("HBE", trains=["5T"]), Clock(60))
    assert one.revenue < answer.revenue
