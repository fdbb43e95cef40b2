"""What the program cites can be read: every section a title's code, options and help texts name."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import roundhouse
from roundhouse.titles.rulebook import section_of
from roundhouse.titles.title import Title, all_titles

SOURCE = Path(roundhouse.__file__).parent
SECTION = re.compile(r"F?\d{1,2}(\.\d{1,2})*")
OURS = [t for t in all_titles().values() if t.id != "Fenland"]
#: Calls and fields whose last text is the section a refusal rests on.
_CITING = {"refuse", "IllegalAction", "_raise", "insist"}


def cited_in(path: Path) -> Iterator[str]:
    """Sections a module cites: texts that can be nothing else, arguments and fields for one."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if "." in node.value and SECTION.fullmatch(node.value):
                yield node.value
        elif isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            last = node.args[-1] if node.args else None
            text = last.value if isinstance(last, ast.Constant) else None
            if name in _CITING and isinstance(text, str) and SECTION.fullmatch(text):
                yield text
        elif isinstance(node, ast.Assign):
            names = [getattr(t, "id", "") for t in node.targets]
            if "rule" in names and isinstance(node.value, ast.Constant) and node.value.value:
                yield str(node.value.value)


def cited(title: Title) -> set[str]:
    """Everything a title cites: its steps, its code, its options and help texts."""
    rules = title.rules(frozenset(), title.box.game.players.max)
    found = {step.rule for play in rules.rounds.values() for step in play.sequence}
    found |= {option.rule for option in title.box.game.options}
    for text in title.box.help.values():
        found |= set(re.findall(r"§(F?\d+(?:\.\d+)*)", text))
    for path in (SOURCE / "titles" / f"g{title.id.casefold()}").rglob("*.py"):
        found |= set(cited_in(path))
    return found - {""}


@pytest.mark.parametrize("title", OURS, ids=lambda t: t.id)
def test_every_section_cited_can_be_read(title: Title) -> None:
    assert title.rulebook, f"{title.id} has no rulebook"
    missing = [n for n in cited(title) if (title.find_section(n) or ("", ""))[1] != n]
    assert not missing, f"{title.id} cites {sorted(missing)}, which its rulebook has not"


@pytest.mark.parametrize("title", OURS, ids=lambda t: t.id)
def test_every_company_and_option_is_in_the_rulebook(title: Title) -> None:
    text = title.rulebook
    for company in title.box.companies.values():
        assert re.search(rf"\b{re.escape(company.id)}\b", text), company.id
    for corporation in title.box.corporations.values():
        assert re.search(rf"(?<![\w&]){re.escape(corporation.id)}(?![\w&])", text), corporation.id
    for option in title.box.game.options:
        told = option.name.casefold() in text.casefold() or option.id in text
        assert told or title.base, option.name


def test_the_package_carries_the_texts_of_its_titles() -> None:
    root = Path(__file__).parent.parent
    build = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    carried = build["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    texts = {f"docs/{kind}/{t.id.casefold()}.md" for t in OURS for kind in ("titles", "rules")}
    assert texts <= carried.keys()
    assert all((root / text).is_file() for text in texts)


def test_the_number_of_a_section() -> None:
    assert section_of("5.1.4 Selling") == "5.1.4"
    assert section_of("F4.4 Nieuw Zeeland") == "F4.4"
    assert section_of("Words") == ""


def test_rules_speak_of_the_game_alone() -> None:
    """No file format, no other program."""
    for path in (Path(__file__).parent.parent / "docs" / "rules").glob("*.md"):
        text = path.read_text(encoding="utf-8")
        found = re.findall(r"18xx\.games|reference|practice|JSON|seed value", text, re.IGNORECASE)
        assert not found, f"{path.name}: {found}"
