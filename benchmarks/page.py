"""Figures of the table in a real Chromium: first load, updates, click to paint, late in real games.

    python benchmarks/page.py [GAME.json …] [--moves 40] [--at 0.9] [--worst]

Every game is imported up to nine tenths of its actions into a server of its own. The next ones are
sent by a click of the mouse at 1440×900, in the view the round suggests: on the button that offers
the action if it has one of its own, else on one the action is put into. Kilobytes are those on the
wire, headers included; ahead: those a page fetches by itself soon after it was loaded, for views it
will turn to. Click to paint goes from the click to the second frame after the page shows the new
state: by then the first has been painted. The server's share is the time from the request to the
first byte of the answer, the page's work the processor time of its main thread within that.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.web.browser import CHROMIUM, server
from tests.web.conftest import game_files

#: Finds the button to click for an action, and waits for the page to have shown it.
AIM = (Path(__file__).parent / "page.js").read_text()
#: What of the page's work is told apart, by the names the browser has for it.
WORK = ("ScriptDuration", "LayoutDuration", "RecalcStyleDuration", "TaskDuration")
#: Milliseconds within which a click should be painted.
QUICK = 100


class Wire:
    """What comes over the wire: address and bytes of every answer; and what the page has worked."""

    def __init__(self, page: Any) -> None:
        self.got: list[tuple[str, int]] = []
        self._names: dict[str, str] = {}
        self.line = page.context.new_cdp_session(page)
        self.line.on("Network.requestWillBeSent", self._sent)
        self.line.on("Network.loadingFinished", self._came)
        self.line.send("Network.enable")
        self.line.send("Network.setCacheDisabled", {"cacheDisabled": True})
        self.line.send("Performance.setTimeDomain", {"timeDomain": "threadTicks"})
        self.line.send("Performance.enable")

    def _sent(self, event: dict[str, Any]) -> None:
        self._names[event["requestId"]] = event["request"]["url"]

    def _came(self, event: dict[str, Any]) -> None:
        name = self._names.get(event["requestId"], "")
        self.got.append((name, int(event["encodedDataLength"])))

    def take(self) -> list[tuple[str, int]]:
        """What came since this was last asked."""
        taken, self.got = self.got, []
        return taken

    def work(self) -> dict[str, float]:
        """Processor seconds of the page's main thread until now, by kind."""
        metrics = self.line.send("Performance.getMetrics")["metrics"]
        return {m["name"]: m["value"] for m in metrics}


@dataclass
class Moved:
    """What one action took: bytes and requests, milliseconds."""

    size: int
    requests: int
    whole: float
    server: float
    work: dict[str, float]


@dataclass
class Figures:
    """What was measured at one table; bytes of the first load, and of what is fetched ahead."""

    name: str
    first: int = 0
    ahead: int = 0
    moves: list[Moved] = field(default_factory=list)

    def wire(self) -> str:
        """Its line in the table of what comes over the wire."""
        sizes = [m.size / 1000 for m in self.moves]
        told = [f"{self.first / 1000:.0f}", f"{self.ahead / 1000:.1f}", *spread(sizes, 1)]
        return row(self.name, *told, str(max((m.requests for m in self.moves), default=0)))

    def paint(self) -> str:
        """Its line in the table of times."""
        return painted(self.name, self.moves)


def row(*cells: str) -> str:
    """A line of a table."""
    return f"| {' | '.join(cells)} |"


def spread(values: list[float], digits: int = 0) -> tuple[str, str, str]:
    """Median, 95 % and most."""
    if not values:
        return ("–", "–", "–")
    figures = (statistics.median(values), share(values, 0.95), max(values))
    return tuple(f"{v:.{digits}f}" for v in figures)  # type: ignore[return-value]


def painted(name: str, moves: list[Moved]) -> str:
    """A line of times: click to paint, the server's share, the page's work, how many are quick."""
    quick = sum(m.whole <= QUICK for m in moves) / len(moves) if moves else 0
    whole, server = ([getattr(m, of) for m in moves] for of in ("whole", "server"))
    work = [m.work["TaskDuration"] for m in moves]
    cells = (*spread(whole), *spread(server), *spread(work), f"{quick:.0%}")
    return row(name, str(len(moves)), *cells)


