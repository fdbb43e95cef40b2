"""Of a map or a market that has changed a little only the pieces that differ are sent."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import pairwise
from random import Random

import pytest

import roundhouse
from roundhouse import selfplay
from roundhouse.web.page import delta
from roundhouse.web.page.drawing import map_key, map_of, market_of

from reference import GAMES

_START = '<g class="rh-hex '


def drawn(game):
    return f'<div id="panel-map" data-digest="">{map_of(game, {})}</div>'


def hexes(html):
    *found, _ = delta.pieces_of("map", html)
    return {re.search(r'id="(hex-[^"]+)"', piece)[1]: piece for piece in found}


def test_hexes_that_differ_make_the_new_map_of_the_old_one():
    game, _ = roundhouse.replay(GAMES / "1817" / "base.json")
    entries = [e for e in game.history if e.action.type == "lay_tile"]
    before, after = (drawn(game.at(e.action.id)) for e in entries[10:12])
    delta.remember("map", "one", before)
    some = delta.delta("map", "one", "two", after)
    assert some is not None
    assert len(some) < len(after) / 8
    sent = hexes(f'{some.removesuffix("</svg>")}</g><g class="rh-borders"></g></svg>')
    assert hexes(before) | sent == hexes(after)
    assert sent


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
        here = {place(piece): piece for piece in delta.pieces_of("market", before)}
        for piece in ET.fromstring(some):
            here[place_of(piece)] = None
        left = [p for p in delta.pieces_of("market", after) if here[place(p)] not in (None, p)]
        assert not left
        assert all(p in some for p in delta.pieces_of("market", after) if here[place(p)] is None)
    assert few


def test_previews_of_prices_are_a_piece():
    game = roundhouse.new("1828", players=["Ada", "Ben", "Cleo"], seed=1)
    cell = next(iter(game.rules.box.market.cells))
    before, after = market_of(game), market_of(game, {"payout": cell})
    delta.remember("market", "plain", before)
    some = delta.delta("market", "plain", "with", after)
    assert some.count("<g class=") == 2
    assert "payout" in some


def place(piece):
    """What a browser finds a piece by."""
    return place_of(ET.fromstring(piece))


def place_of(piece):
    return piece.get("data-cell") or piece.get("class")


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


def test_an_update_of_the_map_is_small(hotseat, client):
    page = client.get(f"/table/{hotseat.pk}/update/", headers={"X-Panels": "map:"})
    html = page.content.decode()
    digest = re.search(r'data-digest="(\w+)"', html)[1]
    again = client.get(f"/table/{hotseat.pk}/update/", headers={"X-Panels": f"map:{digest}"})
    assert again.status_code == 204
    past = client.get(f"/table/{hotseat.pk}/update/?at=0", headers={"X-Panels": f"map:{digest}"})
    assert past.status_code == 204 or 'id="map-pieces"' in past.content.decode()


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
