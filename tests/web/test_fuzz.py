"""Requests nobody's page would send: each is answered, none by an error of the server's, and what
is stored afterwards can be read again."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from django.test import Client

from roundhouse.web import bounds, tables
from roundhouse.web.models import Move, Table

OWN = Path(__file__).parents[1] / "games" / "1817" / "base.json"
#: Requests (of each seed) and damaged files of one run; so many times more with ``--size``.
REQUESTS, FILES = 60, 80

JUNK = ("", "0", "1", "-1", "²", "１２", "1_0", " 7 ", "9" * 25, "9" * 5000, "1e999", "NaN", "null",
        "true", "[]", "{}", "\0", "a\0b", "\ud800", "\\ud800", "💥", "../..", "%00", "x" * 3000,
        "[" * 3000,
        '{"a":' * 500, "A1", "B2|track", "track,trains|player:1", ":", ",", "1,2,3", "yes",
        "player:1", "own", "free", "on")  # fmt: skip

FIELDS = ("action", "version", "say", "best", "agreed", "agree", "field:price", "field:entity",
          "field:id", "field:loan", "description", "names", "seats", "seed", "public", "bots",
          "undo", "hotseat", "option", "text", "username", "password", "password1", "password2",
          "email", "next")  # fmt: skip

QUERIES = ("at", "show", "invite", "title", "state", "routes", "train", "trail", "complete", "next",
           "from")  # fmt: skip

ADDRESSES = ("", "new/1817/", "new/{}/", "import/", "rules/{}/", "style/{}.css", "account/login/",
             "account/new/", "account/password_reset/", "table/{}/", *(
                 f"table/0/{part}" for part in (
                     "", "update/", "act/", "say/", "agree/", "hex/{}/", "routes/", "reach/{}/",
                     "log/{}/", "file/", "join/", "bot/", "start/", "anything/")))  # fmt: skip

HEADERS = ("X-Panels", "X-Routes", "X-Log", "Accept", "HX-Request", "Content-Type", "Cookie")


def action(rng):
    """An action with something in it that should not be."""
    raw = {"type": "message", "entity": 1, "entity_type": "player", "message": "hello"}
    if rng.random() < 0.5:
        raw = {"type": "bid", "entity": 1, "entity_type": "player", "company": "PSM", "price": 5}
    keys = [*raw, "id", "user", "created_at", "auto_actions", "original_id"]
    values = (
        *JUNK,
        None,
        2**53,
        2**70,
        -(10**25),
        1.5,
        [],
        {},
        [dict(raw)],
        [{"type": "undo"}],
        True,
    )
    for _ in range(rng.randrange(1, 3)):
        raw[rng.choice(keys)] = rng.choice(values)
    return json.dumps(raw)


def request(client, rng, pks):
    """One request; returns the answer."""
    address = "/" + rng.choice(ADDRESSES).replace("/0/", f"/{rng.choice(pks)}/")
    address = address.replace("{}", rng.choice(("1817", "1", "9" * 30, "%C2%B2", "A1", "%00", "x")))
    query = {k: rng.choice(JUNK) for k in rng.sample(QUERIES, rng.randrange(3))}
    query = {k: v.encode("utf-8", "replace").decode() for k, v in query.items()}
    headers = {rng.choice(HEADERS): rng.choice(JUNK).encode("ascii", "replace").decode()}
    headers = {k: v.replace("\0", "") for k, v in headers.items() if k != "Content-Type"}
    if rng.random() < 0.4:
        return client.get(address, query, headers=headers)
    form = {k: rng.choice(JUNK) for k in rng.sample(FIELDS, rng.randrange(6))}
    form = {k: v.encode("utf-8", "replace").decode() for k, v in form.items()}
    if rng.random() < 0.5:
        form |= {"action": action(rng), "version": rng.choice(("0", "1", "2", "²"))}
    kind = rng.randrange(6)
    if kind == 0:
        return client.post(address, b"\xff\xfe\x00" * 9, content_type="application/json")
    if kind == 1:
        body = "&".join(f"{k}=1" for k in form)  # the client encodes it
        form_type = "application/x-www-form-urlencoded; charset=utf-16"
        return client.post(address, body, content_type=form_type)
    return client.post(address, form, headers=headers)


@pytest.mark.parametrize("seed", range(6))
def test_no_request_is_an_error_of_the_server(
    user, other, hotseat, seed, pytestconfig, record_property
):
    rng, count = Random(seed), REQUESTS * pytestconfig.getoption("size")
    waiting = tables.create(user, tables.Plan("1817", ["anna"], seats=3))
    hidden = tables.create(other, tables.Plan("1828", ["ben"], seats=3, public=False))
    pks = (hotseat.pk, waiting.pk, hidden.pk, 9_999_999, "9" * 30)
    player, stranger = Client(), Client()
    player.force_login(user)
    for _ in range(count):
        answer = request(player if rng.random() < 0.8 else stranger, rng, pks)
        assert answer.status_code < 500
        if answer.status_code == 302 and "login" in answer.get("Location", ""):
            player.force_login(user)
    tables.open_games.clear()
    for table in Table.objects.exclude(status=Table.Status.OPEN):
        game = tables.open_game(table).game
        assert len(game.log) == table.version
        json.dumps(game.dump())
    record_property("done", count)


def damaged(raw, rng):
    """A file with some of its bytes changed, cut, or said twice."""
    data = bytearray(raw)
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(data))
        match rng.randrange(4):
            case 0:
                data[at] = rng.randrange(256)
            case 1:
                del data[at : at + rng.randrange(1, 40)]
            case 2:
                data[at:at] = data[at : at + rng.randrange(1, 200)]
            case 3:
                data[at:at] = rng.choice(
                    (b"0" * 9, b'"', b"\\ud800", b"\\u0000", b"[" * 50, b"\xff")
                )
    return bytes(data)


def test_a_damaged_file_is_refused_or_kept_as_far_as_it_can_be_played(
    user, pytestconfig, record_property
):
    rng, count = Random(7), FILES * pytestconfig.getoption("size")
    data = json.loads(OWN.read_text())
    raw = json.dumps(data | {"actions": data["actions"][:40]}).encode()
    sentences = []
    for _ in range(count):
        try:
            table = tables.import_file(user, damaged(raw, rng))
        except tables.Refused as fault:
            sentences.append(str(fault))
            continue
        tables.open_games.clear()
        assert len(tables.open_game(table).game.log) == table.version
    assert all(sentences)
    record_property("done", count)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"seed": 10**25}, "seed"),
        ({"id": "x\0"}, "NUL"),
        ({"id": 2**70}, "id"),
        ({"players": [{"id": 10**25, "name": "A"}, {"name": "B"}, {"name": "C"}]}, "large"),
        ({"players": [{"name": "\ud800"}, {"name": "B"}, {"name": "C"}]}, "surrogate"),
    ],
)
def test_what_could_not_be_stored_is_refused_in_a_sentence(user, change, word):
    data = json.loads(OWN.read_text())
    if "seed" in change:
        change = {"settings": data["settings"] | change}
    with pytest.raises(tables.Refused) as caught:
        tables.import_file(user, json.dumps(data | change).encode())
    assert word in caught.value.sentence
    assert not Table.objects.exists()


def test_a_file_in_another_encoding_is_refused(user):
    with pytest.raises(tables.Refused, match="UTF-8"):
        tables.import_file(user, OWN.read_text().encode("utf-16"))


def test_ids_leave_room_for_what_follows(hotseat, user, client):
    said = {"type": "log", "entity": 1, "entity_type": "player", "message": "x", "id": 2**53}
    with pytest.raises(tables.Refused, match="id"):
        tables.submit(hotseat.pk, user, said, 0)
    assert tables.submit(hotseat.pk, user, said | {"id": 10**9}, 0).version == 1
    assert tables.submit(hotseat.pk, user, said | {"id": None}, 1).version == 2
    tables.open_games.clear()
    ids = [e.action.id for e in tables.open_game(Table.objects.get()).game.log]
    assert ids == [10**9, 10**9 + 1]
    data = json.loads(OWN.read_text())
    data["actions"] = [said]
    table = tables.import_file(user, json.dumps(data).encode())
    assert "actions[0]" in table.fault
    assert not Move.objects.filter(table=table).exists()


def test_digits_are_plain_digits():
    assert bounds.number("17") == 17
    for text in ("", "²", "１７", "1_7", " 17", "-1", "9" * 17, str(2**53 + 1)):
        assert bounds.number(text) is None


def test_a_wrong_address_does_nothing(user, client):
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3))
    assert client.post(f"/table/{table.pk}/anything/").status_code == 404
    assert table.places.count() == 1


def test_a_table_that_waits_for_players_answers_every_address(user, client):
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3))
    seat = f"/table/{table.pk}/"
    assert client.get(seat).status_code == 200
    for part in ("update/", "hex/A1/", "routes/", "reach/x/", "log/9/", "file/"):
        answer = client.get(seat + part, headers={"accept": "application/json"})
        assert answer.status_code == 409, part
        assert answer.json()["message"] == "The game has not begun yet."
    for part in ("act/", "agree/"):
        assert client.post(seat + part, {"version": 0}).status_code == 409
