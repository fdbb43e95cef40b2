"""The library: new games, choices, legality, copies, history."""

from __future__ import annotations

import doctest
from random import Random

import pytest

import roundhouse
import roundhouse.game
from roundhouse import Game, IllegalAction, OptionError, selfplay
from roundhouse.model.actions import Bid, Pass
from roundhouse.model.records import State
from roundhouse.title_check import random_game
from roundhouse.titles.title import Title
from test_conformance import OWN, TITLES


def three() -> Game:
    return roundhouse.new("1817", ["Ada", "Ben", "Cleo"], seed=1)


def played(seed: int = 2, actions: int = 150) -> Game:
    game = roundhouse.new("1817", ["Ada", "Ben", "Cleo", "Dan"], seed=seed)
    selfplay.play_on(game, Random(seed), actions=actions, policy=selfplay.lively)
    return game


@pytest.mark.parametrize("module", [roundhouse, roundhouse.game])
def test_examples_in_docstrings(module: object) -> None:
    assert doctest.testmod(module, raise_on_error=True).failed == 0  # type: ignore[arg-type]


def test_a_new_game() -> None:
    game = three()
    assert game.acting == ("player:1",)
    assert game.players_to_act == (1,)
    assert not game.finished
    assert game.result() == {1: 420, 2: 420, 3: 420}
    assert len(game) == 0


def test_players_by_name_pair_or_mapping() -> None:
    game = roundhouse.new("1817", [(7, "Ada"), {"id": "x", "name": "Ben"}, "Cleo"])
    assert list(game.state.players) == ["player:7", "player:x", "player:3"]


@pytest.mark.parametrize(
    ("title", "players", "options", "word"),
    [
        ("1899", ["A", "B", "C"], [], "1899"),
        ("1817", ["A", "B"], [], "3 to 12"),
        ("1817", ["A", "A", "B"], [], "distinct"),
        ("1817", [(1, "A"), (1, "B"), (2, "C")], [], "ids"),
        ("1817", ["A", "B", "C"], ["nonsense"], "nonsense"),
    ],
)
def test_games_that_cannot_be(
    title: str, players: list[str], options: list[str], word: str
) -> None:
    with pytest.raises(OptionError, match=word):
        roundhouse.new(title, players, options=options)


def test_the_document_preset() -> None:
    game = roundhouse.new("1817", ["A", "B", "C"], seed=1, options=["document"])
    assert game.options == {
        "volatility", "five_shorts", "no_loans_when_repaying", "single_export",
        "stations_after_merger", "redeem_after_conversion", "bankrupt_loses_privates",
        "privates_score_nothing",
    }  # fmt: skip
    with pytest.raises(OptionError, match="file format"):
        game.export()


def test_choices_carry_ranges() -> None:
    choice = next(c for c in three().choices() if getattr(c.action, "company", "") == "MAJM")
    prices = [a.price for a in choice.actions() if isinstance(a, Bid)]
    assert prices == list(range(0, 421, 5))
    assert choice.enumerable
    assert all(choice.covers(a) for a in choice.actions())
    assert not choice.covers(Bid(entity=1, entity_type="player", company="MAJM", price=7))
    assert not choice.covers(Bid(entity=2, entity_type="player", company="MAJM", price=5))
    assert not choice.covers(Pass(entity=1, entity_type="player"))


def test_an_illegal_action_changes_nothing() -> None:
    game = three()
    before = game.state
    bid = {"type": "bid", "entity": 1, "entity_type": "player", "company": "CM", "price": 500}
    fault = game.why_not(bid)
    assert fault is not None
    assert fault.code == "no_cash"
    assert fault.rule == "3"
    assert "$420" in fault.message
    assert not game.is_legal(bid)
    with pytest.raises(IllegalAction):
        game.apply(bid)
    assert game.state is before
    assert len(game) == 0


def test_not_your_turn() -> None:
    fault = three().why_not({"type": "pass", "entity": 2, "entity_type": "player"})
    assert fault is not None
    assert fault.code == "not_your_turn"
    assert fault.message == "Ben cannot pass now; the game waits for Ada."


@pytest.mark.parametrize("raw", [{}, {"type": "bid"}, {"type": 5, "entity": 1}, {"entity": []}])
def test_malformed_actions(raw: dict[str, object]) -> None:
    fault = three().why_not(raw)
    assert fault is not None
    assert fault.code == "malformed"


@pytest.mark.parametrize("who", [(9, "player"), ("1", "player"), ("player:1", "corporation")])
def test_only_players_speak(who: tuple[int | str, str]) -> None:
    fault = three().why_not({"type": "message", "entity": who[0], "entity_type": who[1]})
    assert fault is not None
    assert fault.code == "unknown_player"


def test_undo_and_redo() -> None:
    game = played()
    states = [e.state for e in game.history]
    game.undo()
    assert game.state == states[-2]
    game.undo()
    assert game.state == states[-3]
    game.redo()
    game.redo()
    assert game.state == states[-1]
    with pytest.raises(IllegalAction):
        game.redo()
    game.undo(10)
    assert game.state == states[9]
    assert len(game) == 10


