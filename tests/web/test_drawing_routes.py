"""Routes drawn in a real Chromium: by dragging along track, by clicking stops, by keyboard."""

from __future__ import annotations

import json

import pytest

import roundhouse
from roundhouse.routes.hand_drawn import pieces_along

from .browser import CHROMIUM, imported, moved_on, version
from reference import GAMES

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = sync_api.expect
expect.set_options(timeout=20_000)

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")

FILE = GAMES / "1817" / "base.json"


def _before_a_run():
    """A game just before a company runs two trains, the best of which makes three stops or more."""
    game, _ = roundhouse.replay(FILE)
    for number, entry in enumerate(game.log):
        if entry.action.type == "run_routes" and len(entry.action.routes) > 1:
            before = game.at(game.log[number - 1].action.id)
            best = before.best_routes()
            if len(best.routes[0].connections) > 1 and best.routes[0].revenue:
                return number, before, best
    raise AssertionError("no such run")


@pytest.fixture(scope="module")
def moment():
    return _before_a_run()


@pytest.fixture
def page(open_page, local, moment, tmp_path):
    number, _, _ = moment
    data = json.loads(FILE.read_text())
    data["actions"] = data["actions"][:number]
    file = tmp_path / "cut.json"
    file.write_text(json.dumps(data))
    page = open_page()
    page.on("request", lambda r: print(r.url[-200:]))
    page.goto(f"{local}/import/")
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Import").click()
    page.locator("#routes .routes-table").wait_for()
    expect(page.locator("#routes")).to_contain_text("proven best")
    return page


def hexes_of(run):
    """All hexes of a route in travel order, borders crossed once."""
    pieces = [list(p) for p in run.connections]
    if len(pieces) > 1 and pieces[0][-1] not in (pieces[1][0], pieces[1][-1]):
        pieces[0].reverse()
    found = pieces[0]
    for piece in pieces[1:]:
        onward = piece if piece[0] == found[-1] else piece[::-1]
        found = found + onward[1:]
    return found


def middle(page, coord):
    box = page.locator(f'#panel-map [data-hex="{coord}"] .rh-field').bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, hexes):
    page.mouse.move(*middle(page, hexes[0]))
    page.mouse.down()
    for coord in hexes[1:]:
        page.mouse.move(*middle(page, coord), steps=4)
    page.mouse.up()


def begin_drawing(page, run):
    page.locator(f'[data-route-draw="{run.train}"]').click()
    page.locator("#routes .drawing").wait_for()


def row(page, run):
    return page.locator("#routes tbody tr", has=page.locator(f'[data-route-draw="{run.train}"]'))


def test_dragging_along_the_track_draws_that_route(page, moment):
    _, game, best = moment
    run = best.routes[0]
    begin_drawing(page, run)
    page.locator(f'[data-route-drop="{run.train}"]').click()
    expect(row(page, run)).to_contain_text("idle")
    hexes = hexes_of(run)
    drag(page, hexes)
    expect(row(page, run)).not_to_contain_text("idle")
    pieces = pieces_along(game.route_model(), hexes)
    alone = game.check_routes([{"train": run.train, "connections": pieces}])
    assert alone == run.revenue
    expect(page.locator("#routes tfoot")).to_contain_text(str(best.revenue))
    expect(page.locator("#routes")).to_contain_text("proven best")
    assert page.locator(".sketch").count() == 0


def test_clicking_stops_draws_and_takes_off(page, moment):
    _, _, best = moment
    run = best.routes[0]
    begin_drawing(page, run)
    second = run.hexes[1]
    page.mouse.click(*middle(page, run.hexes[0]))
    expect(page.locator("#routes .refusal")).to_contain_text("needs a second stop")
    page.mouse.click(*middle(page, second))
    expect(row(page, run).locator("td").first).to_contain_text(second)
    expect(page.locator("#routes .refusal")).to_have_count(0)
    page.mouse.click(*middle(page, second))
    expect(page.locator("#routes .refusal")).to_contain_text("needs a second stop")


def test_what_may_not_be_run_is_refused_in_a_sentence(page, moment):
    _, _, best = moment
    run = best.routes[0]
    other = best.routes[1]
    begin_drawing(page, run)
    drag(page, hexes_of(other))
    expect(page.locator("#routes .refusal")).to_contain_text("used")
    expect(page.locator("#routes .refusal")).to_contain_text("§")
    expect(page.locator("#routes .primary")).to_be_disabled()
    page.locator("[data-route-best]").click()
    expect(page.locator("#routes .primary")).to_be_enabled()
    expect(page.locator("#routes")).to_contain_text("proven best")


def test_the_best_route_with_a_part(page, moment):
    _, game, best = moment
    run = best.routes[0]
    begin_drawing(page, run)
    page.mouse.click(*middle(page, run.hexes[0]))
    expect(page.locator("#routes .refusal")).to_be_visible()
    page.locator("[data-route-complete]").click()
    expect(page.locator("#routes .refusal")).to_have_count(0)
    found = game.complete_route(run.train, [[run.hexes[0]]])
    expect(row(page, run)).to_contain_text(found.revenue_str)


