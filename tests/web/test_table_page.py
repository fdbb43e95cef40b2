"""What the table page adds to its buttons, in a real Chromium: reasons, previews, reach, memory."""

from __future__ import annotations

import json
import re
from importlib import resources

import pytest

import roundhouse

from .browser import CHROMIUM
from reference import GAMES

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = sync_api.expect
expect.set_options(timeout=20_000)

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")


def moment(title, wanted):
    """Number of the first action of our own game before which something is the case."""
    game, _ = roundhouse.replay(GAMES / title / "base.json")
    for number, (before, entry) in enumerate(zip(game.log, game.log[1:], strict=False), start=1):
        if wanted(entry) and (here := game.at(before.action.id)).choices():
            return number, here
    raise AssertionError("there is no such moment")


@pytest.fixture
def show(open_page, local, tmp_path):
    """Opens a table of our own game of a title as it was before some action."""

    def opened(title, number, name="base", **options):
        data = json.loads((GAMES / title / f"{name}.json").read_text())
        data["actions"] = data["actions"][:number]
        file = tmp_path / "cut.json"
        file.write_text(json.dumps(data))
        page = open_page(**options)
        page.goto(f"{local}/import/")
        page.get_by_label("File").set_input_files(file)
        page.get_by_role("button", name="Import").click()
        page.wait_for_selector("#panel-now .sentence")
        page.wait_for_load_state("load")
        return page

    return opened


@pytest.fixture(scope="module")
def dividend():
    return moment("1817", lambda e: e.action.type == "dividend" and e.action.id > 200)


@pytest.fixture(scope="module")
def buying():
    """A stock round in which something is refused."""
    game, _ = roundhouse.replay(GAMES / "1817" / "base.json")
    for number, entry in enumerate(game.log):
        if number > 100 and entry.action.type == "buy_shares":
            here = game.at(game.log[number - 1].action.id)
            if any(r.action.type == "buy_shares" for r in here.refusals()):
                return number, here
    raise AssertionError("nothing is refused anywhere")


def test_what_is_not_possible_stands_there_with_its_reason(show, buying):
    number, game = buying
    page = show("1817", number)
    refusal = next(r for r in game.refusals() if r.action.type == "buy_shares")
    told = page.locator("#panel-now .greyed li", has_text=refusal.fault.message)
    expect(told).to_have_count(1)
    assert told.locator("button").is_disabled()


def test_a_later_tile_is_greyed_on_the_card_of_its_hex(show):
    game, _ = roundhouse.replay(GAMES / "1817" / "base.json")
    for number, entry in enumerate(game.log):
        if entry.action.type != "lay_tile":
            continue
        here = game.at(game.log[number - 1].action.id)
        found = {c: here.missing_tiles(c) for c in here.state.board.tiles}
        coord = next((c for c, missing in found.items() if missing), None)
        if coord:
            break
    page = show("1817", number)
    page.locator(f'#panel-map [data-hex="{coord}"] .rh-field').click(force=True)
    card = page.locator("#spot .missing:not(.following)")
    expect(card).to_be_visible()
    assert card.locator("li").count() == len(found[coord])
    expect(card.locator("li").first).to_contain_text("later phase")


def test_the_market_shows_where_each_dividend_leads(show, dividend):
    number, game = dividend
    page = show("1817", number)
    button = page.locator(".kind-dividend [data-moves]").first
    (company, cell), *_ = json.loads(button.get_attribute("data-moves")).items()
    assert company == game.acting[0]
    button.hover()
    expect(page.locator("#panel-market .rh-preview").first).to_be_visible()
    expect(page.locator(f'#panel-market [data-cell="{cell}"]')).to_have_class(re.compile("is-goal"))
    page.locator("#panel-now .sentence").hover()
    expect(page.locator("#panel-market .is-goal")).to_have_count(0)
    button.focus()
    expect(page.locator("#panel-market .is-goal")).to_have_count(1)


#: Puts a button that moves prices under a pointer that rests.
BENEATH = """([x, y]) => {
  const button = document.querySelector(".kind-dividend [data-moves]");
  const place = { position: "fixed", left: `${x - 9}px`, top: `${y - 9}px`, zIndex: 99 };
  Object.assign(button.style, place);
}"""


