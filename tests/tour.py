"""A tour of the table: every title at its moments, measured and pictured in a real Chromium.

    python tests/tour.py [TITLE …] [--moment NAME …] [--size NAME …] [--pictures DIR] [--table]

Real games where there are some, else our own, are cut at an auction, a founding, a stock round, a
tile, a train run, a train to buy, a merger and the end, and shown at 1440×900, 1920×1080 and on a
phone, light and dark. Measured: type (≥ 9 px, ≥ 11 px on the full map), names left out of the map
(≤ 5 %, none the company at work reaches) or cut below four letters, market and map whole, text that
is cut, overlaps or leaves the window, contrast of what is drawn, and axe-core. Ends with 1 if
anything is wrong.
"""

from __future__ import annotations

import argparse
import base64
import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.web.browser import CHROMIUM, axe_faults, server
from tests.web.conftest import game_files

import roundhouse
from roundhouse.game import Game
from roundhouse.render.tokens import contrast
from roundhouse.titles.title import all_titles

MEASURES = (Path(__file__).parent / "web/measures.js").read_text()
#: Name of a size → window, and whether it is touched.
SIZES = {"desk": (1440, 900, False), "wide": (1920, 1080, False), "phone": (390, 844, True)}
SCHEMES = ("light", "dark")
#: Moment → the steps it may be in, the first that a game has, and how far through these.
MOMENTS: dict[str, tuple[tuple[str, ...], float]] = {
    "auction": (("auction", "premium"), 0.5),
    "founding": (("founding auction", "par", "draft", "minor auction", "stock"), 0.2),
    "stock": (("stock turn", "stock"), 0.67),
    "track": (("track",), 0.67),
    "routes": (("routes",), 0.8),
    "trains": (("trains", "equipment"), 0.5),
    "merger": (("merger", "merger vote", "merger proposal", "merge"), 0.5),
    "end": (("",), 1.0),
}
LEAST, LEAST_FULL = 9.0, 11.0
#: Contrast of type, and of the letters of a token, whose name stands beside it.
CONTRAST, CONTRAST_MARK = 4.5, 3.0


@dataclass
class Visit:
    """What was found at one moment of one title at one size."""

    title: str
    moment: str
    size: str
    least: float = 99.0
    hidden: str = "–"
    faults: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return f"{self.title}-{self.moment}-{self.size}"


def longest(title: str) -> Path:
    """The game of a title to look at: the one with most actions."""
    files = [p for p in game_files() if p.parent.name.casefold() == title.casefold()]
    return max(files, key=lambda p: p.stat().st_size)


def cuts(game: Game) -> dict[str, Game]:
    """The moments of a game that it has."""
    found = {}
    for moment, (steps, part) in MOMENTS.items():
        for step in steps:
            at = [e.action.id for e in game.history if e.state.step == step]
            if at:
                found[moment] = game.at(at[min(len(at) - 1, int(part * len(at)))])
                break
    return found


def opened(page: Any, address: str, game: Game, folder: Path) -> str:
    """Import a game; gives the address of its table."""
    file = folder / "game.json"
    file.write_text(json.dumps(game.dump()))
    page.goto(f"{address}/import/")
    page.set_input_files("input[type=file]", file)
    page.locator("main form button").first.click()
    page.wait_for_selector("#panel-now .sentence", timeout=60_000)
    return str(page.url)


def settled(page: Any) -> None:
    """Wait until the page is drawn, with its type."""
    page.wait_for_selector("#panel-now .sentence")
    page.wait_for_load_state("load")
    page.wait_for_timeout(450)


# judging


def color(text: str) -> tuple[int, int, int] | None:
    """A computed colour as numbers; None if it is none."""
    if not text.startswith("rgb"):
        return None
    parts = [float(v) for v in text[text.index("(") + 1 : -1].replace("/", ",").split(",")]
    return None if parts[3:] == [0.0] else (int(parts[0]), int(parts[1]), int(parts[2]))


def hexed(parts: Any) -> str:
    return "#" + "".join(f"{min(255, int(v)):02x}" for v in parts)


def sliver(text: dict[str, Any]) -> bool:
    """Whether less than half of a line of text is in sight: at the edge of a map that is looked at
    in part, or under its tools."""
    (_, top, _, bottom), (_, high, _, low) = text["box"], text["whole"]
    return bool(bottom - top < 0.5 * (low - high))


def faint(page: Any, texts: list[dict[str, Any]]) -> list[str]:
    """What is drawn and cannot be told from what it lies on."""
    drawn = [t for t in texts if t["drawn"] and color(t["color"]) and not sliver(t)]
    png = base64.b64encode(page.screenshot()).decode()
    inks = [color(t["color"]) for t in drawn]
    ratio = page.evaluate("devicePixelRatio")
    grounds = page.evaluate(
        "([png, boxes, colors, ratio]) => grounds(png, boxes, colors, ratio)",
        [png, [t["box"] for t in drawn], inks, ratio],
    )
    told = []
    for text, ink, ground in zip(drawn, inks, grounds, strict=True):
        found = contrast(hexed(ink), hexed(ground))
        least = CONTRAST_MARK if text["css"] == "rh-mark" else CONTRAST
        if found < least - 0.3:  # colours of the picture are rounded
            told.append(f"faint {text['text']!r} ({text['css']}) {found:.1f}")
    return told


