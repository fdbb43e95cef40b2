"""The same on PostgreSQL: the tests of this folder again, and two processes at one database."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from .browser import free_port, server

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
    folder = Path(tempfile.mkdtemp(prefix="roundhouse-postgres-"))
    data, port = folder / "data", free_port()
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
    _run(str(BIN / "initdb"), "-D", str(data), "-U", "postgres", "-A", "trust", "--no-sync")
    options = f"-p {port} -c listen_addresses=127.0.0.1 -k {folder} -c fsync=off"
    control = [str(BIN / "pg_ctl"), "-D", str(data), "-w"]
    _run(*control, "-o", options, "-l", str(folder / "log"), "start")
    yield f"postgresql://postgres@127.0.0.1:{port}/postgres"
    _run(*control, "-m", "fast", "stop")
    shutil.rmtree(folder)


def test_submissions_on_postgresql(postgres):
    here = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", str(here / "test_submit.py"),
         str(here / "test_consent.py"), str(here / "test_bots.py"),
         str(here / "test_real_games.py"), "-k", "not http or 20758"],
        env=os.environ | {"DATABASE_URL": postgres},
        capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]


def test_two_processes_tell_each_other(postgres, tmp_path):
    """What one process writes, a page open at the other hears at once."""
    import http.client
    import http.cookiejar
    import re
    import urllib.parse
    import urllib.request

    env = {"DATABASE_URL": postgres}
    with server(tmp_path, env=env) as first, server(tmp_path, env=env) as second:
        jar = http.cookiejar.CookieJar()
        web = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))

        def form(page):
            return re.search(r'csrfmiddlewaretoken" value="([^"]+)', page)[1]

        page = web.open(f"{first}/new/1817/").read().decode()
        filled = {"csrfmiddlewaretoken": form(page), "names": "A\nB\nC", "seed": "1"}
        answer = web.open(f"{first}/new/1817/", urllib.parse.urlencode(filled).encode())
        table = urllib.parse.urlsplit(answer.url).path
        page = answer.read().decode()
        host = urllib.parse.urlsplit(second).netloc
        line = http.client.HTTPConnection(host, timeout=20)
        line.request("GET", f"{table}stream/")
        events = line.getresponse()
        assert b"data: 0" in events.read1(200)
        time.sleep(1)
        message = {"csrfmiddlewaretoken": form(page), "version": "0", "say": "hello"}
        web.open(f"{first}{table}act/", urllib.parse.urlencode(message).encode())
        assert b"data: 1" in events.read1(200)
        line.close()
