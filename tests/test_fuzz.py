"""Single actions of whole games made wrong: each is played or refused in words, never anything
else, and a refusal leaves the game as it was."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

import roundhouse
from roundhouse import Game, IllegalAction, conformance

from reference import GAMES, real_games

FILES = [*sorted(GAMES.glob("*/*.json")), *real_games()]

#: What no field should hold, of every JSON type, in all sizes.
JUNK: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 7, 10**9, 10**12, 2**70, 1.5, "", "x", "0", "💥", "\x00", "-",
    "player:1", "company:", "market", "bank", "_", "1_", "1-2-3", [], {}, [None], ["x"], [["x"]],
    [1], {"a": 1}, "A" * 250, ["A"] * 300,
)  # fmt: skip

#: Fields that some action may have besides its own.
EXTRAS = (
    "company", "corporation", "minor", "slot", "slots", "tokener", "token_type", "cost", "percent",
    "variant", "exchange", "shell", "extra_due", "amount", "price", "auto_actions", "skip",
)  # fmt: skip

Raw = dict[str, Any]
Path_ = tuple[Any, ...]


def leaves(value: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Every place in an action, with what is there."""
    if path:
        yield path, value
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, (*path, key))


def changed(raw: Raw, path: Path_, value: Any) -> Raw:
    """A copy with another value in one place."""
    copy = json.loads(json.dumps(raw))
    at = copy
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return copy  # type: ignore[no-any-return]


def spoilt(raw: Raw, others: list[Raw], rng: Random) -> Raw:
    """An action with one thing wrong: its sender, its type, any one place in it or one more."""
    other = rng.choice(others)
    sender = ("entity", "entity_type")
    match rng.randrange(10):
        case 0:
            return {**other, **{k: raw[k] for k in sender}}
        case 1:
            return {**raw, **{k: other[k] for k in sender}}
        case 2:
            gone = rng.choice(list(raw))
            return {k: v for k, v in raw.items() if k != gone}
        case 3 | 4:
            return {**raw, rng.choice(EXTRAS): rng.choice(JUNK)}
    path, value = rng.choice(list(leaves(raw)))
    if type(value) is int and rng.random() < 0.5:
        return changed(raw, path, value + rng.choice((-100, -10, -5, -1, 1, 5, 10, 100)))
    if isinstance(value, list) and rng.random() < 0.5:
        return changed(raw, path, rng.choice((value * 2, value[1:], value[:-1], value[::-1])))
    if isinstance(value, str) and rng.random() < 0.5:
        names = [v for _, v in leaves(rng.choice(others)) if isinstance(v, str)]
        return changed(raw, path, rng.choice(names))
    return changed(raw, path, rng.choice(JUNK))


def plain(game: Game) -> list[Raw]:
    """The actions of a game that count, without ids and what hangs on them."""
    found = [msgspec.to_builtins(e.action) for e in game.history]
    raws = [{k: v for k, v in a.items() if k not in ("id", "auto_actions")} for a in found]
    return json.loads(json.dumps(raws))  # type: ignore[no-any-return]


def tell_apart(position: Game, raw: Raw, money: int) -> None:
    """Send a wrong action: played by the rules, or refused with code and sentence."""
    game, before = position.copy(), position.state
    fault = None
    try:
        game.apply(raw)
    except IllegalAction as refused:
        fault = refused
    assert position.state is before
    if fault is not None:
        assert fault.code, raw
        assert fault.message, raw
        assert " object at 0x" not in str(fault)
        assert game.state is before
        assert game.log == position.log
        return
    assert conformance.faults(game.rules, game.state, money) == [], raw
    played = game.log[-1].action
    if game.state is not before and not played.type.startswith(("program", "end_game")):
        assert any(c.covers(played) for c in position.choices()), raw


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_wrong_actions_are_played_by_the_rules_or_refused(path: Path) -> None:
    game, rng = roundhouse.load(path), Random(path.stem)
    actions, history = plain(game), game.history
    money = conformance.total_money(game.start)
    for at in rng.sample(range(1, len(actions)), 25):
        position = game.at(history[at - 1].action.id or 0)
        for _ in range(6):
            tell_apart(position, spoilt(actions[at], actions, rng), money)


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_wrong_files_say_where(path: Path) -> None:
    """The fault names the wrong action or a later one, and what came before has been played."""
    whole, rng = roundhouse.load(path), Random(path.stem)
    file = whole.dump()
    actions = [msgspec.to_builtins(e.action) for e in whole.history[:40]]
    states = [e.state for e in whole.history[:40]]
    for _ in range(8):
        at = rng.randrange(len(actions))
        wrong = [*actions[:at], spoilt(actions[at], actions, rng), *actions[at + 1 :]]
        try:
            game, fault = roundhouse.replay(file | {"actions": wrong})
        except roundhouse.GameFileError as refused:
            game, fault = None, refused
        if fault is not None:
            place = at if game is None else len(game)
            assert place >= at
            assert fault.where.startswith(f"actions[{place}]"), fault
        if game is not None:
            # a pass the file lacks is hung on the action before it, and noted
            hung = any(number == actions[at]["id"] for number, _ in game.findings)
            same = at - 1 if hung else at
            assert [e.state for e in game.history[:same]] == states[:same]
