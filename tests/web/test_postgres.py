"""The same on PostgreSQL: the tests of this folder again, and two processes at one database."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import temporary
from roundhouse.web import backups

from .browser import free_port, server
from .filled import everything, fill
from .visitor import Visitor, listening

psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed")


def _programs() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    named = shutil.which("initdb")
    return found[-1].parent if found else (Path(named).parent if named else None)


BIN = _programs()
pytestmark = pytest.mark.skipif(BIN is None, reason="PostgreSQL is not installed")


def _run(*command: str) -> None:
    """Run one of PostgreSQL's programs, which refuse to be run by root."""
    user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    subprocess.run([*user, *command], check=True, stdout=subprocess.DEVNULL, cwd="/", timeout=120)


@pytest.fixture(scope="module")
def postgres():
    """A PostgreSQL of our own; gives its address."""
    folder = temporary.folder("postgres")
    data, port = folder / "data", free_port()
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
    _run(str(BIN / "initdb"), "-D", str(data), "-U", "postgres", "-A", "trust", "--no-sync")
    options = f"-p {port} -c listen_addresses=127.0.0.1 -k {folder} -c fsync=off"
    control = [str(BIN / "pg_ctl"), "-D", str(data), "-w"]
    _run(*control, "-o", options, "-l", str(folder / "log"), "start")
    yield f"postgresql://postgres@127.0.0.1:{port}/postgres"
    _run(*control, "-m", "fast", "stop")


#: What is tested of play over weeks and of the interface, its open lines among it; with
#: ``ROUNDHOUSE_LONG`` set, more.
WEEKS = ["test_deals.py", "test_clocks.py", "test_api_weeks.py", "test_api_live.py"]
MORE = ["test_promises_kept.py", "test_notices.py", "test_seats.py", "test_people.py",
        "test_community.py", "test_api.py"]  # fmt: skip


def checked_on(postgres: str, *names: str, only: str = "") -> None:
    """Run tests of this folder on the database."""
    here = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", *(str(here / n) for n in names), "-k", only],
        env=os.environ | {"DATABASE_URL": postgres},
        capture_output=True, text=True, timeout=900,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]


def test_submissions_on_postgresql(postgres):
    names = ("test_submit.py", "test_consent.py", "test_bots.py", "test_real_games.py")
    checked_on(postgres, *names, only="not http or 20758")


def test_a_backup_goes_from_sqlite_to_postgresql_and_back(db, postgres, tmp_path):
    """A row of every kind; the second backup holds what the first one held."""
    if db.vendor != "sqlite":
        pytest.skip("this is run on SQLite")
    there, back = tmp_path / "there.zip", tmp_path / "back.zip"
    fill()
    backups.write(there)
    env = os.environ | {"DATABASE_URL": postgres}
    for command in (("restore", str(there), "--replace"), ("backup", str(back))):
        done = [sys.executable, "-m", "roundhouse", *command, "--data", str(tmp_path / "data")]
        told = subprocess.run(done, env=env, capture_output=True, text=True, timeout=300)
        assert told.returncode == 0, told.stderr[-2000:]
    before = everything()
    backups.read(back, replace=True)
    assert everything() == before


def test_play_over_weeks_on_postgresql(postgres):
    checked_on(postgres, *WEEKS, *(MORE if os.environ.get("ROUNDHOUSE_LONG") else ()))


SHOW = """
import django; django.setup()
from django.db import connection
with connection.cursor() as cursor:
    print(*(cursor.execute(f"SHOW {n}").fetchone()[0] for n in ("synchronous_commit", "work_mem")))
"""


def test_what_is_acknowledged_is_on_the_disk(postgres, tmp_path):
    """… where the host has PostgreSQL acknowledge earlier."""
    with psycopg.connect(postgres, autocommit=True) as line:
        line.execute("ALTER ROLE postgres SET synchronous_commit = off")
        try:
            env = {"DATABASE_URL": f"{postgres}?options=-c%20work_mem%3D5MB",
                   "ROUNDHOUSE_DATA": str(tmp_path),
                   "DJANGO_SETTINGS_MODULE": "roundhouse.web.settings"}  # fmt: skip
            done = subprocess.run(
                [sys.executable, "-c", SHOW], env=os.environ | env, capture_output=True, text=True
            )
        finally:
            line.execute("ALTER ROLE postgres RESET synchronous_commit")
    assert done.stdout.split() == ["on", "5MB"], done.stderr


def test_two_processes_tell_each_other(postgres, tmp_path):
    """What one process writes, a page open at the other hears at once."""
    env = {"DATABASE_URL": postgres}
    with server(tmp_path, env=env) as first, server(tmp_path, env=env) as second:
        visitor = Visitor(first)
        table = visitor.new_table()
        with listening(second, table) as events:
            version, others = map(int, events.news().split("."))
            visitor.say(table, "hello")
            assert events.news() == f"{version}.{others + 1}"


def test_a_cut_line_to_the_database_loses_no_news(postgres, tmp_path):
    """While nobody listens to PostgreSQL a move is made; it is told when the line stands again."""
    env = {"DATABASE_URL": postgres}
    with server(tmp_path, env=env) as first, server(tmp_path, env=env) as second:
        visitor = Visitor(first)
        table = visitor.new_table()
        with listening(second, table) as events, psycopg.connect(postgres, autocommit=True) as db:
            assert events.read() == "0"
            for version in (1, 2, 3):
                db.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE query LIKE 'LISTEN%' OR query = 'SELECT 1'"
                )
                visitor.bid(table, version - 1)
                assert events.read() == str(version)


def test_many_at_once_share_few_connections(postgres, tmp_path):
    """Two hundred clients, none of them refused; the pool is a bounded number of connections."""
    with server(tmp_path, env={"DATABASE_URL": postgres}) as address:
        visitor = Visitor(address)
        table = visitor.new_table()
        path = f"{table}update/"
        with ThreadPoolExecutor(200) as clients, psycopg.connect(postgres) as db:
            found = [clients.submit(visitor.status, path) for _ in range(200)]
            assert {f.result() for f in found} == {200}
            count = db.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = 'postgres'")
            assert count.fetchone()[0] < 30
