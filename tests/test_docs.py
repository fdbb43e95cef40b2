"""What the documents show is true."""

from __future__ import annotations

import ast
import contextlib
import doctest
import importlib.util
import io
import json
import re
import runpy
import shlex
import textwrap
import tomllib
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import roundhouse

ROOT = Path(__file__).parent.parent


PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")]


class Example(NamedTuple):
    """A block of a page: its language, its text, and the line it begins in."""

    language: str
    text: str
    line: int


def examples(page: Path) -> list[Example]:
    """The fenced blocks of a page."""
    text = page.read_text(encoding="utf-8")
    found = re.finditer(r"^( *)```(\w*)[^\n]*\n(.*?)^\1```", text, re.M | re.S)
    return [Example(m[2], textwrap.dedent(m[3]), text[: m.start()].count("\n") + 1) for m in found]


#: Pages with tests of their own: one needs a server (``tests/web``), one builds a title.
ELSEWHERE = {ROOT / "docs" / "api.md", ROOT / "docs" / "new-title.md"}
WITH_EXAMPLES = [p for p in PAGES if p not in ELSEWHERE and examples(p)]


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in that has what a checkout has for examples to read."""
    for name in ("tests", "docs", "examples"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "GAME.json").symlink_to(ROOT / "tests" / "games" / "1817" / "base.json")
    (tmp_path / "TRACE").symlink_to(ROOT / "tests" / "games" / "1817" / "base.jsonl.gz")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=name_of)
def test_the_examples_of_a_page_work(
    page: Path, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every example is run, in whatever language it is; those of one page in Python share their
    names, as in one session."""
    monkeypatch.setattr("roundhouse.titles.title._registered", {})
    names: dict[str, object] = {"roundhouse": roundhouse, "__name__": "page"}
    for example in examples(page):
        where = f"{name_of(page)}:{example.line}"
        match example.language:
            case "python":
                run_python(example, names, where)
            case "sh":
                for line in example.text.splitlines():
                    run_shell(line, where)
            case "json":
                json.loads(example.text)
            case "toml":
                tomllib.loads(example.text)
            case "" | "text":
                pass
            case other:
                pytest.fail(f"{where}: nothing runs examples in {other}")


def run_python(example: Example, names: dict[str, object], where: str) -> None:
    """A session is held against what it shows; a script is run."""
    if not example.text.startswith(">>>"):
        code = compile("\n" * example.line + example.text, where, "exec")
        with contextlib.redirect_stdout(io.StringIO()):
            exec(code, names)
        return
    test = doctest.DocTestParser().get_doctest(example.text, names, where, where, example.line)
    told: list[str] = []
    result = doctest.DocTestRunner().run(test, out=told.append, clear_globs=False)
    names.update(test.globs)
    assert result.failed == 0, "".join(told)


#: What is run besides being read; the others take long, or wait.
QUICK = {"convert", "replay", "routes", "show", "titles"}
#: Words of ``run.py`` itself.
OWN = {"test", "audit", "lock", "docs", "afternoon"}
#: What can be installed on top.
EXTRAS = set(
    tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
)


def test_the_notebook_is_the_page_and_runs(desk: Path) -> None:
    """Its cells are run as a notebook does it: the value of a cell's last line is shown."""
    source = runpy.run_path(str(ROOT / "docs" / "make_notebook.py"))["notebook"]()
    assert (ROOT / "docs" / "notebook.ipynb").read_text(encoding="utf-8") == source
    names: dict[str, object] = {"__name__": "__main__"}
    cells = [c for c in json.loads(source)["cells"] if c["cell_type"] == "code"]
    shown = [run_cell("".join(cell["source"]), names) for cell in cells]
    drawn = [s._repr_svg_() for s in shown if hasattr(s, "_repr_svg_")]
    assert len(drawn) == 6
    assert all(ElementTree.fromstring(svg).tag.endswith("svg") for svg in drawn)
    assert all(s is not None for s in shown)


