"""How many players a table waits for, and how it is to be played."""

from __future__ import annotations

import pytest

from roundhouse.web import tables
from roundhouse.web.models import Table


def test_a_game_may_begin_with_the_least_number_of_players(user, other):
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=5, least=3))
    tables.join(table.pk, other)
    with pytest.raises(tables.Refused, match="takes 3 players to begin; 2 are here"):
        tables.start(table.pk, user)
    tables.add_bot(table.pk, user)
    assert tables.start(table.pk, user).status == Table.Status.RUNNING
    assert Table.objects.get(pk=table.pk).seats == 3


@pytest.mark.parametrize(("least", "seats"), [(4, 3), (1, 4)])
def test_numbers_of_players_have_to_go_together(user, least, seats):
    with pytest.raises(tables.Refused):
        tables.create(user, tables.Plan("1828", ["anna"], seats=seats, least=least))
    assert not Table.objects.exists()


def test_the_lobby_tells_and_sifts(user, client):
    form = {"seats": "5", "least": "3", "pace": "live", "public": "on", "description": "Tonight"}
    assert client.post("/new/1817/", form).status_code == 302
    assert client.post("/new/1817/", form | {"pace": "slow", "description": "Autumn"}).url
    page = client.get("/", {"pace": "live"}).content.decode()
    assert "Tonight" in page
    assert "Autumn" not in page
    assert "live, for 3–5 players" in page
    assert "No such games" in client.get("/", {"state": "finished"}).content.decode()


def test_a_lobby_without_games_leads_to_the_first_one(client, db):
    page = client.get("/").content.decode()
    assert 'href="/learn/"' in page.partition('id="games"')[2]
    assert "data-filter hidden" in page
