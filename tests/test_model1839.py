"""The engine and an independent model of 1839's rules text agree, action by action."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from compare1839 import ROSTERS, Hunt
from model1839 import Model, Refused, best
from model1839.make_data import text

MODEL = Path(__file__).parent / "model1839"


def test_the_model_imports_nothing_of_the_engine() -> None:
    files = sorted(MODEL.rglob("*.py"))
    assert files
    for path in files:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [a.name for a in node.names] if isinstance(node, ast.Import) else []
            wrong = [n for n in names if n.split(".")[0] in ("roundhouse", "importlib")]
            assert not wrong, f"{path.name} imports {wrong}"
            called = isinstance(node, ast.Name) and node.id in ("__import__", "exec", "eval")
            assert not called, f"{path.name} may import by {node.id}"


def test_its_data_are_the_facts(reference: Path) -> None:
    facts = json.loads((reference / "facts" / "1839.json").read_text(encoding="utf-8"))
    assert (MODEL / "data.json").read_text(encoding="utf-8") == text(facts)


def test_a_refused_action_changes_nothing() -> None:
    model = Model([1, 2, 3], 5)
    before = model.view()
    with pytest.raises(Refused, match=r"3\.1"):
        model.apply({"type": "pass", "entity": 2, "entity_type": "player"})
    assert model.view() == before


@pytest.mark.parametrize("seed", range(100, 106))
def test_engine_and_model_agree(seed: int) -> None:
    """Random games with a short roster: the same state after every action, and the same judgement
    of actions that may or may not be legal."""
    roster = sorted(ROSTERS)[seed % len(ROSTERS)]
    hunt = Hunt(seed, roster)
    hunt.play(350, tries=2)
    assert hunt.wrong == []
    assert hunt.judged["legal"]
    assert hunt.judged["illegal"]


def test_they_agree_in_the_last_phases() -> None:
    """Cheap trains lead a game through all phases to the end it has by its rules."""
    hunt = Hunt(6000, "cheap")
    hunt.push = True
    hunt.play(3_000, every=3, tries=1)
    assert hunt.wrong == []
    assert hunt.game.state.phase == "Black"
    assert hunt.game.end_reason is not None


@pytest.mark.parametrize("seed", [201, 202, 203, 204])
def test_they_agree_what_routes_earn_at_most(seed: int) -> None:
    """Whenever a company has trains and few enough routes to try all sets of them."""
    hunt, asked = Hunt(seed, "cheap"), 0
    hunt.push = True
    for _ in range(20):
        hunt.play(20, every=99, tries=0)
        assert hunt.wrong == []
        asked += sum(_agreed(hunt))
    assert asked > 10


def _agreed(hunt: Hunt) -> Iterator[bool]:
    state = hunt.model.state
    for company in [c for c, trains in state.trains.items() if trains]:
        try:
            most = best.most(state, company)
        except best.TooMany:
            continue
        answer = hunt.game.best_routes(company, effort=10**7)
        assert answer.optimal
        assert answer.revenue == most, company
        yield most > 0
