"""Fixtures over the reference material, which lies outside the repository and may be absent."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import pytest

import roundhouse
from roundhouse.game import Game

from build1817 import Table


@cache
def _loaded(path: Path) -> Game:
    return roundhouse.load(path)


@pytest.fixture
def real1817(reference: Path) -> Callable[[str, int], Table]:
    """A real game of 1817 as it stood right after an action: ``real1817("15528", 523)``."""
    return partial(_table, reference, "1817")


@pytest.fixture
def real_family(reference: Path) -> Callable[[str, str, int], Table]:
    """The same of a title of its family: ``real_family("1817na", "25351", 135)``."""
    return partial(_table, reference)


def _table(reference: Path, title: str, name: str, action_id: int) -> Table:
    return Table.of(_loaded(reference / "games" / title / f"{name}.json").at(action_id))
