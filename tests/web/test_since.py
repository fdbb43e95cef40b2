"""What is new to a viewer since his last turn."""

from __future__ import annotations

from itertools import pairwise

import roundhouse
from roundhouse.web.page.since import events_since, since_turn

from reference import GAMES

PLAYERS = ("player:1", "player:2", "player:3")


def _bidding():
    """A 1817 auction: three players have bid once each, so the first is on turn again."""
    game = roundhouse.new("1817", players=["Ada", "Ben", "Cleo"], seed=1)
    for _ in range(3):
        game.apply(next(c.action for c in game.choices() if c.type == "bid"))
    assert game.acting == ("player:1",)
    return game


def test_everything_after_ones_own_last_action_is_new():
    game = _bidding()
    assert [since_turn(game, {p}) for p in PLAYERS] == [1, 2, 3]


def test_at_one_screen_one_sees_with_the_eyes_of_who_is_on_turn():
    assert since_turn(_bidding(), PLAYERS) == 1


def test_an_onlooker_sees_the_last_action_as_new():
    game = _bidding()
    assert since_turn(game, ()) == 2
    assert list(events_since(game, 2)) == list(game.history[-1].events)


def test_before_ones_first_action_only_the_last_one_is_new():
    game = roundhouse.new("1817", players=["Ada", "Ben", "Cleo"], seed=1)
    assert since_turn(game, {"player:1"}) == 0
    game.apply(next(c.action for c in game.choices() if c.type == "bid"))
    assert since_turn(game, {"player:3"}) == 0


def test_actions_of_the_turn_that_still_runs_do_not_count():
    """A corporation lays two tiles: after the first its president still sees what others did."""
    game, _ = roundhouse.replay(GAMES / "1817" / "base.json")
    twice = _two_in_a_row(game)
    here = game.at(twice[1])
    president = here.rules.president(here.state, here.history[-1].action.actor)
    assert president in {here.rules.president(here.state, a) for a in here.acting}
    assert since_turn(here, {president}) < twice[0]


def _two_in_a_row(game):
    """Ids of two tiles laid one after the other by one company that is still on turn after."""
    for first, second in pairwise(game.history):
        if first.action.type == second.action.type == "lay_tile":
            same = first.action.entity == second.action.entity
            if same and second.state.acting == (second.action.actor,):
                return first.action.id, second.action.id
    raise AssertionError("nowhere two tiles in a row")
