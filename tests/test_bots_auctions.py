"""What bots know of auctions without a look."""

from __future__ import annotations

from random import Random

import pytest

import roundhouse
from roundhouse.model.actions import Bid
from roundhouse.rounds.steps.progress import StandingProgress


@pytest.mark.parametrize("title", ["1828", "18Ireland"])
@pytest.mark.parametrize("seed", range(6))
def test_a_bid_that_stands_buys_nothing_at_once(title: str, seed: int) -> None:
    """So bots need not try the bids whose price is open, only what is sold as it is."""
    game, rng = roundhouse.new(title, ["Ada", "Ben", "Cleo", "Dan"], seed=seed), Random(seed)
    tried = 0
    for _ in range(60):
        if game.finished or not isinstance(game.state.round, StandingProgress):
            break
        choices = game.choices()
        for choice in choices:
            if isinstance(choice.action, Bid) and "price" in choice.domains:
                after = game.copy()
                after.apply(choice.action)
                company = choice.action.company or ""
                assert after.state.companies[company].owner is None
                tried += 1
        game.apply(rng.choice(choices).sample(rng))
    assert tried > 10
