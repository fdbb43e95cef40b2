"""Figures of the table in a real Chromium: first load, updates, click to paint, late in real games.

    python benchmarks/page.py [GAME.json …] [--moves 40] [--at 0.9] [--worst]

Every game is imported up to nine tenths of its actions into a server of its own. The next ones are
sent by a click on the page at 1440×900, in the view the round suggests. Kilobytes are those on the
wire, headers included; milliseconds go from the click to the end of the frame that shows the new
state.
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

from engine import files

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.web.browser import CHROMIUM, server

#: Puts an action into the form that takes one back, and clicks its button.
CLICK = """([action, version]) => new Promise((done) => {
  const button = document.querySelector("[data-undo]");
  button.form.elements.action.value = action;
  button.insertAdjacentHTML("beforebegin", '<input type="hidden" name="agreed" value="1">');
  const bar = () => Number(document.getElementById("panel-bar").dataset.version);
  const before = bar();
  const start = performance.now();
  const swapped = () => {
    if (bar() === before && !document.querySelector("#panel-now .refusal")) return;
    document.removeEventListener("htmx:after:swap", swapped);
    requestAnimationFrame(() => setTimeout(() => done(
      [performance.now() - start, document.querySelector("#panel-now .refusal")?.textContent ?? ""],
    )));
  };
  document.addEventListener("htmx:after:swap", swapped);
  setTimeout(() => done([NaN, "no answer"]), 20000);
  button.click();
})"""


class Wire:
    """What comes over the wire: address and bytes of every answer."""

    def __init__(self, page: Any) -> None:
        self.got: list[tuple[str, int]] = []
        self._names: dict[str, str] = {}
        self.line = page.context.new_cdp_session(page)
        self.line.on("Network.requestWillBeSent", self._sent)
        self.line.on("Network.loadingFinished", self._came)
        self.line.send("Network.enable")
        self.line.send("Network.setCacheDisabled", {"cacheDisabled": True})

    def _sent(self, event: dict[str, Any]) -> None:
        self._names[event["requestId"]] = event["request"]["url"]

    def _came(self, event: dict[str, Any]) -> None:
        name = self._names.get(event["requestId"], "")
        self.got.append((name, int(event["encodedDataLength"])))

    def take(self) -> list[tuple[str, int]]:
        """What came since this was last asked."""
        taken, self.got = self.got, []
        return taken


@dataclass
class Figures:
    """What was measured at one table."""

    name: str
    first: int = 0
    sizes: list[int] = field(default_factory=list)
    requests: list[int] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    def row(self) -> str:
        """A line of the table."""
        if not self.times:
            return f"| {self.name} | {self.first / 1000:.0f} | – | – | – | – | – |"
        return (
            f"| {self.name} | {self.first / 1000:.0f} | {statistics.median(self.sizes) / 1000:.1f}"
            f" | {share(self.sizes, 0.95) / 1000:.1f} | {max(self.requests)}"
            f" | {statistics.median(self.times):.0f} | {share(self.times, 0.95):.0f} |"
        )


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
    for action in sendable(rest):
        version = page.locator("#panel-bar").get_attribute("data-version")
        time, refusal = page.evaluate(CLICK, [json.dumps(action), version])
        if refusal:
            print(f"    {name}: {refusal}", file=sys.stderr)
            break
        page.wait_for_timeout(350)
        came = wire.take()
        found.sizes.append(sum(size for _, size in came))
        found.requests.append(len(came))
        found.times.append(time)
        if worst:
            parts = ", ".join(f"{size} {urlsplit(name).path}" for name, size in came)
            print(f"    {found.sizes[-1]:7} {time:6.0f} {action['type']}: {parts}")
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
    print("| game | first load, kB | update, kB | 95 % | requests | click to paint, ms | 95 % |")
    print("|---|---|---|---|---|---|---|")
    every: list[Figures] = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        with server(Path(folder) / "data") as address:
            for path in asked.games or files():
                page = browser.new_page(viewport={"width": 1440, "height": 900})
                file, rest = shortened(path, asked.at, Path(folder))
                opened(page, address, file)
                name = f"{path.parent.name}/{path.stem}"
                every.append(measured(page, name, rest[: asked.moves], asked.worst))
                print(every[-1].row(), flush=True)
                page.close()
        browser.close()
    times = [t for one in every for t in one.times]
    if times:
        print(f"\n{sum(t <= 100 for t in times) / len(times):.0%} of {len(times)} within 100 ms")


if __name__ == "__main__":
    main()
