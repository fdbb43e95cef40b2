"""What workers do: real servers with a worker beside them."""

from __future__ import annotations

import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.core import mail
from django.db import connection
from django_tasks_db.models import DBTaskResult

from roundhouse.web import clock, tasks
from roundhouse.web.charts.tasks import review_runs
from roundhouse.web.explorer.tasks import index_game
from roundhouse.web.models import Upload
from roundhouse.web.puzzles.tasks import make_puzzles
from roundhouse.web.queues import BESIDE, LONG
from roundhouse.web.searches.looking import search_routes
from roundhouse.web.tables import files, open_game
from roundhouse.web.worker import GIVING_WAY, Patient

from .browser import clean_environment, server
from .visitor import Visitor, listening

LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
OWN = Path(__file__).parents[1] / "games" / "1817" / "base.json"


def wait(condition, seconds=300):
    """Until something is so; fails if it never becomes so, on however slow a machine."""
    for _ in range(seconds * 10):
        if found := condition():
            return found
        time.sleep(0.1)
    raise AssertionError("it did not happen")


def workers(parent):
    """Processes of workers a server has started."""
    found = subprocess.run(
        ["ps", "-o", "pid=,args=", "--ppid", str(parent)], capture_output=True, text=True
    ).stdout.splitlines()
    return [int(line.split()[0]) for line in found if " work " in line]


@pytest.fixture
def site(tmp_path):
    with server(tmp_path) as address:
        yield Visitor(address)


def test_bots_are_played_by_a_worker_and_pages_hear_of_it(site):
    table = site.new_table(names="Ada", bots=2)
    with listening(site.address, table) as events:
        assert events.read() == "0"
        assert site.bid(table, 0)["version"] == 1
        heard = 0
        while heard < 3:
            heard = int(events.read())
    page = site.get(table)
    assert int(re.search(r'data-version="(\d+)"', page)[1]) >= 3


def test_a_file_is_played_through_by_a_worker(site):
    with site.post("/import/", text=OWN.read_text()) as answer:
        path = answer.url.removeprefix(site.address)
    assert path.startswith("/import/")
    wait(lambda: 'id="panel-bar"' in site.get(path))


def test_a_worker_that_dies_is_followed_by_another(tmp_path):
    from .browser import running

    with server(tmp_path) as address:
        parent = running[address].pid
        (first,) = wait(lambda: workers(parent))
        os.kill(first, signal.SIGKILL)
        (second,) = wait(lambda: [w for w in workers(parent) if w != first])
        site = Visitor(address)
        table = site.new_table(names="Ada", bots=2)
        site.bid(table, 0)
        wait(lambda: int(re.search(r'data-version="(\d+)"', site.get(table))[1]) > 1)
    wait(lambda: not Path(f"/proc/{second}").exists())


def test_a_worker_gives_way_to_the_server_it_is_beside(tmp_path):
    from .browser import running

    with server(tmp_path) as address:
        parent = running[address].pid
        (worker,) = wait(lambda: workers(parent))
        own = os.getpriority(os.PRIO_PROCESS, parent)
        wait(lambda: os.getpriority(os.PRIO_PROCESS, worker) == min(19, own + GIVING_WAY))


def test_what_was_left_in_the_queue_is_done_by_the_next_worker(tmp_path):
    """No worker while the move is made; `roundhouse work` finds the bots' turn."""
    with server(tmp_path, "--tasks", "0") as address:
        site = Visitor(address)
        table = site.new_table(names="Ada", bots=2)
        site.bid(table, 0)
        assert 'data-version="1"' in site.get(table)
        worker = worker_on(tmp_path, {})
        try:
            wait(lambda: int(re.search(r'data-version="(\d+)"', site.get(table))[1]) > 1)
        finally:
            worker.terminate()
            assert worker.wait(20) in (0, -signal.SIGTERM)


HOOK = """INSERT INTO api_webhook (user_id, url, events, secret, off, misses, fault, created)
SELECT id, ?, '["turn"]', 'x', 0, 0, '', '2000-01-01' FROM auth_user"""


def test_an_address_that_does_not_answer_holds_up_no_bot(tmp_path):
    """Somebody has a webhook at a machine that is silent; it would be waited for."""
    with (
        socket.create_server(("127.0.0.1", 0)) as silent,
        server(tmp_path, env={"ROUNDHOUSE_OUTWARD": "127.0.0.0/8"}) as address,
    ):
        silent.settimeout(60)
        site = Visitor(address)
        site.get("/")  # makes the local player
        with closing(sqlite3.connect(tmp_path / "roundhouse.sqlite3")) as base, base:
            base.execute(HOOK, (f"http://127.0.0.1:{silent.getsockname()[1]}/",))
        table = site.new_table(names="Ada", bots=2)
        line, _ = silent.accept()  # the worker has begun to tell it
        site.bid(table, 0)
        wait(lambda: int(re.search(r'data-version="(\d+)"', site.get(table))[1]) > 1)
        with line:
            line.setblocking(False)
            while True:
                try:
                    told = line.recv(4096)
                except BlockingIOError:
                    break  # it is still waited for
                assert told, "nobody waits any more"


def test_what_reckons_for_long_holds_up_no_bot_and_is_given_back(tmp_path):
    """Puzzles are made of a game that bots play first; the server stops before that is done."""
    with (
        server(tmp_path) as address,
        closing(sqlite3.connect(tmp_path / "roundhouse.sqlite3", timeout=20)) as base,
    ):
        site = Visitor(address)
        assert "being made" in site.get("/puzzles/")
        query = f"SELECT status FROM {DBTaskResult._meta.db_table} WHERE task_path LIKE '%puzzles'"
        wait(lambda: base.execute(query).fetchall() == [("RUNNING",)])
        table = site.new_table(names="Ada", bots=2)
        site.bid(table, 0)
        wait(lambda: int(re.search(r'data-version="(\d+)"', site.get(table))[1]) > 1)
        assert base.execute(query).fetchall() == [("RUNNING",)]
    with closing(sqlite3.connect(tmp_path / "roundhouse.sqlite3", timeout=20)) as base:
        wait(lambda: base.execute(query).fetchall() == [("READY",)])


