"""Type on the map: large enough to read in every title, and nothing lies on what counts."""

from __future__ import annotations

import json

import pytest

from roundhouse.titles.title import all_titles

from .browser import CHROMIUM
from .conftest import game_files

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")

SIZES = {"desk": (1440, 900), "wide": (1920, 1080)}

#: What is written on the map, with its height in pixels and its box; and what it must keep off.
WRITTEN = """() => {
  const scale = document.querySelector("#panel-map svg").getScreenCTM().a;
  const all = (css) => [...document.querySelectorAll(css)];
  const { left, cut } = document.querySelector(".map-pane").dataset;
  const box = (e) => {
    const b = e.getBoundingClientRect();
    return [b.left, b.top, b.right, b.bottom];
  };
  const type = all(".rh-name, .rh-value text, .rh-label, .rh-cost")
    .filter((e) => e.getClientRects().length && getComputedStyle(e).display !== "none");
  return {
    left, cut, all: all(".rh-hex > .rh-names").length,
    sizes: type.map((e) => [e.textContent, parseFloat(e.getAttribute("font-size")) * scale]),
    names: all(".rh-type .rh-name").map((e) => [`${e.dataset.of} ${e.textContent}`, box(e)]),
    values: all(".rh-type .rh-value rect").map((e) => [e.parentNode.dataset.of, box(e)]),
    slots: all(".rh-slot > .rh-hole").map((e) => [e.parentNode.dataset.slot, box(e)]),
  };
}"""

#: The height in pixels of the names as they are printed.
PRINTED = """() => {
  const scale = document.querySelector("#panel-map svg").getScreenCTM().a;
  const names = [...document.querySelectorAll(".rh-names, .rh-names *")];
  const texts = names.filter((e) => e.tagName.toLowerCase() === "text");
  return texts.map((e) => parseFloat(getComputedStyle(e).fontSize) * scale);
}"""


def example(title):
    """A long game of a title."""
    files = [p for p in game_files() if p.parent.name.casefold() == title.casefold()]
    if not files:
        pytest.skip(f"no game of {title}")
    return max(files, key=lambda p: p.stat().st_size)


@pytest.fixture(scope="module")
def late(chromium, local):
    """The address of a long game of each title, late in it."""
    found = {}

    def open_late(title):
        if title not in found:
            page = chromium.new_page()
            path = example(title)
            page.goto(f"{local}/import/")
            page.locator("[name=file]").set_input_files(path)
            page.get_by_role("button", name="Import").click()
            page.wait_for_selector("#panel-now .sentence", timeout=60_000)
            found[title] = f"{page.url}?at={len(json.loads(path.read_text())['actions']) * 2 // 3}"
            page.close()
        return found[title]

    return open_late


def overlap(a, b):
    """How deep two boxes lie in each other."""
    return min(a[2] - b[0], b[2] - a[0], a[3] - b[1], b[3] - a[1])


def inset(b, by):
    """A box without its edge: the box of a letter is taller than what is printed."""
    return (b[0] + by[0], b[1] + by[1], b[2] - by[0], b[3] - by[1])


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("title", all_titles())
def test_the_whole_map_can_be_read(open_page, late, title, size):
    width, height = SIZES[size]
    page = open_page(viewport={"width": width, "height": height})
    page.goto(late(title))
    page.locator("body").press("m")
    page.wait_for_selector(".rh-type .rh-name:visible, .rh-hex > .rh-names:visible")
    page.wait_for_timeout(300)
    if not page.locator(".rh-type").count():  # the map is so large that its print can be read
        assert min(page.evaluate(PRINTED)) >= 9
        return
    said = page.evaluate(WRITTEN)
    small = [(text, px) for text, px in said["sizes"] + page.evaluate(LETTERS) if px < 9]
    assert not small
    for name, box in said["names"]:
        print_box = inset(box, (1, 0.2 * (box[3] - box[1])))
        for kind in ("values", "slots"):
            on = [
                what for what, other in said[kind] if overlap(print_box, inset(other, (1, 1))) > 1.5
            ]
            assert not on, (name, kind, on)
    hidden = [left for left in json.loads(said["left"]) if "name" in left]
    assert len(hidden) <= 0.05 * said["all"], hidden
    for cut in json.loads(said["cut"]):
        assert all(len(w.rstrip(".")) >= 4 for w in cut["written"].split() if w.endswith("."))


