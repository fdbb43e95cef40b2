"""Tables in a real Chromium: bots, taking back over two browsers, a server that goes away."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from .browser import CHROMIUM, free_port, imported, moved_on, ready, running, server, version

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = sync_api.expect
expect.set_options(timeout=20_000)

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")


GAMES = Path(__file__).parents[1] / "games"


def begin(page, address, names="Ada\nBen\nCleo", bots=0):
    page.goto(f"{address}/new/1817/")
    page.get_by_label("Players, one name a line").fill(names)
    page.locator("[name=bots]").fill(str(bots))
    page.locator("[name=seed]").fill("1")
    page.get_by_role("button", name="Begin").click()
    return ready(page)


def bid(page):
    page.locator("#panel-auction .lot .go").first.click()


def sign_up(page, address, name):
    page.goto(f"{address}/account/new/")
    page.get_by_label("Username").fill(name)
    for field in ("Password:", "Password confirmation:"):
        page.get_by_label(field).fill("a quiet table, a long evening")
    page.get_by_role("button", name="New account").click()
    page.wait_for_url(f"{address}/")


def table_of_three(pages, address, undo):
    """Anna's table with Ben and a bot, open in both browsers."""
    anna, ben = pages
    anna.goto(f"{address}/new/1817/")
    anna.locator("[name=bots]").fill("1")
    anna.locator("[name=undo]").select_option(undo)
    anna.get_by_role("button", name="Open the table").click()
    link = anna.get_by_label("Invitation link").input_value()
    ben.goto(link)
    ben.get_by_role("button", name="Take a seat").click()
    ready(ben)
    anna.goto(ben.url)
    return ready(anna), ben


def answered_by_bot(*pages):
    """Ben sits after the bot; both pages must have heard of what it did."""
    for page in pages:
        moved_on(page, 1)


def undo(page):
    page.locator("[data-undo]").click()


def test_bots_answer_without_reload(open_page, local):
    page = begin(open_page(), local, "Ada", bots=2)
    sentence = page.locator("#panel-now .sentence")
    expect(sentence).to_contain_text("Ada")
    bid(page)
    moved_on(page, 2)  # Ada's bid and both answers
    expect(sentence).to_contain_text("Ada")
    undo(page)
    expect(page.locator("#panel-log .entry.undone")).not_to_have_count(0)
    expect(sentence).to_contain_text("Ada")


def test_taking_back_over_two_browsers(open_page, online):
    pages = [open_page(), open_page()]
    for page, name in zip(pages, ("anna", "ben"), strict=True):
        sign_up(page, online, name)
    anna, ben = table_of_three(pages, online, "own")
    bid(anna)
    answered_by_bot(ben, anna)
    undo(ben)
    expect(ben.locator("#panel-now .wish")).to_contain_text("Waiting for anna")
    undo(anna)
    expect(ben.locator("#panel-log .entry.undone")).not_to_have_count(0)

    anna, ben = table_of_three(pages, online, "consent")
    bid(anna)
    answered_by_bot(ben, anna)
    undo(anna)
    expect(anna.locator("#panel-now .wish")).to_contain_text("Waiting for ben")
    expect(ben.locator("#panel-now .wish")).to_contain_text("anna would like to take back")
    ben.get_by_role("button", name="agree").click()
    expect(anna.locator("#panel-log .entry.undone")).not_to_have_count(0)
    expect(anna.locator("#panel-now .wish")).to_have_count(0)


