"""The map on a phone: it follows the game, and the sheet of a hex leaves the hex in sight."""

from __future__ import annotations

from functools import partial

import pytest

from .browser import CHROMIUM, moved_on, ready, version
from .test_keyboard import at, opened

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")

LAY = "#panel-now .kind-lay_tile [data-spot]"
#: How many of some hexes are in sight.
SEEN = """hexes => {
  const map = document.getElementById("panel-map");
  const all = map.getBoundingClientRect();
  return hexes.filter((hex) => {
    const box = map.querySelector(`[data-hex="${hex}"] .rh-field`).getBoundingClientRect();
    const across = box.left >= all.left && box.right <= all.right;
    return across && box.top >= all.top && box.bottom <= all.bottom;
  }).length;
}"""
LEFT = "Object.keys(localStorage).filter(k => /^table-zoom-/.test(k) && localStorage[k] !== 'null')"
WHERE = """() => [...document.querySelectorAll("#panel-map .rh-hex:has([data-token])")]
  .filter((hex) => hex.querySelector(
    `[data-token="${document.querySelector(".sl.operating").dataset.companyCard}"]`))
  .map((hex) => hex.dataset.hex)"""


@pytest.fixture
def phone(open_page, local, tmp_path):
    """Opens a phone at a step of a game."""

    def open_one(game, height=844):
        page = open_page(viewport={"width": 390, "height": height})
        opened(page, local, game, tmp_path)
        page.wait_for_timeout(300)
        return page

    return open_one


def view(page):
    return page.locator("#panel-map svg").first.get_attribute("viewBox")


def drag_away(page):
    """Move the map as far as it goes."""
    box = page.locator("#panel-map").bounding_box()
    x, top, bottom = box["x"] + 60, box["y"] + 60, box["y"] + box["height"] - 20
    for _ in range(12):
        page.mouse.move(x, top)
        page.mouse.down()
        page.mouse.move(x + 300, bottom, steps=4)
        page.mouse.up()


def passed(page):
    before = version(page)
    page.locator("#panel-now button.passing, #routes .primary").first.click()
    sure = page.locator("#sure[open] [value=yes]")
    if sure.count():
        sure.click()
    moved_on(page, before)
    page.wait_for_timeout(400)


def test_the_map_follows_the_game_and_stays_where_somebody_moves_it(phone):
    page = phone(at("18Ireland", "track", kind="lay_tile"))
    assert page.evaluate(LEFT) == []  # looked at by itself, left there by nobody
    offered = [link.get_attribute("data-spot") for link in page.locator(LAY).all()]
    assert page.evaluate(SEEN, offered)
    drag_away(page)
    left = view(page)
    assert page.evaluate(LEFT) != []
    assert page.evaluate(SEEN, offered) < len(offered)
    page.reload()
    ready(page)
    expect(page.locator("#panel-map svg").first).to_have_attribute("viewBox", left)
    page.locator(LAY).first.click()
    page.locator("#spot .go").click()
    page.locator("#spot").wait_for(state="hidden")
    passed(page)
    assert view(page) != left
    assert page.evaluate(SEEN, page.evaluate(WHERE))
    assert page.evaluate(LEFT) == []


def test_the_map_opens_where_the_company_builds_not_a_private_one_beside_it(phone):
    game = at("1817", "track", kind="lay_tile")
    page = phone(game)
    own = page.locator("#panel-now [data-own] [data-spot]")
    hexes = [link.get_attribute("data-spot") for link in own.all()]
    lays = [c.action for c in game.choices() if c.type == "lay_tile"]
    assert set(hexes) == {a.hex for a in lays if a.actor in game.state.acting} != set()
    assert page.evaluate(SEEN, hexes)


def test_the_sheet_of_a_hex_leaves_the_hex_and_its_button_in_sight(phone):
    page = phone(at("18Ireland", "track", kind="lay_tile"), height=664)
    before = view(page)
    for coord in [link.get_attribute("data-spot") for link in page.locator(LAY).all()]:
        page.locator(f'{LAY}[data-spot="{coord}"]').click()
        page.locator(f"#spot .spot-card[data-hex={coord}]").wait_for()
        page.wait_for_timeout(900)  # what the tile is worth has been told
        sheet = page.locator("#spot").bounding_box()
        lay = page.locator("#spot .go").bounding_box()
        field = page.locator("#panel-map .preview").bounding_box()
        assert sheet["y"] <= lay["y"]
        assert lay["y"] + lay["height"] <= sheet["y"] + sheet["height"]
        assert field["x"] >= 0
        assert field["y"] >= page.locator("#panel-map").bounding_box()["y"]
        assert field["x"] + field["width"] <= 390
        assert field["y"] + field["height"] <= sheet["y"]
        assert page.locator("#panel-now").bounding_box()["height"] < 80
        page.locator("#spot [data-close]").click()
        expect(page.locator("#panel-now .kind-pass")).to_be_visible()
        assert view(page) == before


