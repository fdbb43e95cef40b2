"""Makes the golden databases: one of each title, as the server of a release writes it.

    python tests/make_golden.py RELEASE [TITLE …]

They go to tests/golden/RELEASE and stay there for good; tests/web/test_golden.py opens them. Make
them once, when a release is due, and never again for the same release.
"""

from __future__ import annotations

import gzip
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

FOLDER = Path(__file__).parent / "golden"

#: title -> players, seed, actions
GAMES = {
    "1817": (4, 11, 260),
    "1817DE": (4, 4, 220),
    "1817NA": (3, 4, 220),
    "1817WO": (3, 36, 220),
    "1828": (4, 33, 260),
    "1839": (3, 3, 260),
    "18Ireland": (4, 4, 220),
    "1873": (3, 2, 260),
}


def make(release: str, title: str) -> None:
    """One database, packed, with the digests of its game beside it. Each is made in a process of
    its own, because a process of the server has one database."""
    with tempfile.TemporaryDirectory() as data:
        environment = os.environ | {
            "ROUNDHOUSE_DATA": data,
            "DJANGO_SETTINGS_MODULE": "roundhouse.web.settings",
        }
        command = [sys.executable, __file__, "--play", title]
        made = subprocess.run(command, env=environment, check=True, capture_output=True)
        folder = FOLDER / release
        folder.mkdir(parents=True, exist_ok=True)
        database = next(Path(data).glob("*.sqlite3"))
        with sqlite3.connect(database) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.execute("PRAGMA journal_mode=DELETE")
        connection.close()
        packed = gzip.compress(database.read_bytes(), 9, mtime=0)
        (folder / f"{title}.sqlite3.gz").write_bytes(packed)
        (folder / f"{title}.json").write_bytes(made.stdout)
        print(title, len(packed), len(made.stdout))


def play(title: str) -> None:
    """Play a table of a title in this process's database; print the digests of its states."""
    import django

    django.setup()
    from django.contrib.auth import get_user_model
    from django.core.management import call_command

    from roundhouse import selfplay
    from roundhouse.digest import digest
    from roundhouse.web.tables import Plan, create, open_game, submit

    call_command("migrate", verbosity=0, interactive=False)
    user = get_user_model().objects.create_user("golden")
    seats, seed, count = GAMES[title]
    names = [f"Player {n}" for n in range(1, seats + 1)]
    table = create(user, Plan(title=title, names=names, seed=seed, hotseat=True))
    rng = Random(seed)
    while table.version < count:
        game = open_game(table).game
        action = selfplay.lively(game, game.choices(), rng)
        table = submit(table.pk, user, action, table.version, agreed=True)
        if table.version in (20, 90, 180):
            speaker = {"entity": 1, "entity_type": "player"}
            for extra in ({"type": "undo"}, {"type": "redo"}, {"type": "message", "message": "hm"}):
                table = submit(table.pk, user, extra | speaker, table.version, agreed=True)
    game = open_game(table).game
    digests = [digest(game.rules, s) for s in (game.start, *(e.state for e in game.log))]
    print(json.dumps({"title": title, "revision": game.revision, "digests": digests}))


if __name__ == "__main__":
    if sys.argv[1] == "--play":
        play(sys.argv[2])
    else:
        for wanted in sys.argv[2:] or GAMES:
            make(sys.argv[1], wanted)
