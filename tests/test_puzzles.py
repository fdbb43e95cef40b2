"""Puzzles: their answers are checked by searches that share nothing with how they were found."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from roundhouse.bots import player
from roundhouse.creation import new, replay
from roundhouse.model.actions import Bankrupt, BuyTrain, Merge, RunRoutes, SellShares
from roundhouse.puzzles import BEST_RUN, CAN_PAY, MERGER, best_run, puzzles_in
from roundhouse.selfplay import play_on

GAMES = Path(__file__).parent / "games"


@pytest.fixture(scope="module")
def made():
    """The puzzles of some games, with the game each is from."""
    found = []
    for name in ("1817/base", "18Ireland/base"):
        game, _ = replay((GAMES / f"{name}.json").read_bytes())
        found += [(game, p) for p in puzzles_in(game)]
    return found


def of(made, kind):
    return [(g, p) for g, p in made if p.kind == kind]


def test_there_are_all_kinds(made):
    assert {p.kind for _, p in made} == {BEST_RUN, CAN_PAY, MERGER}
    assert {p.answer for _, p in of(made, CAN_PAY)} == {"yes", "no"}


def test_best_runs_are_runs_and_none_is_better(made):
    """The routes earn what is said, by the check alone; that nothing earns more is found by listing
    all routes and an integer program."""
    pytest.importorskip("scipy.optimize")
    from routes.enumeration import Hint, Oracle

    for game, puzzle in of(made, BEST_RUN)[::4]:
        at = game.at(puzzle.action)
        assert at.check_routes(puzzle.routes, puzzle.who) == int(puzzle.answer)
        oracle = Oracle(at.route_model(puzzle.who), Hint({}, {}), 60)
        assert oracle.nothing_better(int(puzzle.answer))
        assert not oracle.nothing_better(int(puzzle.answer) - oracle.model.grain)


def pays(game, depth=0):
    """Whether any order of sales leads out of the need: plain recursion over all choices, without
    remembering positions; the title's own word for ruin is not asked."""
    if depth and game.state.step != "" and not need(game):
        return True
    if depth and any(isinstance(c.action, BuyTrain) for c in game.choices()):
        return True
    for choice in game.choices():
        if isinstance(choice.action, SellShares) and depth < 6:
            for action in choice.actions():
                twin = game.copy()
                twin.apply(action)
                if pays(twin, depth + 1):
                    return True
    return False


def need(game):
    step = game.rules.play(game.state).waiting(game.state)
    return step is not None and Bankrupt in step.takes and SellShares in step.takes


def test_who_can_pay_can(made):
    for game, puzzle in of(made, CAN_PAY):
        at = game.at(puzzle.action)
        assert pays(at) == (puzzle.answer == "yes")
        offered = any(isinstance(c.action, Bankrupt) for c in at.choices())
        assert not (offered and puzzle.answer == "yes")


def test_no_other_merger_runs_better(made):
    """By the list of all routes of every other merged company and an integer program."""
    pytest.importorskip("scipy.optimize")
    from routes.enumeration import Hint, Oracle

    for game, puzzle in of(made, MERGER):
        at = game.at(puzzle.action)
        partners = {c.action.corporation or c.action.minor: c.action for c in at.choices()
                    if isinstance(c.action, Merge)}  # fmt: skip
        assert set(partners) == {key for key, _ in puzzle.options}
        best = merged(at, partners.pop(puzzle.answer)).check_routes(puzzle.routes, puzzle.who)
        for partner, merge in partners.items():
            twin = merged(at, merge)
            runners = {merge.entity, partner, puzzle.who} & {*twin.state.corporations}
            for one in runners:
                oracle = Oracle(twin.route_model(one), Hint({}, {}), 60)
                assert oracle.nothing_better(best - oracle.model.grain)


def merged(game, merge):
    twin = game.copy()
    twin.apply(merge)
    return twin


def test_no_merger_is_asked_for_where_the_merged_company_runs_no_trains():
    """1873: mines merge to mines."""
    game = new("1873", ("A", "B", "C"), seed=4)
    play_on(game, Random(4), actions=600, policy=player(seed=4))
    mergers = [e for e in game.history if isinstance(e.action, Merge)]
    assert mergers
    assert {p.kind for p in puzzles_in(game)} <= {BEST_RUN, CAN_PAY, MERGER}


def test_what_runs_no_trains_makes_no_puzzle():
    """Mines (1873) have income, but no routes."""
    game, _ = replay((GAMES / "1873/base.json").read_bytes())
    mine = next(c for c in game.state.corporations if c not in game.rules.railways)
    run = RunRoutes(entity=mine, entity_type="corporation", routes=())
    assert best_run(game, run) is None