def run_cell(text: str, names: dict[str, object]) -> object:
    """Run a cell; the value of its last line, if that has one."""
    tree = ast.parse(text)
    last = tree.body.pop()
    assert isinstance(last, ast.Expr)
    exec(compile(tree, "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def run_shell(line: str, where: str) -> None:
    """A command of ours is read by the program as it stands, and run if it is quick; a setting is
    one that is read."""
    words = shlex.split(line.replace("…", "").replace("[", "").replace("]", ""), comments=True)
    match words:
        case []:
            pass
        case ["python3", "run.py", *arguments] | ["roundhouse", *arguments]:
            run_command(arguments, where)
        case [setting, *_] if name := re.match(r"[A-Z_]+(?==)", setting):
            source = (ROOT / "src/roundhouse/web/settings.py").read_text(encoding="utf-8")
            assert name[0] in source, f"{where}: nothing reads {name[0]}"
        case ["pip", "install", *packages]:
            extras = re.findall(r"roundhouse\[(\w+)\]", line)
            assert set(extras) <= EXTRAS, f"{where}: {packages}"
        case ["python" | "python3", "-m", module, *_]:
            top = module.partition(".")[0]
            assert (ROOT / "examples" / top).exists() or importlib.util.find_spec(top), where
        case ["python" | "python3", script, *_]:
            compile((ROOT / script).read_text(encoding="utf-8"), script, "exec")
        case _:
            pytest.fail(f"{where}: nothing is known of {line!r}")


def run_command(arguments: list[str], where: str) -> None:
    from roundhouse.cli.main import main

    if not arguments:
        return
    name, *others = arguments
    if name in OWN:
        assert name in (ROOT / "run.py").read_text(encoding="utf-8")
        return
    given = [place_of(a) for a in others]
    main.commands[name].make_context(name, list(given))
    if name in QUICK:
        done = CliRunner().invoke(main, [name, *given])
        assert done.exit_code == 0, f"{where}: {done.output}"


def place_of(argument: str) -> str:
    """What stands for a word in capitals."""
    return {"DIR": "data", "FILE": "GAME.json"}.get(argument, argument)


def test_links_lead_somewhere() -> None:
    for page in [ROOT / "README.md", ROOT / "ARCHITECTURE.md", *ROOT.glob("docs/**/*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_links_to_sections_lead_to_a_heading() -> None:
    """A heading's anchor is its text in small letters, without punctuation, spaces as hyphens."""
    anchors = {
        page: {
            re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
            for heading in re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.M)
        }
        for page in (ROOT / "docs" / "rules").glob("*.md")
    }
    for page in [*ROOT.glob("docs/titles/*.md"), *anchors]:
        for file, anchor in re.findall(
            r"\]\(([^)#:]*)#([^)]+)\)", page.read_text(encoding="utf-8")
        ):
            book = (page.parent / file).resolve() if file else page
            assert anchor in anchors.get(book, ()), f"{page.name} links to {file}#{anchor}"


def test_pictures_can_be_drawn_again() -> None:
    """The pictures of the titles' pages are those the script draws."""
    spec = importlib.util.spec_from_file_location("draw", ROOT / "docs" / "draw.py")
    assert spec is not None
    assert spec.loader is not None
    draw = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(draw)
    general = {f.stem for f in (ROOT / "docs" / "pictures").glob("*.svg")}
    assert general == set(draw.GENERAL)
    for picture in draw.GENERAL.values():
        assert ElementTree.fromstring(picture().standalone()).tag.endswith("svg")
    folders = [f for f in (ROOT / "docs" / "titles").iterdir() if f.is_dir()]
    assert folders
    for folder in folders:
        pictures = draw.pictures(folder.name)
        assert {f.stem for f in folder.glob("*.svg")} == set(pictures)
        for picture in pictures.values():
            assert ElementTree.fromstring(picture().standalone()).tag.endswith("svg")


def test_nothing_names_a_package_mirror() -> None:
    """Pins carry names, versions and hashes only."""
    pin = r'[\w.\-]+(\[\w+\])?==[\w.]+( ?; \w+ [!=]= "\w+")?'
    digest = r"    --hash=sha256:[0-9a-f]{64}"
    for path in ROOT.glob("requirements/*.txt"):
        for line in path.read_text().splitlines():
            bare = line.removesuffix(" \\")
            assert not line or line.startswith("#") or re.fullmatch(f"{pin}|{digest}", bare)
