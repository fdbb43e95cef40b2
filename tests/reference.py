"""Where the real games of the community and our own lie; tests over absent ones skip."""

from __future__ import annotations

import os
from pathlib import Path

HERE = Path(__file__).parent
GAMES = HERE / "games"


def reference_path() -> Path | None:
    """The folder of reference games and traces, if there is one."""
    named = os.environ.get("ROUNDHOUSE_REFERENCE")
    path = Path(named) if named else HERE.parent.parent / "shared" / "reference"
    return path if (path / "games").is_dir() else None


def real_games(title: str | None = None) -> list[Path]:
    """Real game files, of one title or all."""
    root = reference_path()
    if root is None:
        return []
    return sorted((root / "games").glob(f"{title or '*'}/*.json"))