def test_a_page_says_that_the_server_is_away_and_catches_up(chromium, tmp_path):
    port = free_port()
    one, two = (chromium.new_page() for _ in range(2))
    with server(tmp_path, port=port) as address:
        begin(one, address)
        two.goto(one.url)
        ready(two)
        bid(two)
        expect(one.locator("#panel-log .entry")).to_have_count(1)
    expect(one.locator("#connection")).to_be_visible()
    two.close()
    with server(tmp_path, port=port) as address:
        two = chromium.new_page()
        two.goto(one.url)
        ready(two)
        bid(two)
        expect(two.locator("#panel-log .entry")).to_have_count(2)
        expect(one.locator("#panel-log .entry")).to_have_count(2, timeout=40_000)
        expect(one.locator("#connection")).to_be_hidden(timeout=40_000)
        two.get_by_role("textbox", name="Say something").fill("back again")
        two.get_by_role("button", name="Say").click()
        expect(one.locator("#panel-log .chat")).to_contain_text("back again")
    one.close()
    two.close()


def test_what_a_killed_server_did_not_take_is_kept_and_sent_when_it_runs_again(chromium, tmp_path):
    port = free_port()
    page = chromium.new_page()
    with server(tmp_path, port=port) as address:
        begin(page, address)
        running[address].kill()
        running[address].wait()
    bid(page)
    expect(page.locator("#unsent")).to_be_visible()
    assert version(page) == 0
    with server(tmp_path, port=port):
        expect(page.locator("#connection")).to_be_hidden(timeout=40_000)
        page.locator("#unsent [data-send]").click()
        moved_on(page, 0)
        expect(page.locator("#unsent")).to_be_hidden()
        page.reload()
        ready(page)
        assert version(page) == 1
        expect(page.locator("#panel-log .entry")).to_have_count(1)
    page.close()


def test_patterns_are_kept(open_page, local):
    page = begin(open_page(), local)
    page.get_by_role("button", name="Patterns beside colours").click()
    expect(page.locator("html")).to_have_class(re.compile("rh-patterns"))
    page.reload()
    expect(page.locator("html")).to_have_class(re.compile("rh-patterns"))


def test_colours_are_chosen_and_kept(open_page, local):
    page = begin(open_page(), local)
    page.get_by_role("button", name="Colours and patterns").click()
    page.locator("[data-look-of=tiles]").select_option("safe")
    page.locator("[data-look-of=players]").select_option("ink")
    page.reload()
    ready(page)
    expect(page.locator("html")).to_have_attribute("data-tiles", "safe")
    expect(page.locator("html")).to_have_attribute("data-players", "ink")
    color = "getComputedStyle(document.documentElement).getPropertyValue('--rh-yellow')"
    assert page.evaluate(color).strip() == "#f6ea7a"


def test_the_last_of_colours_chosen_while_one_is_on_its_way_stays(open_page, local):
    page = begin(open_page(), local)
    held = []
    page.route("**/looks/", lambda route: held.append(route) if not held else route.continue_())
    page.get_by_role("button", name="Colours and patterns").click()
    page.locator("[data-look-of=tiles]").select_option("safe")
    page.locator("[data-look-of=players]").select_option("ink")
    page.wait_for_timeout(200)
    with page.expect_response(lambda r: "players=ink" in (r.request.post_data or "")):
        held[0].continue_()
    page.wait_for_timeout(200)
    kept = json.loads(page.evaluate("localStorage.getItem('looks')"))
    assert (kept["tiles"], kept["players"], "unsent" in kept) == ("safe", "ink", False)
    page.reload()
    ready(page)
    expect(page.locator("html")).to_have_attribute("data-players", "ink")


def test_colours_follow_from_one_device_to_another(open_page, online):
    phone, desk = open_page(), open_page()
    sign_up(phone, online, "dora")
    phone.goto(f"{online}/new/1817/")
    phone.get_by_label("all players at this screen").check()
    phone.locator("[name=names]").fill("Dora\nEve\nFay")
    phone.get_by_role("button", name="Open the table").click()
    ready(phone)
    phone.get_by_role("button", name="Colours and patterns").click()
    with phone.expect_response("**/account/looks/"):
        phone.locator("[data-look-of=tokens]").select_option("ringed")
    with phone.expect_response("**/account/looks/"):
        phone.locator("#looks [data-patterns]").click()
    desk.goto(f"{online}/account/login/")
    desk.get_by_label("Username").fill("dora")
    desk.get_by_label("Password").fill("a quiet table, a long evening")
    desk.get_by_role("button", name="Sign in").click()
    desk.goto(phone.url)
    expect(desk.locator("html")).to_have_attribute("data-tokens", "ringed")
    expect(desk.locator("html")).to_have_class(re.compile("rh-patterns"))


