"""Markers on the map: stations in slots, exchange markers under them (§1.5, §9.4–9.6)."""

from __future__ import annotations

from msgspec.structs import replace

from ...board import laying
from ...box.box import Box
from ...model.events import MarkerPlaced, MarkerRemoved
from ...model.records import Corporation, State, set_corporation
from .state import EXCHANGE, State1839


def exchange_city(s: State, who: str) -> str | None:
    """Where a company's exchange marker is, as ``hex/city``."""
    for token in s.corporations[who].tokens:
        if token.kind == EXCHANGE:
            return token.city
    return None


def stations(c: Corporation) -> list[str]:
    """The cities with a station of a company."""
    return [t.city for t in c.tokens if t.city and not t.kind]


def unplaced(c: Corporation) -> int:
    """Markers left on the charter."""
    return sum(1 for t in c.tokens if t.city is None)


def place_exchange(s: State1839, who: str, city: str) -> None:
    """Put a marker under a company's own station."""
    tokens = list(s.corporations[who].tokens)
    at = next(i for i, t in enumerate(tokens) if t.city is None)
    tokens[at] = replace(tokens[at], city=city, kind=EXCHANGE)
    set_corporation(s, who, tokens=tuple(tokens))
    s.now.emit(MarkerPlaced(who, city.partition("/")[0], EXCHANGE))
    sync(s)


def lift_exchange(s: State1839, who: str) -> None:
    """Take a company's exchange marker back."""
    city = exchange_city(s, who) or ""
    tokens = [
        replace(t, city=None, kind="") if t.kind == EXCHANGE else t
        for t in s.corporations[who].tokens
    ]
    set_corporation(s, who, tokens=tuple(tokens))
    s.now.emit(MarkerRemoved(city.partition("/")[0], EXCHANGE))
    sync(s)


def sync(s: State1839) -> None:
    """Cities with an exchange marker are open to everybody (§9.5)."""
    cities = (exchange_city(s, c) for c in s.corporations)
    laying.set_open(s, {x for x in cities if x is not None})


def free_slots(box: Box, s: State1839, coord: str, city: int, who: str) -> tuple[int, ...]:
    """§9.4: the slots of a city open to a company: none where a whole hex is kept for another, and
    one less where a city is the home of a company that has not begun."""
    slots = laying.slots_at(box, s.board, coord)[city]
    free = tuple(i for i, owner in enumerate(slots) if owner is None)
    others = [p for p in s.board.reserved.get(coord, ()) if p.entity != who]
    if any(p.city is None for p in others):
        return ()
    kept = sum(1 for p in others if p.city == city)
    return free if len(free) > kept else ()
