"""What of a game is written for other programs, and how (game-file format, section 11).

Only the actions that count, automatic ones written out, in the one form every program takes: of
equal certificates the first of their holder's list, and in words what may be left unsaid.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import Any

import msgspec

from .board.laying import parse_city
from .history import Entry, History
from .model.actions import (
    Action,
    BuyShares,
    BuyTrain,
    Log,
    Message,
    PlaceToken,
    Program,
    ProgramDisable,
    SellShares,
    Undo,
)
from .model.errors import IllegalAction
from .model.records import Cert, State
from .rounds import machine
from .rounds.rules import Rules
from .rounds.step import ActionContext
from .stock.shares import locate, share_id
from .tolerance import is_empty
from .trains.depot import kind_of

replace = msgspec.structs.replace


def effective(rules: Rules[Any], past: History) -> list[Action]:
    """The actions that count as other programs take them, with ids from 1.

    Certificates may get other names than they have here: where somebody took the third of four
    equal ones, the file says he took the first. What the game itself adds after going back follows
    what was taken back and the undo, without which other programs stop.
    """
    found: list[Action] = []

    def put(actions: Iterable[Action]) -> None:
        found.extend(replace(a, id=n) for n, a in enumerate(actions, start=len(found) + 1))

    twin = _Twin(rules, past.start)
    for entry in past.effective:
        a = entry.action
        if type(a) in rules.appended:
            before, attempt = len(found), copy(twin)
            for one in past.taken_back_for(entry):
                put(attempt.told(one))
            put([Undo(entity=a.entity, entity_type=a.entity_type, action_id=before)])
        put(twin.told(entry))
    return found


class _Twin:
    """The game as it is here, and the one a reader of the file will have. They are one and the same
    until equal certificates are named otherwise."""

    def __init__(self, rules: Rules[Any], start: State) -> None:
        self.rules = rules
        self.here = self.there = start

    def told(self, entry: Entry) -> list[Action]:
        """The moves of an entry in the reader's names."""
        a = entry.action
        if is_empty(a) and entry.state == self.here:
            return []  # the file it came from said it where nobody waited for it
        moves = [m for m in (a, *(a.auto_actions or ())) if not isinstance(m, _TALK)]
        last = len(moves) - 1
        found = [
            self._tell(bare(m), entry.state if n == last else None) for n, m in enumerate(moves)
        ]
        if self.there is self.here:
            self.there = entry.state
        self.here = entry.state
        return found

    def _tell(self, move: Action, after: State | None) -> Action:
        """A move in the reader's names; ``after``: the state here after it, if it is known."""
        named = first_of_equals(self.here, self.there, move)
        alike = self.there is self.here and named == move
        self.here = after or self._next(self.here, move)
        before, self.there = self.there, self.here if alike else self._next(self.there, named)
        return spelled_out(self.rules, before, self.there, named)

    def _next(self, state: State, move: Action) -> State:
        try:
            after: State = machine.apply(self.rules, state, move, ActionContext(recorded=True))
        except IllegalAction:  # of a file that takes it back
            return state
        return after


_TALK = Message | Log | Program | ProgramDisable


def bare(a: Action) -> Action:
    """An action without what never influences a game."""
    return replace(
        a, auto_actions=(), id=None, user=None, created_at=None, original_id=None, skip=None
    )


def first_of_equals(here: State, there: State, a: Action) -> Action:
    """An action whose certificates, named as they lie ``here``, are the first equal ones of the
    same holder ``there`` (sections 6.3 and 6.5)."""
    if not isinstance(a, BuyShares | SellShares):
        return a
    names: list[str] = []
    for name in a.shares:
        found = locate(here, name)
        if found is None:
            return a
        symbol, holder, cert = found
        held = there.corporations[symbol].certs.get(holder, ())
        equal = (share_id(symbol, c) for c in held if _kind(c) == _kind(cert))
        names.append(next((n for n in equal if n not in names), name))
    return replace(a, shares=tuple(names))


def _kind(cert: Cert) -> tuple[int, bool]:
    """What tells certificates of one corporation apart."""
    return cert.percent, cert.index == 0


def spelled_out(rules: Rules[Any], before: State, after: State, a: Action) -> Action:
    """An action with what it leaves unsaid: the percent of shares, the side of a train that is
    bought, the slot a token came to lie in."""
    match a:
        case BuyShares(percent=None) | SellShares(percent=None):
            found = [locate(before, name) for name in a.shares]
            return replace(a, percent=sum(f[2].percent for f in found if f is not None))
        case BuyTrain(variant=None, train=train):
            # A purchase that ends the game or a company may take the train away at once.
            record = after.trains.get(train) or before.trains.get(train)
            kind = (record.variant or record.kind) if record else kind_of(before, train)
            return replace(a, variant=kind)
        case PlaceToken():
            slot = _new_slot(rules, before, after, a.city)
            return a if slot is None else replace(a, slot=slot)
    return a


def _new_slot(rules: Rules[Any], before: State, after: State, city: str) -> int | None:
    """The slot of a city that an action filled anew."""
    where = parse_city(rules.box, before.board, city)
    if where is None:
        return None
    coord, number = where
    cities = after.board.cities.get(coord, ())
    old = before.board.cities.get(coord, ())
    now = cities[number] if number < len(cities) else ()
    was = old[number] if number < len(old) else ()
    for slot, owner in enumerate(now):
        if owner is not None and owner != (was[slot] if slot < len(was) else None):
            return slot
    return None