def test_the_supply_is_searched_and_tells_what_a_tile_may_become(open_page, local):
    page = begin(open_page(), local)
    page.get_by_role("tab", name="Trains & tiles").click()
    tiles = page.locator("#panel-tiles li[data-tile]:visible")
    page.get_by_label("Colour", exact=True).select_option("green")
    expect(page.locator("#panel-tiles [data-colour=yellow]").first).to_be_hidden()
    page.get_by_label("Colour", exact=True).select_option("yellow")
    tiles.locator("button").first.click()
    expect(page.locator("[data-found]")).to_contain_text("may become")
    expect(page.locator("#panel-tiles [data-colour=green]:visible").first).to_be_visible()


def test_the_map_at_the_start_lies_over_what_was_laid(open_page, local):
    page = open_page()
    page.goto(f"{local}/import/")
    own = Path(__file__).parents[1] / "games" / "1839"
    page.locator("input[type=file]").set_input_files(sorted(own.glob("*.json"))[0])
    page.get_by_role("button", name="Import").click()
    ready(page)
    page.get_by_role("tab", name="Map").click()
    expect(page.locator("#panel-map svg")).to_be_visible()
    page.get_by_text("Layers", exact=True).click()
    page.get_by_label("the map at the start").check()
    expect(page.locator(".rh-at-start > .rh-hex.rh-c-white").first).to_be_visible()
    tiles = page.locator(".rh-hexes .rh-c-yellow, .rh-hexes .rh-c-green, .rh-hexes .rh-c-brown")
    laid = tiles.evaluate_all("all => all.map(hex => hex.dataset.hex)")
    worth = [page.locator(f".rh-type .rh-value[data-of='{hex_}']") for hex_ in laid]
    then = sum(value.count() for value in worth)
    page.get_by_label("the map at the start").uncheck()
    expect(page.locator(".rh-at-start")).to_have_count(0)
    assert then < sum(value.count() for value in worth)  # what cities were not worth then


def test_the_log_is_filtered_and_jumped_into(open_page, local):
    page = begin(open_page(), local)
    for count in (1, 2, 3):
        bid(page)
        expect(page.locator("#panel-log .entry")).to_have_count(count)
    page.locator(".filters summary").click()
    page.locator(".sieve", has_text="Ben").click()
    expect(page.locator(".sieve[aria-current]").last).to_have_text("Ben")
    expect(page.locator("#panel-log .entry")).not_to_have_count(3)
    bid(page)
    expect(page.locator(".sieve[aria-current]").last).to_have_text("Ben")
    page.locator(".sieve", has_text="anybody").click()
    expect(page.locator("#panel-log .entry")).to_have_count(4)
    page.locator(".goto input").fill("2")
    page.locator(".goto input").press("Enter")
    expect(page.locator("#panel-log .entry.here")).to_have_attribute("id", "entry-2")
    expect(page.locator("#panel-log .entry.later")).to_have_count(2)


#: What a page shows that was sent in pieces, and what it would show if it were loaded now.
SHOWN_AND_LOADED = """async () => {
  const pressed = / aria-pressed="\\w+"| new(?=[ "])/g;  // what scripts mark
  const lettered = /(?<=<text)[^>]*/g;  // whose size follows from the zoom
  const spaces = />\\s+</g;
  const bare = (e) =>
    e.outerHTML.replace(pressed, "").replace(lettered, "").replace(spaces, "><");
  const read = (page) => ({
    hexes: [...page.querySelectorAll("#panel-map .rh-hex")].map(bare),
    cells: [...page.querySelectorAll("#panel-market .rh-cell")].map(bare),
    strip: [...page.querySelectorAll("#panel-strip li, #panel-strip > p")].map(bare),
    log: [...page.querySelectorAll("#panel-log li:not(.earlier)")].map(bare),
  });
  const answer = await fetch(location.href);
  const loaded = read(new DOMParser().parseFromString(await answer.text(), "text/html"));
  const shown = read(document);
  shown.log = shown.log.slice(-loaded.log.length);
  return [shown, loaded];
}"""


