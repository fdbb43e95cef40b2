"""What the documents show is true."""

from __future__ import annotations

import doctest
import importlib.util
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import roundhouse

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("name", ["library", "routes"])
def test_examples_of_a_page(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    page = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    text = "\n\n".join(re.findall(r"```python\n(>>>.*?)```", page, re.S))
    test = doctest.DocTestParser().get_doctest(text, {"roundhouse": roundhouse}, "page", None, 0)
    result = doctest.DocTestRunner().run(test)
    assert result.attempted >= 4
    assert result.failed == 0


def test_readme_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    assert blocks
    for block in blocks:
        exec(block, {"print": lambda *_: None})
    assert (tmp_path / "game.json").exists()


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
