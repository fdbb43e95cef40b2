"""The version of the rules the server plays by."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def _installed() -> str:
    try:
        return version("roundhouse")
    except PackageNotFoundError:
        return "unknown"


REVISION = _installed()
