"""What is kept for a record while it is the same."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from roundhouse.model import kept as module
from roundhouse.model.kept import kept
from roundhouse.model.records import Cert, Corporation


class Counter:
    """Counts what it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    @kept
    def of(self, c: Corporation, holder: str) -> int:
        """Percent of a holder."""
        self.asked += 1
        return c.held(holder)


def company(symbol: str, percent: int) -> Corporation:
    return Corporation(id=symbol, certs={"a": (Cert(1, percent),)})


def test_an_answer_is_kept_until_the_record_is_another() -> None:
    counter, c = Counter(), company("X", 20)
    assert [counter.of(c, "a"), counter.of(c, "a"), counter.of(c, "b")] == [20, 20, 0]
    assert counter.asked == 2
    assert counter.of(replace(c, certs={"a": (Cert(1, 30),)}), "a") == 30
    assert counter.of(c, "a") == 20
    assert counter.asked == 4


def test_records_and_owners_are_kept_apart() -> None:
    one, other = Counter(), Counter()
    assert [one.of(company("X", 20), "a"), one.of(company("Y", 30), "a")] == [20, 30]
    assert other.of(company("X", 50), "a") == 50


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 3)
    counter, c = Counter(), company("X", 20)
    for _ in range(2):
        for holder in "abcd":
            counter.of(c, holder)
    assert counter.asked == 8
    assert [counter.of(c, holder) for holder in "bcd"] == [0, 0, 0]
    assert counter.asked < 11


def test_what_keeps_its_answers_is_not_overridden() -> None:
    class Twice(Counter):
        def of(self, c: Corporation, holder: str) -> int:
            return 2 * super().of(c, holder)

    with pytest.raises(AssertionError):
        Twice().of(company("X", 20), "a")
