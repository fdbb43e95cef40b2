"""The JSON Schema of a title's data files, made from the types they are read with.

The schemas lie beside this file in ``schemas/`` and are shipped with the package; ``roundhouse
schema FOLDER`` writes them anew.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from ..board.hexes import MapData
from ..board.tileset import TileData
from .schema import CompanyDef, CorporationDef, GameData, MarketData, TrainData

#: Each data file and the type it is read with.
FILES: dict[str, Any] = {
    "game": GameData,
    "market": MarketData,
    "trains": TrainData,
    "companies": tuple[CompanyDef, ...],
    "corporations": Annotated[tuple[CorporationDef, ...], msgspec.Meta(min_length=1)],
    "map": MapData,
    "tiles": TileData,
    "help": dict[str, str],
}


def schema_of(name: str) -> dict[str, Any]:
    """The schema of one data file, ``game`` for ``game.json``."""
    found: dict[str, Any] = msgspec.json.schema(FILES[name])
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": name} | found
