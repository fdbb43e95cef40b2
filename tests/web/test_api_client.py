"""Whole games played by the client over HTTP, of every title; streams; the example bot.

With ``ROUNDHOUSE_LONG`` set games go to the end.
"""

from __future__ import annotations

import json
import os
from random import Random

import pytest

httpx = pytest.importorskip("httpx", reason="the client's package is not installed")

from roundhouse.client import (  # noqa: E402
    ApiError,
    Client,
    NotAllowed,
    NotFound,
    StaleVersion,
    TooManyRequests,
)
from roundhouse.titles.title import find_title  # noqa: E402
from roundhouse.web import tables  # noqa: E402
from roundhouse.web.api import feeds, tokens  # noqa: E402
from roundhouse.web.models import Table  # noqa: E402

from reference import GAMES  # noqa: E402

LONG = bool(os.environ.get("ROUNDHOUSE_LONG"))
TITLES = ("1817", "1817NA", "1817WO", "1817DE", "1828", "1839", "1873", "18Ireland")
SHORT, WHOLE = 20, 4000


def wsgi():
    from django.core.wsgi import get_wsgi_application

    return httpx.WSGITransport(app=get_wsgi_application(), raise_app_exceptions=True)


def client_of(user, **more):
    secret = tokens.make(user, "client", tokens.SCOPES)[1]
    return Client("http://testserver", secret, transport=wsgi(), **more)


@pytest.fixture
def program(user):
    with client_of(user) as found:
        yield found


def play_on(program, table, rng, most):
    """Play by random choices; how many actions were carried out."""
    for count in range(most):
        told = program.choices(table)
        if told.finished:
            return count
        kinds = sorted({c.type for c in told.mine})
        kind = rng.choice([k for k in kinds if k != "bankrupt"] or kinds)
        chosen = rng.choice([c for c in told.mine if c.type == kind])
        action = chosen.sample(rng)
        if chosen.type == "run_routes":
            action["routes"] = program.routes(table, chosen.action["entity"], effort=100).routes
        after = program.act(table, action, told.version, agreed=True)
        assert after.version > told.version
    return most


@pytest.mark.parametrize("title", TITLES)
def test_a_new_game_is_played_over_http(program, title):
    least = find_title(title).box.game.players.min
    names = [f"Player {n}" for n in range(1, max(3, least) + 1)]
    table = program.create_table(title, hotseat=True, names=names, seed=7)
    most = WHOLE if LONG else SHORT
    played = play_on(program, table.id, Random(title), most)
    assert played == most or program.table(table.id).finished
    log = program.moves(table.id, limit=500)
    assert log.version >= played
    if LONG:
        assert program.table(table.id).finished
        assert program.table(table.id).result