def test_what_may_take_long_is_in_queues_of_its_own():
    for name in ("prove_end", "review_game", "import_upload"):
        assert getattr(tasks, name).queue_name in LONG
    for task in (search_routes, review_runs, index_game, make_puzzles):
        assert task.queue_name in LONG
    assert Patient().excluded_queue_names == [*BESIDE, *LONG]
    assert tasks.play_bots.queue_name not in (*BESIDE, *LONG)


def test_while_a_file_is_played_through_nobody_waits_to_write(user, monkeypatch):
    held, replay = [], files.replay

    def watched(raw):
        held.append(connection.in_atomic_block)
        return replay(raw)

    monkeypatch.setattr(files, "replay", watched)
    upload = Upload.objects.create(user=user, raw=OWN.read_bytes())
    tasks.import_upload.func(upload.pk)
    assert held == [False]
    upload.refresh_from_db()
    table = upload.table
    assert table.moves.count() == table.version == len(open_game(table).game.log) > 0
    assert table.snapshots.exists()


def worker_on(data, env):
    """`roundhouse work` by itself."""
    clean = clean_environment()
    command = [sys.executable, "-m", "roundhouse", "work", "--data", str(data)]
    return subprocess.Popen(command, env=clean | env)


def test_two_servers_have_the_puzzle_of_a_day_made_once(tmp_path):
    """Many ask at once at both while no worker is there; the first worker dies over it, the next
    one makes it, and both show the same."""
    moment = tmp_path / "time"
    clock.write(moment, datetime(2026, 11, 20, tzinfo=UTC))
    env = {"ROUNDHOUSE_CLOCK": str(moment)}
    with (
        server(tmp_path, "--tasks", "0", env=env) as one,
        server(tmp_path, "--tasks", "0", env=env) as two,
        closing(sqlite3.connect(tmp_path / "roundhouse.sqlite3", timeout=20)) as base,
        ExitStack() as workers,
    ):
        people = [Visitor(address) for address in (one, two, one, two)]
        with ThreadPoolExecutor(4) as pool:
            pages = list(pool.map(lambda p: p.get("/puzzles/"), people))
        assert all("being made" in page for page in pages)
        table = DBTaskResult._meta.db_table
        query = f"SELECT status FROM {table} WHERE task_path LIKE '%puzzles'"
        assert base.execute(query).fetchall() == [("READY",)]
        for last in (False, True):
            worker = worker_on(tmp_path, env)
            workers.callback(worker.wait)
            workers.callback(worker.kill)
            states = ("SUCCESSFUL",) if last else ("SUCCESSFUL", "RUNNING")
            wait(lambda states=states: base.execute(query).fetchone()[0] in states)
            worker.kill()
            worker.wait()
        pages = [p.get("/puzzles/") for p in people]
        links = {re.search(r'href="(/puzzles/\d+/)">', page)[1] for page in pages}
        (link,) = links
        assert base.execute("SELECT COUNT(*) FROM puzzles_making").fetchone() == (1,)
        answer = base.execute("SELECT answer FROM puzzles_puzzle WHERE day NOT NULL").fetchall()
        with people[1].post(link, answer=answer[0][0]) as told:
            assert "Right:" in told.read().decode()


def test_letters_are_queued_and_delivered(db, settings_changed):
    from django.core.mail import EmailMultiAlternatives

    settings_changed(
        EMAIL_BACKEND="roundhouse.web.mail.Queued",
        MAIL_DELIVERY="django.core.mail.backends.locmem.EmailBackend",
    )
    letter = EmailMultiAlternatives("Grüße", "plain", "host@example.org", ["anna@example.org"])
    letter.attach_alternative("<p>rich</p>", "text/html")
    assert letter.send() == 1
    (sent,) = mail.outbox
    assert sent.to == ["anna@example.org"]
    assert sent.message()["Subject"] == "Grüße"


@pytest.fixture
def settings_changed():
    from django.test import override_settings

    changed = []

    def change(**values):
        changed.append(override_settings(**values))
        changed[-1].enable()

    yield change
    for one in changed:
        one.disable()


def test_letters_reach_a_mail_server_even_one_that_was_away(db, settings_changed):
    from django.core.mail import send_mail

    from .endpoints import mail_server

    with mail_server() as box:
        settings_changed(
            EMAIL_BACKEND="roundhouse.web.mail.Queued",
            MAIL_DELIVERY="django.core.mail.backends.smtp.EmailBackend",
            EMAIL_HOST="127.0.0.1", EMAIL_PORT=box.port, EMAIL_USE_TLS=False,
            TASKS={"default": {"BACKEND": "django_tasks_db.DatabaseBackend", "QUEUES": []}},
        )  # fmt: skip
        send_mail("Grüße", "Zeilen\nund Umlaute: äöü", None, ["anna@example.org"])
        box.refuse = "451 not now"
        run_tasks()
        assert not box.letters
        box.refuse = ""
        DBTaskResult.objects.filter(status="READY").update(run_after=LONG_AGO)
        run_tasks()
    (letter,) = box.letters
    assert letter["Subject"] == "Grüße"
    assert "äöü" in letter.get_content()


def run_tasks():
    from django.core.management import call_command

    call_command("db_worker", queue_name="*", batch=True, startup_delay=False, verbosity=0)
