"""Of a map that has changed a little only the hexes that differ are sent."""

from __future__ import annotations

import re
from random import Random

import pytest

import roundhouse
from roundhouse import selfplay
from roundhouse.web.page import delta
from roundhouse.web.page.drawing import map_key, map_of

from reference import GAMES

_START = '<g class="rh-hex '


def drawn(game):
    return f'<div id="panel-map" data-digest="">{map_of(game, {})}</div>'


def hexes(html):
    found, _ = delta._pieces(html)
    return {re.search(r'id="(hex-[^"]+)"', piece)[1]: piece for piece in found}


def test_hexes_that_differ_make_the_new_map_of_the_old_one():
    game, _ = roundhouse.replay(GAMES / "1817" / "base.json")
    entries = [e for e in game.history if e.action.type == "lay_tile"]
    before, after = (drawn(game.at(e.action.id)) for e in entries[10:12])
    delta.remember("one", before)
    some = delta.delta("one", "two", after)
    assert some is not None
    assert len(some) < len(after) / 8
    sent = hexes(f'{some.removesuffix("</svg>")}</g><g class="rh-borders"></g></svg>')
    assert hexes(before) | sent == hexes(after)
    assert sent


def test_who_shows_a_map_nobody_remembers_gets_all_of_it():
    game = roundhouse.new("1828", players=["Ada", "Ben", "Cleo"], seed=1)
    html = drawn(game)
    assert delta.delta("never sent", "new", html) is None
    delta.remember("x", html)
    assert delta.delta("x", "y", html).count(_START) == 0


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
    assert past.status_code == 204 or 'id="map-delta"' in past.content.decode()


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
