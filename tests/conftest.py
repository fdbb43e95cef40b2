"""Shared fixtures. Tests over the community's real games skip where they are not at hand."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

HERE = Path(__file__).parent
GAMES = HERE / "games"

settings.register_profile(
    "roundhouse", deadline=None, suppress_health_check=list(HealthCheck), print_blob=True
)
settings.load_profile("roundhouse")


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


@pytest.fixture(scope="session")
def reference() -> Path:
    """The reference folder; skips where it is absent."""
    path = reference_path()
    if path is None:
        pytest.skip("the reference games are not at hand")
    return path
