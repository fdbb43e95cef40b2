"""What was found about positions, for as long as there is room: the answers, not the games.

A game holds all its states, some megabytes. A process that runs for years must not keep hundreds of
them for the sake of a few words each, so answers are kept by what identifies a position.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from threading import Lock
from typing import Generic, TypeVar

from ..game import Game
from ..model.codec import hash_state

V = TypeVar("V")


def position_of(game: Game) -> Hashable:
    """What identifies a game as it stands, without holding it."""
    seats = tuple([(seat.id, seat.name) for seat in game.seats])
    terms = (game.title.id, game.id, seats, game.seed, game.options, game.revision)
    return (*terms, len(game), hash_state(game.state))


class Remembered(Generic[V]):
    """Answers by their questions, of which the ``size`` asked last are kept."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._known: OrderedDict[Hashable, V] = OrderedDict()
        self._sought: dict[Hashable, Lock] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._known)

    def get(self, question: Hashable, find: Callable[[], V]) -> V:
        """An answer, found if it is not known; two who ask at once may both look for it."""
        with self._lock:
            if question in self._known:
                self._known.move_to_end(question)
                return self._known[question]
        return self.put(question, find())

    def all(self, questions: Sequence[Hashable], find: Callable[[int], V]) -> list[V]:
        """The answers to some questions; ``find`` is asked for one that is not known, by its
        place."""
        with self._lock:
            found = [self._known.get(question) for question in questions]
            for question, answer in zip(questions, found, strict=True):
                if answer is not None:
                    self._known.move_to_end(question)
        return [
            self.put(questions[n], find(n)) if answer is None else answer
            for n, answer in enumerate(found)
        ]

    def known(self, question: Hashable) -> V | None:
        """An answer that is remembered; None: there is none."""
        with self._lock:
            return self._known.get(question)

    def put(self, question: Hashable, answer: V) -> V:
        """Remember an answer."""
        with self._lock:
            self._known[question] = answer
            self._known.move_to_end(question)
            while len(self._known) > self.size:
                self._known.popitem(last=False)
        return answer

    def find_once(self, question: Hashable, find: Callable[[], V]) -> V:
        """An answer that is dear to find: who asks while it is being looked for waits for it.

        ``find`` must not ask the same question. If it raises, those who wait look themselves."""
        with self._lock:
            turn = self._sought.setdefault(question, Lock())
        try:
            with turn:
                return self.get(question, find)
        finally:
            with self._lock:
                if self._sought.get(question) is turn:
                    del self._sought[question]


class Following(Generic[V]):
    """What follows from records that never change, for the ``size`` groups of them asked last:
    nearly all of a position's are those of the one before. They are told apart by their identity,
    and kept beside what follows so that it stays theirs."""

    def __init__(self, size: int) -> None:
        self._known: Remembered[tuple[tuple[object, ...], V]] = Remembered(size)

    def get(self, records: tuple[object, ...], find: Callable[[], V], *more: Hashable) -> V:
        """What follows from some records, and from ``more`` that is told apart by its value."""
        key = (*more, *map(id, records))
        return self._known.get(key, lambda: (records, find()))[1]
