"""Fixtures over the reference material, which lies outside the repository and may be absent."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
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

    def at(name: str, action_id: int) -> Table:
        file = reference / "games" / "1817" / f"{name}.json"
        return Table.of(_loaded(file).at(action_id))

    return at
