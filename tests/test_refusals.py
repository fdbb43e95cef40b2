"""What players look for in vain, and the reasons they are told."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

import roundhouse
from roundhouse.model.actions import BuyShares, Dividend, Pass
from roundhouse.stock.shares import share_id

from reference import GAMES

TITLES = ("1817", "1828", "1839", "1873", "18Ireland")


def moments(title, every=17):
    """Some moments of our own games of a title."""
    for file in sorted((GAMES / title).glob("*.json"))[:2]:
        game, _ = roundhouse.replay(file)
        for entry in game.log[::every]:
            yield game.at(entry.action.id)


@pytest.mark.parametrize("title", TITLES)
def test_whatever_is_refused_is_no_choice_and_is_refused_for_that_reason(title):
    told = 0
    for game in moments(title):
        choices = game.choices()
        for action, fault in ((r.action, r.fault) for r in game.refusals()):
            assert action.actor in game.acting
            assert not any(c.covers(action) for c in choices)
            why = game.why_not(action)
            assert why is not None
            assert why.message == fault.message
            told += 1
    assert told


@pytest.mark.parametrize("title", TITLES)
def test_a_missing_tile_is_refused_and_not_offered(title):
    found = 0
    for game in moments(title, every=5):
        lays = [c.action for c in game.choices() if c.type == "lay_tile"]
        if not lays or found > 5:
            continue
        offered = {(a.hex, a.tile.rpartition("-")[0]) for a in lays}
        for coord in game.state.board.tiles:
            for refusal in game.missing_tiles(coord):
                assert (coord, refusal.action.tile.rpartition("-")[0]) not in offered
                assert game.why_not(refusal.action) is not None
                found += 1
    assert found or title == "1873"  # its tiles are rarely all out


def test_a_tile_of_the_next_phase_is_missing_where_it_would_fit():
    """1817 before the first 3-train: a yellow city asks for a green tile."""
    for game in moments("1817", every=3):
        if game.state.phase == "2" and any(c.type == "lay_tile" for c in game.choices()):
            faults = [
                r.fault for coord in game.state.board.tiles for r in game.missing_tiles(coord)
            ]
            if faults:
                assert {f.code for f in faults} == {"colour"}
                return
    pytest.fail("no tile was laid in phase 2")


def test_nothing_is_refused_when_the_game_is_over():
    game, _ = roundhouse.replay(GAMES / "1828" / "base.json")
    assert game.finished
    assert game.refusals() == []


def test_kinds_of_dividend_a_title_does_not_know_are_not_told_of():
    """1828 pays all or nothing: that there is no half is no news."""
    for game in moments("1828", every=5):
        assert not any(
            isinstance(r.action, Dividend) and r.action.kind == "half" for r in game.refusals()
        )


def test_who_cannot_pass_is_told_why():
    """A railway of 1873 builds its concession route before anything else."""
    refused = (r for game in moments("1873", every=1) for r in game.refusals())
    assert {"must_build", "must_buy"} <= {
        r.fault.code for r in refused if isinstance(r.action, Pass)
    }


def test_a_company_does_not_look_for_shares_of_its_own_treasury():
    for game in moments("18Ireland", every=3):
        for action in (r.action for r in game.refusals()):
            if isinstance(action, BuyShares) and action.actor in game.state.corporations:
                c = game.state.corporations[action.actor]
                own = {share_id(c.id, cert) for cert in c.certs.get(c.id, ())}
                assert not own & set(action.shares)


def test_whoever_is_not_on_turn_is_told_so_by_name():
    game = roundhouse.new("1817", players=["Ada", "Ben", "Cleo"], seed=1)
    fault = game.why_not({"type": "pass", "entity": 2, "entity_type": "player"})
    assert fault.message == "Ben cannot pass now; the game waits for Ada."


def test_a_wrong_price_is_told_with_the_right_one_as_money():
    game, _ = roundhouse.replay(GAMES / "1817" / "base.json")
    sale = next(e for e in game.history if e.action.type == "sell_shares")
    before = game.at((sale.action.id or 0) - 1)
    fault = before.why_not(replace(sale.action, share_price=1))
    price = before.rules.price(before.state, sale.action.shares[0].split("_")[0])
    assert fault.message == f"A share costs {before.rules.money(price)}, not $1."
