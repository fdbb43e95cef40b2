"""The tiles a title owns, and which may replace which."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import resources

import msgspec
from msgspec import Struct

from ..box.names import Amount
from ..model.frozen import FrozenDict
from .tiles import COLORS, NODE, Face, Tile, TileDef


class TileData(Struct, frozen=True, forbid_unknown_fields=True):
    """The tiles file of a title: counts by name (null: unlimited) and tiles of its own."""

    counts: dict[str, Amount | None]
    own: tuple[TileDef, ...] = ()


@cache
def standard_tiles() -> dict[str, TileDef]:
    """The common tiles of the 18xx family by number."""
    raw = (resources.files(__package__) / "standard_tiles.json").read_bytes()
    return {t.name: t for t in msgspec.json.decode(raw, type=tuple[TileDef, ...])}


class TileSet:
    """The supply. ``counts[name]`` is None for an unlimited tile; order as in the data."""

    def __init__(self, data: TileData) -> None:
        own = {t.name: t for t in data.own}
        self.counts = FrozenDict(data.counts)
        self.tiles = FrozenDict(
            {name: Tile(own.get(name) or standard_tiles()[name]) for name in data.counts}
        )
        self._follow: dict[tuple[object, ...], tuple[Tile, ...]] = {}

    def successors(self, tile: Tile) -> tuple[Tile, ...]:
        """Tiles that may replace ``tile``: next colour, same label, as many towns and, unless
        labelled, as many cities. Rotation and track are not looked at."""
        if tile.color not in COLORS[:-1]:
            return ()
        cities, towns = len(tile.cities), len(tile.towns)
        key = (tile.color, tile.label, cities, towns)
        found = self._follow.get(key)
        if found is None:
            color = COLORS[COLORS.index(tile.color) + 1]
            found = self._follow[key] = tuple(
                t
                for t in self.tiles.values()
                if t.color == color
                and t.label == tile.label
                and len(t.towns) == towns
                and (len(t.cities) == cities or (tile.label and t.cities))
            )
        return found


@lru_cache(maxsize=8192)
def city_moves(old: Face, new: Face) -> tuple[int, ...] | None:
    """For each city number of ``old`` its number on ``new``; None if some city loses an exit, or
    there is none to go to.

    A city goes where all its exits go. One without exits keeps its number if that is free, else it
    takes the first free one. None too if cities become one though the new tile has room for all.
    """
    exits = [new.node_exits[i] for i in new.tile.cities]
    moves: list[int | None] = []
    if not exits and old.tile.cities:
        return None
    for node in old.tile.cities:
        mask = old.node_exits[node]
        goal = next((n for n, e in enumerate(exits) if mask and mask & ~e == 0), None)
        if mask and goal is None:
            return None
        moves.append(goal)
    taken = {m for m in moves if m is not None}
    for number, goal in enumerate(moves):
        if goal is None:
            free = [n for n in range(len(exits)) if n not in taken] or list(range(len(exits)))
            moves[number] = number if number in free else free[0]
            taken.add(moves[number] or 0)
    goals = tuple(m or 0 for m in moves)
    return goals if len(set(goals)) >= min(len(goals), len(exits)) else None


def keeps_junction_track(old: Face, new: Face) -> bool:
    """Whether ``new`` keeps all of ``old`` where junctions join everything: exits suffice for
    plain track, each city keeps its own."""
    if old.exits & ~new.exits:
        return False
    return not old.tile.cities or city_moves(old, new) is not None


def keeps_track(old: Face, new: Face) -> bool:
    """Whether ``new`` keeps all of ``old`` piece by piece: every path joins the same edges or the
    same stop in the same gauge; a junction keeps the plain track between its edges."""
    moves = node_moves(old, new)
    if moves is None:
        return False
    kept = {(t.a, t.b, t.gauge) for t in new.tracks} | {(t.b, t.a, t.gauge) for t in new.tracks}
    joined = _junctions(new)
    for track in old.tracks:
        a, b = moves.get(track.a, track.a), moves.get(track.b, track.b)
        if (a, b, track.gauge) in kept:
            continue
        both = (1 << a | 1 << b) if a < NODE and b < NODE else 0
        if not both or not any(g == track.gauge and both & ~m == 0 for g, m in joined):
            return False
    return True


def _junctions(face: Face) -> list[tuple[str, int]]:
    """The edges each junction joins, by gauge."""
    found: dict[tuple[int, str], int] = {}
    for track in face.tracks:
        for here, there in ((track.a, track.b), (track.b, track.a)):
            if here < NODE <= there and there - NODE in face.tile.junctions:
                key = (there, track.gauge)
                found[key] = found.get(key, 0) | 1 << here
    return [(gauge, mask) for (_, gauge), mask in found.items()]


def node_moves(old: Face, new: Face) -> dict[int, int] | None:
    """Where the stops and junctions of ``old`` are on ``new``, as ends; None if one is lost."""
    moves: dict[int, int] = {}
    for kind in ("cities", "towns", "junctions"):
        goals = list(getattr(new.tile, kind))
        free = list(goals)
        later = []
        for node in getattr(old.tile, kind):
            mask = old.node_exits[node]
            if not mask:
                later.append(node)
                continue
            goal = next((g for g in goals if mask & ~new.node_exits[g] == 0), None)
            if goal is None:
                return None
            moves[NODE + node] = NODE + goal
            if goal in free:
                free.remove(goal)
        for node in later:
            if not goals:
                return None
            moves[NODE + node] = NODE + (free.pop(0) if free else goals[0])
    return moves
