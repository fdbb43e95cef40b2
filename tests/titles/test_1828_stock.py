"""Stock rounds of 1828: scenarios 5 to 9, 16 and 26 of the rules text's tests (§17)."""

from __future__ import annotations

from pathlib import Path

import pytest

import roundhouse
from roundhouse import Game, IllegalAction
from roundhouse.model.actions import decode_action
from roundhouse.stock import shares

from build1828 import P1, P2, P3, POOL, Table, charter, indexes, money, player, types


def real(reference: Path, name: str, action: int) -> Game:
    return roundhouse.load(reference / "games" / "1828" / name).at(action)


SM = "1828Games_game_end_stock_market.json"


def test_dumping_a_presidency() -> None:
    t = Table()
    t.start("MP", "79,9,5", P1, {P1: [1, 0], P3: [2, 3, 4]})
    t.stock_round(P1)
    t.cash(p1=0)
    game = t.game()
    game.apply(player(1, "sell_shares", shares=["MP_1", "MP_0"], percent=30))
    assert money(game, P1) == 237
    assert charter(game, "MP").cell == "65,12,5"
    assert charter(game, "MP").president == P3
    assert indexes(game, "MP", P3) == [4, 0]
    assert indexes(game, "MP", POOL) == [1, 2, 3]


@pytest.mark.parametrize(
    ("percent", "pool", "left", "price"),
    [(10, [4, 1, 2], [3], "59,14,6"), (20, [3, 4, 1, 2], [], "55,15,6")],
)
def test_part_of_a_presidents_certificate(
    percent: int, pool: list[int], left: list[int], price: str
) -> None:
    """§6.3.4."""
    t = Table()
    t.start("MP", "64,13,6", P3, {P3: [0], P2: [1, 2], POOL: [3, 4]})
    t.stock_round(P3)
    game = t.game()
    game.apply(player(3, "sell_shares", shares=["MP_0"], percent=percent))
    assert indexes(game, "MP", P2) == [0]
    assert indexes(game, "MP", P3) == left
    assert indexes(game, "MP", POOL) == pool
    assert charter(game, "MP").cell == price


def test_a_presidents_certificate_goes_after_all_singles() -> None:
    """§5.4.3: whatever is sold, the seller's holding falls by exactly that much."""
    t = Table()
    t.start("MP", "79,9,5", P1, {P1: [1, 0, 2, 3], P3: [4, 5], POOL: [6]})
    t.stock_round(P1)
    game = t.game()
    fault = game.why_not(player(1, "sell_shares", shares=["MP_1", "MP_0"], percent=30))
    assert fault is not None
    assert fault.rule == "5.4.3"
    sold = {}
    for choice in game.choices():
        if choice.type == "sell_shares":
            branch = game.copy()
            branch.apply(choice.action)
            percent = choice.action.percent
            sold[percent] = len(choice.action.shares)
            assert charter(branch, "MP").held(P1) == 50 - percent
            assert money(branch, P1) - money(game, P1) == percent // 10 * 79
    assert sold == {10: 1, 20: 2, 30: 3, 40: 4, 50: 4}


def test_ledges_stop_a_fall(reference: Path) -> None:
    t = Table()
    t.start("PRR", "67,13,7", P1, {P1: [0, 1, 2], P2: [3, 4, 5]})
    t.stock_round(P2)
    game = t.game()
    game.apply(player(2, "sell_shares", shares=["PRR_3"], percent=10))
    assert charter(game, "PRR").cell == "67,13,7"
    after = real(reference, SM, 333)
    assert charter(after, "CPR").cell == "67,13,7"
    assert indexes(after, "CPR", POOL) == [4, 5, 3, 1, 2]


def grey_table(*options: str) -> Table:
    t = Table(options=options)
    t.cash(p1=100, p2=700, p3=100)
    t.start("MP", "58,13,4", P2, {P2: [0, 2, 3, 4], POOL: [1], P1: [6]}, par=79)
    t.start("GT", "67,13,7", P1, {P1: [0, 1, 2], P2: [3, 4]})
    t.stock_round(P2)
    return t


