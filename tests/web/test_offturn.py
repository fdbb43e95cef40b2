"""Studies of companies, on turn or not: where they could build, trains, money, the round's end."""

from __future__ import annotations

import json
import re

import pytest

from roundhouse.model.actions import BuyTrain, LayTile, RunRoutes
from roundhouse.promises import until
from roundhouse.web import tables
from roundhouse.web.models import Table
from roundhouse.web.study import offturn

from .test_branches import OWN, account


@pytest.fixture
def table(user):
    """A finished game of our own."""
    path = min((OWN / "1817").glob("*.json"), key=lambda p: p.stat().st_size)
    return tables.import_file(user, path.read_bytes(), "an evening")


def moment(game, kind, part=0.5):
    """Just before an action of a kind, about so far into the game; who did it."""
    n = next(n for n, e in enumerate(game.history)
             if n > part * len(game.history) and isinstance(e.action, kind))  # fmt: skip
    return game.history[n - 1].action.id, game.history[n].action.actor


def test_where_a_company_could_build_is_what_the_engine_allows(table, client):
    game = tables.open_game(table).game
    at, who = moment(game, LayTile)
    here = game.at(at)
    drawn = offturn.lays_of(here, who)
    hexes = {c.action.hex for c in here.choices() if isinstance(c.action, LayTile)}
    assert hexes
    for coord in hexes:
        assert f"<title>{coord}: " in drawn
    reply = client.get(f"/table/{table.pk}/lays/{who}/?at={at}")
    assert reply.content.decode() == drawn
    assert client.get(f"/table/{table.pk}/lays/nobody/").status_code == 404


def test_runs_with_other_trains_come_with_proof(table, client):
    game = tables.open_game(table).game
    at, who = moment(game, BuyTrain)
    here = game.at(at)
    kinds = list(here.rules.box.trains)
    best = here.best_routes(who, trains=[kinds[0], kinds[0]], effort=40_000)
    page = client.get(f"/table/{table.pk}/study/{who}/?at={at}&n-{kinds[0]}=2").content.decode()
    told = f"would run for <b>${best.revenue}</b>"
    assert told in page
    assert ("that is proven" in page) == best.optimal


def test_ways_to_a_train_are_told_and_gone_in_a_branch(user, client, table):
    game = tables.open_game(table).game
    at, who = moment(game, BuyTrain)
    raw = game.at(at).dump()
    running = tables.import_file(user, json.dumps(raw).encode())
    page = client.get(f"/table/{running.pk}/study/{who}/").content.decode()
    ways = offturn.ways_of(running, tables.open_game(running).game, who).ways
    assert page.count("Go this way in a branch") == min(len(ways), 60)
    last = len(ways) - 1
    form = {"number": last, "version": running.version}
    made = client.post(f"/table/{running.pk}/study/{who}/way/", form)
    branch = Table.objects.get(parent=running)
    assert made.url == f"/table/{branch.pk}/"
    assert tables.open_game(branch).game.state == ways[last].after
    form["version"] -= 1
    assert client.post(f"/table/{running.pk}/study/{who}/way/", form).status_code == 409


def test_at_an_earlier_moment_a_company_has_the_trains_it_had(table, client):
    game = tables.open_game(table).game
    at, who = moment(game, RunRoutes)
    told = dict(offturn.kinds_of(game.at(at), who))
    assert any(told.values())
    page = client.get(f"/table/{table.pk}/study/{who}/?at={at}").content.decode()
    fields = re.findall(r'name="n-([^"]+)" min="0" max="9" value="(\d)"', page)
    assert {kind: int(count) for kind, count in fields} == told


def test_an_outlook_comes_true_where_everybody_passes(table, client):
    game = tables.open_game(table).game
    mark = next(
        e.action.id for e in game.history if len(game.history) // 3 < game.history.index(e)
        and game.rules.play(e.state).topic == "stock"
    )  # fmt: skip
    here = game.at(mark)
    outlook = offturn.outlook_of(table, here)
    assert outlook is not None
    name = here.rules.play(here.state).name
    then = until(here, lambda g: g.rules.play(g.state).name != name)
    assert then is not None
    page = client.get(f"/table/{table.pk}/study/?at={mark}").content.decode()
    assert f"until {outlook.reached} begins" in page
    worth = {p.name: p.pairs[0].branch for p in outlook.players}
    for key, p in then.state.players.items():
        assert worth[p.name] == then.rules.value(then.state, key)


def test_a_table_without_help_says_what_it_does_not_tell(user, client):
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3, seed=1, assistance="none"))
    for name in ("ben", "cleo"):
        table = tables.join(table.pk, account(name))
    page = client.get(f"/table/{table.pk}/study/").content.decode()
    assert "nothing is worked out ahead until the game is over" in page
    assert "What if" not in page
    company = next(iter(tables.open_game(table).game.state.corporations))
    reply = client.get(
        f"/table/{table.pk}/study/{company}/", headers={"Accept": "application/json"}
    )
    assert (reply.status_code, reply.json()["code"]) == (403, "assistance")
    assert "At this table no ways to pay for trains are worked out" in reply.json()["message"]
    assert client.get(f"/table/{table.pk}/lays/{company}/").status_code == 200
