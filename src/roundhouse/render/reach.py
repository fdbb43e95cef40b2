"""What a company reaches, to be laid over the map: its network, its stations, the stops on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot
from typing import TYPE_CHECKING, Any

from ..board import network
from ..board.network import Reach, Spot
from ..board.tiles import NODE, Face
from .drawings import Drawings, drawings_of
from .free_space import Disc
from .geometry import Curve
from .plan import plan
from .spots import RIM, footprint
from .svg import Svg, attr, num

if TYPE_CHECKING:
    from ..model.records import Board, State
    from ..rounds.rules import Rules

_EDGE = 5.0


def draw_reach(rules: Rules[Any], state: State, who: str) -> Svg:
    """A ``<g class="rh-reach">`` for the end of the map's drawing: all track a company's trains and
    builders come to as beads on a band of its colour, a ring about its own stations and a dotted
    one about every other stop. Nothing is told by colour alone."""
    drawings, box = drawings_of(rules.box), rules.box
    gauge = _gauge(rules, state, who)
    faces = network.faces(box.map, box.tiles, state.board)
    reach = network.reach(box.map, box.tiles, state.board, who, gauge=gauge)
    own = set(network.token_spots(state.board, faces, who))
    body = ""
    for coord, face in faces.items():
        ends = set(_open_ends(state.board, coord, face, reach, who))
        drawn = _track(drawings, face, gauge, ends) + _rings(drawings, coord, face, reach, own)
        if drawn:
            x, y = drawings.centers[coord]
            body += f'<g transform="translate({num(x)} {num(y)})">{drawn}</g>'
    color = drawings.look(who)[1]
    return Svg(f'<g class="rh-reach" data-company={attr(who)} color={attr(color)}>{body}</g>')


def _gauge(rules: Rules[Any], state: State, who: str) -> str:
    """The gauge of a company's trains; companies that never run any have track of the usual."""
    try:
        return rules.route_model(state, who).gauge
    except ValueError:
        return "broad"


def _open_ends(board: Board, coord: str, face: Face, reach: Reach, who: str) -> Iterator[int]:
    """The ends of a hex from which the network goes on."""
    yield from (edge for edge in range(6) if (coord, edge) in reach.entered)
    for node in range(len(face.tile.nodes)):
        end = NODE + node
        if (coord, end) in reach.nodes and not network.blocked(board, face, coord, end, who):
            yield end


def _track(drawings: Drawings, face: Face, gauge: str, ends: set[int]) -> str:
    """The track that can be come by from some ends; through a junction from all it joins."""
    ends |= {
        NODE + j
        for j in face.tile.junctions
        if any(NODE + j in (t.a, t.b) and {t.a, t.b} & ends for t in face.tracks)
    }
    spots = plan(face, drawings.layout).spots
    discs = [
        d for n, s in zip(face.tile.nodes, spots, strict=True) if n.slots for d in footprint(n, s)
    ]
    fits = {"broad": ("broad", "dual"), "narrow": ("narrow", "dual")}.get(gauge)
    d = "".join(
        _outside(line.curve, discs)
        for line in plan(face, drawings.layout).lines
        if {line.a, line.b} & ends and (fits is None or line.gauge in fits)
    )
    looks = ("rh-reach-under", "rh-reach-band", "rh-reach-beads") if d else ()
    return "".join(f'<path class="{css}" d="{d}"/>' for css in looks)


def _outside(curve: Curve, discs: Sequence[Disc]) -> str:
    """A curve as path data, as far as it lies outside some discs: tokens stay to be seen."""
    points = [p for p in curve.samples(4) if all(hypot(p.x - x, p.y - y) > r for x, y, r in discs)]
    return "M" + "L".join(f"{num(x)} {num(y)}" for x, y in points) if len(points) > 1 else ""


def _rings(drawings: Drawings, coord: str, face: Face, reach: Reach, own: set[Spot]) -> str:
    """A ring about each stop of a hex that is reached."""
    spots = plan(face, drawings.layout).spots
    markup = ""
    for node in face.tile.stops:
        if (coord, NODE + node) not in reach.nodes and (coord, NODE + node) not in own:
            continue
        spot = spots[node]
        discs = footprint(face.tile.nodes[node], spot) or [(spot.x, spot.y, 30.0)]
        radius = max(abs(x - spot.x) + abs(y - spot.y) + r for x, y, r in discs) - RIM + _EDGE
        css = "rh-reach-own" if (coord, NODE + node) in own else "rh-reach-stop"
        at = f'cx="{num(spot.x)}" cy="{num(spot.y)}" r="{num(min(radius, 62))}"'
        markup += f'<circle class="rh-reach-edge" {at}/><circle class="{css}" {at}/>'
    return markup