def test_two_shares_of_ones_own_grey_corporation() -> None:
    game = grey_table().game()
    game.apply(player(2, "buy_shares", shares=["MP_1"], percent=10))
    assert not game.is_legal(player(2, "buy_shares", shares=["GT_5"], percent=10))
    game.apply(player(2, "buy_shares", shares=["MP_5"], percent=10))
    assert money(game, P2) == 700 - 58 - 79
    assert not game.is_legal(player(2, "buy_shares", shares=["MP_7"], percent=10))
    game = grey_table().game()
    game.apply(player(2, "buy_shares", shares=["GT_5"], percent=10))
    assert not game.is_legal(player(2, "buy_shares", shares=["MP_1"], percent=10))


def test_second_share_only_after_a_purchase_under_the_option() -> None:
    for options, legal in (((), True), (("one_buy_type",), False)):
        t = grey_table(*options)
        t.own(P2, "M&H")
        game = t.game()
        take = {"type": "buy_shares", "entity": "M&H", "entity_type": "company"}
        game.apply(take | {"shares": ["MP_5"]})
        assert game.is_legal(player(2, "buy_shares", shares=["MP_1"], percent=10)) == legal


def test_no_limit_in_the_grey_unless_always() -> None:
    """§6.1."""
    for options, free in (((), True), (("limit_60_always",), False)):
        game = grey_table(*options).game()
        game.apply(player(2, "buy_shares", shares=["MP_1"], percent=10))
        assert game.is_legal(player(2, "buy_shares", shares=["MP_5"], percent=10)) == free


def test_who_can_do_nothing_is_skipped() -> None:
    """§5.1.2: a mergeable president and an owner of M&H are waited for, others are not."""
    t = Table(turn=1)
    t.cash(p1=0, p2=50, p3=40)
    t.start("MC", "67,13,7", P1, {P1: [0, 1, 2, 3, 4]}, operated=False, cash=670)
    t.start("CPR", "67,13,7", P3, {P3: [0]}, operated=False, floated=False)
    t.own(P2, "M&H")
    t.stock_round(P1)
    game = t.game()
    assert game.acting == (P1,)
    game.apply(player(1, "pass"))
    assert game.acting == (P2,)
    assert types(game) == {"pass", "buy_shares"}
    t = Table(turn=1)
    t.cash(p1=0, p2=50, p3=40)
    t.start("MC", "67,13,7", P1, {P1: [0, 1, 2, 3, 4]}, operated=False, cash=670)
    t.stock_round(P1)
    game = t.game()
    game.apply(player(1, "pass"))
    assert game.rules.play(game.state).short == "OR"


def test_order_of_passing() -> None:
    """§5.9: the first whose series of passes began is first."""
    t = Table()
    t.cash(p1=200, p2=200, p3=200)
    t.start("GT", "67,13,7", P1, {P1: [0, 1, 2], P2: [3, 4]})
    t.stock_round(P1)
    game = t.game()
    game.apply(player(1, "pass"))
    game.apply(player(2, "pass"))
    game.apply(player(3, "buy_shares", shares=["GT_5"], percent=10))
    game.apply(player(3, "pass"))
    game.apply(player(1, "buy_shares", shares=["GT_6"], percent=10))
    game.apply(player(1, "pass"))
    for who in (2, 3, 1):
        game.apply(player(who, "pass"))
    assert game.state.order == (P2, P3, P1)


def test_exchange_of_mohawk_and_hudson(reference: Path) -> None:
    """§5.5.4: floated before anything was done, the corporation operates in that round."""
    after = real(reference, SM, 188)
    assert charter(after, "OSH").floated
    assert money(after, "OSH") == 790
    take = {
        "type": "buy_shares",
        "entity": "M&H",
        "entity_type": "company",
        "shares": ["OSH_4"],
        "percent": 10,
    }
    early = real(reference, SM, 134)
    early.apply(take)
    assert charter(early, "OSH").floated
    assert early.state.round.order == ("C&P", "NW", "OSH", "CPR", "MP")
    assert early.acting == ("C&P",)
    late = real(reference, SM, 135)
    late.apply(take)
    assert charter(late, "OSH").floated
    assert "OSH" not in late.state.round.order


