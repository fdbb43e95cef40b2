"""What bots know of companies that earn beside their routes, and of cards companies begin with."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

import roundhouse
from roundhouse import Game, bots, selfplay
from roundhouse.bots.judges.founding import begun
from roundhouse.bots.judges.trains import purchases
from roundhouse.bots.view import View
from roundhouse.model.actions import Bid, BuyTrain
from roundhouse.model.choices import Choice
from roundhouse.rounds import machine

from reference import GAMES


def _view(game: Game) -> View:
    """How a position looks to whoever is asked."""
    who = game.rules.president(game.state, game.state.acting[0]) or ""
    return View(bots.Magnate("quick").mind(game), game.state, who)


def test_a_machine_or_switcher_is_tried_on_every_mine_of_a_company() -> None:
    game = roundhouse.new("1873", ["Ada", "Ben", "Cleo"], seed=3)
    player, offered = bots.player(seed=3), list[Choice]()
    while not offered:
        selfplay.play_on(game, Random(3), actions=1, policy=player)
        found = [c for c in game.choices() if isinstance(c.action, BuyTrain)]
        offered = [c for c in found if "slots" in c.domains and c.domains["slots"].size() > 1]
    tried = purchases(_view(game), offered)
    assert len({c.action.slots for c in tried if isinstance(c.action, BuyTrain)}) > 1


def test_nobody_bids_for_a_concession_he_has_no_money_to_use() -> None:
    game = roundhouse.load(GAMES / "1873" / "base.json")
    at = next(n for n, e in enumerate(game.history) if getattr(e.action, "company", "") == "NWE")
    before = game.at(at)
    s, asked = before.state.fork(), before.state.acting[0]
    likely = []
    for cash in (1_200, 500, 250):
        s.players = {k: replace(p, cash=cash) for k, p in s.players.items()}
        view = View(bots.Magnate("quick").mind(game), s, asked)
        likely.append(begun(view, "NWE", 120))
    assert likely[0] == 1.0 > likely[1] > likely[2] == 0.0
    bids = [c for c in machine.choices(game.rules, s) if isinstance(c.action, Bid)]
    assert bids
    assert all(c.score <= 0 for c in bots.judges.judge(view, bids))
