"""Numbers of legal sequences from fixed positions: a change here is a change of a rule."""

from __future__ import annotations

import pytest

import roundhouse
from roundhouse.perft import divide, perft

from reference import GAMES

#: game, action id, step, sequences of one action, of two
POSITIONS = [
    ("base", 0, "auction", 408, None),
    ("base", 40, "auction", 7, 98),
    ("base", 90, "founding auction", 12, 74),
    ("base", 150, "dividend", 3, 6),
    ("base", 300, "track", 13, 670),
    ("base", 500, "home token", 9, 18),
    ("base", 700, "track", 13, 37578),
    ("volatility", 0, "auction", 192, None),
    ("volatility", 40, "auction", 31, 379),
    ("volatility", 90, "auction", 2, 120),
    ("volatility", 150, "stock turn", 393, None),
    ("volatility", 300, "buyer loans", 2, 3),
    ("volatility", 500, "discard", 5, 10),
    ("volatility", 700, "trains", 5762, None),
    ("document", 40, "auction", 11, 209),
    ("document", 90, "auction", 25, 425),
    ("document", 150, "founding auction", 32, 126),
    ("document", 300, "privates", 2, 6),
    ("document", 560, "home token", 10, 10),
    ("document", 700, "stock turn", 2, 93),
    ("document", 720, "track", 13, 1938),
]


@pytest.mark.parametrize(("name", "at", "step", "one", "two"), POSITIONS)
def test_perft(name: str, at: int, step: str, one: int, two: int | None) -> None:
    position = roundhouse.load(GAMES / "1817" / f"{name}.json").at(at)
    assert position.state.step == step
    assert perft(position, 1) == one
    if two is not None:
        assert perft(position, 2) == two


def test_divide_adds_up() -> None:
    position = roundhouse.load(GAMES / "1817" / "base.json").at(90)
    counts = divide(position, 2)
    assert len(counts) == 12
    assert sum(counts.values()) == 74
