"""One clock for the whole server."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session

from roundhouse.web import clock, limits, pulse, tables
from roundhouse.web.models import Move

NOON = datetime(2030, 6, 1, 12, tzinfo=UTC)
WEB = Path(clock.__file__).parent


def test_nothing_but_the_clock_asks_what_time_it_is():
    """The queue's own columns are filled in by its library, by the machine's clock."""
    asks = re.compile(r"timezone\.now\(|datetime\.now\(|\btime\.time\(|auto_now")
    own = {"clock.py", "tasks.py"}
    found = [
        p.relative_to(WEB).as_posix()
        for p in WEB.rglob("*.py")
        if "migrations" not in p.parts and asks.search(p.read_text(encoding="utf-8"))
    ]
    assert set(found) <= own
    assert len(asks.findall((WEB / "tasks.py").read_text(encoding="utf-8"))) == 1


def test_a_clock_that_is_set(hotseat, user):
    bid = next(c.action for c in tables.open_game(hotseat).game.choices() if c.type == "bid")
    with clock.using(clock.Set(NOON)) as set_to:
        assert clock.now() == NOON
        set_to.move(timedelta(days=3))
        table = tables.submit(hotseat.pk, user, bid, 0)
        assert Move.objects.get().at == table.since == NOON + timedelta(days=3)
    assert clock.now() < NOON


def test_a_set_clock_signs_nobody_out(client, user):
    """A session ends with its cookie, and browsers go by the machine's clock."""
    with clock.using(clock.Set(NOON)):
        assert client.get("/account/programs/").status_code == 200
    Session.objects.update(expire_date=datetime.fromtimestamp(clock.machine() - 1, UTC))
    assert client.get("/account/programs/").status_code == 302


def test_counts_run_out_by_the_same_clock(db):
    with clock.using(clock.Set(NOON)) as set_to:
        for _ in range(10):
            limits.count("report", "user 1")
        with pytest.raises(limits.TooMany) as fault:
            limits.count("report", "user 1")
        set_to.move(timedelta(seconds=fault.value.seconds))
        limits.count("report", "user 1")


def test_processes_share_the_time_of_a_file(tmp_path):
    file = tmp_path / "time"
    clock.write(file, NOON)
    ask = (
        "import django; django.setup(); from roundhouse.web import clock;"
        "print(clock.now().isoformat())"
    )
    env = {
        "ROUNDHOUSE_CLOCK": str(file),
        "ROUNDHOUSE_DATA": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": settings.SETTINGS_MODULE,
        "PYTHONPATH": str(WEB.parents[1]),
    }
    told = subprocess.run(
        [sys.executable, "-c", ask], env=env, capture_output=True, text=True, check=True
    )
    assert datetime.fromisoformat(told.stdout.strip()) == NOON


@pytest.mark.parametrize("text", ["", "soon", "2030-13-01"])
def test_a_file_without_a_time_is_named(tmp_path, text):
    file = tmp_path / "time"
    file.write_text(text)
    with pytest.raises(ValueError, match="holds no time"):
        clock.written(file)


def test_a_beat_that_fails_does_not_stop_the_others(caplog, monkeypatch):
    def broken():
        raise RuntimeError("no")

    def good():
        return 2

    monkeypatch.setattr(pulse, "_beats", {False: [broken, good]})
    assert pulse.beat() == 2
    assert "broken failed" in caplog.text
