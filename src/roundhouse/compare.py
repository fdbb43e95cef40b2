"""A game held against a state trace: every path in which they differ, after every action.

Certificates of one holder are compared as sets, since their order hardly ever matters; where only
it differs, that is told apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from .game import Game
from .model.actions import COMPANY_PREFIX
from .model.records import MARKET
from .trace import describe, merge, read_trace


class Difference(NamedTuple):
    """Where a game and a trace part: after which action, the ``path`` into the state, both values.

    ``order``: both have the same certificates, in another order.
    """

    action_id: int
    type: str
    path: str
    ours: Any
    theirs: Any
    order: bool = False

    def __str__(self) -> str:
        what = "has the order" if self.order else "is"
        return (
            f"after action {self.action_id} ({self.type}): {self.path} {what} {self.ours!r}, "
            f"the trace says {self.theirs!r}"
        )


class _Paths:
    """Tells each path when it begins to differ, and again only after it has agreed."""

    def __init__(self) -> None:
        self._open: set[str] = set()

    def news(
        self, action_id: int, kind: str, ours: Mapping[str, Any], theirs: Mapping[str, Any]
    ) -> Iterator[Difference]:
        found = {path: values for path, *values in differences(ours, theirs)}
        for path, values in found.items():
            if path not in self._open:
                yield Difference(action_id, kind, path, *values)
        self._open = set(found)


def compare(game: Game, trace: str | Path) -> list[Difference]:
    """Everything in which a game differs from a trace, in the order of the actions; each path once,
    when it begins to. Of one action what is most likely the cause comes first. Empty: they agree
    throughout. Where they have not the same actions the comparison ends.
    """
    return list(_compare(game, trace))


def _compare(game: Game, trace: str | Path) -> Iterator[Difference]:
    theirs: dict[str, Any] = {}
    entries = iter(game.history)
    paths = _Paths()
    for line in read_trace(trace):
        if line.get("end"):
            yield from _at_the_end(game, line, next(entries, None) is not None)
            return
        if "state" in line:
            merge(theirs, line["state"])
            yield from paths.news(0, "start", describe(game.rules, game.start), theirs)
            continue
        entry = next(entries, None)
        there = (line["id"], line["type"])
        here = (entry.action.id or 0, entry.action.type) if entry is not None else (0, "nothing")
        if entry is None or here != there:
            yield Difference(*there, "action", here, there)
            return
        merge(theirs, line.get("d", {}))
        yield from paths.news(*there, describe(game.rules, entry.state), theirs)
    yield Difference(0, "end", "trace", "", "has no end line")


def _at_the_end(game: Game, line: Mapping[str, Any], more: bool) -> Iterator[Difference]:
    last = line.get("last_id", 0)
    if more:
        yield Difference(last, "end", "history", "goes on", "ended")
    ours = {str(k): v for k, v in game.result().items()}
    if ours != line["result"]:
        yield Difference(last, "end", "result", ours, line["result"])
    if game.end_reason != line["reason"]:
        yield Difference(last, "end", "reason", game.end_reason, line["reason"])


#: Keys in the order they are compared, because errors spread; a title's own ones follow.
_ORDER = (
    "round", "acting", "operator", "players", "corporations", "minors", "market", "bank", "phase",
    "ors", "order", "companies", "depot", "loans_left", "hexes", "finished",
)  # fmt: skip

_BODIES = frozenset({"players", "corporations", "minors"})

#: Fields whose lists are certificates of one holder, or maps to such lists.
_CERTIFICATES = frozenset({"shares", "treasury", "holds", "market"})

#: A path, both values, and whether only their order differs.
Found = tuple[str, Any, Any, bool]


def differences(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> Iterator[Found]:
    """Paths that differ, in what :func:`describe` tells."""
    for key in dict.fromkeys((*_ORDER, *ours)):
        if key in ("round", "acting") and theirs.get("finished"):
            continue  # left as they happen to be when the game is over
        if key == "operator" and key not in theirs:
            continue  # traces may leave it out for the rest of a turn (FORMAT, section 3)
        shape = ours.get(key)
        here, there = ours.get(key), theirs.get(key)
        if key == "acting":
            here, there = _on_turn(ours), _on_turn(theirs)
        yield from _differ(key, _normal(key, here, shape), _normal(key, there, shape))


def _on_turn(state: Mapping[str, Any]) -> str | None:
    """Who is on turn; a private company that acts for its owner is its owner."""
    first: str | None = next(iter(state["acting"]), None)
    if first is not None and first.startswith(COMPANY_PREFIX):
        company = state["companies"].get(first.removeprefix(COMPANY_PREFIX))
        return company[0] if isinstance(company, list) else first
    return first


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


def _differ(path: str, a: Any, b: Any) -> Iterator[Found]:
    if isinstance(a, dict) and isinstance(b, dict):
        for key in [*a, *(k for k in b if k not in a)]:
            if path == "companies" and a.get(key) == "closed" and key not in b:
                continue
            yield from _differ(f"{path}.{key}", a.get(key), b.get(key))
    elif a != b and (a or b):
        yield path, a, b, _same_certificates(path, a, b)


def _same_certificates(path: str, a: Any, b: Any) -> bool:
    inside = not _CERTIFICATES.isdisjoint(path.split("."))
    return inside and isinstance(a, list) and isinstance(b, list) and sorted(a) == sorted(b)
