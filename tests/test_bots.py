"""The bot that looks one action ahead: legal in every title, and better than chance."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

import roundhouse
from roundhouse import bots, conformance, selfplay
from roundhouse.model.actions import BuyShares, Dividend, SellShares
from roundhouse.titles.title import all_titles


@pytest.mark.parametrize("title", list(all_titles()))
def test_a_table_of_bots_plays_every_title(title: str) -> None:
    game = roundhouse.new(title, players=["Ada", "Ben", "Cleo"], seed=5)
    money = conformance.total_money(game.start)
    made = selfplay.play_on(game, Random(5), actions=200, policy=bots.thrifty)
    assert made == 200 or game.finished
    assert conformance.faults(game.rules, game.state, money) == []


def test_the_bot_beats_chance() -> None:
    game = roundhouse.new("18Ireland", players=["Ada", "Ben", "Cleo"], seed=0)
    bot = game.seats[0].id

    def policy(g: roundhouse.Game, choices: object, rng: Random) -> roundhouse.Action:
        chosen = bots.thrifty if g.players_to_act[0] == bot else selfplay.lively
        return chosen(g, g.choices(), rng)

    selfplay.play_on(game, Random(0), actions=3_000, policy=policy)
    scores = game.result()
    assert game.finished
    assert scores.pop(bot) > 2 * max(scores.values())


def test_the_bot_does_not_sell_what_it_just_bought() -> None:
    game = roundhouse.new("1873", players=["Ada", "Ben", "Cleo"], seed=3)
    selfplay.play_on(game, Random(3), actions=400, policy=bots.thrifty)
    actions = [e.action for e in game.history]
    for before, after in pairwise(actions):
        if isinstance(before, BuyShares) and isinstance(after, SellShares):
            assert before.actor != after.actor or set(before.shares) != set(after.shares)


def test_a_bot_pays_dividends_when_that_raises_its_worth() -> None:
    game = roundhouse.new("18Ireland", players=["Ada", "Ben", "Cleo"], seed=0)
    selfplay.play_on(game, Random(0), actions=600, policy=bots.thrifty)
    kinds = [e.action.kind for e in game.history if isinstance(e.action, Dividend)]
    assert kinds.count("payout") > len(kinds) / 2


def test_a_player_decides_the_same_in_the_same_position() -> None:
    game = roundhouse.new("1873", players=["Ada", "Ben", "Cleo"], seed=3)
    one, other = (bots.player("thrifty", seed=7).choose(game) for _ in range(2))
    assert one == other
    assert one.action == one.candidates[0].action
    assert game.is_legal(one.action)


def test_an_unknown_player_is_refused() -> None:
    with pytest.raises(ValueError, match="no player 'greedy'"):
        bots.player("greedy")
    with pytest.raises(ValueError, match="has no levels"):
        bots.player("thrifty", "strong")


def test_nothing_to_choose_from_is_an_error() -> None:
    game = roundhouse.new("1873", players=["Ada", "Ben", "Cleo"], seed=3)
    with pytest.raises(ValueError, match="nobody is waited for"):
        bots.player("lively").choose(game, [])
