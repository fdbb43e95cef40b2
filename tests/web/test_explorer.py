"""The explorer: what was done where, nothing of games that run, of others' private ones, or of who
played; no advice where a table gives none."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from roundhouse.canonical import canonical_hash
from roundhouse.sentences.buttons import money
from roundhouse.web import tables
from roundhouse.web.explorer import indexing, looking, standing
from roundhouse.web.explorer.models import Indexed, Moment
from roundhouse.web.models import Table

GAME = Path(__file__).parents[1] / "games/1839/bankrupt.json"


@pytest.fixture
def over(user):
    table = tables.import_file(user, GAME.read_bytes(), "")
    assert indexing.index(table.pk) > 100
    return table


@pytest.fixture
def start(over):
    game = tables.open_game(over).game.at(0)
    return canonical_hash(game.rules, game.state)


def test_who_has_what_is_told_without_names(over, client):
    """Sums of a late position beside those of the engine; no name of a player is on the page."""
    game = tables.open_game(over).game
    last = Moment.objects.filter(table=over).order_by("-action").first()
    rows = standing.players_in(game)
    assert {r.name for r in rows} == {f"seat {n + 1}" for n in range(len(game.seats))}
    worths = {game.rules.value(game.state, key) for key in game.state.players}
    assert {r.value for r in rows} == {money(game.rules, w) for w in worths}
    page = client.get(f"/explorer/1839/{last.position}/").content.decode()
    assert all(c.name in page for c in standing.companies_in(game))
    assert not any(p.name in page for p in game.state.players.values())


def test_games_are_indexed_once_when_they_are_over(user, hotseat, monkeypatch):
    over = tables.import_file(user, GAME.read_bytes(), "")
    monkeypatch.setattr(indexing, "index", lambda pk: None)
    assert [t.pk for t in indexing.due()] == [over.pk]
    assert indexing.index_due() == 1
    assert indexing.index_due() == 0
    assert Indexed.objects.get().table == over
    Table.objects.filter(pk=over.pk).update(version=over.version + 1)
    assert indexing.index_due() == 1


def test_what_was_done_is_counted(over, start, user, client):
    again = tables.import_file(user, GAME.read_bytes(), "")
    indexing.index(again.pk)
    game = tables.open_game(over).game
    ways = looking.ways_from(user, start)
    assert [(w.count, w.share) for w in ways] == [(2, 100)]
    first = next(e for e in game.history)
    assert ways[0].after == canonical_hash(game.rules, first.state)
    order = list(game.result())
    assert ways[0].rank == 1 + order.index(game.state.players[first.action.actor].id)
    page = client.get(f"/explorer/1839/{start}/").content.decode()
    assert ways[0].words in page
    assert ways[0].after in page
    assert client.get(f"/explorer/1839/{ways[0].after}/").status_code == 200
    assert start in client.get("/explorer/1839/").content.decode()
    last = Moment.objects.filter(table=over).order_by("-action").first()
    assert "the game was over" in client.get(f"/explorer/1839/{last.after}/").content.decode()


def test_a_walk_from_the_opening_to_the_end(over, start, user):
    """Following what was done leads through the whole game."""
    game, here, steps = tables.open_game(over).game, start, 0
    while ways := looking.ways_from(user, here):
        here, steps = ways[0].after, steps + 1
        if steps > len(game.history):
            break
    assert here == canonical_hash(game.rules, game.state)


def test_a_bot_thinks_where_nobody_plays(over, start, client):
    page = client.get(f"/explorer/1839/{start}/?bot=1").content.decode()
    assert "A bot would" in page


def test_nobody_is_named(over, start, client):
    page = client.get(f"/explorer/1839/{start}/").content.decode()
    for place in over.places.all():
        assert place.name not in page


def test_private_games_are_for_those_who_played_them(over, start, client, other):
    stranger = Client()
    stranger.force_login(other)
    assert stranger.get(f"/explorer/1839/{start}/").status_code == 404
    Table.objects.filter(pk=over.pk).update(public=True)
    assert stranger.get(f"/explorer/1839/{start}/").status_code == 200
    assert Client().get(f"/explorer/1839/{start}/").status_code == 200


def test_a_game_that_goes_on_after_all_is_not_looked_at(over, start, client):
    Table.objects.filter(pk=over.pk).update(status="running")
    assert client.get(f"/explorer/1839/{start}/").status_code == 404
    assert indexing.index(over.pk) == 0


@pytest.fixture
def begun(over, start, user):
    """A game that has just begun, at the position others have begun in."""
    names = ["A", "B", "C", "D"]
    plan = tables.Plan("1839", names, over.options, seed=int(over.seed), hotseat=True)
    own = tables.create(user, plan)
    assert looking.position_at(tables.open_game(own).game) == start
    Table.objects.filter(pk=over.pk).update(public=True)
    return own


def test_who_plays_the_position_without_advice_is_told_nothing(begun, start, client):
    assert client.get(f"/explorer/1839/{start}/").status_code == 200
    for level in ("none", "routes"):
        Table.objects.filter(pk=begun.pk).update(assistance=level)
        assert client.get(f"/explorer/1839/{start}/").status_code == 403
        assert client.get(f"/explorer/1839/{start}/?bot=1").status_code == 403
        assert client.get(f"/table/{begun.pk}/explore/").status_code == 403
        assert Client().get(f"/explorer/1839/{start}/").status_code == 200


def test_a_position_several_play_without_advice_is_told_to_nobody(
    begun, over, start, client, other
):
    """Signed out, or with another account, a player would see as much."""
    last = begun.places.last()
    begun.places.filter(pk=last.pk).update(user=other)
    third, address = Client(), f"/explorer/1839/{start}/"
    third.force_login(get_user_model().objects.create_user("cleo", password="a quiet table"))

    def answers(address):
        return {c.get(address).status_code for c in (client, Client(), third)}

    assert answers(address) == {200}
    for level in ("none", "routes"):
        Table.objects.filter(pk=begun.pk).update(assistance=level)
        assert answers(address) == answers(f"{address}?bot=1") == {403}
        assert "without advice" in Client().get(address).content.decode()
    game = tables.open_game(over).game
    next_one = looking.position_at(game.at(game.history[0].action.id))
    assert answers(f"/explorer/1839/{next_one}/") == {200}
    Table.objects.filter(pk=begun.pk).update(status="finished")
    assert answers(address) == {200}


def test_a_game_that_has_moved_on_is_refused_where_it_stands_now(begun, over, start, other):
    begun.places.filter(pk=begun.places.last().pk).update(user=other)
    Table.objects.filter(pk=begun.pk).update(assistance="none")
    assert Client().get(f"/explorer/1839/{start}/").status_code == 403
    game = tables.open_game(over).game
    tables.submit(begun.pk, begun.creator, game.history[0].action, begun.version, agreed=True)
    after = looking.position_at(game.at(game.history[0].action.id))
    assert Client().get(f"/explorer/1839/{start}/").status_code == 200
    assert Client().get(f"/explorer/1839/{after}/").status_code == 403


def test_from_a_table_to_its_position(over, start, client):
    page = client.get(f"/table/{over.pk}/").content.decode()
    assert f'href="/table/{over.pk}/explore/"' in page
    assert f'href="/sandbox/1839/?table={over.pk}"' in page
    answer = client.get(f"/table/{over.pk}/explore/?at=0")
    assert answer.url == f"/explorer/1839/{start}/"
