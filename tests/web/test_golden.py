"""Databases of every release so far: they open in today's server, replay to the states they had,
and are played on under their own rules. How they are made: tests/make_golden.py."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from roundhouse.web import settings

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*/*.json"))

#: Run in a process of its own, since a process of the server has one database: opens the table,
#: prints the digests of its states, those of its file replayed, and how far it was played on.
OPEN = """
import json, random, django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0, interactive=False)
import roundhouse
from roundhouse import selfplay
from roundhouse.digest import digest
from roundhouse.web.models import Table
from roundhouse.web.tables import open_game, submit

table = Table.objects.get()
game = open_game(table).game
replayed = roundhouse.load(game.dump())

def digests(game):
    return [digest(game.rules, s) for s in (game.start, *(e.state for e in game.log))]

told = {"revision": game.revision, "opened": digests(game), "replayed": digests(replayed)}
rng = random.Random(1)
for _ in range(15):
    game = open_game(table).game
    action = selfplay.lively(game, game.choices(), rng)
    table = submit(table.pk, table.creator, action, table.version, agreed=True)
told["version"] = table.version
told["played on"] = open_game(table).game.revision
print(json.dumps(told))
"""


@pytest.mark.parametrize("path", GOLDEN, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_a_stored_game_opens_replays_and_is_played_on(path: Path, tmp_path: Path) -> None:
    stored = json.loads(path.read_bytes())
    database = gzip.decompress(path.with_suffix(".sqlite3.gz").read_bytes())
    (tmp_path / "roundhouse.sqlite3").write_bytes(database)
    environment = {k: v for k, v in os.environ.items() if k != "DATABASE_URL"}
    environment |= {
        "ROUNDHOUSE_DATA": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": settings.__name__,
    }
    done = subprocess.run(
        [sys.executable, "-c", OPEN], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["revision"] == told["played on"] == stored["revision"]
    assert told["opened"] == stored["digests"]
    assert told["replayed"] == stored["digests"]
    assert told["version"] == len(stored["digests"]) - 1 + 15


def test_the_first_golden_games_are_there() -> None:
    found = {p.stem for p in GOLDEN if p.parent.name == "0.1"}
    assert found >= {"1817", "1828", "1839", "18Ireland", "1873"}
