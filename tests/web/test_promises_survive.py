"""A real server with promises, killed in the middle."""

from __future__ import annotations

import json
import os
import re
import signal
import time

import pytest

from .browser import running, server
from .test_tasks import wait, workers
from .visitor import Visitor

WORD = "a long evening, a quiet table"


def visitor(address, name):
    found = Visitor(address)
    form = {"username": name, "password1": WORD, "password2": WORD, "email": f"{name}@example.org"}
    found.post("/account/new/", **form).close()
    return found


def version(someone, table):
    return int(re.search(r'data-version="(\d+)"', someone.get(table))[1])


@pytest.mark.parametrize("late", [0.0, 1.0])
def test_a_promise_outlives_a_server_that_is_killed(tmp_path, late):
    """Killed right after the move, or while the promise is due: it is kept once, by the next."""
    env = {"ROUNDHOUSE_PROMISES_WAIT": "1-1"}
    with server(tmp_path, "--accounts", env=env) as address:
        anna, ben, cleo = (visitor(address, name) for name in ("anna", "ben", "cleo"))
        with anna.post("/new/1817/", seats=3, seed=1, public="on") as answer:
            table = re.search(r"/table/\d+/", answer.url)[0]
        for who in (ben, cleo):
            who.post(f"{table}join/").close()
        form = {"kind": "pass", "until": "once", "heedless": "1"}
        ben.post(f"{table}promises/", **form).close()
        assert anna.bid(table, 0)["version"] == 1
        time.sleep(late)
        process = running[address]
        below = workers(process.pid)
        for pid in (process.pid, *below):
            os.kill(pid, signal.SIGKILL)
        process.wait()
    with server(tmp_path, "--accounts", env=env) as address:
        for who in (anna, ben, cleo):
            who.address = address
        wait(lambda: version(anna, table) == 2)
        time.sleep(3)
        assert version(anna, table) == 2
        file = json.loads(anna.get(f"{table}file/"))
        assert [a["type"] for a in file["actions"]] == ["bid", "pass"]
        assert "pass once" not in anna.get(table)
        assert "Done: " in ben.get(table)
