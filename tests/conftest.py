"""Shared fixtures. Tests over the community's real games skip where they are not at hand."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest
from filelock import FileLock
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


@pytest.fixture(scope="session")
def builder() -> ModuleType:
    """The script that builds the site of the documents."""
    pytest.importorskip("zensical")
    path = Path(__file__).parents[1] / "docs" / "build_site.py"
    spec = importlib.util.spec_from_file_location("build_site", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["build_site"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def site(builder: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built once for all processes that test; its building raises for warnings, broken
    links and what loads from elsewhere."""
    folder = tmp_path_factory.getbasetemp()
    if os.environ.get("PYTEST_XDIST_WORKER"):
        folder = folder.parent
    place = folder / "site"
    with FileLock(folder / "site.lock"):
        if not place.exists():
            builder.build(place)
    return place
