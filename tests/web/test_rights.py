"""Who may do what at a table, over all its addresses: the matrix is made from the addresses there
are, so none is forgotten."""

from __future__ import annotations

import itertools
import json
import re

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from roundhouse.web import archive, limits, tables
from roundhouse.web.api import tokens
from roundhouse.web.api.interface import api
from roundhouse.web.models import Move, Place, Table

#: What stands for the parts of an address, by converter.
_PARTS = {"int": "1", "str": "x", "seating": "join", "path": "x", "slug": "x", "uuid": "x"}
#: What answers nobody's question about a table: redirections to signing in, refusals.
_CLOSED = {302, 403, 404, 405, 422}


def addresses(patterns=None, before=""):
    """Every address below a table, with something for each part of it."""
    for one in get_resolver().url_patterns if patterns is None else patterns:
        route = before + str(one.pattern)
        if isinstance(one, URLResolver):
            yield from addresses(one.url_patterns, route)
        elif isinstance(one, URLPattern) and route.startswith("table/<int:pk>/"):
            text = route.removeprefix("table/<int:pk>/")
            for name, converter in one.pattern.converters.items():
                kind = next(k for k in _PARTS if f"<{k}:{name}>" in route)
                assert converter is not None
                text = text.replace(f"<{kind}:{name}>", _PARTS[kind])
            yield text


ADDRESSES = sorted(set(addresses()))
FORMS = (
    {"action": '{"type": "pass", "entity": 1, "entity_type": "player"}', "version": "0"},
    {"say": "hello"},
    {"agree": "yes"},
    *({"do": what, "place": "1", "number": "1", "vote": "1", "yes": "yes", "version": "0"}
      for what in ("leave", "away", "back", "bot", "kind", "take", "invite", "remove", "end",
                   "vote", "policy", "all", "next", "delete", "propose", "accept")),
)  # fmt: skip


#: What programs send, by what it is meant for.
API_FORMS = (
    {"action": json.loads(FORMS[0]["action"]), "version": 0, "actions": [], "agree": True},
    {"do": "take", "seat": 1, "what": "end", "yes": True, "text": "hello", "name": "x"},
    {"do": "accept", "word": "x", "price": 1, "promise": {"kind": "pass"}, "to": "turn",
     "version": 0, "routes": [], "company": "x"},
)  # fmt: skip


@pytest.fixture
def table(user, other, monkeypatch):
    """A running game of three people, anna's turn."""
    monkeypatch.setattr(limits, "count", lambda what, who: None)
    made = tables.create(user, tables.Plan("1817", ["anna"], seats=3, seed=1))
    for one in (other, get_user_model().objects.create_user("cleo", password="a quiet table")):
        tables.join(made.pk, one)
    return Table.objects.get()


@pytest.fixture
def strangers(db):
    """Somebody who is signed in and has no seat, and somebody who is not."""
    signed_in = Client()
    signed_in.force_login(get_user_model().objects.create_user("dora", password="a quiet table"))
    return signed_in, Client()


def untouched(table):
    """What nobody but the players may change."""
    row = Table.objects.filter(pk=table.pk).values("version", "status", "seats", "undo", "public")
    seats = Place.objects.filter(table=table).values_list("number", "user", "name", "bot", "deputy")
    return list(row), list(seats), Move.objects.filter(table=table).count(), table.talk.count()


def test_the_matrix_knows_the_addresses():
    assert len(ADDRESSES) > 30
    assert {"", "act/", "agree/", "say/", "stream/", "file/", "seats/", "join/"} <= set(ADDRESSES)


def test_a_hidden_table_answers_strangers_nothing(table, strangers):
    Table.objects.update(public=False)
    for visitor, address in itertools.product(strangers, ADDRESSES):
        for ask in (visitor.get, visitor.post):
            answer = ask(f"/table/{table.pk}/{address}")
            assert answer.status_code in _CLOSED, address
            assert b"anna" not in b"".join(answer), address


def test_who_looks_on_changes_nothing(table, strangers, pytestconfig):
    """Every form at every address with ``--size 2``; else some, others at each address."""
    before = untouched(table)
    few = pytestconfig.getoption("size") == 1
    for number, address in enumerate(ADDRESSES):
        forms = (*FORMS[:3], *FORMS[3 + number % 8 :: 8]) if few else FORMS
        for visitor, form in itertools.product(strangers, forms):
            status = visitor.post(f"/table/{table.pk}/{address}", form).status_code
            assert status < 500, (address, form)
        assert untouched(table) == before, address


def test_who_is_not_on_turn_does_nothing_in_another_name(table, other):
    """… nor in his own, before his turn comes."""
    player = Client()
    player.force_login(other)
    game = tables.open_game(table).game
    bid = next(c.action for c in game.choices() if c.type == "bid")
    for entity in (1, 2):
        raw = archive.write_action(bid).replace('"entity":1', f'"entity":{entity}')
        answer = player.post(f"/table/{table.pk}/act/", {"action": raw, "version": 0})
        assert answer.status_code in (403, 422)
    assert not Move.objects.exists()


def test_programs_of_strangers_get_no_further(table, strangers, db):
    """Every address of the interface below a hidden table, with a token that allows everything."""
    Table.objects.update(public=False)
    before = untouched(table)
    dora = get_user_model().objects.get(username="dora")
    _, secret = tokens.make(dora, "all", tokens.SCOPES)
    asked = 0
    for path, methods in api.get_openapi_schema(path_prefix="api/")["paths"].items():
        if "{table}" not in path:
            continue
        address = "/" + re.sub(r"\{\w+\}", "1", path.replace("{table}", str(table.pk))).lstrip("/")
        for method, headers in itertools.product(
            methods, ({}, {"authorization": f"Bearer {secret}"})
        ):
            for form in ({}, *API_FORMS):
                answer = Client().generic(
                    method.upper(), address, json.dumps(form), "application/json", headers=headers
                )
                assert answer.status_code in _CLOSED | {401}, (method, address, form)
                assert b"anna" not in b"".join(answer), address
                asked += 1
    assert asked > 300
    assert untouched(table) == before
