"""Builds the site of these documents.

    python docs/build_site.py [FOLDER]    # else into src/roundhouse/site, where the server finds it

The pages are these documents, those beside them in the checkout (the design, how to contribute, the
changes), and for each title its rules with pictures of its map, market and tiles, drawn anew. The
site is made by Zensical; then scripts written into pages are moved into files, as pages may run
none of their own, and every link is followed. A warning or a link that leads nowhere fails it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote, urldefrag

import roundhouse
from roundhouse.titles.title import Title

ROOT = Path(__file__).parents[1]
PLACE = ROOT / "src" / "roundhouse" / "site"

#: Pages that lie elsewhere in the checkout, by their names on the site.
ELSEWHERE = {
    "design.md": "ARCHITECTURE.md",
    "contributing.md": "CONTRIBUTING.md",
    "changes.md": "CHANGELOG.md",
    "fenland.md": "examples/fenland/page.md",
}

#: The pages by part of the site; of titles there are all.
PARTS: dict[str, list[tuple[str, str]]] = {
    "": [("Start", "index.md")],
    "Play": [
        ("At the table", "play.md"),
        ("Over weeks", "weeks.md"),
        ("Study", "study.md"),
        ("Hosting", "hosting.md"),
        ("The server", "server.md"),
    ],
    "Titles": [],
    "Build": [
        ("The library", "library.md"),
        ("In a notebook", "notebook.md"),
        ("A new title", "new-title.md"),
        ("A title's data", "data.md"),
        ("Fenland, an example", "fenland.md"),
        ("Over HTTP", "api.md"),
        ("Bots", "bots.md"),
        ("How the bots grew", "bots-history.md"),
        ("The engine protocol", "engine-protocol.md"),
        ("Games in other forms", "convert.md"),
        ("A game file", "game-file.md"),
        ("Environments", "environment.md"),
    ],
    "The engine": [
        ("Design", "design.md"),
        ("Routes", "routes.md"),
        ("Performance", "performance.md"),
        ("Checks", "checks.md"),
        ("Revisions of rules", "revisions.md"),
        ("Contributing", "contributing.md"),
        ("Changes", "changes.md"),
    ],
}


class BrokenSite(Exception):
    """The site would not be whole; says what is wrong, a line each."""


def build(place: Path = PLACE) -> None:
    """Build the site into a folder, in place of what is there. Raises :class:`BrokenSite`."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        gather(folder / "docs")
        (folder / "zensical.toml").write_text(configuration(folder / "docs"), encoding="utf-8")
        run(folder)
        made = folder / "site"
        for page in made.rglob("*.html"):
            page.write_text(without_inline(page, made), encoding="utf-8")
        (made / STYLE).write_text(OURS, encoding="utf-8")
        mend_scripts(made)
        if faults := sorted(set(broken_links(made))):
            raise BrokenSite("\n".join(faults))
        if place.exists():
            shutil.rmtree(place)
        shutil.copytree(made, place)


