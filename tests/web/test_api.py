"""The interface for programs: who may ask what, and that it says the same as the page."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from roundhouse.web import limits, tables
from roundhouse.web.api import bots, tokens
from roundhouse.web.api.models import Token

OWN = Path(__file__).parents[1] / "games" / "1817" / "base.json"
FIRST_BID = {"type": "bid", "entity": 1, "entity_type": "player", "company": "PSM", "price": 20}


class Program:
    """Sends JSON with a token."""

    def __init__(self, user=None, scopes=tuple(tokens.SCOPES), secret=None):
        self.secret = secret or (tokens.make(user, "test", scopes)[1] if user else None)
        self.client = Client()

    def ask(self, method, path, body=None, **headers):
        if self.secret:
            headers["authorization"] = f"Bearer {self.secret}"
        raw = body if isinstance(body, bytes | str) else json.dumps(body) if body else ""
        return self.client.generic(
            method, f"/api{path}", raw, content_type="application/json", headers=headers
        )

    def get(self, path):
        return self.ask("GET", path)

    def post(self, path, body=None):
        return self.ask("POST", path, {} if body is None else body)


@pytest.fixture
def program(user):
    return Program(user)


def told(answer, status=200):
    assert answer.status_code == status, answer.content[:600]
    return answer.json()


def fault(answer, status, code):
    said = told(answer, status)
    assert said["code"] == code, said
    assert said["message"]
    assert {"where", "rule"} <= said.keys()
    return said


# who may ask


def test_anybody_reads_what_is_public(db):
    anybody = Program()
    assert {t["id"] for t in told(anybody.get("/titles"))} >= {"1817", "1873"}
    assert told(anybody.get("/tables"))["tables"] == []
    assert told(anybody.get("/"))["openapi"] == "/api/openapi.json"
    fault(anybody.get("/account"), 401, "no_token")
    fault(anybody.post("/tables", {"title": "1817"}), 401, "no_token")


def test_a_cookie_is_no_leave_to_change_anything(user, hotseat):
    client = Client()
    client.force_login(user)
    browser = Program()
    browser.client = client
    assert told(browser.get(f"/tables/{hotseat.pk}"))["seats"][0]["mine"]
    fault(browser.post(f"/tables/{hotseat.pk}/act", {}), 401, "no_token")


def test_tokens_are_kept_as_digests_and_revocable(user):
    row, secret = tokens.make(user, "bot", ["read"])
    assert secret.startswith("rh_")
    assert secret not in json.dumps(list(Token.objects.values()), default=str)
    program = Program(secret=secret)
    assert told(program.get("/account"))["scopes"] == ["read"]
    row.refresh_from_db()
    assert row.used is not None
    tokens.revoke(user, row.pk)
    fault(program.get("/account"), 401, "no_token")
    other = Program(user)
    assert told(other.ask("DELETE", "/account/token"))["ok"]
    fault(other.get("/account"), 401, "no_token")


def test_tokens_reach_as_far_as_their_scopes(user, hotseat):
    reader = Program(user, ["read"])
    assert told(reader.get("/account"))["name"] == "anna"
    for path in ("/tables", f"/tables/{hotseat.pk}/act", f"/tables/{hotseat.pk}/chat"):
        assert "needs" in fault(reader.post(path), 403, "scope")["message"]


def test_tokens_end(user):
    from datetime import timedelta

    from roundhouse.web import clock

    _, secret = tokens.make(user, "short", ["read"], days=1)
    program = Program(secret=secret)
    assert program.get("/account").status_code == 200
    with clock.using(clock.Set(clock.now() + timedelta(days=2))):
        fault(program.get("/account"), 401, "no_token")


def test_tokens_of_closed_accounts_are_good_for_nothing(user):
    program = Program(user)
    user.is_active = False
    user.save()
    fault(program.get("/account"), 401, "no_token")


@pytest.mark.parametrize("secret", ["", "rh_", "rh_" + "x" * 43, "\ud800", "a b", "x" * 5000])
def test_what_is_no_token_is_refused(user, secret):
    headers = {"authorization": f"Bearer {secret}".encode("utf-8", "replace").decode("latin1")}
    fault(Client().get("/api/account", headers=headers), 401, "no_token")


def test_private_tables_are_for_those_who_sit_there(user, other, program):
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3, public=False))
    stranger = Program(other)
    fault(stranger.get(f"/tables/{table.pk}"), 404, "not_found")
    fault(stranger.post(f"/tables/{table.pk}/join"), 404, "not_found")
    invite = told(program.get(f"/tables/{table.pk}"))["invite"]
    assert told(stranger.get(f"/tables/{table.pk}?invite={invite}"))["invite"] is None
    joined = told(stranger.post(f"/tables/{table.pk}/join?invite={invite}"))
    assert [s["name"] for s in joined["seats"]] == ["anna", "ben"]
    assert told(stranger.get("/tables"))["tables"] == []
    assert [t["id"] for t in told(stranger.get("/tables?whose=mine"))["tables"]] == [table.pk]


# tables


def test_tables_are_made_joined_left_and_begun(user, other, program):
    made = told(program.post("/tables", {"title": "1817", "seats": 3}), 201)
    number = made["id"]
    assert (made["free"], made["status"], made["creator"]) == (2, "open", "anna")
    second = Program(other)
    assert told(second.post(f"/tables/{number}/join"))["free"] == 1
    fault(second.post(f"/tables/{number}/join"), 422, "seated")
    fault(second.post(f"/tables/{number}/start"), 403, "not_yours")
    assert told(second.post(f"/tables/{number}/leave"))["ok"]
    fault(program.get(f"/tables/{number}/state"), 409, "not_begun")
    assert told(second.post(f"/tables/{number}/join"))["free"] == 1
    begun = told(program.post(f"/tables/{number}/bot"))
    assert begun["status"] == "running"
    assert [s["bot"] for s in begun["seats"]] == [None, None, "server"]
    fault(second.post(f"/tables/{number}/leave"), 422, "begun")


def test_tables_are_found_page_by_page(user, program):
    made = [
        told(program.post("/tables", {"title": t, "seats": 3}), 201)["id"]
        for t in ("1817", "1828", "1817", "1817")
    ]
    first = told(program.get("/tables?limit=2&title=1817"))
    assert [t["id"] for t in first["tables"]] == [made[3], made[2]]
    rest = told(program.get(f"/tables?limit=2&title=1817&before={first['next']}"))
    assert [t["id"] for t in rest["tables"]] == [made[0]]
    assert rest["next"] is None
    assert told(program.get("/tables?status=running"))["tables"] == []


def test_bot_accounts_are_marked(user, other):
    bot = bots.make(user, "Clockwork")
    program = Program(bot)
    account = told(program.get("/account"))
    assert (account["bot"], account["owner"]) == (True, "anna")
    table = told(program.post("/tables", {"title": "1817", "seats": 3}), 201)
    assert table["seats"][0]["bot"] == "account"
    page = Client().get(table["url"]).content.decode()
    assert "<b>Clockwork</b> <small>bot</small>" in page
    for _ in range(2):
        tables.add_bot(table["id"], bot)
    client = Client()
    client.force_login(user)
    cards = client.get(f"{table['url']}card/player:1/").content.decode()
    assert "Clockwork <small>bot</small>" in cards
    profile = client.get("/people/Clockwork/").content.decode()
    assert "bot of anna" in profile
    tables.create(other, tables.Plan("1817", ["A", "B", "C"], hotseat=True))
    fault(Program(other).post("/account/bot"), 422, "has_played")
    fresh = told(Program(user).post("/account/bot"))
    assert (fresh["bot"], fresh["owner"]) == (True, None)


# playing


def test_choices_are_sent_as_they_are(user, program, hotseat):
    path = f"/tables/{hotseat.pk}"
    before = told(program.get(f"{path}/choices"))
    choice = next(c for c in before["choices"] if c["type"] == "bid")
    assert choice["mine"]
    assert choice["domains"]["price"]["kind"] == "span"
    sent = {"action": choice["action"], "version": before["version"]}
    after = told(program.post(f"{path}/act", sent))
    assert after["version"] == 1
    assert after["state"] == told(program.get(f"{path}/state"))["state"]
    move = told(program.get(f"{path}/moves"))["moves"][0]
    assert move["action"] | {"id": None} == choice["action"] | {"id": None}
    assert move["by"] == "anna"
    assert move["told"]


def test_who_is_too_late_gets_the_fresh_version(user, program, hotseat):
    path = f"/tables/{hotseat.pk}"
    told(program.post(f"{path}/act", {"action": FIRST_BID, "version": 0}))
    late = program.post(f"{path}/act", {"action": FIRST_BID, "version": 0})
    said = fault(late, 409, "stale")
    assert said["where"] == "body.version"
    assert said["fresh"]["version"] == 1
    assert said["fresh"]["state"] == told(program.get(f"{path}/state"))["state"]


def test_what_the_rules_refuse_is_told_with_the_section(user, program, hotseat):
    path = f"/tables/{hotseat.pk}"
    wrong = FIRST_BID | {"price": 7}
    said = told(program.post(f"{path}/act", {"action": wrong, "version": 0}), 422)
    judged = told(program.post(f"{path}/check", {"action": wrong}))
    assert not judged["legal"]
    assert (judged["code"], judged["rule"]) == (said["code"], said["rule"])
    assert judged["message"] == said["message"]
    assert told(program.post(f"{path}/check", {"action": FIRST_BID}))["legal"]
    assert told(program.get(f"{path}/state"))["version"] == 0


def test_taking_back_and_restoring(user, program, hotseat):
    path = f"/tables/{hotseat.pk}"
    told(program.post(f"{path}/act", {"action": FIRST_BID, "version": 0}))
    assert told(program.post(f"{path}/undo", {"version": 1}))["version"] == 2
    assert told(program.get(f"{path}/state"))["acting"] == [1]
    assert told(program.post(f"{path}/redo", {"version": 2}))["version"] == 3
    assert told(program.get(f"{path}/state"))["acting"] == [2]
    assert told(program.get(f"{path}/moves"))["moves"][0]["counts"]
    assert told(program.post(f"{path}/undo", {"version": 3, "to": 0}))["version"] == 4
    fault(program.post(f"{path}/undo", {"version": 4, "to": "turn"}), 422, "nothing_to_undo")


def test_others_are_asked_and_answer(user, other, program):
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3, undo="consent", seed=1))
    tables.join(table.pk, other)
    tables.add_bot(table.pk, user)
    second, path = Program(other), f"/tables/{table.pk}"
    told(program.post(f"{path}/act", {"action": FIRST_BID, "version": 0}))
    asked = told(program.post(f"{path}/undo", {"version": 1, "to": 0}), 202)
    assert asked["question"]["own"]
    assert asked["question"]["waiting"] == ["ben"]
    assert told(second.get(f"{path}/state"))["question"]["asks_me"]
    fault(program.post(f"{path}/answer", {"agree": True}), 403, "not_yours")
    assert told(second.post(f"{path}/answer", {"agree": True}))["version"] == 2
    fault(second.post(f"{path}/answer", {"agree": True}), 422, "gone")


def test_seats_of_others_are_theirs(user, other, hotseat):
    path = f"/tables/{hotseat.pk}"
    stranger = Program(other)
    hotseat.public = True
    hotseat.save()
    sent = {"action": FIRST_BID, "version": 0}
    fault(stranger.post(f"{path}/act", sent), 403, "no_seat")
    fault(stranger.post(f"{path}/undo", {"version": 0}), 403, "no_seat")
    assert not any(c["mine"] for c in told(stranger.get(f"{path}/choices"))["choices"])


def test_chat_and_notes(user, other, program, hotseat):
    path = f"/tables/{hotseat.pk}"
    told(program.post(f"{path}/chat", {"text": " hello "}), 201)
    lines = told(program.get(f"{path}/chat"))["lines"]
    assert [(line["name"], line["text"]) for line in lines] == [("Ada", "hello")]
    told(program.post(f"{path}/act", {"action": FIRST_BID, "version": 0}))
    assert told(program.ask("PUT", f"{path}/notes", {"text": "watch Ben"}))
    assert told(program.get(f"{path}/notes"))["text"] == "watch Ben"
    assert told(Program(other).get(f"{path}/notes"))["text"] == ""


# analysis and files


def test_games_come_as_files_and_go(user, program):
    sent = told(program.post("/import", OWN.read_bytes()), 201)
    assert sent["done"]
    file = told(program.get(f"/tables/{sent['table']}/file"))
    original = json.loads(OWN.read_text())
    assert len(file["actions"]) == len(original["actions"])
    assert file["result"] == original["result"]
    assert told(program.get(f"/tables/{sent['table']}/file?portable=true"))["actions"]
    assert told(program.get(f"/import/{sent['id']}")) == sent
    broken = told(program.post("/import", b'{"title": "1817"}'), 201)
    assert "players" in broken["fault"]


def test_routes_and_what_if(user, program):
    table = told(program.post("/import", OWN.read_bytes()), 201)["table"]
    moves = told(program.get(f"/tables/{table}/moves?limit=500"))["moves"]
    number, run = next(
        (n, m) for n, m in enumerate(moves) if m["action"]["type"] == "run_routes" and m["counts"]
    )
    at, company = moves[number - 1]["action"]["id"], run["action"]["entity"]
    best = told(program.post(f"/tables/{table}/routes", {"company": company, "at": at}))
    assert best["proven"]
    assert best["revenue"] == sum(r["revenue"] for r in best["routes"])
    action = run["action"] | {"routes": best["routes"], "id": None}
    tried = {"actions": [action, {"type": "pass", "entity": "no", "entity_type": "minor"}]}
    said = told(program.post(f"/tables/{table}/what-if", tried | {"at": at}))
    assert said["played"] == 1
    assert not said["fault"]["legal"]
    assert said["choices"]
    none = {"company": "nobody"}
    fault(program.post(f"/tables/{table}/routes", none), 422, "routes")


# what nobody should send


BAD_BODIES = [
    b"", b"{", b"[]", b"null", b"\xff\xfe", b'"\\ud800"', b"1e999", b"NaN", b"[" * 100_000,
    b'{"action": {"type": "bid\\u0000"}, "version": 0}',
    b'{"action": {"type": "bid", "entity": "\\ud800"}, "version": 0}',
    b'{"action": [], "version": 0}', b'{"action": {}, "version": "0"}',
    b'{"action": {}, "version": 1e3, "x": 1}', b'{"action": {}, "version": -1}',
    b'{"action": {"type": "bid", "entity": 1' + b"0" * 30 + b'}, "version": 0}',
    b'{"version": ' + b"9" * 5000 + b"}", b"{}" + b" " * 300_000,
]  # fmt: skip


def test_half_of_the_threads_may_search_at_once(user, hotseat):
    """Those who play need the others."""
    program, path = Program(user), f"/tables/{hotseat.pk}/routes"
    with ExitStack() as busy:
        for _ in range(settings.THREADS // 2):
            busy.enter_context(limits.few("search"))
        fault(program.post(path, {"company": "A&S"}), 429, "too_many")
    assert told(program.post(path, {"company": "A&S"}))["revenue"] == 0


@pytest.mark.parametrize("raw", BAD_BODIES, ids=lambda raw: repr(raw[:40]))
def test_bad_bodies_are_told_apart_and_break_nothing(user, program, hotseat, raw):
    for path in ("act", "undo", "check", "answer", "routes", "what-if", "chat"):
        answer = program.post(f"/tables/{hotseat.pk}/{path}", raw)
        assert 400 <= answer.status_code < 500, (path, answer.content[:300])
        said = answer.json()
        assert said["code"], path
        assert said["message"], path
    assert told(program.get(f"/tables/{hotseat.pk}/state"))["version"] == 0


def test_errors_name_the_place(user, program, hotseat):
    said = fault(program.post("/tables", {"title": "1817", "seats": "four"}), 422, "invalid")
    assert said["where"] == "body.seats"
    said = fault(program.get("/tables?limit=1000"), 422, "invalid")
    assert said["where"] == "query.limit"
    said = fault(program.post("/tables", {"title": "1817", "colour": 1}), 422, "invalid")
    assert said["where"] == "body.colour"
    bad = {"action": {"type": "pass", "entity": "a\0b"}, "version": 0}
    said = fault(program.post(f"/tables/{hotseat.pk}/act", bad), 400, "malformed")
    assert "NUL" in said["message"]


@pytest.mark.parametrize(
    ("path", "status"),
    [("/nothing", 404), ("/tables/0", 422), ("/tables/" + "9" * 30, 422), ("/titles/%00", 404),
     ("/tables/1/nothing", 404), ("/tables?title=%00", 400), ("/tables/77", 404)],
)  # fmt: skip
def test_addresses_there_are_not(db, path, status):
    said = told(Program().get(path), status)
    assert said["code"]


def test_methods_there_are_not(db):
    answer = Program().ask("DELETE", "/titles")
    assert fault(answer, 405, "method")
    assert "GET" in answer["Allow"]


def test_rates(user, program, monkeypatch):
    from limits import parse

    from roundhouse.web import limits

    monkeypatch.setitem(limits.RATES, "routes", parse("1/hour"))
    monkeypatch.setitem(limits.RATES, "chat", parse("1/hour"))
    table = tables.create(user, tables.Plan("1817", ["A", "B", "C"], hotseat=True))
    told(program.post(f"/tables/{table.pk}/chat", {"text": "one"}), 201)
    answer = program.post(f"/tables/{table.pk}/chat", {"text": "two"})
    said = fault(answer, 429, "too_many")
    assert int(answer["Retry-After"]) == said["retry_after"] > 0
    monkeypatch.setitem(limits.RATES, "api", parse("1/hour"))
    assert int(program.get("/account").headers.get("Retry-After", 0)) >= 0
    assert program.get("/account").status_code == 429


def test_help_goes_as_far_as_the_table_gives_it(user, program):
    """Routes and what-if are refused where the players agreed to do without, until it is over."""
    ask = {"routes": {"company": "nobody"}, "what-if": {"actions": []}}
    given = {"none": (403, 403), "routes": (422, 403), "advice": (422, 200)}
    for level, (routes, what_if) in given.items():
        made = {"title": "1817", "hotseat": True, "names": ["A", "B", "C"], "assistance": level}
        table = told(program.post("/tables", made), 201)
        assert table["assistance"] == level
        path = f"/tables/{table['id']}"
        assert program.post(f"{path}/routes", ask["routes"]).status_code == routes
        answer = program.post(f"{path}/what-if", ask["what-if"])
        assert answer.status_code == what_if
        if what_if == 403:
            assert answer.json()["code"] == "assistance"
        end = {"type": "end_game", "entity": 1, "entity_type": "player"}
        told(program.post(f"{path}/act", {"action": end, "version": 0, "agreed": True}))
        assert program.post(f"{path}/routes", ask["routes"]).status_code == 422
        assert program.post(f"{path}/what-if", ask["what-if"]).status_code == 200


def test_the_routes_of_real_runs_earn_what_they_earned(user, program):
    """Earnings are told with nothing that helps: what a run of the game would earn where it was."""
    table = told(program.post("/import", OWN.read_bytes()), 201)["table"]
    runs = [
        m["action"]
        for m in told(program.get(f"/tables/{table}/moves?limit=500"))["moves"]
        if m["action"]["type"] == "run_routes" and m["counts"] and m["action"].get("routes")
    ]
    assert runs
    wrong = {"company": runs[0]["entity"], "routes": [{"train": "nothing", "connections": []}]}
    said = told(program.post(f"/tables/{table}/earnings", wrong), 422)
    assert said["message"]


def test_words_do_not_make_a_move_stale(user, program, hotseat):
    path = f"/tables/{hotseat.pk}"
    for number, text in enumerate(("one", "two"), start=1):
        said = told(program.post(f"{path}/chat", {"text": text}), 201)
        assert (said["number"], said["after"]) == (number, 0)
    assert told(program.post(f"{path}/act", {"action": FIRST_BID, "version": 0}))["version"] == 1
    (line,) = told(program.get(f"{path}/chat?since=1"))["lines"]
    assert line["text"] == "two"


def test_bots_go_with_who_answers_for_them(user):
    """Neither a bot nor its token outlives its owner; its seats stay under a neutral name."""
    bot = bots.make(user, "Clockwork")
    program = Program(bot)
    table = told(program.post("/tables", {"title": "1817", "seats": 3}), 201)["id"]
    for _ in range(2):
        told(program.post(f"/tables/{table}/bot"))
    user.is_active = False
    user.save()
    fault(program.get("/account"), 401, "no_token")
    user.is_active = True
    user.save()
    assert told(program.get("/account"))["owner"] == "anna"
    user.delete()
    fault(program.get("/account"), 401, "no_token")
    assert told(Program().get(f"/tables/{table}"))["seats"][0]["name"] == "Former player 1"


def test_notes_are_the_same_on_the_page_and_for_programs(client, user, other, hotseat):
    program = Program(user)
    address = f"/table/{hotseat.pk}/notes/"
    assert client.post(address, {"text": "buy\r\nthe B&O"}).status_code == 204
    assert told(program.get(f"/tables/{hotseat.pk}/notes"))["text"] == "buy\nthe B&O"
    assert ">buy\nthe B&amp;O</textarea>" in client.get(f"/table/{hotseat.pk}/").content.decode()
    assert client.post(address, {"text": "x" * 20_001}).status_code == 422
    assert client.post(address, {"text": "\0"}).status_code == 422
    client.post(address, {"text": ""})
    assert told(program.get(f"/tables/{hotseat.pk}/notes"))["text"] == ""
    stranger = Client()
    assert stranger.post(address, {"text": "hello"}).status_code == 403
