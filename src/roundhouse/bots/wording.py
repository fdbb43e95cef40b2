"""Words of reasons: changes with their signs, trains by their names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..facts import Facts
from ..sentences.words import listed

#: What names of trains begin with before which one says “an”: an 8H train, an 11-train.
_AN = ("8", "11", "18")


def signed(number: int) -> str:
    """A change: “+40”, “−20”, “+0”."""
    return f"{'−' if number < 0 else '+'}{abs(number)}"


def called(facts: Facts[Any, Any], kind: str) -> str:
    """A kind of train: “2-train”, “5D train”, “2M machine”."""
    word = facts.train_word(kind)
    return f"{kind}-{word}" if kind.isdigit() else f"{kind} {word}"


def a_train(facts: Facts[Any, Any], kind: str) -> str:
    """“a 2-train”, “an 8H train”."""
    return f"{'an' if kind.startswith(_AN) else 'a'} {called(facts, kind)}"


def with_trains(facts: Facts[Any, Any], kinds: Sequence[str]) -> str:
    """“with trains 2, 2 and 3”, “with a 6-train”."""
    if len(kinds) == 1:
        return f"with {a_train(facts, kinds[0])}"
    return f"with trains {listed(list(kinds))}"
