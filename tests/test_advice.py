"""Advice about positions, and what a finished game cost whom."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

import roundhouse
from roundhouse.bots import Candidate, Decision, Player, Reason, player
from roundhouse.bots import advice as module
from roundhouse.bots.advice import Judged, Turn, advise, judge_all, review, said
from roundhouse.cli.main import main
from roundhouse.model.actions import Choose, Convert, Pass
from roundhouse.model.choices import Choice
from roundhouse.titles.g1828.current_merger import current

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


@pytest.mark.parametrize(("trifle", "cost"), [(0.0, 7.0), (6.9, 7.0), (7.0, 0.0), (20.0, 0.0)])
def test_what_a_player_takes_for_equal_has_missed_nothing(
    game: roundhouse.Game, trifle: float, cost: float
) -> None:
    class Easy(Passer):
        def trifle(self, game: roundhouse.Game) -> float:
            return trifle

    assert {j.cost for j in judge_all(game.at(160), Easy())} == {0.0, cost}
    assert bool(review(game.at(160), Easy())) == bool(cost)


def test_scrapping_what_is_of_no_use_has_missed_nothing() -> None:
    """All but a pass is asked to bring something, which who scraps what is idle does not miss."""
    game = roundhouse.load(GAMES / "1873" / "base.json")
    own = player(seed=1)
    scraps = [n for n, e in enumerate(game.history) if e.action.type == "scrap_train"]
    costs = set()
    for number in scraps[:6]:
        short = game.at(game.history[number].action.id or 0)
        found = module._judged(
            game.at(game.history[number - 1].action.id or 0), short.history[-1].action, own
        )
        assert found is not None
        costs.add(found.cost)
    assert 0.0 in costs
    assert own.trifle(game) not in costs


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


def test_money_is_laid_on_a_private_company_by_its_name() -> None:
    game = roundhouse.new("1839", ["Ada", "Ben", "Cleo"], seed=1)
    found = {said(game, c.action) for c in game.choices() if isinstance(c.action, Choose)}
    names = {c.name for c in game.rules.box.companies.values()}
    assert found
    assert all(t.startswith("lay money on one: ") and t.partition(": ")[2] in names for t in found)


def test_actions_are_told_as_their_buttons_say() -> None:
    def told(name: str, number: int) -> str:
        game = roundhouse.load(GAMES / f"{name}.json")
        at = game.at(game.history[number - 1].action.id or 0)
        return said(at, game.history[number].action)

    assert told("1817/base", 429).startswith("size: ")
    assert told("1817/base", 429).endswith(" shares")
    assert told("1839/bankrupt", 72) == "home: E10 Hoorn (HISM)"
    assert told("1828/base", 62).startswith("merge: ")
    assert " takes over " in told("1828/base", 62)
    assert told("18Ireland/base", 233).startswith("vote: ")


def test_a_pass_says_what_is_not_done() -> None:
    game = roundhouse.load(GAMES / "18Ireland" / "base.json")
    passes = {
        said(game.at(n - 1), e.action)
        for n, e in enumerate(game.history, start=1)
        if isinstance(e.action, Pass) and n > 1
    }
    assert any(t.startswith("pass: no more track (") for t in passes)
    assert any(t.startswith("pass: buy no ") for t in passes)


def test_who_sends_an_action_has_a_name() -> None:
    game = roundhouse.load(GAMES / "1873" / "base.json")
    n = next(n for n, e in enumerate(game.history) if isinstance(e.action, Convert))
    at, action = game.at(game.history[n - 1].action.id or 0), game.history[n].action
    number = str(action.entity)
    assert number.isdigit()
    assert said(at, action) == f"convert ({game.rules.box.companies[number].name})"


def test_an_answer_of_a_file_in_other_words_is_told_like_its_button() -> None:
    """Files name the price beside the company whose share is set aside."""
    game = roundhouse.load(GAMES / "1828" / "base.json")
    asked = 0
    for n, entry in enumerate(game.history[1:], start=1):
        last = game.history[n - 1].state
        merger = current(last) if isinstance(entry.action, Choose) else None
        if merger is None or merger.question is None:
            continue
        at = game.at(game.history[n - 1].action.id or 0)
        offers = merger.question.offers
        long = next((o for o in offers if o.startswith(str(entry.action.choice))), None)  # type: ignore[attr-defined]
        if long is not None:
            asked += 1
            assert said(at, replace(entry.action, choice=long)) == said(at, entry.action)
    assert asked


def test_a_review_says_something_whatever_it_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*args: str) -> Result:
        return CliRunner().invoke(main, ["advise", str(FILE), *args])

    nothing = run("--review", "--at", "0")
    assert (nothing.exit_code, nothing.output.strip()) == (0, "Nothing has been done yet.")
    mute = run("--review", "--bot", "thrifty")
    assert mute.exit_code == 1
    assert "thrifty weighs nothing" in mute.output
    assert run("--count", "-1").exit_code == 2

    judged = Judged(7, "player:1", "SR 1", "pass", "buy", "", 5.0)
    turns = [Turn("player:1", "SR 1", 7, 5.0, (judged,))]
    monkeypatch.setattr(module, "review", lambda *a, **k: turns)
    assert run("--review").output.endswith("pass; better: buy\n")
    turns.clear()
    assert "No turn cost anything, as magnate reckons." in run("--review").output
