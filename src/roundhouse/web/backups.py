"""Backups: all accounts and games in one file that either kind of database can be restored from.

The file is a zip of ``manifest.json`` and ``data.jsonl``, one object a line as Django writes them.
What can be made anew (snapshots) or is worth nothing later (sessions, tasks) is left out.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core.management import call_command
from django.core.serializers.base import DeserializationError
from django.db import DatabaseError, connection, transaction
from django.db.migrations.recorder import MigrationRecorder

from . import clock
from .revision import REVISION
from .tables import open_games

FORMAT = 1
#: What can be made anew, or would be told once more.
_LEFT_OUT = (
    "web.snapshot",
    "web.upload",
    "web.looking",
    "searches.routesearch",
    "explorer.indexed",
    "explorer.moment",
    "notices.notice",
    "notices.delivery",
)


class BackupError(Exception):
    """The backup cannot be written or read; the database is as it was."""


def write(path: Path) -> dict[str, int]:
    """Write a backup of one moment, whatever goes on meanwhile; what it holds, by kind.

    Raises :class:`BackupError` if the file exists or cannot be written.
    """
    with _beside(path) as raw:
        with _one_moment():
            call_command(
                "dumpdata",
                *_dumped(),
                exclude=_LEFT_OUT,
                format="jsonl",
                output=str(raw),
                verbosity=0,
            )
            counts = _counts()
        manifest = {
            "roundhouse backup": FORMAT,
            "program": REVISION,
            "at": clock.now().isoformat(),
            "migrations": sorted(_migrations()),
            "counts": counts,
            "sha256": _digest(raw),
        }
        try:
            _pack(path, raw, manifest)
        except OSError as error:
            raise BackupError(f"{path}: {error.strerror}") from error
    return counts


def _pack(path: Path, raw: Path, manifest: dict[str, Any]) -> None:
    with (
        open(path, "xb", opener=lambda p, flags: os.open(p, flags, 0o600)) as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed,
    ):
        packed.writestr("manifest.json", json.dumps(manifest, indent=1))
        packed.write(raw, "data.jsonl")


def read(path: Path, *, replace: bool = False) -> dict[str, int]:
    """Restore a backup into an empty database; ``replace``: into one that is emptied first.

    Raises :class:`BackupError`; the database is as it was then.
    """
    with _beside(path) as raw:
        manifest = _unpack(path, raw)
        try:
            with transaction.atomic():
                _make_room(replace)
                call_command("loaddata", str(raw), format="jsonl", verbosity=0)
                if _counts() != manifest["counts"]:
                    raise BackupError("what was restored is not what the backup says it holds")
        except (DatabaseError, DeserializationError) as error:
            raise BackupError(f"{path}: {error}") from error
    open_games.clear()
    return dict(manifest["counts"])


def _unpack(path: Path, raw: Path) -> dict[str, Any]:
    try:
        with zipfile.ZipFile(path) as packed:
            manifest: dict[str, Any] = json.loads(packed.read("manifest.json"))
            with packed.open("data.jsonl") as data, open(raw, "wb") as file:
                while block := data.read(1 << 20):
                    file.write(block)
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise BackupError(f"{path} is no backup: {error}") from error
    if manifest.get("roundhouse backup") != FORMAT or manifest.get("sha256") != _digest(raw):
        raise BackupError(f"{path} is damaged, or of another format")
    if unknown := set(manifest["migrations"]) - _migrations():
        raise BackupError(f"the backup is of a newer program ({', '.join(sorted(unknown))})")
    return manifest


def _make_room(replace: bool) -> None:
    if not replace and any(_counts().values()):
        raise BackupError("the database is not empty; --replace throws away what it holds")
    for model in reversed(_models()):
        model._base_manager.all()._raw_delete(connection.alias)


def _models() -> list[Any]:
    own = [model for app in _own() for model in app.get_models()]
    return [apps.get_model("auth.group"), apps.get_model("auth.user"), *own]


def _own() -> list[Any]:
    """Roundhouse's apps, each after those it builds on."""
    return [app for app in apps.get_app_configs() if app.name.startswith("roundhouse.")]


def _dumped() -> tuple[str, ...]:
    return ("auth.group", "auth.user", *(app.label for app in _own()))


def _counts() -> dict[str, int]:
    kept = [m for m in _models() if m._meta.label_lower not in _LEFT_OUT]
    return {str(m._meta.verbose_name_plural): m._base_manager.count() for m in kept}


def _migrations() -> set[str]:
    applied = MigrationRecorder(connection).applied_migrations()
    labels = {app.label for app in _own()}
    return {n if app == "web" else f"{app}.{n}" for app, n in applied if app in labels}


def _digest(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """A private place for the unpacked data, on the disk the backup is on."""
    try:
        folder = tempfile.TemporaryDirectory(prefix=".roundhouse-", dir=path.resolve().parent)
    except OSError as error:
        raise BackupError(f"{path}: {error.strerror}") from error
    with folder as name:
        yield Path(name) / "data.jsonl"


@contextmanager
def _one_moment() -> Iterator[None]:
    """Everything that is read is of one moment; nobody who writes has to wait."""
    before = getattr(connection, "transaction_mode", None)
    if connection.vendor == "sqlite":
        connection.ensure_connection()
        connection.transaction_mode = "DEFERRED"  # type: ignore[attr-defined]
    try:
        with transaction.atomic():
            if connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    finally:
        if connection.vendor == "sqlite":
            connection.transaction_mode = before  # type: ignore[attr-defined]
