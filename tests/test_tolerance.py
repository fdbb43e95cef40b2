"""Recorded files that lack or hold an empty answer, as programs with a stale memory write them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import roundhouse
from roundhouse import Game, GameFileError

from reference import GAMES

#: One whole game of each title with operating companies that pass.
FILES = [GAMES / "1817" / "base.json", GAMES / "1828" / "base.json", GAMES / "1873" / "base.json"]

Raw = dict[str, Any]


@cache
def whole(path: Path) -> Game:
    return roundhouse.load(path)


def turns(game: Game) -> list[tuple[int, str, str | None, str | None]]:
    """Of each action: its place, its type, its sender if he operates, who does after it."""
    found = []
    before = game.start
    for entry in game.history:
        place = (entry.action.id or 0) - 1  # ids count from 1; an undo has one too
        operating = game.rules.operator(before)
        sender = operating if operating == entry.action.actor else None
        after = game.rules.operator(entry.state)
        found.append((place, entry.action.type, sender, after))
        before = entry.state
    return found


def raw_of(game: Game) -> Raw:
    raw: Raw = json.loads(json.dumps(game.export()))
    return raw


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.parent.name)
def test_a_pass_that_is_missing_counts_as_given(path: Path) -> None:
    game = roundhouse.load(whole(path).export())
    passes = [place for place, kind, sender, _ in turns(game) if kind == "pass" and sender]
    for place in passes[3 :: max(1, len(passes) // 3)]:
        raw = raw_of(game)
        missing = raw["actions"].pop(place)
        again = roundhouse.load(raw)
        assert again.state == game.state
        assert [f.code for _, f in again.findings] == ["missing"]
        assert missing["entity"] in str(again.findings[0][1])
        assert again.export()["actions"] == game.export()["actions"], "what we write is whole"
        assert roundhouse.load(again.dump()).state == game.state


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.parent.name)
def test_a_pass_nobody_waited_for_does_nothing(path: Path) -> None:
    game = roundhouse.load(whole(path).export())
    ends = [(p, s) for p, _, s, after in turns(game)[:-1] if s and after and after != s]
    for place, who in ends[3 :: max(1, len(ends) // 3)]:
        raw = raw_of(game)
        kind = game.state.corporations[who].sender_type if who in game.state.corporations else ""
        if not kind:
            continue
        extra = {"type": "pass", "entity": who, "entity_type": kind, "id": 2 * place + 3}
        actions = [spread(a) for a in raw["actions"]]
        raw["actions"] = [*actions[: place + 1], extra, *actions[place + 1 :]]
        again = roundhouse.load(raw)
        assert again.state == game.state
        assert [(n, f.code) for n, f in again.findings] == [(extra["id"], "superfluous")]
        assert again.export()["actions"] == game.export()["actions"]


def spread(action: Raw) -> Raw:
    """An action with its ids doubled, so that there is room for others."""
    return action | {k: 2 * action[k] for k in ("id", "action_id") if k in action}


def test_an_empty_run_may_be_missing() -> None:
    path = FILES[0]
    game = roundhouse.load(whole(path).export())
    runs = [
        (entry.action.id or 0) - 1
        for entry in game.history
        if entry.action.type == "run_routes" and not entry.action.routes  # type: ignore[attr-defined]
    ]
    for place in runs[:2]:
        raw = raw_of(game)
        del raw["actions"][place]
        again = roundhouse.load(raw)
        assert again.state == game.state
        assert [f.code for _, f in again.findings] == ["missing"]


def test_a_player_who_could_act_is_not_passed_over() -> None:
    """Nor is anybody else's pass, or one played now, taken as said."""
    players = [{"id": n, "name": name} for n, name in ((1, "A"), (2, "B"), (3, "C"))]
    bid = {"type": "bid", "entity_type": "player", "company": "CM"}
    raw = {"title": "1817", "players": players, "actions": [
        bid | {"entity": 1, "price": 0}, bid | {"entity": 3, "price": 5}]}  # fmt: skip
    with pytest.raises(GameFileError, match=r"actions\[1\]"):
        roundhouse.load(raw)
    game = roundhouse.new("1817", ["A", "B", "C"], seed=1)
    for entity in (2, 3):
        lost = {"type": "pass", "entity": entity, "entity_type": "player"}
        with pytest.raises(roundhouse.IllegalAction):
            game.apply(lost)
        with pytest.raises(GameFileError, match=r"actions\[0\]"):
            roundhouse.load(raw | {"actions": [lost]})
