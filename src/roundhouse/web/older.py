"""Backups of earlier programs. They are read as what they were, into a database of their own, which
is then brought up to date as any other; a new backup of that can be restored.

``python -m roundhouse.web.older DATA MANIFEST NEW`` does it, as a process has one database.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

FAILED = "it could not be brought up to date"


def brought_up(data: Path, manifest: dict[str, Any]) -> Path:
    """A new backup of what an unpacked one holds, beside it. Raises :class:`OSError` with the
    reason if there can be none."""
    folder, new = data.parent / "older", data.parent / "new.zip"
    folder.mkdir(mode=0o700)
    (folder / "manifest.json").write_text(json.dumps(manifest))
    environment = {k: v for k, v in os.environ.items() if k != "DATABASE_URL"}
    environment |= {
        "ROUNDHOUSE_DATA": str(folder),
        "DJANGO_SETTINGS_MODULE": "roundhouse.web.settings",
    }
    command = [sys.executable, "-m", __name__, str(data), str(folder / "manifest.json"), str(new)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise OSError(f"{FAILED}: {(done.stderr.strip().splitlines() or ['?'])[-1]}")
    return new


def ends(migrations: Iterable[str]) -> list[tuple[str, str]]:
    """The last migration of each app, of those a manifest names."""
    named = (n.rpartition(".") for n in migrations)
    return list({app or "web": (app or "web", name) for app, _, name in sorted(named)}.values())


def main(data: Path, manifest: dict[str, Any], new: Path) -> None:
    """Read the rows, bring them up to date, write the new backup."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection, transaction
    from django.db.migrations.executor import MigrationExecutor

    from . import backups

    executor = MigrationExecutor(connection)
    others = [n for n in executor.loader.graph.leaf_nodes() if n[0] not in backups.labels()]
    wanted = [*others, *ends(manifest["migrations"])]
    executor.migrate(wanted)
    apps = MigrationExecutor(connection).loader.project_state(wanted).apps
    with transaction.atomic():
        count = _load(data, apps)
    counts = manifest["counts"]
    if count < (told := sum(counts.values())) or (count > told and backups.exact(counts)):
        raise ValueError("it does not hold what it says it holds")
    call_command("migrate", verbosity=0, interactive=False)
    backups.give_rights(manifest)
    backups.write(new)


def _load(data: Path, apps: Any) -> int:
    """Save all rows as rows of the models there were; how many."""
    from django.core.serializers import jsonl

    with open(data, encoding="utf-8") as lines:
        rows = jsonl.Deserializer(lines)
        rows._get_model_from_node = apps.get_model  # type: ignore[attr-defined]
        count = 0
        for row in rows:
            row.save()
            count += 1
    return count


if __name__ == "__main__":
    main(Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text()), Path(sys.argv[3]))
