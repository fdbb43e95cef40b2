"""What a game answers about routes."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

import roundhouse
from roundhouse.cli.routes import routes as routes_command
from roundhouse.model.actions import Run, RunRoutes
from roundhouse.model.errors import IllegalAction
from roundhouse.routes.clock import Progress

from .boards import CaseModel, Kind, random_case
from reference import GAMES


@pytest.fixture(scope="module")
def game() -> roundhouse.Game:
    """A game of 1817 played at random up to a run of some trains."""
    for seed in range(50):
        found = _play(seed)
        if found is not None:
            return found
    raise AssertionError("no random game came to a run")


def _play(seed: int) -> roundhouse.Game | None:
    rng = Random(seed)
    game = roundhouse.new("1817", ["Ada", "Ben", "Cleo"], seed=seed)
    for _ in range(900):
        if game.finished:
            return None
        choices = game.choices()
        run = next((c for c in choices if isinstance(c.action, RunRoutes)), None)
        if run is not None and len(game.best_routes(time_limit=2).routes) > 0:
            return game
        game.apply(rng.choice(choices).sample(rng))
    return None


def test_the_best_routes_can_be_run(game: roundhouse.Game) -> None:
    answer = game.best_routes()
    who = game.acting[0]
    run = RunRoutes(entity=who, entity_type="corporation", routes=answer.routes)
    assert game.is_legal(run)
    assert game.check_routes(answer.routes) == answer.revenue > 0
    assert answer == game.best_routes(who)


def test_routes_are_checked_as_json_too(game: roundhouse.Game) -> None:
    best = game.best_routes()
    plain = [
        {"train": r.train, "connections": [list(c) for c in r.connections]} for r in best.routes
    ]
    assert game.check_routes(plain) == best.revenue
    with pytest.raises(IllegalAction, match="no routes"):
        game.check_routes([{"connections": 7}])


def test_a_faulty_route_is_named(game: roundhouse.Game) -> None:
    route = game.best_routes().routes[0]
    with pytest.raises(IllegalAction, match=f"X-1 is no train of {game.acting[0]}"):
        game.check_routes([Run("X-1", route.connections)])
    with pytest.raises(IllegalAction, match="no such track"):
        game.check_routes([Run(route.train, (("A1", "Z9"),))])


def test_a_part_is_completed_to_the_best_route(game: roundhouse.Game) -> None:
    best = game.best_routes()
    route = best.routes[0]
    again = game.complete_route(route.train, route.connections[:1])
    assert again is not None
    assert again.revenue is not None
    assert again.revenue >= (route.revenue or 0)
    assert game.check_routes([again]) == again.revenue
    assert {c[0] for c in again.connections} | {c[-1] for c in again.connections} >= {
        route.connections[0][0],
        route.connections[0][-1],
    }


def test_a_stop_is_completed_to_the_best_route(game: roundhouse.Game) -> None:
    route = game.best_routes().routes[0]
    assert route.hexes is not None
    again = game.complete_route(route.train, [[route.hexes[0]]])
    assert again is not None
    assert route.hexes[0] in (again.hexes or ())
    assert game.complete_route(route.train, [["Z99"]]) is None


def test_other_trains_can_be_supposed(game: roundhouse.Game) -> None:
    before = game.state
    assert game.best_routes(trains=["8"]).revenue >= game.best_routes(trains=["2"]).revenue
    assert game.best_routes(trains=[]).revenue == 0
    assert game.state is before
    with pytest.raises(ValueError, match="no train"):
        game.best_routes(trains=["99"])


def test_a_tile_can_be_supposed(game: roundhouse.Game) -> None:
    before = game.state
    hexes = {h for r in game.best_routes().routes for c in r.connections for h in c[1:-1]}
    for hex_ in sorted(hexes)[:1]:
        turned = [game.best_routes(tile=(hex_, "9", r)).revenue for r in range(3)]
        assert max(turned) >= min(turned)
    assert game.state is before
    with pytest.raises(ValueError, match="no tile"):
        game.best_routes(tile=("Z99", "9", 0))


def test_an_unknown_company_is_refused(game: roundhouse.Game) -> None:
    with pytest.raises(ValueError, match="no company"):
        game.best_routes("XYZ")


BIG = random_case(Random(5), 14, 14, [Kind(8)] * 3 + [Kind(999)] * 2, plain=0.15, dense=0.85)


def test_a_search_cut_short_tells_how_far_it_can_be_off() -> None:
    from roundhouse.routes.best import best_routes
    from roundhouse.routes.check import check_runs

    answer = best_routes(CaseModel(BIG), effort=400)
    assert not answer.optimal
    assert answer.revenue == sum(r.revenue for r in check_runs(CaseModel(BIG), answer.routes)) > 0
    longer = best_routes(CaseModel(BIG), effort=4_000)
    assert answer.revenue < longer.revenue <= longer.bound <= answer.bound


def test_progress_is_told_and_can_cancel() -> None:
    from roundhouse.routes.best import best_routes

    told: list[Progress] = []

    def listen(progress: Progress) -> bool:
        told.append(progress)
        return len(told) < 3

    answer = best_routes(CaseModel(BIG), time_limit=60, progress=listen)
    assert len(told) == 3
    assert told[-1].seconds < 30
    assert not answer.optimal


def test_limited_effort_gives_the_same_every_time() -> None:
    from roundhouse.routes.best import best_routes

    first = best_routes(CaseModel(BIG), effort=150)
    assert best_routes(CaseModel(BIG), effort=150) == first


def test_a_game_limits_effort_in_every_title() -> None:
    for title in ("1817", "1828", "1839", "18Ireland", "1873"):
        (path, *_) = sorted((GAMES / title).glob("*.json"))
        played = roundhouse.load(path)
        for entry in [e for e in played.log if isinstance(e.action, RunRoutes)][-2:]:
            before = played.at((entry.action.id or 0) - 1)
            for effort in (20, 300):
                told: list[Progress] = []
                answer = before.best_routes(effort=effort, progress=told.append)
                assert answer == before.best_routes(effort=effort)
                assert before.check_routes(answer.routes) == answer.revenue <= answer.bound
                assert all(p.seconds <= effort for p in told)


def test_samples_are_legal_and_follow_their_stream() -> None:
    from roundhouse.routes.check import check_runs
    from roundhouse.routes.sample import sample_runs

    for seed in range(20):
        case = random_case(Random(seed), 4, 4, [Kind(4), Kind(3)])
        runs = sample_runs(CaseModel(case), Random(seed))
        check_runs(CaseModel(case), runs)
        assert runs == sample_runs(CaseModel(case), Random(seed))


def test_the_command_shows_routes_and_proof(game: roundhouse.Game, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    at = len(game.log)
    best = game.best_routes()
    ran = game.copy()
    ran.apply(RunRoutes(entity=game.acting[0], entity_type="corporation", routes=best.routes[:1]))
    ran.save(path)
    result = CliRunner().invoke(routes_command, [str(path), "--at", str(at)])
    assert result.exit_code == 0, result.output
    assert f"{game.acting[0]}: {best.revenue}, proven best" in result.output
    assert f"as run in action {at + 1}: {best.routes[0].revenue}" in result.output
    refused = CliRunner().invoke(routes_command, [str(path), "--at", str(at), "--entity", "XYZ"])
    assert refused.exit_code == 1
    assert "no company XYZ" in refused.output
