"""The panel that says what is to be done stays in sight, and so does what it has to say."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

import roundhouse

from .browser import CHROMIUM, moved_on, ready, server, version
from .test_keyboard import at, opened

GAMES = Path(__file__).parents[1] / "games"

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")

SIZES = pytest.mark.parametrize(
    "size", [{"width": 1440, "height": 900}, {"width": 390, "height": 844}], ids=["desk", "phone"]
)
INSIDE = """css => {
  const part = document.querySelector(css).getBoundingClientRect();
  const panel = document.getElementById("panel-now").getBoundingClientRect();
  return part.top >= panel.top && part.bottom <= panel.bottom;
}"""

#: The part of its column the panel has; 1 where it shows all it says.
TALL = """panel => panel.scrollHeight <= panel.clientHeight
  ? 1 : panel.clientHeight / panel.parentElement.clientHeight"""


def test_what_was_new_leaves_the_panel_and_the_chat_their_room(open_page, tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    with server(data) as address:
        page = open_page()
        opened(page, address, at("1817", "track", kind="lay_tile"), tmp_path)
        with sqlite3.connect(data / "roundhouse.sqlite3") as rows:
            rows.execute("UPDATE study_looked SET before = 0, begun = seen, told = 0")
        page.reload()
        ready(page)
        assert page.locator(".recap li").count() > 2
        assert page.locator("#panel-now").evaluate(TALL) > 0.6
        say = page.get_by_role("button", name="Say").bounding_box()
        assert say["y"] + say["height"] < 900
        page.set_viewport_size({"width": 390, "height": 844})
        page.locator("[data-pane-to=log]").click()
        say = page.get_by_role("button", name="Say").bounding_box()
        assert say["y"] + say["height"] < page.locator("#panel-now").bounding_box()["y"]
        page.close()


@pytest.fixture
def buying(open_page, local, tmp_path):
    """Opens a page where trains of others may be bought at any price, far below."""

    def open_one(size):
        page = open_page(viewport=size)
        game = at("18Ireland", "trains", kind="buy_train")
        opened(page, local, game, tmp_path)
        return page

    return open_one


@SIZES
def test_what_was_refused_is_seen_wherever_the_button_was(buying, size):
    page = buying(size)
    form = page.locator("#panel-now .kind-buy_train form:has(input[type=number])").last
    price = form.locator("input[type=number]")
    price.evaluate("field => { field.max = 99999; }")
    price.fill("9999")
    form.locator("button.go").click()
    page.locator("#panel-now .refusal").wait_for()
    assert page.evaluate(INSIDE, "#panel-now .refusal")
    assert page.evaluate(INSIDE, "#panel-now .sentence")


@SIZES
def test_a_new_step_is_read_from_its_top(open_page, local, tmp_path, size):
    page = open_page(viewport={**size, "height": 480})
    opened(page, local, at("18Ireland", "dividend", kind="dividend"), tmp_path)
    panel, sentence = page.locator("#panel-now"), page.locator("#panel-now .sentence")
    before, text = version(page), sentence.inner_text()
    panel.evaluate("panel => panel.scrollTo(0, 10000)")
    assert not page.evaluate(INSIDE, "#panel-now .sentence")
    page.locator("#panel-now .kind-dividend button.go").last.evaluate("button => button.click()")
    moved_on(page, before)
    expect(sentence).not_to_have_text(text)
    assert panel.evaluate("panel => panel.scrollHeight > panel.clientHeight + 40")
    assert page.evaluate(INSIDE, "#panel-now .sentence")


@SIZES
def test_a_bid_for_one_of_many_companies_is_in_sight_whichever_is_chosen(
    open_page, local, tmp_path, size
):
    """The founding of 1817DE: companies enough to fill the panel, one amount for all of them."""
    page = open_page(viewport=size)
    founding = roundhouse.load(GAMES / "1817DE" / "base.json").at(15)
    opened(page, local, founding, tmp_path)
    form = page.locator("#panel-now form:has(.opt)", has=page.locator("input[type=number]"))
    form.locator(".opt").first.click()
    assert form.locator(".opt").count() >= 10
    for part in ("input[type=number]", "button.go"):
        form.locator(part).evaluate("part => part.setAttribute('data-part-asked', '')")
        assert page.evaluate(INSIDE, "[data-part-asked]"), part
        form.locator(part).evaluate("part => part.removeAttribute('data-part-asked')")
    assert form.locator("input[type=number]").get_attribute("aria-label") == "Bid: price"
