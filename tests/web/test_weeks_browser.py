"""Promises, seats and deals in a real Chromium: on the table itself, wide and on a phone, and
nothing of a promise in what another browser hears."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from .browser import server
from .test_promises_survive import visitor


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    """A server that looks at promises at once."""
    env = {"ROUNDHOUSE_PROMISES_WAIT": "0.5-0.5"}
    with server(tmp_path_factory.mktemp("quick"), "--accounts", env=env) as address:
        yield address


@pytest.fixture
def table(quick, request):
    names = [f"{n}{abs(hash(request.node.name)) % 9973}" for n in ("anna", "ben", "cleo")]
    people = [visitor(quick, name) for name in names]
    with people[0].post("/new/1817/", seats=3, seed=1, public="on") as answer:
        path = re.search(r"/table/\d+/", answer.url)[0]
    for one in people[1:]:
        one.post(f"{path}join/").close()
    return path, people


def page_of(open_page, quick, someone, path, **options):
    page = open_page(**options)
    page.context.add_cookies([
        {"name": c.name, "value": c.value, "url": quick} for c in someone.jar
    ])  # fmt: skip
    page.goto(quick + path)
    return page


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_a_promise_is_made_at_the_table_and_kept(open_page, quick, table, size):
    path, (anna, ben, _) = table
    viewport = {"width": size[0], "height": size[1]}
    mine = page_of(open_page, quick, ben, path, viewport=viewport)
    theirs = page_of(open_page, quick, anna, path, viewport=viewport)
    theirs.wait_for_load_state("networkidle")
    for part in ("shares", "market", "map"):  # what the game turns to later is fetched by itself
        expect(theirs.locator(f"#panel-{part}")).not_to_have_attribute("data-digest", "")
    asked = []
    theirs.on("request", lambda r: asked.append(r.url))
    mine.get_by_role("button", name="Pass until something happens").click()
    line = mine.locator(".promise-lines li")
    expect(line).to_contain_text("pass until the end of the round")
    theirs.wait_for_timeout(1500)
    assert not asked  # it was looked at meanwhile, and nothing was to be done
    before = theirs.locator("#panel-bar").get_attribute("data-version")
    anna.bid(path, 0)
    expect(theirs.locator("#panel-bar")).to_have_attribute("data-version", "2")
    assert before == "0"
    expect(mine.locator(".promise-lines li")).to_contain_text("You pass, as you said.")
    mine.get_by_role("button", name=re.compile("^Withdraw")).click()
    expect(mine.locator(".promise-lines li")).to_have_count(0)


def test_a_vote_is_cast_at_the_table(open_page, quick, table):
    path, (anna, ben, cleo) = table
    mine = page_of(open_page, quick, ben, path)
    anna.post(f"{path}seats/", do="end").close()
    expect(mine.locator(".wish")).to_contain_text("End the game here")
    mine.get_by_role("button", name="No", exact=True).click()
    expect(mine.locator(".quiet")).to_contain_text("No: ben")
    cleo.post(f"{path}seats/", do="leave").close()
    expect(mine.locator(".quiet").first).to_contain_text("is free")
