"""Answers are remembered within bounds, and keep no game alive."""

from __future__ import annotations

import gc
import weakref

import roundhouse
from roundhouse.model.errors import OptionError
from roundhouse.titles.title import find_title
from roundhouse.web.remembered import Remembered, position_of


def test_answers_asked_last_are_kept():
    asked: list[int] = []
    known: Remembered[int] = Remembered(2)

    def square(n: int) -> int:
        return known.get(n, lambda: asked.append(n) or n * n)

    assert [square(n) for n in (1, 2, 1, 3, 1, 2)] == [1, 4, 1, 9, 1, 4]
    assert (asked, len(known)) == ([1, 2, 3, 2], 2)


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
