"""Layouts as addresses: what lies on the map is all in the query, so that a link is the map."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeVar
from urllib.parse import urlencode

from msgspec.structs import replace

from ...game import Game
from ...model.errors import OptionError, UnknownName
from ...sandbox import Fleet, LaidOut, Lay, Layout, Mark, Put, Right, laid_out
from ..tables import Refused, as_sentence

#: Between the parts of a thing, and between things. No name of hex, tile, train or company has one.
_PART, _THING = ".", "~"
#: Things an address may name, and letters of it.
_MOST, _LONGEST = 400, 8000
T = TypeVar("T")

KEYS: Final = ("options", "phase", "tiles", "tokens", "trains", "marks", "rights")


def read(title: str, query: Mapping[str, str]) -> Layout:
    """The layout of an address. Raises :class:`Refused` if it is none."""
    if sum(len(query.get(key, "")) for key in KEYS) > _LONGEST:
        raise Refused("This address is too long for a map.", "malformed")
    try:
        return Layout(
            title,
            tuple(filter(None, query.get("options", "").split(_THING))),
            query.get("phase", ""),
            tuple(Lay(c, t, int(r)) for c, t, r in _things(query, "tiles")),
            tuple(Put(w, c, int(n), int(s)) for w, c, n, s in _things(query, "tokens")),
            tuple(Fleet(who, tuple(trains)) for who, *trains in _things(query, "trains")),
            tuple(Mark(c, m) for c, m in _things(query, "marks")),
            tuple(Right(w, r) for w, r in _things(query, "rights")),
        )
    except ValueError as error:
        raise Refused(f"This address tells no map: {error}.", "malformed") from error


def _things(query: Mapping[str, str], key: str) -> list[list[str]]:
    found = [thing.split(_PART) for thing in query.get(key, "").split(_THING) if thing]
    if len(found) > _MOST:
        raise ValueError(f"more than {_MOST} {key}")
    return found


def written(layout: Layout) -> dict[str, str]:
    """The query of a layout."""
    found = {
        "options": _THING.join(layout.options),
        "phase": layout.phase,
        "tiles": _joined(layout.tiles),
        "tokens": _joined(layout.tokens),
        "trains": _joined((who, *trains) for who, trains in layout.trains),
        "marks": _joined(layout.marks),
        "rights": _joined(layout.rights),
    }
    return {key: value for key, value in found.items() if value}


def _joined(things: Iterable[Sequence[object]]) -> str:
    return _THING.join(_PART.join(map(str, thing)) for thing in things)


def query_of(*parts: Mapping[str, str]) -> str:
    """The query behind an address, empty values left out; later parts win."""
    joined = {k: v for part in parts for k, v in part.items()}
    text = urlencode({k: v for k, v in joined.items() if v}, safe="~,")
    return f"?{text}" if text else "?"


def open_layout(layout: Layout, over: Game | None) -> LaidOut:
    """A layout as rules and state. Raises :class:`Refused` for names there are none of."""
    try:
        return laid_out(layout, over)
    except (UnknownName, OptionError) as error:
        raise Refused(as_sentence(error), "unknown") from error


# what is changed by one form


def with_tile(layout: Layout, coord: str, tile: str, rotation: int) -> Layout:
    """A tile laid instead of the one that was put there; no name: none is put there, and no token
    and what it brings."""
    others = tuple(lay for lay in layout.tiles if lay.hex != coord)
    more = (Lay(coord, tile, rotation),) if tile else ()
    new = replace(layout, tiles=(*others, *more))
    if tile:
        return new
    tokens = tuple(p for p in layout.tokens if p.hex != coord)
    return replace(new, tokens=tokens, rights=_rights_away_from(layout, coord))


def with_token(layout: Layout, place: Put) -> Layout:
    """A token in a slot instead of what was put there."""
    others = tuple(p for p in layout.tokens if p[1:] != place[1:])
    return replace(layout, tokens=(*others, place), rights=_rights_away_from(layout, place.hex))


def _rights_away_from(layout: Layout, coord: str) -> tuple[Right, ...]:
    """The rights that need no token on a hex."""
    return tuple(r for r in layout.rights if f" {coord}/" not in r.right)


def with_mark(layout: Layout, mark: Mark) -> Layout:
    """A marker put on its hex, or taken off it where it was put."""
    others = tuple(m for m in layout.marks if m != mark)
    return replace(layout, marks=others if mark in layout.marks else (*others, mark))


def with_right(layout: Layout, right: Right) -> Layout:
    """A right given to its company, or taken from it where it was given."""
    others = tuple(r for r in layout.rights if r != right)
    return replace(layout, rights=others if right in layout.rights else (*others, right))


def with_trains(layout: Layout, who: str, trains: tuple[str, ...]) -> Layout:
    """Other trains of a company."""
    fleet = Fleet(who, trains)
    if any(f.who == who for f in layout.trains):
        return replace(layout, trains=tuple(fleet if f.who == who else f for f in layout.trains))
    return replace(layout, trains=(*layout.trains, fleet))
