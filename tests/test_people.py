"""What people did in real games, as bots are asked about it (benchmarks/people.py)."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

import roundhouse

from reference import real_games

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.mark.parametrize("path", real_games("1817")[:2], ids=lambda p: p.stem)
def test_what_was_done_could_be_done_in_the_position_asked_about(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An order for later may act at once, for whoever gave it: what comes next comes after that."""
    monkeypatch.setattr(sys, "path", [*sys.path, str(BENCHMARKS)])
    questions = import_module("people").questions
    asked = list(questions(roundhouse.load(path), 7))
    assert len(asked) > 20
    for question in asked:
        assert question.position.is_legal(question.played), question.played
