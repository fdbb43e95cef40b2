"""Of a part of the page that has changed a little only what differs is sent."""

from __future__ import annotations

import re
from itertools import pairwise
from random import Random

import pytest

import roundhouse
from roundhouse import selfplay
from roundhouse.web import tables
from roundhouse.web.page import delta, story
from roundhouse.web.page.drawing import line_of, map_key, map_of, market_of

from reference import GAMES

_START = '<g class="rh-hex '


def drawn(game):
    return f'<div id="panel-map" data-digest="">{map_of(game, {})}</div>'


def pieces(name, html):
    """The pieces of a part by what a browser finds them by."""
    return {place(piece): piece for piece in delta.pieces_of(name, html) if piece}


def place(piece):
    """What a browser finds a piece by."""
    found = re.match(r'<\w+(?: [\w-]+="[^"]*")*', piece)[0]
    for name in ("id", "data-cell", "class"):
        if value := re.search(rf' {name}="([^"]*)"', found):
            return value[1]
    return piece


def become(html, name, some):
    """What a browser makes of a part: of each piece that is sent, with what it had before."""
    here = pieces(name, html)
    for piece in delta.cut(some).elements:
        found, there = delta.cut(piece), here[place(piece)]
        if found is None or "data-of" not in found.first:
            here[place(piece)] = piece
            continue
        elements = delta.cut(there).elements
        assert f' data-of="{len(elements)}"' in found.first
        first = re.sub(' data-of="[^"]*"', "", found.first)
        inner = [kept for e in found.elements for kept in had(elements, e)]
        here[place(piece)] = "".join((first, *inner, found.last))
    return here


def had(elements, element):
    """The elements one that was sent stands for."""
    span = re.match(r'<[gi] data-from="(\d+)" data-to="(\d+)">', element)
    return elements[int(span[1]) : int(span[2]) + 1] if span else [element]


def test_hexes_that_differ_make_the_new_map_of_the_old_one():
    game, _ = roundhouse.replay(GAMES / "1817" / "base.json")
    entries = [e for e in game.history if e.action.type == "lay_tile"]
    before, after = (drawn(game.at(e.action.id)) for e in entries[10:12])
    delta.remember("map", "one", before)
    some = delta.delta("map", "one", "two", after)
    assert some is not None
    assert len(some) < len(after) / 8
    assert pieces("map", before) != pieces("map", after) == become(before, "map", some)


def test_of_a_hex_a_route_runs_through_only_the_route_is_sent():
    game, _ = roundhouse.replay(GAMES / "1817" / "base.json")
    then = game.at(next(e.action.id for e in game.history if story.ran(game.at(e.action.id))))
    lines = tuple(line_of(route, n) for n, route in enumerate(story.ran(then)))
    plain, routed = (
        f'<div id="panel-map" data-digest="">{map_of(then, {}, some)}</div>' for some in ((), lines)
    )
    delta.remember("map", "plain", plain)
    some = delta.delta("map", "plain", "routed", routed)
    assert "rh-route" in some
    assert "rh-field" not in some
    assert become(plain, "map", some) == pieces("map", routed)
    back = delta.delta("map", "routed", "plain again", plain)
    assert "<path" not in back
    assert become(routed, "map", back) == pieces("map", plain)


@pytest.mark.parametrize("title", sorted(roundhouse.all_titles()))
def test_cells_that_differ_make_the_new_market_of_the_old_one(title):
    game = roundhouse.new(title, players=["Ada", "Ben", "Cleo"], seed=4)
    selfplay.play_on(game, Random(4), actions=200, policy=selfplay.lively)
    markets = [market_of(game.at(entry.action.id)) for entry in game.history]
    few = 0
    for n, (before, after) in enumerate(pairwise(markets)):
        if before == after:
            continue
        delta.remember("market", f"{title} {n}", before)
        some = delta.delta("market", f"{title} {n}", f"{title} {n + 1}", after)
        assert some is not None
        few += len(some) < len(after) / 2
        assert become(before, "market", some) == pieces("market", after)
    assert few


def test_previews_of_prices_are_a_piece():
    game = roundhouse.new("1828", players=["Ada", "Ben", "Cleo"], seed=1)
    cell = next(iter(game.rules.box.market.cells))
    before, after = market_of(game), market_of(game, {"payout": cell})
    delta.remember("market", "plain", before)
    some = delta.delta("market", "plain", "with", after)
    assert some.count("<g class=") == 2
    assert "payout" in some


def test_who_shows_a_map_nobody_remembers_gets_all_of_it():
    game = roundhouse.new("1828", players=["Ada", "Ben", "Cleo"], seed=1)
    html = drawn(game)
    assert delta.delta("map", "never sent", "new", html) is None
    delta.remember("map", "x", html)
    assert delta.delta("map", "x", "y", html).count(_START) == 0


@pytest.mark.parametrize("title", sorted(roundhouse.all_titles()))
def test_maps_that_follow_from_the_same_are_alike(title):
    game = roundhouse.new(title, players=["Ada", "Ben", "Cleo"], seed=4)
    selfplay.play_on(game, Random(4), actions=120, policy=selfplay.lively)
    maps = {}
    for entry in game.history[::2]:
        then = game.at(entry.action.id)
        board, shown = map_key(then, {})
        found = maps.setdefault((id(board), shown), map_of(then, {}))
        assert found == map_of(then, {})
    assert len(maps) < len(game.history[::2])


