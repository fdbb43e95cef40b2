"""What bots know of auctions without a look."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest

import roundhouse
from roundhouse import Game
from roundhouse.bots import Magnate
from roundhouse.bots.together import decide
from roundhouse.model.actions import Bid
from roundhouse.rounds.bidding import highest
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


@pytest.mark.parametrize("title", ["1828", "18Ireland"])
def test_nobody_bids_against_himself(title: str) -> None:
    """Where bids stand on many things at once."""
    seen = 0
    for seed in range(4):
        game = roundhouse.new(title, ["Ada", "Ben", "Cleo", "Dan"], seed=seed)
        player = Magnate("quick", seed)
        seats = dict.fromkeys(game.state.players, player)
        while isinstance(m := game.state.round, StandingProgress):
            decision = decide(game, seats)
            assert decision is not None
            a = decision.action
            bids = m.bids.get(a.company or "", ()) if isinstance(a, Bid) else ()
            if isinstance(a, Bid) and bids and "price" in _domains(game, a):
                seen += 1
                assert (a.actor, highest(bids)) not in bids, (seed, len(game))
            game.apply(a)
    assert seen > 3


def _domains(game: Game, a: Bid) -> Mapping[str, object]:
    """What of a bid is open; nothing of one for what is sold as it is."""
    offered = [c for c in game.choices() if isinstance(c.action, Bid) and c.actor == a.actor]
    return next((c.domains for c in offered if getattr(c.action, "company", "") == a.company), {})


def test_a_first_bid_counts_for_what_it_leaves() -> None:
    """1817: what a private is worth less what is bid for it at once."""
    game = roundhouse.new("1817", ["Ada", "Ben", "Cleo"], seed=1)
    player = Magnate("quick", 1)
    decision = player.choose(game)
    named = [c for c in decision.candidates if isinstance(c.action, Bid)]
    assert named
    for c in named:
        (why,) = (r for r in c.reasons if r.code == "private")
        worth, price = why.figures["worth"], why.figures["price"]
        assert isinstance(worth, int)
        assert price == c.action.price
        assert c.score == pytest.approx(worth - c.action.price, abs=1)
