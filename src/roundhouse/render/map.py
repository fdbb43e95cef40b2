"""The map."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from .svg import Svg

if TYPE_CHECKING:
    from ..model.records import State
    from ..rounds.rules import Rules
    from ..routes.check import Route

#: What may be shown; each is also hidden by the class ``rh-no-<layer>`` on any element above.
ALL_LAYERS = frozenset(
    {"coordinates", "names", "terrain", "values", "tokens", "reservations", "markers", "numbers"}
)
#: What is shown unless told otherwise: all but the tile numbers.
LAYERS = ALL_LAYERS - {"numbers"}


class RouteLine(Struct, frozen=True):
    """A route to be drawn: the train's name and its pieces of track in travel order, each a hex
    and the two ends (:mod:`..board.tiles`) it joins there. ``style`` 0–7: colour and dash."""

    train: str
    pieces: tuple[tuple[str, int, int], ...]
    style: int | None = None

    @classmethod
    def of(cls, route: Route, style: int | None = None) -> RouteLine:
        """The line of a checked route."""
        raise NotImplementedError


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
    raise NotImplementedError


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
    raise NotImplementedError
