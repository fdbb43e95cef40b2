"""Boxes made from the reference facts of all titles, enough of each to be drawn.

The facts' schema differs a little from our data files; rules of a title are not needed here.
"""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec

from roundhouse.board.hexes import HexDef, Map, MapData, Reservation
from roundhouse.board.tiles import TileDef
from roundhouse.board.tileset import TileData, TileSet
from roundhouse.box.schema import CorporationDef, MarketData, Phase
from roundhouse.model.records import (
    Board,
    Corporation,
    Depot,
    Player,
    Reserved,
    Round,
    State,
    Token,
)
from roundhouse.stock.market import Market

TITLES = ("1817", "1828", "18ireland", "1873", "1839")


def _tile(raw: dict[str, Any]) -> dict[str, Any]:
    """A tile of the facts as our data have it."""
    known = {f.name for f in msgspec.structs.fields(TileDef)}
    tile = {k: v for k, v in raw.items() if k in known}
    tile["nodes"] = [{k: v for k, v in n.items() if k != "exits"} for n in raw.get("nodes", [])]
    for number, node in enumerate(tile["nodes"]):
        node.setdefault("part", number)
    return tile


def _hex(raw: dict[str, Any]) -> HexDef:
    tile = raw["tile"]
    borders = [{k: v for k, v in b.items() if v is not None} for b in tile.get("borders", [])]
    return msgspec.convert(
        {
            "coord": raw["coord"],
            "id": tile.get("id", f"{raw['coord']}-0"),
            "tile": _tile(tile) | {"name": raw["coord"]},
            "location": raw.get("location"),
            "hide_location": raw.get("hide_location", False),
            "borders": borders,
            "reservations": raw.get("reservations", []),
        },
        HexDef,
    )


class DrawnBox:
    """What drawings need of a box."""

    def __init__(self, root: Path, title: str) -> None:
        facts = json.loads((root / "facts" / f"{title}.json").read_text())
        common = json.loads((root / "facts" / "tiles.json").read_text())["tiles"]
        defs = common | facts.get("tile_defs", {})
        own, counts = [], {}
        for name, entry in facts["tiles"].items():
            own.append(msgspec.convert(_tile(defs[entry["def"]]) | {"name": name}, TileDef))
            counts[name] = entry["count"]
        grid = facts["map"]
        layout = grid["layout"]
        axis = "x" if grid["axes"]["x"] == "letter" else "y"
        self.map = Map(
            MapData(layout, axis, ("blue", "gray", "red"), tuple(_hex(h) for h in grid["hexes"]))
        )
        self.tiles = TileSet(TileData(counts, tuple(own)))
        self.game = SimpleNamespace(
            name=title, currency=facts["currency"].replace("%d", "%s"), special={}
        )
        entities = facts["corporations"] + facts.get("minors", [])
        self.corporations = {
            c["id"]: CorporationDef(
                c["id"], c["name"], c["color"], c.get("text_color", "white"),
                tokens=tuple(c.get("tokens") or ()),
            )
            for c in entities
        }  # fmt: skip
        self.phases = {p["name"]: _phase(p) for p in facts["phases"]}
        market = facts["market"]
        rows = [
            [{k: v for k, v in c.items() if k != "id"} if c else None for c in row]
            for row in market["rows"]
        ]
        self.market = Market(
            msgspec.convert(
                {"kind": market["kind"], "rows": rows, "zones": market["zones"]}, MarketData
            )
        )


def _phase(raw: dict[str, Any]) -> Phase:
    return Phase(raw["name"], raw["train_limit"], tuple(raw["tiles"]), 2)


def drawn(root: Path, title: str) -> tuple[Any, State]:
    """Rules and the state at the start of a title, for drawing only."""
    box = DrawnBox(root, title)
    reserved = {
        h.coord: tuple(_reserved(r) for r in h.reservations)
        for h in box.map.hexes.values()
        if h.reservations
    }
    state = State(
        players={"player:1": Player(1, "Ada", 100)},
        order=("player:1",),
        corporations={
            c.id: Corporation(id=c.id, tokens=tuple(Token(p) for p in c.tokens))
            for c in box.corporations.values()
        },
        companies={},
        trains={},
        depot=Depot(()),
        market={},
        board=Board(reserved=reserved),
        round=Round(),
        phase=next(iter(box.phases)),
    )
    facts = SimpleNamespace(order_of_play=lambda s: ())
    rules = SimpleNamespace(
        box=box, operator=lambda s: None, facts=facts, president=lambda s, e: None
    )
    return rules, state


def _reserved(place: Reservation) -> Reserved:
    return Reserved(place.entity, place.city, place.slot or 0)
