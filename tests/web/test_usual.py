"""The form of a new game begins with what was chosen for the last one."""

from __future__ import annotations

import pytest

from .browser import CHROMIUM

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = sync_api.expect
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
