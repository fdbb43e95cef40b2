"""The model's state in the form of the community's state traces."""

from __future__ import annotations

from typing import Any

from . import board, trains
from .data import COMPANIES, COUNTRIES, FOREIGNERS, PRIVATES, RANKS
from .state import (
    IPO,
    POOL,
    State,
    cell_of,
    certificates,
    percent,
    price,
    worth,
)

ROUNDS = {"AR": "Auction Round", "SR": "Stock Round", "OR": "Operating Round"}


def acting(s: State) -> str | None:
    """Who must act."""
    if s.finished:
        return None
    if s.round != "OR":
        return s.players[s.on_turn]
    over = trains.above_limit(s)
    if over:
        return f"corporation:{over[0]}"
    assert s.turn is not None
    return f"corporation:{s.turn.company}"


def view(s: State) -> dict[str, Any]:
    return {
        "round": {"name": ROUNDS[s.round], "short": s.round, "turn": s.number, "num": s.num},
        "phase": s.phase,
        "acting": acting(s),
        "order": [p.removeprefix("player:") for p in s.players],
        "players": {p.removeprefix("player:"): _player(s, p) for p in s.players},
        "corporations": {c: _company(s, c) for c in [*COMPANIES, *FOREIGNERS, *COUNTRIES]},
        "market": {c: _certs(s, c, POOL) for c in s.certs if _certs(s, c, POOL)},
        "companies": {p: _private(s, p) for p in PRIVATES},
        "depot": [
            [r, s.left[r], s.next[r]] for r in RANKS if s.left[r] is None or (s.left[r] or 0) > 0
        ],
        "hexes": _hexes(s),
        "ors": s.ors,
        "finished": s.finished,
    }


def _certs(s: State, company: str, holder: str) -> list[list[int]]:
    return sorted([i, percent(company, i)] for i, h in s.certs[company].items() if h == holder)


def _player(s: State, player: str) -> dict[str, Any]:
    return {
        "cash": s.cash[player],
        "shares": {c: _certs(s, c, player) for c in s.certs if _certs(s, c, player)},
        "companies": sorted(p for p, o in s.privates.items() if o == player),
        "certs": certificates(s, player),
        "value": worth(s, player),
    }


def _company(s: State, company: str) -> dict[str, Any]:
    result: dict[str, Any] = {
        "cash": s.slots[company] if company in s.slots else s.cash[company],
        "president": s.president.get(company),
        "trains": sorted(f"{t}*" if t in s.obsolete else t for t in s.trains.get(company, [])),
        "tokens": _tokens(s, company),
        "companies": sorted(p for p, o in s.privates.items() if o == company),
        "treasury": _certs(s, company, IPO) if company in s.certs else [],
        "operated": company in s.homes_placed,
    }
    cell = cell_of(s, company)
    result["ipoed"] = cell is not None
    if cell is not None:
        result["price"] = [price(s, company), *cell, s.cells[cell].index(company)]
    return result


def _tokens(s: State, company: str) -> list[str]:
    places = [f"{c}/{n}" for c, n in board.cities_of(s, company)]
    places += [f"{c}/0" for c, who in s.on_hex.items() if who == company]
    if company in s.exchange:
        places.append("{}/{}".format(*s.exchange[company]))
    return sorted(places)


def _private(s: State, private: str) -> Any:
    who = s.privates[private]
    return f"corporation:{who}" if who in COMPANIES else who


def _hexes(s: State) -> dict[str, Any]:
    hexes: dict[str, Any] = {}
    for coord, tile in s.tiles.items():
        hexes.setdefault(coord, {})["tile"] = list(tile)
    for coord in s.stations:
        rows = [board.slots(s, (coord, n)) for n in board.face(s, coord).cities()]
        if any(any(row) for row in rows):
            hexes.setdefault(coord, {})["cities"] = rows
    for coord, company in s.on_hex.items():  # shown as if in the first city
        hexes.setdefault(coord, {})["cities"] = [[company], [None]]
    return hexes
