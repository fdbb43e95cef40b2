"""States and events as bytes, and a game brought back from its log without replaying it.

A stored game has all its actions and events but only a few of its states. The states between are
made when somebody looks at them: from the nearest earlier one that is known, by applying the
actions in between.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_
from typing import Any

import msgspec

from ..game import Entry, Game
from ..model import events as model_events
from ..model.actions import Action, AnyAction
from ..model.errors import IllegalAction
from ..model.events import Event
from ..model.records import State
from ..rounds.rules import Rules
from ..rounds.step import Moment

#: A snapshot is kept after every so many actions.
SPACING = 25

#: As it is: the order of the maps in a state counts.
_pack = msgspec.msgpack.Encoder().encode
#: For fingerprints, which must not hang on how a set happens to be ordered.
_pack_sorted = msgspec.msgpack.Encoder(order="deterministic").encode
_actions = msgspec.json.Decoder(AnyAction)
_all_events: Any = reduce(or_, model_events.Event.__subclasses__())
_events = msgspec.json.Decoder(tuple[_all_events, ...])


def pack_state(state: State) -> bytes:
    """A state as a few kilobytes."""
    return zlib.compress(_pack(state), 1)


def unpack_state(rules: Rules[Any], raw: bytes) -> State:
    """The state again. Raises :class:`msgspec.ValidationError` if the records have changed."""
    state: State = msgspec.msgpack.decode(zlib.decompress(raw), type=rules.state_type)
    return state


def keeps(rules: Rules[Any], state: State) -> bytes | None:
    """The packed state if it comes back as it was, else None (then it is not kept)."""
    raw = pack_state(state)
    try:
        return raw if unpack_state(rules, raw) == state else None
    except msgspec.ValidationError:
        return None


def hash_state(state: State) -> str:
    """A fingerprint of a state: equal states have equal ones."""
    return hashlib.blake2b(_pack_sorted(state), digest_size=8).hexdigest()


def write_action(action: Action) -> str:
    """An action as in game files."""
    return msgspec.json.encode(action).decode()


def read_action(raw: str) -> Action:
    """The action again."""
    action: Action = _actions.decode(raw)
    return action


def write_events(events: Sequence[Event]) -> str:
    """Events as JSON; those of a title's own kinds are left out, the log can live without."""
    known = [e for e in events if type(e) in _all_events.__args__]
    return msgspec.json.encode(known).decode()


def read_events(raw: str) -> tuple[Event, ...]:
    """The events again."""
    events: tuple[Event, ...] = _events.decode(raw)
    return events


class Later:
    """A state that is made when it is asked for."""

    __slots__ = ("_make", "action", "before", "known", "recorded")

    def __init__(
        self,
        action: Action,
        before: Later | State,
        make: Callable[[State, Action, bool], State],
        recorded: bool,
    ) -> None:
        self.action = action
        self.before = before
        self.recorded = recorded
        self.known: Callable[[], State] | State | None = None
        self._make = make

    def get(self) -> State:
        """The state itself."""
        chain: list[Later] = []
        at: Later | State = self
        while isinstance(at, Later) and at.known is None:
            chain.append(at)
            at = at.before
        state = _known(at)
        for later in reversed(chain):
            state = later.known = later._make(state, later.action, later.recorded)
        return state


def _known(at: Later | State) -> State:
    if not isinstance(at, Later):
        return at
    if callable(at.known):
        at.known = at.known()
    assert isinstance(at.known, State)
    return at.known


class StoredEntry:
    """An entry of a stored game's log; to be used like :class:`roundhouse.game.Entry`."""

    __slots__ = ("_state", "action", "events")

    def __init__(self, action: Action, state: Later | State, events: tuple[Event, ...]) -> None:
        self.action = action
        self._state = state
        self.events = events

    @property
    def state(self) -> State:
        return _get(self._state)

    def _replace(self, **changes: Any) -> StoredEntry:
        return StoredEntry(self.action, changes.get("state", self._state), self.events)


def _get(state: Later | State) -> State:
    return state.get() if isinstance(state, Later) else state


class StoredGame(Game):
    """A game whose log was read from a store."""

    _reading: tuple[Action, tuple[Event, ...], Callable[[], State] | None] | None = None

    @classmethod
    def of(cls, fresh: Game) -> StoredGame:
        """The same new game, ready to take its log in."""
        game = cls.__new__(cls)
        game.__dict__.update(fresh.__dict__)
        return game

    def take_in(
        self,
        action: Action,
        events: tuple[Event, ...],
        snapshot: Callable[[], State] | None,
        recorded: bool,
    ) -> None:
        """Append an action that is known to be legal; its state is made later."""
        self._reading = (action, events, snapshot)
        try:
            self.apply(action, recorded=recorded)
        finally:
            self._reading = None

    def settle(self) -> None:
        """After the last :meth:`take_in`: make the present state."""
        self._log = [_stored(e) for e in self._log]
        self.state = _get(self.state)

    def _check_speaker(self, a: Action) -> None:
        if self._reading is None:
            super()._check_speaker(a)

    def _follow(
        self, state: State, a: Action, recorded: bool
    ) -> tuple[Action, State, tuple[Event, ...]]:
        if self._reading is None:
            return super()._follow(state, a, recorded)
        read, events, snapshot = self._reading
        later = Later(a, state, self._remake, recorded)
        later.known = snapshot if a is read else None
        return a, later, events  # type: ignore[return-value]

    def _remake(self, state: State, a: Action, recorded: bool) -> State:
        moment, before = Moment(recorded), state
        try:
            for one in (a, *(a.auto_actions or ())):
                state = self._one(state, one, moment)
        except IllegalAction:
            if not recorded:
                raise
            return before  # the file took it back: it did nothing
        return state


def _stored(entry: Entry | StoredEntry) -> Any:
    if isinstance(entry, StoredEntry):
        return entry
    state: Any = entry.state
    return StoredEntry(entry.action, state, entry.events) if isinstance(state, Later) else entry