def test_a_presidency_for_mohawk_and_hudson() -> None:
    """§5.5.5: at the price of one unit, and no action of the turn."""
    t = Table()
    t.cash(p1=70, p2=200, p3=0)
    t.own(P1, "M&H")
    t.stock_round(P1)
    game = t.game()
    take = {
        "type": "buy_shares",
        "entity": "M&H",
        "entity_type": "company",
        "shares": ["B&M_0"],
        "percent": 20,
    }
    game.apply(take)
    assert types(game) == {"par"}
    with pytest.raises(IllegalAction):
        game.apply(player(1, "par", corporation="B&M", share_price="71,11,6"))
    game.apply(player(1, "par", corporation="B&M", share_price="67,13,7"))
    assert money(game, P1) == 3
    assert charter(game, "B&M").president == P1
    plain = Table(options=("mh_plain",))
    plain.own(P1, "M&H")
    plain.stock_round(P1)
    assert not plain.game().is_legal(take)


def test_owner_of_a_share_of_the_unstarted_cannot_take_a_second() -> None:
    """§5.5.3."""
    t = Table()
    prr = t.s.corporations["PRR"]
    shares.move(t.s, "PRR", prr.certs["PRR"][1:2], "PRR", P1)
    t.own(P1, "M&H")
    t.stock_round(P1)
    game = t.game()
    take = {"type": "buy_shares", "entity": "M&H", "entity_type": "company", "shares": ["PRR_2"]}
    assert not game.is_legal(take)
    assert game.is_legal(take | {"shares": ["ERIE_2"]})


@pytest.mark.parametrize(
    ("held", "cell"),
    [
        ({P1: [0, 1, 2, 3], P2: [4, 5, 6, 7, 8]}, "66,11,4"),
        ({P1: [0, 1, 2, 3, 4, 5, 6], P2: [7, 8]}, "71,10,4"),
        ({P1: [0, 1, 2, 3], P2: [4, 5, 6, 7]}, "58,13,4"),
    ],
)
def test_sold_out(held: dict[str, list[int]], cell: str) -> None:
    """§7.4: one step more in the grey, one more for a president with 80 %."""
    t = Table(turn=1)
    t.cash(p1=0, p2=0, p3=0)
    t.start("NYH", "58,13,4", P1, held)
    t.stock_round(P1)
    game = t.game()
    assert game.rules.play(game.state).short == "OR"
    assert charter(game, "NYH").cell == cell


def test_sold_out_at_the_top_goes_right(reference: Path) -> None:
    after = real(reference, SM, 1048)
    assert charter(after, "NYH-MP").cell == "240,0,9"


def test_five_hundred_in_a_stock_round_ends_it_before_the_new_order() -> None:
    """§5.8, §13: sold out onto the last cell; the order of passing is not taken over any more."""
    t = Table()
    t.cash(p1=0, p2=0, p3=0)
    t.start("NYH", "412,0,13", P2, {P2: [0, 1, 2, 3], P3: [4, 5, 6, 7, 8]})
    t.stock_round(P2)
    game = t.game()
    game.apply(player(2, "pass"))
    game.apply(player(3, "pass"))
    assert charter(game, "NYH").cell == "500,0,14"
    assert game.end_reason == "stock_market"
    assert game.state.order == (P1, P2, P3)


@pytest.mark.parametrize(("named", "legal"), [(None, True), (58, True), (79, False)])
def test_a_named_price_must_be_the_one_that_holds(named: int | None, legal: bool) -> None:
    game = grey_table().game()
    buy = player(2, "buy_shares", shares=["MP_1"], percent=10, share_price=named)
    sell = player(2, "sell_shares", shares=["MP_2"], percent=10, share_price=named)
    for action in (buy, sell):
        assert game.is_legal(action) == legal
        covered = any(c.covers(decode_action(action)) for c in game.choices())
        assert covered == legal


def test_what_a_sale_may_name() -> None:
    """§5.4.1, §5.4.3: own certificates of one corporation, nothing twice, nothing swapped."""
    game = grey_table().game()
    for fields, code in (
        ({"shares": ["GT_0"]}, "not_yours"),
        ({"shares": ["MP_9"]}, "not_yours"),
        ({"shares": ["MP_2", "GT_3"]}, "bundle"),
        ({"shares": ["MP_2", "MP_2"]}, "bundle"),
        ({"shares": []}, "bundle"),
        ({"shares": ["MP_2"], "swap": "MP_3"}, "extra"),
        ({"shares": ["MP_2"], "percent": 20}, "percent"),
    ):
        fault = game.why_not(player(2, "sell_shares", **fields))
        assert fault is not None
        assert fault.code == code
