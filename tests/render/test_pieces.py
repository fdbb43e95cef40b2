"""Market, tokens, certificates and charters."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import roundhouse
from roundhouse.render import (
    draw_certificate,
    draw_charter,
    draw_company_token,
    draw_market,
    draw_token,
)
from roundhouse.render.style import COLORS
from roundhouse.render.tokens import RADIUS, contrast, letters_of, readable
from roundhouse.titles.title import find_title

from .facts import TITLES, drawn


@pytest.fixture(scope="module")
def game() -> roundhouse.Game:
    return roundhouse.new("1817", players=["Ada", "Ben", "Cleo"], seed=3)


def of_class(svg: str, name: str) -> list[ElementTree.Element]:
    return [e for e in ElementTree.fromstring(svg).iter() if name in e.get("class", "").split()]


@pytest.mark.parametrize("title", TITLES)
def test_every_cell_and_marker_of_every_market(facts: Path, title: str) -> None:
    rules, state = drawn(facts, title)
    cells, names = list(rules.box.market.cells), list(rules.box.corporations)
    state.market = {cells[3]: tuple(names[:2]), cells[-1]: tuple(names[2:7])}
    svg = draw_market(rules, state)
    assert [c.get("data-cell") for c in of_class(svg, "rh-cell")] == cells
    markers = [m.get("data-corporation") for m in of_class(svg, "rh-price-marker")]
    assert sorted(m or "" for m in markers) == sorted(names[:7])


def test_the_first_marker_of_a_cell_lies_on_top(game: roundhouse.Game) -> None:
    cell = next(iter(game.rules.box.market.cells))
    state = game.state.fork()
    state.market = {cell: ("H", "GT", "ME")}
    markers = of_class(draw_market(game.rules, state), "rh-price-marker")
    assert [m.get("data-corporation") for m in markers] == ["ME", "GT", "H"]


def test_previews_of_one_cell_are_told_together(game: roundhouse.Game) -> None:
    cells = list(game.rules.box.market.cells)
    preview = {"payout": cells[9], "half": cells[8], "withhold": cells[8]}
    svg = draw_market(game.rules, game.state, preview=preview)
    assert len(of_class(svg, "rh-preview")) == 2
    assert all(word in svg for word in preview)


def test_tokens_have_two_letters_at_most_and_escape_names() -> None:
    svg = draw_token("<b>&", "#123456", "#ffffff")
    (text,) = of_class(svg, "rh-mark")
    assert len(text.text or "") <= 2
    assert "<b>" not in svg
    assert draw_token("NYC", "#777777", "white") != draw_token("ERIE", "#777777", "white")


def test_a_company_made_of_two_bears_both_colours(game: roundhouse.Game) -> None:
    known = game.rules.box.corporations
    svg = draw_company_token(game.rules, "A&S-GT")
    assert known["A&S"].color in svg
    assert known["GT"].color in svg
    assert len(of_class(svg, "rh-mark")) == 2
    assert of_class(draw_certificate(game.rules, "A&S-GT", 10), "rh-cert")
    assert of_class(draw_company_token(game.rules, "no-body"), "rh-token")


def test_letters_differ_within_a_title() -> None:
    found = letters_of(["NYC", "NC", "NYSW", "NYOW", "10", "C&O", "B&O"])
    assert found["NC"] == "NC"
    assert found["10"] == "10"
    assert len(set(found.values())) == len(found)


def test_letters_can_be_read() -> None:
    assert readable("#ffffff", "#eeeeee") != "#eeeeee"
    assert readable("#000000", "#ffffff") == "#ffffff"
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


def test_certificates_tell_percent_presidency_and_shorts(game: roundhouse.Game) -> None:
    president = draw_certificate(game.rules, "H", 20, president=True)
    assert of_class(president, "rh-crown")
    short = draw_certificate(game.rules, "H", -10)
    assert of_class(short, "rh-short")
    assert "-10" in short


def test_charters_and_company_tokens(game: roundhouse.Game) -> None:
    for symbol, definition in game.rules.box.corporations.items():
        card = ElementTree.fromstring(draw_charter(game.rules, game.state, symbol))
        assert card.get("aria-label") == definition.name
        assert symbol in ElementTree.fromstring(draw_company_token(game.rules, symbol)).get(
            "aria-label", ""
        )


@pytest.mark.parametrize("theme", [0, 1])
def test_print_can_be_read_on_every_colour(theme: int) -> None:
    ink = COLORS["print"][theme]
    paper = [
        "white", "yellow", "green", "brown", "gray", "diesel", "red", "blue", "edge", "slot",
        *(f"z{n}" for n in range(7)),
    ]  # fmt: skip
    for name in paper:
        assert (contrast(ink, COLORS[name][theme]) or 0) >= 4.5, name
    for text, ground in (("ink", "paper"), ("accent", "paper"), ("alarm", "paper")):
        need = 4.5 if text == "ink" else 3.0
        assert (contrast(COLORS[text][theme], COLORS[ground][theme]) or 0) >= need, text


@pytest.mark.parametrize("title", TITLES)
def test_a_companys_symbol_can_be_read_on_its_colour(title):
    for company in find_title(title).box.corporations.values():
        ink = readable(company.color, company.text_color, 4.5)
        assert (contrast(company.color, ink) or 0) >= 4.5, company.id


@pytest.mark.parametrize("title", ["1828", "1839", "18Ireland"])
def test_a_market_of_many_rows_is_hardly_taller_than_wide(title: str) -> None:
    """Where it is, half of the width of its box stays empty, and its prices run together."""
    game = roundhouse.new(title, players=["Ada", "Ben", "Cleo"], seed=3)
    drawn = draw_market(game.rules, game.state)
    _, _, wide, high = map(float, re.search(r'viewBox="([^"]+)"', drawn)[1].split())  # type: ignore[index]
    assert high < 1.1 * wide


@pytest.mark.parametrize("title", ["1828", "1839"])
@pytest.mark.parametrize("many", [1, 2, 3, 6])
def test_markers_of_a_low_cell_stay_in_it_below_its_price(title: str, many: int) -> None:
    game = roundhouse.new(title, players=["Ada", "Ben", "Cleo"], seed=3)
    state = game.state.fork()
    cell = next(iter(game.rules.box.market.cells))
    state.market = {cell: tuple(list(game.rules.box.corporations)[:many])}
    drawn = draw_market(game.rules, state)
    height = float(re.search(r'height="([\d.]+)" rx="3"', drawn)[1])  # type: ignore[index]
    places = re.findall(r"translate\(([\d.]+) ([\d.]+)\)scale\(([\d.]+)\)", drawn)
    assert len(places) == many
    for x, y, scale in (map(float, place) for place in places):
        radius = scale * RADIUS
        assert 0 <= x - radius <= x + radius <= 48.1
        assert 20 <= y - radius <= y + radius <= height + 0.1
