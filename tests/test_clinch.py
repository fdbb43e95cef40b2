"""Proofs that a game is decided: never wrong, from any position of any game there is.

As a program it looks at every position and tells how many actions before the end the proof comes.
"""

from __future__ import annotations

import pytest

import roundhouse
from roundhouse.clinch import _Closing, bounds, clinched, told

from reference import real_games

#: The real games of titles that tell how worth changes at the end.
FILES = real_games("1828") + real_games("18ireland")
#: Of the positions at the end every so-manieth is looked at.
EVERY = 40


def ending(path, every=EVERY):
    """The last positions of a finished game, in which nothing but operating rounds is left."""
    game = roundhouse.load(path)
    if not game.finished:
        return game, []
    entries = game.history
    closing = game.rules.facts.closing
    near = [e.action.id or 0 for e in entries if e.state.finished is None and closing(e.state)]
    return game, [game.at(number) for number in near[::-every][::-1]]


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_what_is_proven_comes_true(path):
    check(*ending(path))


def check(game, positions):
    """What is proven in positions of a game comes true; those in which it is decided."""
    final = game.result()
    decided = []
    for position in positions:
        players = position.state.players
        worth = {key: final[p.id] for key, p in players.items()}
        for found in bounds(position):
            assert found.low <= worth[found.who] <= found.high
        proof = clinched(position)
        if proof is not None:
            decided.append(position)
            assert worth[proof.leader] == max(worth.values())
            for other, margin in proof.margins.items():
                assert worth[proof.leader] - worth[other] >= margin > 0
    return decided


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_no_run_earns_more_than_the_bound_of_any_position_before(path):
    game, positions = ending(path)
    if not positions:
        pytest.skip("the game did not come so far")
    closing = _Closing(game.rules, positions[0].state, 200)
    most = {c.id: closing._later_run(c) for c in closing._companies() if c.trains}
    begun = len(positions[0].history)
    runs = [e for e in game.history[begun:] if e.action.type == "run_routes"]
    for entry in runs:
        if entry.action.actor in most:
            paid = sum(r.revenue or 0 for r in entry.action.routes)
            assert paid <= most[entry.action.actor]


def test_a_proof_is_told_with_its_figures():
    last = [p for path in FILES for p in ending(path, 1)[1][-3:]]
    found = [(p, proof) for p in last if (proof := clinched(p))]
    if not found:
        pytest.skip("no game here was decided before its end")
    lines = told(*found[0])
    assert "has won" in lines[0]
    assert any("at least" in line for line in lines)
    assert any("at most" in line for line in lines)


def test_before_the_end_nothing_is_claimed():
    for title in ("1817", "1828", "18Ireland", "1873"):
        game = roundhouse.new(title, ["Ada", "Ben", "Cleo"], seed=1)
        assert bounds(game) == ()
        assert clinched(game) is None


if __name__ == "__main__":
    for path in FILES:
        game, positions = ending(path, 1)
        decided = check(game, positions)
        early = len(game.history) - len(decided[0].history) if decided else 0
        print(f"{path.parent.name}/{path.stem}: {len(positions)} positions, {early} actions early")
