"""The table in a real Chromium."""

from __future__ import annotations

import re
from importlib import resources

import pytest

from .browser import CHROMIUM, moved_on, version
from .conftest import game_files

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = sync_api.expect
expect.set_options(timeout=20_000)  # a busy machine is no fault of the page

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")

NAMES = "Ada\nBen\nCleo"
#: What we do where we can, the first of these that is offered.
KINDS = (
    "run_routes", "dividend", "lay_tile", "place_token", "par", "buy_train", "bid", "assign",
    "choose",
)  # fmt: skip


def begin(page, address, names=NAMES, seed="1"):
    page.goto(f"{address}/new/1817/")
    page.get_by_label("Players, one name a line").fill(names)
    page.locator("[name=seed]").fill(seed)
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector("#panel-now .sentence")
    page.wait_for_load_state("load")  # buttons work once the scripts have run
    return page


def press(page, button):
    before = version(page)
    button.click()
    moved_on(page, before)


def now(page):
    return page.locator("#panel-now")


def kinds(page):
    groups = now(page).locator(".group")
    classes = [groups.nth(n).get_attribute("class") for n in range(groups.count())]
    return [c.rpartition("kind-")[2] for c in classes]


def group(page, kind):
    return now(page).locator(f".group.kind-{kind}")


def enough_bids(page, done):
    """A few private companies and one corporation are enough."""
    first_round = page.locator("#panel-bar .round").inner_text().startswith("ISR")
    return done.count("bid") >= 3 if first_round else "place_token" in done


def one_step(page, done):
    """Do the most telling thing there is; notes its kind."""
    offered = kinds(page)
    for kind in KINDS:
        if kind not in offered or (kind == "buy_train" and done.count("buy_train") > 0):
            continue
        if kind == "bid" and (done[-1:] == ["bid"] or enough_bids(page, done)):
            continue
        if kind == "lay_tile":
            lay(page)
        elif kind == "run_routes":
            page.locator("#routes .routes-table").wait_for()
            expect(page.locator("#routes")).to_contain_text("proven best")
            press(page, page.locator("#routes .primary"))
        else:
            press(page, usual(page, kind))
        done.append(kind)
        return
    last = group(page, "pass") if "pass" in offered else now(page)
    press(page, last.locator("button.go").last)
    done.append("pass")


def usual(page, kind):
    """The button we press of a kind: a rich corporation with its home in Detroit."""
    folded = group(page, kind).locator("details:not([open], .greyed) > summary")
    if folded.count():
        folded.first.click()
    buttons = group(page, kind).locator("button.go")
    if kind == "place_token":
        detroit = buttons.filter(has_text="Detroit")
        return (detroit if detroit.count() else buttons).first
    if kind == "bid" and not page.locator("#panel-bar .round").inner_text().startswith("ISR"):
        options = group(page, kind).locator(".opt")
        if options.count() and not group(page, kind).locator(".opt input:checked").count():
            options.first.click()
        group(page, kind).locator(".quick button").filter(has_text="max").first.click()
    return buttons.first


def lay(page):
    hexes = group(page, "lay_tile").locator("[data-spot]")
    toledo = hexes.filter(has_text="Toledo")
    (toledo if toledo.count() else hexes).first.click()
    page.locator("#spot .fan .go").wait_for()
    assert page.locator("#panel-map .preview").count() == 1
    press(page, page.locator("#spot .fan .go"))
    expect(page.locator("#spot")).to_be_hidden()


def test_a_hotseat_game_from_creation_to_a_dividend(open_page, local):
    page = begin(open_page(), local)
    expect(now(page).locator(".sentence")).to_contain_text("Ada")
    done: list[str] = []
    for _ in range(160):
        one_step(page, done)
        if {"lay_tile", "run_routes", "dividend", "buy_train"} <= set(done):
            break
    assert {"bid", "lay_tile", "buy_train", "run_routes", "dividend"} <= set(done), done
    expect(page.locator("#panel-strip .strip-companies > li").first).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    page.wait_for_timeout(300)
    page.reload()
    assert version(page) == len(done) + 1


def test_a_refusal_shows_sentence_and_section(open_page, local):
    page = begin(open_page(), local)
    group(page, "bid").locator("summary").first.click()
    field = group(page, "bid").locator("input[type=number]").first
    field.evaluate("e => { e.step = 1; e.value = 7; }")
    group(page, "bid").locator("button.go").first.click()
    refusal = now(page).locator(".refusal")
    expect(refusal).to_be_visible()
    expect(refusal).to_contain_text("§")
    assert version(page) == 0


