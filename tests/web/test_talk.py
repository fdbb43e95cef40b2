"""What is said at a table has lines and numbers of its own, beside the game."""

from __future__ import annotations

import csv
import json

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from roundhouse.interchange import read_talk
from roundhouse.model.errors import GameFileError
from roundhouse.web import tables
from roundhouse.web.models import Move, Table
from roundhouse.web.record import file_of, transcript_of
from roundhouse.web.seats import changing
from roundhouse.web.talk import saying
from roundhouse.web.talk.models import Room, Said


@pytest.fixture
def running(user, other):
    """A game of two people and a bot."""
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3, seed=1))
    tables.join(table.pk, other)
    tables.add_bot(table.pk, user)
    return Table.objects.get()


def bid(table, user, version):
    choices = tables.open_game(table).game.choices()
    action = next(c.action for c in choices if c.type == "bid")
    return tables.submit(table.pk, user, action, version)


def test_words_are_no_part_of_the_game(running, user, other):
    told = running.others
    saying.say(running.pk, other, "your turn")
    running.refresh_from_db()
    assert (running.version, running.others) == (0, told + 1)
    assert bid(running, user, 0).version == 1
    assert Move.objects.count() == 1
    with pytest.raises(tables.Stale):
        bid(running, other, 0)
    last = saying.say(running.pk, user, "sorry")
    assert [(s.number, s.after, s.who) for s in Said.objects.all()] == [
        (1, 0, "ben"),
        (2, 1, "anna"),
    ]
    assert last.place == running.places.get(name="anna")


def test_taking_back_leaves_what_was_said(hotseat, user):
    bid(hotseat, user, 0)
    saying.say(hotseat.pk, user, "oops")
    undo = {"type": "undo", "entity": 1, "entity_type": "player"}
    assert tables.submit(hotseat.pk, user, undo, 1).version == 2
    assert Said.objects.get().text == "oops"
    assert tables.submit(hotseat.pk, user, undo | {"type": "redo"}, 2).version == 3


def test_a_message_sent_as_an_action_is_talk(hotseat, user, other):
    words = {"type": "message", "entity": 2, "entity_type": "player", "message": "hello"}
    assert tables.submit(hotseat.pk, user, words, 0).version == 0
    assert Said.objects.get().who == "Ben"
    with pytest.raises(tables.Forbidden):
        tables.submit(hotseat.pk, other, words, 0)


def test_the_log_shows_what_was_said_between_its_entries(hotseat, user, client):
    bid(hotseat, user, 0)
    saying.say(hotseat.pk, user, "after one")
    bid(Table.objects.get(), user, 1)
    saying.say(hotseat.pk, user, "after two")
    page = client.get(f"/table/{hotseat.pk}/").content.decode()
    order = ['id="entry-1"', "after one", 'id="entry-2"', "after two"]
    assert sorted(order, key=page.index) == order
    shown = client.get(f"/table/{hotseat.pk}/", {"show": "track|"}).content.decode()
    assert "after one" not in shown
    first = client.get(f"/table/{hotseat.pk}/log/2/").content.decode()
    assert "after one" in first
    assert "after two" not in first


def test_spectators_have_a_room_players_do_not_hear(running, user, other):
    cleo = get_user_model().objects.create_user("cleo", password="a quiet table")
    watching = Client()
    watching.force_login(cleo)
    path = f"/table/{running.pk}/say/"
    assert watching.post(path, {"say": "hm", "room": "players"}).status_code == 422
    assert watching.post(path, {"say": "hm", "room": "kitchen"}).status_code == 422
    assert watching.post(path, {"say": "hm", "room": "spectators"}).status_code == 302
    with pytest.raises(tables.Refused):
        saying.say(running.pk, user, "who is there?", Room.SPECTATORS)
    assert [s.text for s in saying.heard(running, cleo)] == ["hm"]
    assert saying.heard(running, user) == []
    running.status = Table.Status.FINISHED
    assert [s.text for s in saying.heard(running, user)] == ["hm"]


def panel(client, table):
    page = client.get(f"/table/{table.pk}/").content.decode()
    return page.split('id="panel-spectators"')[1].split("My notes")[0]


