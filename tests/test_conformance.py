"""What every title must do, on random games: a new title gets these tests for free."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fenland
import roundhouse
from roundhouse import conformance, selfplay
from roundhouse.model.choices import Choice
from roundhouse.model.codec import decode_state, encode_state, hash_state
from roundhouse.model.events import RoundStarted
from roundhouse.rounds import machine
from roundhouse.title_check import (
    POLICIES,
    data_faults,
    file_faults,
    last_action_faults,
    position_faults,
    random_game,
)
from roundhouse.titles.title import Title, all_titles, register

from hasty import hasty
from reference import GAMES

register(fenland.TITLE)
TITLES = list(all_titles().values())
OWN = sorted(GAMES.glob("*/*.json"))


@pytest.fixture(params=TITLES, ids=lambda t: t.id)
def title(request: pytest.FixtureRequest) -> Title:
    found: Title = request.param
    return found


@pytest.mark.parametrize("seed", range(6))
def test_random_games_keep_the_invariants(title: Title, seed: int) -> None:
    game = random_game(title, seed)
    watched(game, Random(seed), POLICIES[seed % len(POLICIES)])


def test_hasty_games_keep_the_invariants(title: Title) -> None:
    """With few and cheap trains, bought in a rush: late phases, rust, mergers, bankruptcy."""
    for seed in range(3):
        watched(random_game(hasty(title), seed), Random(seed), selfplay.pushing)


@pytest.mark.parametrize("path", OWN, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_branches_of_known_games_keep_the_invariants(path: Path) -> None:
    """Random play from the middle and the end of a game somebody has played."""
    game = roundhouse.load(path)
    for part in (2, 8):
        start = game.history[len(game.history) * (part - 1) // part].action.id
        watched(game.at(start or 0), Random(part), selfplay.lively, actions=60)


def watched(
    game: roundhouse.Game, rng: Random, policy: selfplay.Policy, actions: int = 500
) -> None:
    """Play a game on; all invariants hold after every action."""
    money = conformance.total_money(game.start)
    before = game.state

    def watch(game: roundhouse.Game) -> None:
        nonlocal before
        assert conformance.faults(game.rules, game.state, money) == []
        assert last_action_faults(game, before) == []
        before = game.state

    selfplay.play_on(game, rng, actions=actions, policy=policy, watch=watch)


def test_every_round_is_announced(title: Title) -> None:
    """However a round is entered, its start is told, so that log and page know of it."""
    game = random_game(title, 7)
    selfplay.play_on(game, Random(7), actions=400, policy=selfplay.lively)
    before, seen = game.start, 0
    for entry in game.history:
        now = entry.state
        if (type(now.round), now.round.number) != (type(before.round), before.round.number):
            told = [e for e in entry.events if isinstance(e, RoundStarted)]
            assert told
            assert told[-1].name == game.rules.play(now).name
            seen += 1
        before = now
    assert seen


@settings(max_examples=12)
@given(seed=st.integers(0, 10**6), depth=st.integers(0, 350))
@pytest.mark.parametrize("title", TITLES, ids=lambda t: t.id)
def test_positions_of_random_games(title: Title, seed: int, depth: int) -> None:
    """In any position: choices and check agree, different ones read differently, the state survives
    JSON, copies are independent, undo leads back and redo forth."""
    game = random_game(title, seed)
    rng = Random(seed)
    selfplay.play_on(game, rng, actions=depth, policy=selfplay.lively)
    mark = hash_state(game.state)
    assert list(position_faults(game, rng)) == []
    assert hash_state(game.state) == mark


@settings(max_examples=8)
@given(seed=st.integers(0, 10**6))
@pytest.mark.parametrize("title", TITLES, ids=lambda t: t.id)
def test_random_games_load_from_their_files(title: Title, seed: int) -> None:
    """A game played at random, with chat and undos, loads again to the same states."""
    game = random_game(title, seed)
    rng = Random(seed)
    for _ in range(6):
        selfplay.play_on(game, rng, actions=20, policy=selfplay.lively)
        speaker = {"entity": game.seats[0].id, "entity_type": "player"}
        game.apply({"type": "message", "message": "hm", **speaker})
        if rng.random() < 0.5 and len(game) > 3:
            game.undo()
            if rng.random() < 0.5:
                game.redo()
    assert list(file_faults(game)) == []
    again = roundhouse.load(game.dump())
    assert again.choices() == [] or again.acting == game.acting


def test_a_game_that_gets_to_the_last_turn_is_given_up(
    title: Title, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Game-file format, section 9: turn 100 ends every game; here it is turn 2."""
    assert machine.LAST_TURN == 100
    monkeypatch.setattr(machine, "LAST_TURN", 2)
    names = [f"Player {n}" for n in range(max(3, title.box.game.players.min))]
    for seed in range(1, 9):  # some are over before
        game = roundhouse.new(title.id, names, seed=seed)
        selfplay.play_on(game, Random(seed), actions=1000, policy=selfplay.lively)
        if game.state.turn == 2:
            break
    assert (game.end_reason, game.state.turn) == ("dnf", 2)
    assert game.acting == ()
    assert conformance.faults(game.rules, game.state) == []


def test_data_files_are_sound(title: Title) -> None:
    """Tables and texts are there, and every name leads somewhere."""
    assert list(data_faults(title)) == []


def test_who_is_waited_for_is_who_the_rules_ask(title: Title) -> None:
    game = random_game(title, 1)
    moved = game.state.fork()
    moved.acting = ("nobody",)
    (fault,) = [f for f in conformance.faults(game.rules, moved.seal()) if "waits for" in f]
    assert "nobody" in fault


def test_choices_are_those_of_the_state_written_down(title: Title) -> None:
    """What is kept with boards and records while a game is played changes no choice; and no step
    that is not asked for its choices would have any."""
    game, rng = random_game(title, 5), Random(5)
    for _ in range(150):
        if not (choices := game.choices()):
            break
        state = decode_state(game.rules.state_type, encode_state(game.state))
        play = game.rules.play(state)
        names = [step.name for step in play.sequence]
        asked = play.sequence[: names.index(state.step) + 1]
        anew = [choice for step in asked for choice in step.choices(state)]
        assert list(map(told, choices)) == list(map(told, anew))
        game.apply(selfplay.lively(game, choices, rng))


def told(choice: Choice) -> tuple[object, ...]:
    """A choice in values; sets of routes are alike."""
    return choice.action, {field: repr(domain) for field, domain in choice.domains.items()}
