"""The map."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ..board.laying import Slots
from ..board.network import faces
from ..board.tiles import Face
from ..model.arguments import several
from ..model.errors import UnknownName
from ..model.events import (
    Event,
    MarkerPlaced,
    MarkerRemoved,
    TileLaid,
    TokenPlaced,
    TokenRemoved,
)
from ..model.records import BLOCKER, Reserved
from .borders import borders
from .describe import described, title_of
from .drawings import NAME_PLACES, Drawings, HexText, drawings_of, marker
from .free_space import Room, bar, text_width
from .geometry import APOTHEM, SIDE
from .hatch import hatch
from .lines import drawn_routes
from .plan import city_outline, current_color, hex_path, hints, path, plan, value_markup
from .spots import slot_places, slot_radius
from .svg import Svg, attr, framed, num, text_of, write
from .tokens import RADIUS, blocker

if TYPE_CHECKING:
    from ..model.records import Board, State
    from ..rounds.rules import Rules
    from ..routes.check import Route

#: What may be shown; each is also hidden by the class ``rh-no-<layer>`` on any element above.
ALL_LAYERS = frozenset(
    {"coordinates", "names", "terrain", "values", "tokens", "reservations", "markers", "numbers"}
)
#: What is shown unless told otherwise: all but the tile numbers.
LAYERS = ALL_LAYERS - {"numbers"}

#: Most hexes kept drawn for one box.
_KEPT = 4_000


class RouteLine(Struct, frozen=True):
    """A route to be drawn: the train's name and its pieces of track in travel order, each a hex
    and the two ends (:mod:`..board.tiles`) it joins there. ``style`` 0–7: colour and dash."""

    train: str
    pieces: tuple[tuple[str, int, int], ...]
    style: int | None = None

    @classmethod
    def of(cls, route: Route, style: int | None = None) -> RouteLine:
        """The line of a checked route."""
        pieces = []
        for leg in route.legs:
            ends = (leg.start, *leg.sides, leg.end)
            for (coord, a), (_, b) in zip(ends[::2], ends[1::2], strict=True):
                pieces.append((coord, a, b))
        return cls(route.train, tuple(pieces), style)


class _Look(Struct, frozen=True):
    """How a map is to be shown."""

    layers: frozenset[str]
    #: By hex: what is highlighted on it, and how.
    marked: Mapping[str, tuple[tuple[str, str], ...]]
    patterns: bool
    colors: tuple[str, ...]
    #: By hex: cities with a token under another one, whose it is, and its kind.
    under: Mapping[str, tuple[tuple[str, str, str], ...]]


def draw_map(
    rules: Rules[Any],
    state: State,
    *,
    layers: Collection[str] = LAYERS,
    highlight: Mapping[str, str] | Collection[str] = (),
    routes: Sequence[RouteLine | Route] = (),
    patterns: bool = False,
) -> Svg:
    """The map as it lies.

    One ``<g class="rh-hex" id="hex-F13" data-hex="F13">`` a hex, with ``<title>`` and ``<desc>``;
    in it each city a ``<g class="rh-city" data-city="F13/0">`` and each slot a
    ``<g class="rh-slot" data-slot="F13/0/1" data-token="PRR">``. ``highlight``: hexes (``F13``)
    or slots (``F13/0/1``) that stand out, each with a word that becomes the class ``is-<word>``
    (drawn: ``choice``, ``changed``, ``reach``, ``selected``); a plain collection means ``choice``.
    ``patterns``: hatching beside colour.
    """
    drawings, look = drawings_of(rules.box), _look(rules, state, layers, highlight, patterns)
    all_faces = faces(rules.box.map, rules.box.tiles, state.board)
    runs, badges = drawn_routes(drawings, all_faces, _lines(routes))
    hexes = [
        _hex(drawings, state.board, coord, face, look, runs.get(coord, ""))
        for coord, face in all_faces.items()
    ]
    xs, ys = zip(*drawings.centers.values(), strict=True)
    rx, ry = (SIDE, APOTHEM) if drawings.layout == "flat" else (APOTHEM, SIDE)
    left, top = min(xs) - rx - 12, min(ys) - ry - 12
    width, height = max(xs) + rx + 12 - left, max(ys) + ry + 12 - top
    body = (
        f'<g class="rh-hexes">{"".join(hexes)}</g>'
        f'<g class="rh-borders">{borders(drawings)}</g><g class="rh-badges">{badges}</g>'
    )
    more = f' role="group" aria-label={attr(rules.box.game.name + ": map")}'
    return framed(width, height, body, "rh-map", left=left, top=top, more=more)


def seen_on_map(
    rules: Rules[Any], state: State, highlight: Mapping[str, str], routes: Sequence[RouteLine]
) -> Hashable:
    """What a map shows besides the board: with one board and this alike, maps are alike."""
    look = _look(rules, state, (), highlight, False)
    marks = frozenset(look.marked.items()), frozenset(look.under.items())
    return (look.colors, *marks, tuple(routes))


def draw_hex(
    rules: Rules[Any],
    state: State,
    coord: str,
    *,
    layers: Collection[str] = LAYERS,
    highlight: Mapping[str, str] | Collection[str] = (),
    routes: Sequence[RouteLine | Route] = (),
    patterns: bool = False,
) -> str:
    """The one ``<g>`` of a hex exactly as :func:`draw_map` has it, to replace it on a page."""
    drawings, look = drawings_of(rules.box), _look(rules, state, layers, highlight, patterns)
    all_faces = faces(rules.box.map, rules.box.tiles, state.board)
    runs, _ = drawn_routes(drawings, all_faces, _lines(routes))
    return _hex(drawings, state.board, coord, all_faces[coord], look, runs.get(coord, ""))


def changed(events: Iterable[Event]) -> dict[str, str]:
    """A highlight of the hexes that some events changed."""
    found = {}
    for e in events:
        match e:
            case TileLaid() | MarkerPlaced() | MarkerRemoved():
                found[e.hex] = "changed"
            case TokenPlaced() | TokenRemoved():
                found[e.city.partition("/")[0]] = "changed"
    return found


def _look(
    rules: Rules[Any],
    state: State,
    layers: Collection[str],
    highlight: Mapping[str, str] | Collection[str],
    patterns: bool,
) -> _Look:
    words = highlight if isinstance(highlight, Mapping) else dict.fromkeys(highlight, "choice")
    marked: dict[str, tuple[tuple[str, str], ...]] = {}
    for place, word in words.items():
        coord = place.partition("/")[0]
        marked[coord] = (*marked.get(coord, ()), (place, word))
    colors = rules.box.phases[state.phase].tiles
    if unknown := set(several(layers, "layers")) - ALL_LAYERS:
        listed = ", ".join(sorted(ALL_LAYERS))
        raise UnknownName(f"layers: there is no {min(unknown)!r}; there are {listed}")
    return _Look(frozenset(layers), marked, patterns, colors, _under(rules, state))


def _under(rules: Rules[Any], state: State) -> dict[str, tuple[tuple[str, str, str], ...]]:
    """The tokens that lie under another one."""
    found: dict[str, tuple[tuple[str, str, str], ...]] = {}
    for c in state.corporations.values():
        for token in c.tokens:
            if token.city and not rules.takes_slot(token):
                coord = token.city.partition("/")[0]
                found[coord] = (*found.get(coord, ()), (token.city, c.id, token.kind))
    return found


def _lines(routes: Iterable[RouteLine | Route]) -> list[RouteLine]:
    return [r if isinstance(r, RouteLine) else RouteLine.of(r) for r in routes]


# one hex


def _hex(drawings: Drawings, board: Board, coord: str, face: Face, look: _Look, routes: str) -> str:
    marked, under = look.marked.get(coord, ()), look.under.get(coord, ())
    key = (
        coord, face.tile.name, face.rotation, board.cities.get(coord), board.markers.get(coord),
        board.reserved.get(coord), look.colors, look.layers, look.patterns, marked, under, routes,
    )  # fmt: skip
    known = drawings.drawn.get(key)
    if known is None:
        if len(drawings.drawn) >= _KEPT:
            drawings.drawn.clear()
        known = _draw(drawings, board, coord, face, look, dict(marked), routes)
        if not routes:
            drawings.drawn[key] = known
    return known


def _draw(
    drawings: Drawings, board: Board, coord: str, face: Face, look: _Look,
    marked: Mapping[str, str], routes: str,
) -> str:  # fmt: skip
    text = drawings.hex_text(coord, face)
    slots, under = _slots(board, coord, face), look.under.get(coord, ())
    x, y = drawings.centers[coord]
    word = marked.get(coord)
    css = f"rh-hex rh-c-{face.tile.color}" + (f" is-{word}" if word else "")
    inner = [
        f"<title>{text_of(title_of(drawings.box.map.hexes[coord]))}</title>",
        f"<desc>{text_of(described(drawings, coord, face, slots, board, under))}</desc>",
        field(drawings.layout, face, look.patterns),
        frame(drawings.layout, face),
        text.plan.track,
        routes,
        _glow(f'path d="{drawings.inset}"') if word else "",  # under stops and all that is written
        text.plan.towns,
        *_cities(drawings, board, coord, face, text, slots, look, marked),
        *_layer("values", _values(text, look), look),
        text.plan.label_text,
        *(
            part
            for layer in ("terrain", "names", "numbers", "coordinates")
            for part in _layer(layer, text.layers[layer], look, text.name)
        ),
        *_layer("markers", text.layers["markers"] + _markers(drawings, board, coord, text), look),
        *_layer("reservations", _hex_reservations(drawings, board, coord, text), look),
    ]
    more = ' tabindex="0" role="button"' if word == "choice" else ""
    return (
        f'<g class="{css}" id={attr("hex-" + coord)} data-hex={attr(coord)}'
        f' transform="translate({num(x)} {num(y)})"{more}>{"".join(inner)}</g>'
    )


def _glow(shape: str) -> str:
    """The outline of what stands out, with an edge that parts it from any colour."""
    return f'<{shape} class="rh-glow-edge"/><{shape} class="rh-glow"/>'


def _layer(name: str, markup: str, look: _Look, place: str = "") -> tuple[str, ...]:
    """A layer's part of a hex; names also tell the place's whole name, however it is written."""
    if not markup or name not in look.layers:
        return ()
    more = f" data-name={attr(place)}" if name == "names" else ""
    return (f'<g class="rh-{name}"{more}>{markup}</g>',)


def field(layout: str, face: Face, patterns: bool) -> str:
    """The hex itself in its colour."""
    markup = f'<path class="rh-field" d="{hex_path(layout)}"/>'
    return markup + (hatch(face.tile.color, layout) if patterns else "")


def frame(layout: str, face: Face) -> str:
    """A coloured frame inside the hex, where the tile has one, and hints of track to come."""
    colors = face.tile.definition.frame or ()
    colors = (colors,) if isinstance(colors, str) else colors
    inset = hex_path(layout, 95)
    markup = "".join(f'<path class="rh-frame" d="{inset}" stroke={attr(c)}/>' for c in colors[:1])
    d = "".join(path(c) for c in hints(face, layout, plan(face, layout).spots))
    return markup + (f'<path class="rh-hint" d="{d}"/>' if d else "")


def _slots(board: Board, coord: str, face: Face) -> Slots:
    known = board.cities.get(coord)
    if known is not None:
        return known
    return tuple((None,) * face.tile.nodes[i].slots for i in face.tile.cities)


def _values(text: HexText, look: _Look) -> str:
    return "".join(
        f'<g class="rh-value">{value_markup(v, current_color(v.revenue, look.colors))}</g>'
        for v in text.plan.values
    )


# cities


def _cities(
    drawings: Drawings, board: Board, coord: str, face: Face, text: HexText, slots: Slots,
    look: _Look, marked: Mapping[str, str],
) -> list[str]:  # fmt: skip
    kept = {(r.city, r.slot): r.entity for r in board.reserved.get(coord, ()) if r.city is not None}
    if "reservations" not in look.layers:
        kept = {}
    under = {(city, owner): kind for city, owner, kind in look.under.get(coord, ())}
    found = []
    for number, node in enumerate(face.tile.cities):
        spot = text.plan.spots[node]
        body = city_outline(face.tile.nodes[node], spot)
        owners = slots[number] if "tokens" in look.layers else (None,) * len(slots[number])
        for slot, place in enumerate(slot_places(len(owners), spot.tilt)):
            name = f"{coord}/{number}/{slot}"
            body += _slot(
                drawings, name, owners[slot], kept.get((number, slot)), place,
                slot_radius(len(owners)), marked.get(name),
                under.get((f"{coord}/{number}", owners[slot] or "")),
            )  # fmt: skip
        found.append(
            f'<g class="rh-city" data-city={attr(f"{coord}/{number}")}'
            f' transform="translate({num(spot.x)} {num(spot.y)})">{body}</g>'
        )
    return found


def _slot(
    drawings: Drawings, name: str, owner: str | None, kept: str | None,
    place: tuple[float, float], radius: float, word: str | None, under: str | None,
) -> str:  # fmt: skip
    x, y = place
    at = f' transform="translate({num(x)} {num(y)})"' if x or y else ""
    more = f" data-token={attr(owner)}" if owner else ""
    if kept:
        more += f" data-reserved={attr(kept)}"
    if word == "choice":
        more += f' tabindex="0" role="button" aria-label={attr("slot " + name)}'
    css = "rh-slot" + (f" is-{word}" if word else "")
    inside = f'<circle class="rh-hole" r="{num(radius)}"/>'
    if owner is not None:
        token = blocker() if owner == BLOCKER else drawings.token(owner)
        scale = (radius - 1.5) / RADIUS
        if under is not None:
            inside += _lower(drawings, owner, under, radius)
        inside += f'<g transform="scale({scale:.3f})"><title>{text_of(owner)}</title>{token}</g>'
    elif kept:
        inside += write(0, 0, kept, "rh-kept", _fitting(kept, radius))
    if word:
        inside += _glow(f'circle r="{num(radius)}"')
    return f'<g class="{css}" data-slot={attr(name)}{more}{at}>{inside}</g>'


def _lower(drawings: Drawings, owner: str, kind: str, radius: float) -> str:
    """A second token, of which the rim is seen under the first one."""
    color = drawings.look(owner)[1]
    return (
        f'<g class="rh-under"><title>{text_of(f"{owner}, {kind}")}</title>'
        f'<circle class="rh-hole" r="{num(radius + 5.5)}"/>'
        f'<circle r="{num(radius + 2.2)}" fill="none" stroke={attr(color)} stroke-width="4"/></g>'
    )


def _fitting(text: str, radius: float) -> float:
    """A size in which a text fits into a slot."""
    return min(15.0, max(8.0, 1.6 * radius / max(0.1, text_width(text, 1))))


# what lies on hexes


def _markers(drawings: Drawings, board: Board, coord: str, text: HexText) -> str:
    found = board.markers.get(coord, ())
    if not found:
        return ""
    room = text.room.copy()
    return "".join(
        _small_token(drawings, m, room) if m in drawings.box.corporations else marker(m, room)
        for m in found
    )


def _small_token(drawings: Drawings, symbol: str, room: Room) -> str:
    shape = bar(26, 26)
    _, (x, y) = room.best(shape, NAME_PLACES)
    room.take(x, y, shape)
    at = f"translate({num(x)} {num(y)})scale(.58)"
    return f'<g transform="{at}"><title>{text_of(symbol)}</title>{drawings.token(symbol)}</g>'


def _hex_reservations(drawings: Drawings, board: Board, coord: str, text: HexText) -> str:
    """Reservations of the whole hex, as small flags."""
    whole: list[Reserved] = [r for r in board.reserved.get(coord, ()) if r.city is None]
    if not whole:
        return ""
    room, markup = text.room.copy(), ""
    for place in whole:
        width = text_width(place.entity, 11) + 10
        _, (x, y) = room.best(bar(width, 16), NAME_PLACES)
        room.take(x, y, bar(width, 16))
        markup += (
            f'<rect class="rh-flag" x="{num(x - width / 2)}" y="{num(y - 8)}" '
            f'width="{num(width)}" height="16" rx="3"/>'
            + write(x, y, place.entity, "rh-flag-text", 11)
        )
    return markup
