"""Advice about positions, and what a finished game cost whom."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from click.testing import CliRunner

import roundhouse
from roundhouse.bots import Candidate, Decision, Player, Reason, player
from roundhouse.bots.advice import advise, judge_all, review, said
from roundhouse.cli.main import main
from roundhouse.model.choices import Choice

from reference import GAMES

FILE = GAMES / "1839" / "bankrupt.json"


class Passer(Player):
    """Thinks that a pass is worth 10 and all else 3."""

    def decide(self, game: roundhouse.Game, choices: Sequence[Choice], rng: Random) -> Decision:
        why = (Reason("idle", "nothing is gained by that"),)
        found = [Candidate(c.action, 10.0 if c.type == "pass" else 3.0, why) for c in choices]
        found.sort(key=lambda c: -c.score)
        return Decision(found[0].action, why, tuple(found))


@pytest.fixture(scope="module")
def game() -> roundhouse.Game:
    return roundhouse.load(FILE)


def test_advice_is_for_whoever_is_waited_for_and_legal(game: roundhouse.Game) -> None:
    for number in range(20, 300, 40):
        now = game.at(number)
        found = advise(now, player(seed=1))
        assert found is not None
        assert now.state.players[found.who].id in now.players_to_act
        assert now.is_legal(found.decision.action)
        assert said(now, found.decision.action)
    assert advise(game, player()) is None


def test_what_was_done_is_held_against_the_best(game: roundhouse.Game) -> None:
    short = game.at(160)
    judged = list(judge_all(short, Passer()))
    assert judged
    by_id = {e.action.id: e.action for e in short.history}
    for one in judged:
        passed = by_id[one.id].type == "pass"
        best = one.best.startswith("pass")
        assert one.cost == (7.0 if best and not passed else 0.0)
        assert one.why == "nothing is gained by that"


def test_the_turns_that_cost_most_come_first(game: roundhouse.Game) -> None:
    told: list[float] = []
    turns = review(game.at(160), Passer(), most=5, progress=told.append)
    assert 0 < len(turns) <= 5
    costs = [t.cost for t in turns]
    assert costs == sorted(costs, reverse=True)
    assert all(t.cost == sum(d.cost for d in t.decisions) for t in turns)
    assert told == sorted(told)
    assert told[-1] == 1


def test_the_command() -> None:
    run = CliRunner().invoke
    done = run(main, ["advise", str(FILE), "--at", "120", "--bot", "thrifty"])
    assert done.exit_code == 0, done.output
    assert "  1. " in done.output
    over = run(main, ["advise", str(FILE)])
    assert over.exit_code == 1
    assert "nobody is waited for" in over.output
    assert run(main, ["advise", str(FILE), "--at", "99999"]).exit_code == 1
    assert run(main, ["advise", str(FILE), "--bot", "nobody"]).exit_code == 1
    back = run(main, ["advise", str(FILE), "--at", "60", "--review", "--count", "2"])
    assert back.exit_code == 0, back.output


def test_what_is_sold_at_its_price_is_bought_in_words() -> None:
    game = roundhouse.load(GAMES / "1873" / "base.json")
    bought, bid = game.at(3), game.at(24)
    assert said(bought, game.history[3].action) == "buy: 6 Rübeland for 160\xa0ℳ"
    assert said(bid, game.history[24].action) == "bid: GHE Concession for 100\xa0ℳ"