def run(folder: Path) -> None:
    """Let Zensical make the site; a warning is a fault."""
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    environment = os.environ | {"NO_COLOR": "1", "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode or not (folder / "site" / "index.html").exists():
        raise BrokenSite(done.stdout + done.stderr)


# the pages


def gather(docs: Path) -> None:
    """All pages and pictures in one folder, with links that hold there."""
    shutil.copytree(ROOT / "docs", docs, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    for name, original in ELSEWHERE.items():
        if (ROOT / original).exists():
            shutil.copy(ROOT / original, docs / name)
    draw = drawing()
    for name, picture in draw.GENERAL.items():
        (docs / "pictures" / f"{name}.svg").write_text(picture().standalone(), encoding="utf-8")
    for title in roundhouse.all_titles().values():
        if (docs / "rules" / f"{title.id.lower()}.md").exists():
            illustrate(docs, title, draw)
    where = {ROOT / s: docs / n for n, s in ELSEWHERE.items() if (docs / n).exists()}
    for page in docs.rglob("*.md"):
        source = ROOT / ELSEWHERE.get(page.name, f"docs/{page.relative_to(docs)}")
        text = relinked(page.read_text(encoding="utf-8"), page, source, docs, where)
        page.write_text(anchored(text), encoding="utf-8")


def drawing() -> ModuleType:
    """The script that draws the pictures of titles."""
    spec = importlib.util.spec_from_file_location("draw", ROOT / "docs" / "draw.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def illustrate(docs: Path, title: Title, draw: ModuleType) -> None:
    """Map, market and tiles of a title, at the end of its page."""
    name = title.id.lower()
    folder = docs / "titles" / name
    folder.mkdir(exist_ok=True)
    for picture, made in draw.pictures(title.id).items():
        (folder / f"{picture}.svg").write_text(made().standalone(), encoding="utf-8")
    page = docs / "titles" / f"{name}.md"
    text = page.read_text(encoding="utf-8")
    for picture, words in (("map", "The map"), ("market", "The market"), ("tiles", "The tiles")):
        if f"{name}/{picture}.svg" not in text:
            text += f"\n## {words}\n\n![{words} of {title.id}]({name}/{picture}.svg)\n"
    page.write_text(text, encoding="utf-8")


def relinked(text: str, page: Path, source: Path, docs: Path, where: dict[Path, Path]) -> str:
    """The text of a page with its links as they are on the site; what lies in the checkout alone
    is named, not linked."""

    def link(match: re.Match[str]) -> str:
        mark, words, target = match[1], match[2], match[3]
        path, fragment = urldefrag(target)
        if not path or "://" in path or path.startswith("mailto:"):
            return match[0]
        there = (source.parent / path).resolve()
        inside = where.get(there) or docs / os.path.relpath(there, ROOT / "docs")
        if not inside.resolve().is_relative_to(docs.resolve()) or not inside.exists():
            return words
        new = os.path.relpath(inside, page.parent) + (f"#{fragment}" if fragment else "")
        return f"{mark}[{words}]({new})"

    return re.sub(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)", link, text)


def anchored(text: str) -> str:
    """A page whose headings have the anchors links in the checkout use: the text in small letters,
    without punctuation, spaces as hyphens."""
    seen: Counter[str] = Counter()
    lines, fenced = [], False
    for line in text.splitlines():
        fenced ^= line.lstrip().startswith("```")
        if not fenced and (heading := re.match(r"#+ (.+)", line)):
            words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1])
            anchor = re.sub(r"[^\w\- ]", "", words.strip().lower()).replace(" ", "-")
            again = f"-{seen[anchor]}" if seen[anchor] else ""
            seen[anchor] += 1
            line += f" {{ #{anchor}{again} }}"
        lines.append(line)
    return "\n".join(lines) + "\n"


def configuration(docs: Path) -> str:
    """The settings of the site: no fonts or anything else from other hosts."""
    parts = {part: [p for p in pages if (docs / p[1]).exists()] for part, pages in PARTS.items()}
    for title in roundhouse.all_titles().values():
        name = title.id.lower()
        if (docs / "rules" / f"{name}.md").exists():
            parts["Titles"].append((title.id, f"titles/{name}.md"))
            parts["Titles"].append((f"{title.id}: rules", f"rules/{name}.md"))
    listed = {page for pages in parts.values() for _, page in pages}
    for page in sorted(docs.glob("*.md")):
        if page.name not in listed:
            words = page.read_text(encoding="utf-8").partition("\n")[0].strip("# ")
            parts["Build"].append((words.partition(" {")[0], page.name))
    nav = []
    for part, pages in parts.items():
        entries = ", ".join(f'{{ "{words}" = "{page}" }}' for words, page in pages)
        nav.append(f'  {{ "{part}" = [{entries}] }},' if part else f"  {entries},")
    return SETTINGS + "nav = [\n" + "\n".join(nav) + "\n]\n" + THEME


SETTINGS = """[project]
site_name = "Roundhouse"
site_description = "A home for 18xx"
docs_dir = "docs"
site_dir = "site"
use_directory_urls = false
"""

THEME = """
[project.theme]
font = false
favicon = "icon.svg"
logo = "icon.svg"
features = ["navigation.tabs", "navigation.sections", "navigation.top", "toc.follow",
            "content.code.copy", "search.highlight"]

[[project.theme.palette]]
scheme = "default"
media = "(prefers-color-scheme: light)"
toggle.icon = "lucide/sun"
toggle.name = "Switch to dark"

[[project.theme.palette]]
scheme = "slate"
media = "(prefers-color-scheme: dark)"
toggle.icon = "lucide/moon"
toggle.name = "Switch to light"
"""

#: What we add to the style of the theme: alignments of tables, and colors one can read.
STYLE = "assets/stylesheets/roundhouse.css"
OURS = """.align-left{text-align:left}.align-center{text-align:center}.align-right{text-align:right}
body[data-md-color-scheme][data-md-color-scheme=default]{--md-accent-fg-color:#2f43bd}
body[data-md-color-scheme][data-md-color-scheme=slate]{--md-accent-fg-color:#93a5ff}
"""

# what pages may hold


def without_inline(page: Path, site: Path) -> str:
    """A page without scripts and styles written into it (scripts go into files, alignments become
    classes), and without the links to lines of examples, which say nothing to who hears them."""
    text = page.read_text(encoding="utf-8")
    up = os.path.relpath(site, page.parent)

    def script(match: re.Match[str]) -> str:
        name = f"inline-{hashlib.sha256(match[1].encode()).hexdigest()[:12]}.js"
        (site / "assets" / "javascripts" / name).write_text(match[1], encoding="utf-8")
        return f'<script src="{up}/assets/javascripts/{name}"></script>'

    text = re.sub(r"<script>(.*?)</script>", script, text, flags=re.S)
    text = re.sub(r'<a id="__codelineno[^>]*></a>', "", text)
    text = re.sub(r' style="text-align: (\w+);?"', r' class="align-\1"', text)
    if found := re.search(r"<style|\sstyle=|\son\w+=\"", re.sub(r"<code.*?</code>", "", text)):
        around = text[found.start() : found.start() + 80]
        raise BrokenSite(f"{page.relative_to(site)}: written into the page: {around!r}")
    return text.replace("</head>", f'<link rel="stylesheet" href="{up}/{STYLE}"></head>', 1)


#: What is mended in the theme's script: what it is about, what is there, what is put in its place.
MENDED = (
    ("the style of the search, which it writes into the page instead of adopting a sheet",
     r'(\w+)\.appendChild\(\w+\("style",\{\},(\w+)\.toString\(\)\)\)',
     r"\1.adoptedStyleSheets=[(s=>(s.replaceSync(\2.toString()),s))(new CSSStyleSheet)]"),
    ("the button of an example, which is no landmark",
     r'"nav",(\{class:"md-code__nav"\})', r'"div",\1'),
    ("wide tables, which are to be scrolled by keys as well",
     r'(\{class:"md-typeset__scrollwrap")\}', r"\1,tabindex:0}"),
)  # fmt: skip


def mend_scripts(site: Path) -> None:
    """Mend the theme's script. Raises :class:`BrokenSite` where what is to be mended is not as it
    was, once."""
    bundles = list((site / "assets" / "javascripts").glob("bundle.*.js"))
    if not bundles:
        raise BrokenSite("the theme has no bundle.*.js")
    for bundle in bundles:
        text = bundle.read_text(encoding="utf-8")
        for what, there, instead in MENDED:
            text, count = re.subn(there, instead, text)
            if count != 1:
                raise BrokenSite(f"{bundle.name}: not to be found: {what}")
        bundle.write_text(text, encoding="utf-8")


class Links(HTMLParser):
    """What a page links to and loads, and the names in it that can be linked to."""

    def __init__(self) -> None:
        super().__init__()
        self.targets: list[tuple[str, str]] = []
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.names.add(value)
            if name in ("href", "src") and value:
                self.targets.append((tag, value))


def broken_links(site: Path) -> Iterator[str]:
    """Every link within the site that leads nowhere, and everything loaded from elsewhere."""
    pages = {page.resolve(): Links() for page in site.rglob("*.html")}
    for page, links in pages.items():
        links.feed(page.read_text(encoding="utf-8"))
    for page, links in pages.items():
        name = page.relative_to(site.resolve())
        if name.name == "404.html":
            continue
        for tag, target in links.targets:
            path, fragment = urldefrag(unquote(target))
            if "://" in path or path.startswith(("mailto:", "data:")):
                if tag != "a":
                    yield f"{name}: loads {target}"
                continue
            there = (page.parent / path).resolve() if path else page
            there = there / "index.html" if there.is_dir() else there
            if not there.exists():
                yield f"{name}: leads to {target}"
            elif fragment and there in pages and fragment not in pages[there].names:
                yield f"{name}: leads to {target}, where there is no such heading"


if __name__ == "__main__":
    try:
        build(Path(sys.argv[1]) if len(sys.argv) > 1 else PLACE)
    except BrokenSite as broken:
        sys.exit(str(broken))
