"""Games are kept open within bounds."""

from __future__ import annotations

from random import Random

import pytest

import roundhouse
from roundhouse import selfplay
from roundhouse.model.records import State
from roundhouse.web.tables.cache import OpenGames
from roundhouse.web.tables.log import Opened

GAME = roundhouse.new("1817", ["Ada", "Ben", "Cleo"], seed=1)


def opened(version: int, seating: int = 0) -> Opened:
    return Opened(version, GAME, seating)


def kept(games: OpenGames) -> list[int]:
    return [table for table in range(10) if games.get(table) is not None]


def test_those_used_last_are_kept_by_number():
    games = OpenGames(size=2, entries=1000)
    for table in (1, 2, 3):
        games.put(table, opened(10))
    assert kept(games) == [2, 3]


def test_long_games_leave_room_for_fewer():
    games = OpenGames(size=9, entries=1000)
    for table in (1, 2, 3):
        games.put(table, opened(300))
    games.put(1, opened(300))  # it is used last
    games.put(2, opened(500))
    assert kept(games) == [1, 2]
    games.put(3, opened(5000))
    assert kept(games) == [3]


@pytest.mark.parametrize("again", [1, 40])
def test_what_is_kept_is_counted_through_every_change(again):
    games = OpenGames(size=3, entries=100)
    for _ in range(again):
        games.put(1, opened(60))
        games.put(1, opened(20))  # older: the newer one stays
        games.put(1, opened(50, seating=1))
        games.drop(1)
        games.drop(1)
        games.put(2, opened(30))
        games.put(3, opened(30))
        games.put(4, opened(40))
        assert kept(games) == [2, 3, 4]
        games.clear()


def test_long_games_rest():
    """Of those that are kept open, states long past are let go of: memory would grow with them."""
    games = OpenGames()
    game = roundhouse.new("1817", ["Ada", "Ben", "Cleo"], seed=1)
    selfplay.play_on(game, Random(1), actions=400, policy=selfplay.lively)
    games.put(1, Opened(len(game.log), game))
    held = sum(isinstance(e._state, State) for e in game.log)
    assert held < 64 + len(game.log) / 20
    assert game.at(100).state == game.copy().at(100).state