def test_stops_are_chosen_by_keyboard(page, moment):
    _, _, best = moment
    run = best.routes[0]
    page.locator(f'[data-route-draw="{run.train}"]').press("Enter")
    for stop in run.hexes[:2]:
        page.locator("[data-route-stop]").select_option(stop)
        page.wait_for_timeout(300)
    expect(row(page, run).locator("td").first).to_contain_text(run.hexes[1])


def test_what_comes_along_with_routes_goes_to_its_own_place(page, moment):
    """The map's hexes with the routes on them: once on the page, and none beside the list."""
    for _ in range(2):
        assert page.locator("#panel-map .rh-route").count()
        assert page.locator("#routes .rh-hex, #routes [data-part]").count() == 0
        ids = page.evaluate("[...document.querySelectorAll('[id]')].map((element) => element.id)")
        assert len(ids) == len(set(ids))
        drag(page, hexes_of(moment[2].routes[0]))
        page.wait_for_timeout(300)


def test_chat_leaves_the_drawn_routes_on_the_map(page):
    drawn = page.locator("#panel-map .rh-route")
    expect(drawn.first).to_be_visible()
    before = drawn.count()
    page.get_by_label("Say something").fill("well run")
    page.get_by_role("button", name="Say").click()
    expect(page.locator("#panel-log .chat")).to_contain_text("well run")
    assert drawn.count() == before


def test_what_was_drawn_is_what_is_run(page, moment):
    _, game, best = moment
    run = best.routes[1]
    page.locator(f'[data-route-drop="{run.train}"]').click()
    expect(row(page, run)).to_contain_text("idle")
    total = game.check_routes([r for r in best.routes if r is not run])
    expect(page.locator("#routes .primary")).to_contain_text(str(total))
    before = version(page)
    page.locator("#routes .primary").click()
    moved_on(page, before)
    expect(page.locator("#panel-log .entry").last).to_contain_text(str(total))


DRAWN = "#panel-map .rh-routes path, #panel-map path.rh-route"


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)], ids=["desk", "phone"])
def test_a_tile_that_leads_to_a_run_has_the_routes_drawn_and_the_map_sent_in_pieces(
    open_page, local, tmp_path, size
):
    page = open_page(viewport=dict(zip(("width", "height"), size, strict=True)))
    lay = _before_a_tile_and_a_run(page, local, tmp_path)
    updates = []
    page.on("request", lambda r: updates.append(r.url) if "/update/" in r.url else None)
    _lay(page, lay)
    expect(page.locator("#routes")).to_contain_text("proven best")
    expect(page.locator(DRAWN)).not_to_have_count(0)
    page.wait_for_timeout(1000)
    assert updates == []  # every piece of the map had its place, the tile seen before it lay aside
    assert page.locator(DRAWN).count()


def test_routes_stay_drawn_when_an_answer_asked_for_before_them_comes_after_them(
    open_page, local, tmp_path
):
    page = open_page()
    lay = _before_a_tile_and_a_run(page, local, tmp_path)
    held = []

    def hold_back(route):  # the first one
        held.append(route) if not held else route.continue_()

    page.route("**/update/", hold_back)
    page.evaluate(ASK_WHILE_ROUTES_ARE_NOT_KNOWN)
    _lay(page, lay)
    expect(page.locator("#routes")).to_contain_text("proven best")
    expect(page.locator(DRAWN)).not_to_have_count(0)
    with page.expect_response("**/update/") as late:
        held[0].continue_()
    assert "panel-map" in late.value.text()
    page.wait_for_timeout(1000)
    assert page.locator(DRAWN).count()


#: As where a page has heard of the action before its answer came, and has no map.
ASK_WHILE_ROUTES_ARE_NOT_KNOWN = """
document.addEventListener("htmx:after:swap", function ask(event) {
  if (!event.detail.ctx.request.action.endsWith("/act/")) return;
  document.removeEventListener("htmx:after:swap", ask);
  const map = document.getElementById("panel-map");
  const { digest } = map.dataset;
  map.dataset.digest = "";
  const { update } = document.getElementById("panel-history").dataset;
  htmx.ajax("GET", update, { source: "#stream", swap: "none" });
  map.dataset.digest = digest;
})"""


def _before_a_tile_and_a_run(page, address, folder):
    """Opens a game of 18Ireland just before a green tile after which trains are run; the tile."""
    games = sorted((GAMES / "18Ireland").glob("*.json"))
    game, _ = roundhouse.replay(max(games, key=lambda p: p.stat().st_size))
    pairs = zip(game.history, game.history[1:], game.history[2:], strict=False)
    number = next(
        n
        for n, (before, entry, after) in enumerate(pairs)
        if entry.action.type == "lay_tile"
        and before.state.board.tiles.get(entry.action.hex)
        and after.action.type == "run_routes"
        and after.action.routes
    )
    file = folder / "before.json"
    file.write_text(json.dumps(game.at(game.history[number].action.id).dump()))
    imported(page, address, file)
    return game.history[number + 1].action


def _lay(page, lay):
    before = version(page)
    page.locator(f'#panel-now [data-spot="{lay.hex}"]').click()
    chosen = f'#spot input[data-tile="{lay.tile.split("-")[0]}"][data-rotation="{lay.rotation}"]'
    page.locator(chosen).evaluate("field => field.click()")
    page.locator("#panel-map .preview").wait_for()
    page.locator("#spot button.go", has_text="Lay").click()
    moved_on(page, before)
