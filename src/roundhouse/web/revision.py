"""The version of the program, by which browsers tell old static files from new ones."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def _installed() -> str:
    try:
        return version("roundhouse")
    except PackageNotFoundError:
        return "unknown"


REVISION = _installed()
