"""Whole games replay under full checking and agree with their traces after every action."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

import roundhouse
from alike import unnamed
from roundhouse import conformance, transitions
from roundhouse.compare import compare
from roundhouse.model.errors import OptionError
from roundhouse.titles.title import find_title

from reference import GAMES, real_games

OWN = sorted(GAMES.glob("*/*.json"))


def known(path: Path) -> bool:
    """Whether the title of a real game's folder is installed."""
    try:
        find_title(path.parent.name)
    except OptionError:
        return False
    return True


REAL = [p for p in real_games() if known(p)]


@pytest.mark.parametrize("path", REAL, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_real_game_agrees_with_its_trace(path: Path) -> None:
    game = roundhouse.load(path)
    trace = path.parent.parent.parent / "traces" / path.parent.name / f"{path.stem}.jsonl.gz"
    assert compare(game, trace) == []
    assert game.findings == () or path.stem == "23366"


@pytest.mark.parametrize("path", OWN, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_own_game_agrees_with_its_trace(path: Path) -> None:
    game = roundhouse.load(path)
    assert compare(game, path.with_suffix(".jsonl.gz")) == []


@pytest.mark.parametrize("path", REAL + OWN, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_no_invariant_breaks(path: Path) -> None:
    game = roundhouse.load(path)
    money = conformance.total_money(game.start)
    before = game.start
    for number, entry in enumerate(game.history):
        after, (action, events) = entry.state, (entry.action, entry.events)
        assert conformance.faults(game.rules, after, money) == [], action
        assert transitions.faults(game.rules, before, action, events, after) == [], action
        if number % 25 == 0:
            assert list(transitions.alike(game.rules, after)) == [], action
        before = after


@pytest.mark.parametrize("path", REAL + OWN, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_every_played_action_was_a_choice(path: Path) -> None:
    """Each tenth action of the game is covered by a choice of the position before it."""
    game = roundhouse.load(path)
    moves = [e for e in game.history if not e.action.type.startswith(("program", "message", "end"))]
    before = dict(zip((e.action.id for e in moves[1:]), moves[:-1], strict=True))
    for entry in moves[1::10]:
        position = game.at(before[entry.action.id].action.id or 0)
        if position.is_legal(entry.action):
            found = any(c.covers(entry.action) for c in position.choices())
            assert found, f"{entry.action} is legal but no choice covers it"


@pytest.mark.parametrize("path", REAL + OWN, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_files_survive_the_round_trip(path: Path) -> None:
    """What we dump loads to the same states; what we export plays to the same end."""
    game = roundhouse.load(path)
    again = roundhouse.load(game.dump())
    assert [e.state for e in again.history] == [e.state for e in game.history]
    assert again.dump() == game.dump()
    if all(game.title.options[o].portable for o in game.options):
        short = roundhouse.load(game.export())
        assert short.result() == game.result()
        assert short.end_reason == game.end_reason
        assert unnamed(short, short.state) == unnamed(game, game.state)
        if path in REAL:  # they name the first of equal certificates already
            assert replace(short.state, programs=game.state.programs) == game.state