def test_strips_are_whole_after_the_map_had_all_the_room(open_page, late):
    page = open_page(viewport={"width": 1440, "height": 900})
    page.goto(late("1828"))
    page.locator("body").press("f")
    page.reload()
    page.wait_for_selector("body.full-map")
    page.locator("body").press("f")
    page.wait_for_selector(".strip-companies .sl:visible")
    cut = page.evaluate(
        "() => [...document.querySelectorAll('.sl, .sl-name, .sl-name b, .sl-facts, .sl-who')]"
        ".filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent)"
    )
    assert not cut


@pytest.mark.parametrize("title", all_titles())
def test_the_full_map_is_larger_still(open_page, late, title):
    page = open_page()
    page.goto(late(title))
    page.locator("body").press("f")
    page.wait_for_selector(".rh-type .rh-name:visible")
    page.wait_for_timeout(300)
    assert min(px for _, px in page.evaluate(WRITTEN)["sizes"]) >= 11
    page.reload()
    page.wait_for_selector("body.full-map .rh-type .rh-name:visible")


#: Whether no less of what is written would lie under the map's tools in another corner.
LEAST_COVERED = """() => {
  const [tools, around] = [".map-tools", ".map-pane"]
    .map((css) => document.querySelector(css).getBoundingClientRect());
  const written = [...document.querySelectorAll(".rh-type text")];
  const under = (dx, dy) => written.filter((text) => {
    const b = text.getBoundingClientRect();
    const beside = b.right <= tools.left + dx || b.left >= tools.right + dx;
    return !(beside || b.bottom <= tools.top + dy || b.top >= tools.bottom + dy);
  }).length;
  const [left, top] = [tools.left - around.left, tools.top - around.top];
  const across = around.width - tools.width - 2 * left;
  const down = around.height - tools.height - 2 * top;
  const elsewhere = [under(across, 0), under(0, down), under(across, down)];
  return under(0, 0) <= Math.min(...elsewhere);
}"""


@pytest.mark.parametrize("title", all_titles())
def test_a_phone_opens_on_a_part_that_can_be_read(open_page, late, title):
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True)
    page.goto(late(title))
    page.locator("#tab-map").click()
    page.wait_for_selector(".rh-type .rh-name:visible")
    page.wait_for_timeout(300)
    assert min(px for _, px in page.evaluate(WRITTEN)["sizes"] + page.evaluate(LETTERS)) >= 9
    scale = page.evaluate("document.querySelector('#panel-map svg').getScreenCTM().a")
    assert 173 * scale >= 48
    page.wait_for_function(LEAST_COVERED)


#: Lines of the strips that are cut.
STRIPS = """() => ({
  cut: [...document.querySelectorAll(".sl, .sl-facts, .sl-who")]
    .filter((e) => e.clientWidth && e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent),
})"""

#: Letters on tokens and badges, and what is written on the market, with their height in pixels.
LETTERS = """() => [
  ...document.querySelectorAll(".rh-mark, .rh-badge text, .rh-price, .rh-zone-name"),
]
  .filter((e) => e.getClientRects().length && getComputedStyle(e).visibility === "visible")
  .map((e) => {
    const { a, b } = e.getScreenCTM();
    return [e.textContent, parseFloat(e.getAttribute("font-size")) * Math.hypot(a, b)];
  })"""


@pytest.mark.parametrize("title", all_titles())
def test_lines_are_whole_and_prices_can_be_read_in_a_stock_round(open_page, late, title):
    address = late(title)
    page = open_page()
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(address)
    page.wait_for_selector("#panel-strip .sl")
    assert page.evaluate(STRIPS)["cut"] == []
    page.locator("#tab-shares").click()
    page.wait_for_selector("#panel-market .rh-price")
    assert page.evaluate(STRIPS)["cut"] == []
    letters = page.evaluate(LETTERS)
    assert any(text.isdigit() for text, _ in letters)
    assert not [(text, px) for text, px in letters if px < 9]


