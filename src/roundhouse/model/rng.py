"""The recorded random stream of the community's game files (game-file format, section 10)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
_MODULUS = 2**31


class RandomStream:
    """31-bit linear congruential generator; every draw is the new inner state."""

    def __init__(self, seed: int) -> None:
        self.state = seed % _MODULUS

    def draw(self) -> int:
        """The next number, 0 … 2³¹ − 1."""
        self.state = (1103515245 * self.state + 12345) % _MODULUS
        return self.state

    def shuffle(self, items: Sequence[T]) -> list[T]:
        """A shuffled copy: one number an element in list order, then sorted by number."""
        keys = [self.draw() for _ in items]
        return [items[i] for i in sorted(range(len(items)), key=keys.__getitem__)]


def seed_from(seed: int | str | None, game_id: int | str | None) -> int:
    """The seed of a file: ``settings.seed``, else the first digits in the game id, else 0; of a
    long id, what counts for the stream."""
    if seed is not None and seed != "":
        return int(seed)
    digits = re.search(r"\d+", str(game_id)) if game_id is not None else None
    if digits is None:
        return 0
    number = int(digits.group())
    return number if number < 10**18 else number % _MODULUS
