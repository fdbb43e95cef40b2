"""1873: its real game and random ones."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

import roundhouse
from roundhouse.compare import compare
from roundhouse.model.actions import Program, ProgramDisable
from roundhouse.model.choices import Choice
from roundhouse.rounds.steps.progress import OperatingProgress
from roundhouse.titles.g1873 import TITLE
from roundhouse.titles.g1873.state import Charter
from roundhouse.titles.g1873.station import StationToken

NAME = "1873_game_end_stock_market"


@pytest.fixture(scope="module")
def real(reference: Path) -> Any:
    return roundhouse.load(reference / "games" / "1873" / f"{NAME}.json")


def test_real_game_agrees_with_its_trace(real: Any, reference: Path) -> None:
    assert compare(real, reference / "traces" / "1873" / f"{NAME}.jsonl.gz") == []
    assert real.findings == ()
    assert all(real.rules.faults(e.state) == [] for e in real.history)


def test_every_action_was_a_choice(real: Any) -> None:
    before = 0
    for entry in real.history:
        action = entry.action
        if not isinstance(action, Program | ProgramDisable):
            choices = real.at(before).choices()
            assert any(c.covers(action) for c in choices), action
        before = action.id


def test_track_in_the_middle_of_a_real_game(real: Any) -> None:
    """Scenario 24."""
    actions = [c.action for c in real.at(394).choices() if c.type == "lay_tile"]
    assert not [a for a in actions if a.hex == "C14"]
    e10 = {(a.tile.rpartition("-")[0], a.rotation) for a in actions if a.hex == "E10"}
    assert e10 == {("75", 2), ("76", 3), ("956", 0), ("956", 3)}


def test_protected_places_in_a_real_game(real: Any) -> None:
    """Scenario 25."""
    state = real.at(396).state
    step = next(s for s in real.rules.play(state).sequence if isinstance(s, StationToken))
    places = [("H17", 0), ("F5", 1), ("F5", 0), ("H9", 0)]
    assert [step.is_protected(state, *place) for place in places] == [True, True, False, False]


def test_the_end_is_told_from_the_first_5_card_on() -> None:
    """In operating rounds, in the auction of cards and in the stock round after it. In this game
    nobody acts in phase 5 before that; two sets of three rounds follow the set it begins in."""
    game = roundhouse.load(Path(__file__).parents[1] / "games" / "1873" / "base.json")
    states = [e.state for e in game.history if not e.state.finished]
    rounds = [s for s in states if isinstance(s.round, OperatingProgress)]
    played = {(s.turn, s.round.number) for s in rounds}
    seen = set[str]()
    for s in states:
        now = (s.turn, s.round.number if isinstance(s.round, OperatingProgress) else 0)
        left = sum(later >= now for later in played) if s.phase in ("5", "5a") else None
        assert game.rules.facts.rounds_left(s) == left, (now, s.phase, type(s.round))
        told, _ = game.rules.facts.endings(s)
        assert told.short == (f"after turn {game.state.turn}" if left else "")
        seen |= {f"{s.phase} {type(s.round).__name__}"} if left else set()
    later = {"5 CardRound", "5 StockRound"}
    assert seen == later | {f"5a {name}" for name in ("OperatingRound", "CardRound", "StockRound")}
    for s in (s for s in rounds if s.phase == "4"):
        begun = s.fork()
        begun.phase = "5"
        left = s.set_size - s.round.number + 1 + 2 * 3
        assert game.rules.facts.rounds_left(begun) == left


def test_end_of_the_game(real: Any) -> None:
    """Scenario 34: phase 5a came after stock round 11; a marker at 1000 ends it in 12.3."""
    first = next(e.state for e in real.history if e.state.phase == "5a")
    assert (first.turn, first.last_turn) == (11, 12)
    assert (real.state.turn, real.state.round.number) == (12, 3)
    assert real.end_reason == "stock_market"


def test_operating_order(real: Any) -> None:
    """Scenario 35."""
    state = next(e.state for e in real.history if e.state.turn == 11 and e.state.set_size == 3
                 and e.state.round.number == 1 and hasattr(e.state.round, "order"))  # fmt: skip
    order = ["HBE", "MO", "GHE", "NWE", "HW", "KEZ", "SHE", "SN", "U", "MHE"]
    assert [c for c in state.round.order if c not in real.rules.mines] == order


def test_exported_game_carries_its_reports(real: Any) -> None:
    again = roundhouse.load(real.export())
    assert again.result() == real.result()


def test_played_game_adds_its_reports() -> None:
    """§5.4: files expect a report after track was laid; the game writes it by itself."""
    game = roundhouse.new("1873", ["Ada", "Ben", "Cleo"], seed=1)
    rng = Random(4)
    while not any(e.action.auto_actions for e in game.history):
        assert not game.finished
        game.apply(pick(game.choices(), rng))
    assert roundhouse.load(game.dump()).state == game.state
    assert game.state.report is None


WEIGHTS = {"pass": 0.6, "scrap_train": 0.15, "sell_shares": 0.3, "dividend": 5.0, "lay_tile": 0.3}


def pick(choices: list[Choice], rng: Random) -> Any:
    """A random action; mines are hardly ever closed, so that the game gets somewhere."""
    weights = [
        0.02 if c.type == "convert" and c.action.entity_type == "minor" else WEIGHTS.get(c.type, 1)
        for c in choices
    ]
    return rng.choices(choices, weights)[0].sample(rng)


def test_random_games_end() -> None:
    """To the end, with all options mixed; companies fail and are started again meanwhile."""
    seen: Counter[str] = Counter()
    options = list(TITLE.options)
    for seed in range(8):
        rng = Random(seed)
        chosen = [o for o in options if rng.random() < 0.2]
        names = [f"Player {n}" for n in range(2 + seed % 4)]
        game = roundhouse.new("1873", names, seed=seed, options=chosen)
        for _ in range(4000):
            if game.finished:
                break
            game.apply(pick(game.choices(), rng))
            assert game.rules.faults(game.state) == []
            failed = [c for c in game.state.corporations.values()
                      if isinstance(c, Charter) and c.receivership]  # fmt: skip
            seen["receivership"] += bool(failed)
            seen["recapitalised"] += any(c.shares == 10 for c in failed)
        assert game.finished
    assert seen["receivership"]
    assert seen["recapitalised"]
