"""Operating rounds of 1828: scenarios 17 to 28 of the rules text's tests (§17)."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import roundhouse
from roundhouse import Game, IllegalAction
from roundhouse.board import laying
from roundhouse.model.frozen import drop, put
from roundhouse.model.records import Train
from roundhouse.titles.g1828.state import OperatingRound
from roundhouse.trains import depot

from build1828 import (
    P1,
    P2,
    P3,
    POOL,
    Table,
    charter,
    corporation,
    indexes,
    money,
    player,
    types,
)

SM, FP = "1828Games_game_end_stock_market", "23366"


@cache
def loaded(path: Path) -> Game:
    return roundhouse.load(path)


@pytest.fixture
def real(reference: Path) -> Any:
    """A real game right after an action: ``real(SM, 281)``."""
    return lambda name, action: loaded(reference / "games" / "1828" / f"{name}.json").at(action)


def company(name: str, type: str, **fields: Any) -> dict[str, Any]:
    return {"type": type, "entity": name, "entity_type": "company", **fields}


def give_trains(t: Table, who: str, *trains: str, shells: dict[str, str] | None = None) -> None:
    """Trains in play; ``shells`` by train for systems."""
    for train in trains:
        t.s.trains = put(t.s.trains, train, Train(train, train.rpartition("-")[0], who))
    train_shells = tuple((shells or {}).items())
    owner = replace(t.s.corporations[who], trains=trains, train_shells=train_shells)
    t.s.corporations = put(t.s.corporations, who, owner)


def only_piles(t: Table, *kinds: str) -> None:
    """Take the first trains out of the depot."""
    piles = tuple(p for p in t.s.depot.piles if p.kind in kinds)
    t.s.depot = replace(t.s.depot, piles=piles)


def home(t: Table, who: str, place: str) -> None:
    """Put the home token of a corporation down."""
    coord, city = laying.split_place(place)
    laying.place_token(t.rules.box, t.s, who, coord, city, 0, 0)
    laying.reserve(t.s, coord, ())


# the minor and the privates (17, 18)


def test_the_minor_runs_over_its_new_tile(real: Any) -> None:
    before, after = real(FP, 272), real(FP, 273)
    owner = charter(before, "C&P").president
    assert owner is not None
    assert money(after, owner) - money(before, owner) == 35
    assert money(after, "C&P") - money(before, "C&P") == 35


def test_the_minor_does_not_run_without_a_tile(real: Any) -> None:
    game = real(FP, 52)
    assert game.acting == ("C&P",)
    game.apply({"type": "pass", "entity": "C&P", "entity_type": "minor"})
    assert game.acting == ("GT",)


def cp_sale(*options: str) -> Table:
    t = Table(options=options)
    t.cash(p1=100, p2=100, p3=100)
    t.start("B&O", "67,13,7", P1, {P1: [0, 1, 2, 3, 4]}, cash=234)
    t.own(P2, "C&P")
    minor = replace(t.s.corporations["C&P"], cash=75, president=P2)
    t.s.corporations = put(t.s.corporations, "C&P", minor)
    t.s.phase = "Green"
    home(t, "B&O", "I19/0")
    t.operating("B&O", "track")
    return t


def test_cp_brings_money_and_a_token() -> None:
    game = cp_sale().game()
    game.apply(corporation("B&O", "buy_company", company="C&P", price=160))
    assert money(game, "B&O") == 149
    assert money(game, P2) == 260
    assert "C&P" not in game.state.corporations
    assert game.acting == ("company:C&P",)
    assert types(game) == {"place_token", "pass"}
    swap = game.copy()
    swap.apply(company("C&P", "place_token", city="C15-0-0", slot=0))
    assert swap.state.board.cities["C15"] == (("B&O",),)
    assert swap.acting == ("B&O",)
    game.apply(company("C&P", "pass"))
    assert game.state.board.cities["C15"] == (("blocker",),)


@pytest.mark.parametrize(("options", "left"), [((), None), (("cp_always_blocker",), "blocker")])
def test_cp_without_a_token_for_it(options: tuple[str, ...], left: str | None) -> None:
    t = cp_sale(*options)
    tokens = tuple(
        token if token.city else replace(token, city="H20/0")
        for token in t.s.corporations["B&O"].tokens
    )
    t.s.corporations = put(t.s.corporations, "B&O", replace(t.s.corporations["B&O"], tokens=tokens))
    game = t.game()
    game.apply(corporation("B&O", "buy_company", company="C&P", price=1))
    assert game.acting == ("B&O",)
    assert game.state.board.cities.get("C15", ((None,),)) == ((left,),)


def test_erie_and_kalamazoo(real: Any) -> None:
    game = real(FP, 126)
    assert money(game, "GT") == 310
    assert game.acting == ("company:E&K",)
    assert types(game) - {"buy_shares"} == {"lay_tile"}
    game = real(FP, 129)
    assert money(game, "GT") == 290
    assert game.state.step == "token"


def test_track_waits_while_erie_and_kalamazoo_is_unused(real: Any) -> None:
    game = real(SM, 245)
    assert game.state.step == "track"
    assert "pass" in types(game)


def test_third_lay_for_forty(real: Any) -> None:
    assert money(real(SM, 840), "NYH-MP") == 177
    assert money(real(SM, 843), "NYH-MP") == 17
    assert real(SM, 767).state.step != "track"


# coal (20)


def test_token_step_waits_for_the_coalfields(real: Any) -> None:
    game = real(FP, 163)
    assert game.state.step == "token"
    assert types(game) - {"buy_shares", "buy_company"} == {"pass", "special_buy"}
    assert not game.is_legal(corporation("IC", "place_token", city="K11-0-0", slot=0))
    after = real(FP, 164)
    assert money(after, "IC") == 430
    assert after.rules.has_coal(after.state, "IC")
    assert not after.is_legal(corporation("IC", "special_buy", description="Coal Marker", cost=120))


# trains (21 to 24)


def test_discards_in_other_turns(real: Any) -> None:
    game = real(SM, 670)
    assert game.acting == ("NYH-MP",)
    assert {c.action.train for c in game.choices() if c.type == "discard_train"} == {
        "3-3", "3-5", "5-2", "5-3"
    }  # fmt: skip
    assert real(SM, 694).acting == ("NYH-MP",)


def test_help_for_an_empty_shell(real: Any) -> None:
    game = real(SM, 1187)
    assert game.is_legal(corporation("ERIE-C&O", "pass"))
    president = charter(game, "ERIE-C&O").president
    assert president is not None
    cash = money(game, president)
    after = real(SM, 1188)
    assert cash - money(after, president) == 900 - 529
    assert charter(after, "ERIE-C&O").shell("C&O") == ("D-4",)
    assert real(FP, 720).acting != real(FP, 719).acting


def forced(*options: str) -> Table:
    """MP has $118 and no train; the bank sells 6-trains for $650."""
    t = Table(options=options)
    t.cash(p1=0, p2=233, p3=0)
    t.start("MP", "50,15,4", P2, {P2: [0, 1, 2, 3, 4]}, cash=118, routed=True)
    t.start("B&O", "74,13,8", P1, {P1: [0, 1], P2: [2, 3, 4]}, cash=500)
    t.start("NYH", "62,12,4", P1, {P1: [0, 1], P2: [2]}, cash=500)
    t.start("B&M", "79,9,5", P3, {P3: [0, 1], P2: [2]}, cash=500)
    t.start("CPR", "85,8,5", P3, {P3: [0, 1], P2: [2]}, cash=500)
    give_trains(t, "B&O", "5-0")
    only_piles(t, "6", "8E", "D")
    t.s.phase = "Red"
    t.operating("MP", "trains", "B&O")
    return t


def test_forced_purchase_with_the_presidents_shares() -> None:
    game = forced().game()
    assert not game.is_legal(corporation("MP", "pass"))
    assert not game.is_legal(corporation("MP", "bankrupt"))
    game.apply(player(2, "sell_shares", shares=["B&O_2"], percent=10))
    assert money(game, P2) == 233 + 74
    for price, legal in ((351, False), (352, False), (118 + 307 - 74 + 1, False), (250, False)):
        assert game.is_legal(corporation("MP", "buy_train", train="5-0", price=price)) == legal
    for share in ("NYH_2", "B&M_2", "CPR_2"):
        game.apply(player(2, "sell_shares", shares=[share], percent=10))
    assert money(game, P2) == 233 + 74 + 62 + 79 + 85
    assert not game.is_legal(player(2, "sell_shares", shares=["B&O_3"], percent=10))
    game.apply(corporation("MP", "buy_train", train="6-0", price=650))
    assert money(game, P2) == 533 - 532
    assert money(game, "MP") == 0


def test_no_presidency_of_the_own_corporation_is_lost_in_an_emergency() -> None:
    t = forced()
    mp = t.s.corporations["MP"]
    certs = {"MP": mp.certs["MP"][3:], P1: mp.certs["MP"][:3], P2: mp.certs[P2]}
    t.s.corporations = put(t.s.corporations, "MP", replace(mp, certs=certs))
    game = t.game()
    assert game.is_legal(player(2, "sell_shares", shares=["MP_1", "MP_2", "MP_3"], percent=30))
    assert not game.is_legal(
        player(2, "sell_shares", shares=["MP_1", "MP_2", "MP_3", "MP_4"], percent=40)
    )


def test_bankruptcy_ends_the_game() -> None:
    t = Table()
    t.cash(p1=100, p2=5, p3=100)
    t.start("CPR", "67,13,7", P2, {P2: [0], P1: [1]}, cash=207, routed=True)
    t.start("B&M", "67,13,7", P1, {P1: [0, 1], P2: [4]})
    only_piles(t, "D")
    t.s.phase = "Gray"
    t.operating("CPR", "trains")
    game = t.game()
    assert "bankrupt" in types(game)
    game.apply(corporation("CPR", "bankrupt"))
    assert game.end_reason == "bankrupt"
    assert money(game, P2) == 0
    assert indexes(game, "B&M", POOL) == [4]
    assert game.state.players[P2].bankrupt


def test_shells_must_own_under_the_option(real: Any) -> None:
    game = real(FP, 719)
    assert game.is_legal(corporation("NKP-ERIE", "pass"))
    rules = game.title.rules(frozenset({"shells_must_own"}), 4)
    step = next(x for x in rules.play(game.state).sequence if x.name == "trains")
    with pytest.raises(IllegalAction):
        step.check(game.state, roundhouse.model.actions.decode_action(
            corporation("NKP-ERIE", "pass")
        ))  # fmt: skip


# dividends, tokens, ends (25 to 28)


def test_dividend_of_a_corporation_and_of_a_system(real: Any) -> None:
    t = Table()
    t.cash(p1=0, p2=0, p3=0)
    t.start("CPR", "69,9,2", P2, {P2: [0, 1, 2, 3, 4], POOL: [5]}, cash=0)
    t.operating("CPR", "dividend", revenue=70)
    game = t.game()
    game.apply(corporation("CPR", "dividend", kind="payout"))
    assert money(game, P2) == 42
    assert money(game, "CPR") == 7
    before, after = real(FP, 286), real(FP, 287)
    assert money(after, "GT-IC") - money(before, "GT-IC") == 74
    assert money(after, "player:5518") - money(before, "player:5518") == 148


def test_home_token_of_a_hex_with_two_cities(real: Any) -> None:
    game = real(FP, 673)
    assert game.acting == ("NKP-ERIE",)
    game.apply(corporation("NKP-ERIE", "place_token", city="59-2-1", slot=0))
    assert money(game, "NKP-ERIE") == money(real(FP, 673), "NKP-ERIE")
    assert game.state.board.cities["E15"][1] == ("NKP-ERIE",)
    both = real(SM, 1069)
    assert [t.city for t in charter(both, "ERIE-C&O").tokens[:2]] == ["E15/0", "K15/0"]


def test_unstarted_corporations_leave_after_the_first_diesel(reference: Path) -> None:
    game = loaded(reference / "games" / "1828" / f"{FP}.json")
    last = next(e.state for e in game.history if e.state.turn == 7)
    for coord in ("K15", "K19", "A15"):
        assert "blocker" in last.board.cities[coord][0]
    assert not [c for c in last.corporations.values() if c.cell is None]
    assert game.end_reason == "final_phase"
    assert sorted(game.result().values(), reverse=True) == [11194, 11108, 9410, 5498]


def test_five_hundred_ends_the_round(reference: Path) -> None:
    game = loaded(reference / "games" / "1828" / f"{SM}.json")
    assert game.end_reason == "stock_market"
    assert game.state.round.number == 1
    assert sorted(game.result().values(), reverse=True) == [10932, 10545, 9101]


def test_the_first_six_closes_everything() -> None:
    t = Table()
    t.cash(p1=0, p2=0, p3=0)
    t.start("GT", "67,13,7", P1, {P1: [0, 1, 2, 3, 4]}, cash=700)
    t.own(P2, "C&P", "SVN")
    minor = replace(t.s.corporations["C&P"], cash=75, president=P2)
    t.s.corporations = put(t.s.corporations, "C&P", minor)
    only_piles(t, "6", "8E", "D")
    t.s.phase = "Brown"
    t.operating("GT", "trains")
    game = t.game()
    bank = game.state.bank
    game.apply(corporation("GT", "buy_train", train="6-0", price=650))
    assert all(c.closed for c in game.state.companies.values())
    assert "C&P" not in game.state.corporations
    assert game.state.board.cities["C15"] == (("blocker",),)
    assert game.state.bank == bank + 650 + 75
    assert "2-1" not in game.state.trains
    assert depot.top(game.state) is not None


@pytest.mark.parametrize(("options", "step"), [((), "trains"), (("two_tiles_for_all",), "track")])
def test_second_lay_of_a_plain_corporation(options: tuple[str, ...], step: str) -> None:
    t = Table(options=options)
    t.start("GT", "67,13,7", P1, {P1: [0, 1, 2, 3, 4]}, cash=80)
    home(t, "GT", "D4/0")
    t.operating("GT", "track")
    game = t.game()
    game.apply(next(c for c in game.choices() if c.type == "lay_tile").action)
    assert game.state.step == step


def test_the_minor_runs_from_home_under_the_option(real: Any) -> None:
    t = Table(options=("cp_home_route",))
    t.cash(p1=0, p2=0, p3=0)
    t.own(P2, "C&P")
    minor = replace(t.s.corporations["C&P"], president=P2)
    t.s.corporations = put(t.s.corporations, "C&P", minor)
    t.s.board = real(FP, 53).state.board
    t.operating("C&P", "track")
    game = t.game()
    game.apply({"type": "pass", "entity": "C&P", "entity_type": "minor"})
    assert game.state.step == "routes"
    run = next(c for c in game.choices() if c.type == "run_routes")
    best = next(run.actions())
    assert [r.revenue for r in best.routes] == [30]


def test_dividends_may_name_an_amount_nobody_looks_at() -> None:
    t = Table()
    t.start("CPR", "69,9,2", P2, {P2: [0, 1, 2, 3, 4]}, cash=0)
    t.operating("CPR", "dividend", revenue=70)
    assert t.game().is_legal(corporation("CPR", "dividend", kind="payout", amount=7))


def test_a_home_still_to_be_chosen_survives_a_new_order() -> None:
    """§5.5.4, §9.6.2: ERIE, first of the round, has to choose a city; then M&H floats NYH."""
    t = Table()
    t.cash(p1=0, p2=0, p3=0)
    t.own(P3, "M&H")
    t.start("ERIE", "71,11,6", P1, {P1: [0, 1, 2, 3, 4]}, operated=False, cash=710)
    t.start("NYH", "79,9,5", P2, {P2: [0, 1, 2, 3]}, operated=False, floated=False)
    t.s.board = laying.with_tile(t.rules.box, t.s.board, "E15", "59-0", 0)
    t.s.corporations = drop(t.s.corporations, "C&P")
    t.rules.enter(t.s, OperatingRound)
    game = t.game()
    assert game.state.step == "home token"
    game.apply(company("M&H", "buy_shares", shares=["NYH_5"], percent=10))
    assert game.state.round.order == ("NYH", "ERIE")
    assert game.acting == ("ERIE",)
    game.apply(corporation("ERIE", "place_token", city="59-0-0"))
    assert game.acting == ("NYH",)
    assert charter(game, "NYH").tokens[0].city == "G23/1"


def test_a_token_is_something_done_in_the_round(reference: Path) -> None:
    """§5.5.4: after it a corporation that M&H floats waits for the next round."""
    whole = loaded(reference / "games" / "1828" / f"{FP}.json")
    actions = [entry.action for entry in whole.history]
    for before, action in pairwise(actions):
        if action.type == "place_token" and whole.at(before.id or 0).state.step == "token":
            break
    game = whole.at(before.id or 0)
    state = game.state.fork()
    state.round = replace(state.round, fresh=True)
    game._state = state.seal()
    game.apply(action)
    assert not game.state.round.fresh


def test_a_free_tile_late_in_the_turn_forces_a_train() -> None:
    """§10.3: a first route makes a train a must, also after the dividend."""
    t = Table()
    t.cash(p1=500, p2=0, p3=0)
    t.start("CPR", "67,13,7", P1, {P1: [0, 1, 2, 3, 4]}, cash=160)
    t.own("CPR", "C&StL")
    home(t, "CPR", "A23/0")
    only_piles(t, "3", "5")
    t.s.phase = "Green"
    t.operating("CPR", "trains")
    game = t.game()
    assert game.is_legal(corporation("CPR", "pass"))
    lays = [c.action for c in game.choices() if c.type == "lay_tile"]
    linking = []
    for lay in lays:
        after = game.copy()
        after.apply(lay)
        if game.rules.linked(after.state, "CPR"):
            linking.append(after)
    assert 0 < len(linking) < len(lays)
    for after in linking:
        assert not after.is_legal(corporation("CPR", "pass"))
        assert after.is_legal(corporation("CPR", "buy_train", train="3-0", price=160))


def test_bankruptcy_sorts_who_is_still_to_come() -> None:
    """§7.5, §10.7: the shares sold lower B&M below NYC; whose turn it was stays told."""
    t = Table()
    t.cash(p1=100, p2=5, p3=100)
    t.start("CPR", "67,13,7", P2, {P2: [0], P1: [1]}, cash=207, routed=True)
    t.start("B&M", "82,10,7", P1, {P1: [0, 1], P2: [4, 5]})
    t.start("NYC", "77,11,7", P1, {P1: [0, 1]})
    only_piles(t, "D")
    t.s.phase = "Gray"
    t.operating("CPR", "trains", "B&M", "NYC")
    game = t.game()
    game.apply(corporation("CPR", "bankrupt"))
    assert charter(game, "B&M").cell == "72,12,7"
    assert game.state.round.order == ("CPR", "NYC", "B&M")
    assert game.rules.operator(game.state) == "CPR"
