"""What bots say of what they do: sentences one would say at the table, with true figures."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import roundhouse
from roundhouse import bots
from roundhouse.bots import habits, magnate, search
from roundhouse.bots.decision import Candidate, Reason
from roundhouse.bots.judges import judge
from roundhouse.bots.knowledge import knowledge_of
from roundhouse.bots.mind import Mind
from roundhouse.bots.view import View
from roundhouse.model.actions import (
    Bankrupt,
    Pass,
)

from reference import GAMES


def game_of(name: str) -> roundhouse.Game:
    return roundhouse.load(GAMES / f"{name}.json")


def seen(game: roundhouse.Game, me: str | None = None) -> View:
    """A position as a player of the usual kind sees it."""
    mind = Mind(game.rules, knowledge_of(game.title), effort=200)
    return View(mind, game.state, me or search.own(mind, game.state, game.choices())[0])


def judged(game: roundhouse.Game) -> list[Candidate]:
    view = seen(game)
    return judge(view, search.own(view.mind, game.state, game.choices())[1])


def before(game: roundhouse.Game, kind: type[Any], number: int = 0) -> roundhouse.Game:
    """The position before an action of a type."""
    found = [n for n, e in enumerate(game.history) if isinstance(e.action, kind)]
    return game.at(game.history[found[number] - 1].action.id or 0)


def texts(found: Candidate) -> list[str]:
    return [r.text for r in found.reasons]


# bankruptcy


@pytest.mark.parametrize("name", ["1817/base", "1828/base", "1839/bankrupt"])
def test_bankruptcy_costs_what_one_is_worth_and_is_done_only_where_nothing_else_can_be(
    name: str,
) -> None:
    game = before(game_of(name), Bankrupt)
    view = seen(game)
    found = judged(game)
    one = next(c for c in found if isinstance(c.action, Bankrupt))
    worth = max(0.0, view.standing[view.me])
    assert -worth - 200 <= one.score < -worth
    assert found[-1] is one
    assert "it costs all one is worth" in one.sentence


def test_bankruptcy_is_last_whatever_else_costs() -> None:
    """What costs more than all one is worth is rather done, and nothing is looked into or left to
    chance where it could be taken for as good."""
    view = seen(before(game_of("1839/bankrupt"), Bankrupt))
    ruin = Candidate(Bankrupt(entity="RS", entity_type="corporation"), -100.0)
    worse = Candidate(Pass(entity="RS", entity_type="corporation"), -5_000.0)
    best = Candidate(Pass(entity="SS", entity_type="corporation"), -90.0)
    assert ruin.last
    assert not worse.last
    assert search._near([best, ruin], search.Depth(width=4)) == [best]
    assert habits.close(view, [best, ruin], 1.0) == [best]


def test_chance_does_not_lead_into_bankruptcy(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of("18Ireland/base").at(236)
    view = seen(game)
    ruin = Candidate(Bankrupt(entity="RS", entity_type="corporation"), -20.0)
    other = Candidate(Pass(entity=1, entity_type="player"), -30.0)
    monkeypatch.setattr(search, "judge", lambda view, choices: [other, ruin])
    drawn = [search.quickly(view, game.state, Random(n)) for n in range(40)]
    assert all(c is other for c in drawn)


def test_a_bot_would_rather_do_anything_than_be_bankrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of("18Ireland/base").at(236)
    choice = game.choices()[0]
    ruin = Candidate(Bankrupt(entity="RS", entity_type="corporation"), -100.0)
    monkeypatch.setattr(magnate, "judge", lambda *_: [ruin, Candidate(choice.action, -5_000.0)])
    for level in ("quick", "club"):
        decision = bots.player("magnate", level, seed=1).choose(game)
        assert decision.action == choice.action
        assert decision.candidates[-1].action == ruin.action


# looking on


def test_a_difference_of_nothing_is_not_told() -> None:
    view = seen(game_of("18Ireland/base").at(236))
    c = Candidate(Pass(entity=1, entity_type="player"), 10.0, (Reason("cash", "+£1 in hand", 1.0),))
    same = search._scored(view, c, 0.3, 0.0, "at the end of the round", 0.5)
    assert same.score == 0.5 * 10.0 + 0.5 * 0.3
    assert same.reasons == c.reasons
    less = search._scored(view, c, -3.0, 0.0, "at the end of the round", 0.5)
    assert less.reasons[-1].text == "at the end of the round £3 worse than now"
