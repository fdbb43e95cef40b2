"""The optimiser against mixed integer programs on boards too large to try everything.

The program knows pieces of track, not routes: for each train, which pieces it runs on and which
stops it makes; a flow keeps what it runs on in one line. It shares no code with the search.
"""

from __future__ import annotations

from collections import defaultdict
from random import Random

import pytest

from roundhouse.routes.best import best_routes

from .boards import Case, CaseModel, Kind, OnceModel, random_case, stops_of
from .oracle import STOPS, over, own

np = pytest.importorskip("numpy")
optimize = pytest.importorskip("scipy.optimize")


class Program:
    """A mixed integer program that is built row by row."""

    def __init__(self) -> None:
        self.cost: list[float] = []
        self.whole: list[int] = []
        self.top: list[float] = []
        self.low: list[float] = []
        self.rows: list[tuple[dict[int, float], float, float]] = []

    def variable(self, cost: float = 0, top: float = 1, low: float = 0, whole: int = 1) -> int:
        self.cost.append(-cost)
        self.whole.append(whole)
        self.top.append(top)
        self.low.append(low)
        return len(self.cost) - 1

    def row(self, terms: dict[int, float], low: float, high: float) -> None:
        self.rows.append((terms, low, high))

    def solve(self) -> int:
        from scipy.sparse import lil_matrix

        matrix = lil_matrix((len(self.rows), len(self.cost)))
        for r, (terms, _, _) in enumerate(self.rows):
            for v, factor in terms.items():
                matrix[r, v] = factor
        answer = optimize.milp(
            np.array(self.cost),
            integrality=np.array(self.whole),
            bounds=optimize.Bounds(np.array(self.low), np.array(self.top)),
            constraints=optimize.LinearConstraint(
                matrix.tocsr(), [r[1] for r in self.rows], [r[2] for r in self.rows]
            ),
            options={"time_limit": 60},
        )
        assert answer.status == 0, answer.message
        return round(-answer.fun)


def program(case: Case) -> Program:
    p = Program()
    users: dict[object, list[int]] = defaultdict(list)
    places: dict[str, list[int]] = defaultdict(list)
    for kind in case.trains.values():
        _train(p, case, kind, users, places)
    for variables in users.values():
        p.row(dict.fromkeys(variables, 1), 0, 1)
    for claims in places.values():
        p.row(dict.fromkeys(claims, 1), 0, 1)
    return p


def _passable(case: Case, coord: str, i: int) -> bool:
    node = case.hexes[coord].nodes[i]
    if node.kind != "city" or coord not in case.tokens:
        return node.kind != "offboard"
    cities = [n.ref for n in case.hexes[coord].nodes if n.kind == "city"]
    slots = case.tokens[coord][cities.index(node.ref)]
    return None in slots or "me" in slots


