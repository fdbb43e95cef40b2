"""Ways to finance a train: what was bought in our games is among them, and each can be gone."""

from __future__ import annotations

import pytest

import roundhouse
from roundhouse.financing import ways_to_finance
from roundhouse.model.actions import BuyTrain
from roundhouse.rounds import machine

from reference import GAMES

TITLES = ("1817", "1828", "1839", "18Ireland", "1873")


def _purchases(game, few):
    """Places in the history where a company bought a train in its own turn."""
    found = []
    for n, entry in enumerate(game.history):
        before = game.history[n - 1].state if n else game.start
        if isinstance(entry.action, BuyTrain) and game.rules.operator(before) == entry.action.actor:
            found.append(n)
    return found[:: max(1, len(found) // few)]


@pytest.fixture(params=TITLES)
def game(request):
    path = min((GAMES / request.param).glob("*.json"), key=lambda p: p.stat().st_size)
    return roundhouse.replay(path)[0]


def _key(s, train):
    owner = s.trains[train].owner if train in s.trains else ""
    kind = s.trains[train].kind if train in s.trains else train.rpartition("-")[0]
    return kind, owner if owner in s.corporations else ""


def test_what_was_bought_is_among_the_ways(game):
    for n in _purchases(game, 6):
        before, action = game.at(game.history[n - 1].action.id or 0), game.history[n].action
        found = ways_to_finance(before, action.actor)
        assert not found.supposed
        assert _key(before.state, action.train) in {(w.train, w.seller) for w in found.ways}


def test_every_way_can_be_gone_and_ends_as_told(game):
    for n in _purchases(game, 3):
        before = game.at(game.history[n - 1].action.id or 0)
        who = game.history[n].action.actor
        for way in ways_to_finance(before, who).ways:
            twin = before.copy()
            for action, state in zip(way.actions, way.states, strict=True):
                assert twin.state == state
                twin.apply(action)
            assert twin.state == way.after
            if way.train:
                bought = set(way.after.corporations[who].trains)
                assert bought - set(before.state.corporations[who].trains)


def test_off_turn_a_turn_is_supposed_and_goes_by_the_rules(game):
    here = game.at(game.history[int(len(game) * 0.7)].action.id)
    looked = 0
    for who in list(here.state.corporations):
        found = ways_to_finance(here, who)
        if not found.supposed or not found.ways:
            continue
        way, looked = found.ways[-1], looked + 1
        state = way.states[0]
        for action in way.actions:
            state = machine.apply(here.rules, state, action)
        assert state == way.after
    assert looked or game.title.id in ("1873",)


def test_nothing_is_raised_for_a_train_to_be_had_without(game):
    for n in _purchases(game, 3):
        before = game.at(game.history[n - 1].action.id or 0)
        who = game.history[n].action.actor
        ways = ways_to_finance(before, who).ways
        at_once = {(w.train, w.seller, w.actions[-1].exchange) for w in ways if len(w.actions) == 1
                   and w.train}  # fmt: skip
        for way in ways:
            if len(way.actions) > 1 and way.train:
                last = way.actions[-1]
                assert (way.train, way.seller, last.exchange) not in at_once or last.shell


def test_a_company_that_is_not_there_is_named(game):
    with pytest.raises(ValueError, match="no company XYZ"):
        ways_to_finance(game, "XYZ")
