"""Django for the tests of the server: a fresh database, accounts on unless a test says local."""

from __future__ import annotations

import os
import re
from math import inf
from pathlib import Path

import pytest

import temporary

django = pytest.importorskip("django", reason="the server's packages are not installed")

if "ROUNDHOUSE_DATA" not in os.environ:
    os.environ["ROUNDHOUSE_DATA"] = str(temporary.folder("test"))
os.environ.setdefault("ROUNDHOUSE_ACCOUNTS", "1")
os.environ.setdefault("ROUNDHOUSE_HOSTS", "testserver")
os.environ.setdefault("ROUNDHOUSE_ACT_RATE", "1000000/minute")
os.environ.setdefault("ROUNDHOUSE_API_RATE", "1000000/minute")
os.environ.setdefault("ROUNDHOUSE_API_RATE_ANYBODY", "1000000/minute")
os.environ.setdefault("ROUNDHOUSE_BOT_PAUSE", "0")
os.environ["DJANGO_SETTINGS_MODULE"] = "roundhouse.web.settings"
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
django.setup()

from django.conf import settings  # noqa: E402

settings.TASKS = {
    "default": {"BACKEND": "django_tasks.backends.immediate.ImmediateBackend", "QUEUES": []}
}
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # quick ones

from .browser import CHROMIUM, server  # noqa: E402 - after the settings

REFERENCE = Path(
    os.environ.get("ROUNDHOUSE_REFERENCE", Path(__file__).parents[2].parent / "shared/reference")
)


def game_files() -> list[Path]:
    """The real games of all landed titles, and our own of titles without a real one."""
    from roundhouse.titles.title import all_titles

    own = Path(__file__).parents[1] / "games"
    found: list[Path] = []
    for title in all_titles():
        real = REFERENCE.glob(f"games/{title.casefold()}/*.json")
        found += sorted(real) or sorted((own / title).glob("*.json"))
    return found


@pytest.fixture(scope="session")
def database():
    """A migrated database of its own for the whole run."""
    from django.db import connection
    from django.test.utils import setup_test_environment, teardown_test_environment

    setup_test_environment()
    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        file = temporary.folder("test") / "test.sqlite3"
        connection.settings_dict["TEST"]["NAME"] = str(file)
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    yield connection
    connection.close()
    connection.creation.destroy_test_db(name, verbosity=0)
    teardown_test_environment()


@pytest.fixture
def asleep(monkeypatch):
    """Bots act when a test lets them, not in the background, and however slow the machine is; gives
    the tables whose bots wait."""
    from roundhouse.web.tables import bots

    woken: list[int] = []
    for name in ("wake", "go_on"):
        monkeypatch.setattr(bots, name, lambda table: woken.append(table.pk))
    monkeypatch.setattr(bots, "SLICE", inf)
    return woken


@pytest.fixture
def db(database, asleep):
    """An empty database for one test."""
    from django.contrib.contenttypes.models import ContentType
    from django.core import mail
    from django.core.management import call_command

    from roundhouse.web.tables import open_games

    call_command("flush", verbosity=0, interactive=False, inhibit_post_migrate=True)
    ContentType.objects.clear_cache()
    open_games.clear()
    mail.outbox.clear()
    return database


@pytest.fixture
def user(db):
    from django.contrib.auth import get_user_model

    return get_user_model().objects.create_user("anna", password="a quiet table")


@pytest.fixture
def other(db):
    from django.contrib.auth import get_user_model

    return get_user_model().objects.create_user("ben", password="a quiet table")


@pytest.fixture
def client(user):
    from django.test import Client

    found = Client()
    found.force_login(user)
    return found


@pytest.fixture
def hotseat(user):
    """A fresh hotseat game."""
    from roundhouse.web import tables

    return tables.create(user, tables.Plan("1817", ["Ada", "Ben", "Cleo"], seed=1, hotseat=True))


@pytest.fixture
def trusting():
    """What hangs on tables is remembered as at a real server."""


@pytest.fixture(autouse=True)
def honest(request, monkeypatch):
    """What hangs on tables is remembered no longer than it is true."""
    if "trusting" not in request.fixturenames:
        from .honest import Honest, HonestTalk

        monkeypatch.setattr("roundhouse.web.attached._KNOWN", Honest(256))
        monkeypatch.setattr("roundhouse.web.talk.page._TOLD", HonestTalk(256))


# the browser


@pytest.fixture(scope="module")
def chromium():
    """A real Chromium."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    """A server for the one player of this machine."""
    with server(tmp_path_factory.mktemp("local")) as address:
        yield address


@pytest.fixture(scope="module")
def online(tmp_path_factory):
    """A server where everybody signs in."""
    with server(tmp_path_factory.mktemp("online"), "--accounts") as address:
        yield address


@pytest.fixture
def open_page(chromium):
    """Opens pages in contexts of their own and fails on any script error or blocked resource."""
    contexts, faults = [], []

    def open_one(**options):
        context = chromium.new_context(**{"viewport": {"width": 1440, "height": 900}, **options})
        contexts.append(context)
        context.set_default_timeout(20_000)
        page = context.new_page()
        page.on("pageerror", lambda e: faults.append(str(e)))
        page.on("console", lambda m: _note(faults, m))
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert not faults


def _note(faults, message):
    refused = re.search(r"status of 4(09|22|03)", message.text)
    if message.type == "error" and not refused:
        faults.append(message.text)
