"""The one door to :mod:`roundhouse.render` and :mod:`roundhouse.sentences`."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from ... import render
from ...game import Game
from ...model.events import Event
from ...model.records import Board, State
from ...render import RouteLine
from ...render.drawings import drawings_of
from ...rounds.rules import Rules
from ...routes.check import Route
from ...sentences import name_of


def map_of(
    game: Game,
    highlight: Mapping[str, str],
    routes: Sequence[RouteLine] = (),
) -> SafeString:
    """The map with some hexes and slots standing out; its hatching is shown if the page says so."""
    drawn = render.draw_map(
        game.rules,
        game.state,
        layers=render.ALL_LAYERS,
        highlight=highlight,
        routes=routes,
        patterns=True,
    )
    return mark_safe(drawn)


def map_key(
    game: Game, highlight: Mapping[str, str], routes: Sequence[RouteLine] = ()
) -> tuple[Board, Hashable]:
    """The board, and all else :func:`map_of` draws."""
    return game.state.board, render.seen_on_map(game.rules, game.state, highlight, routes)


def line_of(route: Route, style: int) -> RouteLine:
    """The line of a route in one of the looks lines have."""
    return RouteLine.of(route, style)


def changed_by(game: Game, events: Iterable[Event]) -> dict[str, str]:
    """A highlight of the hexes some events changed, as far as they are on the map."""
    found = render.changed(events)
    return {h: word for h, word in found.items() if h in game.rules.box.map.hexes}


def market_of(game: Game, preview: Mapping[str, str] | None = None) -> SafeString:
    """The stock market."""
    return mark_safe(render.draw_market(game.rules, game.state, preview=preview))


def reach_of(rules: Rules[Any], state: State, symbol: str) -> SafeString:
    """What a company reaches, to be laid over the map."""
    return mark_safe(render.draw_reach(rules, state, symbol))


@lru_cache(maxsize=4096)
def _tile(tiles: Any, name: str, rotation: int, layout: str) -> SafeString:
    return mark_safe(render.draw_tile(tiles, name, rotation, layout, patterns=True))


def tile_of(rules: Rules[Any], name: str, rotation: int = 0) -> SafeString:
    """A tile of a title's supply."""
    return _tile(rules.box.tiles, name, rotation, rules.box.map.layout)


@lru_cache(maxsize=1024)
def token_of(rules: Rules[Any], symbol: str) -> SafeString:
    """A company's mark."""
    return mark_safe(render.draw_company_token(rules, symbol))


@lru_cache(maxsize=4096)
def certificate_of(rules: Rules[Any], symbol: str, percent: int, president: bool) -> SafeString:
    """A tiny share certificate."""
    return mark_safe(render.draw_certificate(rules, symbol, percent, president=president))


def called(rules: Rules[Any], state: State, key: str) -> str:
    """What an entity is called."""
    return name_of(rules, state, key)


def ink_on(color: str, text_color: str) -> str:
    """A company's text colour, or one that can be read on its colour."""
    return render.readable(color, text_color, 4.5)


def full_name(rules: Rules[Any], symbol: str) -> str:
    """A company's name; of one made of two, both."""
    return drawings_of(rules.box).look(symbol)[0]


def style() -> str:
    """The style of all drawings."""
    return render.stylesheet()
