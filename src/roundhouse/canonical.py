"""What positions of different games have in common: a state without what tells nothing of the game.

Players are called by their seats, counted from whoever has to act, so it makes no difference who
they are and where the count of seats began; copies of a tile, trains of a type and certificates of
a company are alike, whatever their numbers. Two states with one :func:`canonical_hash` are one
position of a title, played under the same options by as many.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from .model.actions import Action
from .model.codec import encode_state, hash_bytes
from .model.records import State
from .rounds.rules import Rules

#: Counts up when positions are told otherwise.
VERSION: Final = 1
#: What of a state is no part of the position.
_ABOUT: Final = ("programs", "bank_low")
#: What of an action is none of the move.
_SENT: Final = ("id", "user", "created_at", "original_id", "auto_actions", "entity_type")

Renaming = Callable[[str], str]


def seats_of(rules: Rules[Any], s: State) -> dict[str, int]:
    """The players, from whoever has to act, by the place he counts as: 1, 2, …"""
    keys = list(s.players)
    leader = rules.president(s, s.acting[0]) if s.acting else None
    at = keys.index(leader if leader is not None and leader in s.players else s.order[0])
    return {key: n for n, key in enumerate([*keys[at:], *keys[:at]], start=1)}


def canonical(rules: Rules[Any], s: State) -> dict[str, Any]:
    """A position as plain values."""
    told: dict[str, Any] = json.loads(encode_state(s))
    for name in _ABOUT:
        told.pop(name, None)
    told["board"].pop("copies", None)
    told["players"] = {k: [p.cash, p.bankrupt] for k, p in s.players.items()}
    told["trains"] = sorted(
        [t.owner, t.variant or t.kind, t.obsolete, t.ran] for t in s.trains.values()
    )
    for corporation in told["corporations"].values():
        corporation["trains"] = sorted(corporation.get("trains", ()))
        corporation["certs"] = {
            holder: sorted([index == 0, percent] for index, percent, *_ in certs)
            for holder, certs in corporation.get("certs", {}).items()
        }
    found: dict[str, Any] = _renamed(told, _names(rules, s))
    return found


def _names(rules: Rules[Any], s: State) -> Renaming:
    """What names are called: players by seats, trains and tiles by what they are."""
    seats = {key: f"player:{n}" for key, n in seats_of(rules, s).items()}
    trains = {t.id: t.variant or t.kind for t in s.trains.values()}
    known = seats | trains
    tiles = rules.box.tiles.counts

    def renamed(name: str) -> str:
        if name in known:
            return known[name]
        tile, dash, copy = name.rpartition("-")
        return tile if dash and copy.isdigit() and tile in tiles else name

    return renamed


def _renamed(value: Any, called: Renaming) -> Any:
    if isinstance(value, str):
        return called(value)
    if isinstance(value, Mapping):
        return {called(k): _renamed(v, called) for k, v in value.items()}
    return [_renamed(v, called) for v in value] if isinstance(value, list) else value


def canonical_hash(rules: Rules[Any], s: State) -> str:
    """Sixteen hexadecimal digits of a position, with its title, options and number of players."""
    options = sorted(rules.options)
    whole = [VERSION, rules.box.game.name, options, rules.seats, canonical(rules, s)]
    return hash_bytes(json.dumps(whole, sort_keys=True, separators=(",", ":")).encode())


def canonical_move(rules: Rules[Any], s: State, action: Action) -> str:
    """A move in a position, the same for all that do the same there: as JSON, whoever is meant
    called by his seat, shares by company and number."""
    told = {
        k: v for k, v in msgspec.to_builtins(action).items() if k not in _SENT and v is not None
    }
    told["entity"] = action.actor
    if shares := told.get("shares"):
        told["shares"] = sorted(share.rpartition("_")[0] for share in shares)
    return json.dumps(_renamed(told, _names(rules, s)), sort_keys=True, separators=(",", ":"))
