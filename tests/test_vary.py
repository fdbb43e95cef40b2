"""What weights of the magnate are worth, when many are changed at once (benchmarks/vary.py)."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from roundhouse.bots.knowledge import knowledge_of
from roundhouse.titles.title import find_title

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture
def vary(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setattr(sys, "path", [*sys.path, str(BENCHMARKS)])
    return import_module("vary")


def test_what_a_change_brings_is_found_whatever_else_is_changed(vary: ModuleType) -> None:
    """Worth that rises by 3 % a deviation of one weight, falls by 2 % with another one, and has
    chance of 10 %."""
    rng = Random(5)
    games = []
    for _ in range(400):
        draws = [vary.drawn(rng) for _ in range(vary.SEATS)]
        worth = [
            2_000 * (1 + 0.03 * d["control"] - 0.02 * d["thrift"] + rng.gauss(0, 0.1))
            for d in draws
        ]
        games.append({"draws": draws, "worth": worth})
    found = {name: (slope, error) for name, slope, error in vary.fit(games)}
    assert list(found)[:2] == ["control", "thrift"]
    assert found["control"][0] == pytest.approx(0.03, abs=3 * found["control"][1])
    assert found["thrift"][0] == pytest.approx(-0.02, abs=3 * found["thrift"][1])
    # chance of 10 % in the three things a table of four tells, 400 times
    assert found["control"][1] == pytest.approx(0.1 / (3 * 400) ** 0.5, rel=0.15)
    wrong = [n for n, (slope, error) in found.items() if abs(slope) > 3.5 * error]
    assert sorted(wrong) == ["control", "thrift"]


def test_a_player_without_changes_has_the_weights_of_the_title(vary: ModuleType) -> None:
    known = knowledge_of(find_title("18Ireland"))
    still = dict.fromkeys(vary.drawn(Random(1)), 0.0)
    plain = vary.changed(known, still)
    assert plain.pace == known.pace
    assert plain.typical == known.typical
    assert plain.weights.control == known.weights.control
    assert plain.weights.track == known.weights.track
    # those that may be nothing are one of two values, whatever the title has
    assert plain.weights.thrift == 0.0
    more = vary.changed(known, {**still, "control": 2.0, "pace": 1.0, "thrift": 1.0})
    assert more.weights.control > 2 * known.weights.control
    assert all(more.pace[kind] > at for kind, at in known.pace.items() if at)
    assert more.weights.thrift > 0.0


def test_what_else_is_known_of_a_title_is_changed_without_its_weights(vary: ModuleType) -> None:
    known = knowledge_of(find_title("18Ireland"))
    draw = vary.drawn(Random(1), "title")
    still = dict.fromkeys(draw, 0.0)
    assert vary.changed(known, still) == known
    more = vary.changed(known, {**still, "private_rounds": 1.0, "most": -1.0, "otherwise": 0.5})
    assert more.private_rounds > known.private_rounds
    assert more.founding.most < known.founding.most
    assert more.founding.otherwise == 0.5 > known.founding.otherwise
    assert more.weights == known.weights
