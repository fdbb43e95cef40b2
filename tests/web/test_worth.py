"""What a tile would be worth, and the search for routes that may be watched and stopped."""

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


def test_a_search_is_watched_and_stopped(laying):
    game, lays = laying
    search = runs.Search(game, lays[0].actor)
    search.stop()
    answer = search.answer()
    assert search.done()
    assert answer.bound >= answer.revenue
    calm = runs.search_of(game, lays[0].actor)
    assert calm is runs.search_of(game, lays[0].actor)
    assert runs.best_of(game, lays[0].actor).revenue >= answer.revenue


def test_the_page_is_told_how_far_a_search_is(user, client, monkeypatch):
    from roundhouse.web import tables

    path = min(game_files(), key=lambda p: p.stat().st_size)
    table = tables.import_file(user, path.read_bytes(), "")
    game = tables.open_game(table).game
    at = next(e.action.id for e in reversed(game.history) if e.action.type == "run_routes")
    before = max(e.action.id for e in game.history if e.action.id < at)
    monkeypatch.setattr(runs.Search, "done", lambda self, within=0.0: self._stopped)
    address = f"/table/{table.pk}/routes/?at={before}"
    assert "data-searching" in client.get(address).content.decode()
    assert "routes-table" in client.get(f"{address}&stop=1").content.decode()
