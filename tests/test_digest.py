"""Digests of states: facts of the table, whatever else records and traces tell."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from roundhouse import selfplay
from roundhouse.digest import _written, digest, facts
from roundhouse.model.codec import decode_state, encode_state
from roundhouse.title_check import random_game
from roundhouse.titles.title import Title
from test_conformance import TITLES


@pytest.mark.parametrize("title", TITLES, ids=lambda t: t.id)
def test_money_and_track_change_the_digest_and_encoding_does_not(title: Title) -> None:
    game = random_game(title, 3)
    selfplay.play_on(game, Random(3), actions=150, policy=selfplay.lively)
    states = [game.start, *(e.state for e in game.history)]
    seen = [digest(game.rules, s) for s in states]
    for before, after, old, new in zip(states, states[1:], seen, seen[1:], strict=False):
        moved = (before.players, before.board) != (after.players, after.board)
        assert not moved or old != new
    again = decode_state(game.rules.state_type, encode_state(game.state))
    assert digest(game.rules, again) == seen[-1]


def test_what_traces_tell_later_is_not_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    game = random_game(TITLES[0], 3)
    before = digest(game.rules, game.state)

    def describe(s: Any, found: dict[str, Any]) -> dict[str, Any]:
        for body in found["players"].values():
            body["mood"] = "good"
        return found | {"weather": "fine", "loans_left": found.get("loans_left", 0)}

    own = game.rules.describe
    monkeypatch.setattr(game.rules, "describe", lambda s, found: describe(s, own(s, found)))
    assert digest(game.rules, game.state) == before
    assert "weather" not in facts(game.rules, game.state)


def as_json(told: Any) -> bytes:
    return json.dumps(told, sort_keys=True, separators=(",", ":")).encode()


@pytest.mark.parametrize("title", TITLES, ids=lambda t: t.id)
def test_facts_are_hashed_as_json_writes_them(title: Title) -> None:
    game = random_game(title, 5)
    selfplay.play_on(game, Random(5), actions=200, policy=selfplay.lively)
    for entry in game.history[::7]:
        told = facts(game.rules, entry.state)
        assert _written(told) == as_json(told)


@pytest.mark.parametrize("name", ["Ada", "Zoë", "a\x7fb", 'q"\\/<>&', "\n\t\x01", "🚂", "é" * 40])
def test_names_are_hashed_as_json_writes_them(name: str) -> None:
    told = {
        "players": {name: {"cash": 7}, "b": {"shares": {}}},
        "order": [name, 3, None, 2.5, True],
    }
    assert _written(told) == as_json(told)