def is_as_loaded(page):
    """A page shows what it would show if it were loaded now; which drawings that would have."""
    shown, loaded = page.evaluate(SHOWN_AND_LOADED)
    drawings = {name for name in ("hexes", "cells") if loaded[name]}
    for name in {"strip", "log"} | drawings:
        assert shown[name] == loaded[name], name
    return drawings


@pytest.mark.parametrize("title", ["1839/train_marker", "1817/base", "1828/base"])
def test_pieces_make_the_page_that_a_reload_shows(open_page, local, title):
    page = open_page()
    page.emulate_media(reduced_motion="reduce")  # amounts are counted up otherwise
    imported(page, local, GAMES / f"{title}.json")
    page.goto(f"{page.url}?at=100")
    ready(page)
    at = page.locator("#panel-history .moment b")
    keys = ("ArrowRight",) * 24 + ("ArrowLeft", "ArrowLeft", "ArrowDown", "ArrowRight", "ArrowUp")
    drawings = set()
    for key in keys:
        before = at.inner_text()
        with page.expect_response("**/update/**"):
            page.keyboard.press(key)
        expect(at).not_to_have_text(before)
        drawings |= is_as_loaded(page)
    assert drawings == {"hexes", "cells"}


def test_earlier_lines_of_the_log_stay_when_it_goes_on(open_page, local):
    page = open_page()
    page.emulate_media(reduced_motion="reduce")  # amounts are counted up otherwise
    imported(page, local, GAMES / "1817" / "base.json")
    lines = page.locator("#panel-log .entry")
    page.locator("#panel-log .earlier a").click()
    expect(lines).not_to_have_count(30)
    count = lines.count()
    assert count > 200
    undo(page)
    expect(lines).to_have_count(count + 1)
    expect(lines.last).to_contain_text("took back")
    expect(page.locator("#panel-log .entry.undone")).to_have_count(1)
    is_as_loaded(page)
    page.locator("[data-redo]").click()
    expect(lines).to_have_count(count + 2)
    expect(page.locator("#panel-log .entry.undone")).to_have_count(0)
    is_as_loaded(page)
    numbers = [int(line.split("-")[1]) for line in lines.evaluate_all("all => all.map(e => e.id)")]
    assert numbers == sorted(set(numbers))
    page.locator("#panel-log .earlier a").click()
    expect(lines).to_have_count(count + 202)


def test_an_answer_that_comes_late_leaves_what_is_looked_at(open_page, local):
    page = begin(open_page(), local)
    for count in (1, 2):
        bid(page)
        expect(page.locator("#panel-log .entry")).to_have_count(count)
    late = []

    def hold(route):
        late.append(route)

    page.route("**/act/", hold)
    with page.expect_request("**/act/"):
        bid(page)
    page.locator(".filters summary").click()
    page.locator(".sieve", has_text="Ben").click()
    expect(page.locator(".sieve[aria-current]").last).to_have_text("Ben")
    page.locator(".sieve", has_text="anybody").click()
    page.locator(".goto input").fill("1")
    page.locator(".goto input").press("Enter")
    expect(page.locator("#panel-log .entry.here")).to_have_attribute("id", "entry-1")
    expect(page.locator("#panel-log .entry.later")).to_have_count(1)
    late[0].continue_()
    expect(page.locator("#panel-log .entry.later")).to_have_count(2)
    expect(page.locator("#panel-log .entry.here")).to_have_attribute("id", "entry-1")
