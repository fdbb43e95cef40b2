"""Shared fixtures. Tests over the community's real games skip where they are not at hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from reference import reference_path

settings.register_profile(
    "roundhouse", deadline=None, suppress_health_check=list(HealthCheck), print_blob=True
)
settings.load_profile("roundhouse")


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--size N``: so many times as much of what has a size, as fuzzing."""
    parser.addoption("--size", type=int, default=1)


@pytest.fixture(scope="session")
def reference() -> Path:
    """The reference folder; skips where it is absent."""
    path = reference_path()
    if path is None:
        pytest.skip("the reference games are not at hand")
    return path