def test_the_market_stays_away_while_the_pointer_rests(show, dividend):
    page = show("1817", dividend[0])
    page.mouse.move(700, 300)
    page.evaluate(BENEATH, [700, 300])
    page.wait_for_timeout(400)  # a browser tells what lies under the pointer by and by
    assert page.locator("#panel-market .is-goal").count() == 0
    page.mouse.move(702, 301)
    expect(page.locator("#panel-market .is-goal")).to_have_count(1)


def test_what_zones_are_called_is_no_larger_than_other_type(show, dividend):
    page = show("1817", dividend[0])
    page.locator("#tab-shares").click()
    zone = page.locator("#panel-market .rh-zone-name").first
    expect(zone).to_be_visible()
    size = "e => Number(e.getAttribute('font-size')) * e.getScreenCTM().a"
    assert 9 <= zone.evaluate(size) <= 15.1


#: Keeps what is moved from now on.
MOVES = """() => {
  window.moves = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, how) {
    window.moves.push(this.getAttribute("class"));
    return animate.call(this, frames, how);
  };
}"""


@pytest.mark.parametrize("wish", ["no-preference", "reduce"])
def test_a_price_marker_slides_to_its_cell_unless_motion_is_unwanted(show, dividend, wish):
    page = show("1817", dividend[0], reduced_motion=wish)
    page.evaluate(MOVES)
    button = page.locator(".kind-dividend [data-moves]").first
    (company, cell), *_ = json.loads(button.get_attribute("data-moves")).items()
    button.click()
    arrived = f'#panel-market [data-cell="{cell}"] [data-corporation="{company}"]'
    expect(page.locator(arrived)).to_have_count(1)
    slid = any("rh-price-marker" in name for name in page.evaluate("window.moves"))
    assert slid == (wish == "no-preference")
    assert all("NaN" not in text for text in page.locator(".sl-cash").all_inner_texts())


def test_a_company_shows_what_it_reaches(show, dividend):
    number, game = dividend
    page = show("1817", number)
    who = game.acting[0]
    button = page.locator(f'[data-reach="{who}"]')
    button.press("Enter")
    drawn = page.locator(f'#panel-map .rh-reach[data-company="{who}"]')
    expect(drawn).to_have_count(1)
    expect(page.locator("#reach-legend")).to_contain_text(who)
    assert drawn.locator(".rh-reach-own").count() >= 1
    assert drawn.locator(".rh-reach-beads").count() >= 1
    page.get_by_label("Say something").fill("look")
    page.get_by_role("button", name="Say").click()
    expect(page.locator("#panel-log .chat")).to_contain_text("look")
    expect(drawn).to_have_count(1)
    page.keyboard.press("Escape")
    page.locator("#panel-now .sentence").hover()
    page.evaluate("document.activeElement.blur()")
    expect(page.locator("#panel-map .rh-reach")).to_have_count(0)


@pytest.mark.parametrize("held", [False, True], ids=["pointed at", "held"])
def test_what_a_company_reaches_goes_with_the_company(show, dividend, held):
    """Its line may have closed under the pointer: nothing is left then that could be let go of."""
    number, _ = dividend
    page = show("1817", number)
    button = page.locator("#panel-strip [data-reach]").first
    button.click() if held else button.hover()
    expect(page.locator("#reach-legend")).to_be_visible()
    page.evaluate(
        """who => {
      for (const its of document.querySelectorAll(`[data-company-card="${who}"]`)) its.remove();
      document.getElementById("panel-bar").dataset.digest = ""; // something comes
      const { update } = document.getElementById("panel-history").dataset;
      htmx.ajax("GET", update, { source: "#stream", swap: "none" });
    }""",
        button.get_attribute("data-reach"),
    )
    expect(page.locator("#reach-legend")).to_be_hidden()
    expect(page.locator("#panel-map .rh-reach")).to_have_count(0)


def test_a_view_that_is_kept_stays_and_the_others_follow_the_game(show, dividend):
    page = show("1817", dividend[0])
    columns, tab = page.locator("#columns"), page.locator("#tab-sheet")
    expect(columns).to_have_attribute("data-view", "map")
    tab.click()
    expect(page.locator("#panel-sheet table.grid")).to_be_visible()
    page.reload()
    expect(columns).to_have_attribute("data-view", "map")
    page.locator("body").press("t")
    page.locator("[data-pin]").click()
    page.reload()
    expect(columns).to_have_attribute("data-view", "sheet")
    expect(page.locator("#panel-sheet table.grid")).to_be_visible()
    tab.focus()
    page.keyboard.press("ArrowLeft")
    expect(columns).to_have_attribute("data-view", "cards")
    expect(page.locator("#panel-companies .company").first).to_be_visible()


