"""The state as a plain dictionary in the form of the community's state traces, and the comparison
of a game with a trace: it names the first difference."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from .board.laying import face_at
from .game import Game
from .model.records import MARKET, Corporation, State, Train
from .rounds.rules import Rules


class Difference(NamedTuple):
    """Where a game and a trace first part: ``path`` into the state and both values."""

    action_id: int
    type: str
    path: str
    ours: Any
    theirs: Any
    agreed: int

    def __str__(self) -> str:
        return (
            f"after action {self.action_id} ({self.type}): {self.path} is {self.ours!r}, "
            f"the trace says {self.theirs!r}; all agreed up to action {self.agreed}"
        )


def entity_name(rules: Rules[Any], s: State, key: str) -> str:
    """A key as traces write it."""
    if key in s.corporations:
        return f"{s.corporations[key].entity_type}:{key}"
    return key


def describe(rules: Rules[Any], s: State) -> dict[str, Any]:
    """The state as a trace dictionary."""
    play = rules.play(s)
    operator = rules.operator(s)
    result: dict[str, Any] = {
        "round": {"name": play.name, "short": play.short, "turn": s.turn, "num": s.round.number},
        "phase": s.phase,
        "acting": [entity_name(rules, s, k) for k in s.acting],
        "order": [s.players[p].id for p in s.order],
        "bank": s.bank,
        "players": {str(p.id): _player(rules, s, key) for key, p in s.players.items()},
        "corporations": {c.id: _corporation(rules, s, c) for c in s.corporations.values()},
        "market": {c.id: _certs(c, MARKET) for c in s.corporations.values() if c.certs.get(MARKET)},
        "companies": {
            c.id: "closed" if c.closed else [_owner(s, c.owner), rules.company_revenue(s, c.id)]
            for c in s.companies.values()
        },
        "depot": {
            "upcoming": [[p.kind, p.left, p.next] for p in s.depot.piles],
            "discarded": list(s.depot.market),
        },
        "loans_left": s.loans_left,
        "hexes": _hexes(rules, s),
        "ors": s.set_size,
    }
    if operator is not None:
        result["operator"] = entity_name(rules, s, operator)
    if s.finished:
        result["finished"] = True
    return rules.describe(s, result)


def _certs(c: Corporation, holder: str) -> list[list[int]]:
    return [[cert.index, cert.percent] for cert in c.certs.get(holder, ())]


def _player(rules: Rules[Any], s: State, key: str) -> dict[str, Any]:
    player = s.players[key]
    return {
        "cash": player.cash,
        "shares": {c.id: _certs(c, key) for c in s.corporations.values() if c.certs.get(key)},
        "companies": sorted(c.id for c in s.companies.values() if c.owner == key),
        "certs": rules.certificates(s, key),
        "value": rules.value(s, key),
        "bankrupt": player.bankrupt,
    }


def _owner(s: State, owner: str | None) -> str | None:
    return f"corporation:{owner}" if owner in s.corporations else owner


def _corporation(rules: Rules[Any], s: State, c: Corporation) -> dict[str, Any]:
    result: dict[str, Any] = {
        "cash": c.cash,
        "president": c.president,
        "trains": [_train(s.trains[t]) for t in c.trains],
        "tokens": [t.city for t in c.tokens],
        "companies": sorted(x.id for x in s.companies.values() if x.owner == c.id),
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


def _hexes(rules: Rules[Any], s: State) -> dict[str, Any]:
    hexes: dict[str, Any] = {}
    for coord, laid in s.board.tiles.items():
        hexes.setdefault(coord, {})["tile"] = [laid.tile, laid.rotation]
    for coord, cities in s.board.cities.items():
        count = len(face_at(rules.box, s.board, coord).tile.cities)
        hexes.setdefault(coord, {})["cities"] = [list(c) for c in cities[:count]]
    for coord, markers in s.board.markers.items():
        hexes.setdefault(coord, {})["assigned"] = sorted(markers)
    return hexes


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


def compare(game: Game, trace: str | Path) -> Difference | None:
    """The first point where a game and a trace differ; None if they agree throughout."""
    theirs: dict[str, Any] = {}
    entries = iter(game.history)
    agreed = 0
    for line in read_trace(trace):
        if "state" in line:
            merge(theirs, line["state"])
            state, number, kind = game.start, 0, "start"
        elif line.get("end"):
            return _compare_end(game, line, agreed)
        else:
            entry = next(entries, None)
            if entry is None:
                return Difference(line["id"], line["type"], "history", "ended", "goes on", agreed)
            number, kind, state = entry.action.id or 0, entry.action.type, entry.state
            if (number, kind) != (line["id"], line["type"]):
                there = (line["id"], line["type"])
                return Difference(number, kind, "action", (number, kind), there, agreed)
            merge(theirs, line.get("d", {}))
        found = first_difference(describe(game.rules, state), theirs)
        if found is not None:
            return Difference(number, kind, *found, agreed)
        agreed = number
    return Difference(0, "end", "trace", "", "has no end line", agreed)


def _compare_end(game: Game, line: Mapping[str, Any], agreed: int) -> Difference | None:
    ours = {str(k): v for k, v in game.result().items()}
    if ours != line["result"]:
        return Difference(line["last_id"], "end", "result", ours, line["result"], agreed)
    if game.end_reason != line["reason"]:
        ends = (game.end_reason, line["reason"])
        return Difference(line["last_id"], "end", "reason", *ends, agreed)
    return None


#: Keys in the order they are compared, because errors spread; a title's own ones follow.
_ORDER = (
    "round", "acting", "operator", "players", "corporations", "minors", "market", "bank", "phase",
    "ors", "order", "companies", "depot", "loans_left", "hexes", "finished",
)  # fmt: skip

_BODIES = frozenset({"players", "corporations", "minors"})


def first_difference(
    ours: Mapping[str, Any], theirs: Mapping[str, Any]
) -> tuple[str, Any, Any] | None:
    """Path and both values of the first difference, in what :func:`describe` tells."""
    for key in dict.fromkeys((*_ORDER, *ours)):
        if key in ("round", "acting") and theirs.get("finished"):
            continue  # left as they happen to be when the game is over
        shape = ours.get(key)
        found = _differ(key, _normal(key, shape, shape), _normal(key, theirs.get(key), shape))
        if found is not None:
            return found
    return None


def _normal(key: str, value: Any, shape: Any) -> Any:
    """A value in a form that can be compared. Of a player, corporation or minor the fields that
    ours, the ``shape``, has."""
    if key in _BODIES:
        return {
            name: {f: _field(f, body.get(f)) for f in (shape or {}).get(name, body)}
            for name, body in (value or {}).items()
        }
    if key == "companies":
        return {k: v if v == "closed" else v[0] for k, v in value.items()}
    if key == "hexes":
        return {k: {f: _field(f, v) for f, v in h.items()} for k, h in (value or {}).items()}
    if key == "acting":
        return value[:1]
    if key == "depot":
        return {"upcoming": value["upcoming"], "discarded": value.get("discarded", [])}
    return value


def _field(name: str, value: Any) -> Any:
    """One field of a body: order aside where it means nothing, missing ones filled in."""
    match name:
        case "companies" | "assigned":
            return sorted(value or [])
        case "loans":
            return value if isinstance(value, int) else len(value or [])
        case "operated" | "bankrupt" | "ipoed":
            return bool(value)
        case "president" if value == MARKET:
            return None
    return value


def _differ(path: str, a: Any, b: Any) -> tuple[str, Any, Any] | None:
    if isinstance(a, dict) and isinstance(b, dict):
        for key in [*a, *(k for k in b if k not in a)]:
            if path == "companies" and a.get(key) == "closed" and key not in b:
                continue
            found = _differ(f"{path}.{key}", a.get(key), b.get(key))
            if found is not None:
                return found
        return None
    return None if a == b or not (a or b) else (path, a, b)