#: The map's type, a piece each, as it is drawn.
PIECES = """() => [...document.querySelectorAll(".rh-type > g")].map((layer) => [...layer.children]
  .map((e) => e.outerHTML.replace(" hushed", "")).sort())"""


@pytest.mark.parametrize("title", ["1817", "1839", "1873"])
def test_type_that_followed_a_game_is_as_if_written_at_once(open_page, late, title):
    page = open_page()
    page.goto(late(title))
    page.locator("body").press("m")
    page.locator("[data-pin]").click()  # the map stays, whatever a moment is about
    page.wait_for_selector(".rh-type .rh-name")
    at = page.locator("#panel-history .moment b")
    written = set()
    for key in ("ArrowUp", "ArrowUp", "ArrowRight") * 4:
        before = at.inner_text()
        page.locator(f"#panel-history [data-key={key}]").click()
        expect(at).not_to_have_text(before, timeout=20_000)
        written.add(str(page.evaluate(PIECES)))
    followed = page.evaluate(PIECES)
    page.reload()
    page.wait_for_selector(".rh-type .rh-name")
    page.wait_for_timeout(300)
    assert page.evaluate(PIECES) == followed
    assert len(written) > 1


def test_a_map_out_of_sight_is_fetched_ahead_and_opens_on_what_matters(open_page, local):
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True)
    page.goto(f"{local}/new/1817/")
    page.get_by_label("Players, one name a line").fill("Ada\nBen\nCleo")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector("#panel-auction .lot")
    page.wait_for_selector("#panel-map:not([data-digest='']) .rh-hex", state="attached")
    page.locator("#tab-map").click()
    page.wait_for_selector(".rh-type .rh-name:visible")
    scale = page.evaluate("document.querySelector('#panel-map svg').getScreenCTM().a")
    assert 173 * scale >= 48


def test_a_map_out_of_sight_is_lettered_before_it_is_turned_to(open_page, local):
    """What is seen stays meanwhile, as far as it was scrolled."""
    page = open_page(viewport={"width": 1440, "height": 900})
    page.goto(f"{local}/new/1817/")
    page.get_by_label("Players, one name a line").fill("Ada\nBen\nCleo")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector("#panel-auction .lot")
    long = "e => e.insertAdjacentHTML('beforeend', '<p>more</p>'.repeat(200))"
    page.locator("#pane-auction").evaluate(long)
    scrolled = "document.querySelector('#pane-auction').scrollTop"
    assert page.evaluate(f"{scrolled} = 60, {scrolled}") == 60
    page.wait_for_selector("#panel-map .rh-type .rh-name", state="attached")
    expect(page.locator("#pane-map")).to_be_hidden()
    expect(page.locator("#columns")).to_have_attribute("data-view", "auction")
    assert page.evaluate(scrolled) == 60
    names = page.locator(".rh-type .rh-name").element_handles()
    page.locator("#tab-map").click()
    page.wait_for_selector(".rh-type .rh-name:visible")
    page.wait_for_timeout(300)
    assert len(names) > 20
    assert all(name.evaluate("one => one.isConnected") for name in names)


def test_those_two_slots_of_a_city_are_kept_for_stand_beside_each_other(open_page, local):
    """In Wernigerode there is one for NWE and one for WBE, closer than their names are wide."""
    page = open_page(viewport={"width": 1440, "height": 900})
    page.goto(f"{local}/new/1873/")
    page.get_by_label("Players, one name a line").fill("Ada\nBen\nCleo")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector("#panel-map .rh-type .rh-name", state="attached")
    page.locator("#tab-map").click()
    page.wait_for_selector(".rh-type .rh-kept:visible")
    page.wait_for_timeout(300)
    boxes = [(t.text_content(), t.bounding_box()) for t in page.locator(".rh-type .rh-kept").all()]
    beside = [
        (one, other)
        for name, one in boxes
        for said, other in boxes
        if (name, said) == ("NWE", "WBE") and abs(one["y"] - other["y"]) < 2
    ]
    ((one, other),) = beside
    assert one["x"] + one["width"] < other["x"] < one["x"] + 2 * one["width"]
