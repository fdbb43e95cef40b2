"""Submitting actions: exactly one of several wins, the log is gapless, rights hold."""

from __future__ import annotations

import json
import threading

import pytest
from django.test import Client

import roundhouse
from roundhouse.model.codec import hash_state
from roundhouse.web import tables
from roundhouse.web.archive import write_action
from roundhouse.web.models import Move, Table


def _first_bid(table):
    game = tables.open_game(table).game
    return next(c.action for c in game.choices() if c.type == "bid")


def test_an_action_is_logged_with_version_and_hash(hotseat, user):
    table = tables.submit(hotseat.pk, user, _first_bid(hotseat), 0)
    assert table.version == 1
    move = table.moves.get()
    game = tables.open_game(table).game
    assert move.state_hash == hash_state(game.state)
    assert table.acting == [2]


def test_a_stale_version_is_refused_with_a_word_why(hotseat, user):
    bid = _first_bid(hotseat)
    tables.submit(hotseat.pk, user, bid, 0)
    with pytest.raises(tables.Stale) as caught:
        tables.submit(hotseat.pk, user, bid, 0)
    assert "anna was faster" in caught.value.sentence
    assert Move.objects.count() == 1


def test_a_refusal_says_sentence_and_rule_and_changes_nothing(hotseat, user):
    wrong = {"type": "bid", "entity": 1, "entity_type": "player", "company": "PSM", "price": 3}
    with pytest.raises(tables.Refused) as caught:
        tables.submit(hotseat.pk, user, wrong, 0)
    assert caught.value.rule
    assert caught.value.sentence
    hotseat.refresh_from_db()
    assert hotseat.version == 0
    assert not Move.objects.exists()


def test_moves_are_never_changed(hotseat, user):
    tables.submit(hotseat.pk, user, _first_bid(hotseat), 0)
    with pytest.raises(TypeError):
        Move.objects.get().save()


def test_a_hundred_rivals_one_wins_each_version(hotseat, user):
    from django.db import connection

    rounds, rivals = 4, 25
    won: list[int] = []
    lost: list[str] = []
    lock = threading.Lock()

    def try_once(action, version):
        try:
            table = tables.submit(hotseat.pk, user, action, version)
            with lock:
                won.append(table.version)
        except tables.Refused as fault:
            with lock:
                lost.append(fault.code)
        finally:
            connection.close()

    for version in range(rounds):
        hotseat.refresh_from_db()
        game = tables.open_game(hotseat).game
        actions = [c.action for c in game.choices()]
        threads = [
            threading.Thread(target=try_once, args=(actions[n % len(actions)], version))
            for n in range(rivals)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    assert won == [1, 2, 3, 4]
    assert lost == ["stale"] * (rounds * (rivals - 1))
    numbers = list(Move.objects.order_by("number").values_list("number", flat=True))
    assert numbers == [1, 2, 3, 4]


def test_other_processes_see_and_continue(hotseat, user):
    tables.submit(hotseat.pk, user, _first_bid(hotseat), 0)
    before = tables.open_game(Table.objects.get()).game
    tables.open_games.clear()
    fresh = tables.open_game(Table.objects.get()).game
    assert fresh.state == before.state
    assert fresh.dump() == before.dump()


def test_an_import_with_an_illegal_action_it_takes_back(user):
    """Such an action did nothing; it does nothing either when the game is brought back."""
    bid = {"type": "bid", "entity_type": "player", "company": "CM"}
    actions = [
        {**bid, "id": 1, "entity": 1, "price": 10},
        {**bid, "id": 2, "entity": 2, "price": 11},
        {"type": "message", "id": 3, "entity": 3, "entity_type": "player", "message": "wrong"},
        {"type": "undo", "id": 4, "entity": 2, "entity_type": "player"},
        {**bid, "id": 5, "entity": 2, "price": 15},
    ]
    players = [{"id": n, "name": f"P{n}"} for n in (1, 2, 3)]
    raw = {"id": 1, "title": "1817", "players": players, "actions": actions}
    table = tables.import_file(user, json.dumps(raw).encode())
    assert not table.fault
    game, _ = roundhouse.replay(raw)
    tables.open_games.clear()
    stored = tables.open_game(table).game
    assert [e.state for e in stored.log] == [e.state for e in game.log]
    assert [e.action.id for e in stored.history] == [1, 3, 5]


# rights


@pytest.fixture
def online(user, other):
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3, seed=1))
    tables.join(table.pk, other)
    return table


def _full(online, name="cleo"):
    from django.contrib.auth import get_user_model

    third = get_user_model().objects.create_user(name)
    tables.join(online.pk, third)
    online.refresh_from_db()
    return third


def test_the_last_seat_begins_the_game(online):
    assert online.status == Table.Status.OPEN
    _full(online)
    assert online.status == Table.Status.RUNNING
    assert online.acting == [1]


def test_only_the_owner_of_a_seat_acts(online, user, other):
    _full(online)
    bid = _first_bid(online)
    with pytest.raises(tables.Forbidden):
        tables.submit(online.pk, other, bid, 0)
    assert tables.submit(online.pk, user, bid, 0).version == 1


def test_a_spectator_touches_nothing(hotseat, other):
    with pytest.raises(tables.Forbidden):
        tables.submit(hotseat.pk, other, _first_bid(hotseat), 0)


def test_taking_back_by_own_policy(online, user, other):
    online.undo = Table.Undo.OWN
    online.save()
    _full(online)
    tables.submit(online.pk, user, _first_bid(online), 0)
    undo = {"type": "undo", "entity": 2, "entity_type": "player"}
    assert tables.submit(online.pk, other, undo, 1).version == 1  # the others are asked
    table = tables.submit(online.pk, user, undo | {"entity": 1}, 1)
    assert len(tables.open_game(table).game) == 0


def test_taking_back_by_consent(online, user, other):
    online.undo = Table.Undo.CONSENT
    online.save()
    third = _full(online)
    tables.submit(online.pk, user, _first_bid(online), 0)
    undo = {"type": "undo", "entity": 1, "entity_type": "player"}
    assert tables.submit(online.pk, user, undo, 1).version == 1
    assert tables.answer(online.pk, other, True).version == 1
    table = tables.answer(online.pk, third, True)
    assert table.version == 2
    assert len(tables.open_game(table).game) == 0


def test_a_deleted_account_leaves_a_neutral_name(online, user, other):
    _full(online)
    other.delete()
    tables.open_games.clear()
    place = online.places.get(number=2)
    assert place.user is None
    assert place.name == "Former player 2"
    assert tables.submit(online.pk, user, _first_bid(online), 0).version == 1


def test_a_private_table_needs_its_link(user, other):
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3, public=False))
    assert not tables.may_see(table, other)
    assert tables.may_see(table, other, table.invite)
    with pytest.raises(tables.Forbidden):
        tables.join(table.pk, other)
    tables.join(table.pk, other, table.invite)
    assert tables.may_see(table, other)


def test_who_may_not_see_a_table_is_told_there_is_none_whatever_he_sends(hotseat, user, other):
    Table.objects.update(public=False)
    stranger = Client()
    stranger.force_login(other)
    bid = write_action(_first_bid(hotseat))
    for form in ({"action": bid, "version": 0}, {"action": "nonsense", "version": 0}, {}):
        assert stranger.post(f"/table/{hotseat.pk}/act/", form).status_code == 404
    assert stranger.post("/table/424242/act/", {"action": bid, "version": 0}).status_code == 404
    assert Table.objects.get(pk=hotseat.pk).version == 0