def test_patterns_are_shown_when_asked_for(show, dividend):
    page = show("1817", dividend[0])
    hatch = page.locator("#panel-map .rh-hatch").first
    assert hatch.evaluate("e => getComputedStyle(e).display") == "none"
    page.locator("#panel-bar [data-patterns]").click()
    assert hatch.evaluate("e => getComputedStyle(e).display") != "none"
    expect(page.locator("#panel-bar [data-patterns]")).to_have_attribute("aria-pressed", "true")


def test_prices_of_the_market_are_apart_with_every_company_in_the_strip(show):
    """The market of 1839 has eighteen rows, and sixteen companies may stand above it."""
    data = json.loads((GAMES / "1839" / "train_marker.json").read_text())
    number = [a["type"] for a in data["actions"]].index("lay_tile", 100)
    page = show("1839", number, "train_marker", viewport={"width": 1440, "height": 880})
    page.evaluate(
        """() => { const lines = document.querySelector(".strip-companies");
          while (lines.children.length < 16) lines.append(lines.children[0].cloneNode(true)); }"""
    )
    page.set_viewport_size({"width": 1440, "height": 900})
    page.locator("#panel-market .rh-price").first.wait_for()
    page.wait_for_timeout(600)
    gaps, legend = page.evaluate(
        """() => {
          const market = document.querySelector("#panel-market");
          const box = (e) => e.getBoundingClientRect();
          const prices = [...market.querySelectorAll(".rh-cell .rh-price")].map(box);
          const gaps = prices.flatMap((a) => prices.filter((b) =>
            Math.abs(a.top - b.top) < 1 && b.left > a.left).map((b) => b.left - a.right));
          const zones = [...market.querySelectorAll(".rh-legend > g")];
          const legend = zones.slice(1).map((zone, n) => {
            const [name, next] = [zones[n].lastChild, zone.querySelector("rect")].map(box);
            return next.left < name.left ? 99 : next.left - name.right;
          });
          return [gaps, legend];
        }"""
    )
    assert min(gaps) >= 2
    assert not legend or min(legend) >= 3


def test_no_part_of_the_table_is_wider_than_a_phone(show):
    number, _ = moment("1828", lambda e: e.action.type == "lay_tile" and e.action.id > 400)
    page = show("1828", number, viewport={"width": 390, "height": 844}, has_touch=True)
    for name in ("Companies", "Log", "Board"):
        page.get_by_role("button", name=name, exact=True).click()
        assert page.locator("#columns").evaluate("e => e.scrollWidth") <= 390, name
        assert page.locator("#panel-bar").evaluate("e => e.getBoundingClientRect().width") <= 390
    page.locator("#panel-now [data-spot]").first.click()
    expect(page.locator("#spot")).to_be_visible()


@pytest.mark.parametrize(("title", "scheme"), [("1817", "light"), ("1828", "dark")])
def test_axe_finds_no_serious_fault_in_the_middle_of_a_game(show, title, scheme):
    axe = pytest.importorskip("axe_core_python", reason="axe-core is not installed")
    number, _ = moment(title, lambda e: e.action.type == "run_routes" and e.action.id > 300)
    page = show(title, number, color_scheme=scheme, bypass_csp=True)
    page.locator("[data-route-draw]").first.click()
    page.locator("#routes .drawing").wait_for()
    page.evaluate((resources.files(axe) / "axe.min.js").read_text())
    found = page.evaluate("axe.run()")["violations"]
    serious = [
        (v["id"], [n["html"][:160] for n in v["nodes"][:4]])
        for v in found
        if v["impact"] in ("serious", "critical")
    ]
    assert not serious


@pytest.mark.parametrize("width", [1440, 390])
def test_how_a_vote_stands_is_read_where_one_votes(show, width):
    page = show("18Ireland", 233, viewport={"width": width, "height": 844})
    told = page.locator("#panel-now").get_by_text("must be for")
    assert told.is_visible()
    assert "votes for and" in told.inner_text()
