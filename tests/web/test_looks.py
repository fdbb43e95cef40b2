"""Colours to choose, the browser of tiles, and the map at the start as a layer."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest
from django.template.loader import render_to_string
from django.test import RequestFactory

import roundhouse
from roundhouse.render.style import COLORS
from roundhouse.render.tokens import contrast
from roundhouse.titles.title import all_titles
from roundhouse.web.looks import CHOICES, keep_looks, looks_of
from roundhouse.web.page.panels import tiles_of

CSS = Path(roundhouse.__file__).parent / "web/static/roundhouse/looks.css"
#: What somebody without green receptors sees, linear RGB (Machado, Oliveira, Fernandes 2009).
DEUTERANOPE = (
    (0.367322, 0.860646, -0.227968),
    (0.280085, 0.672501, 0.047413),
    (-0.011820, 0.042940, 0.968881),
)
FOLLOWING = ("yellow", "green", "brown", "gray")


def palette(name):
    """The colours of tiles of one choice."""
    found = re.search(rf"\[data-tiles={name}\]\[data-tiles\] {{(.*?)}}", CSS.read_text())
    return dict(re.findall(r"--rh-(\w+): (#\w+)", found[1]))


def linear(color):
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]


def seen(color):
    """A colour as a deuteranope sees it: lightness and two opponent values (Oklab)."""
    r, g, b = (
        max(0.0, sum(k * c for k, c in zip(row, linear(color), strict=True))) for row in DEUTERANOPE
    )
    long, middle, short = (
        (x * r + y * g + z * b) ** (1 / 3)
        for x, y, z in (
            (0.4122, 0.5363, 0.0514),
            (0.2119, 0.6807, 0.1074),
            (0.0883, 0.2817, 0.6300),
        )
    )
    return (
        0.2105 * long + 0.7936 * middle - 0.0041 * short,
        1.9780 * long - 2.4286 * middle + 0.4506 * short,
        0.0259 * long + 0.7828 * middle - 0.8087 * short,
    )


def nearest(colors):
    """How far the two most alike of some colours are apart for a deuteranope."""
    return min(
        sum((x - y) ** 2 for x, y in zip(seen(a), seen(b), strict=True)) ** 0.5
        for a, b in combinations(colors, 2)
    )


def test_colours_for_colour_blind_eyes_are_further_apart_than_those_printed():
    printed = nearest(COLORS[c][0] for c in FOLLOWING)
    chosen = palette("safe")
    assert nearest(chosen[c] for c in FOLLOWING) > 1.25 * printed


@pytest.mark.parametrize("name", ["safe", "pale", "ink"])
def test_what_is_printed_on_tiles_can_be_read_in_every_choice(name):
    found = palette(name)
    assert set(found) == {"yellow", "green", "brown", "gray", "red", "blue"}
    assert min(contrast(c, COLORS["print"][0]) for c in found.values()) >= 4.5


@pytest.mark.parametrize("title", all_titles())
def test_tiles_of_the_supply_tell_what_they_may_become(title):
    game = roundhouse.new(title, players=["Ada", "Ben", "Cleo"], seed=3)
    rows = {row.name: row for row in tiles_of(game)}
    assert any(row.onto for row in rows.values())
    order = ("white", "yellow", "green", "brown", "gray", "diesel")
    for row in rows.values():
        assert {rows[name].color for name in row.onto} <= set(order[1:])
        assert row.name not in row.onto
    assert {what for row in rows.values() for what in row.what} <= {"city", "town", "track"}


def test_the_page_offers_what_may_be_chosen():
    page = render_to_string("roundhouse/parts/looks.html", {"request": RequestFactory().get("/")})
    for name, values in CHOICES.items():
        if name != "patterns":
            found = re.search(rf'data-look-of="{name}">(.*?)</select>', page)
            assert tuple(re.findall(r'value="(\w+)"', found[1])) == values


def test_colours_are_kept_with_the_account(client, user, other, hotseat):
    assert client.post("/account/looks/", {"tiles": "safe", "patterns": "on"}).status_code == 204
    assert looks_of(user) == {"tiles": "safe", "patterns": "on"}
    assert "&quot;tiles&quot;: &quot;safe&quot;" in client.get(f"/table/{hotseat.pk}/").text
    assert looks_of(other) == {}


def test_what_is_no_colour_is_not_kept(client, user):
    keep_looks(user, {"tiles": "pale"})
    assert client.post("/account/looks/", {"tiles": "loud"}).status_code == 422
    assert looks_of(user) == {"tiles": "pale"}
    client.logout()
    assert client.post("/account/looks/", {"tiles": "safe"}).status_code == 403