def test_a_map_that_is_known_is_not_drawn_again(hotseat, client, monkeypatch):
    page = client.get(f"/table/{hotseat.pk}/update/", headers={"X-Panels": "map:"})
    digest = re.search(r'data-digest="(\w+)"', page.content.decode())[1]
    monkeypatch.setattr("roundhouse.web.page.view.map_of", None)
    again = client.get(f"/table/{hotseat.pk}/update/", headers={"X-Panels": f"map:{digest}"})
    assert again.status_code == 204


@pytest.mark.parametrize("name", ["strip", "log"])
def test_of_strips_and_log_only_lines_that_differ_are_sent(hotseat, user, client, name):
    address, headers = f"/table/{hotseat.pk}/update/", {"X-Panels": f"{name}:"}
    shown = client.get(address, headers=headers).content.decode()
    for version in range(8):
        bid = next(c.action for c in tables.open_game(hotseat).game.choices() if c.type == "bid")
        tables.submit(hotseat.pk, user, bid, version)
        known = re.search(r'data-digest="(\w+)"', shown)[1]
        some = client.get(address, headers={"X-Panels": f"{name}:{known}"}).content.decode()
        whole = client.get(address, headers=headers).content.decode()
        assert f'data-part="{name}" data-since="{known}"' in some
        assert len(some) < len(whole) * 0.7
        assert become(shown, name, some) == pieces(name, whole)
        shown = whole


def test_a_part_with_another_first_tag_is_sent_whole():
    parts = (f'<div data-filter="{f}" data-digest=""><p class="a">1</p></div>' for f in "xy")
    before, after = parts
    delta.remember("log", "filtered by x", before)
    assert delta.delta("log", "filtered by x", "filtered by y", after) is None


@pytest.mark.parametrize(
    ("html", "elements"),
    [
        ('<p>\n<b>1</b> <i id="x > y">2<br>3</i>\n</p>', ["<b>1</b>", '<i id="x > y">2<br>3</i>']),
        ('<g><path d="M0 0"/><g><g/></g></g>', ['<path d="M0 0"/>', "<g><g/></g>"]),
        ("<ul></ul>", []),
        ("<p>text<b>1</b></p>", None),
        ("<p><b>1</b>text</p>", None),
        ("<p></p><p></p>", None),
        ("<p><b></p>", None),
        ("text", None),
        ("", None),
    ],
)  # fmt: skip
def test_elements_are_cut_where_no_text_stands_between_them(html, elements):
    found = delta.cut(html)
    assert (found and found.elements) == elements


def test_an_update_of_the_map_is_small(hotseat, client):
    page = client.get(f"/table/{hotseat.pk}/update/", headers={"X-Panels": "map:"})
    html = page.content.decode()
    digest = re.search(r'data-digest="(\w+)"', html)[1]
    again = client.get(f"/table/{hotseat.pk}/update/", headers={"X-Panels": f"map:{digest}"})
    assert again.status_code == 204
    past = client.get(f"/table/{hotseat.pk}/update/?at=0", headers={"X-Panels": f"map:{digest}"})
    assert past.status_code == 204 or 'data-part="map"' in past.content.decode()


def test_what_a_browser_keeps_out_of_sight_is_not_sent_again(hotseat, client):
    """It turns to another view, and has some of that view's parts from earlier."""
    address = f"/table/{hotseat.pk}/update/"
    turns = {"X-Panels": "bar:", "X-View": "elsewhere"}
    digests = dict(
        re.findall(
            r'id="panel-(\w+)"[^>]*? data-digest="(\w+)"',
            client.get(address, headers=turns).content.decode(),
        )
    )
    assert len(digests) > 1
    kept = ",".join(f"{name}:{digest}" for name, digest in digests.items() if name != "bar")
    again = client.get(address, headers={**turns, "X-Kept": kept}).content.decode()
    assert re.findall(r'id="panel-(\w+)"', again) == ["bar"]


def test_an_element_is_cut_by_tags_of_its_own_name():
    inner = ['<g a="<g>"><g/><g>x</g></g>', "<br>", "<gg></gg>", '<i data-x=">"><g>y</g></i>']
    found = delta.cut(f"<g>{' '.join(inner)}</g> ")
    assert found == delta.Cut("<g>", inner, "</g>")
    assert delta.cut(f"<g>{inner[0]} text</g>") is None
    assert delta.cut("<g><g></g>") is None
    assert delta.cut("<g></g><g></g>") is None


_LISTS = (
    '<ol><li>a</li> <li class="b">b <i>c</i></li></ol>',
    "<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol>",
    "<ol><li><li>a</li></li></ol>",
    "<ol><li>a</li> text <li>b</li></ol>",
    "<ol><li>a</li><p>b</p></ol>",
    "<ol><li>a</li></ol><li>b</li>",
    "<ol></ol>",
    '<g><path d="M0"/><path d="M1"></path></g>',
    "<g><g>a</g></g>",
)


@pytest.mark.parametrize("html", _LISTS)
def test_what_is_cut_at_a_glance_is_cut_as_by_its_tags(html, monkeypatch):
    at_a_glance = delta.cut(html)
    monkeypatch.setattr(delta, "_alike", lambda html, opened: None)
    assert at_a_glance == delta.cut(html)
