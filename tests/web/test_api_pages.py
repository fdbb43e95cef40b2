"""The pages about programs, and the webhooks they tell of."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import json
import os
import re

import pytest
from django.test import override_settings

from roundhouse.web import tables
from roundhouse.web.api import bots, tokens, webhooks
from roundhouse.web.api.models import Token, Webhook

from .browser import axe_faults
from .endpoints import web_service
from .test_api import Program, fault, told
from .test_browser import begin, expect

INSIDE = [ipaddress.ip_network("127.0.0.0/8")]
PAGE = "/account/programs/"


def secret_on(page):
    return re.search(r'value="(rh_[\w-]+)"', page)[1]


def test_a_token_is_made_shown_once_and_revoked(client, user):
    sent = {"name": "my bot", "scope": ["read", "play"], "days": "30"}
    page = client.post(f"{PAGE}token/", sent).content.decode()
    program = Program(secret=secret_on(page))
    assert told(program.get("/account"))["scopes"] == ["read", "play"]
    page = client.get(PAGE).content.decode()
    assert "my bot" in page
    assert program.secret not in page
    row = Token.objects.get()
    assert 29 <= (row.expires - row.created).days <= 30
    client.post(f"{PAGE}token/revoke/", {"token": row.pk})
    fault(program.get("/account"), 401, "no_token")


@pytest.mark.parametrize(
    "sent",
    [{}, {"name": "x"}, {"name": " ", "scope": "read"}, {"name": "x", "scope": "everything"},
     {"name": "x", "scope": "read", "bot": "77"}, {"name": "\0", "scope": "read"}],
)  # fmt: skip
def test_what_is_no_token_is_refused_with_a_sentence(client, user, sent):
    answer = client.post(f"{PAGE}token/", sent)
    assert answer.status_code == 422
    assert 'class="refusal"' in answer.content.decode()
    assert not Token.objects.exists()


def test_bots_are_made_and_get_tokens(client, user, other):
    client.post(f"{PAGE}bot/", {"name": "Clockwork"})
    bot = user.own_bots.get().user
    assert not bot.has_usable_password()
    page = client.post(f"{PAGE}token/", {"bot": bot.pk, "name": "all"}).content.decode()
    account = told(Program(secret=secret_on(page)).get("/account"))
    assert (account["name"], account["owner"]) == ("Clockwork", "anna")
    assert client.post(f"{PAGE}bot/", {"name": "Cl0ckwork"}).status_code == 422
    theirs = bots.make(other, "Spring")
    answer = client.post(f"{PAGE}token/", {"bot": theirs.pk, "name": "all"})
    assert answer.status_code == 422
    row, _ = tokens.make(theirs, "all", ["read"])
    assert client.post(f"{PAGE}token/revoke/", {"token": row.pk}).status_code == 422


def test_who_is_not_signed_in_sees_none(db):
    from django.test import Client

    assert Client().get(PAGE).status_code == 302


def test_the_description_names_every_operation(client, user):
    page = client.get("/api/docs/").content.decode()
    schema = client.get("/api/openapi.json").json()
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            assert f'<b class="method">{method.upper()}</b> <code>{path}</code>' in page
            assert operation["security"]
    for name in set(re.findall(r'href="#(schema-\w+)"', page)):
        assert f'id="{name}"' in page, name


# webhooks


@pytest.fixture
def service(db):
    with web_service() as found, override_settings(OUTWARD=INSIDE):
        yield found


def hook_of(program, service, **more):
    return told(program.post("/webhooks", {"url": f"{service.address}/hook", **more}), 201)


def test_hooks_are_told_signed_what_happens(user, other, service):
    program = Program(user)
    made = hook_of(program, service)
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3, seed=1))
    tables.join(table.pk, other)
    tables.add_bot(table.pk, user)
    kinds = [told["type"] for told in service.bodies()]
    assert kinds == ["start", "turn"]
    _, headers, body = service.got[-1]
    signed = dict(p.split("=") for p in headers["x-roundhouse-signature"].split(","))
    text = f"{signed['t']}.".encode() + body
    assert signed["v1"] == hmac.new(made["secret"].encode(), text, hashlib.sha256).hexdigest()
    assert json.loads(body)["table"] == table.pk
    assert "secret" not in told(program.get("/webhooks"))[0]
    assert told(program.ask("DELETE", f"/webhooks/{made['id']}"))["ok"]
    fault(program.ask("DELETE", f"/webhooks/{made['id']}"), 404, "not_found")


def test_hooks_get_what_they_want(user, service):
    program = Program(user)
    hook_of(program, service, events=["end"])
    table = tables.create(user, tables.Plan("1817", ["A", "B", "C"], seed=1, hotseat=True))
    assert service.got == []
    end = {"type": "end_game", "entity": 1, "entity_type": "player"}
    tables.submit(table.pk, user, end, 0, agreed=True)
    assert service.bodies()[0]["type"] == "end"


def test_hooks_lead_to_the_open_network_only(user, db):
    program = Program(user)
    for url in ("http://example.org/x", "https://localhost/x", "ftp://example.org/x",
                "https://me@example.org/", "https://127.0.0.1/", "nonsense!"):  # fmt: skip
        answer = program.post("/webhooks", {"url": url})
        if answer.status_code == 201:  # its name is looked up when it is written to
            number = answer.json()["id"]
            fault(program.post(f"/webhooks/{number}/ping"), 422, "hook")
        else:
            fault(answer, 422, "address")


def test_a_hook_that_fails_is_told_again_and_turned_off(user, service, monkeypatch):
    later = []
    monkeypatch.setattr(webhooks, "again", lambda *given: later.append(given))
    program = Program(user)
    made = hook_of(program, service, events=["turn"])
    service.answers = [(503, {})]
    tables.create(user, tables.Plan("1817", ["A", "B", "C"], seed=1, hotseat=True))
    hook, body, tries, seconds = later.pop()
    assert (hook, tries, seconds) == (made["id"], 1, 10)
    assert "503" in told(program.get("/webhooks"))[0]["fault"]
    service.answers = [(200, {})]
    assert webhooks.tell(hook, body, tries)
    assert told(program.get("/webhooks"))[0]["fault"] == ""
    service.answers = [(410, {})]
    webhooks.tell(hook, body, 0)
    assert Webhook.objects.get().off
    assert not webhooks.tell(hook, body, 0)
    service.answers = [(200, {})]
    assert told(program.post(f"/webhooks/{hook}/ping"))["ok"]
    assert not Webhook.objects.get().off


# in a real browser


@pytest.mark.parametrize("width", [1440, 390])
def test_the_page_of_programs_in_a_browser(online, open_page, width):
    page = open_page(viewport={"width": width, "height": 900})
    page.goto(f"{online}/account/new/")
    page.fill("[name=username]", f"Ada{width}")
    for field in ("password1", "password2"):
        page.fill(f"[name={field}]", "a quiet table")
    page.click("main button")
    page.goto(f"{online}{PAGE}")
    page.fill("form.make [name=name]", "a tool of mine")
    page.check("[value=play]")
    page.click("text=Make the token")
    assert page.input_value(".made input").startswith("rh_")
    page.fill("form[action$='bot/'] [name=name]", f"Spring{width}")
    page.click("text=Make the bot")
    assert page.locator(".bot h3").inner_text().startswith(f"Spring{width}")
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width
    shots = os.environ.get("ROUNDHOUSE_SHOTS")
    if shots:
        page.screenshot(path=f"{shots}/programs-{width}.png", full_page=True)
    page.goto(f"{online}/api/docs/")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if shots:
        page.screenshot(path=f"{shots}/docs-{width}.png")
    page.goto(f"{online}{PAGE}")
    page.click("text=Revoke")
    assert "None yet." in page.locator(".programs").inner_text()


def test_notes_written_at_the_table_are_the_account_s(local, open_page):
    page, elsewhere = begin(open_page(), local), open_page()
    page.locator(".notes summary").click()
    with page.expect_response(lambda r: r.url.endswith("/notes/") and r.status == 204):
        page.locator("[data-notes]").fill("sell before phase 4")
    elsewhere.goto(page.url)
    expect(elsewhere.locator("[data-notes]")).to_have_value("sell before phase 4")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_the_pages_about_programs(local, open_page, scheme):
    page = open_page(color_scheme=scheme, bypass_csp=True)
    for path in ("/api/docs/", PAGE):
        page.goto(f"{local}{path}")
        assert axe_faults(page) == []
