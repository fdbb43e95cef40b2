"""Maps and tiles: well formed, complete, deterministic, legible."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

import roundhouse
from roundhouse.board.laying import slots_at
from roundhouse.board.network import faces
from roundhouse.board.tiles import NODE
from roundhouse.model.events import Passed, TileLaid, TokenPlaced
from roundhouse.model.records import BLOCKER, Board, Laid
from roundhouse.render import (
    ALL_LAYERS,
    RouteLine,
    changed,
    draw_hex,
    draw_map,
    draw_tile,
    stylesheet,
)
from roundhouse.render.drawings import drawings_of
from roundhouse.render.free_space import Room
from roundhouse.render.geometry import Curve, Point
from roundhouse.render.lines import _badge
from roundhouse.render.plan import VALUE, plan, value_shape

from .facts import TITLES, drawn


@pytest.fixture(scope="module")
def game() -> roundhouse.Game:
    return roundhouse.new("1817", players=["Ada", "Ben", "Cleo"], seed=3)


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def of_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [e for e in root.iter() if name in e.get("class", "").split()]


@pytest.mark.parametrize("title", TITLES)
def test_every_hex_and_slot_of_every_title_is_drawn_once(facts: Path, title: str) -> None:
    rules, state = drawn(facts, title)
    root = parsed(draw_map(rules, state, layers=ALL_LAYERS, patterns=True))
    hexes = of_class(root, "rh-hex")
    assert [h.get("data-hex") for h in hexes] == list(rules.box.map.hexes)
    assert all(h.get("id") == f"hex-{h.get('data-hex')}" for h in hexes)
    assert all(h.find("title") is not None and h.find("desc") is not None for h in hexes)
    expected = [
        f"{coord}/{city}/{slot}"
        for coord in rules.box.map.hexes
        for city, slots in enumerate(slots_at(rules.box, state.board, coord))
        for slot in range(len(slots))
    ]
    assert [s.get("data-slot") for s in of_class(root, "rh-slot")] == expected


@pytest.mark.parametrize("title", TITLES)
def test_every_tile_in_every_rotation(facts: Path, title: str) -> None:
    rules, _ = drawn(facts, title)
    tiles, layout = rules.box.tiles, rules.box.map.layout
    for name, tile in tiles.tiles.items():
        for rotation in range(6):
            root = parsed(draw_tile(tiles, name, rotation, layout))
            slots = sum(n.slots for n in tile.nodes if n.kind == "city")
            assert len(of_class(root, "rh-hole")) == slots, name
            towns = sum(n.kind == "town" for n in tile.nodes)
            assert len(of_class(root, "rh-town")) == towns, name


@pytest.mark.parametrize("title", TITLES)
def test_values_never_lie_on_track_or_cities(facts: Path, title: str) -> None:
    rules, _ = drawn(facts, title)
    layout = rules.box.map.layout
    printed = rules.box.map.printed.values()
    laid = [t.turned(r) for t in rules.box.tiles.tiles.values() for r in range(6)]
    for face in [*printed, *laid]:
        drawing = plan(face, layout)
        track = [(x, y, 5.8) for line in drawing.lines for x, y in line.curve.samples(4)]
        for value in drawing.values:
            shape = value_shape(value.revenue, value.large)
            gap = Room(layout, track).clearance(value.x, value.y, shape)
            if isinstance(value.revenue, int):
                assert gap > 0, f"{face}: {value} lies on track by {-gap:.1f}"
        for one, two in combinations(drawing.values, 2):
            apart = ((one.x - two.x) ** 2 + (one.y - two.y) ** 2) ** 0.5
            assert apart > 2 * VALUE, f"{face}: {one} lies on {two}"


@pytest.mark.parametrize("title", TITLES)
def test_track_ends_in_the_middle_of_its_edge(facts: Path, title: str) -> None:
    rules, _ = drawn(facts, title)
    layout = rules.box.map.layout
    for tile in rules.box.tiles.tiles.values():
        for rotation in range(6):
            for line in plan(tile.turned(rotation), layout).lines:
                for end, point in ((line.a, line.curve.start), (line.b, line.curve.end)):
                    if end < NODE:
                        assert (point.x**2 + point.y**2) ** 0.5 == pytest.approx(86.6, abs=0.1)


def test_a_turned_tile_is_the_same_tile(facts: Path) -> None:
    rules, _ = drawn(facts, "1839")
    for tile in rules.box.tiles.tiles.values():
        first = [line.curve.length for line in plan(tile.turned(0), "pointy").lines]
        for rotation in range(1, 6):
            lengths = [c.curve.length for c in plan(tile.turned(rotation), "pointy").lines]
            assert lengths == pytest.approx(first, abs=0.01), tile


def test_drawing_is_deterministic(game: roundhouse.Game) -> None:
    first = draw_map(game.rules, game.state)
    vars(game.rules.box).pop("_sheet")
    plan.cache_clear()
    assert draw_map(game.rules, game.state) == first


def test_a_hex_drawn_alone_is_the_hex_of_the_map(game: roundhouse.Game) -> None:
    whole = draw_map(game.rules, game.state, highlight={"F13": "choice"})
    for coord in ("F13", "E22", "C12"):
        assert draw_hex(game.rules, game.state, coord, highlight={"F13": "choice"}) in whole


def test_the_outline_of_what_stands_out_lies_under_stops_and_type(game: roundhouse.Game) -> None:
    drawn = draw_hex(game.rules, game.state, "F13", highlight={"F13": "choice"}, layers=ALL_LAYERS)
    outline = drawn.index("rh-glow")
    assert drawn.index("rh-field") < outline < drawn.index("rh-city")
    assert all(outline < drawn.index(css) for css in ("rh-names", "rh-coordinates"))


def test_tokens_blockers_markers_and_highlights(game: roundhouse.Game) -> None:
    board = Board(
        tiles={"F13": Laid("57-0", 1)},
        cities={"F13": (("H",),), "E22": ((BLOCKER,), (None,))},
        markers={"F13": ("mine", "A&S")},
    )
    state = game.state.fork()
    state.board = board
    root = parsed(draw_map(game.rules, state, highlight={"F13": "selected", "E22/1/0": "choice"}))
    tokens = {s.get("data-slot"): s.get("data-token") for s in of_class(root, "rh-slot")}
    assert tokens["F13/0/0"] == "H"
    assert tokens["E22/0/0"] == BLOCKER
    assert tokens["E22/1/0"] is None
    (chosen,) = of_class(root, "is-selected")
    assert chosen.get("data-hex") == "F13"
    (slot,) = of_class(root, "is-choice")
    assert slot.get("data-slot") == "E22/1/0"
    assert slot.get("role") == "button"
    assert of_class(chosen, "rh-marker")
    assert "yellow tile 57" in (chosen.findtext("desc") or "")


def test_names_and_owners_are_escaped(game: roundhouse.Game) -> None:
    evil = "<script>\"&'"
    state = game.state.fork()
    state.board = Board(cities={"E22": ((evil,), (None,))}, markers={"F13": (evil,)})
    text = draw_map(game.rules, state)
    root = parsed(text)
    assert "<script" not in text
    assert evil in [s.get("data-token") for s in of_class(root, "rh-slot")]


def test_what_changed_is_highlighted() -> None:
    events = [TileLaid("H", "F13", "57-0", 1, 0), TokenPlaced("H", "E22/1", 0), Passed("H", "x")]
    assert changed(events) == {"F13": "changed", "E22": "changed"}


def test_layers(game: roundhouse.Game) -> None:
    bare = draw_map(game.rules, game.state, layers=())
    assert "rh-names" not in bare
    assert "rh-coordinates" not in bare
    full = draw_map(game.rules, game.state)
    assert "rh-names" in full
    assert "rh-numbers" not in full


def test_routes_follow_track_and_share_it_in_lanes(game: roundhouse.Game) -> None:
    state = game.state.fork()
    state.board = Board(tiles={"F15": Laid("9-0", 1), "F13": Laid("57-0", 1)})
    face = faces(game.rules.box.map, game.rules.box.tiles, state.board)["F15"]
    track = face.tracks[0]
    route = RouteLine("2-0", (("F15", track.a, track.b),))
    other = RouteLine("3-1", (("F15", track.a, track.b),))
    root = parsed(draw_map(game.rules, state, routes=[route, other]))
    lines = of_class(root, "rh-route")
    assert len(lines) == 2
    assert lines[0].get("d") != lines[1].get("d")
    assert len(of_class(root, "rh-badge")) == 4


def _boxes(
    hex_: ElementTree.Element, skip: set[str]
) -> list[tuple[str, float, float, float, float]]:
    """Estimated boxes of the hex's own texts that are not moved."""
    found = []
    for layer in hex_:
        if layer.get("class", "") in skip or layer.tag != "g":
            continue
        for text in layer.iter("text"):
            if text.get("x") is None:
                continue
            size, words = float(text.get("font-size", "12")), text.text or ""
            x, y = float(text.get("x", 0)), float(text.get("y", 0)) - size * 0.35
            width = len(words) * size * 0.46
            found.append((words, x - width / 2, x + width / 2, y - size * 0.35, y + size * 0.35))
    return found