def _train(
    p: Program,
    case: Case,
    kind: Kind,
    users: dict[object, list[int]],
    places: dict[str, list[int]],
) -> None:
    runs = p.variable()
    stops = {
        (coord, i): node
        for coord, tile in case.hexes.items()
        for i, node in enumerate(tile.nodes)
        if node.kind in STOPS
    }
    many = len(stops)
    at: dict[object, list[tuple[int, int, int]]] = defaultdict(list)
    for coord, tile in case.hexes.items():
        refs = {n.ref: ("node", coord, i) for i, n in enumerate(tile.nodes)}
        for path in tile.paths:
            ends = [refs[e] if isinstance(e, str) else _border(coord, e) for e in (path.a, path.b)]
            used = p.variable()
            flow = p.variable(top=many, low=-many, whole=0)
            p.row({flow: 1, used: -many}, -np.inf, 0)
            p.row({flow: 1, used: many}, 0, np.inf)
            at[ends[0]].append((used, flow, -1))
            at[ends[1]].append((used, flow, 1))
    made, first, last = {}, {}, {}
    for stop, node in stops.items():
        pay = 0 if node.kind in kind.unpaid else node.revenue * kind.factor
        place = case.once.get((stop[0], stop[1] + 6))
        y, e, f = p.variable(0 if place else pay), p.variable(), p.variable()
        made[stop], first[stop], last[stop] = y, e, f
        if place:  # who stops there may claim what it pays, nobody else any more
            claim = p.variable(pay)
            p.row({claim: 1, y: -1}, -np.inf, 0)
            places[place].append(claim)
        p.row({e: 1, f: 1, y: -1}, -np.inf, 0)
        pieces = at[("node", *stop)]
        p.row({**{u: 1 for u, _, _ in pieces}, y: -2, e: 1, f: 1}, 0, 0)
        if not _passable(case, *stop):
            p.row({e: 1, f: 1, y: -1}, 0, 0)
        # the first stop sends a unit of flow to every other one
        flows = {g: sign for _, g, sign in pieces}
        p.row({**flows, y: -1, e: many + 1}, 0, np.inf)
        p.row({**flows, y: -1}, -np.inf, 0)
    for where, pieces in at.items():
        if where[0] == "border":
            crossed = p.variable()
            p.row({**{u: 1 for u, _, _ in pieces}, crossed: -2}, 0, 0)
            p.row({g: sign for _, g, sign in pieces}, 0, 0)
            users[where].append(crossed)
    p.row({**dict.fromkeys(first.values(), 1), runs: -1}, 0, 0)
    p.row({**dict.fromkeys(last.values(), 1), runs: -1}, 0, 0)
    p.row({**dict.fromkeys(made.values(), 1), runs: -2}, 0, np.inf)
    p.row({**dict.fromkeys(made.values(), 1), runs: -many}, -np.inf, 0)
    counted = {made[s]: 1 for s, node in stops.items() if node.kind not in kind.free}
    p.row(counted, 0, kind.reach)
    p.row({**{made[s]: 1 for s in stops if own(case, s)}, runs: -1}, 0, np.inf)


def _border(coord: str, edge: int) -> tuple[str, frozenset[tuple[str, int]]]:
    return ("border", frozenset({(coord, edge), (over(coord, edge), (edge + 3) % 6)}))


TOWNS = frozenset({"town"})
STABLES = {
    "one long": (Kind(7),),
    "two": (Kind(6), Kind(4)),
    "alike": (Kind(4), Kind(4)),
    "doubled": (Kind(3, free=TOWNS, factor=2), Kind(5)),
    "no limit": (Kind(99), Kind(3)),
    "three": (Kind(5), Kind(3), Kind(3)),
}


def _without_junctions(seed: int, kinds: tuple[Kind, ...]) -> Case:
    rng = Random(seed)
    while True:
        case = random_case(rng, 5, 3, kinds, plain=0.2)
        kinds_there = [n.kind for tile in case.hexes.values() for n in tile.nodes]
        if "junction" not in kinds_there and sum(own(case, s) for s in _cities(case)) > 1:
            return case


def _cities(case: Case) -> list[tuple[str, int]]:
    return [(c, i) for c, tile in case.hexes.items() for i in range(len(tile.nodes))]


@pytest.mark.parametrize("stable", ["two", "alike", "doubled", "three"])
@pytest.mark.parametrize("seed", range(4))
def test_places_that_pay_once_agree_with_an_integer_program(stable: str, seed: int) -> None:
    case = _without_junctions(seed, STABLES[stable])
    rng = Random(seed)
    stops = stops_of(case)
    case.once = {s: str(rng.choice(stops)) for s in stops if rng.random() < 0.8}
    answer = best_routes(OnceModel(case), time_limit=60)
    assert answer.optimal
    assert answer.revenue == program(case).solve()


@pytest.mark.parametrize("stable", STABLES)
@pytest.mark.parametrize("seed", range(5))
def test_best_routes_agree_with_an_integer_program(stable: str, seed: int) -> None:
    case = _without_junctions(seed, STABLES[stable])
    answer = best_routes(CaseModel(case), time_limit=60)
    assert answer.optimal
    assert answer.revenue == program(case).solve()
