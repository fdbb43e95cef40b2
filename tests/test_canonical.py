"""One position is one position, whoever sits where and whichever copies lie."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import roundhouse
from roundhouse.canonical import canonical, canonical_hash, canonical_move, seats_of
from roundhouse.creation import replay
from roundhouse.interchange import nameless
from roundhouse.titles.title import all_titles

GAMES = Path(__file__).parent / "games"
FILES = [GAMES / f"{name}.json" for name in ("1817WO/base", "18Ireland/base", "1839/bankrupt")]


@pytest.mark.parametrize("title", list(all_titles()))
def test_a_beginning_is_the_same_whoever_plays(title):
    seats = all_titles()[title].box.game.players.max
    one = roundhouse.new(title, players=[f"A{n}" for n in range(seats)], seed=1)
    two = roundhouse.new(title, players=[(f"x{n}", f"B{n}") for n in range(seats)], seed=1)
    assert canonical_hash(one.rules, one.state) == canonical_hash(two.rules, two.state)
    assert seats_of(one.rules, one.state)[one.rules.president(one.state, one.acting[0])] == 1
    fewer = all_titles()[title].box.game.players.min
    if fewer < seats:
        few = roundhouse.new(title, players=[f"A{n}" for n in range(fewer)], seed=1)
        assert canonical_hash(few.rules, few.state) != canonical_hash(one.rules, one.state)


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.parent.name)
def test_a_game_without_names_has_the_same_positions_and_moves(path):
    game, _ = replay(path.read_bytes())
    other, _ = replay(json.dumps(nameless(game)).encode())
    mine = [e for e in game.history if e.action.type not in ("message", "log")]
    states = zip(mine[:-1:9], mine[1::9], strict=False)
    hashes = {canonical_hash(other.rules, e.state) for e in other.history}
    for before, after in states:
        assert canonical_hash(game.rules, before.state) in hashes
        assert json.loads(canonical_move(game.rules, before.state, after.action))
    told = json.dumps([canonical(game.rules, e.state) for e in mine[::9]])
    for seat in game.seats:
        assert f'"{seat.name}"' not in told


def test_it_makes_a_difference_where_things_lie():
    """Positions along a game are hardly ever the same."""
    game, _ = replay(FILES[0].read_bytes())
    entries = [e for e in game.history if e.action.type == "lay_tile"]
    assert len({canonical_hash(game.rules, e.state) for e in entries}) == len(entries)


def test_the_same_moves_from_another_seat():
    """The second to act does what the first did in another game: it is one position again."""
    names = ["Ada", "Ben", "Cleo"]
    one = roundhouse.new("1828", players=names, seed=1)
    bid = next(c.action for c in one.choices())
    other = roundhouse.new("1828", players=[(7, "X"), (8, "Y"), (9, "Z")], seed=1)
    same = next(c.action for c in other.choices())
    move = canonical_move(one.rules, one.state, bid)
    assert move == canonical_move(other.rules, other.state, same)
    one.apply(bid)
    other.apply(same)
    assert canonical_hash(one.rules, one.state) == canonical_hash(other.rules, other.state)
