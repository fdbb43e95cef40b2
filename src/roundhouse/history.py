"""The log of a game: all that was sent, what of it counts now, and what has been taken back.

It knows no rules: what an action leads to is handed to it, as a state or as a promise of one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from .model.actions import Action, Message, Redo, Undo
from .model.errors import IllegalAction
from .model.events import Event
from .model.records import State
from .undo import Effective, followed

#: A state, or what makes it when it is asked for.
Promise = Callable[[], State]


class Entry:
    """One action of the log, the state right after it, and what happened.

    For ``undo`` and ``redo`` the state is the one they led back to. ``recorded``: as in
    :class:`Stored`.
    """

    __slots__ = ("__weakref__", "_action", "_events", "_recorded", "_state")

    def __init__(
        self,
        action: Action,
        state: State | Promise,
        events: tuple[Event, ...] = (),
        *,
        recorded: bool = False,
    ) -> None:
        self._action = action
        self._events = events
        self._state = state
        self._recorded = recorded

    @property
    def action(self) -> Action:
        return self._action

    @property
    def events(self) -> tuple[Event, ...]:
        return self._events

    @property
    def state(self) -> State:
        state = self._state
        return state if isinstance(state, State) else state()

    def __repr__(self) -> str:
        return f"Entry({self.action!r})"


class Stored(NamedTuple):
    """An action played before, as a store keeps it, for :meth:`roundhouse.Game.resume`.

    ``snapshot``: what gives the state right after it, where that was kept; None from it: what was
    kept is of no use any more, and the state is made from an earlier one. ``recorded``: it came
    from a finished file, whose route revenues count.
    """

    action: Action
    events: tuple[Event, ...] = ()
    snapshot: Callable[[], State | None] | None = None
    recorded: bool = False


class Later:
    """A promise kept by going on from the nearest earlier state that is known; what it comes to is
    remembered, until it is to :meth:`forget`."""

    __slots__ = ("_anchor", "_before", "_known", "_make", "_stored")

    def __init__(
        self,
        before: State | Promise,
        stored: Stored,
        make: Remake,
    ) -> None:
        self._before = before
        self._stored = stored
        self._make = make
        self._known: State | None = None
        self._anchor = stored.snapshot is not None

    def __call__(self) -> State:
        chain: list[Later] = []
        at: State | Promise = self
        while isinstance(at, Later):
            if (known := at._kept()) is not None:
                at = known
                break
            chain.append(at)
            at = at._before
        state = at if isinstance(at, State) else at()
        for later in reversed(chain):
            state = later._known = later._make(state, later._stored)
        return state

    def forget(self) -> None:
        """Let go of the state, unless it was read from somewhere: others are made from that."""
        if not self._anchor:
            self._known = None

    def _kept(self) -> State | None:
        """The state if it need not be made."""
        known, snapshot = self._known, self._stored.snapshot  # another thread may be here, too
        if known is None and snapshot is not None:
            known = self._known = snapshot()
            self._stored = self._stored._replace(snapshot=None)
        return known


#: The state after an action that was played before, from the state before it.
Remake = Callable[[State, Stored], State]
#: What a message with automatic actions leads to from another state than before.
Again = Callable[[State | Promise, Entry], State | Promise]


def _mere_words(action: Action) -> bool:
    return isinstance(action, Message) and not action.auto_actions


class History:
    """See the module's text."""

    def __init__(self, start: State) -> None:
        self.start = start
        self.entries: list[Entry] = []
        self._actions: list[Action] = []
        self.last_id = 0
        self._effective = Effective()
        #: The entries that count, once somebody has asked for them.
        self._counting: tuple[Entry, ...] | None = None
        #: All entries, likewise.
        self._all: tuple[Entry, ...] | None = None

    def copy(self) -> History:
        """One that may be written to."""
        twin = History(self.start)
        twin.entries = self.entries.copy()
        twin._actions = self._actions.copy()
        twin.last_id = self.last_id
        twin._effective = self._effective.copy()
        twin._counting, twin._all = self._counting, self._all
        return twin

    def until(self, action_id: int) -> History:
        """What counts now, up to the action with an id; nothing can be restored in it."""
        return self._of([e for e in self.effective if (e.action.id or 0) <= action_id])

    def when(self, count: int) -> History:
        """What counted when there were so many entries, words without consequences aside; nothing
        can be restored in it."""
        counted = [self.entries[p] for p in followed(self._actions[:count]).counts]
        return self._of([e for e in counted if not _mere_words(e.action)])

    def _of(self, entries: list[Entry]) -> History:
        """One that holds just these entries, which all count."""
        twin = History(self.start)
        twin.entries = entries
        twin._actions = [e.action for e in entries]
        twin._effective = Effective(range(len(entries)))
        twin.last_id = entries[-1].action.id or 0 if entries else 0
        return twin

    def __len__(self) -> int:
        """Number of entries that count now."""
        return len(self._effective.counts)

    @property
    def effective(self) -> tuple[Entry, ...]:
        """The entries that count now, messages included."""
        found = self._counting
        if found is None:
            counts = self._effective.counts
            every = len(counts) == len(self.entries)
            found = self.log if every else tuple([self.entries[i] for i in counts])
            self._counting = found
        return found

    @property
    def log(self) -> tuple[Entry, ...]:
        """All entries, undone ones included."""
        found = self._all
        if found is None:
            found = self._all = tuple(self.entries)
        return found

    def _changed(self) -> None:
        """Entries are others now, or others count."""
        self._counting = self._all = None

    @property
    def held(self) -> State | Promise:
        """The present state, or its promise."""
        return self.entries[-1]._state if self.entries else self.start

    @property
    def state(self) -> State:
        """The present state."""
        return self.entries[-1].state if self.entries else self.start

    def taken_back_for(self, entry: Entry) -> list[Entry]:
        """What the undo right before an entry took back, without messages."""
        log = self._actions
        place = self.entries.index(entry) - 1
        while place >= 0 and isinstance(log[place], Message):
            place -= 1
        if place < 0 or not isinstance(log[place], Undo):
            return []
        return [self.entries[p] for p in followed(log[: place + 1]).undone[-1]]

    # writing

    def add(
        self,
        a: Action,
        state: State | Promise,
        events: tuple[Event, ...],
        *,
        recorded: bool = False,
    ) -> None:
        """Append an action that counts. What was taken back can no longer be restored, unless it
        is only a message."""
        self._effective.add(len(self.entries), a)
        self._record(Entry(a, state, events, recorded=recorded))

    def let_go(self, remake: Remake, recent: int, spacing: int) -> None:
        """Of what counts keep the states of the last ``recent`` entries and, before them, that of
        one in ``spacing``; each of the others is made from the one before it when it is asked for.
        """
        line = self.effective[: max(0, len(self) - recent)]
        for place, entry in enumerate(line):
            held = entry._state
            if isinstance(held, Later):
                held.forget()
            elif place % spacing:
                before = line[place - 1]._state
                stored = Stored(entry._action, recorded=entry._recorded)
                words = _mere_words(entry._action)
                entry._state = before if words else Later(before, stored, remake)

    def _record(self, entry: Entry) -> None:
        action = entry._action
        self._changed()
        self.entries.append(entry)
        self._actions.append(action)
        self.last_id = action.id or 0

    @property
    def before(self) -> State:
        """The state the latest action met that counts and is no message."""
        moves = [e for e in self.effective if not isinstance(e.action, Message)]
        return moves[-2].state if len(moves) > 1 else self.start

    def amend(self, given: tuple[Action, ...], state: State, events: tuple[Event, ...]) -> None:
        """Let automatic actions follow the latest action that counts; messages after it take the
        state they lead to."""
        self._changed()
        for place in reversed(self._effective.counts):
            entry = self.entries[place]
            a, told = entry.action, entry.events
            if isinstance(a, Message) and place != self._effective.counts[0]:
                self.entries[place] = Entry(a, state, told, recorded=entry._recorded)
                continue
            a = msgspec.structs.replace(a, auto_actions=(*(a.auto_actions or ()), *given))
            self.entries[place] = Entry(a, state, (*told, *events), recorded=entry._recorded)
            self._actions[place] = a
            return

    def take_back(self, a: Undo, again: Again, *, lenient: bool = False) -> None:
        """Take back the last action that is no message, or all after the one named. Messages stay.

        Raises :class:`IllegalAction`; ``lenient``: not if there is nothing, as files may.
        """
        effective = self._effective.copy()
        stay = effective.take_back(self._actions, a.action_id)
        if not effective.undone[-1] and a.action_id is None and not lenient:
            raise IllegalAction("nothing_to_undo", "There is nothing to take back.")
        self._redraw(effective, stay, a, again)

    def restore(self, a: Redo, again: Again) -> None:
        """Restore what the latest undo took back. Raises :class:`IllegalAction`."""
        effective = self._effective.copy()
        self._redraw(effective, effective.restore(), a, again)

    def _redraw(self, effective: Effective, stay: int, a: Action, again: Again) -> None:
        """Take over effective actions of which only the first ``stay`` entries are as they were.
        Actions come back with their states; messages take the state of what comes before them
        now, and what hangs on them happens anew."""
        state = self.entries[effective.counts[stay - 1]]._state if stay else self.start
        told = {}
        for place in effective.counts[stay:]:
            entry = self.entries[place]
            if isinstance(entry.action, Message):
                if entry.action.auto_actions:
                    state = again(state, entry)
                told[place] = Entry(entry.action, state, entry.events, recorded=entry._recorded)
            else:
                state = entry._state
        for place, entry in told.items():
            self.entries[place] = entry
        self._effective = effective
        self._record(Entry(a, state))
