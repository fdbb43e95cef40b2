"""The games of a server for study: all that ended, and nothing about anybody."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import roundhouse
from roundhouse.web import dump, tables
from roundhouse.web.models import Table

OWN = Path(__file__).parents[1] / "games"
END = {"type": "end_game", "entity": 1, "entity_type": "player"}


def lines(path):
    with gzip.open(path, "rt", encoding="utf-8") as found:
        return [json.loads(line) for line in found]


@pytest.fixture
def ended(user):
    """A game that was played here, with talk in it, and its table."""
    user.username, user.email = "Zacharias", "zacharias@example.org"
    user.save()
    plan = tables.Plan("1817", ["Zacharias", "Yolanda", "Xerxes"], seed=5, hotseat=True,
                       description="Wednesday at Wilhelmina's")  # fmt: skip
    table = tables.create(user, plan)
    bid = {"type": "bid", "entity": 1, "entity_type": "player", "company": "PSM", "price": 20}
    talk = {"type": "message", "entity": 1, "entity_type": "player", "message": "hi Vanessa"}
    for action in (bid, talk, {"type": "undo", "entity": 1, "entity_type": "player"}, bid):
        tables.submit(table.pk, user, action, None)
    return tables.submit(table.pk, user, END, None, agreed=True)


def test_nothing_personal_is_in_it(ended, tmp_path):
    path = tmp_path / "games.jsonl.gz"
    assert dump.write(path) == (1, 0)
    text = gzip.decompress(path.read_bytes()).decode()
    for name in ("Zacharias", "Yolanda", "Xerxes", "Vanessa", "Wilhelmina", "example.org",
                 ended.invite, "message", "user", "created", "description", "invite"):  # fmt: skip
        assert name not in text, name
    assert b"Zacharias" not in path.read_bytes()
    (file,) = lines(path)
    assert [p["name"] for p in file["players"]] == ["Player 1", "Player 2", "Player 3"]
    assert [a["type"] for a in file["actions"]] == ["bid", "end_game"]
    assert set(file) == {"id", "title", "players", "rules_revision", "settings", "status", "turn",
                         "round", "result", "actions", "game_end_reason"}  # fmt: skip
    assert set(file["settings"]) == {"seed", "optional_rules"}
    assert path.stat().st_mode & 0o77 == 0


def test_its_games_can_be_played_again(user, ended, tmp_path):
    for file in sorted(OWN.glob("*/base.json"))[:3]:
        tables.import_file(user, file.read_bytes())
    tables.create(user, tables.Plan("1817", ["A", "B", "C"], hotseat=True))
    path = tmp_path / "games.jsonl.gz"
    written, held = dump.write(path, imported=True)
    assert (written, held) == (Table.objects.filter(status="finished").count(), 0)
    worths = [sorted(t.result.values()) for t in Table.objects.filter(status="finished")]
    for file in lines(path):
        game = roundhouse.load(file)
        assert game.finished
        assert sorted(game.result().values()) in worths


def test_what_is_wanted_is_in_it(user, ended, tmp_path):
    tables.import_file(user, (OWN / "1828" / "base.json").read_bytes())
    assert dump.write(tmp_path / "own.gz") == (1, 0)
    assert dump.write(tmp_path / "all.gz", imported=True) == (2, 0)
    assert dump.write(tmp_path / "public.gz", imported=True, public=True) == (1, 0)
    with pytest.raises(FileExistsError):
        dump.write(tmp_path / "own.gz")