def test_nothing_to_undo() -> None:
    with pytest.raises(IllegalAction) as refused:
        three().undo()
    assert refused.value.code == "nothing_to_undo"


def test_any_point_of_the_history() -> None:
    game = played()
    for number in (0, 1, 57, len(game)):
        there = game.at(number)
        assert there.state == (game.history[number - 1].state if number else game.start)
        assert len(there) == number
    there = game.at(57)
    there.apply(there.choices()[0].action)
    assert len(there) == 58
    assert len(game) == 150
    for number in (-1, 151):
        with pytest.raises(ValueError, match="no action"):
            game.at(number)


def test_copies_are_independent() -> None:
    game = played(actions=40)
    state, twin = game.state, game.copy()
    twin.apply(twin.choices()[0].action)
    assert game.state is state
    assert len(game) == 40
    game.undo()
    assert len(twin) == 41
    third = twin.copy()
    twin.undo(0)
    assert len(third) == 41


def test_one_player_may_end_the_game() -> None:
    game = played(actions=30)
    game.apply({"type": "end_game", "entity": 2, "entity_type": "player"})
    assert game.finished
    assert game.end_reason == "manually_ended"
    assert game.choices() == []
    fault = game.why_not({"type": "pass", "entity": 1, "entity_type": "player"})
    assert fault is not None
    assert fault.code == "finished"
    game.apply({"type": "message", "entity": 1, "entity_type": "player", "message": "thanks"})
    game.undo()
    assert not game.finished


def test_events_tell_what_happened() -> None:
    game = three()
    game.apply({"type": "bid", "entity": 1, "entity_type": "player", "company": "CM", "price": 5})
    assert [type(e).__name__ for e in game.log[-1].events] == ["BidMade"]


def test_same_seed_same_game() -> None:
    assert played(5).dump() == played(5).dump()
    assert played(5).dump() != played(6).dump()


def test_what_is_remembered_of_a_log_follows_every_change_of_it():
    game = roundhouse.new("1817", ["Ada", "Ben", "Cleo"], seed=3)
    kept = []
    for n in range(12):
        kept.append((game.copy(), game.log, game.history))
        if n % 4 == 2:
            game.undo()
        elif n % 4 == 3:
            game.redo()
        else:
            game.apply(game.choices()[0].action)
        again = roundhouse.load(game.dump())
        assert [e.action.id for e in game.log] == [e.action.id for e in again.log]
        assert [e.action.id for e in game.history] == [e.action.id for e in again.history]
        assert game.waiting is game.rules.play(game.state).waiting(game.state)
    for twin, log, history in kept:
        assert (twin.log, twin.history) == (log, history)


@pytest.mark.parametrize("title", TITLES, ids=lambda t: t.id)
def test_states_that_were_let_go_of_are_made_again(title: Title) -> None:
    """Whatever was said, taken back and restored, and whoever looks back meanwhile."""
    game, whole = random_game(title, 6), random_game(title, 6)
    rng = Random(6)
    for n in range(160):
        if whole.finished:
            break
        moves = selfplay.lively(whole, whole.choices(), rng)
        said = {"type": "message", "entity": whole.seats[0].id, "entity_type": "player"}
        action = said | {"message": "Oh."} if n % 7 == 3 else moves
        for each in (game, whole):
            each.apply(action)
            if n % 11 == 10:
                each.undo()
            if n % 22 == 21:
                each.redo()
        if n % 8 == 0:
            game.let_go(recent=3, spacing=4)
            looked_at = rng.randrange(n + 1)
            assert game.log[looked_at].state == whole.log[looked_at].state
    game.let_go(recent=0, spacing=6)
    assert sum(isinstance(e._state, State) for e in game.history) < len(game) / 2
    for made, kept in zip(reversed(game.log), reversed(whole.log), strict=True):
        assert made.action == kept.action
        assert made.state == kept.state


def test_a_file_s_revenues_count_when_a_state_is_made_again() -> None:
    for path in OWN:
        game = roundhouse.load(path)
        states = [e.state for e in roundhouse.load(path).history]
        game.let_go(recent=0)
        assert [e.state for e in game.history] == states


@pytest.mark.parametrize("title", TITLES, ids=lambda t: t.id)
def test_what_a_move_would_lead_to_is_what_it_leads_to(title: Title) -> None:
    game, rng = random_game(title, 4), Random(4)
    for _ in range(60):
        before, known = game.state, len(game.log)
        for choice in game.choices()[:6]:
            twin = game.copy()
            twin.apply(action := choice.sample(rng))
            state, events = game.tried(action)
            assert state == twin.state
            assert events == twin.log[known].events
        assert game.state is before
        assert len(game.log) == known
        selfplay.play_on(game, rng, actions=3, policy=selfplay.lively)
        if game.finished:
            break


def test_a_move_that_is_refused_is_refused_when_it_is_tried() -> None:
    game = played()
    wrong = Pass(entity="nobody", entity_type="player")
    with pytest.raises(IllegalAction):
        game.tried(wrong)
    with pytest.raises(IllegalAction):
        game.tried({"type": "undo", "entity": game.seats[0].id, "entity_type": "player"})
