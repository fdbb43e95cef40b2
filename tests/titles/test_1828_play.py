"""Random games of 1828, steered towards mergers: invariants and agreement of choices and check."""

from __future__ import annotations

from random import Random

import pytest

import roundhouse
from roundhouse import Choice, Game, conformance, selfplay

OPTIONS = tuple(roundhouse.find_title("1828").options)


def merging(game: Game, choices: list[Choice], rng: Random) -> roundhouse.model.actions.Action:
    """Start a merger where one can be started, else play as usual."""
    starts = [c for c in choices if c.type == "choose" and game.state.step == "stock turn"]
    if starts and rng.random() < 0.4:
        return rng.choice(starts).sample(rng)
    return selfplay.lively(game, choices, rng)


@pytest.mark.parametrize("seed", range(8))
def test_games_with_mergers(seed: int) -> None:
    rng = Random(seed)
    options = [o for o in OPTIONS if rng.random() < 0.4] if seed % 2 else []
    names = ["Ada", "Ben", "Cleo", "Dora", "Emil"][: 3 + seed % 3]
    game = roundhouse.new("1828", names, seed=seed, options=options)
    money = conformance.total_money(game.start)

    def watch(game: Game) -> None:
        assert conformance.faults(game.rules, game.state, money) == []
        if rng.random() < 0.01:
            assert list(conformance.disagreements(game, 40)) == []

    selfplay.play_on(game, rng, actions=900, policy=merging, watch=watch)
    assert any(e.action.type == "merge" for e in game.history)