def test_the_lobby_begins_with_ones_own_games(phone, local):
    page = phone(at("18Ireland", "track", kind="lay_tile"))
    page.goto(f"{local}/")
    own = page.locator("#games h2.mine").bounding_box()
    assert own["y"] < page.locator(".boxes").bounding_box()["y"]
    page.set_viewport_size({"width": 1440, "height": 900})
    assert page.locator("#games h2.mine").bounding_box()["y"] > 300


def answered(body, route):
    route.fulfill(body=body)


def test_a_layer_of_threats_without_any_says_so(phone):
    page = phone(at("18Ireland", "track", kind="lay_tile"))
    empty = '<g class="rh-reach rh-told rh-threats" data-company="X"></g>'
    one = empty.replace("></g>", '><g transform="translate(0 0)"></g></g>')
    for drawn, seen in ((empty, True), (one, False)):
        page.route("**/threats/**", partial(answered, drawn))
        page.reload()
        ready(page)
        page.locator("[data-over=threats]").evaluate("box => { box.checked = true; }")
        page.evaluate("""() => {
          const button = document.createElement("button");
          button.dataset.reach = document.querySelector("[data-company-card]").dataset.companyCard;
          document.body.append(button);
          button.click();
        }""")
        page.locator("#panel-map .rh-threats").wait_for(state="attached")
        assert page.locator("[data-no-threats]").is_visible() == seen
        page.unroute("**/threats/**")


def test_a_tab_leads_from_the_log_to_its_view(phone):
    page = phone(at("18Ireland", "track", kind="lay_tile"))
    page.get_by_role("button", name="Log", exact=True).click()
    expect(page.locator("#columns")).to_have_attribute("data-pane", "log")
    page.locator("#tab-shares").click()
    expect(page.locator("#columns")).to_have_attribute("data-pane", "stage")
    expect(page.locator("#panel-shares")).to_be_in_viewport()
    page.reload()
    ready(page)
    expect(page.locator("#columns")).to_have_attribute("data-pane", "stage")


def test_when_it_ends_is_told_beside_the_tabs_and_closed_by_a_tap(phone):
    page = phone(at("18Ireland", "track", kind="lay_tile"))
    ends = page.locator(".ends summary")
    told = page.locator(".ends ul")
    ends.click()
    expect(told).to_be_in_viewport(ratio=1)
    box, line = told.bounding_box(), ends.bounding_box()
    assert box["y"] >= line["y"] + line["height"] - 1
    ends.click()  # nothing lies over it
    expect(told).to_be_hidden()
    ends.click()
    page.locator("#panel-now").click(position={"x": 5, "y": 5})
    expect(told).to_be_hidden()


#: Of the rows of the share grid: whether company and price are seen, whatever else goes by.
KEPT = """() => [...document.querySelectorAll("#panel-shares table.grid:not(.merger) tbody tr")]
  .slice(0, 6)
  .flatMap((row) => [...row.children].slice(0, 2))
  .filter((cell) => cell.textContent.trim())
  .every((cell) => {
    const { left, right, top, bottom } = cell.getBoundingClientRect();
    const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return left >= 0 && right <= innerWidth && cell.contains(seen);
  })"""


@pytest.mark.parametrize("title", ["1817", "1828"])
def test_companies_and_prices_stay_in_sight_while_the_holders_go_by(phone, title):
    page = phone(at(title, "stock turn", kind="sell_shares"))
    page.get_by_role("tab", name="Shares").click()
    page.wait_for_timeout(300)
    grid = page.locator("#panel-shares")
    assert grid.evaluate("e => e.scrollWidth > e.clientWidth")
    for place in (0, 140, 9999):
        grid.evaluate("(e, left) => { e.scrollLeft = left; }", place)
        page.wait_for_timeout(300)
        assert page.evaluate(KEPT), place
    assert grid.evaluate("e => e.scrollLeft") > 0
    first = page.locator("#panel-shares table.grid:not(.merger) thead th")
    ends = first.evaluate_all("all => all.slice(0, 2).map((e) => e.getBoundingClientRect())")
    assert ends[0]["right"] == pytest.approx(ends[1]["left"], abs=1)


def test_the_sheet_of_a_hex_names_the_hex(phone):
    """Hexes of a phone's size have no room for their coordinates; zoomed in they show them."""
    page = phone(at("1817", "track", kind="lay_tile"))
    shown = "getComputedStyle(document.querySelector('#panel-map .rh-coordinates')).display"
    assert page.evaluate(shown) == "none"
    page.locator("#panel-map [data-hex='F13'] .rh-field").click(force=True)
    expect(page.locator("#spot h2")).to_have_text("F13 Pittsburgh")
    page.locator("#spot [data-close]").click()
    for _ in range(3):
        page.locator("[data-zoom=in]").click()
    page.wait_for_timeout(500)
    assert page.evaluate(shown) != "none"
