"""The sandbox: the address is the map, whatever is put on it; over a table's map only where the
table gives routes; a real browser, on a phone."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from roundhouse.titles.title import all_titles
from roundhouse.web import tables
from roundhouse.web.sandbox import address, searching
from roundhouse.web.searches.models import RouteSearch

NAMES = re.compile(r"[.~]")


def test_names_have_no_letter_that_parts_them():
    for title in all_titles().values():
        box = title.box
        for names in (box.map.hexes, box.tiles.counts, box.trains, box.corporations, box.phases):
            assert not [name for name in names if NAMES.search(name)]


def test_an_address_is_read_as_it_was_written():
    query = {
        "tiles": "E3.57.0~C5.9.2", "tokens": "A&S.E3.0.0~.B5.0.0", "trains": "A&S.2.2+",
        "phase": "3",
    }  # fmt: skip
    assert address.written(address.read("1817", query)) == query


@pytest.mark.parametrize(
    "query", ["tiles=E3.57", "tiles=E3.57.x", "tokens=A.B", "tiles=" + "~".join(["E3.57.0"] * 900)]
)
def test_an_address_that_is_none_is_refused(client, query):
    answer = client.get(f"/sandbox/1817/?{query}")
    assert answer.status_code == 422
    assert "address" in answer.content.decode()


@pytest.mark.parametrize("title", list(all_titles()))
def test_every_title_has_a_sandbox(client, title):
    page = client.get(f"/sandbox/{title}/").content.decode()
    assert 'class="rh rh-map"' in page
    assert client.get("/sandbox/nothing/").status_code == 404


def opened(client, page, text, title="1817"):
    """Follow a link of a page by its text or label."""
    found = re.search(rf'href="([^"]+)"[^>]*>\s*{re.escape(text)}', page) or re.search(
        rf'href="([^"]+)"[^>]*aria-label="{re.escape(text)}"', page
    )
    assert found, text
    return client.get(f"/sandbox/{title}/{unescape(found[1])}").content.decode()


def test_a_map_is_laid_and_its_routes_are_found(client):
    page = client.get("/sandbox/1817/?hex=F13").content.decode()
    page = opened(client, page, "tile 57 turned 0")
    assert 'aria-current="true"' in page
    lain = re.search(r'name="tiles" value="([^"]+)"', page)[1]
    assert lain == "F13.57.0"
    form = {"tiles": "F13.57.0~F15.57.0~G14.9.0", "hex": "F13", "put": "F13.0.0", "who": "Belt"}
    answer = client.get("/sandbox/1817/", form)
    assert answer.status_code == 302
    assert "Belt.F13.0.0" in answer.url
    form = {"tiles": form["tiles"], "tokens": "Belt.F13.0.0", "who": "Belt", "buy": "2"}
    page = client.get("/sandbox/1817/", form, follow=True).content.decode()
    page = opened(client, page, "Best routes")
    assert "proven best" in page or "found; nothing earns more" in page


def test_what_a_company_has_is_switched(client):
    """Coal for a company of 1828, an exchange of 1839: it goes with the station it lies under."""
    page = client.get("/sandbox/1828/?tokens=C%26O.K15.0.0").content.decode()
    page = opened(client, page, "Coal marker", "1828")
    assert "Coal marker ✓" in page
    page = opened(client, page, "Coal marker ✓", "1828")
    assert "Coal marker ✓" not in page
    page = client.get("/sandbox/1839/?tokens=AMS.L3.0.0&hex=L3").content.decode()
    assert "Port of AMS" in page
    page = opened(client, page, "Exchange in L3", "1839")
    assert "Exchange in L3 ✓" in page
    put = {"tokens": "AMS.L3.0.0", "rights": "AMS.exchange L3/0", "put": "L3.0.0", "who": ""}
    answer = client.get("/sandbox/1839/", put)
    assert answer.status_code == 302
    assert "rights" not in answer.url


def test_a_form_that_names_nothing_there_is_refused(client):
    assert client.get("/sandbox/1817/?put=F13.7.0&who=Belt").status_code == 422
    assert client.get("/sandbox/1817/?who=Belt&buy=99").status_code == 422
    assert client.get("/sandbox/1817/?run=nobody").status_code == 422


def test_what_takes_long_a_worker_searches(client, monkeypatch):
    page = "/sandbox/1817/?tiles=F13.57.0&tokens=Belt.F13.0.0&trains=Belt.4&run=Belt"
    whole = searching._search_of

    def unproven(laid, who):
        def search(*, time_limit, progress=None):
            found = whole(laid, who)(time_limit=time_limit, progress=progress)
            if time_limit == searching.SOON:
                return type(found)(found.routes, found.revenue, False, found.revenue + 10)
            return found

        return search

    monkeypatch.setattr(searching, "_search_of", unproven)
    assert "proven best" in client.get(page).content.decode()
    row = RouteSearch.objects.get()
    assert row.over
    client.get(page)
    assert RouteSearch.objects.get().pk == row.pk


def test_pictures_are_files_of_their_own(client):
    svg = client.get("/sandbox/1817/map.svg?tiles=F13.57.0")
    assert svg.headers["Content-Type"] == "image/svg+xml"
    assert b"<style>" in svg.content
    png = client.get("/sandbox/1817/map.png?tiles=F13.57.0")
    assert png.content.startswith(b"\x89PNG")
    assert len(png.content) > 20_000
    assert client.get("/sandbox/1817/map.gif").status_code == 404


def test_over_a_tables_map_only_where_it_gives_routes(client, hotseat):
    page = f"/sandbox/1817/?table={hotseat.pk}"
    assert client.get(page).status_code == 200
    hotseat.assistance = "none"
    hotseat.save()
    assert client.get(page).status_code == 422
    assert client.get(f"/sandbox/1828/?table={hotseat.pk}").status_code == 404
    hotseat.assistance, hotseat.public = "routes", False
    hotseat.save()
    from django.test import Client

    assert Client().get(page).status_code == 404


def test_over_a_finished_game_at_a_moment(client, user):
    path = Path(__file__).parents[1] / "games/1817WO/base.json"
    table = tables.import_file(user, path.read_bytes(), "")
    game = tables.open_game(table).game
    run = next(e.action for e in game.history if e.action.type == "run_routes")
    query = {"table": table.pk, "at": run.id - 1, "run": run.actor}
    page = client.get("/sandbox/1817WO/", query).content.decode()
    best = game.at(run.id - 1).best_routes(run.actor)
    assert f">${best.revenue}</b>" in page
    assert client.get(f"/sandbox/1817WO/?table={table.pk}&at=999999").status_code == 422


#: Whether the hex with the city is in sight.
IN_SIGHT = """() => {
  const pane = document.querySelector(".sandbox-map").getBoundingClientRect();
  const hex = document.querySelector('.sandbox-map [data-hex="F13"]').getBoundingClientRect();
  return hex.left >= pane.left && hex.right <= pane.right;
}"""
#: The size of the smallest text of the map, as it is on the screen.
SMALLEST = """() => {
  const texts = [...document.querySelectorAll(".sandbox-map text")];
  const shown = texts.filter((t) => t.getBoundingClientRect().width);
  const size = (t) => parseFloat(getComputedStyle(t).fontSize) * t.getScreenCTM().a;
  return Math.min(...shown.map(size));
}"""


def test_on_a_phone_a_tile_is_laid_by_touching_the_map(local, open_page):
    from playwright.sync_api import expect

    page = open_page(viewport={"width": 390, "height": 800}, has_touch=True)
    page.goto(f"{local}/sandbox/1817/")
    page.locator('.sandbox-map [data-hex="F13"]').dispatch_event("click")
    expect(page.locator(".spot-side h2")).to_contain_text("F13")
    assert page.evaluate(IN_SIGHT)
    page.get_by_label("tile 57 turned 0", exact=True).click()
    expect(page.locator(".sandbox-tile [aria-current]")).to_have_count(1)
    assert "tiles=F13.57.0" in page.url
    page.get_by_label("slot 1").select_option("Belt")
    expect(page.locator(".sandbox-companies .chip")).to_have_text("Belt")
    form = page.locator("form", has=page.locator("[name=buy]"))
    form.locator("[name=buy]").select_option("4")
    form.locator("[name=who]").select_option("Belt")
    form.get_by_role("button").click()
    expect(page.locator(".sandbox-companies .train")).to_have_text("4")
    page.get_by_text("Best routes", exact=True).click()
    expect(page.locator("#sandbox")).to_contain_text("Best routes of Belt")
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390
    assert page.evaluate(IN_SIGHT)
    page.wait_for_selector(".sandbox-map .rh-type", state="attached")
    assert page.evaluate(SMALLEST) >= 9
    page.go_back()
    expect(page.locator("#sandbox")).not_to_contain_text("Best routes of Belt")
