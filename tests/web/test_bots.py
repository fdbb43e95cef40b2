"""Seats played by the server."""

from __future__ import annotations

from random import Random

import pytest

import roundhouse
from roundhouse import selfplay
from roundhouse.bots import thrifty
from roundhouse.titles.title import all_titles
from roundhouse.web import tables
from roundhouse.web.models import Table
from roundhouse.web.tables import bots


def waited(table):
    table.refresh_from_db()
    return {p.name: bool(p.bot) for p in table.places.all() if p.key in table.acting}


def test_bots_act_until_somebody_is_waited_for(user, asleep):
    table = tables.create(user, tables.Plan("1817", ["Ada"], seed=1, hotseat=True, bots=2))
    assert [bool(p.bot) for p in table.places.all()] == [False, True, True]
    assert asleep == []
    bid = next(c.action for c in tables.open_game(table).game.choices() if c.type == "bid")
    tables.submit(table.pk, user, bid, 0)
    assert asleep == [table.pk]
    assert bots.play(table.pk) > 0
    assert set(waited(table).values()) == {False}
    assert bots.play(table.pk) == 0


def test_what_bots_do_follows_from_seed_and_version(user):
    lines = []
    for _ in range(2):
        table = tables.create(user, tables.Plan("1828", ["Ada"], seed=5, hotseat=True, bots=2))
        for _ in range(6):
            bots.play(table.pk)
            table.refresh_from_db()
            game = tables.open_game(table).game
            first = game.choices()[-1].action
            tables.submit(table.pk, user, first, table.version, agreed=True)
        lines.append(list(table.moves.values_list("state_hash", flat=True)))
    assert lines[0] == lines[1]
    assert len(lines[0]) > 6


def test_nobody_acts_for_a_bot(user):
    table = tables.create(user, tables.Plan("1817", ["Ada"], seed=1, hotseat=True, bots=2))
    bid = next(c.action for c in tables.open_game(table).game.choices() if c.type == "bid")
    tables.submit(table.pk, user, bid, 0)
    with pytest.raises(tables.Forbidden):
        tables.submit(table.pk, user, {"type": "pass", "entity": 2, "entity_type": "player"}, 1)


def test_taking_back_reaches_before_the_bots_answers(user):
    table = tables.create(user, tables.Plan("1817", ["Ada"], seed=1, hotseat=True, bots=2))
    bid = next(c.action for c in tables.open_game(table).game.choices() if c.type == "bid")
    tables.submit(table.pk, user, bid, 0)
    bots.play(table.pk)
    undo = {"type": "undo", "entity": 1, "entity_type": "player"}
    table = tables.submit(table.pk, user, undo, None)
    assert len(tables.open_game(table).game) == 0
    with pytest.raises(tables.Refused):
        tables.submit(table.pk, user, undo, None)


def test_the_creator_gives_free_seats_to_bots(user, other, client):
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3, seed=1))
    with pytest.raises(tables.Forbidden):
        tables.add_bot(table.pk, other)
    client.post(f"/table/{table.pk}/bot/")
    assert "bot</small>" in client.get(f"/table/{table.pk}/").content.decode()
    client.post(f"/table/{table.pk}/bot/")
    table.refresh_from_db()
    assert table.status == Table.Status.RUNNING
    assert len({p.name for p in table.places.all()}) == 3


def test_a_table_of_bots_is_gone_with_its_last_player(user):
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=4, seed=1, bots=1))
    tables.leave(table.pk, user)
    assert not Table.objects.exists()


def test_a_restarted_server_wakes_them(user, asleep):
    table = tables.create(user, tables.Plan("1817", ["Ada"], seed=1, hotseat=True, bots=2))
    tables.create(user, tables.Plan("1817", ["Ada", "Ben", "Cleo"], seed=1, hotseat=True))
    bots.wake_all()
    assert asleep == [table.pk]


@pytest.mark.parametrize("title", all_titles())
def test_bots_alone_play_any_title_and_concern_nobody_else(title):
    """One seat of random clicks among bots: they never get stuck, and ask nobody for anything."""
    limits = roundhouse.find_title(title).box.game.players
    count = max(limits.min, 3)
    game = roundhouse.new(title, [f"P{n}" for n in range(count)], seed=3)
    mine = frozenset({"player:1"})
    others = frozenset(game.state.players) - mine
    luck = Random(4)
    for _ in range(160):
        if game.finished:
            break
        action = bots.choose(game, others, thrifty, luck)
        waits = {f"player:{p}" for p in game.players_to_act}
        if action is None or not waits & others:
            action = selfplay.lively(game, game.choices(), luck)
        else:
            asked = set(game.rules.concerned(game.state, action))
            assert not asked or asked <= others
        game.apply(action)
    assert len(game) > 80 or game.finished
