"""Backups: all accounts and games in one file that either kind of database can be restored from.

The file is a zip of ``manifest.json`` and ``data.jsonl``, one object a line as Django writes them.
What can be made anew (snapshots) or is worth nothing later (sessions, tasks) is left out. What the
host allows accounts in the admin stands in the manifest by name: permissions have other numbers in
another database. A backup of an earlier program is brought up to date first (``older.py``).
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core.management import call_command
from django.core.serializers.base import DeserializationError
from django.db import DatabaseError, connection, transaction
from django.db.migrations.recorder import MigrationRecorder

from . import clock, older
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
            counts, rights = _counts(), _rights()
        manifest = {
            "roundhouse backup": FORMAT,
            "program": REVISION,
            "at": clock.now().isoformat(),
            "migrations": sorted(_migrations()),
            "counts": counts,
            "rights": rights,
            "sha256": _digest(raw),
        }
        try:
            _pack(path, raw, manifest)
        except OSError as error:
            raise BackupError(f"{path}: {error.strerror}") from error
    return by_name(counts)


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
        _check_room(replace)
        if set(manifest["migrations"]) != _migrations():
            manifest = _of_today(path, raw, manifest)
        try:
            with transaction.atomic():
                _make_room(replace)
                call_command("loaddata", str(raw), format="jsonl", verbosity=0)
                give_rights(manifest)
                if not _same(_counts(), manifest["counts"]):
                    raise BackupError("what was restored is not what the backup says it holds")
        except (DatabaseError, DeserializationError) as error:
            raise BackupError(f"{path}: {error}") from error
    open_games.clear()
    return by_name(manifest["counts"])


def _of_today(path: Path, raw: Path, manifest: dict[str, Any]) -> dict[str, Any]:
    """An unpacked backup of an earlier program as one of this program."""
    try:
        return _unpack(older.brought_up(raw, manifest), raw)
    except OSError as error:
        raise BackupError(f"{path}: {error}") from error


def _unpack(path: Path, raw: Path) -> dict[str, Any]:
    digest = hashlib.sha256()
    try:
        with zipfile.ZipFile(path) as packed:
            manifest: dict[str, Any] = json.loads(packed.read("manifest.json"))
            with packed.open("data.jsonl") as data, open(raw, "wb") as file:
                for line in data:
                    digest.update(line)
                    file.write(_without_rights(line) if _AUTH in line[:40] else line)
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise BackupError(f"{path} is no backup: {error}") from error
    if manifest.get("roundhouse backup") != FORMAT or manifest.get("sha256") != digest.hexdigest():
        raise BackupError(f"{path} is damaged, or of another format")
    if unknown := set(manifest["migrations"]) - _migrations():
        raise BackupError(f"the backup is of a newer program ({', '.join(sorted(unknown))})")
    return manifest


def _check_room(replace: bool) -> None:
    if not replace and any(_counts().values()):
        raise BackupError("the database is not empty; --replace throws away what it holds")


def _make_room(replace: bool) -> None:
    _check_room(replace)
    for model in _emptied():
        model._base_manager.all()._raw_delete(connection.alias)


def _emptied() -> list[Any]:
    """All kinds of rows that go when room is made: what hangs on others before them."""
    kept = reversed(_models())
    pairs = [f.remote_field.through for m in _models() for f in m._meta.local_many_to_many]
    return [apps.get_model("admin.logentry"), *pairs, *kept]


def _models() -> list[Any]:
    own = [model for app in _own() for model in app.get_models()]
    return [apps.get_model("auth.group"), apps.get_model("auth.user"), *own]


def _own() -> list[Any]:
    """Roundhouse's apps, each after those it builds on."""
    return [app for app in apps.get_app_configs() if app.name.startswith("roundhouse.")]


# rights


#: How lines of accounts and their groups begin, and what names their rights there.
_AUTH, _RIGHTS = b'"auth.', ("permissions", "user_permissions")
#: Who may be allowed something, and the field that tells.
_HOLDERS = {"auth.group": "permissions", "auth.user": "user_permissions"}


def _without_rights(line: bytes) -> bytes:
    row = json.loads(line)
    row["fields"] = {k: v for k, v in row["fields"].items() if k not in _RIGHTS}
    return json.dumps(row).encode() + b"\n"


def _rights() -> dict[str, dict[str, list[list[str]]]]:
    """What accounts and groups are allowed in the admin: rights by name, by their numbers."""
    told: dict[str, dict[str, list[list[str]]]] = {}
    for label, name in _HOLDERS.items():
        holders = apps.get_model(label)._base_manager.exclude(**{name: None}).distinct()
        told[label] = {
            str(h.pk): [list(p.natural_key()) for p in getattr(h, name).all()] for h in holders
        }
    return told


def give_rights(manifest: dict[str, Any]) -> None:
    """Allow restored accounts and groups what the manifest says, as far as there is such a
    right."""
    for label, holders in manifest.get("rights", {}).items():
        for pk, names in holders.items():
            holder = apps.get_model(label)._base_manager.get(pk=pk)
            known = [p for n in names for p in _named(n)]
            getattr(holder, _HOLDERS[label]).set(known)


def _named(name: list[str]) -> Any:
    code, app, model = name
    about = {"content_type__app_label": app, "content_type__model": model}
    return apps.get_model("auth.permission").objects.filter(codename=code, **about)


def _dumped() -> tuple[str, ...]:
    return ("auth.group", "auth.user", *(app.label for app in _own()))


def _counts() -> dict[str, int]:
    """How many rows of each kind there are, of those that are kept."""
    labels = ((m._meta.label_lower, m) for m in _models())
    return {label: m._base_manager.count() for label, m in labels if label not in _LEFT_OUT}


def by_name(counts: dict[str, int]) -> dict[str, int]:
    """Counts of rows by what people call them, as groups of friends and of rights; those of an
    early manifest are so already."""
    called = {m._meta.label_lower: str(m._meta.verbose_name_plural) for m in _models()}
    found = Counter[str]()
    for kind, count in counts.items():
        found[called.get(kind, kind)] += count
    return dict(found)


def exact(counts: dict[str, int]) -> bool:
    """Whether a manifest counts every kind apart: early ones did by names that two kinds may share,
    and tell of one of these only."""
    return any("." in kind for kind in counts)


def _same(ours: dict[str, int], told: dict[str, int]) -> bool:
    if exact(told):
        return ours == told
    named = by_name(ours)
    return all(named.get(kind, 0) >= count for kind, count in told.items())


def _migrations() -> set[str]:
    applied = MigrationRecorder(connection).applied_migrations()
    return {n if app == "web" else f"{app}.{n}" for app, n in applied if app in labels()}


def labels() -> set[str]:
    """What Roundhouse's apps are called."""
    return {app.label for app in _own()}


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
