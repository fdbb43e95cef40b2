"""The commands for who keeps a server: verify, backup, restore; what the files are."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import subprocess
import sys
import zipfile
from datetime import datetime

import pytest
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.contrib.auth.management import create_permissions
from django.contrib.auth.models import Group as Crowd
from django.contrib.auth.models import Permission
from django.db.migrations.loader import MigrationLoader

from roundhouse.web import backups, tables
from roundhouse.web.deals.models import Deal
from roundhouse.web.models import Account, Move, Place, Snapshot, Table
from roundhouse.web.people.models import Group

from .browser import clean_environment
from .filled import everything, fill
from .test_integrity import small

assert small  # a fixture


def rows():
    """All rows; times to the millisecond, as backups keep them."""
    return {
        model.__name__: [
            {k: v.isoformat(timespec="milliseconds") if isinstance(v, datetime) else v
             for k, v in row.items()}
            for row in model.objects.order_by("pk").values()
        ]
        for model in (Table, Place, Move)
    }  # fmt: skip


def test_a_backup_is_restored_as_it_was(small, hotseat, other, tmp_path):
    before, file = rows(), tmp_path / "all.zip"
    counts = backups.write(file)
    assert counts["moves"] == 60
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    Move.objects.all().delete()
    Table.objects.filter(pk=hotseat.pk).delete()
    with pytest.raises(backups.BackupError, match="not empty"):
        backups.read(file)
    backups.read(file, replace=True)
    assert rows() == before
    assert not Snapshot.objects.exists()
    assert len(tables.open_game(Table.objects.get(pk=small.pk)).game.log) == 60
    new = tables.create(other, tables.Plan("1817", ["ben"], seats=3))
    assert new.pk > hotseat.pk  # numbers go on after the restored ones


def test_everything_there_is_comes_back(db, tmp_path):
    """A row of every model of every app."""
    fill()
    before, file = everything(), tmp_path / "all.zip"
    assert len(before) > 50
    assert all(before.values())
    backups.write(file)
    backups.read(file, replace=True)
    assert everything() == before


@pytest.mark.parametrize("damage", ["cut", "other", "newer", "fewer"])
def test_a_damaged_backup_changes_nothing(small, tmp_path, damage):
    file, bad = tmp_path / "all.zip", tmp_path / "bad.zip"
    backups.write(file)
    before = rows()
    if damage == "cut":
        bad.write_bytes(file.read_bytes()[:-300])
    else:
        spoil(file, bad, damage)
    with pytest.raises(backups.BackupError):
        backups.read(bad, replace=True)
    assert rows() == before


def spoil(file, bad, damage):
    with zipfile.ZipFile(file) as packed:
        manifest, data = json.loads(packed.read("manifest.json")), packed.read("data.jsonl")
    if damage == "other":
        data = data.replace(b"web.move", b"web.mvoe", 1)
    if damage == "newer":
        manifest["migrations"].append("9999_from_the_future")
    if damage == "fewer":
        data = data[: data.rstrip().rfind(b"\n") + 1]
    if damage != "other":
        manifest["sha256"] = hashlib.sha256(data).hexdigest()
    with zipfile.ZipFile(bad, "w") as packed:
        packed.writestr("manifest.json", json.dumps(manifest))
        packed.writestr("data.jsonl", data)


def run(data, *command):
    env = clean_environment()
    env.pop("DATABASE_URL", None)
    return subprocess.run(
        [sys.executable, "-m", "roundhouse", *command, "--data", str(data)],
        env=env, capture_output=True, text=True, timeout=120,
    )  # fmt: skip


SPOIL = """
import django
django.setup()
from roundhouse.web.models import Move
last = Move.objects.order_by("number").last()
Move.objects.filter(pk=last.pk).update(state_hash="0" * 16, position="1:" + "0" * 16)
"""


def test_the_commands_of_a_host(small, tmp_path):
    file, data = tmp_path / "all.zip", tmp_path / "data"
    backups.write(file)
    done = run(data, "restore", str(file))
    assert done.returncode == 0, done.stderr
    mode = stat.S_IMODE((data / "roundhouse.sqlite3").stat().st_mode)
    assert mode == 0o600
    number = str(small.pk)
    assert "60 actions as they were" in run(data, "verify").stdout
    env = os.environ | {"ROUNDHOUSE_DATA": str(data)}
    env.pop("DATABASE_URL", None)
    subprocess.run([sys.executable, "-c", SPOIL], env=env, check=True)
    told = run(data, "verify", number)
    assert told.returncode == 1
    assert "HELD from action 60 on" in told.stdout
    assert run(data, "verify", "--accept").returncode == 2
    assert run(data, "verify", number, "--accept").returncode == 0
    assert run(data, "verify").returncode == 0
    assert run(data, "verify", "999").returncode == 1
    assert run(data, "backup", str(tmp_path / "again.zip")).returncode == 0
    assert run(data, "backup", str(tmp_path / "again.zip")).returncode == 1


def test_the_database_file_is_private_and_acknowledged_moves_are_on_the_disk(db):
    from django.db import connection

    if connection.vendor != "sqlite":
        pytest.skip("SQLite only")
    with connection.cursor() as cursor:
        assert cursor.execute("PRAGMA synchronous").fetchone()[0] == 2
        assert cursor.execute("PRAGMA journal_mode").fetchone()[0] == "wal"


@pytest.fixture
def rights(db):
    """The permissions Django makes for our models."""
    create_permissions(apps.get_app_config("web"), verbosity=0)
    return list(Permission.objects.order_by("pk"))


def test_whatever_is_there_makes_room(small, other, rights, tmp_path):
    file = tmp_path / "all.zip"
    backups.write(file)
    chief = get_user_model().objects.create_superuser("chief")
    group = Group.objects.create(name="Thursday", owner=chief)
    group.members.add(chief, other)
    LogEntry.objects.log_actions(chief.pk, [group], 1)
    chief.user_permissions.add(rights[0])
    with pytest.raises(backups.BackupError, match="not empty"):
        backups.read(file)
    backups.read(file, replace=True)
    assert not Group.objects.exists()
    assert not get_user_model().objects.filter(username="chief").exists()


def test_rights_are_restored_by_name(rights, user, tmp_path):
    """In another database permissions have other numbers."""
    file = tmp_path / "all.zip"
    helpers = Crowd.objects.create(name="helpers")
    helpers.permissions.add(rights[3])
    user.user_permissions.add(rights[5])
    before = [rights[n].natural_key() for n in (3, 5)]
    backups.write(file)
    Permission.objects.all().delete()
    for right in rights[::-1]:
        Permission.objects.create(
            codename=right.codename, name=right.name, content_type=right.content_type
        )
    backups.read(file, replace=True)
    found = [
        *Crowd.objects.get().permissions.all(),
        *get_user_model().objects.get().user_permissions.all(),
    ]
    assert [p.natural_key() for p in found] == before


def later(*nodes):
    """The migrations from some on, as manifests name them."""
    graph = MigrationLoader(None).graph
    found = {m for node in nodes for m in graph.backwards_plan(node)}
    return {name if app == "web" else f"{app}.{name}" for app, name in found}


def by_names_of_early_manifests(counts):
    """Names that are shared are told of the last kind only."""
    return {str(apps.get_model(kind)._meta.verbose_name_plural): n for kind, n in counts.items()}


@pytest.mark.parametrize("early", [False, True], ids=["by kinds", "by names"])
def test_a_manifest_that_counts_by_names_is_understood(db, tmp_path, early):
    fill()
    file, told = tmp_path / "all.zip", tmp_path / "told.zip"
    backups.write(file)
    before = everything()
    with zipfile.ZipFile(file) as packed:
        manifest, data = json.loads(packed.read("manifest.json")), packed.read("data.jsonl")
    counts = manifest["counts"]
    assert sum(counts.values()) == len(data.splitlines())
    if early:
        counts = by_names_of_early_manifests(counts)
        assert sum(counts.values()) < len(data.splitlines())
    with zipfile.ZipFile(told, "w") as packed:
        packed.writestr("manifest.json", json.dumps(manifest | {"counts": counts}))
        packed.writestr("data.jsonl", data)
    backups.read(told, replace=True)
    assert everything() == before


@pytest.mark.parametrize("early", [False, True], ids=["by kinds", "by names"])
def test_a_backup_of_an_earlier_program_is_brought_up_to_date(small, user, tmp_path, early):
    """As it was when a table's question was a row of a kind that is no more."""
    file, old = tmp_path / "all.zip", tmp_path / "old.zip"
    Crowd.objects.create(name="helpers")
    Group.objects.create(name="Thursday", owner=user)
    Account.objects.update(skeleton="what was reckoned otherwise")
    backups.write(file)
    with zipfile.ZipFile(file) as packed:
        manifest, data = json.loads(packed.read("manifest.json")), packed.read("data.jsonl")
    lines = [json.loads(line) for line in data.splitlines()]
    for line in lines:
        line["fields"].pop("looks", None)
    place = Place.objects.first()
    question = {"action": '{"type":"undo"}', "asked": [place.number], "agreed": [], "by": user.pk,
                "place": place.pk, "table": place.table_id}  # fmt: skip
    lines.append({"model": "web.question", "pk": 7, "fields": question})
    data = "".join(json.dumps(row) + "\n" for row in lines).encode()
    new = later(("web", "0017_questions_are_deals"), ("deals", "0002_questions"))
    names = [n for n in manifest["migrations"] if n not in new]
    counts = manifest["counts"]
    assert counts["auth.group"] == counts["people.group"] == 1
    if early:
        counts = by_names_of_early_manifests(counts)
    counts = {k: n for k, n in counts.items() if n}
    counts |= {"questions" if early else "web.question": 1}
    told = {"migrations": names, "counts": counts, "sha256": hashlib.sha256(data).hexdigest()}
    with zipfile.ZipFile(old, "w") as packed:
        packed.writestr("manifest.json", json.dumps(manifest | told))
        packed.writestr("data.jsonl", data)
    before = rows()
    backups.read(old, replace=True)
    assert rows() == before
    assert Account.objects.get().skeleton == "anna"
    assert Deal.objects.get().parties == [place.number]
    assert len(tables.open_game(Table.objects.get(pk=small.pk)).game.log) == 60
