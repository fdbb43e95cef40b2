"""What may be done at one place of the map."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ...board.laying import face_at, free_copies, slots_at
from ...board.tiles import COLORS, revenue_of
from ...deciding import offered
from ...game import Game
from ...model.actions import Action, LayTile
from ...render.describe import stop_names
from ...sentences.buttons import Wording, hex_of, money, place_name
from ...sentences.steps import placing
from ..tables import decides
from .drawing import called, tile_of
from .now import Item, item_of, write
from .outcomes import outcome

if TYPE_CHECKING:
    from .view import View


class Turn(Struct):
    """A legal rotation of a tile."""

    rotation: int
    drawn: str
    action: str
    after: str


class Tile(Struct):
    """A tile that may be laid, with its legal rotations."""

    name: str
    actor: str
    turns: list[Turn]
    who: str = ""


class Missing(Struct):
    """A tile that would fit but cannot be laid now, and why."""

    name: str
    drawn: str
    why: str
    rule: str


class Following(Struct):
    """A tile that fits over what lies on a hex, whatever phase and company: the first way it does,
    and how many copies are left (None: any number)."""

    name: str
    drawn: str
    color: str
    left: int | None


class Spot(Struct):
    """A hex: what lies there in words, and everything that may be done or only the supply or the
    phase speaks against."""

    hex: str
    name: str
    text: list[str]
    tiles: list[Tile]
    items: list[Item]
    missing: list[Missing] = []
    following: list[Following] = []

    @property
    def shared(self) -> bool:
        """Whether several companies may lay tiles here."""
        return len({tile.actor for tile in self.tiles}) > 1


def spot_of(view: View, coord: str) -> Spot:
    """A hex for a viewer."""
    game = view.game
    spot = Spot(coord, place_name(game.rules, coord), describe(game, coord), [], [])
    spot.following = following(game, coord)
    if view.past or not view.mine:
        return spot
    words = Wording(game.rules, game.state)
    tiles: dict[tuple[str, str], Tile] = {}
    for choice in offered(game, view.mine):
        a = choice.action
        if hex_of(game.rules, game.state, a) != coord:
            continue
        if isinstance(a, LayTile):
            name = a.tile.rpartition("-")[0]
            tile = tiles.setdefault(
                (name, a.actor), Tile(name, called(game.rules, game.state, a.actor), [], a.actor)
            )
            drawn, after = tile_of(game.rules, name, a.rotation), outcome(game, a).text
            tile.turns.append(Turn(a.rotation, drawn, write(a), after))
        else:
            item = item_of(words, choice, coord)
            item.label = _done(game, a, item.label.removeprefix(spot.name).lstrip(", "))
            found = outcome(game, a)
            item.after, item.moves = found.text, found.moves
            spot.items.append(item)
    spot.tiles = list(tiles.values())
    spot.missing = _missing(view, coord)
    return spot


def _done(game: Game, a: Action, label: str) -> str:
    """What the button of an action on a hex says, where the hex is named above it: what is done, by
    whom if that is not who is waited for, and where on the hex."""
    by = "" if a.actor in game.acting else f" ({called(game.rules, game.state, a.actor)})"
    return f"{placing(game.state, a)}{by}{f': {label}' if label else ''}"


def following(game: Game, coord: str) -> list[Following]:
    """The tiles that may come on a hex one day, in the order of their colours."""
    rules, board = game.rules, game.state.board
    found: dict[str, Following] = {}
    for face in rules.upgrades.upgrades(board, coord):
        name = face.tile.name
        if name in found or name not in rules.box.tiles.counts:
            continue
        count = rules.box.tiles.counts[name]
        left = None if count is None else len(free_copies(rules.box, board, name))
        found[name] = Following(name, tile_of(rules, name, face.rotation), face.tile.color, left)
    return sorted(found.values(), key=lambda f: COLORS.index(f.color) if f.color in COLORS else 99)


def _missing(view: View, coord: str) -> list[Missing]:
    game, found = view.game, {}
    for refusal in game.missing_tiles(coord):
        a, fault = refusal.action, refusal.fault
        if isinstance(a, LayTile) and view.mine & decides(game, a.actor):
            name = a.tile.rpartition("-")[0]
            drawn = tile_of(game.rules, name, a.rotation)
            why = fault.message.replace(a.tile, name)
            found[name] = Missing(name, drawn, why[:1].upper() + why[1:], fault.rule)
    return list(found.values())


def describe(game: Game, coord: str) -> list[str]:
    """A hex in sentences, for those who listen to the page and for the curious."""
    rules, s = game.rules, game.state
    face = face_at(rules.box, s.board, coord)
    laid = s.board.tiles.get(coord)
    told = [f"Tile {laid.tile.rpartition('-')[0]}, {face.tile.color}." if laid else "As printed."]
    names = stop_names(face, rules.box.map.layout)
    slots = slots_at(rules.box, s.board, coord)
    for i, (name, node) in enumerate(zip(names, face.tile.nodes, strict=True)):
        value = revenue_of(node, rules.box.phases[s.phase].tiles) if node.revenue else 0
        worth = f" worth {money(rules, value)} now" if node.revenue else ""
        there = slots[face.tile.city_number[i]] if i in face.tile.city_number else ()
        holders = f": {', '.join(owner or 'free' for owner in there)}" if there else ""
        if worth or holders:
            told.append(f"{name.capitalize()}{worth}{holders}.")
    if face.tile.cost and not laid:
        terrain = " and ".join(sorted(face.tile.terrain)) or "terrain"
        told.append(f"{terrain.capitalize()} for {money(rules, face.tile.cost)}.")
    if markers := s.board.markers.get(coord):
        told.append(f"Markers: {', '.join(markers)}.")
    return told
