"""The house rules of the code base, checked."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

import roundhouse
from roundhouse.titles.title import all_titles

SOURCE = Path(roundhouse.__file__).parent

#: Rooms from the ground up; a module imports only from its own floor or below. Titles above the
#: mechanisms, adapters above the game.
FLOORS = [
    {"model", "cluster"},
    {"bank", "board", "stock", "trains", "box"},
    {"rounds", "routes", "facts"},
    {"titles"},
    {"render"},
    {
        "export",
        "tolerance",
        "game",
        "gamefile",
        "history",
        "undo",
        "creation",
        "pickles",
        "refusals",
        "position",
        "consequences",
    },
    {
        "trace",
        "compare",
        "digest",
        "conformance",
        "transitions",
        "dealing",
        "clinch",
        "threats",
        "financing",
        "banker",
        "sandbox",
        "puzzles",
        "canonical",
        "offers",
        "selfplay",
        "engines",
        "deciding",
        "promises",
        "bots",
        "perft",
        "sentences",
    },
    {"title_check", "env", "arena", "interchange", "lessons"},
    {"cli", "web", "client", "__main__", "__init__"},
]


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(SOURCE.rglob("*.py")):
        inside = path.relative_to(SOURCE)
        yield (inside.parts[0] if len(inside.parts) > 1 else inside.stem), path


def imports(path: Path) -> Iterator[str]:
    """Rooms a module imports when it is loaded, type-checking imports included."""
    package = ("roundhouse", *path.relative_to(SOURCE).parts[:-1])
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = (*base, *(node.module or "").split("."))
            names = [*module, *(a.name for a in node.names)] if node.module is None else module
            if names[0] == "roundhouse":
                yield from ([p for p in names[1:2] if p] or [a.name for a in node.names])


def test_rooms_import_only_downwards() -> None:
    floor = {room: n for n, rooms in enumerate(FLOORS) for room in rooms}
    wrong = []
    for room, path in modules():
        assert room in floor, f"{room} is on no floor"
        for other in imports(path):
            if other in floor and floor[other] > floor[room]:
                wrong.append(f"{path.relative_to(SOURCE)} imports {other}")
    assert wrong == []


def test_the_core_names_no_title() -> None:
    words = [re.escape(w) for t in all_titles().values() for w in {t.id, t.file_title}]
    words += [r"g18\w+", r"18\d\d", "Harzbahn"]
    pattern = re.compile("|".join(rf"\b{w}\b" for w in words))
    allowed = {"__init__.py", "model/actions.py"}  # an example; the file format's own words
    for room, path in modules():
        name = path.relative_to(SOURCE).as_posix()
        if room != "titles" and name not in allowed:
            found = pattern.findall(path.read_text(encoding="utf-8"))
            assert not found, f"{name} names {found}"


def test_a_title_names_none_but_its_base() -> None:
    bases = {
        f"g{t.id.casefold()}": f"g{t.base.id.casefold()}" for t in all_titles().values() if t.base
    }
    folders = {f.name: f for f in (SOURCE / "titles").glob("g18*") if f.is_dir()}
    for name, folder in folders.items():
        others = folders.keys() - {name, bases.get(name)}
        for path in folder.rglob("*.py"):
            words = set(re.findall(r"\bg18\w+", path.read_text(encoding="utf-8")))
            assert not words & others, f"{path} names another title"


def test_exported_names() -> None:
    """What a user may rely on; a change here is a change of the public interface."""
    assert sorted(roundhouse.__all__) == [
        "Action",
        "BrokenInvariant",
        "Choice",
        "Domain",
        "Entry",
        "Game",
        "GameFileError",
        "IllegalAction",
        "OptionError",
        "RoundhouseError",
        "Rules",
        "State",
        "Stored",
        "Title",
        "TitleDataError",
        "UnknownName",
        "all_titles",
        "find_title",
        "load",
        "new",
        "replay",
    ]
    for name in roundhouse.__all__:
        assert getattr(roundhouse, name).__doc__, name


WRITTEN = [p for _, p in modules() if "migrations" not in p.parts]


@pytest.mark.parametrize("path", WRITTEN, ids=lambda p: p.stem)
def test_every_module_says_what_it_is(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree) or not tree.body, f"{path} has no docstring"


def flags() -> Iterator[tuple[type, str]]:
    """The class-level flags and tables of the mechanisms titles share, with their class."""
    for path in sorted((SOURCE / "rounds" / "steps").glob("*.py")):
        module = importlib.import_module(f"roundhouse.rounds.steps.{path.stem}")
        for cls in vars(module).values():
            if isinstance(cls, type) and cls.__module__ == module.__name__:
                said = vars(cls).get("__annotations__", {})
                yield from ((cls, name) for name, kind in said.items() if "ClassVar" in str(kind))


def below(cls: type) -> Iterator[type]:
    """All classes derived from one."""
    for derived in cls.__subclasses__():
        yield derived
        yield from below(derived)


FLAGS = list(flags())


def setting(cls: type, name: str) -> set[str]:
    """The packages of titles that set a flag of a mechanism."""
    for title in all_titles().values():
        title.contents()
    for module in ("operating", "stock"):
        importlib.import_module(f"fenland.{module}")
    found = {d.__module__.rpartition(".")[0] for d in below(cls) if name in vars(d)}
    return {package for package in found if not package.startswith("roundhouse.rounds")}


@pytest.mark.parametrize(("cls", "name"), FLAGS, ids=lambda x: getattr(x, "__name__", x))
def test_a_flag_is_told_and_set_by_more_than_one_title(cls: type, name: str) -> None:
    """What one title alone would set is an override there."""
    assert f"``{name}``" in (cls.__doc__ or ""), f"{cls.__name__} does not tell what {name} is"
    users = setting(cls, name)
    assert len(users) > 1, f"{cls.__name__}.{name} is set by {users or 'nobody'}"


def test_what_a_step_waits_for_is_in_the_record_of_its_round() -> None:
    found = 0
    for title in all_titles().values():
        rules = title.rules(frozenset(), 3)
        for progress, play in rules.rounds.items():
            for step in play.sequence:
                assert not step.occasion or step.occasion in progress.__struct_fields__
                found += bool(step.occasion)
    assert found


def test_what_follows_from_a_board_is_kept_in_one_place() -> None:
    keeping = [p for p in SOURCE.rglob("*.py") if "board.__dict__" in p.read_text(encoding="utf-8")]
    assert keeping == [SOURCE / "board" / "derived.py"]


def loadable() -> list[str]:
    """All modules that need no server."""
    found = pkgutil.walk_packages(roundhouse.__path__, "roundhouse.", onerror=lambda _: None)
    return [m.name for m in found if not m.name.startswith(("roundhouse.web", "roundhouse.__"))]


@pytest.mark.parametrize("name", loadable())
def test_no_name_hides_a_module(name: str) -> None:
    """Every module can be reached by its dotted name, as ``import a.b as c`` does."""
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        pytest.skip(f"needs {error.name}")
    found: object = roundhouse
    for part in name.split(".")[1:]:
        found = getattr(found, part)
        assert isinstance(found, types.ModuleType), f"{name}: {part} is hidden by {found!r}"