def overlaps(texts: list[dict[str, Any]]) -> Iterator[str]:
    """Texts that lie on each other."""
    inner = []
    for text in texts:
        left, top, right, bottom = text["box"]
        rim = 0.22 * (bottom - top)
        inner.append((left + 0.5, top + rim, right - 0.5, bottom - rim))
    for n, a in enumerate(inner):
        for m, b in enumerate(inner[n + 1 :], start=n + 1):
            deep = min(a[2] - b[0], b[2] - a[0]), min(a[3] - b[1], b[3] - a[1])
            prices = texts[n]["css"] == texts[m]["css"] == "rh-price"
            if min(deep) > (-2 if prices else 1.5) and texts[n]["layer"] == texts[m]["layer"]:
                yield f"overlap {texts[n]['text']!r} / {texts[m]['text']!r} ({texts[n]['css']})"


def reached(game: Game) -> set[str]:
    """Hexes in the reach of the company at work."""
    found: set[str] = set()
    for actor in game.acting:
        if actor in game.state.corporations:
            nodes = game.rules.reach(game.state.board, actor).nodes
            found |= {hex_ for hex_, _ in nodes}
    return found


def judged(visit: Visit, said: dict[str, Any], reach: set[str]) -> None:
    """Note what is wrong with what was measured."""
    texts, names = said["texts"], said["names"]
    visit.least = min(visit.least, *(t["px"] for t in texts))
    small = {f"small {t['text']!r} ({t['css']}) {t['px']}" for t in texts if t["px"] < LEAST}
    visit.faults += sorted(small)
    visit.faults += dict.fromkeys(overlaps(texts))
    visit.faults += [f"cut {c}" for c in said["cut"]]
    visit.faults += [f"read alike {a}" for a in said["alike"]]
    visit.faults += [f"legend {name} at the next swatch" for name in said["legend"]]
    if said["wide"] > 0:
        visit.faults.append(f"wider than the window by {said['wide']}")
    if said["view"] in ("shares", "map") and visit.size != "phone":
        for part in ("market", "map"):
            if said[part] is not None and said[part] < 0.99:
                visit.faults.append(f"{part} {said[part]:.0%} in sight")
    if said["view"] == "map" and names["all"]:
        visit.hidden = f"{len(names['left'])}/{names['all']}"
        if len(names["left"]) > 0.05 * names["all"]:
            visit.faults.append(f"hidden names {names['left']}")
        visit.faults += [f"hidden in reach {n}" for n in names["left"] if n["hex"] in reach]
        for short in names["short"]:
            if any(len(w.rstrip(".")) < 4 for w in short["written"].split() if w.endswith(".")):
                visit.faults.append(f"name cut to {short['written']}")


def look(page: Any, visit: Visit, reach: set[str], pictures: Path | None) -> None:
    """Measure a page that is open, light and dark."""
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        page.evaluate(MEASURES)
        said = page.evaluate("measured()")
        if scheme == "light":
            judged(visit, said, reach)
        visit.faults += [f"{scheme}: {f}" for f in dict.fromkeys(faint(page, said["texts"]))]
        if visit.size != "wide":  # which is the same page
            visit.faults += [f"{scheme}: axe {f}" for f in axe_faults(page)]
        if pictures:
            page.screenshot(path=pictures / f"{visit.name}-{scheme}.png")


def full(page: Any, visit: Visit) -> None:
    """Measure the map in the whole window."""
    page.locator("body").press("f")
    page.wait_for_timeout(450)
    page.evaluate(MEASURES)
    drawn = [t for t in page.evaluate("measured()")["texts"] if t["css"] in ("rh-name", "rh-price")]
    small = [t for t in drawn if t["px"] < LEAST_FULL]
    visit.faults += [f"full map: {t['text']!r} {t['px']}" for t in small]


def tour(asked: argparse.Namespace) -> list[Visit]:
    """Go everywhere that is asked for."""
    visits = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        with server(Path(folder) / "data") as address:
            for title in asked.titles or all_titles():
                game = roundhouse.load(json.loads(longest(title).read_text()))
                for moment, cut in cuts(game).items():
                    if not asked.moment or moment in asked.moment:
                        visits += _moment(browser, address, cut, (title, moment), asked)
        browser.close()
    return visits


def _moment(
    browser: Any, address: str, game: Game, name: tuple[str, str], asked: argparse.Namespace
) -> Iterator[Visit]:
    table = ""
    with tempfile.TemporaryDirectory() as folder:
        for size in asked.size or SIZES:
            width, height, touch = SIZES[size]
            context = browser.new_context(
                viewport={"width": width, "height": height}, has_touch=touch, bypass_csp=True
            )
            page = context.new_page()
            table = table or opened(page, address, game, Path(folder))
            page.goto(table)
            settled(page)
            visit = Visit(*name, size)
            look(page, visit, reached(game), asked.pictures)
            if size != "phone" and name[1] == "track":
                full(page, visit)
            context.close()
            report(visit)
            yield visit


def report(visit: Visit) -> None:
    figures = (visit.name, f"{visit.least:.1f}", visit.hidden, str(len(visit.faults)))
    print(f"| {' | '.join(figures)} |", flush=True)
    for fault in visit.faults:
        print(f"    {fault}", flush=True)


def main() -> int:
    """Tour, and tell what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("titles", nargs="*")
    parser.add_argument("--moment", nargs="*", choices=MOMENTS)
    parser.add_argument("--size", nargs="*", choices=SIZES)
    parser.add_argument("--pictures", type=Path)
    asked = parser.parse_args()
    if asked.pictures:
        asked.pictures.mkdir(parents=True, exist_ok=True)
    visits = tour(asked)
    return 1 if any(v.faults for v in visits) else 0


if __name__ == "__main__":
    sys.exit(main())
