"""Proofs that a game is decided: never wrong, from any position of any game there is.

As a program it looks at every position and tells how many actions before the end the proof comes;
with a number it plays so many games against adversaries instead, of each file named.
"""

from __future__ import annotations

import sys
from random import Random

import pytest

import roundhouse
from roundhouse.clinch import _Closing, bounds, clinched, told
from roundhouse.rounds.steps.progress import OperatingProgress

from endgames import Claims, hold, late, played
from reference import GAMES, real_games

#: The real games of titles that tell how worth changes at the end.
FILES = [p for title in ("1817*", "1828", "1873", "18ireland") for p in real_games(title)]
#: Games of our own, from whose positions adversaries play on as if the end were near: the phases
#: they may be in then, and the trains there still are.
OWN = {
    "1817/volatility": (("8",), ("8",)),
    "1817DE/base": (("8",), ("8",)),
    "1817NA/base": (("8",), ("8",)),
    "1873/base": (("5a", "D"), ("5T", "D")),
}
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


def adversaries(path, phases, for_sale, rng):
    """A late position of a game that adversaries play on, and who does nothing he need not:
    mostly who is ahead."""
    game = roundhouse.load(path)
    running = [e.state for e in game.history if isinstance(e.state.round, OperatingProgress)]
    several = [s for s in running if sum(bool(c.trains) for c in s.corporations.values()) > 2]
    while True:
        s = rng.choice(several[len(several) // 4 :])
        rounds = 1 if len(phases) == 1 else rng.choice((1, 1, 2, 3))
        s = late(s, rounds, rng.choice(phases), for_sale)
        alive = [p for p in s.players if not s.players[p].bankrupt]
        ahead = max(alive, key=lambda p: game.rules.value(s, p))
        if len(alive) > 1 and s.finished is None:
            yield game.rules, s, ahead if rng.random() < 0.6 else rng.choice(alive)


@pytest.mark.parametrize("name", OWN)
def test_whatever_others_do_what_is_proven_comes_true(name):
    rng = Random(1)
    found = adversaries(GAMES / f"{name}.json", *OWN[name], rng)
    for _ in range(8):
        assert hold(*next(found), rng)


@pytest.mark.parametrize("name", ["1817DE/base", "1873/base"])
def test_nobody_passes_who_has_won(name):
    """From positions in which somebody has won many games are played on."""
    rng, games = Random(2), 0
    for rules, start, steady in adversaries(GAMES / f"{name}.json", *OWN[name], rng):
        coming = [s for s in played(rules, start, steady, rng) if s.finished is None][::8]
        if decided := [s for s in coming if Claims(rules, s, steady).won]:
            for _ in range(6):
                assert all(hold(rules, decided[0], steady, rng, 0.05)[:1])
                games += 1
        if games >= 30:
            return


def _against_adversaries(count, names):
    """Many games against adversaries; from how many positions something was held against them."""
    for name in names or OWN:
        path = next((p for p in FILES if p.stem == name), GAMES / f"{name}.json")
        title = path.parent.name
        late_in = OWN["1873/base" if title == "1873" else "1817DE/base"]
        rng = Random(name)
        found = adversaries(path, *late_in, rng)
        held = [hold(*next(found), rng) for _ in range(count)]
        won = sum(sum(h) for h in held), sum(any(h) for h in held)
        total = sum(map(len, held))
        print(f"{name}: {count} games, {total} positions; decided: {won[0]}, in {won[1]} games")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        _against_adversaries(int(sys.argv[1]), sys.argv[2:])
        sys.exit()
    for path in FILES:
        game, positions = ending(path, 1)
        if not positions:
            continue
        decided = check(game, positions)
        early = len(game.history) - len(decided[0].history) if decided else 0
        print(f"{path.parent.name}/{path.stem}: {len(positions)} positions, {early} actions early")
