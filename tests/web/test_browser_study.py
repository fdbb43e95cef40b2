"""What-if in a real Chromium: a branch of a finished game, and one handed over to a game."""

from __future__ import annotations

import pytest

from .browser import CHROMIUM, moved_on, version
from .test_browser_tables import begin, bid, ready
from reference import GAMES

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = sync_api.expect

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
GAME = min((GAMES / "1839").glob("*.json"), key=lambda p: p.stat().st_size)


def test_a_finished_game_is_gone_on_with_in_a_branch_and_compared(local, open_page):
    page = open_page(color_scheme="dark")
    page.goto(f"{local}/import/")
    page.locator("input[type=file]").set_input_files(str(GAME))
    page.get_by_role("button", name="Import").click()
    page.wait_for_url("**/table/*/")
    game = ready(page).url
    page.goto(f"{game}?at=90")
    expect(page.locator("#panel-now .sentence")).to_contain_text("as it was after action 90")
    page.get_by_role("button", name="What if").click()
    expect(page.locator(".branch-bar")).to_contain_text("after action 90")
    ready(page)
    branch, before = page.url, version(page)
    page.locator("#panel-now form button").first.click()
    moved_on(page, before)
    page.locator(".branch-bar summary").click()
    page.get_by_label("name", exact=True).fill("a better opening")
    page.get_by_role("button", name="Rename").click()
    expect(page.locator(".branch-name")).to_have_text("a better opening")
    page.get_by_role("link", name="Compare").click()
    expect(page.get_by_role("heading", name="a better opening")).to_be_visible()
    expect(page.locator("table.beside").first).to_contain_text("Worth")
    page.goto(f"{game}?at=90")
    ready(page)
    expect(page.locator(".branch-bar")).to_have_count(0)
    page.set_viewport_size({"width": 390, "height": 844})
    for address in (branch, f"{branch}branch/compare/", f"{branch}branch/hand/", f"{branch}study/"):
        page.goto(address)
        page.wait_for_load_state("load")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address


def test_a_branch_is_handed_over_until_it_no_longer_fits(local, open_page):
    page = begin(open_page(), local)
    game = page.url
    page.get_by_role("button", name="What if").click()
    expect(page.locator(".branch-bar")).to_be_visible()
    ready(page)
    branch = page.url
    for _ in range(3):
        before = version(page)
        bid(page)
        moved_on(page, before)
    page.get_by_role("link", name="Hand over").click()
    expect(page.locator(".step-ready")).to_have_count(3)
    page.get_by_role("button", name="Do the next in the game").click()
    expect(page.locator(".step-done")).to_have_count(1)
    page.goto(game)
    ready(page)
    before = version(page)
    assert before == 1
    page.locator("#panel-now .kind-pass button").first.click()
    moved_on(page, before)
    page.goto(f"{branch}branch/hand/")
    expect(page.locator(".step-fits-not")).to_contain_text("The game went another way")
    expect(page.locator(".step-later")).to_have_count(1)
    expect(page.get_by_role("button", name="Do the next in the game")).to_have_count(0)
