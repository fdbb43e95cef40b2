"""A map laid out freely: tiles, tokens and trains put where somebody wants them, as at a real
table, and asked what it is worth.

>>> from roundhouse.sandbox import Layout, laid_out
>>> import roundhouse
>>> title, *_ = roundhouse.all_titles()
>>> laid = laid_out(Layout(title))
>>> laid.state.board.tiles
FrozenDict({})
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from .board import laying
from .board.derived import changed
from .board.tiles import Face
from .creation import new
from .game import Game
from .model.errors import BrokenInvariant, UnknownName
from .model.frozen import FrozenDict, drop, put
from .model.records import State, Token, set_corporation
from .rounds.rules import Rules
from .rounds.step import ActionContext
from .routes.whatif import with_trains
from .titles.title import find_title


class Lay(NamedTuple):
    """A tile on a hex, turned by so many sixths."""

    hex: str
    tile: str
    rotation: int


class Put(NamedTuple):
    """A company's token in a slot of a city; ``who`` empty: the slot is empty, whatever stands
    there at the start of the game."""

    who: str
    hex: str
    city: int
    slot: int


class Fleet(NamedTuple):
    """The trains of a company, by their types."""

    who: str
    trains: tuple[str, ...]


class Right(NamedTuple):
    """Something a company has that changes its routes, by its name in ``Facts.route_rights``."""

    who: str
    right: str


class Mark(NamedTuple):
    """A marker on a hex, of those that add to what routes earn."""

    hex: str
    marker: str


class Layout(Struct, frozen=True):
    """What lies where, of a title with ``options``; ``phase`` empty: as it is. All else is as at
    the start of a game, or in the game the layout is laid over."""

    title: str
    options: tuple[str, ...] = ()
    phase: str = ""
    tiles: tuple[Lay, ...] = ()
    tokens: tuple[Put, ...] = ()
    trains: tuple[Fleet, ...] = ()
    marks: tuple[Mark, ...] = ()
    rights: tuple[Right, ...] = ()


class LaidOut(NamedTuple):
    """The rules of a layout, and the state they see, with all companies there may ever be."""

    rules: Rules[Any]
    state: State


def laid_out(layout: Layout, over: Game | None = None) -> LaidOut:
    """A layout as rules and state, for drawing and routes; ``over``: laid over what lies there in a
    game now instead of at the start.

    Tiles lie as they are put, whether they could have been laid or not, also more of them than
    there are. Raises :class:`UnknownName` for a title, phase, hex, tile, slot, company, train,
    marker or right there is none of, :class:`OptionError` for options.
    """
    begun = over or _begun(layout.title, layout.options)
    s = begun.state.fork()
    s.now = ActionContext()
    rules = begun.rules
    later = {c.id: c for c in rules.facts.later_companies(s)}
    s.corporations = FrozenDict({**s.corporations, **later})
    if layout.phase:
        _known(layout.phase, rules.box.phases, "phase")
        s.phase = layout.phase
    for number, lay in enumerate(layout.tiles):
        _lay(rules, s, lay, number)
    for token in layout.tokens:
        _put(rules, s, token)
    for fleet in layout.trains:
        _known(fleet.who, s.corporations, "company")
        s = with_trains(rules.box, s, fleet.who, fleet.trains)
    for mark in layout.marks:
        _known(mark.hex, rules.box.map.hexes, "hex")
        _known(mark.marker, rules.facts.bonus_markers(mark.hex), "marker")
        laying.add_marker(s, "", mark.hex, mark.marker)
    for who, right in layout.rights:
        _known(who, s.corporations, "company")
        _known(right, rules.facts.route_rights(s, who), f"right of {who}")
        rules.facts.grant_right(s, who, right)
    s.now = None
    return LaidOut(rules, s.seal())


@lru_cache(maxsize=64)
def _begun(title: str, options: tuple[str, ...]) -> Game:
    seats = find_title(title).box.game.players.min
    return new(title, [f"Player {n}" for n in range(1, seats + 1)], seed=1, options=options)


def _known(name: str, names: Any, what: str) -> None:
    if name not in names:
        raise UnknownName(f"there is no {what} {name}")


def _lay(rules: Rules[Any], s: State, lay: Lay, number: int) -> None:
    """Lay a tile; where tokens cannot go with their cities they leave the hex. Each gets a number
    of its own, above those of the supply, so that there are always enough."""
    _known(lay.hex, rules.box.map.hexes, "hex")
    _known(lay.tile, rules.box.tiles.counts, "tile")
    if lay.rotation not in range(6):
        raise UnknownName(f"tile {lay.tile} cannot be turned by {lay.rotation} sixths")
    tile = f"{lay.tile}-{1000 + number}"
    try:
        laying.lay(rules.box, s, "", lay.hex, tile, lay.rotation, 0)
    except BrokenInvariant:
        for owner in {o for city in s.board.cities[lay.hex] for o in city if o}:
            _lift(s, owner, lay.hex)
        s.board = changed(s.board, cities=drop(s.board.cities, lay.hex))
        laying.lay(rules.box, s, "", lay.hex, tile, lay.rotation, 0)


def _lift(s: State, owner: str, coord: str) -> None:
    if owner in s.corporations:
        tokens = s.corporations[owner].tokens
        off = (
            replace(t, city=None) if (t.city or "").startswith(f"{coord}/") else t for t in tokens
        )
        set_corporation(s, owner, tokens=tuple(off))


def _put(rules: Rules[Any], s: State, token: Put) -> None:
    """Put a token into a slot, instead of the one there."""
    _known(token.hex, rules.box.map.hexes, "hex")
    slots = laying.slots_at(rules.box, s.board, token.hex)
    if token.city not in range(len(slots)) or token.slot not in range(len(slots[token.city])):
        raise UnknownName(f"there is no slot {token.slot} in city {token.city} of {token.hex}")
    there = slots[token.city][token.slot]
    if there is not None and there in s.corporations:
        laying.lift_token(rules.box, s, there, token.hex, token.city)
    elif there is not None:
        city = tuple(None if n == token.slot else o for n, o in enumerate(slots[token.city]))
        cities = (*slots[: token.city], city, *slots[token.city + 1 :])
        s.board = changed(s.board, cities=put(s.board.cities, token.hex, cities))
    if not token.who:
        return
    _known(token.who, s.corporations, "company")
    tokens = s.corporations[token.who].tokens
    if all(t.city is not None for t in tokens):
        set_corporation(s, token.who, tokens=(*tokens, Token(0)))
    laying.place_token(rules.box, s, token.who, token.hex, token.city, token.slot, 0)


def fitting(title: str, options: tuple[str, ...], coord: str) -> tuple[Face, ...]:
    """The tiles that can come to lie on a hex in play, one laid over the other from what is printed
    there, supply and phase aside. Raises :class:`UnknownName`."""
    rules = _begun(title, options).rules
    _known(coord, rules.box.map.hexes, "hex")
    return _fitting(title, options, coord)


@lru_cache(maxsize=2048)
def _fitting(title: str, options: tuple[str, ...], coord: str) -> tuple[Face, ...]:
    begun = _begun(title, options)
    rules, board = begun.rules, begun.state.board
    map_ = rules.map_now(board)
    found: dict[Face, None] = {}
    heap = [laying.face_at(rules.box, board, coord)]
    while heap:
        for face in rules.upgrades.over(map_, coord, heap.pop()):
            if face not in found:
                found[face] = None
                heap.append(face)
    return tuple(found)


def any_tile(title: str) -> tuple[Face, ...]:
    """All tiles of a title, turned in every way that differs."""
    tiles = find_title(title).box.tiles.tiles.values()
    return differing(tile.turned(rotation) for tile in tiles for rotation in range(6))


def differing(faces: Iterable[Face]) -> tuple[Face, ...]:
    """Tiles without those that are others turned so that they look the same."""
    found: dict[object, Face] = {}
    for face in faces:
        found.setdefault(looks(face), face)
    return tuple(found.values())


def looks(face: Face) -> object:
    """What two ways to turn a tile have in common if they are one."""
    return face.tile.name, tuple(sorted(face.links.items()))
