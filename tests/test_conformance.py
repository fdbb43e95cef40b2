"""What every title must do, on random games: a new title gets these tests for free."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fenland
import roundhouse
from roundhouse import Game, conformance, selfplay, transitions
from roundhouse.model.codec import decode_state, encode_state, fingerprint
from roundhouse.model.events import RoundStarted
from roundhouse.model.records import State
from roundhouse.rounds import machine
from roundhouse.titles.title import Title, register, titles

register(fenland.TITLE)
TITLES = list(titles().values())


def random_game(title: Title, seed: int) -> Game:
    """A new game with seats and options drawn from the seed."""
    rng = Random(seed)
    seats = title.box.game.players
    count = rng.randint(seats.min, seats.max)
    chosen: list[str] = []
    for option in title.options:
        if rng.random() < 0.3:
            try:
                title.select([*chosen, option])
            except roundhouse.OptionError:
                continue
            chosen.append(option)
    names = [f"Player {n}" for n in range(count)]
    return roundhouse.new(title.id, names, seed=seed, options=chosen)


def moved_wrongly(game: Game, before: State) -> list[str]:
    """What is wrong with the last action of a game, by the state it met."""
    last = game.history[-1]
    return transitions.faults(game.rules, before, last.action, last.events, game.state)


@pytest.fixture(params=TITLES, ids=lambda t: t.id)
def title(request: pytest.FixtureRequest) -> Title:
    found: Title = request.param
    return found


@pytest.mark.parametrize("seed", range(6))
def test_random_games_keep_the_invariants(title: Title, seed: int) -> None:
    game = random_game(title, seed)
    money = conformance.total_money(game.start)

    before = game.state

    def watch(game: Game) -> None:
        nonlocal before
        assert conformance.faults(game.rules, game.state, money) == []
        assert moved_wrongly(game, before) == []
        before = game.state

    policy = (selfplay.uniform, selfplay.lively, selfplay.pushing)[seed % 3]
    selfplay.play_on(game, Random(seed), actions=500, policy=policy, watch=watch)


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
    """In any position: choices and check agree, the state survives JSON, copies are independent,
    undo leads back and redo forth."""
    game = random_game(title, seed)
    rng = Random(seed)
    selfplay.play_on(game, rng, actions=depth, policy=selfplay.lively)
    assert list(conformance.disagreements(game, 60)) == []
    assert list(transitions.alike(game.rules, game.state)) == []

    raw = encode_state(game.state)
    assert decode_state(game.rules.state_type, raw) == game.state
    assert encode_state(decode_state(game.rules.state_type, raw)) == raw

    before, mark = game.state, fingerprint(game.state)
    twin = game.copy()
    made = selfplay.play_on(twin, rng, actions=5, policy=selfplay.lively)
    assert game.state is before
    assert fingerprint(game.state) == mark
    after = twin.state
    for _ in range(made):
        twin.undo()
    assert twin.state == before
    for _ in range(made):
        twin.redo()
    assert twin.state == after


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
    again = roundhouse.load(game.dump())
    assert [e.state for e in again.log] == [e.state for e in game.log]
    assert again.state == game.state
    assert again.choices() == [] or again.acting == game.acting


def test_a_game_that_gets_to_the_last_turn_is_given_up(
    title: Title, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Game-file format, section 9: turn 100 ends every game; here it is turn 2."""
    assert machine.LAST_TURN == 100
    monkeypatch.setattr(machine, "LAST_TURN", 2)
    names = [f"Player {n}" for n in range(max(3, title.box.game.players.min))]
    game = roundhouse.new(title.id, names, seed=1)
    selfplay.play_on(game, Random(1), actions=1000, policy=selfplay.lively)
    assert (game.end_reason, game.state.turn) == ("dnf", 2)
    assert game.acting == ()
    assert conformance.faults(game.rules, game.state) == []


def test_data_files_are_sound(title: Title) -> None:
    """Every option, phase, colour and company the data name exists, and texts are there."""
    box = title.box
    for company in box.companies.values():
        assert company.text, f"{company.id} has no text for players"
    steps = {
        step.name for play in title.rules(frozenset(), 3).rounds.values() for step in play.sequence
    }
    assert steps <= set(box.help), f"no help for {steps - set(box.help)}"
    for option in box.game.options:
        assert option.explanation
        assert all(c in title.options for c in option.conflicts)
    for seats in range(box.game.players.min, box.game.players.max + 1):
        assert str(seats) in box.game.cash
        assert str(seats) in box.game.cert_limit
    reachable = {p for phase in box.phases.values() for p in phase.on}
    assert reachable <= set(box.trains)
