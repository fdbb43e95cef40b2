"""1839: three complete games of our own, one for each end, against their traces; random play."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

import roundhouse
from roundhouse.game import Game
from roundhouse.trace import describe, merge

GAMES = Path(__file__).parents[1] / "games" / "1839"

OPTIONS = [
    "offboards_count",
    "city_upgrade_fee",
    "train_trade_in",
    "red_permanent",
    "exchange_always_zero",
    "sell_in_sr1",
    "dike_only_when_sold",
    "jjb_any_train",
]


def stripped(value: Any) -> Any:
    """Without absent values; tuples as JSON has them."""
    if isinstance(value, dict):
        return {k: stripped(v) for k, v in value.items() if v is not None}
    return value


@pytest.mark.parametrize("name", ["bankrupt", "stock_market", "train_marker"])
def test_a_complete_game_agrees_with_its_trace(name: str) -> None:
    game = roundhouse.load(GAMES / f"{name}.json")
    with gzip.open(GAMES / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        first, *lines, last = (json.loads(line) for line in file)
    states = [game.start, *(entry.state for entry in game.history)]
    told: dict[str, Any] = {}
    assert len(lines) == len(game.history)
    for state, line in zip(states, [first, *lines], strict=True):
        merge(told, line.get("state") or line.get("d", {}))
        ours = stripped(describe(game.rules, state))
        assert json.loads(json.dumps(ours)) == told, line.get("id")
    assert game.end_reason == last["reason"] == name
    assert {str(k): v for k, v in game.result().items()} == last["result"]


def test_the_bankrupt_game_is_played_by_the_document() -> None:
    game = roundhouse.load(GAMES / "bankrupt.json")
    assert {"exchange_always_zero", "sell_in_sr1", "dike_only_when_sold"} <= game.options


def invariants(game: Game) -> list[str]:
    """Money, certificates, tiles, and what the title itself knows."""
    s: Any = game.state
    rules: Any = game.rules
    found = list(rules.faults(s))
    money = s.bank + sum(p.cash for p in s.players.values())
    if money + sum(c.cash for c in s.corporations.values()):
        found.append("money was made or lost")
    if any(p.cash < 0 for p in s.players.values()):
        found.append("a player is in debt")
    for c in s.corporations.values():
        certs = [x for held in c.certs.values() for x in held]
        if certs and (sum(x.percent for x in certs) != 100 or len({x.index for x in certs}) < 9):
            found.append(f"certificates of {c.id}")
    laid = Counter(t.tile.rpartition("-")[0] for t in s.board.tiles.values())
    found += [
        f"{n} tiles {tile}" for tile, n in laid.items() if n > (rules.box.tiles.counts[tile] or 999)
    ]
    if not s.finished and not game.choices():
        found.append(f"nothing to do in {s.step}")
    return found


@pytest.mark.parametrize("seed", range(5))
def test_random_play(seed: int) -> None:
    """Every listed action is accepted and covered, and nothing is ever broken."""
    rng = Random(seed)
    options = [o for o in OPTIONS if rng.random() < 0.4]
    game = roundhouse.new("1839", list("ABCDEF")[: 2 + seed], seed=seed, options=options)
    for number in range(300):
        choices = game.choices()
        if not choices:
            break
        if number % 10 == 0:
            for action in (a for c in choices[:25] for a in c.actions()):
                assert any(c.covers(action) for c in choices), action
                assert game.why_not(action) is None, action
        types = list(dict.fromkeys(c.type for c in choices))
        kind = rng.choice(types)
        game.apply(rng.choice([c for c in choices if c.type == kind]).sample(rng))
        assert invariants(game) == []


def test_what_is_not_offered_is_refused() -> None:
    """Actions of other moments of a game are legal now exactly if a choice covers them."""
    game = roundhouse.load(GAMES / "bankrupt.json")
    entries = game.history
    rng = Random(5)
    checked = 0
    for before, entry in pairwise(entries):
        if rng.random() < 0.8 or before.state.finished:
            continue
        now = game.at(before.action.id or 0)
        choices = now.choices()
        for other in rng.sample(entries, 25):
            action = type(other.action)(
                **{f: getattr(other.action, f) for f in other.action.__struct_fields__ if f != "id"}
            )
            legal = now.why_not(action) is None
            assert legal == any(c.covers(action) for c in choices), (entry.action.id, action)
            checked += legal
    assert checked > 20


def test_every_step_and_private_explains_itself() -> None:
    rules: Any = roundhouse.new("1839", ["Ada", "Ben"], seed=1).rules
    names = {step.name for play in rules.rounds.values() for step in play.sequence}
    assert names == set(rules.box.help)
    assert all(len(c.text) > 60 for c in rules.box.companies.values())