def test_the_table_shows_spectators_their_room_and_players_nothing_of_it(running, user, other):
    watching = [Client(), Client()]
    for name, client in zip(("cleo", "dora"), watching, strict=True):
        client.force_login(get_user_model().objects.create_user(name, password="a quiet table"))
    playing, passing = Client(), Client()
    playing.force_login(other)
    path = f"/table/{running.pk}/"
    words = {"say": "<b>Ben is short</b>", "room": "spectators"}
    answer = watching[0].post(f"{path}say/", words, headers={"HX-Request": "true"})
    assert "&lt;b&gt;Ben is short" in answer.content.decode()
    for client in watching:
        assert "&lt;b&gt;Ben is short" in panel(client, running)
        assert 'name="room" value="spectators"' in panel(client, running)
    assert "Ben is short" not in panel(passing, running)
    assert 'name="say"' not in panel(passing, running)
    known = {"X-Panels": "spectators:,log:,now:"}
    told = watching[1].get(f"{path}update/", headers=known).content.decode()
    assert told.count("Ben is short") == 1
    for answer in (playing.get(path), playing.get(f"{path}update/", headers=known)):
        assert "Ben is short" not in answer.content.decode()
    assert "<h2>" not in panel(playing, running)
    Table.objects.update(status=Table.Status.FINISHED)
    assert "Ben is short" in panel(playing, running)
    assert 'name="say"' not in panel(playing, running)


def test_who_lends_his_seat_to_a_bot_still_plays(running, other):
    dora = get_user_model().objects.create_user("dora", password="a quiet table")
    saying.say(running.pk, dora, "Ben is short", Room.SPECTATORS)
    changing.substitute(running.pk, other)
    table = Table.objects.get(pk=running.pk)
    assert saying.heard(table, other) == []
    with pytest.raises(tables.Refused):
        saying.say(running.pk, other, "am I?", Room.SPECTATORS)


def test_talk_goes_with_the_file_and_comes_back(hotseat, user):
    saying.say(hotseat.pk, user, "before")
    bid(hotseat, user, 0)
    saying.say(hotseat.pk, user, "after")
    table = Table.objects.get()
    file = file_of(table, tables.open_game(table).game)
    assert [(w["after"], w["name"], w["text"]) for w in file["talk"]] == [
        (0, "Ada", "before"), (1, "Ben", "after")
    ]  # fmt: skip
    rows = list(csv.DictReader(transcript_of(table, tables.open_game(table).game).splitlines()))
    assert [row["type"] for row in rows] == ["said", "bid", "said"]
    again = tables.import_file(user, json.dumps(file).encode())
    told = [(s.number, s.after, s.who, s.text, s.at) for s in again.talk.all()]
    assert told == [(s.number, s.after, s.who, s.text, s.at) for s in table.talk.all()]
    assert file_of(again, tables.open_game(again).game)["talk"] == file["talk"]


def test_what_is_said_is_no_formula_in_a_spreadsheet(hotseat, user):
    saying.say(hotseat.pk, user, '=HYPERLINK("https://evil.example/","look")')
    text = transcript_of(hotseat, tables.open_game(hotseat).game)
    assert """"'=HYPERLINK(""" in text


@pytest.mark.parametrize(
    ("talk", "place"),
    [
        ([{"after": 0, "name": "A", "text": "", "at": "2030-01-01T00:00:00Z"}], "talk[0].text"),
        ([{"after": 0, "name": "A", "text": "x", "at": "yesterday"}], "talk[0].at"),
        ("hello", "talk"),
    ],
)
def test_bad_talk_in_a_file_is_told_with_its_place(talk, place):
    with pytest.raises(GameFileError) as told:
        read_talk(json.dumps({"talk": talk}).encode())
    assert place in str(told.value)


def test_a_host_takes_a_line_away_and_changes_none(hotseat, user, client):
    said = saying.say(hotseat.pk, user, "something nobody should read")
    host = get_user_model().objects.create_superuser("host", password="a quiet table")
    keeper = Client()
    keeper.force_login(host)
    page, path = f"/table/{hotseat.pk}/", f"/admin/talk/said/{said.pk}/"
    assert "nobody should read" in client.get(page).content.decode()
    assert "nobody should read" in keeper.get(f"{path}change/").content.decode()
    assert keeper.post(f"{path}change/", {"text": "other"}).status_code == 403
    keeper.post(f"{path}delete/", {"post": "yes"})
    assert not Said.objects.exists()
    assert "nobody should read" not in client.get(page).content.decode()
    saying.say(hotseat.pk, user, "and gone with its table")
    keeper.post(f"/admin/web/table/{hotseat.pk}/delete/", {"post": "yes"})
    assert not Table.objects.exists()


def test_who_has_deleted_his_account_is_not_named_any_more(running, user, other):
    saying.say(running.pk, other, "goodbye")
    other.delete()
    assert [s.who for s in saying.heard(running, user)] == ["Former player 2"]
