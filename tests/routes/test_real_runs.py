"""Every run of every real game: the best is proven, legal, and no worse than what was run."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

import roundhouse
from roundhouse.model.actions import RunRoutes

_NAMED = os.environ.get("ROUNDHOUSE_REFERENCE")
_ROOT = Path(_NAMED) if _NAMED else Path(__file__).parents[3] / "shared" / "reference"
GAMES = sorted(_ROOT.glob("games/*/*.json"))


@pytest.mark.parametrize("path", GAMES, ids=lambda p: p.stem)
def test_nobody_ran_better_than_best(path: Path) -> None:
    game = roundhouse.load(path)
    before = 0
    runs = 0
    for entry in game.history:
        if isinstance(entry.action, RunRoutes):
            runs += 1
            _compare(game.at(before), entry.action)
        before = entry.action.id or 0
    assert runs


def _compare(game: roundhouse.Game, run: RunRoutes) -> None:
    answer = game.best_routes(run.actor, time_limit=60)
    assert answer.optimal
    assert answer.bound == answer.revenue
    assert game.check_routes(answer.routes, run.actor) == answer.revenue
    bare = [msgspec.structs.replace(r, revenue=None) for r in run.routes]
    assert game.check_routes(bare, run.actor) <= answer.revenue
