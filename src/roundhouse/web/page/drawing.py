"""The one door to :mod:`roundhouse.render` and :mod:`roundhouse.sentences`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from ... import render
from ...game import Game
from ...model.events import Event
from ...model.records import State
from ...rounds.rules import Rules
from ...sentences import Sentence, name_of, tell


def _placeholder(fn):  # TEMPORARY until drawings land
    from functools import wraps

    @wraps(fn)
    def call(*a, **k):
        try:
            return fn(*a, **k)
        except NotImplementedError:
            return _fallback(fn.__name__, a)

    return call


def _fallback(name, a):
    if name == "told":
        return [Sentence(type(e).__name__, (str(e),)) for e in a[2]]
    if name == "called":
        return a[1].players[a[2]].name if a[2] in a[1].players else str(a[2])
    if name == "map_of":
        g = a[0]
        body = "".join(
            f'<g class="rh-hex is-{a[1].get(c, "x")}" id="hex-{c}" data-hex="{c}"><polygon points="{x*50},{y*87-50} {x*50+45},{y*87-25} {x*50+45},{y*87+25} {x*50},{y*87+50} {x*50-45},{y*87+25} {x*50-45},{y*87-25}" fill="#eed" stroke="#999"/><text x="{x*50-20}" y="{y*87}">{c}</text></g>'
            for c, (x, y) in g.rules.box.map.positions.items()
        )
        return mark_safe(f'<svg viewBox="-100 -100 1400 1000">{body}</svg>')
    return mark_safe('<svg viewBox="0 0 10 10" width="20" height="20"><circle cx="5" cy="5" r="4"/></svg>') if name != "style" else ""


@_placeholder
def map_of(
    game: Game,
    highlight: Mapping[str, str],
    routes: Sequence[Any] = (),
) -> SafeString:
    """The map with some hexes and slots standing out."""
    return mark_safe(
        render.draw_map(
            game.rules, game.state, layers=render.ALL_LAYERS, highlight=highlight, routes=routes
        )
    )


@_placeholder
def market_of(game: Game, preview: Mapping[str, str] | None = None) -> SafeString:
    """The stock market."""
    return mark_safe(render.draw_market(game.rules, game.state, preview=preview))


@lru_cache(maxsize=4096)
@_placeholder
def _tile(tiles: Any, name: str, rotation: int, layout: str) -> SafeString:
    return mark_safe(render.draw_tile(tiles, name, rotation, layout))


def tile_of(rules: Rules[Any], name: str, rotation: int = 0) -> SafeString:
    """A tile of a title's supply."""
    return _tile(rules.box.tiles, name, rotation, rules.box.map.layout)


@lru_cache(maxsize=1024)
@_placeholder
def token_of(rules: Rules[Any], symbol: str) -> SafeString:
    """A company's mark."""
    return mark_safe(render.draw_company_token(rules, symbol))


@lru_cache(maxsize=4096)
@_placeholder
def certificate_of(rules: Rules[Any], symbol: str, percent: int, president: bool) -> SafeString:
    """A tiny share certificate."""
    return mark_safe(render.draw_certificate(rules, symbol, percent, president=president))


@_placeholder
def told(rules: Rules[Any], state: State, events: Sequence[Event]) -> list[Sentence]:
    """The sentences of some events."""
    return tell(rules, state, events)


@_placeholder
def called(rules: Rules[Any], state: State, key: str) -> str:
    """What an entity is called."""
    return name_of(rules, state, key)


@_placeholder
def style() -> str:
    """The style of all drawings."""
    return render.stylesheet()
