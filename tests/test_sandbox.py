"""Maps laid out freely."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from roundhouse.board.laying import face_at, slots_at
from roundhouse.creation import replay
from roundhouse.model.actions import LayTile, RunRoutes
from roundhouse.model.errors import UnknownName
from roundhouse.sandbox import Fleet, Lay, Layout, Mark, Put, Right, any_tile, fitting, laid_out
from roundhouse.titles.title import all_titles

GAMES = Path(__file__).parent / "games"


@pytest.mark.parametrize("title", list(all_titles()))
def test_every_tile_may_lie_on_a_hex_with_a_city(title):
    """Tokens are put into every slot of it, whatever lies there."""
    begun = laid_out(Layout(title))
    coord = next(
        c for c in begun.rules.box.map.hexes if slots_at(begun.rules.box, begun.state.board, c)
    )
    company = next(iter(begun.state.corporations))
    for face in any_tile(title):
        layout = Layout(title, tiles=(Lay(coord, face.tile.name, face.rotation),))
        laid = laid_out(layout)
        assert face_at(laid.rules.box, laid.state.board, coord) == face
        for city, slots in enumerate(slots_at(laid.rules.box, laid.state.board, coord)):
            placed = laid_out(
                Layout(
                    title, tiles=layout.tiles, tokens=(Put(company, coord, city, len(slots) - 1),)
                )
            ).state
            assert placed.board.cities[coord][city][-1] == company


@pytest.mark.parametrize("path", sorted(GAMES.glob("*/base.json")), ids=lambda p: p.parent.name)
def test_what_is_laid_in_play_fits(path):
    game, _ = replay(path.read_bytes())
    options = tuple(sorted(game.options))
    opened = set(game.rules.box.map.hexes)
    for entry in game.history:
        a = entry.action
        if isinstance(a, LayTile) and a.hex in opened and a.entity_type != "company":
            there = {(f.tile.name, f.rotation) for f in fitting(game.title.id, options, a.hex)}
            assert (a.tile.rpartition("-")[0], a.rotation) in there, a


def test_over_a_game_its_own_routes_are_found():
    game, _ = replay((GAMES / "1817/document.json").read_bytes())
    runs = [e.action for e in game.history if isinstance(e.action, RunRoutes)]
    run = runs[-1]
    before = game.at((run.id or 0) - 1)
    laid = laid_out(Layout("1817"), before)
    found = laid.rules.route_model(laid.state, run.actor).best(effort=4000)
    assert found.revenue == before.best_routes(run.actor, effort=4000).revenue > 0
    other = laid_out(Layout("1817", trains=(Fleet(run.actor, ()),)), before)
    assert other.rules.route_model(other.state, run.actor).best(effort=4000).revenue == 0
    assert before.state.board == laid_out(Layout("1817"), before).state.board


def test_a_token_takes_the_place_of_another_one():
    begun = laid_out(Layout("1828"))
    one, two = list(begun.state.corporations)[:2]
    coord = next(
        c for c in begun.rules.box.map.hexes if slots_at(begun.rules.box, begun.state.board, c)
    )
    s = laid_out(Layout("1828", tokens=(Put(one, coord, 0, 0), Put(two, coord, 0, 0)))).state
    assert s.board.cities[coord][0][0] == two
    assert all(t.city is None for t in s.corporations[one].tokens)
    s = laid_out(Layout("1828", tokens=(Put(one, coord, 0, 0), Put("", coord, 0, 0)))).state
    assert not any(any(city) for city in s.board.cities.get(coord, ()))


@pytest.mark.parametrize(
    "layout",
    [
        Layout("1817", phase="99"),
        Layout("1817", tiles=(Lay("ZZ99", "57", 0),)),
        Layout("1817", tiles=(Lay("B5", "nothing", 0),)),
        Layout("1817", tiles=(Lay("B5", "57", 7),)),
        Layout("1817", tokens=(Put("PRR", "B5", 9, 0),)),
        Layout("1817", trains=(Fleet("nobody", ("2",)),)),
        Layout("1817", trains=(Fleet("A&S", ("99",)),)),
    ],
)
def test_names_there_are_none_of_are_named(layout):
    with pytest.raises(UnknownName, match=r"there is no|cannot be turned"):
        laid_out(layout)


def test_markers_add_to_what_routes_earn():
    """The best run of a game, with a bridge more at each of its stops, earns ten more for each."""
    game, _ = replay((GAMES / "1817/document.json").read_bytes())
    run = [e.action for e in game.history if isinstance(e.action, RunRoutes)][-1]
    before = game.at((run.id or 0) - 1)
    plain = before.best_routes(run.actor, effort=4000)
    stops = {s.partition("-")[0] for r in plain.routes for c in r.connections for s in c}
    hexes = sorted({s for s in stops if s in before.rules.box.map.hexes})
    marks = tuple(Mark(h, "bridge") for h in hexes)
    laid = laid_out(Layout("1817", marks=marks), before)
    found = laid.rules.route_model(laid.state, run.actor).best(effort=4000)
    assert found.revenue > plain.revenue
    assert found.revenue % 10 == plain.revenue % 10
    for wrong in (Mark("Z99", "bridge"), Mark(hexes[0], "castle")):
        with pytest.raises(UnknownName):
            laid_out(Layout("1817", marks=(wrong,)))
    with pytest.raises(UnknownName):
        laid_out(Layout("1828", marks=(Mark("A5", "bridge"),)))


def worth(layout, who, over=None):
    """What a company's best routes earn on a layout."""
    laid = laid_out(layout, over)
    best = laid.rules.route_model(laid.state, who).best(effort=4000)
    assert best.optimal
    return best.revenue


