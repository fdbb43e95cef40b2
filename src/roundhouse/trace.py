"""The state as a plain dictionary in the form of the community's state traces; trace files."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from .board.derived import Derived
from .board.laying import face_at
from .game import Game
from .model.records import BLOCKER, MARKET, Board, Corporation, State, Train
from .rounds.rules import Rules


def entity_name(rules: Rules[Any], s: State, key: str) -> str:
    """A key as traces write it."""
    if key in s.corporations:
        return f"{s.corporations[key].entity_type}:{key}"
    return key


def describe(rules: Rules[Any], s: State) -> dict[str, Any]:
    """The state as a trace dictionary."""
    play = rules.play(s)
    operator = rules.operator(s)
    owned = _owned(s)
    result: dict[str, Any] = {
        "round": {"name": play.name, "short": play.short, "turn": s.turn, "num": s.round.number},
        "phase": s.phase,
        "acting": [entity_name(rules, s, k) for k in s.acting],
        "order": [s.players[p].id for p in s.order],
        "bank": s.bank,
        "players": {str(p.id): _player(rules, s, key, owned) for key, p in s.players.items()},
        "corporations": {c.id: _corporation(rules, s, c, owned) for c in s.corporations.values()},
        "market": {c.id: _certs(c, MARKET) for c in s.corporations.values() if c.certs.get(MARKET)},
        "companies": {
            c.id: "closed" if c.closed else [_owner(s, c.owner), rules.company_revenue(s, c.id)]
            for c in s.companies.values()
        },
        "depot": {
            "upcoming": [[p.kind, p.left, p.next] for p in s.depot.piles],
            "discarded": list(s.depot.market),
        },
        "hexes": _hexes(rules, s.board),
        "ors": s.set_size,
    }
    if s.loans_left:
        result["loans_left"] = s.loans_left
    if operator is not None:
        result["operator"] = entity_name(rules, s, operator)
    if s.finished:
        result["finished"] = True
    return rules.describe(s, result)


def _owned(s: State) -> dict[str, list[str]]:
    """The private companies by their owners."""
    found: dict[str, list[str]] = {}
    for company in s.companies.values():
        if company.owner is not None:
            found.setdefault(company.owner, []).append(company.id)
    return found


def _certs(c: Corporation, holder: str) -> list[list[int]]:
    return [[cert.index, cert.percent] for cert in c.certs.get(holder, ())]


def _player(
    rules: Rules[Any], s: State, key: str, owned: Mapping[str, list[str]]
) -> dict[str, Any]:
    player = s.players[key]
    return {
        "cash": player.cash,
        "shares": {c.id: _certs(c, key) for c in s.corporations.values() if c.certs.get(key)},
        "companies": sorted(owned.get(key, ())),
        "certs": rules.certificates(s, key),
        "value": rules.value(s, key),
        "bankrupt": player.bankrupt,
    }


def _owner(s: State, owner: str | None) -> str | None:
    return f"corporation:{owner}" if owner in s.corporations else owner


def _corporation(
    rules: Rules[Any], s: State, c: Corporation, owned: Mapping[str, list[str]]
) -> dict[str, Any]:
    result: dict[str, Any] = {
        "cash": c.cash,
        "president": c.president,
        "trains": [_train(s.trains[t]) for t in c.trains],
        "tokens": [t.city for t in c.tokens],
        "companies": sorted(owned.get(c.id, ())),
        "ipoed": c.cell is not None,
        "shares": c.shares,
        "treasury": _certs(c, c.id),
        "loans": c.loans,
        "operated": c.operated,
    }
    if c.cell is not None:
        cell = rules.box.market.cells[c.cell]
        place = s.market[c.cell].index(c.id)
        result["price"] = [cell.price, cell.row, cell.column, place]
    return result


def _train(train: Train) -> str:
    variant = f"={train.variant}" if train.variant else ""
    return f"{train.id}{variant}{'*' if train.obsolete else ''}"


#: The hexes of a board as traces have them.
_HEXES: Derived[dict[str, Any]] = Derived("hexes of traces", "tiles", "cities", "markers")


def _hexes(rules: Rules[Any], board: Board) -> dict[str, Any]:
    if (known := _HEXES.known(board)) is not None:
        return known
    hexes: dict[str, Any] = {
        coord: {"tile": [laid.tile, laid.rotation]} for coord, laid in board.tiles.items()
    }
    for coord, cities in board.cities.items():
        count = len(face_at(rules.box, board, coord).tile.cities)
        hexes.setdefault(coord, {})["cities"] = [_slots(c) for c in cities[:count]]
    for coord, markers in board.markers.items():
        hexes.setdefault(coord, {})["assigned"] = sorted(markers)
    return _HEXES.keep(board, hexes)


def _slots(city: tuple[str | None, ...]) -> list[str | None]:
    return ["B" if owner == BLOCKER else owner for owner in city] if BLOCKER in city else [*city]


# reading traces


def merge(state: dict[str, Any], patch: Mapping[str, Any]) -> None:
    """Apply a JSON merge patch in place."""
    for key, value in patch.items():
        if value is None:
            state.pop(key, None)
        elif isinstance(value, dict):
            if not isinstance(state.get(key), dict):
                state[key] = {}
            merge(state[key], value)
        else:
            state[key] = value


def read_trace(path: str | Path) -> Iterator[dict[str, Any]]:
    """The lines of a trace file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def write_trace(game: Game, path: str | Path) -> None:
    """Write the trace of a game: every state in full."""
    with Path(path).open("wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as lines:

        def put(line: Mapping[str, Any]) -> None:
            lines.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")

        before = describe(game.rules, game.start)
        put({"game": game.id, "title": game.title.file_title, "format": 1, "state": before})
        for entry in game.history:
            after = describe(game.rules, entry.state)
            line: dict[str, Any] = {"id": entry.action.id, "type": entry.action.type}
            if change := patch(before, after):
                line["d"] = change
            put(line)
            before = after
        result = {str(k): v for k, v in game.result().items()}
        last = game.history[-1].action.id if len(game) else 0
        end = {"end": True, "finished": game.finished, "reason": game.end_reason}
        put(end | {"last_id": last, "turn": game.state.turn, "result": result})


def patch(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON merge patch that leads from one state to the other."""
    change: dict[str, Any] = {key: None for key in before if key not in after}
    for key, value in after.items():
        old = before.get(key)
        if isinstance(value, dict) and isinstance(old, dict):
            if inner := patch(old, value):
                change[key] = inner
        elif value != old or key not in before:
            change[key] = value
    return change
