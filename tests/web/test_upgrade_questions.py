"""A question that is open while the server is upgraded stays asked."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from .test_postgres import BIN, postgres, psycopg  # noqa: F401 - a fixture

SCRIPT = """
import django
django.setup()
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

old = [("web", "0016_branches"), ("deals", "0001_initial")]
MigrationExecutor(connection).migrate(old)
apps = MigrationExecutor(connection).loader.project_state(old).apps
user = apps.get_model("auth", "User").objects.create(username="anna")
table = apps.get_model("web", "Table").objects.create(title="1817", seed="1", seats=2)
places = apps.get_model("web", "Place").objects
anna, ben = (places.create(table=table, number=n, key=n, name=name)
             for n, name in enumerate(("anna", "ben"), start=1))
apps.get_model("web", "Question").objects.create(
    table=table, by=user, place=anna, action='{"type":"undo"}', asked=[2])
call_command("migrate", verbosity=0, interactive=False)
from roundhouse.web.deals.models import Deal
deal = Deal.objects.get()
assert (deal.now, deal.open, deal.waiting, deal.by.username) == (True, True, [2], "anna"), deal
"""


def upgraded(data, **more):
    env = os.environ | {"ROUNDHOUSE_DATA": str(data)} | more
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=env, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_on_sqlite(tmp_path):
    upgraded(tmp_path, DATABASE_URL=f"sqlite:///{tmp_path / 'old.sqlite3'}")


@pytest.mark.skipif(BIN is None, reason="PostgreSQL is not installed")
def test_on_postgresql(tmp_path, postgres):  # noqa: F811
    with psycopg.connect(postgres, autocommit=True) as server:
        server.execute("CREATE DATABASE asked")
    upgraded(tmp_path, DATABASE_URL=f"{postgres.rpartition('/')[0]}/asked")
