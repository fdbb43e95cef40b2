"""The command line."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

import roundhouse
from roundhouse import selfplay
from roundhouse.cli.main import main
from roundhouse.trace import write_trace


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    game = next(game for game in map(_played, range(20)) if not game.finished)
    game.apply({"type": "end_game", "entity": 1, "entity_type": "player"})
    game.save(tmp_path / "game.json")
    write_trace(game, tmp_path / "game.jsonl.gz")
    return tmp_path / "game.json"


def _played(seed: int) -> roundhouse.Game:
    """A game of some length, perhaps over already."""
    game = roundhouse.new("1817", ["Ada", "Ben", "[b]Cleo"], seed=seed)
    selfplay.play_on(game, Random(seed), actions=200, policy=selfplay.lively)
    return game


def run(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(main, [str(a) for a in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.output


def test_replay(saved: Path) -> None:
    code, text = run("replay", saved, "--trace", saved.parent)
    assert code == 0
    assert "[b]Cleo" in text
    assert "rules revision 1" in text
    assert "recorded result is the same" in text
    assert "agrees with the trace" in text


def test_replay_stops_at_the_first_fault(saved: Path) -> None:
    raw = json.loads(saved.read_bytes())
    raw["actions"][20]["entity"] = 77
    saved.write_text(json.dumps(raw))
    code, text = run("replay", saved)
    assert code == 1
    assert "actions[20]" in text


def test_replay_shows_what_differs(saved: Path) -> None:
    raw = json.loads(saved.read_bytes())
    del raw["actions"][-1]
    other = saved.parent / "other.json"
    other.write_text(json.dumps(raw))
    code, text = run("replay", other, "--trace", saved.with_suffix(".jsonl.gz"))
    assert code == 1
    assert "differs after action" in text


def test_replay_checks_the_recorded_result(saved: Path) -> None:
    raw = json.loads(saved.read_bytes())
    raw["result"]["1"] += 1
    saved.write_text(json.dumps(raw))
    code, text = run("replay", saved)
    assert code == 1
    assert "another result" in text


def test_broken_files(tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    for command in ("replay", "show"):
        code, text = run(command, broken)
        assert code == 1
        assert "no complete JSON" in text
    assert run("replay", tmp_path / "absent.json")[0] == 1


def test_show(saved: Path) -> None:
    code, text = run("show", saved, "--at", 100)
    assert code == 0
    assert "waits for" in text
    assert run("show", saved, "--at", 9999)[0] == 1
    code, text = run("show", saved)
    assert "manually ended" in text


def test_a_limit_that_is_none_is_not_shown(tmp_path: Path) -> None:
    file = Path(__file__).parent / "games/1873/base.json"
    assert "/99" not in run("show", file, "--at", 60)[1]


def test_what_companies_have_is_shown() -> None:
    """Privates of companies among it, and no column for loans in a title without them."""
    folder = Path(__file__).parent / "games"
    file = folder / "1817/base.json"
    game = roundhouse.load(file)
    held = {
        entry.action.id: c
        for entry in game.history
        for c in entry.state.companies.values()
        if c.owner in entry.state.corporations
    }
    at, company = next(iter(held.items()))
    table = run("show", file, "--at", at)[1].split("corporations by price")[1]
    assert company.id in table.split("trains:")[0]
    assert "loans" not in run("show", folder / "1828/base.json", "--at", 200)[1]


def test_nothing_is_told_twice() -> None:
    text = run("show", Path(__file__).parent / "games/1873/base.json", "--at", 10)[1]
    mines = [part.split(":")[0] for part in text.split("Mine ")[1:]]
    assert mines
    assert len(mines) == len(set(mines))


def test_random(tmp_path: Path) -> None:
    code, text = run(
        "random", "1817", "--players", 3, "--games", 2, "--actions", 40, "--save", tmp_path / "out"
    )
    assert code == 0
    assert "random games" in text
    assert len(list((tmp_path / "out").glob("*.json"))) == 2
    assert run("random", "nonsense")[0] == 1
    assert run("random", "1817", "--players", 2)[0] == 1


def test_titles() -> None:
    code, text = run("titles")
    assert code == 0
    assert "1817" in text
    assert "volatility" in text
    assert "rules revision 1" in text
