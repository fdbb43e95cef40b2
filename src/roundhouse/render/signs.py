"""Small engraved signs: terrain and what lies on hexes. Each is drawn about its middle, some
20 units wide."""

from __future__ import annotations

import re

from .svg import num, write

#: Line drawings by name; one path each.
ENGRAVED = {
    "mountain": "M-11 7L-4-7L1 2M-2-1L4-8L12 7M-11 7H12M4-8L5 0L8 4M-4-7L-4 0L-7 4",
    "hill": "M-11 6Q-6-6 0 4Q5-7 11 6M-11 6H11",
    "water": "M-11-3Q-8-7-5-3T1-3T7-3T12-4M-11 4Q-8 0-5 4T1 4T7 4T12 3",
    "lake": "M-12 0A12 7.5 0 1 0 12 0A12 7.5 0 1 0-12 0M-7-1Q-4-4-1-1T6-1M-4 3Q-2 1 1 3T6 3",
    "river": "M-11-6Q-4-8-2-1T12 4M-11 0Q-6-2-4 4T7 8",
    "swamp": "M-11 5H11M-7 5V-3M-7 5L-10-1M-7 5L-4-1M5 5V-3M5 5L2-1M5 5L8-1",
    "forest": "M-6 7V3M-6-8L-11 3H-1ZM6 7V3M6-8L1 3H11Z",
    "port": "M0-9A3 3 0 1 1 0-3A3 3 0 1 1 0-9M0-3V9M-6 0H6M-9 3Q-7 9 0 9Q7 9 9 3",
    "lock": "M-7-1H7V8H-7ZM-4-1V-5A4 4 0 0 1 4-5V-1M0 2V5",
    "coal": "M-10 6L-7-3L-1-7L6-5L10 3L8 6ZM-7-3L-1 0L6-5M-1 0L1 6",
    "mine": "M-8 8L4-4M8 8L-4-4M-9-3Q-6-9 2-7M9-3Q6-9-2-7",
    "bridge": "M-12 5H12M-12 5Q0-13 12 5M-6 5V-1M0 5V-4M6 5V-1",
    "ranch": "M-11 6V-4M-4 6V-4M4 6V-4M11 6V-4M-12-1H12M-12 3H12",
    "factory": "M-10 8V-1L-4-5V-1L2-5V-1L8-5V8ZM5-5V-10H8",
}


def engraved(name: str, x: float, y: float, scale: float = 1) -> str:
    """A sign at a place; an unknown name is written out."""
    d = ENGRAVED.get(name)
    if d is None:
        return write(x, y, name, "rh-small", 10)
    more = f"scale({scale:.2f})" if scale != 1 else ""
    return f'<path class="rh-sign" d="{d}" transform="translate({num(x)} {num(y)}){more}"/>'


def parted(icon: str) -> tuple[str, str]:
    """Sign and caption of an icon's name: ``8_open`` is a mine with the number 8."""
    match = re.fullmatch(r"(\w+?)_(open|closed)", icon)
    if match:
        return ("mine" if match[1].isdigit() else "factory"), match[1]
    return icon, ""
