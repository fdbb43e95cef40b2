"""Answers are remembered within bounds, and keep no game alive."""

from __future__ import annotations

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

import roundhouse
from roundhouse.model.errors import OptionError
from roundhouse.titles.title import find_title
from roundhouse.web.remembered import Following, Remembered, position_of


def test_answers_asked_last_are_kept():
    asked: list[int] = []
    known: Remembered[int] = Remembered(2)

    def square(n: int) -> int:
        return known.get(n, lambda: asked.append(n) or n * n)

    assert [square(n) for n in (1, 2, 1, 3, 1, 2)] == [1, 4, 1, 9, 1, 4]
    assert (asked, len(known)) == ([1, 2, 3, 2], 2)


def test_what_follows_from_records_is_asked_again_of_others_that_are_equal():
    asked: list[object] = []
    known: Following[int] = Following(2)
    here, there = (1, 2), tuple(n for n in (1, 2))
    assert here == there
    assert here is not there

    def count(record: tuple[int, ...], name: str = "") -> int:
        return known.get((record,), lambda: asked.append(record) or len(asked), name)

    assert [count(here), count(here), count(there), count(here, "more")] == [1, 1, 2, 3]
    assert [count(there), count(here)] == [2, 4]  # of three only the two asked last are kept


def test_who_asks_while_an_answer_is_sought_waits_for_it():
    known: Remembered[int] = Remembered(2)
    begun, found = Event(), Event()
    asked: list[int] = []

    def find() -> int:
        asked.append(1)
        begun.set()
        assert found.wait(10)
        return 7

    with ThreadPoolExecutor(4) as threads:
        first = threads.submit(known.find_once, "worth", find)
        assert begun.wait(10)
        others = [threads.submit(known.find_once, "worth", find) for _ in range(3)]
        assert known.find_once("another question", lambda: 8) == 8
        found.set()
        assert [first.result(10), *[o.result(10) for o in others]] == [7] * 4
    assert asked == [1]
    assert not known._sought


def test_a_search_that_failed_is_begun_again():
    known: Remembered[int] = Remembered(2)

    def fail() -> int:
        raise ValueError("no answer")

    with pytest.raises(ValueError, match="no answer"):
        known.find_once("worth", fail)
    assert known.find_once("worth", lambda: 7) == 7


def test_a_remembered_position_keeps_no_game():
    known: Remembered[int] = Remembered(8)

    def asked() -> tuple[object, weakref.ref[roundhouse.Game]]:
        game = roundhouse.new("1817", ["A", "B", "C"], seed=3)
        first = position_of(game)
        known.get(first, lambda: len(game.choices()))
        game.apply(game.choices()[0].action)
        assert position_of(game) != first
        return first, weakref.ref(game)

    first, game = asked()
    gc.collect()
    assert game() is None
    assert known.get(first, lambda: -1) > 0


def test_rules_of_a_bounded_number_of_terms_are_kept():
    title = find_title("1817")
    names = sorted(title.options)
    for number in range(150):
        options = frozenset(o for i, o in enumerate(names) if number >> i & 1)
        try:
            assert title.rules(options, 3).options == options
        except OptionError:
            continue
    assert len(title._made) <= 64