@pytest.mark.parametrize("title", TITLES)
def test_texts_of_a_hex_do_not_overlap(facts: Path, title: str) -> None:
    rules, state = drawn(facts, title)
    root = parsed(draw_map(rules, state))
    for hex_ in of_class(root, "rh-hex"):
        boxes = _boxes(hex_, {"rh-city", "rh-markers", "rh-coordinates"})
        for a, b in combinations(boxes, 2):
            apart = a[2] <= b[1] or b[2] <= a[1] or a[4] <= b[3] or b[4] <= a[3]
            assert apart, f"{hex_.get('data-hex')}: {a[0]!r} lies on {b[0]!r}"


def test_late_positions_of_a_real_game(facts: Path) -> None:
    path = facts / "games" / "1817" / "15528.json"
    if not path.is_file():
        pytest.skip("the game is not at hand")
    game = roundhouse.load(str(path))
    for entry in game.history[::200]:
        root = parsed(draw_map(game.rules, entry.state, layers=ALL_LAYERS))
        placed = [s.get("data-token") for s in of_class(root, "rh-slot") if s.get("data-token")]
        owned = [
            owner
            for cities in entry.state.board.cities.values()
            for slots in cities
            for owner in slots
            if owner
        ]
        assert sorted(placed) == sorted(owned)


