"""The card of a hex: whose the keys are, and what becomes of it as the game goes on."""

from __future__ import annotations

import pytest

from roundhouse.sentences.buttons import hex_of

from .browser import CHROMIUM, moved_on, ready, version
from .test_keyboard import at, opened

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")

CARD = "#spot .spot-card"
LAY = "#panel-now .kind-lay_tile [data-spot]"


@pytest.fixture
def building(open_page, local, tmp_path):
    """A page of a game at which a tile may be laid."""
    page = open_page()
    opened(page, local, at("1817", "track", kind="lay_tile"), tmp_path)
    return page


def ways(page):
    """Where a tile may be laid → in how many ways the first tile lies there."""
    found = {}
    for link in page.locator(LAY).all():
        link.click()
        coord = link.get_attribute("data-spot")
        page.locator(f"{CARD}[data-hex={coord}]").wait_for()
        found[coord] = page.locator("#spot .tile").first.locator("input").count()
        if found[coord] > 1:
            return coord
    raise AssertionError(f"no tile can be turned: {found}")


def rotation(page):
    return page.locator("#spot input:checked").get_attribute("data-rotation")


def view(page):
    return page.locator("#columns").get_attribute("data-view")


def test_r_turns_the_tile_while_there_is_one_and_opens_the_result_otherwise(building):
    page = building
    ways(page)
    first = rotation(page)
    page.keyboard.press("r")
    assert rotation(page) != first
    assert view(page) == "map"
    page.keyboard.press("Escape")
    expect(page.locator("#spot")).to_be_hidden()
    page.keyboard.press("r")
    expect(page.locator("#columns")).to_have_attribute("data-view", "result")


@pytest.mark.parametrize(
    ("title", "step", "said"),
    [
        ("1817DE", "home token", "Place the home station"),
        ("1817", "token", "Place a station"),
        ("1839", "marker", "Place a marker"),
    ],
)
def test_a_button_of_a_hex_says_what_it_does(open_page, local, tmp_path, title, step, said):
    page = open_page()
    position = at(title, step, kind="place_token")
    placed = next(c.action for c in position.choices() if c.type == "place_token")
    coord = hex_of(position.rules, position.state, placed)
    opened(page, local, position, tmp_path)
    page.locator(f"#panel-map .rh-hex.is-choice[data-hex={coord}]").dispatch_event("click")
    button = page.locator(f"{CARD} button.go").first
    expect(button).to_contain_text(said)
    assert button.inner_text().startswith(said)
    page.close()


def test_a_tile_that_is_advised_is_shown_where_it_would_lie(building):
    page = building
    page.get_by_role("button", name="What would a bot do?").click()
    advised = page.locator("#hint a[data-tile]").last
    wanted = {k: advised.get_attribute(f"data-{k}") for k in ("show", "tile", "rotation")}
    advised.click()
    lies = page.locator(f'#panel-map [data-hex="{wanted["show"]}"] .preview')
    expect(lies).to_have_attribute("data-tile", wanted["tile"])
    expect(lies).to_have_attribute("data-rotation", wanted["rotation"])
    expect(page.locator("#spot button.go", has_text="Lay")).to_be_visible()


def test_r_is_the_views_key_beside_a_card_without_tiles(building):
    page = building
    offered = {link.get_attribute("data-spot") for link in page.locator(LAY).all()}
    hexes = page.locator("#panel-map .rh-hex[data-hex]")
    every = hexes.evaluate_all("all => all.map((h) => h.dataset.hex)")
    other = next(h for h in every if h not in offered)
    page.locator(f'#panel-map [data-hex="{other}"] .rh-field').click(force=True)
    page.locator(f"{CARD}[data-hex={other}]").wait_for()
    assert page.locator("#spot .tile").count() == 0
    page.keyboard.press("r")
    expect(page.locator("#columns")).to_have_attribute("data-view", "result")


def test_escape_closes_the_card_before_the_full_map(building):
    page = building
    page.locator("body").press("f")
    page.locator(LAY).first.click()
    page.locator(CARD).wait_for()
    page.keyboard.press("Escape")
    expect(page.locator("#spot")).to_be_hidden()
    assert page.evaluate("document.body.classList.contains('full-map')")


def test_the_card_goes_with_ones_own_action(building):
    page = building
    page.locator(LAY).first.click()
    page.locator(CARD).wait_for()
    before = version(page)
    page.locator("#panel-now button.passing").click()
    sure = page.locator("#sure[open] [value=yes]")
    if sure.count():
        sure.click()
    moved_on(page, before)
    expect(page.locator("#spot")).to_be_hidden()
    assert page.locator("#panel-map .preview").count() == 0


def test_the_card_is_asked_for_anew_after_the_act_of_another_page(building):
    page = building
    coord = ways(page)
    page.keyboard.press("r")
    chosen = rotation(page)
    other = page.context.new_page()
    other.goto(page.url)
    ready(other)
    page.bring_to_front()
    before = version(page)
    other.locator("#panel-history").get_by_role("button", name="Undo").click()
    moved_on(page, before)
    fresh = page.locator(f'#spot input[name=version][value="{version(page)}"]')
    if page.locator(LAY).count():
        expect(fresh).to_have_count(1)
        assert rotation(page) == chosen
    else:
        expect(page.locator("#spot .tile")).to_have_count(0)
    assert page.locator(CARD).get_attribute("data-hex") == coord
