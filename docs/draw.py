"""Draws the pictures of the titles' pages: of any title its map, market and tiles, and of some what
is odd about them.

    python docs/draw.py 1839 […]
    python docs/draw.py             # those of the start page, into docs/pictures

They go to ``docs/titles/<title>/``. Draw again when a map or the style of drawings changes.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

import roundhouse
from roundhouse.board import laying
from roundhouse.game import Game
from roundhouse.model.actions import Run
from roundhouse.model.records import Corporation, State, Token, Train, put, set_corporation
from roundhouse.render import Svg, draw_hex, draw_map, draw_market, draw_tile
from roundhouse.render.drawings import drawings_of
from roundhouse.render.svg import framed, num, text_of, write
from roundhouse.rounds.step import ActionContext
from roundhouse.routes.model import Route

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "titles"
Picture = Callable[[], Svg]

# of any title


def opening(title: str, options: Sequence[str] = ()) -> Game:
    """A game of which nothing is played yet."""
    seats = roundhouse.find_title(title).box.game.players.min
    return roundhouse.new(title, [f"Player {n + 1}" for n in range(seats)], seed=1, options=options)


def map_picture(title: str) -> Svg:
    """The map as printed."""
    game = opening(title)
    return draw_map(game.rules, game.state)


def market_picture(title: str) -> Svg:
    """The market, empty."""
    game = opening(title)
    return draw_market(game.rules, game.state)


def tiles_picture(title: str, across: int = 12) -> Svg:
    """Every tile of the supply with its number and how many there are."""
    box = roundhouse.find_title(title).box
    drawn = [(draw_tile(box.tiles, name, layout=box.map.layout), n) for name, n in counted(box)]
    width, height = 100.0, 118.0
    body = ""
    for at, (tile, count) in enumerate(drawn):
        x, y = at % across * width, at // across * height
        body += inset(tile, x + 4, y, width - 8)
        body += write(x + width / 2, y + height - 8, f"{count or '∞'} ×", "rh-fact", 13)
    return framed(across * width, -(-len(drawn) // across) * height, body, "rh-manifest")


def counted(box: Any) -> Iterator[tuple[str, int | None]]:
    """Names and numbers of the tiles, by colour."""
    for color in ("yellow", "green", "brown", "gray"):
        for name, count in box.tiles.counts.items():
            if box.tiles.tiles[name].color == color:
                yield name, count


def inset(drawing: Svg, x: float, y: float, width: float) -> str:
    """A drawing at a place within another one."""
    _, _, w, h = (float(v) for v in re.findall(r'viewBox="([^"]*)"', drawing)[0].split())
    size = f'x="{num(x)}" y="{num(y)}" width="{num(width)}" height="{num(width * h / w)}"'
    return str(drawing).replace("<svg ", f"<svg {size} ", 1)


def close_up(game: Game, state: State, coords: Sequence[str], routes: Sequence[Route] = ()) -> Svg:
    """A few hexes of the map."""
    centers = drawings_of(game.rules.box).centers
    body = "".join(draw_hex(game.rules, state, c, routes=routes) for c in coords)
    xs, ys = zip(*(centers[c] for c in coords), strict=True)
    left, top = min(xs) - 95, min(ys) - 105
    return framed(
        max(xs) + 95 - left, max(ys) + 105 - top, body, "rh-map", left=left, top=top
    )  # fmt: skip


# 1839


def breda(title: str) -> tuple[Game, State]:
    """The south-west in the Green phase, as in the worked example of the rules."""
    game = opening(title)
    s = game.state.fork()
    s.now = ActionContext()
    s.phase = "Green"
    for coord, tile, rotation in (("K8", "B06-0", 0), ("L3", "6-0", 5)):
        laying.lay(game.rules.box, s, "", coord, tile, rotation, 0)
    return game, s


def route_example() -> Svg:
    """A 3+ from Brussel by Breda and Middelburg to Overseas."""
    game, s = breda("1839")
    laying.place_token(game.rules.box, s, "NBDS", "K8", 0, 0, 0)
    line = ["L9", "K8", "L7", "L5", "M4", "L3", "L1"]
    pieces = (("L9", "K8"), ("K8", "L7"), ("L7", "L5", "M4"), ("M4", "L3"), ("L3", "L1"))
    return close_up(game, s, [*line, "K6", "K4"], [run_of(game, s, "NBDS", pieces)])


def exchange_example() -> Svg:
    """A train of NBDS runs through the full city of Breda, where AMS has its exchange marker."""
    game, s = breda("1839")
    box = game.rules.box
    laying.place_token(box, s, "AMS", "K8", 0, 0, 0)
    laying.place_token(box, s, "NBDS", "L3", 0, 0, 0)
    lower = Token(0, "K8/0", "exchange")
    set_corporation(s, "AMS", tokens=(lower, *s.corporations["AMS"].tokens))
    laying.set_open(s, frozenset({"K8/0"}))
    pieces = (("L3", "M4"), ("M4", "L5", "L7"), ("L7", "K8"), ("K8", "L9"))
    drawn = run_of(game, s, "NBDS", pieces)
    return close_up(game, s, ["L3", "M4", "L5", "L7", "K8", "L9", "K6", "L1"], [drawn])


def run_of(game: Game, s: State, who: str, pieces: tuple[tuple[str, ...], ...]) -> Route:
    """A 3+ train's route along pieces of track."""
    s.trains = put(s.trains, "3+-0", Train("3+-0", "3+", who))
    s.corporations = put(s.corporations, who, replace(s.corporations[who], trains=("3+-0",)))
    model = game.rules.route_model(s, who)
    run = Run(train="3+-0", connections=pieces)
    stops, legs = next(iter(model.rebuild(run)))
    return Route("3+-0", stops, legs, model.revenue("3+-0", stops, legs))


