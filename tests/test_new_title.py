"""The guide to a new title builds one: its files are taken from the page, checked and played."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

import roundhouse
from roundhouse import selfplay
from roundhouse.cli.main import main
from roundhouse.model.actions import Choose
from roundhouse.titles import title as registry
from roundhouse.titles.title import Title

PAGE = (Path(__file__).parent.parent / "docs" / "new-title.md").read_text(encoding="utf-8")
#: Every block of code: the file it is, if it is one, its language, its text.
BLOCKS = re.findall(r"(?:^\*\*`([^`\n]+)`\*\*\n\n)?^```(\w+)\n(.*?)^```", PAGE, re.M | re.S)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the package the page builds, from which it can be imported."""
    place = tmp_path_factory.mktemp("guide")
    for name, _, text in BLOCKS:
        if name:
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_text(text, encoding="utf-8")
    sys.path.insert(0, str(place))
    yield place
    sys.path.remove(str(place))
    for name in [m for m in sys.modules if m.partition(".")[0] == "skerry"]:
        del sys.modules[name]
    registry._registered.pop("Skerry", None)


@pytest.fixture
def skerry(folder: Path) -> Title:
    import skerry  # type: ignore[import-not-found]

    registry.register(skerry.TITLE)
    found: Title = skerry.TITLE
    return found


def blocks(language: str, *, files: bool = False) -> list[str]:
    return [text for name, kind, text in BLOCKS if kind == language and bool(name) == files]


def test_every_block_is_a_file_or_is_run_here() -> None:
    loose = {kind for name, kind, _ in BLOCKS if not name}
    assert loose == {"sh", "python"}
    assert len(BLOCKS) == PAGE.count("\n```") // 2
    names = [name for name, _, _ in BLOCKS if name]
    assert len(names) == len(set(names)) >= 14


def test_the_commands_of_the_page_find_it_sound(skerry: Title) -> None:
    (commands,) = blocks("sh")
    for line in commands.splitlines():
        program, *words = shlex.split(line)
        assert program == "roundhouse"
        done = CliRunner().invoke(main, words)
        assert done.exit_code == 0, done.output
        assert "Skerry is sound" in done.output


def test_the_session_of_the_page_runs(skerry: Title) -> None:
    (session,) = blocks("python")
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(session, "new-title.md", "exec"), {})
    first, second = said.getvalue().splitlines()
    assert first == "player:1 100"
    assert "NHR cannot choose" in second


def test_the_entry_point_of_the_page_is_the_title(skerry: Title) -> None:
    (text,) = blocks("toml", files=True)
    points = tomllib.loads(text)["project"]["entry-points"]["roundhouse.titles"]
    assert points == {"skerry": "skerry:TITLE"}


def test_its_own_step_and_its_own_route_rule_matter(skerry: Title) -> None:
    """In random games lighthouses are built and paid, and no route ever has two harbours."""
    built, two_stops = 0, 0
    for seed in range(8):
        game = roundhouse.new("Skerry", ["Ada", "Ben"], seed=seed)
        selfplay.play_on(game, Random(seed), actions=400, policy=selfplay.lively)
        built += sum(isinstance(e.action, Choose) for e in game.history)
        for name, railway in game.state.corporations.items():
            if railway.trains:
                model = game.route_model(name)
                for run in game.read_routes(game.best_routes(name).routes, name):
                    kinds = [model.node(stop).kind for stop in run.stops]
                    assert kinds.count("town") <= 1
                    two_stops += len(kinds) > 1
    assert built > 5
    assert two_stops > 2


def test_faults_of_its_data_are_named(folder: Path, skerry: Title) -> None:
    """What the page says one sees when something is spoilt."""
    place = folder / "skerry" / "data" / "corporations.json"
    sound = place.read_text(encoding="utf-8")
    place.write_text(sound.replace('"hex": "B1"', '"hex": "Z9"'), encoding="utf-8")
    try:
        other = Title("Skerry", "Skerry", "skerry", skerry.contents)
        with pytest.raises(roundhouse.TitleDataError, match="Z9"):
            _ = other.box
    finally:
        place.write_text(sound, encoding="utf-8")