def share(values: list[Any], part: float) -> Any:
    """The value that a part of all values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def shortened(path: Path, part: float, folder: Path) -> tuple[Path, list[dict[str, Any]]]:
    """The first part of a game as a file, and the actions that follow."""
    game = json.loads(path.read_bytes())
    cut = int(len(game["actions"]) * part)
    file = folder / "game.json"
    file.write_text(json.dumps({**game, "actions": game["actions"][:cut]}))
    return file, game["actions"][cut:]


def opened(page: Any, address: str, file: Path) -> None:
    """A game, imported and shown."""
    page.goto(f"{address}/import/")
    page.set_input_files("input[type=file]", file)
    page.get_by_role("button", name="Import").click()
    page.wait_for_selector("#panel-now .sentence", timeout=60_000)


def measured(page: Any, name: str, rest: list[dict[str, Any]], worst: bool) -> Figures:
    """The figures of a table that is shown, while actions are sent."""
    address = page.url
    page.goto("about:blank")  # what the import still loads is none of the first load
    found, wire = Figures(name), Wire(page)
    page.goto(address)
    page.wait_for_selector("#panel-now .sentence")
    page.wait_for_timeout(1500)
    loaded = wire.take()
    found.first = sum(size for _, size in loaded)
    if worst:
        for address, size in sorted(loaded, key=lambda one: -one[1])[:12]:
            print(f"    {size:7} {address}")
    page.wait_for_timeout(2500)
    found.ahead = sum(size for _, size in wire.take())
    for action in sendable(rest):
        page.mouse.move(*page.evaluate(AIM, action))
        page.wait_for_timeout(60)
        wire.take()
        before = wire.work()
        page.mouse.down()
        page.mouse.up()
        whole, server, refusal = page.evaluate("painted")
        after = wire.work()
        if refusal:
            print(f"    {name}: {refusal}", file=sys.stderr)
            break
        page.wait_for_timeout(350)
        came = wire.take()
        work = {part: 1000 * (after[part] - before[part]) for part in WORK}
        size = sum(size for _, size in came)
        found.moves.append(Moved(size, len(came), whole, server, work))
        if worst:
            names = ", ".join(f"{size} {urlsplit(name).path}" for name, size in came)
            parts = " ".join(f"{part[:6]} {work[part]:.0f}" for part in WORK)
            print(f"    {size:7} {whole:5.0f} {server:5.0f} {parts} {action['type']}: {names}")
    return found


def sendable(actions: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Actions as a page sends them: without number and what follows by itself."""
    for action in actions:
        if action["type"] in ("undo", "redo"):
            return
        if action["type"] != "message":
            yield {k: v for k, v in action.items() if k not in ("id", "created_at", "user")}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", type=Path)
    parser.add_argument("--moves", type=int, default=40)
    parser.add_argument("--at", type=float, default=0.9)
    parser.add_argument("--worst", action="store_true", help="every request and action by itself")
    asked = parser.parse_args()
    every: list[Figures] = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        with server(Path(folder) / "data") as address:
            for path in asked.games or game_files():
                page = browser.new_page(viewport={"width": 1440, "height": 900})
                file, rest = shortened(path, asked.at, Path(folder))
                opened(page, address, file)
                name = f"{path.parent.name}/{path.stem}"
                every.append(measured(page, name, rest[: asked.moves], asked.worst))
                print(every[-1].paint(), flush=True)
                page.close()
        browser.close()
    report(every)


def report(every: list[Figures]) -> None:
    """All that was measured, as tables."""
    print("\n| game | first load, kB | ahead, kB | update, kB | 95 % | most | requests |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for one in every:
        print(one.wire())
    told = ("click to paint, ms", "server", "page's work")
    heads = [head for name in told for head in (name, "95 %", "most")]
    print(f"\n{row('title', 'actions', *heads, f'within {QUICK} ms')}\n|---|{'--:|' * 11}")
    titles: dict[str, list[Moved]] = {}
    for one in every:
        titles.setdefault(one.name.partition("/")[0], []).extend(one.moves)
    for title, moves in titles.items():
        print(painted(title, moves))
    print(painted("all", [m for one in every for m in one.moves]))


if __name__ == "__main__":
    main()
