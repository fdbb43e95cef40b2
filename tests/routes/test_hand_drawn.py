"""A trail drawn across the map, as pieces of track."""

from __future__ import annotations

import pytest

import roundhouse
from roundhouse.routes.hand_drawn import pieces_along

from reference import GAMES


@pytest.fixture(scope="module")
def runs():
    """Every fifth run of two games: the route model and the routes that earn most."""
    found = []
    for name in ("1817/base.json", "18Ireland/base.json"):
        game, _ = roundhouse.replay(GAMES / name)
        numbers = [n for n, e in enumerate(game.log) if e.action.type == "run_routes"]
        for number in numbers[::5]:
            before = game.at(game.log[number - 1].action.id)
            found += [(before, run) for run in before.best_routes(time_limit=2).routes]
    return [(game, run) for game, run in found if run.connections]


def travelled(run):
    """All hexes of a route in travel order, each border crossed once."""
    hexes = []
    for piece, start in zip(run.connections, run.hexes, strict=False):
        onward = piece if piece[0] == start else piece[::-1]
        hexes += onward[1:] if hexes else onward
    return hexes


def test_every_hex_of_a_route_gives_the_route_back(runs):
    assert runs
    for game, run in runs:
        pieces = pieces_along(game.route_model(), travelled(run))
        assert pieces is not None
        assert {frozenset(p) for p in pieces} == {frozenset(p) for p in run.connections}


def test_stops_alone_give_a_way_that_touches_them_in_order(runs):
    for game, run in runs:
        pieces = pieces_along(game.route_model(), run.hexes)
        assert pieces is not None
        touched = iter([hex_ for piece in _joined(pieces) for hex_ in piece])
        assert all(any(stop == h for h in touched) for stop in run.hexes)
        assert sum(map(len, pieces)) <= sum(map(len, run.connections))


def _joined(pieces):
    """Pieces turned so that each begins where the one before it ends."""
    first, *rest = pieces
    if rest and first[-1] not in (rest[0][0], rest[0][-1]):
        first = first[::-1]
    found = [first]
    for piece in rest:
        found.append(piece if piece[0] == found[-1][-1] else piece[::-1])
    return found


def test_a_hex_of_plain_track_stands_for_the_track_through_it(runs):
    game, run = next((g, r) for g, r in runs if any(len(p) > 2 for p in r.connections))
    piece = next(p for p in run.connections if len(p) > 2)
    found = pieces_along(game.route_model(), [piece[1]])
    assert found is not None
    assert piece[1] in found[0]


def test_where_no_track_leads_there_is_no_way(runs):
    game, run = runs[0]
    model = game.route_model()
    bare = next(c for c, face in model.faces.items() if not face.tracks)
    assert pieces_along(model, [run.hexes[0], bare]) is None
    assert pieces_along(model, []) is None
    assert pieces_along(model, ["nowhere"]) is None


def test_a_route_is_completed_from_where_it_can_only_end(runs):
    """An off-board area passes no train on; the best route through it still ends there."""
    tried = 0
    for game, run in runs:
        model = game.route_model()
        last = run.hexes[-1]
        if any(
            model.faces[last].tile.nodes[n].kind == "offboard" for n in model.faces[last].tile.stops
        ):
            found = game.complete_route(run.train, [[last]])
            assert found is not None
            assert last in found.hexes
            assert (found.revenue or 0) >= (run.revenue or 0) or len(
                game.route_model().trains()
            ) > 1
            tried += 1
    assert tried