def sign_up(page, address, name):
    page.goto(f"{address}/account/new/")
    page.get_by_label("Username").fill(name)
    for field in ("Password:", "Password confirmation:"):
        page.get_by_label(field).fill("a quiet table, a long evening")
    page.get_by_role("button", name="New account").click()
    page.wait_for_url(f"{address}/")


def test_two_browsers_at_one_table_see_each_other(open_page, online):
    pages = [open_page() for _ in range(3)]
    for page, name in zip(pages, ("anna", "ben", "cleo"), strict=True):
        sign_up(page, online, name)
    anna, ben, cleo = pages
    anna.goto(f"{online}/new/1817/")
    anna.get_by_role("button", name="Open the table").click()
    anna.wait_for_selector("text=Invitation link")
    table = anna.url
    for page in (ben, cleo):
        page.goto(table)
        page.get_by_role("button", name="Take a seat").click()
        page.wait_for_load_state()
    for page in (anna, ben):
        page.goto(table)
    expect(now(anna).locator(".sentence")).to_contain_text("anna")
    expect(now(ben).locator(".sentence")).to_contain_text("Waiting for anna")
    assert group(ben, "bid").count() == 0
    assert anna.title().startswith("●")
    anna.locator("#panel-auction .lot .go").first.click()
    expect(now(ben).locator(".sentence")).to_contain_text("ben", timeout=10_000)
    expect(ben).to_have_title(re.compile("^●"))
    ben.get_by_label("Say something").fill("<b>good</b> luck")
    ben.get_by_role("button", name="Say").click()
    expect(anna.locator("#panel-log .chat")).to_contain_text("<b>good</b> luck")
    spectator = open_page()
    spectator.goto(table)
    expect(now(spectator).locator(".sentence")).to_contain_text("Waiting for ben")
    assert spectator.locator("#panel-now button").count() == 0


@pytest.mark.skipif(not game_files(), reason="the reference games are not here")
def test_an_imported_game_is_walked_through(open_page, local):
    page = open_page()
    page.goto(f"{local}/import/")
    page.get_by_label("File").set_input_files(game_files()[0])
    page.get_by_role("button", name="Import").click()
    page.wait_for_selector("#panel-history")
    page.wait_for_load_state("load")  # the keys work once the scripts have run
    moment = page.locator("#panel-history .moment")
    last = int(moment.inner_text().split()[-1])
    page.locator("body").press("Home")
    expect(moment).to_contain_text(f"action 0 of {last}")
    page.locator("body").press("ArrowRight")
    expect(moment).to_contain_text("action 1 of")
    page.locator("body").press("ArrowDown")
    expect(page).to_have_url(re.compile(r"\?at=\d+"))
    page.locator("body").press("End")
    expect(moment).to_contain_text(f"action {last} of {last}")
    page.go_back()
    expect(page.locator("#panel-now")).to_contain_text("as it was after action")


def test_on_a_phone(open_page, local):
    page = begin(open_page(viewport={"width": 390, "height": 844}, has_touch=True), local)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    expect(page.locator("#pane-auction")).to_be_visible()
    page.get_by_role("button", name="Companies", exact=True).click()
    expect(page.locator("#panel-strip .strip-players > li")).to_have_count(3)
    expect(page.locator("#pane-auction")).to_be_hidden()
    expect(now(page).locator(".sentence")).to_be_visible()
    page.goto(local)
    expect(page.locator(".game").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_by_keyboard_alone(open_page, local):
    page = begin(open_page(), local)
    before = version(page)
    page.locator("body").press("n")
    for _ in range(12):
        focused = page.evaluate("document.activeElement.name || ''")
        if focused.startswith("field:"):
            break
        if page.evaluate("document.activeElement.matches('.kind-bid summary')"):
            page.keyboard.press("Enter")
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    moved_on(page, before)
    expect(page.locator("#panel-log .entry")).to_have_count(1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_serious_fault(open_page, local, scheme):
    axe = pytest.importorskip("axe_core_python", reason="axe-core is not installed")
    script = (resources.files(axe) / "axe.min.js").read_text()
    page = open_page(color_scheme=scheme, bypass_csp=True)
    pages = [f"{local}/", f"{local}/new/1817/", f"{local}/import/"]
    begin(page, local)
    for address in [page.url, *pages]:
        page.goto(address)
        page.evaluate(script)
        found = page.evaluate("axe.run()")["violations"]
        serious = [
            (v["id"], [n["html"][:160] for n in v["nodes"][:4]])
            for v in found
            if v["impact"] in ("serious", "critical")
        ]
        assert not serious, (address, serious)


def test_nothing_is_fetched_from_elsewhere(open_page, local):
    page = open_page()
    asked: list[str] = []
    page.on("request", lambda r: asked.append(r.url))
    begin(page, local)
    assert all(url.startswith((local, "data:")) for url in asked)
