"""Duplicate play: the same beginning at every table, no look at others before all are over, scores
against the same seat elsewhere."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roundhouse.canonical import canonical_hash
from roundhouse.web import tables
from roundhouse.web.duplicate import playing
from roundhouse.web.duplicate.models import Event
from roundhouse.web.duplicate.scoring import scores
from roundhouse.web.models import Table
from roundhouse.web.tables import Forbidden, Refused

GAME = Path(__file__).parents[1] / "games/1839/bankrupt.json"


@given(st.lists(st.lists(st.integers(0, 900), min_size=3, max_size=3), min_size=2, max_size=6))
def test_scores_of_a_seat_sum_to_nothing(worths):
    found = scores([dict(enumerate(table, start=1)) for table in worths])
    for seat in (1, 2, 3):
        of_seat = [table[seat] for table in found]
        assert sum(s.more for s in of_seat) == pytest.approx(0, abs=0.05 * len(of_seat) + 0.01)
        assert sum(s.points for s in of_seat) == pytest.approx(50 * len(of_seat), abs=0.4)
        assert max(of_seat, key=lambda s: s.worth).points == max(s.points for s in of_seat)


@pytest.fixture
def people(db):
    from django.contrib.auth import get_user_model

    make = get_user_model().objects.create_user
    return [make(f"p{n}", password="a quiet table") for n in range(5)]


def entered(event, people):
    for user in people:
        playing.enter(event.pk, user)
    playing.start(event.pk, event.by)
    event.refresh_from_db()
    return [board.table for board in event.boards.select_related("table")]


@pytest.fixture
def dealt(people, transaction):
    event = playing.deal(people[0], "Sunday", "1828", [], 3)
    return event, entered(event, people)


@pytest.fixture
def transaction(db):
    from django.db import transaction

    with transaction.atomic():
        yield


def test_all_tables_begin_alike(dealt, people):
    _, made = dealt
    games = [tables.open_game(t).game for t in made]
    assert len({canonical_hash(g.rules, g.state) for g in games}) == 1
    assert len({t.seed for t in made}) == 1
    seated = list(chain.from_iterable(t.places.all() for t in made))
    assert {p.user for p in seated if p.user} == set(people)
    assert len(seated) == 6
    assert sum(bool(p.bot) for p in seated) == 1
    for table in made:
        assert (table.status, table.assistance, table.public) == ("running", "none", False)


def test_nobody_sees_another_table_before_all_are_over(dealt, people):
    from django.test import Client

    event, made = dealt
    mine, other = made if made[0].places.filter(user=people[0]) else reversed(made)
    client = Client()
    client.force_login(people[0])
    assert client.get(f"/table/{mine.pk}/").status_code == 200
    assert client.get(f"/table/{other.pk}/").status_code == 404
    page = client.get(f"/duplicates/{event.pk}/").content.decode()
    assert f"/table/{mine.pk}/" in page
    assert f"/table/{other.pk}/" not in page
    Table.objects.filter(pk=mine.pk).update(status="finished", result={"1": 900})
    assert playing.score_sheet(event) is None
    assert "when all tables are over" in client.get(f"/duplicates/{event.pk}/").content.decode()


def test_the_sheet_when_all_are_over(dealt, people):
    event, made = dealt
    for n, table in enumerate(made):
        result = {str(p.key): 500 + 100 * n * (p.number == 2) for p in table.places.all()}
        Table.objects.filter(pk=table.pk).update(status="finished", result=result)
    sheet = playing.score_sheet(event)
    assert len(sheet) == 6
    assert (sheet[0].seat, sheet[0].board, sheet[0].score.more) == (2, 2, 100.0)
    assert (sheet[0].score.points, sheet[-1].score.points) == (100.0, 0.0)


def test_from_a_position_of_a_finished_game(people, transaction):
    over = tables.import_file(people[0], GAME.read_bytes(), "")
    game = tables.open_game(over).game
    at = next(e.action.id for e in game.history if e.action.type == "lay_tile")
    event = playing.position(people[0], "From there", over, at)
    assert not [p.name for p in over.places.all() if p.name in event.file]
    made = entered(event, people)
    before = game.at(at)
    for table in made:
        found = tables.open_game(table).game
        assert canonical_hash(found.rules, found.state) == canonical_hash(
            before.rules, before.state
        )
        assert {p.name for p in found.state.players.values()} == {
            p.name for p in table.places.all()
        }
        assert table.status == "running"


def test_what_is_not_possible(people, hotseat, transaction):
    with pytest.raises(Refused, match="over"):
        playing.position(people[0], "x", hotseat, None)
    with pytest.raises(Refused, match="name"):
        playing.deal(people[0], " ", "1828", [], 3)
    with pytest.raises(Refused):
        playing.deal(people[0], "x", "1828", [], 99)
    event = playing.deal(people[0], "x", "1828", [], 3)
    for user in people[:3]:
        playing.enter(event.pk, user)
    with pytest.raises(Refused, match="more people"):
        playing.start(event.pk, people[0])
    playing.enter(event.pk, people[3])
    with pytest.raises(Forbidden):
        playing.start(event.pk, people[1])
    playing.withdraw(event.pk, people[3])
    assert event.entrants.count() == 3


def test_an_event_outlives_the_account_of_who_made_it(dealt, people):
    event, _ = dealt
    people[0].delete()
    assert Event.objects.get().by == people[1]
    assert event.boards.count() == 2


def test_the_pages(client, user):
    form = {"name": "Club night", "title": "1817", "seats": "3", "options": ""}
    page = client.post("/duplicates/", form, follow=True).content.decode()
    assert "Club night" in page
    event = Event.objects.get()
    page = client.post(f"/duplicates/{event.pk}/", {"do": "enter"}, follow=True).content.decode()
    assert "1 take part" in page
    assert client.post(f"/duplicates/{event.pk}/", {"do": "start"}).status_code == 422
    assert client.post(f"/duplicates/{event.pk}/", {"do": "dance"}).status_code == 422
    assert "Club night" in client.get("/duplicates/").content.decode()