def test_coal_opens_the_coalfields():
    """Without it Richmond (20) and the tunnel (10) are all there is; the fields pay 30."""
    begun = Layout(
        "1828", tiles=(Lay("K13", "4", 1), Lay("K15", "57", 1)),
        tokens=(Put("C&O", "K15", 0, 0),), trains=(Fleet("C&O", ("3",)),),
    )  # fmt: skip
    assert worth(begun, "C&O") == 30
    assert worth(replace(begun, rights=(Right("C&O", "coal"),)), "C&O") == 60


def test_a_bonus_marker_of_18ireland_needs_its_owner_and_its_place():
    """§11.4: ten for Londonderry, where the marker lies, if the company has it."""
    begun = Layout(
        "18Ireland", tiles=(Lay("G1", "5", 5), Lay("H2", "58", 2)),
        tokens=(Put("GSWR", "G1", 0, 0),), trains=(Fleet("GSWR", ("2H",)),),
    )  # fmt: skip
    plain = worth(begun, "GSWR")
    marks, rights = (Mark("G1", "CDSPC"),), (Right("GSWR", "CDSPC"),)
    assert plain > 0
    assert worth(replace(begun, marks=marks), "GSWR") == plain
    assert worth(replace(begun, rights=rights), "GSWR") == plain
    assert worth(replace(begun, marks=marks, rights=rights), "GSWR") == plain + 10
    with pytest.raises(UnknownName):
        laid_out(replace(begun, marks=(Mark("H2", "CDSPC"),)))


def test_rights_and_markers_of_1839():
    """§8.3: a port pays its owner twenty more and others ten; §9.5: who passes through an exchange
    of somebody else gets nothing there. A right for a station there is not is none."""
    game, _ = replay((GAMES / "1839/stock_market.json").read_bytes())
    over, layout = game.at(350), Layout("1839")
    plain = worth(layout, "AMS", over)
    assert worth(replace(layout, marks=(Mark("L3", "VES:AMS"),)), "AMS", over) == plain + 20
    assert worth(replace(layout, marks=(Mark("L3", "VES:NBDS"),)), "AMS", over) == plain + 10
    for right in ("PTT", "AB"):
        assert worth(replace(layout, rights=(Right("AMS", right),)), "AMS", over) > plain
    moved = laid_out(replace(layout, rights=(Right("AMS", "exchange N15/0"),)), over).state
    assert "N15/0" in moved.board.open
    with pytest.raises(UnknownName, match="no right of AMS"):
        laid_out(replace(layout, rights=(Right("AMS", "exchange D7/0"),)), over)


def test_companies_formed_later_lie_on_empty_maps_too():
    begun = laid_out(Layout("18Ireland"))
    assert "GSWR" in begun.state.corporations
    assert not begun.rules.facts.later_companies(begun.state)