def test_the_stylesheet_themes_everything() -> None:
    css = stylesheet()
    used = set(re.findall(r"var\(--rh-([a-z0-9]+)", css)) - {"fill", "run"}
    defined = set(re.findall(r"--rh-([a-z0-9]+):", css))
    assert used <= defined
    assert '[data-theme="dark"]' in css


def test_standalone_drawings_carry_their_colours(game: roundhouse.Game) -> None:
    svg = draw_map(game.rules, game.state)
    alone = svg.standalone(dark=True)
    assert "var(" not in alone
    assert 'xmlns="http://www.w3.org/2000/svg"' in alone
    assert parsed(alone).tag.endswith("svg")
    assert svg._repr_svg_() == svg.standalone()


def test_the_sheet_lives_with_its_box(game: roundhouse.Game) -> None:
    assert drawings_of(game.rules.box) is drawings_of(game.rules.box)
    letters = drawings_of(game.rules.box).letters
    assert len(set(letters.values())) == len(letters)
    assert all(1 <= len(v) <= 2 for v in letters.values())


def test_reservations_show_where_they_are_kept(facts: Path) -> None:
    rules, state = drawn(facts, "1828")
    root = parsed(draw_map(rules, state))
    kept = {s.get("data-slot"): s.get("data-reserved") for s in of_class(root, "rh-slot")}
    for coord, places in state.board.reserved.items():
        for place in places:
            if place.city is not None:
                assert kept[f"{coord}/{place.city}/{place.slot}"] == place.entity
    state.board = replace(state.board, reserved={})
    assert "data-reserved" not in draw_map(rules, state)


def test_a_trains_badge_keeps_off_what_lies_at_the_end_of_its_line() -> None:
    line = Curve(Point(0, 0), Point(0, 84))
    route = RouteLine("4-1", ())

    def height(badge: str) -> float:
        found = re.search(r"translate\(\S+ (\S+?)\)", badge)
        assert found is not None
        return float(found[1])

    free = height(_badge(Point(0, 0), Room("flat"), line, route, 0))
    named = Room("flat", [(0.0, 70.0, 10.0)])
    moved = height(_badge(Point(0, 0), named, line, route, 0))
    assert free > 60
    assert moved < 50
    again = height(_badge(Point(0, 0), named, line, route, 0))
    assert abs(again - moved) > 5
