"""The reference facts the drawings of all titles are tested with; skipped where absent."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def facts() -> Path:
    """The folder of reference material."""
    named = os.environ.get("ROUNDHOUSE_REFERENCE")
    root = Path(named) if named else HERE.parents[2] / "shared" / "reference"
    if not (root / "facts" / "tiles.json").is_file():
        pytest.skip("the reference facts are not at hand")
    return root
