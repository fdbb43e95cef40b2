"""The facts of the title, as ``data.json`` holds them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

D: dict[str, Any] = json.loads((Path(__file__).parent / "data.json").read_text(encoding="utf-8"))

MARKET: list[list[int | None]] = D["market"]
PHASES: dict[str, Any] = D["phases"]
PHASE_ORDER = list(PHASES)
TRAINS: dict[str, Any] = D["trains"]
RANKS = list(TRAINS)
PRIVATES: dict[str, Any] = D["privates"]
COMPANIES: dict[str, Any] = D["companies"]
FOREIGNERS: dict[str, Any] = D["foreigners"]
COUNTRIES: dict[str, list[str]] = D["countries"]
TILES: dict[str, Any] = D["tiles"]
MAP: dict[str, Any] = D["map"]

#: Off-board hex -> its area.
AREA = {h: f for f, about in FOREIGNERS.items() for h in about["hexes"]}


def area_value(area: str, phase: str) -> int:
    """The value of an off-board area in a phase; the Roer's is not in the table (11.3)."""
    table = FOREIGNERS[area]["value"]
    return 0 if table == "roer" else int(table[phase])


def at_least(phase: str, other: str) -> bool:
    """Whether a phase is another one or later."""
    return PHASE_ORDER.index(phase) >= PHASE_ORDER.index(other)


def rank_of(train: str) -> str:
    """``3+-0`` is a ``3+``."""
    return train.rsplit("-", 1)[0]
