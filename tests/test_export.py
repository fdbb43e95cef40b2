"""What is written for other programs: every action in the one form they all take."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import roundhouse
from alike import unnamed
from roundhouse import Game, selfplay
from roundhouse.export import effective
from roundhouse.history import History
from roundhouse.model.actions import Action, FailedMerge, Undo
from roundhouse.model.choices import Choice
from roundhouse.model.records import State
from roundhouse.stock.shares import locate
from roundhouse.title_check import random_game
from roundhouse.titles.title import Title
from roundhouse.undo import counting
from test_conformance import TITLES


def portable_game(title: Title, seed: int) -> Game:
    """A random game without options the common format does not know."""
    game = random_game(title, seed)
    kept = [o for o in sorted(game.options) if title.options[o].portable]
    players = [(p.id, p.name) for p in game.seats]
    return roundhouse.new(title.id, players, seed=seed, options=kept)


def any_form(game: Game, choices: list[Choice], rng: Random) -> Action:
    """As :func:`lively` would, but in any of the forms that make no difference."""
    usual = selfplay.lively(game, choices, rng)
    choice = next(c for c in choices if c.covers(usual))
    if usual.type in ("buy_shares", "sell_shares", "place_token", "buy_train"):
        return choice.sample(rng)
    return usual


@settings(max_examples=4)
@given(seed=st.integers(0, 10**6), depth=st.integers(50, 300))
@pytest.mark.parametrize("title", TITLES, ids=lambda t: t.id)
def test_every_form_of_an_action_survives_export_and_import(
    title: Title, seed: int, depth: int
) -> None:
    game = portable_game(title, seed)
    selfplay.play_on(game, Random(seed), actions=depth, policy=any_form)
    game.apply({"type": "message", "message": "x", "entity": 1, "entity_type": "player"})
    short = roundhouse.load(game.export())
    assert unnamed(short, short.state) == unnamed(game, game.state)
    assert short.result() == game.result()
    assert short.export() == game.export(), "what is canonical stays as it is"
    check_form(short)


def check_form(game: Game) -> None:
    """The form section 11 of the format asks for."""
    before = game.start
    for number, entry in enumerate(game.log, start=1):
        a: Any = entry.action
        assert a.id == number
        assert not a.auto_actions
        match a.type:
            case "buy_shares" | "sell_shares":
                assert a.percent is not None
                assert all(among_the_first(before, name, a.shares) for name in a.shares)
            case "buy_train":
                assert a.variant is not None
            case "place_token" if game.title.id == "1873":
                assert a.slot is not None
        before = entry.state


def among_the_first(s: State, name: str, names: tuple[str, ...]) -> bool:
    """Whether a certificate is among the first equal ones of its holder, as many as are named."""
    found = locate(s, name)
    assert found is not None
    symbol, holder, cert = found
    held = s.corporations[symbol].certs[holder]
    equal = [c for c in held if (c.percent, c.index == 0) == (cert.percent, cert.index == 0)]
    return cert in equal[: len(names)]


def test_a_failed_merger_comes_after_an_undo() -> None:
    """1828 §5.6.7.5: an undo to the action before stands before it, even if nothing was tried."""
    game = roundhouse.new("1828", ["A", "B", "C"], seed=1)
    player: dict[str, Any] = {"entity": 2, "entity_type": "player"}
    first = game.choices()[0].action
    failed = FailedMerge(**player, corporations=("GT", "MC"), id=7)
    past = History(game.start)
    for action in (first, failed, first):
        past.add(action, game.start, ())
    told = effective(game.rules, past)
    assert [a.type for a in told] == [first.type, "undo", "failed_merge", first.type]
    assert [a.id for a in told] == [1, 2, 3, 4]
    assert told[1] == Undo(**player, id=2, action_id=1)
    assert counting(told) == {0, 2, 3}


def test_a_file_names_the_first_of_equal_shares() -> None:
    """Who took another one has the same; what he does with it later follows."""
    game = roundhouse.new("Fenland", ["A", "B"], seed=1)
    railway = next(iter(game.state.corporations))
    cell = next(c.action for c in game.choices() if c.type == "par")
    game.apply(cell)
    player: dict[str, Any] = {"entity": 2, "entity_type": "player"}
    game.apply({"type": "buy_shares", **player, "shares": [f"{railway}_3"], "percent": 20})
    game.apply({"type": "pass", "entity": 1, "entity_type": "player"})
    game.apply({"type": "sell_shares", **player, "shares": [f"{railway}_3"], "percent": 20})
    told = game.export()["actions"]
    first = (f"{railway}_1",)
    assert [a.get("shares") for a in told] == [None, first, None, first]
    assert unnamed(game, roundhouse.load(game.export()).state) == unnamed(game, game.state)
    assert game.dump()["actions"][1]["shares"] == (f"{railway}_3",), "our own file says all"
