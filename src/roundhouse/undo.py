"""Which actions of a log count: undo and redo (game-file format, section 4).

A log keeps everything that was sent. Undo takes a batch off the actions that
count, redo puts the latest batch back. Messages are never taken back and keep no batch from coming
back; every other new action does.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from .model.actions import Action, Message, Redo, Undo
from .model.errors import IllegalAction


class Effective:
    """``counts``: places in the log of the actions that count, rising; ``undone``: batches taken
    back, the latest last."""

    __slots__ = ("counts", "undone")

    def __init__(self, counts: Sequence[int] = (), undone: Sequence[tuple[int, ...]] = ()) -> None:
        self.counts = list(counts)
        self.undone = list(undone)

    def copy(self) -> Effective:
        """An independent copy."""
        return Effective(self.counts, self.undone)

    def add(self, place: int, action: Action) -> None:
        """An action that was played, the latest in the log."""
        self.counts.append(place)
        if not isinstance(action, Message):
            self.undone.clear()

    def take_back(self, log: Sequence[Action], target: int | None) -> int:
        """Take back the last action (``target`` None), or everything after the action with id
        ``target`` (0: everything). Returns how many counting actions stay as they were.

        Raises :class:`IllegalAction` if there never was such an action.
        """
        first = self._first_undone(log, target)
        stay = bisect_left(self.counts, first)
        late = self.counts[stay:]
        self.undone.append(tuple(p for p in late if not isinstance(log[p], Message)))
        self.counts[stay:] = [p for p in late if isinstance(log[p], Message)]
        return stay

    def _first_undone(self, log: Sequence[Action], target: int | None) -> int:
        if target == 0:
            return 0
        if target is None:
            backwards = reversed(self.counts)
            return next((p for p in backwards if not isinstance(log[p], Message)), 0)
        for place in range(len(log) - 1, -1, -1):
            if log[place].id == target:
                return place + 1
        raise IllegalAction("unknown_action", f"There is no action {target} to go back to.")

    def restore(self) -> int:
        """Put the latest batch back. Returns how many counting actions stay as they were. Raises
        :class:`IllegalAction` if there is none."""
        if not self.undone:
            raise IllegalAction("nothing_to_redo", "There is nothing to restore.")
        batch = self.undone.pop()
        stay = bisect_left(self.counts, batch[0]) if batch else len(self.counts)
        self.counts = sorted([*self.counts, *batch])
        return stay


def followed(actions: Sequence[Action]) -> Effective:
    """What counts after some actions. Raises :class:`IllegalAction` as its methods do."""
    effective = Effective()
    for place, action in enumerate(actions):
        _follow(effective, actions, place, action)
    return effective


def _follow(effective: Effective, actions: Sequence[Action], place: int, action: Action) -> None:
    if isinstance(action, Undo):
        effective.take_back(actions[:place], action.action_id)
    elif isinstance(action, Redo):
        effective.restore()
    else:
        effective.add(place, action)


def counting(actions: Sequence[Action]) -> frozenset[int]:
    """Places of the actions of a file that count in the end. An undo or redo that cannot be ends
    the reading: what comes after it is never played."""
    effective = Effective()
    for place, action in enumerate(actions):
        try:
            _follow(effective, actions, place, action)
        except IllegalAction:
            break
    return frozenset(effective.counts)
