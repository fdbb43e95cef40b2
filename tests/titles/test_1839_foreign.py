"""1839: the foreigners (§11.7, §12)."""

from __future__ import annotations

from test_1839_table import Table, past_auction


def one_company(table: Table) -> None:
    """A public company with two trains and nothing to decide but its trains."""
    table.start("AMS", "67,13,7", p1=(0, 1, 2, 3, 4))


def test_scenario_21_the_example() -> None:
    table = past_auction()
    table.phase("Yellow")
    with table.arrange() as s:
        s.depot = s.depot.__class__(s.depot.piles[1:])
    one_company(table)
    table.start("HANN", "94,5,3", p1=(4, 5, 6), p2=(7, 8), pool=(9,))
    table.cash("Germany", 410)
    table.cash("HANN", 46)
    before = table.player(1), table.player(2)
    table.abroad()
    assert (table.player(1), table.player(2)) == (before[0] + 15, before[1] + 10)
    assert table.company("Germany") == 177
    assert table.company("HANN") == 0
    assert table.price("HANN") == 99
    assert sorted(c.index for c in table.s.corporations["HANN"].certs["HANN"]) == [0, 1, 2, 3, 9]
    assert table.s.phase == "Green"


def test_an_empty_slot_moves_left_and_still_buys() -> None:
    table = past_auction()
    one_company(table)
    table.start("HANN", "94,5,3", p1=(4, 5), pool=(6,))
    table.cash("Germany", 300)
    before = table.player(1)
    table.abroad()
    assert table.price("HANN") == 90
    assert table.player(1) == before
    assert table.company("Germany") == 300 - 90 - 200
    assert table.s.depot.piles[0].left == 5


def test_shares_of_a_slot_are_rounded_up_and_the_pool_gets_nothing() -> None:
    """Slot 51: 6 a share; charter 40 % to the country, the pool's is lost."""
    table = past_auction()
    one_company(table)
    table.start("BG", "94,5,3", p1=(0, 1, 2), pool=(3, 4, 5))
    table.cash("BG", 51)
    before = table.player(1)
    table.abroad()
    assert table.player(1) == before + 18
    assert table.company("Belgium") == 51 + 24


def test_countries_in_order_and_a_common_treasury() -> None:
    """AK is dearer than HANN and buys first; HANN spends what AK earned."""
    table = past_auction()
    one_company(table)
    table.start("HANN", "79,9,5")
    table.start("AK", "94,5,3")
    table.start("OVER", "67,13,7")
    table.cash("HANN", 40)
    table.cash("AK", 20)
    table.abroad()
    turns = [
        e.who
        for entry in table.game.log
        for e in entry.events
        if e.__class__.__name__ == "TurnStarted"
    ]
    assert turns == []
    assert table.company("Germany") == 40 + 40 + 20 + 20 - 100
    assert table.price("OVER") == 64


def test_the_pool_is_bought_back_as_far_as_money_goes_then_trains() -> None:
    table = past_auction()
    one_company(table)
    table.start("HANN", "120,1,1", pool=(0, 1, 2))
    table.cash("Germany", 340)
    table.abroad()
    assert table.price("HANN") == 112
    assert table.company("Germany") == 340 - 3 * 112


def test_trains_are_bought_although_shares_stay_in_the_pool() -> None:
    table = past_auction()
    one_company(table)
    table.start("HANN", "120,1,1", pool=(0,))
    table.cash("Germany", 105)
    table.abroad()
    assert [c.index for c in table.s.corporations["HANN"].certs["market"]] == [0]
    assert table.company("Germany") == 5
    assert table.s.depot.piles[0].left == 6


def test_scenario_22_the_first_5d_in_the_middle_of_a_foreign_turn() -> None:
    table = past_auction()
    table.phase("Brown")
    with table.arrange() as s:
        s.depot = s.depot.__class__(s.depot.piles[1:])
    one_company(table)
    table.start("SS", "94,5,3", p2=(0, 1, 2, 3, 4))
    table.train("AMS", "7+-0", "7+-1", "7+-2")
    table.train("SS", "5+-1", "7+-3", "7+-4")
    for company in ("RG", "VV", "AB"):
        table.private(company, "AMS")
    table.private("VES", "AMS")
    table.start("HANN", "94,5,3")
    table.start("ROER", "79,9,5")
    table.cash("Germany", 2100)
    table.abroad()
    assert table.s.phase == "Red"
    assert table.rules.privates(table.s, "AMS") == ["VES"]
    assert table.s.corporations["SS"].trains == ("7+-3", "7+-4")
    assert table.game.acting == ("AMS",)
    assert table.s.step == "discard"
    assert table.company("Germany") == 1100
    assert table.price("ROER") == 79
    table.refused("AMS", "discard_train", "not_yours", train="7+-3")
    table.do("AMS", "discard_train", train="7+-1")
    assert table.company("Germany") == 100
    assert table.price("ROER") == 76


def test_the_last_rank_returns_to_the_supply() -> None:
    table = past_auction()
    table.phase("Black")
    with table.arrange() as s:
        s.depot = s.depot.__class__(s.depot.piles[-1:])
    one_company(table)
    table.start("HANN", "94,5,3")
    table.cash("Germany", 4100)
    table.abroad()
    assert table.company("Germany") == 100
    assert table.s.depot.piles[0].left is None


def test_unparred_foreigners_do_not_operate() -> None:
    table = past_auction()
    one_company(table)
    table.cash("Germany", 500)
    table.abroad()
    assert table.company("Germany") == 500
