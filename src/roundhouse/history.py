"""The log of a game: all that was sent, what of it counts now, and what has been taken back.

It knows no rules: what an action leads to is handed to it, as a state or as a promise of one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from .model.actions import Action, Message, Redo, Undo
from .model.errors import IllegalAction
from .model.events import Event
from .model.records import State

#: A state, or what makes it when it is asked for.
Promise = Callable[[], State]


class Entry:
    """One action of the log, the state right after it, and what happened.

    For ``undo`` and ``redo`` the state is the one they led back to.
    """

    __slots__ = ("__weakref__", "_state", "action", "events")

    def __init__(
        self, action: Action, state: State | Promise, events: tuple[Event, ...] = ()
    ) -> None:
        self.action = action
        self.events = events
        self._state = state

    @property
    def state(self) -> State:
        if not isinstance(self._state, State):
            self._state = self._state()
        return self._state

    def __repr__(self) -> str:
        return f"Entry({self.action!r})"


class Stored(NamedTuple):
    """An action played before, as a store keeps it, for :meth:`roundhouse.Game.resume`.

    ``snapshot``: what gives the state right after it, where that was kept. ``recorded``: it came
    from a finished file, whose route revenues count.
    """

    action: Action
    events: tuple[Event, ...] = ()
    snapshot: Promise | None = None
    recorded: bool = False


class Later:
    """A promise kept by going on from the nearest earlier state that is known."""

    __slots__ = ("_before", "_known", "_make", "_stored")

    def __init__(
        self,
        before: State | Promise,
        stored: Stored,
        make: Callable[[State, Stored], State],
    ) -> None:
        self._before = before
        self._stored = stored
        self._make = make
        self._known: State | None = None

    def __call__(self) -> State:
        chain: list[Later] = []
        at: State | Promise = self
        while isinstance(at, Later) and at._known is None and at._stored.snapshot is None:
            chain.append(at)
            at = at._before
        state = _kept(at)
        for later in reversed(chain):
            state = later._known = later._make(state, later._stored)
        return state


def _kept(at: State | Promise) -> State:
    if isinstance(at, State):
        return at
    if isinstance(at, Later):
        if at._known is None:
            assert at._stored.snapshot is not None
            at._known = at._stored.snapshot()
        return at._known
    return at()


class History:
    """See the module's text."""

    def __init__(self, start: State) -> None:
        self.start = start
        self.entries: list[Entry] = []
        self.last_id = 0
        #: Places in ``entries`` of what counts, in order.
        self._line: list[int] = []
        #: What each undo took back, for as many redos.
        self._undone: list[tuple[int, ...]] = []

    def copy(self) -> History:
        """One that may be written to."""
        twin = History(self.start)
        twin.entries = self.entries.copy()
        twin.last_id = self.last_id
        twin._line = self._line.copy()
        twin._undone = self._undone.copy()
        return twin

    def until(self, action_id: int) -> History:
        """What counts now, up to the action with an id; nothing can be restored in it."""
        twin = History(self.start)
        counting = (self.entries[i] for i in self._line)
        twin.entries = [e for e in counting if (e.action.id or 0) <= action_id]
        twin._line = list(range(len(twin.entries)))
        twin.last_id = twin.entries[-1].action.id or 0 if twin.entries else 0
        return twin

    def __len__(self) -> int:
        """Number of entries that count now."""
        return len(self._line)

    @property
    def line(self) -> tuple[Entry, ...]:
        """The entries that count now, messages included."""
        return tuple([self.entries[i] for i in self._line])

    @property
    def held(self) -> State | Promise:
        """The present state, or its promise."""
        return self.entries[-1]._state if self.entries else self.start

    @property
    def state(self) -> State:
        """The present state."""
        return self.entries[-1].state if self.entries else self.start

    # writing

    def add(self, a: Action, state: State | Promise, events: tuple[Event, ...]) -> None:
        """Append an action that counts. What was taken back can no longer be restored, unless it
        is only a message."""
        self._line.append(len(self.entries))
        self._record(Entry(a, state, events))
        if not isinstance(a, Message):
            self._undone.clear()

    def _record(self, entry: Entry) -> None:
        self.entries.append(entry)
        self.last_id = entry.action.id or 0

    def take_back(self, a: Undo) -> None:
        """Take back the last action that is no message, or all after the one named. Messages stay.

        Raises :class:`IllegalAction`.
        """
        first = self._first_undone(a.action_id)
        at = self._after(first - 1)
        batch = tuple(i for i in self._line[at:] if not self._is_message(i))
        kept = [i for i in self._line[at:] if self._is_message(i)]
        if not batch and a.action_id is None:
            raise IllegalAction("nothing_to_undo", "There is nothing to take back.")
        del self._line[at:]
        before = self.entries[self._line[-1]]._state if self._line else self.start
        self._line += kept
        self._undone.append(batch)
        self._rewrite(kept, before)
        self._record(Entry(a, before))

    def restore(self, a: Redo) -> None:
        """Restore what the latest undo took back. Raises :class:`IllegalAction`."""
        if not self._undone:
            raise IllegalAction("nothing_to_redo", "There is nothing to restore.")
        batch = self._undone.pop()
        state = self.entries[batch[-1]]._state if batch else self.held
        if batch:
            at = self._after(batch[0])
            self._line[at:] = sorted([*self._line[at:], *batch])
            later = [i for i in self._line[at:] if i > batch[-1] and self._is_message(i)]
            self._rewrite(later, state)
        self._record(Entry(a, state))

    def _after(self, place: int) -> int:
        """Where in the line the entries after a place of the log begin."""
        at = len(self._line)
        while at and self._line[at - 1] > place:
            at -= 1
        return at

    def _is_message(self, place: int) -> bool:
        return isinstance(self.entries[place].action, Message)

    def _rewrite(self, messages: Sequence[int], state: State | Promise) -> None:
        """Messages change nothing, so they take the state of what now comes before them."""
        for i in messages:
            old = self.entries[i]
            self.entries[i] = Entry(old.action, state, old.events)

    def _first_undone(self, target: int | None) -> int:
        if target == 0:
            return 0
        if target is None:
            return next((i for i in reversed(self._line) if not self._is_message(i)), 0)
        for i, entry in enumerate(self.entries):
            if entry.action.id == target:
                return i + 1
        raise IllegalAction("unknown_action", f"There is no action {target} to go back to.")
