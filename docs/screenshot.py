"""Takes the picture of a table, docs/pictures/table.png, with a real server and a real Chromium.

    python docs/screenshot.py

The game is one of those kept with the tests, at a point where a company runs its trains. Needs
Playwright, Chromium and what the server needs.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

import roundhouse

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.web.browser import CHROMIUM, server  # noqa: E402

GAME, AT = ROOT / "tests" / "games" / "1817" / "base.json", 732


def main() -> None:
    """Import the game into a server of its own and take a picture of it."""
    picture = ROOT / "docs" / "pictures" / "table.png"
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "game.json"
        file.write_text(json.dumps(roundhouse.load(GAME).at(AT).dump()))
        with server(Path(folder) / "data") as address:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(f"{address}/import/")
            page.set_input_files("input[type=file]", file)
            page.locator("main form button").first.click()
            page.wait_for_url("**/table/**")
            page.wait_for_timeout(3000)
            page.screenshot(path=picture)
            browser.close()


if __name__ == "__main__":
    main()