def foreigners() -> Svg:
    """The eight areas by country: what they are worth by phase, and their slots after a run of 130
    from Brussel to Overseas."""
    game = opening("1839")
    rules: Any = game.rules
    box = rules.box
    phases = list(box.phases)
    columns = [430.0 + 58 * n for n in range(len(phases))]
    slot = columns[-1] + 88
    body = "".join(map(_phase_chip, columns, phases))
    body += write(slot, 22, "slot", "rh-fact", 14)
    y = 40.0
    for country in rules.constants.countries:
        areas = rules.foreigners(game.state, country)
        height = 42.0 * len(areas)
        body += f'<rect class="rh-card" x="4" y="{num(y)}" width="{num(slot + 44)}" '
        body += f'height="{num(height)}" rx="6"/>'
        body += f'<text class="rh-title" x="18" y="{num(y + 26)}" font-size="17">'
        body += f"{text_of(country)}</text>"
        for area in areas:
            worth = rules.foreign[area.id].values
            body += _area(game, area, y + 21, columns, [worth.get(p, 0) for p in phases])
            amount = {"BRUSS": 26, "OVER": 26}.get(area.id, 0)
            body += f'<rect class="rh-hole" x="{num(slot - 28)}" y="{num(y + 7)}" width="56" '
            body += 'height="28" rx="4"/>' + write(slot, y + 21, amount or "", "rh-number", 15)
            y += 42
        y += 10
    return framed(slot + 52, y, body, "rh-foreigners")


def _phase_chip(x: float, phase: str) -> str:
    color = {"Blue": "blue", "Black": "diesel"}.get(phase, phase.lower())
    return (
        f'<g class="rh-c-{color}"><rect class="rh-box" x="{num(x - 27)}" y="10" width="54" '
        f'height="24" rx="3"/>{write(x, 22, phase, "rh-fact", 13)}</g>'
    )


def _area(
    game: Game, area: Corporation, y: float, columns: Sequence[float], worth: Sequence[int]
) -> str:
    drawings = drawings_of(game.rules.box)
    token = f'<g transform="translate(160 {num(y)})scale(.75)">{drawings.token(area.id)}</g>'
    name = f'<text class="rh-left rh-fact" x="186" y="{num(y + 5)}" font-size="15">'
    name += f"{text_of(drawings.look(area.id)[0])}</text>"
    if any(worth):
        values = "".join(
            write(x, y, v, "rh-number", 15) for x, v in zip(columns, worth, strict=True)
        )
    else:
        middle = (columns[0] + columns[-1]) / 2
        values = write(
            middle, y, "the best place of the route, or twice its other end", "rh-fact", 14
        )
    return token + name + values


def number_cards() -> Svg:
    """Cards by cash: who has least begins."""
    body = ""
    for x, title, rows in (
        (0.0, "before", ((1, "Ada", 120), (2, "Ben", 40), (3, "Cleo", 40))),
        (330.0, "after the auction", ((1, "Ben", 40), (2, "Cleo", 40), (3, "Ada", 120))),
    ):
        body += write(x + 145, 14, title, "rh-fact", 14)
        for n, (number, who, cash) in enumerate(rows):
            left = x + 4 + 96 * n
            body += f'<rect class="rh-card" x="{num(left)}" y="26" width="88" height="104" rx="6"/>'
            body += write(left + 44, 62, number, "rh-number", 34)
            body += write(left + 44, 96, who, "rh-fact", 15) + write(
                left + 44, 116, f"ƒ{cash}", "rh-fact", 13
            )
    return framed(624, 136, body, "rh-number-cards")


#: What is drawn beside map, market and tiles, by title.
ODD: dict[str, dict[str, Picture]] = {
    "1839": {
        "cards": number_cards,
        "exchange": exchange_example,
        "foreigners": foreigners,
        "route": route_example,
    }
}


# of the start page


def finished() -> Game:
    """A game that was played to its end."""
    return roundhouse.load(ROOT / "tests" / "games" / "1817" / "base.json")


def proof() -> Svg:
    """The best routes of a company in the middle of that game, on its map."""
    game = finished().at(732)
    return game.draw_map(routes=game.read_routes(game.best_routes().routes))


#: The pictures of the start page and of pages that are about no title.
GENERAL: dict[str, Picture] = {
    "map": lambda: finished().draw_map(),
    "market": lambda: finished().draw_market(),
    "routes": proof,
}


def pictures(title: str) -> dict[str, Picture]:
    """The pictures of a title by name."""
    usual = {
        "map": lambda: map_picture(title),
        "market": lambda: market_picture(title),
        "tiles": lambda: tiles_picture(title),
    }
    return usual | ODD.get(title, {})


def main(wanted: Sequence[str]) -> None:
    """Draw all pictures of some titles."""
    if not wanted:
        _write(GENERAL, FOLDER.parent / "pictures")
    for title in wanted:
        _write(pictures(title), FOLDER / title.lower())


def _write(drawn: dict[str, Picture], folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    for name, picture in drawn.items():
        (folder / f"{name}.svg").write_text(picture().standalone() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
