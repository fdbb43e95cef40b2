"""Folders that last as long as the process of the tests, and no longer."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from pathlib import Path


def folder(name: str) -> Path:
    """A new empty folder, which is taken away when the process ends."""
    found = tempfile.mkdtemp(prefix=f"roundhouse-{name}-")
    atexit.register(shutil.rmtree, found, ignore_errors=True)
    return Path(found)
