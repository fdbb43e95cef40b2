"""The rules on the page: whole, under anchors, and linked wherever a section is cited."""

from __future__ import annotations

import re

from django.test import Client

from roundhouse.titles.title import all_titles, find_title
from roundhouse.web import tables
from roundhouse.web.page.summary import summary_of
from roundhouse.web.templatetags.roundhouse_tags import section


def test_the_rulebook_has_its_sections_as_anchors() -> None:
    client = Client()
    page = client.get("/rules/1817/book/").content.decode()
    assert '<h4 id="5.1.4">5.1.4 Selling</h4>' in page
    assert '<a href="#13">' in page
    assert client.get("/rules/1899/book/").status_code == 404


def test_a_citation_leads_to_its_section_or_that_of_the_base() -> None:
    world = find_title("1817WO")
    assert 'href="/rules/1817WO/book/#F4.4"' in section("F4.4", world)
    assert 'href="/rules/1817/book/#5.1.6"' in section("5.1.6", world)
    assert 'href="/rules/1817/book/#5.1.6"' in section("5.1.6.2", world)
    assert section("99", world) == "§99"


def test_options_link_to_their_section(client: Client) -> None:
    page = client.get("/new/1817/").content.decode()
    assert 'href="/rules/1817/book/#14.1"' in page


def test_the_rules_link_to_the_sections_they_cite(client: Client) -> None:
    """In the rules themselves, and from a title's rules in short."""
    book = client.get("/rules/1828/book/").content.decode()
    assert '(<a class="section" href="/rules/1828/book/#7.4">§7.4</a>)' in book
    short = client.get("/rules/1839/").content.decode()
    assert '<a class="section" href="/rules/1839/book/#13">§13</a>' in short


def test_every_section_the_rules_cite_is_there() -> None:
    for title in all_titles().values():
        for number in re.findall(r"§(F?\d+(?:\.\d+)*)", title.rulebook + title.page):
            found = title.find_section(number)
            assert found, f"{title.id}: §{number}"
            assert found[1] == number, f"{title.id}: §{number} leads to §{found[1]}"


def test_the_rules_of_a_game_speak_of_its_money_and_its_trains(client: Client, user) -> None:
    plan = tables.Plan("18Ireland", ["Ada", "Ben", "Cleo"], seed=1, hotseat=True)
    table = tables.create(user, plan)
    page = client.get(f"/table/{table.pk}/").content.decode()
    about = page[page.index('<div class="about">') :]
    privates = tables.open_game(table).game.state.companies
    box = find_title("18Ireland").box
    name, value = next((c.name, c.value) for c in box.companies.values() if c.id in privates)
    assert f"{name} <small>£{value}" in about
    assert "<td>minor 2, major 4</td>" in about


def test_no_seed_is_asked_for_where_nothing_is_drawn(client: Client) -> None:
    asked = {t: 'name="seed"' in client.get(f"/new/{t}/").content.decode() for t in all_titles()}
    assert asked["1817"]
    assert asked["1839"]
    assert not asked["1817WO"]
    assert not asked["1873"]


def test_tables_are_aligned_by_classes() -> None:
    """A style written into a page is blocked by the policy of our pages."""
    text = "|a|b|c|d|\n|--:|:-:|:--|---|\n|1|2|3|4|\n"
    page = str(summary_of(text))
    assert "style" not in page
    for cell in (
        '<th class="num">a</th>',
        '<td class="num">1</td>',
        '<td class="amid">2</td>',
        "<td>3</td>",
        "<td>4</td>",
    ):
        assert cell in page
    for title in all_titles().values():
        assert "style=" not in summary_of(title.rulebook) + summary_of(title.page)
