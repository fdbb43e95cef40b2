"""Playing over weeks in a real Chromium: every page of it, wide and on a phone; and push, through a
real service worker, with no page of the site open."""

from __future__ import annotations

import json
import re
import time
from importlib import resources
from urllib.parse import urlsplit

import pytest

from .browser import CHROMIUM, server
from .endpoints import Browser, web_service
from .test_browser_tables import ready, sign_up

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = sync_api.expect

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
#: A desk by day, a phone by night.
LOOKS = (("light", {"width": 1440, "height": 900}), ("dark", {"width": 390, "height": 844}))


@pytest.fixture(scope="module")
def service():
    with web_service() as found:
        yield found


@pytest.fixture(scope="module")
def site(tmp_path_factory, service):
    env = {"ROUNDHOUSE_OUTWARD": "127.0.0.0/8", "ROUNDHOUSE_TALK": "1"}
    with server(tmp_path_factory.mktemp("site"), "--accounts", env=env) as address:
        yield address


def press(page, name, **more):
    with page.expect_navigation():
        page.get_by_role("button", name=name, **more).first.click()


def sit_down(anna, ben, site):
    """A table of both and a bot, with a clock and house rules; its path."""
    anna.goto(f"{site}/new/1817/")
    press(anna, "Open the table")
    table = urlsplit(anna.url).path
    anna.goto(f"{site}{table}time/")
    press(anna, "three days for each turn")
    anna.goto(f"{site}{table}house/")
    anna.locator("textarea").fill("Nobody is hurried.")
    press(anna, "Keep")
    ben.goto(f"{site}{table}")
    expect(ben.get_by_text("Nobody is hurried.")).to_be_visible()
    press(ben, "Take a seat")
    anna.goto(f"{site}{table}")
    press(anna, "Give a seat to a bot")
    return table


def gather(page, site):
    """A group with a line of talk, a date, a tournament; their paths."""
    page.goto(f"{site}/groups/")
    page.locator("[name=name]").fill("Thursdays")
    press(page, "Found it")
    group = urlsplit(page.url).path
    page.locator("[name=say]").fill("Who comes?")
    press(page, "Say")
    page.goto(f"{site}/sessions/")
    page.locator("[name=name]").fill("1817 in one go")
    page.locator("[name=at]").fill("2099-12-12T19:00")
    press(page, "Propose")
    expect(page.locator(".channels").get_by_text("1817 in one go")).to_be_visible()
    expect(page.locator(".month td a")).to_contain_text("19:00")
    page.goto(f"{site}/tournaments/")
    page.locator("[name=name]").fill("Winter cup")
    press(page, "Announce it")
    press(page, "Take part")
    return group, urlsplit(page.url).path


def test_the_tour(open_page, site):
    anna, ben = open_page(), open_page()
    sign_up(anna, site, "anna")
    sign_up(ben, site, "ben")
    table = sit_down(anna, ben, site)
    group, cup = gather(anna, site)
    paths = ["/notices/", f"{table}notices/", f"{table}time/", f"{table}house/", "/account/days/",
             "/people/anna/", "/people/ben/", "/ratings/1817/", "/groups/", group, "/sessions/",
             "/tournaments/", cup, "/talk/", f"{table}people/", f"{table}promises/",
             f"{table}plan/", f"{table}deals/", table]  # fmt: skip
    axe = pytest.importorskip("axe_core_python", reason="axe-core is not installed")
    script = (resources.files(axe) / "axe.min.js").read_text()
    for scheme, size in LOOKS:
        anna.set_viewport_size(size)
        anna.emulate_media(color_scheme=scheme)
        for path in paths:
            anna.goto(f"{site}{path}")
            anna.wait_for_load_state("load")
            wide = anna.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, (path, size, wide)
            for details in anna.locator(".sheet details > summary").all():
                details.click()
            anna.evaluate(script)
            found = anna.evaluate("axe.run()")["violations"]
            assert [(path, v["id"], v["nodes"][0]["html"]) for v in found] == []


def test_the_title_and_the_table_tell_who_is_waited_for(open_page, site):
    anna, ben = open_page(), open_page()
    sign_up(anna, site, "anna2")
    sign_up(ben, site, "ben2")
    table = sit_down(anna, ben, site)
    anna.goto(f"{site}{table}")
    ready(anna)
    anna.wait_for_function("() => document.title.startsWith('● (1) ')")
    expect(anna.locator(".bar .acting .turn")).to_be_visible()
    expect(anna.locator("#panel-now .deadline")).to_contain_text("until")
    anna.goto(f"{site}/account/days/")
    anna.wait_for_function("() => document.title.startsWith('(1) ')")
    assert anna.locator("#icon").get_attribute("href").startswith("data:image/svg")
    assert "(" not in ben.title()


def test_push_reaches_a_browser_with_no_page_open(chromium, site, service):
    """The push service is the one of this test: it opens what the server sealed, as a browser
    would, and hands it to Chromium's service worker as Chromium's own service does."""
    context = chromium.new_context()
    context.grant_permissions(["notifications"], origin=site)
    page = context.new_page()
    sign_up(page, site, "cleo")
    page.goto(f"{site}/notices/")
    with context.expect_event("serviceworker"):
        page.evaluate("navigator.serviceWorker.register('/worker.js')")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    browser = Browser(service)
    status = page.evaluate(
        """raw => fetch('/notices/browser/', { method: 'POST', body: raw, headers: {
            'Content-Type': 'application/json',
            'X-CSRFToken': document.querySelector('[name=csrfmiddlewaretoken]').value } })
            .then(answer => answer.status)""",
        json.dumps(browser.subscription() | {"name": "Chromium"}),
    )
    assert status == 201
    page.reload()
    press(page, "Test")
    expect(page.get_by_text("works", exact=True)).to_be_visible()
    (told,) = browser.read()
    page.goto("about:blank")  # no page of the site is open

    worker = context.new_cdp_session(page)
    registrations = []
    worker.on("ServiceWorker.workerRegistrationUpdated", lambda e: registrations.extend(
        e["registrations"]))  # fmt: skip
    worker.send("ServiceWorker.enable")
    until(lambda: registrations, page)
    number = registrations[0]["registrationId"]
    given = {"origin": site, "registrationId": number, "data": json.dumps(told)}
    worker.send("ServiceWorker.deliverPushMessage", given)

    other = context.new_page()
    other.goto(f"{site}/notices/")
    shown = """navigator.serviceWorker.ready.then(r => r.getNotifications())
        .then(all => all.map(n => [n.title, n.body, n.tag, n.data.url]))"""
    until(lambda: other.evaluate(shown), other)
    ((title, body, tag, url),) = other.evaluate(shown)
    assert (title, tag) == (told["title"], told["tag"])
    assert "notices reach you here" in body
    assert url == told["url"] == f"{site}/notices/"
    context.close()


def until(condition, page):
    """Wait until something is so, while the page's events come in."""
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        page.wait_for_timeout(100)


def test_a_browser_that_cannot_be_pushed_to_says_why(open_page, site):
    page = open_page()
    sign_up(page, site, "dora")
    page.goto(f"{site}/notices/")
    page.get_by_role("button", name="Tell me in this browser").click()
    expect(page.locator("[data-push-says]")).not_to_be_empty()
    assert re.search(r"\w", page.locator("[data-push-says]").inner_text())
