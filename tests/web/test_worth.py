"""What a tile would be worth."""

from __future__ import annotations

import json

import pytest

import roundhouse
from roundhouse.web.page import runs

from .conftest import game_files


@pytest.fixture(scope="module")
def laying():
    """A company with trains that may lay track."""
    for path in game_files():
        game = roundhouse.load(json.loads(path.read_text()))
        for entry in game.history[200::9]:
            now = game.at(entry.action.id)
            lays = [c.action for c in now.choices() if c.type == "lay_tile"]
            actors = {a.actor for a in lays} & set(now.state.corporations)
            if any(now.state.corporations[a].trains for a in actors):
                return now, [a for a in lays if a.actor in actors]
    pytest.skip("no game where a company with trains lays track")


def test_a_tile_is_worth_what_the_best_run_gains(laying):
    game, lays = laying
    tried = 0
    for a in lays[:6]:
        tile = a.tile.rpartition("-")[0]
        found = runs.worth_of(game, a.actor, (a.hex, tile, a.rotation))
        now = game.best_routes(a.actor, time_limit=5)
        then = game.copy()
        then.apply(a)
        after = then.best_routes(a.actor, time_limit=5)
        if found is None or not (found.sure and now.optimal and after.optimal):
            continue
        tried += 1
        assert (found.now, found.then) == (now.revenue, after.revenue)
        assert found.more == after.revenue - now.revenue
    assert tried
