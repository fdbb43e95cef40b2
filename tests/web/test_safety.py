"""What must not happen: others' text as markup, foreign sources, oversized bodies, seeing and
acting without a right to, a half-imported file lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client

from roundhouse.web import archive, tables
from roundhouse.web.middleware import POLICY
from roundhouse.web.models import Move, Table
from roundhouse.web.talk.models import Said
from roundhouse.web.talk.saying import say

EVIL = "<script>alert('x')</script>\"'&"
OWN = Path(__file__).parents[1] / "games" / "1817" / "base.json"


def pages(table):
    seat = f"/table/{table.pk}/"
    rest = ["/", "/new/1817/", "/import/", "/rules/1817/", "/account/login/"]
    return [*rest, seat, f"{seat}update/", f"{seat}?at=0"]


def test_every_page_has_the_policy_and_nothing_inline(hotseat, client):
    for address in [*pages(hotseat), "/nowhere/"]:
        answer = client.get(address)
        assert answer.headers["Content-Security-Policy"] == POLICY
        text = answer.content.decode()
        assert " style=" not in text, address
        assert "<style" not in text
        assert " onclick=" not in text
        assert "<script>" not in text
        assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "'unsafe" not in POLICY


def test_what_users_write_is_never_markup(user, client):
    table = tables.create(
        user,
        tables.Plan("1817", [EVIL[:40], "Ben", "Cleo"], seed=1, hotseat=True, description=EVIL),
    )
    game = tables.open_game(table).game
    tables.submit(table.pk, user, next(c.action for c in game.choices() if c.type == "bid"), 0)
    say(table.pk, user, EVIL)
    panels = "bar:,now:,log:,sheet:,players:,companies:,trains:,history:"
    parts = client.get(f"/table/{table.pk}/update/", headers={"X-Panels": panels})
    texts = [client.get(a).content.decode() for a in pages(table)] + [parts.content.decode()]
    assert any("&lt;script&gt;" in text for text in texts)
    for text in texts:
        assert "<script>alert" not in text


def test_a_form_from_elsewhere_is_refused(hotseat, user):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(user)
    answer = browser.post(f"/table/{hotseat.pk}/act/", {"action": "{}", "version": 0})
    assert answer.status_code == 403


def test_oversized_bodies_are_refused(client):
    text = "x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
    assert client.post("/import/", {"text": text}).status_code == 400
    assert client.post("/import/", text, content_type="text/plain").status_code in (400, 422)
    assert not Table.objects.exists()


def test_a_long_speech_is_cut_and_an_empty_one_refused(hotseat, client):
    answer = client.post(f"/table/{hotseat.pk}/say/", {"say": "x" * 5000})
    assert answer.status_code == 302
    assert len(Said.objects.get().text) == 2000
    for text in ("  ", "\0"):
        assert client.post(f"/table/{hotseat.pk}/say/", {"say": text}).status_code == 422


@pytest.mark.parametrize(
    "raw",
    ["", "{", "[]", "null", "17", '{"type": "no_such"}', '{"type": "bid"}', "[" * 100_000,
     '{"type":"bid","entity":1,"entity_type":"player","price":1e400}'],
)  # fmt: skip
def test_nonsense_is_refused_in_a_sentence(hotseat, client, raw):
    answer = client.post(
        f"/table/{hotseat.pk}/act/",
        {"action": raw, "version": 0},
        headers={"accept": "application/json"},
    )
    assert answer.status_code == 422
    assert answer.json()["message"]
    assert not Move.objects.exists()


# rights over HTTP


def test_a_spectator_sees_and_touches_nothing(hotseat, other):
    Table.objects.update(public=True)
    game = tables.open_game(hotseat).game
    bid = next(c.action for c in game.choices() if c.type == "bid")
    for browser in (Client(), Client()):
        page = browser.get(f"/table/{hotseat.pk}/").content.decode()
        assert "Waiting for" in page
        assert "/act/" not in page.replace(f'data-act="/table/{hotseat.pk}/act/"', "")
        action = {"action": archive.write_action(bid), "version": 0}
        for what, form in (("act", action), ("say", {"say": "hello"})):
            answer = browser.post(f"/table/{hotseat.pk}/{what}/", form)
            assert answer.status_code in (403, 422)
        browser.force_login(other)
    assert not Move.objects.exists()
    assert not Said.objects.exists()


def test_a_private_table_is_hidden_without_its_link(user, other):
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3, public=False))
    stranger = Client()
    stranger.force_login(other)
    assert f"/table/{table.pk}/" not in stranger.get("/").content.decode()
    for part in ("", "update/", "stream/", "file/", "join/"):
        post = stranger.post if part == "join/" else stranger.get
        assert post(f"/table/{table.pk}/{part}").status_code == 404, part
    assert stranger.get(f"/table/{table.pk}/?invite=guessed").status_code == 404
    assert stranger.get(f"/table/{table.pk}/?invite={table.invite}").status_code == 200
    stranger.post(f"/table/{table.pk}/join/")  # the link is remembered
    assert table.places.count() == 2
    assert f"/table/{table.pk}/" in stranger.get("/").content.decode()


def test_strangers_fill_no_store_with_words_of_invitations(user):
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3))
    Client().get(f"/table/{table.pk}/?invite={'x' * 4000}")
    assert not Session.objects.exists()
    Client().get(f"/table/{table.pk}/?invite={table.invite}")
    assert Session.objects.count() == 1


def test_the_invitation_is_shown_to_those_at_the_table_only(user, other):
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3, public=True))
    for who, shown in ((user, True), (other, False)):
        browser = Client()
        browser.force_login(who)
        assert (table.invite in browser.get(f"/table/{table.pk}/").content.decode()) is shown


# files


def test_a_fault_in_a_file_names_its_action_and_nothing_before_it_is_lost(client):
    data = json.loads(OWN.read_text())
    data["actions"][30] = {"type": "pass", "entity": 77, "entity_type": "player", "id": 31}
    client.post("/import/", {"text": json.dumps(data)})
    table = Table.objects.get()
    assert "actions[30] (pass, id 31)" in table.fault
    assert table.version == 30
    page = client.get(f"/table/{table.pk}/").content.decode()
    assert "actions[30] (pass, id 31)" in page
    game = tables.open_game(table).game
    first = next(iter(game.choices())).action
    tables.submit(table.pk, table.creator, first, 30, agreed=True)
    assert "actions[30]" not in client.get(f"/table/{table.pk}/").content.decode()


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"title": "18Nowhere"}, "18Nowhere"),
        ({"title": "1828"}, "1828"),
        ({"players": []}, "players"),
        ({"players": [{"id": 1, "name": "A"}, {"id": 1, "name": "B"}, {"id": 2, "name": "C"}]},
         "distinct"),
        ({"actions": [{"type": "teleport", "entity": 1, "entity_type": "player"}]}, "actions"),
        ({"actions": "none"}, "actions"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_refused_by_what_is_wrong_with_it(client, change, word):
    data = json.loads(OWN.read_text()) | change
    answer = client.post("/import/", {"text": json.dumps(data)})
    assert answer.status_code == 422
    refusal = answer.content.decode().partition('role="alert">')[2].partition("<")[0]
    assert word in refusal
    assert not Table.objects.exists()
