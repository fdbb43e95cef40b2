"""Turns of every title by keyboard alone: tile, token, routes, dividend, trains; shares; a bid."""

from __future__ import annotations

import json

import pytest

import roundhouse

from .browser import CHROMIUM, imported, moved_on, version
from .conftest import game_files

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")

#: What somebody presses, the most telling first, once each in a turn: kind of action → its control.
CONTROLS = {
    "lay_tile": "#panel-now .kind-lay_tile [data-spot]",
    "place_token": "#panel-now .kind-place_token button.go",
    "run_routes": "#routes .primary",
    "dividend": "#panel-now .kind-dividend button.go",
    "buy_train": "#panel-now .kind-buy_train button.go",
    "buy_shares": "#panel-shares button.go, #panel-now .kind-buy_shares button.go",
    "bid": "#panel-auction button.go, #panel-now .kind-bid button.go",
    "pass": "#panel-now button.passing",
}
#: Tab stops until a control is reached, at most.
FAR = 250
FOLDED = "document.activeElement.matches('#panel-now details:not([open]) > summary')"
#: Where trains are run, the best routes are there.
READY = """!document.querySelector("#routes") || document.querySelector("#routes .primary")"""


def at(title, *steps, kind):
    """The game of a title at one of some steps, half way through its turns of that, or soon after,
    where an action of a kind can be done; on track by a company whose trains then run."""
    paths = [p for p in game_files() if p.parent.name.casefold() == title.casefold()]
    game, _ = roundhouse.replay(max(paths, key=lambda p: p.stat().st_size))
    turns = [n for n, e in enumerate(game.history) if e.state.step in steps]
    later = (n for n in turns[len(turns) // 2 :] if "track" not in steps or runs_next(game, n))
    positions = (game.at(game.history[n].action.id) for n in later)
    return next(g for g in positions if any(c.type == kind for c in g.choices()))


def runs_next(game, number):
    """Whether the next trains that run after an entry are of the company at work there."""
    who = game.history[number].state.acting
    runs = (e.action for e in game.history[number + 1 :] if e.action.type == "run_routes")
    found = next(runs, None)
    return found is not None and bool(found.routes) and found.actor in who


def before(title, kind):
    """The game of a title before one of its actions of a kind, half way through these."""
    paths = [p for p in game_files() if p.parent.name.casefold() == title.casefold()]
    game, _ = roundhouse.replay(max(paths, key=lambda p: p.stat().st_size))
    found = [n for n, e in enumerate(game.history) if n and e.action.type == kind]
    return game.at(game.history[found[len(found) // 2] - 1].action.id)


def opened(page, address, game, folder):
    file = folder / "game.json"
    file.write_text(json.dumps(game.dump()))
    imported(page, address, file)


def reach(page, control):
    """Tab to a control from the sentence on top."""
    page.locator("body").press("n")
    for _ in range(FAR):
        if page.evaluate("q => document.activeElement?.matches(q) ?? false", control):
            return
        if page.evaluate(FOLDED):
            page.keyboard.press("Enter")
        page.keyboard.press("Tab")
    raise AssertionError(f"no keys lead to {control}")


def offered(page, done):
    """The next kind of action somebody would do."""
    page.wait_for_function(READY)
    for kind, control in CONTROLS.items():
        if kind not in done and page.locator(control).locator("visible=true").count():
            return kind
    return "pass"


def act(page, kind):
    before = version(page)
    reach(page, CONTROLS[kind])
    page.keyboard.press("Enter")
    if kind == "lay_tile":
        page.locator("#spot .go").first.wait_for()
        page.wait_for_function("document.querySelector('#spot').contains(document.activeElement)")
        page.keyboard.press("Enter")
    sure = page.locator("#sure[open] [value=yes]")
    if sure.count():
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Enter")
    moved_on(page, before)
    sync_api.expect(page.locator("#panel-now .sentence")).to_be_focused()


@pytest.mark.parametrize("title", ["1817WO", "1839", "18Ireland"])
def test_an_operating_turn(open_page, local, tmp_path, title):
    page, done = open_page(), []
    opened(page, local, at(title, "track", kind="lay_tile"), tmp_path)
    while "dividend" not in done and len(done) < 6:
        done.append(offered(page, done))
        act(page, done[-1])
    assert {"lay_tile", "run_routes", "dividend"} <= set(done), done


@pytest.mark.parametrize(
    ("title", "steps", "kind"),
    [
        ("1828", ("stock turn", "stock"), "buy_shares"),
        ("1873", ("auction", "premium"), "bid"),
    ],
)
def test_a_turn_of_another_round(open_page, local, tmp_path, title, steps, kind):
    page = open_page()
    opened(page, local, at(title, *steps, kind=kind), tmp_path)
    act(page, kind)


@pytest.mark.parametrize(
    ("title", "kind", "told"),
    [("1828", "place_token", "places a token"), ("1839", "buy_train", "buys a")],
)
def test_a_token_is_placed_and_a_train_bought(open_page, local, tmp_path, title, kind, told):
    page = open_page()
    opened(page, local, before(title, kind), tmp_path)
    act(page, kind)
    sync_api.expect(page.locator("#panel-log .entry").last).to_contain_text(told)


def test_the_sentence_has_the_focus_when_what_had_it_is_gone(open_page, local, tmp_path):
    """Two pages of one table: the other one is faster."""
    page, other = open_page(), open_page()
    opened(page, local, at("1839", "track", kind="lay_tile"), tmp_path)
    other.goto(page.url)
    other.wait_for_selector("#panel-now .sentence")
    page.locator(CONTROLS["pass"]).focus()
    before = version(page)
    other.locator(CONTROLS["pass"]).click()
    sure = other.locator("#sure[open] [value=yes]")
    if sure.count():
        sure.click()
    moved_on(page, before)
    sync_api.expect(page.locator("#panel-now .sentence")).to_be_focused()


def test_a_key_leads_to_what_may_be_done_past_what_is_folded_away(open_page, local):
    page = open_page()
    page.goto(f"{local}/new/1817/")
    page.get_by_label("Players, one name a line").fill("Ada\nBen\nCleo")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector("#panel-auction .lot")
    page.wait_for_load_state("load")
    assert page.locator("#panel-now button").first.is_hidden()  # the bids are on the board
    page.locator("body").press("n")
    assert page.evaluate("document.activeElement.closest('#panel-now') !== null")
    assert not page.evaluate("document.activeElement.closest('.help') !== null")


def test_the_table_stays_in_the_window_whatever_has_the_focus(open_page, local, tmp_path):
    """A phone, and many prices to start companies at: the bar never leaves the window."""
    page = open_page(viewport={"width": 390, "height": 844})
    opened(page, local, at("1839", "stock turn", "stock", kind="par"), tmp_path)
    page.get_by_role("button", name="What would a bot do?").click()  # whose answer comes into sight
    page.locator("#hint > *").first.wait_for()
    assert page.locator("#panel-bar").bounding_box()["y"] >= 0
    page.locator("body").press("n")
    for _ in range(40):
        page.keyboard.press("Tab")
    assert page.locator("#panel-bar").bounding_box()["y"] >= 0
