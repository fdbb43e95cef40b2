"""Games held against traces: every path that differs is told, once, and orders apart."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import roundhouse
from roundhouse import Game, selfplay
from roundhouse.compare import Difference, compare, differences
from roundhouse.trace import describe, write_trace

Lines = list[dict[str, Any]]


@pytest.fixture
def game() -> Game:
    game = roundhouse.new("1817", ["Ada", "Ben", "Cleo"], seed=4)
    selfplay.play_on(game, Random(4), actions=200, policy=selfplay.lively)
    return game


@pytest.fixture
def altered(game: Game, tmp_path: Path) -> Callable[[Callable[[Lines], object]], list[Difference]]:
    """Compare the game with its own trace after something in the lines was changed."""

    def compared(change: Callable[[Lines], object]) -> list[Difference]:
        path = tmp_path / "game.jsonl.gz"
        write_trace(game, path)
        with gzip.open(path, "rt", encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        change(lines)
        with gzip.open(path, "wt", encoding="utf-8") as file:
            file.write("\n".join(json.dumps(line) for line in lines))
        return compare(game, path)

    return compared


Compared = Callable[[Callable[[Lines], object]], list[Difference]]


def test_a_game_agrees_with_its_own_trace(altered: Compared) -> None:
    assert altered(lambda lines: None) == []


def test_all_paths_are_told_and_the_comparison_goes_on(altered: Compared) -> None:
    def change(lines: Lines) -> None:
        lines[0]["state"]["phase"] = "9"
        lines[0]["state"]["hexes"] = {"A1": {"tile": ["57-0", 1]}}
        lines[50].setdefault("d", {})["ors"] = 7
        lines[60].setdefault("d", {})["ors"] = 2
        lines[70].setdefault("d", {})["ors"] = 8

    found = [(d.action_id, d.path, d.theirs) for d in altered(change)]
    assert found == [(0, "phase", "9"), (0, "hexes.A1", {"tile": ["57-0", 1]}),
                     (50, "ors", 7), (70, "ors", 8)]  # fmt: skip


def _shared_out(seed: int) -> roundhouse.Game:
    game = roundhouse.new("1817", ["Ada", "Ben", "Cleo"], seed=seed)
    selfplay.play_on(game, Random(seed), actions=90, policy=selfplay.lively)
    return game


def _several(game: roundhouse.Game) -> bool:
    """Whether a player has two certificates of a company."""
    companies = game.state.corporations.values()
    return any(len(c.certs.get(p, ())) > 1 for c in companies for p in game.state.players)


def test_certificates_are_sets() -> None:
    game = next(g for g in map(_shared_out, range(40)) if _several(g))
    ours = describe(game.rules, game.state)
    theirs = json.loads(json.dumps(ours))
    who, corporation = next(
        (player, symbol)
        for player, body in theirs["players"].items()
        for symbol, held in body["shares"].items()
        if len(held) > 1
    )
    certificates = theirs["players"][who]["shares"][corporation]
    certificates.reverse()
    (found,) = differences(ours, theirs)
    assert found[0] == f"players.{who}.shares.{corporation}"
    assert found[3], "only the order differs"
    certificates[0] = [9, 10]
    (found,) = differences(ours, theirs)
    assert not found[3]


def test_no_loans_left_is_absent() -> None:
    ours = {"loans_left": 0, "acting": [], "companies": {}, "depot": {"upcoming": []}}
    theirs = {"acting": [], "companies": {}, "depot": {"upcoming": []}}
    assert list(differences(ours, theirs)) == []
    assert list(differences(theirs, ours)) == []
    assert [d[0] for d in differences(ours, theirs | {"loans_left": 3})] == ["loans_left"]
    game = roundhouse.new("1873", ["Ada", "Ben", "Cleo"])
    assert "loans_left" not in describe(game.rules, game.start)


def test_what_traces_say_of_whose_turn_it_is() -> None:
    """A private stands for its owner; who operates may be left out, but not be another one."""
    rest: dict[str, Any] = {"companies": {"DR": ["corporation:X", 0]}, "depot": {"upcoming": []}}
    ours = rest | {"acting": ["corporation:X"], "operator": "corporation:X"}
    theirs = rest | {"acting": ["company:DR"]}
    assert list(differences(ours, theirs)) == []
    assert list(differences(theirs | {"operator": "corporation:X"}, ours)) == []
    other = theirs | {"acting": ["company:TDR"], "operator": "corporation:Y"}
    assert [d[0] for d in differences(ours, other)] == ["acting", "operator"]


def test_other_actions_and_ends(altered: Compared) -> None:
    (found,) = altered(lambda lines: lines.pop(20))
    assert (found.action_id, found.path) == (21, "action")
    (found,) = altered(lambda lines: lines.pop())
    assert found.theirs == "has no end line"
    (found,) = altered(lambda lines: lines[-1].update(reason="bank"))
    assert found.path == "reason"
    paths = [d.path for d in altered(lambda lines: lines.pop(-2))]
    assert paths == ["history"]
