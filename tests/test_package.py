"""What somebody gets who installs the package: its types, its names, its files."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

import roundhouse
from roundhouse.titles.title import all_titles

ROOT = Path(__file__).parent.parent
SCRIPT = ROOT / "tests" / "typed" / "stranger.py"


def environment(**more: str) -> dict[str, str]:
    """This process's environment, without what leads to the checkout."""
    return {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | more


def ran(*command: str | Path, where: Path, **more: str) -> str:
    """What a command prints; fails with it."""
    done = subprocess.run(
        [str(c) for c in command],
        cwd=where,
        env=environment(**more),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# types


def test_strict_mypy_sees_real_types(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    config = tmp_path / "mypy.ini"
    config.write_text("[mypy]\nstrict = true\n")
    source = Path(roundhouse.__file__).parents[1]
    options = ("--config-file", config, "--cache-dir", tmp_path / "cache")
    ran(sys.executable, "-m", "mypy", *options, SCRIPT, where=tmp_path, MYPYPATH=str(source))


def test_strict_pyright_sees_real_types(tmp_path: Path) -> None:
    pytest.importorskip("basedpyright")
    source = Path(roundhouse.__file__).parents[1]
    (tmp_path / "stranger.py").write_text(SCRIPT.read_text())
    (tmp_path / "pyrightconfig.json").write_text(
        f'{{"typeCheckingMode": "strict", "extraPaths": ["{source.as_posix()}"]}}'
    )
    python = ("--pythonpath", sys.executable)
    ran(sys.executable, "-m", "basedpyright", *python, "-p", tmp_path, where=tmp_path)


# names


def test_the_version_is_told() -> None:
    assert roundhouse.__version__.count(".") == 2
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## {roundhouse.__version__}" in changes


# pickles


@pytest.mark.parametrize(
    "path", sorted(ROOT.glob("tests/games/*/base.json")), ids=lambda p: p.parts[-2]
)
def test_a_pickled_game_is_small_and_equal(path: Path) -> None:
    game = roundhouse.load(path)
    game.undo()
    raw = pickle.dumps(game)
    again = pickle.loads(raw)
    assert len(raw) < 60 * len(game.log) + 10_000
    assert again == game
    assert hash(again) == hash(game)
    assert again.dump() == game.dump()
    assert again.state == game.state
    assert [str(f) for _, f in again.findings] == [str(f) for _, f in game.findings]
    assert [e.events for e in again.log] == [e.events for e in game.log]
    middle = game.history[len(game) // 2].action.id or 0
    assert again.at(middle).state == game.at(middle).state
    game.redo()
    assert again != game
    again.redo()
    assert again.state == game.state


ERRORS = [
    roundhouse.IllegalAction("code", "A sentence.", "1.2"),
    roundhouse.GameFileError("is damaged", "players"),
    roundhouse.TitleDataError(["one", "two"]),
    roundhouse.OptionError("no"),
    roundhouse.UnknownName("none"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda e: type(e).__name__)
def test_errors_come_out_of_a_pickle_as_they_went_in(error: Exception) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.args, vars(again)) == (
        type(error),
        str(error),
        error.args,
        vars(error),
    )


def test_all_errors_are_of_one_tree() -> None:
    from roundhouse.model import errors

    raised = [e for e in vars(errors).values() if isinstance(e, type) and issubclass(e, Exception)]
    assert all(issubclass(e, roundhouse.RoundhouseError) for e in raised)
    told = errors.__doc__ or ""
    assert all(e.__name__ in told for e in raised)
    assert {e.__name__ for e in raised} <= set(roundhouse.__all__)


# arguments


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("options", "volatility"),
        ("options", [3]),
        ("options", 5),
        ("players", "abc"),
        ("players", ["Ada", "Ben", 3]),
        ("players", ["Ada", "Ben", {"id": 3}]),
        ("players", ["Ada", "Ben", ("Cleo", 3)]),
        ("players", ["Ada", "Ben", "Ada"]),
        ("players", ["Ada"]),
        ("seed", "x"),
        ("seed", 1.5),
        ("title", 1817),
        ("title", "Chess"),
        ("revision", "old"),
    ],
)
def test_a_wrong_argument_is_named(argument: str, value: object) -> None:
    given: dict = {"title": "1817", "players": ["Ada", "Ben", "Cleo"], argument: value}
    with pytest.raises(roundhouse.OptionError, match=argument):
        roundhouse.new(**given)


MORE_WRONG = {
    "source": lambda game: roundhouse.load(5),  # type: ignore[arg-type]
    "title": lambda game: roundhouse.find_title(1817),  # type: ignore[arg-type]
    "action_id": lambda game: game.at("x"),  # type: ignore[arg-type]
    "trains": lambda game: game.best_routes("A&S", trains="4"),
    "tile": lambda game: game.best_routes("A&S", tile="57"),  # type: ignore[arg-type]
    "effort": lambda game: game.best_routes("A&S", effort="x"),  # type: ignore[arg-type]
    "amounts": lambda game: game.space(amounts="x"),  # type: ignore[arg-type]
    "rotation": lambda game: game.draw_tile("57", rotation="x"),  # type: ignore[arg-type]
    "layers": lambda game: game.draw_map(layers="names"),
}


@pytest.mark.parametrize("argument", MORE_WRONG)
def test_a_wrong_argument_of_a_game_is_named(argument: str) -> None:
    game = roundhouse.new("1817", ["Ada", "Ben", "Cleo"], seed=1)
    with pytest.raises(roundhouse.OptionError, match=f"{argument}: .* wanted, not"):
        MORE_WRONG[argument](game)


def test_unknown_names_tell_those_there_are() -> None:
    from roundhouse import bots

    game = roundhouse.new("1817", ["Ada", "Ben", "Cleo"], seed=1)
    with pytest.raises(roundhouse.UnknownName, match="'fog'; there are coordinates"):
        game.draw_map(layers=["fog"])
    with pytest.raises(roundhouse.UnknownName, match="there are magnate"):
        bots.player("nobody", "", seed=1)
    with pytest.raises(roundhouse.UnknownName, match="at least 1"):
        game.space(amounts=0)


def test_what_one_looks_at_says_what_it_is() -> None:
    game = roundhouse.new("1817", ["Ada", "Ben", "Cleo"], seed=1)
    assert repr(roundhouse.find_title("1817")) == "<Title 1817>"
    assert repr(game.rules) == f"<Rules1817, revision {game.revision}>"
    space = game.space()
    assert repr(space) == f"<Space of {len(space)} actions in {len(space.choices)} choices>"


# pictures


@pytest.mark.parametrize("title", list(all_titles()))
def test_a_game_draws_itself(title: str) -> None:
    found = roundhouse.find_title(title)
    names = ["Ada", "Ben", "Cleo", "Dan"][: max(3, found.box.game.players.min)]
    game = roundhouse.new(title, names, seed=1)
    company, tile = next(iter(game.state.corporations)), next(iter(found.box.tiles.counts))
    drawn = (game, game.draw_map(), game.draw_market(), game.draw_charter(company),
             game.draw_tile(tile, 2))  # fmt: skip
    for one in drawn:
        assert one._repr_svg_().startswith("<svg ")
    assert repr(game).startswith(f"<Game {title}: Ada, Ben")
    for ask in (game.draw_charter, game.draw_tile):
        with pytest.raises(roundhouse.UnknownName, match="none such"):
            ask("none such")


# files


@pytest.fixture(scope="session")
def built(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source archive, built by the pinned backend."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("dist")
    command = (sys.executable, "-m", "hatchling", "build", "-d", folder)
    ran(*command, where=ROOT, ROUNDHOUSE_SITE=str(site))
    return folder


@pytest.fixture(scope="session")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment that has the wheel and what it needs, and nothing of the checkout."""
    pytest.importorskip("pip")
    place = tmp_path_factory.mktemp("venv")
    venv.create(place, with_pip=False)
    python = place / ("Scripts" if os.name == "nt" else "bin") / Path(sys.executable).name
    wheel = next(built.glob("*.whl"))
    pip = (sys.executable, "-m", "pip", "--python", python, "--no-cache-dir")
    ran(*pip, "install", "--no-deps", "--no-index", "--quiet", wheel, where=built)
    inside = ran(
        python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", where=built
    )
    needed = Path(inside.strip()) / "needed.pth"
    needed.write_text(sysconfig.get_path("purelib") + "\n")
    return python


def test_a_wheel_has_all_it_needs(built: Path) -> None:
    wheel = next(built.glob("*.whl"))
    assert wheel.name == f"roundhouse-{roundhouse.__version__}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert "roundhouse/py.typed" in names
    assert {"roundhouse/site/index.html", "roundhouse/site/rules/1817.html"} <= names
    for path in (ROOT / "src").rglob("*"):
        part = path.relative_to(ROOT / "src")
        if path.is_file() and not {"__pycache__", "site"} & set(part.parts):
            assert part.as_posix() in names, path
    for title in all_titles().values():
        if title._package.startswith("roundhouse."):
            folder = title._package.replace(".", "/")
            assert {f"{folder}/page.md", f"{folder}/rules.md"} <= names


def test_a_source_archive_makes_the_same_wheel(built: Path, tmp_path: Path) -> None:
    source = next(built.glob("*.tar.gz"))
    assert source.stat().st_size < 20_000_000
    with tarfile.open(source) as archive:
        archive.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.iterdir()
    ran(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path, where=folder)
    wheels = [next(where.glob("*.whl")) for where in (built, tmp_path)]
    first, second = (set(zipfile.ZipFile(w).namelist()) for w in wheels)
    assert first == second


def test_an_installed_package_works(installed: Path, tmp_path: Path) -> None:
    folder = installed.parent
    place = ran(installed, "-c", "import roundhouse; print(roundhouse.__file__)", where=tmp_path)
    assert Path(place).is_relative_to(folder.parent)
    assert roundhouse.__version__ in ran(folder / "roundhouse", "--version", where=tmp_path)
    listed = ran(folder / "roundhouse", "titles", where=tmp_path)
    ours = [t.id for t in all_titles().values() if t._package.startswith("roundhouse.")]
    assert all(title in listed for title in ours)
    ran(folder / "roundhouse", "random", "1817", "--games", "1", "--actions", "30", where=tmp_path)
    code = (
        "import roundhouse as r\n"
        "for t in r.all_titles().values(): assert t.page and t.rulebook, t.id\n"
        "game = r.new('18Ireland', ['A', 'B', 'C'], seed=1); print(len(game._repr_svg_()))"
    )
    assert int(ran(installed, "-c", code, where=tmp_path)) > 10_000


def test_an_installed_server_finds_its_files(installed: Path, tmp_path: Path) -> None:
    pytest.importorskip("django")
    code = (
        "import django; django.setup()\n"
        "from django.template.loader import get_template\n"
        "from django.contrib.staticfiles import finders\n"
        "from django.core.management import call_command\n"
        "call_command('check'); call_command('migrate', verbosity=0)\n"
        "from django.test import Client\n"
        "page = Client(SERVER_NAME='localhost').get('/docs/')\n"
        "assert page.status_code == 200, page; page.close()\n"
    )
    ran(
        installed,
        "-c",
        code,
        where=tmp_path,
        DJANGO_SETTINGS_MODULE="roundhouse.web.settings",
        ROUNDHOUSE_DATA=str(tmp_path),
    )
