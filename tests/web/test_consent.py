"""What others have a say in is asked of them: their trains and companies, mergers, taking back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import roundhouse
from roundhouse.model.actions import player_key
from roundhouse.web import archive, tables
from roundhouse.web.models import Question, Table

GAMES = Path(__file__).parents[1] / "games"
#: A game of our own in which a player buys from, or merges with, somebody else's company.
OFFERS = [
    ("1817/base", "buy_train"),
    ("1817/base", "merge"),
    ("1828/base", "buy_company"),
    ("1828/base", "merge"),
    ("1839/bankrupt", "buy_train"),
    ("1873/base", "buy_train"),
    ("18Ireland/base", "buy_company"),
]


def first_offer(name, kind):
    """A game file up to the first action of a kind that concerns two players; that action, and the
    two players."""
    path = GAMES / f"{name}.json"
    game = roundhouse.load(path)
    before = game.start
    for number, entry in enumerate(game.history):
        if entry.action.type == kind:
            players = game.rules.concerned(before, entry.action)
            if len(players) > 1:
                data = json.loads(path.read_text())
                return {**data, "actions": data["actions"][:number]}, entry.action, players
        before = entry.state
    raise AssertionError("there is no such action")


@pytest.fixture(params=OFFERS, ids=lambda p: f"{p[0]}-{p[1]}".replace("/", "-"))
def offer(request, user, other):
    """An online table at the moment of an offer, ``user`` on turn, ``other`` to be asked."""
    data, action, players = first_offer(*request.param)
    table = tables.import_file(user, json.dumps(data).encode())
    game = tables.open_game(table).game
    waited = {player_key(p) for p in game.players_to_act}
    asked = next(p for p in players if p not in waited)
    table.hotseat = False
    table.save()
    for place in table.places.all():
        mine, his = player_key(place.key) in waited, player_key(place.key) == asked
        place.user = user if mine else other if his else None
        place.save()
    return table, action


def test_the_other_side_is_asked_and_agrees(offer, user, other, client):
    table, action = offer
    version = table.version
    assert tables.submit(table.pk, user, action, version).version == version
    question = Question.objects.get()
    assert len(question.asked) == 1
    page = client.get(f"/table/{table.pk}/").content.decode()
    assert "would like to" in page
    assert "Waiting for" in page
    with pytest.raises(tables.Forbidden):
        tables.answer(table.pk, user, True)
    after = tables.answer(table.pk, other, True)
    assert after.version == version + 1
    assert not Question.objects.exists()
    assert after.moves.last().user == user


def test_a_no_leaves_the_game_as_it_was(offer, user, other, client):
    table, action = offer
    tables.submit(table.pk, user, action, table.version)
    assert tables.answer(table.pk, other, False).version == table.version
    assert "does not agree" in client.get(f"/table/{table.pk}/").content.decode()
    with pytest.raises(tables.Refused):
        tables.answer(table.pk, other, True)
    undo = {"type": "undo", "entity": tables.my_places(table, user)[0].key, "entity_type": "player"}
    Table.objects.update(undo=Table.Undo.CONSENT)
    assert tables.submit(table.pk, user, undo, table.version).version == table.version + 1


def test_what_is_illegal_is_not_asked(user, other):
    data, action, _ = first_offer("1817/base", "buy_train")
    table = tables.import_file(user, json.dumps(data).encode())
    broken = json.loads(archive.write_action(action)) | {"price": 999_999}
    with pytest.raises(tables.Refused):
        tables.submit(table.pk, user, broken, table.version)
    assert not Question.objects.exists()


def test_at_one_screen_a_click_answers(user, client):
    data, action, _ = first_offer("1817/base", "buy_train")
    table = tables.import_file(user, json.dumps(data).encode())
    assert tables.submit(table.pk, user, action, table.version).version == table.version
    page = client.get(f"/table/{table.pk}/").content.decode()
    assert "agree</button>" in page
    client.post(f"/table/{table.pk}/agree/", {"agree": "yes"})
    assert Table.objects.get().version == table.version + 1


def test_ending_the_game_is_asked_of_all_others(user, other):
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3, seed=1, bots=1))
    tables.join(table.pk, other)
    end = {"type": "end_game", "entity": 1, "entity_type": "player"}
    assert tables.submit(table.pk, user, end, None).status == Table.Status.RUNNING
    assert tables.answer(table.pk, other, True).status == Table.Status.FINISHED


def test_automatic_actions_of_somebody_else_are_dropped(user, other):
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3, seed=1, bots=1))
    tables.join(table.pk, other)
    bid = next(c.action for c in tables.open_game(table).game.choices() if c.type == "bid")
    raw = json.loads(archive.write_action(bid))
    theirs = {"type": "pass", "entity": 2, "entity_type": "player"}
    after = tables.submit(table.pk, user, raw | {"auto_actions": [theirs], "id": 900}, 0)
    assert after.version == 1
    entry = tables.open_game(after).game.log[0]
    assert entry.action.auto_actions == ()
    assert entry.action.id == 1


def test_own_policy_takes_back_one_action_and_not_somebody_elses(user, other):
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3, seed=1, undo=Table.Undo.OWN))
    tables.join(table.pk, other)
    from django.contrib.auth import get_user_model

    tables.join(table.pk, get_user_model().objects.create_user("cleo"))
    game = tables.open_game(table).game
    tables.submit(table.pk, user, next(c.action for c in game.choices() if c.type == "bid"), 0)
    game = tables.open_game(Table.objects.get()).game
    tables.submit(table.pk, other, next(c.action for c in game.choices() if c.type == "bid"), 1)
    undo = {"type": "undo", "entity": 2, "entity_type": "player"}
    tables.submit(table.pk, other, undo, 2)
    with pytest.raises(tables.Forbidden):
        tables.submit(table.pk, other, undo, 3)  # now it would be anna's
    redo = {"type": "redo", "entity": 1, "entity_type": "player"}
    with pytest.raises(tables.Forbidden):
        tables.submit(table.pk, user, redo, 3)
    assert tables.submit(table.pk, other, redo | {"entity": 2}, 3).version == 4
    with pytest.raises(tables.Forbidden):
        tables.submit(table.pk, user, undo, 4)  # in another's name
