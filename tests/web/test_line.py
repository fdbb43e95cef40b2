"""The line to the server: cut, silent, back again; what was not sent; nothing fetched twice."""

from __future__ import annotations

import re

import pytest

from .browser import CHROMIUM, moved_on, version
from .test_browser import begin

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")


def bid(page):
    page.locator("#panel-auction .lot .go").first.click()


def test_an_action_that_was_not_sent_is_kept_and_offered_again(chromium, local):
    page = begin(chromium.new_context().new_page(), local)  # the browser notes what it cannot load
    page.context.set_offline(True)
    expect(page.locator("#connection")).to_contain_text("offline")
    bid(page)
    expect(page.locator("#unsent")).to_be_visible()
    expect(page.locator("#unsent [data-send]")).to_be_disabled()
    expect(page.locator("#unsent b")).to_contain_text("Bid P")  # for what
    box, why = (page.locator(css).bounding_box() for css in ("#unsent", "#connection"))
    assert box["y"] + box["height"] <= why["y"]  # which says why it cannot be sent
    assert version(page) == 0
    page.context.set_offline(False)
    expect(page.locator("#connection")).to_be_hidden()
    page.route("**/act/", lambda route: route.abort())
    page.locator("#unsent [data-send]").click()  # and again it does not get there
    expect(page.locator("#unsent")).to_be_visible()
    page.unroute("**/act/")
    expect(page.locator("#connection")).to_be_hidden()
    page.locator("#unsent [data-send]").click()
    moved_on(page, 0)
    assert version(page) == 1
    expect(page.locator("#unsent")).to_be_hidden()
    expect(page.locator("#panel-now .sentence")).to_be_focused()
    page.context.close()


def test_an_answer_that_takes_long_is_spoken_of(open_page, local):
    page = begin(open_page(), local)
    held = []
    page.route("**/act/", lambda route: held.append(route))
    bid(page)
    expect(page.locator("#connection")).to_contain_text("has not answered yet")
    held[0].continue_()
    moved_on(page, 0)
    expect(page.locator("#connection")).to_be_hidden()
    expect(page.locator("#unsent")).to_be_hidden()


#: Notes whether buttons have been held, as a click guard holds them for a moment only.
HELD = """() => new MutationObserver(() => {
  if (document.querySelector("#columns.settling")) document.body.dataset.held = "1";
}).observe(document.getElementById("columns"), { attributeFilter: ["class"] })"""


def test_buttons_are_held_for_a_moment_whoever_acted(open_page, local):
    page = begin(open_page(), local)
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_load_state("load")
    for one in (page, other):
        one.evaluate(HELD)
    bid(page)
    for one in (page, other):
        moved_on(one, 0)
        expect(one.locator("body")).to_have_attribute("data-held", "1")
        expect(one.locator("#columns")).not_to_have_class(re.compile("settling"))
    other.close()


def test_a_yes_holds_for_one_time_only(open_page, local):
    page = begin(open_page(), local)
    page.evaluate("""() => {
      const form = document.querySelector("#panel-auction .lot form");
      form.dataset.grave = "It is the last one.";
      form.insertAdjacentHTML("beforeend", "<input id='needed' required>");
      const field = document.getElementById("needed");
      document.getElementById("sure").addEventListener("close", () => { field.value = ""; });
      field.value = "given";
    }""")
    sure = page.locator("#sure")
    bid(page)
    sure.get_by_role("button", name="Do it").click()  # a field holds it back
    expect(sure).to_be_hidden()
    page.locator("#needed").fill("given")
    bid(page)
    expect(sure).to_contain_text("It is the last one. Really?")
    sure.get_by_role("button", name="Do not").click()
    assert version(page) == 0


def test_a_question_about_what_is_gone_is_gone(open_page, local):
    page = begin(open_page(), local)
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_load_state("load")
    page.evaluate(
        "document.querySelector('#panel-auction .lot form').dataset.grave = 'It is the last one.'"
    )
    bid(page)
    expect(page.locator("#sure")).to_be_visible()
    bid(other)
    moved_on(page, 0)
    expect(page.locator("#sure")).to_be_hidden()
    assert version(page) == 1
    other.close()


def test_an_update_is_sent_once(open_page, local):
    page = begin(open_page(), local)
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_load_state("load")
    asked = []
    page.on("request", lambda r: asked.append(r.url.split("/")[-2]))
    bid(page)
    moved_on(page, 0)
    moved_on(other, 0)
    other.close()
    page.locator("body").press("s")
    expect(page.locator("#panel-shares table")).to_be_visible()
    assert asked == ["act", "update"]


def test_focus_is_on_the_sentence_after_an_action(open_page, local):
    page = begin(open_page(), local)
    bid(page)
    moved_on(page, 0)
    expect(page.locator("#panel-now .sentence")).to_be_focused()
