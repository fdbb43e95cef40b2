"""The form of a new game begins with what was chosen for the last one."""

from __future__ import annotations

from itertools import count

import pytest

from .browser import CHROMIUM
from .test_browser_tables import sign_up

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = sync_api.expect
COUNT = count()
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")


def test_ones_own_names_are_kept_where_they_fit(open_page, local):
    page = open_page()
    page.goto(f"{local}/new/1817/")
    names = page.locator("[name=names]")
    names.fill("Xenia\nYves\nZoe\nWanda\nVera\nUrs\nTom")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector("#panel-now .sentence")
    page.goto(f"{local}/new/1817/")
    expect(names).to_have_value("Xenia\nYves\nZoe\nWanda\nVera\nUrs\nTom")
    page.goto(f"{local}/new/1828/")  # for five at most
    expect(names).not_to_have_value("Xenia\nYves\nZoe\nWanda\nVera\nUrs\nTom")


def test_who_plays_alone_gets_bots_and_his_name_again(open_page, local):
    page = open_page()
    page.goto(f"{local}/new/1828/")
    page.get_by_role("link", name="alone against bots").click()
    names, bots = page.locator("[name=names]"), page.locator("[name=bots]")
    expect(bots).to_have_value("3")
    expect(names).to_have_value("Anna")
    names.fill("Xenia")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector("#panel-now .sentence")
    page.goto(f"{local}/new/1828/")  # one name and three bots, as before
    expect(names).to_have_value("Xenia")
    expect(bots).to_have_value("3")
    page.goto(f"{local}/new/18Ireland/?alone")
    expect(names).to_have_value("Xenia")
    expect(bots).to_have_value("3")


@pytest.fixture
def lobby(open_page, online):
    """A page of somebody who has just made an account at a server for many."""
    page = open_page()
    sign_up(page, online, f"xenia{next(COUNT)}")
    return page


def test_who_asks_for_bots_has_seats_for_them_all(lobby, online):
    page = lobby
    page.goto(f"{online}/new/1839/")
    seats = page.locator("[name=seats]")
    expect(seats).to_have_value("3")
    page.locator("[name=bots]").fill("3")
    expect(seats).to_have_value("4")
    seats.fill("3")  # a wish that does not go together is told, not changed
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator(".refusal")).to_have_text(
        "3 bots and you need 4 seats, and there are 3 at most."
    )


def test_a_game_alone_is_not_what_one_always_plays(lobby, online):
    page = lobby
    page.goto(f"{online}/new/1839/")
    expect(page.locator("[name=names]")).to_be_hidden()
    expect(page.locator("[name=seats]")).to_be_visible()
    page.goto(f"{online}/new/1839/?alone")
    expect(page.locator("[name=hotseat]")).to_be_checked()
    expect(page.locator("[name=names]")).to_be_visible()
    expect(page.locator("[name=seats]")).to_be_hidden()
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_selector("#panel-now .sentence")
    page.goto(f"{online}/new/1839/")
    expect(page.locator("[name=hotseat]")).not_to_be_checked()
    expect(page.locator("[name=bots]")).to_have_value("0")