@pytest.mark.parametrize("title", TITLES)
def test_a_game_is_gone_on_with_over_http(program, title):
    file = sorted((GAMES / title).glob("*.json"))[0]
    data = json.loads(file.read_text())
    data["actions"] = data["actions"][: len(data["actions"]) // 2]
    data["status"] = "active"
    sent = program.import_game(json.dumps(data).encode())
    assert sent.table is not None, sent.fault
    play_on(program, sent.table, Random(f"{title} middle"), WHOLE if LONG else SHORT)
    again = program.download(sent.table)
    assert len(again["actions"]) >= len(data["actions"])
    state = program.state(sent.table)
    assert state.game["players"]
    assert set(state.worth) == {str(s.key) for s in program.table(sent.table).seats}


def test_what_the_server_refuses_is_raised(program, hotseat):
    bid = {"type": "bid", "entity": 1, "entity_type": "player", "company": "PSM", "price": 20}
    assert program.act(hotseat.pk, bid, 0).version == 1
    with pytest.raises(StaleVersion) as late:
        program.act(hotseat.pk, bid, 0)
    assert late.value.fresh.version == 1
    with pytest.raises(ApiError) as wrong:
        program.act(hotseat.pk, bid | {"entity": 2, "price": 7}, 1)
    assert wrong.value.status == 422
    assert not program.check(hotseat.pk, bid | {"entity": 2, "price": 7}).legal
    with pytest.raises(NotFound):
        program.table(4711)
    with pytest.raises(NotAllowed):
        Client("http://testserver", "rh_no", transport=wsgi()).account()


def test_patience_has_an_end(user, monkeypatch):
    from limits import parse

    from roundhouse.web import limits

    monkeypatch.setitem(limits.RATES, "new-table", parse("1/hour"))
    program = client_of(user, wait=1.0)
    program.create_table("1817", seats=3)
    with pytest.raises(TooManyRequests) as often:
        program.create_table("1817", seats=3)
    assert often.value.retry_after > 1


def test_everything_else_there_is(program, hotseat):
    assert {t.id for t in program.titles()} >= set(TITLES)
    facts = program.title("1873")
    assert facts.trains
    assert facts.map["hexes"]
    assert "#" in program.rules("1873").rules
    assert program.account().name == "anna"
    program.say(hotseat.pk, "hello")
    assert program.chat(hotseat.pk)[0].text == "hello"
    program.write_notes(hotseat.pk, "mind the gap")
    assert program.notes(hotseat.pk) == "mind the gap"
    version = play_on(program, hotseat.pk, Random(1), 3)
    standing = program.undo(hotseat.pk, program.table(hotseat.pk).version)
    standing = program.redo(hotseat.pk, standing.version)
    assert standing.version == version + 2
    choice = program.choices(hotseat.pk).mine[0]
    tried = program.what_if(hotseat.pk, [choice.action])
    assert tried.played == 1
    assert tried.told
    assert [t.id for t in program.tables(whose="my_turn").tables] == [hotseat.pk]
    table = program.create_table("1828", seats=3)
    assert program.seat_bot(table.id).free == 1
    assert program.leave(table.id).ok


# feeds, read as the server does


def read(feed):
    return [json.loads(line) for text in feed.read() for line in text.splitlines() if line]


def test_a_game_is_told_from_its_state_on(user, hotseat, program):
    feed = feeds.GameFeed(hotseat, user, None, feeds.Form(sse=False), feeds.Seen())
    game, standing = read(feed)
    assert (game["type"], standing["type"]) == ("game", "standing")
    assert game["game"]["players"]
    assert feed.read() == []
    choice = program.choices(hotseat.pk).mine[0]
    program.act(hotseat.pk, choice.action, 0)
    program.say(hotseat.pk, "well")
    move, said, standing = read(feed)
    assert (move["type"], move["number"], said["text"]) == ("move", 1, "well")
    assert standing["version"] == 1
    program.say(hotseat.pk, "played")
    assert [e["type"] for e in read(feed)] == ["said", "standing"]
    late = feeds.GameFeed(hotseat, user, None, feeds.Form(sse=True), feeds.Seen(0, 1))
    texts = late.read()
    assert [text.split("\n")[0] for text in texts] == [
        "event: move", "event: said", "event: standing"
    ]  # fmt: skip
    assert [text.split("\n")[1] for text in texts] == ["id: 1.1", "id: 1.2", "id: 1.2"]
    program.act(hotseat.pk, {"type": "end_game", "entity": 1, "entity_type": "player"}, 1,
                agreed=True)  # fmt: skip
    assert [e["type"] for e in read(feed)] == ["move", "standing", "end"]
    assert feed.over


def test_feeds_end_with_their_token(user, hotseat):
    token, _ = tokens.make(user, "feed", ["read"])
    game = feeds.GameFeed(hotseat, user, token, feeds.Form(sse=False), feeds.Seen())
    account = feeds.AccountFeed(user, token, feeds.Form(sse=True))
    assert game.read()
    assert "event: start\n" in "".join(account.read())
    token.delete()
    for feed in (game, account):
        assert "gone" in feed.read()[0]
        assert feed.over


def test_feeds_end_for_who_may_not_look_any_more(user, other, hotseat):
    form, seen = feeds.Form(sse=False), feeds.Seen()
    Table.objects.update(public=True)
    guest = feeds.GameFeed(hotseat, other, None, form, seen)
    invited = feeds.GameFeed(hotseat, other, None, form, seen, hotseat.invite)
    banned = feeds.GameFeed(hotseat, user, None, form, seen)
    assert all(feed.read() for feed in (guest, invited, banned))
    Table.objects.update(public=False)
    type(user).objects.filter(pk=user.pk).update(is_active=False)
    assert [bool(feed.read()) for feed in (guest, invited, banned)] == [True, False, True]
    assert [feed.over for feed in (guest, invited, banned)] == [True, False, True]


def test_an_account_is_told_of_turns_questions_and_ends(user, other):
    feed = feeds.AccountFeed(other, None, feeds.Form(sse=False))
    assert feed.read() == []
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3, undo="consent", seed=1))
    tables.join(table.pk, other)
    assert feed.read() == []
    tables.add_bot(table.pk, user)
    assert [e["type"] for e in read(feed)] == ["start"]
    first, second = client_of(user), client_of(other)
    told = first.choices(table.pk)
    first.act(table.pk, told.mine[0].action, told.version)
    assert [e["type"] for e in read(feed)] == ["turn"]
    first.undo(table.pk, told.version + 1)
    (asked,) = read(feed)
    assert asked["type"] == "question"
    second.answer(table.pk, True)
    assert [e["type"] for e in read(feed)] == []
    row = tables.submit(table.pk, user, {"type": "end_game", "entity": 1, "entity_type": "player"},
                        None)  # fmt: skip
    second.answer(table.pk, True)
    row.refresh_from_db()
    assert [e["type"] for e in read(feed)] == ["end"]
