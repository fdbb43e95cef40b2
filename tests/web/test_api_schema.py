"""The published description of the interface is true: requests made from it, sound and broken, are
answered as it says, and none by an error of the server's.

``ROUNDHOUSE_EXAMPLES``: requests made for each operation.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from django.test import Client
from hypothesis import HealthCheck, Phase, given, settings

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")

from schemathesis.specs.openapi import checks  # noqa: E402

from roundhouse.web import tables  # noqa: E402
from roundhouse.web.api import tokens  # noqa: E402
from roundhouse.web.api.interface import api  # noqa: E402

OWN = Path(__file__).parents[1] / "games" / "1817" / "base.json"
EXAMPLES = int(os.environ.get("ROUNDHOUSE_EXAMPLES", "4"))

#: That tokens are needed is tested below; what the rules of a game refuse is sound all the same.
JUDGED = [checks.ignored_auth, checks.positive_data_acceptance]

DESCRIPTION = json.loads(json.dumps(api.get_openapi_schema(path_prefix="api/")))


def operations():
    return [
        (method.upper(), path)
        for path, methods in DESCRIPTION["paths"].items()
        for method in methods
    ]


def application():
    from django.core.wsgi import get_wsgi_application

    return get_wsgi_application()


@pytest.fixture(scope="module")
def described():
    schema = schemathesis.openapi.from_dict(DESCRIPTION)
    schema.app = application()
    return schema


@pytest.fixture
def account(user):
    """An account with a table that runs, one that has ended and one that waits, and its token."""
    tables.create(user, tables.Plan("1817", ["A", "B", "C"], seed=1, hotseat=True))
    tables.import_file(user, OWN.read_bytes())
    tables.create(user, tables.Plan("1828", ["anna"], seats=3))
    return tokens.make(user, "schema", tokens.SCOPES)[1]


def test_the_description_is_what_is_published(client):
    published = client.get("/api/openapi.json")
    assert published.status_code == 200
    told = published.json()
    assert told["openapi"].startswith("3.1")
    assert told["paths"].keys() == DESCRIPTION["paths"].keys()
    assert len(operations()) > 30
    assert told["components"]["schemas"]["Action"]["anyOf"]


def test_every_name_leads_to_a_schema():
    named = set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(DESCRIPTION)))
    assert "Fault" in named
    assert named <= DESCRIPTION["components"]["schemas"].keys()


def test_every_operation_says_what_it_does():
    for path, methods in DESCRIPTION["paths"].items():
        for method, operation in methods.items():
            assert operation.get("description"), (method, path)
            assert operation.get("tags"), (method, path)
            assert "4XX" in operation["responses"], (method, path)


NEEDING = [
    (method, path)
    for method, path in operations()
    if {} not in DESCRIPTION["paths"][path][method.lower()].get("security", [{}])
]


@pytest.mark.parametrize(("method", "path"), NEEDING)
def test_what_needs_a_token_is_refused_without(db, method, path):
    for headers in ({}, {"authorization": "Bearer rh_none"}):
        address = re.sub(r"\{\w+\}", "1", path)
        answer = Client().generic(method, address, "{}", "application/json", headers=headers)
        assert answer.status_code == 401, answer.content
        assert answer["WWW-Authenticate"]


@pytest.mark.parametrize(("method", "path"), operations())
def test_requests_made_from_the_description(described, account, monkeypatch, method, path):
    from limits import parse

    from roundhouse.web import limits

    for what in limits.RATES:
        monkeypatch.setitem(limits.RATES, what, parse("1000000/minute"))
    # What takes the token back must not be asked with the one the other requests need.
    secret = "rh_none" if path == "/api/account/token" else account
    headers = {"Authorization": f"Bearer {secret}", "Accept-Encoding": "identity"}

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    @given(case=described[path][method].as_strategy())
    def answered(case):
        case.validate_response(case.call(headers=headers), excluded_checks=JUDGED)

    answered()
