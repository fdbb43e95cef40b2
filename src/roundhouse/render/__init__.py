"""Drawing: state → SVG. No rules, no server; every drawing also shows itself in a notebook.

Drawings carry classes and custom properties instead of colours, so that one page style
(:func:`stylesheet`) themes them all, light and dark. Only company colours are written out.

>>> import roundhouse
>>> from roundhouse.render import draw_map
>>> title = next(iter(roundhouse.all_titles()))
>>> game = roundhouse.new(title, players=["Ada", "Ben", "Cleo"], seed=1)
>>> draw_map(game.rules, game.state)[:4]
'<svg'
"""

from __future__ import annotations

from .badges import draw_badges
from .cards import draw_certificate, draw_charter
from .map import ALL_LAYERS, LAYERS, RouteLine, changed, draw_hex, draw_map, seen_on_map
from .market import draw_market
from .reach import draw_reach
from .style import stylesheet
from .svg import Svg
from .tile import draw_tile
from .tokens import draw_company_token, draw_token, readable

__all__ = [
    "ALL_LAYERS",
    "LAYERS",
    "RouteLine",
    "Svg",
    "changed",
    "draw_badges",
    "draw_certificate",
    "draw_charter",
    "draw_company_token",
    "draw_hex",
    "draw_map",
    "draw_market",
    "draw_reach",
    "draw_tile",
    "draw_token",
    "readable",
    "seen_on_map",
    "stylesheet",
]
