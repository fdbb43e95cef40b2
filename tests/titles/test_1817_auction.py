"""1817, the opening auction (§3) and the pyramid of Volatility (§14.1)."""

from __future__ import annotations

from build1817 import Table


def test_scenario_1_seed_money_and_next_opener_real(real1817):
    """Scenario 1: MINM goes for 50, the bank adds 10, the choice goes left of the opener."""
    t = real1817("20758", 10)
    assert t.cash(2) == 202
    assert t.s.companies["MINM"].owner == t.key(2)
    assert t.s.seed_money == 190
    assert t.waits(1)
    assert t.s.order[0] == t.key(0)


def test_scenario_1_seed_money_and_next_opener():
    """Scenario 1, constructed: a sale at 50 of 60 costs 10 of the seed money."""
    t = Table(5)
    t.do("bid", 1, company="MINM", price=10)
    t.do("bid", 2, company="MINM", price=30).do("bid", 3, company="MINM", price=35)
    t.do("bid", 4, company="MINM", price=40).passes(5)
    t.do("bid", 1, company="MINM", price=45).passes(2)
    t.do("bid", 3, company="MINM", price=50).passes(4, 1)
    assert t.cash(3) == 252 - 50
    assert t.s.seed_money == 190
    assert t.waits(2), "left of the opener, not of the winner"


def test_scenario_2_poor_player_is_out_at_once_real(real1817):
    """Scenario 2: with 7 dollars left Player 2 is out when CM opens at 30."""
    t = real1817("20758", 75)
    assert t.cash(2) == 7
    bidders = t.progress.bidding.bidders
    assert t.key(2) not in bidders
    assert len(bidders) == 4


def test_scenario_2_poor_player_is_out_at_once():
    """Scenario 2, constructed."""
    t = Table(4)
    t.purse(3, 7)
    t.do("bid", 1, company="CM", price=30)
    assert t.progress.bidding.bidders == ("player:1", "player:2", "player:4")
    t.passes(2)
    assert t.waits(4)


def test_minimum_follows_face_value_and_seed_money():
    """§3.2: face value less what the bank still adds; then steps of 5 from there."""
    t = Table(4)
    t.s.seed_money = 93
    t.refuses("bid_too_low", "bid", 1, company="MAJM", price=25)
    t.refuses("bid_step", "bid", 1, company="MAJM", price=30)
    t.refuses("no_cash", "bid", 1, company="MAJM", price=322)
    t.refuses("not_for_sale", "bid", 1, company="P12", price=100)
    t.do("bid", 1, company="MAJM", price=27)
    t.refuses("bid_too_low", "bid", 2, company="MAJM", price=30)
    t.refuses("not_for_sale", "bid", 2, company="CM", price=50)
    t.do("bid", 2, company="MAJM", price=32)


def test_a_price_above_face_value_leaves_the_seed_money():
    """§3.2, §3.4: no upper limit at face value; the seed money never grows."""
    t = Table(4)
    t.do("bid", 1, company="MINC", price=100).passes(2, 3, 4)
    assert t.s.seed_money == 200
    assert t.cash(1) == 215


def test_lone_solvent_player_wins_at_once():
    """§3.4: nobody else can reach the next minimum."""
    t = Table(3)
    t.purse(2, 4)
    t.purse(3, 0)
    t.do("bid", 1, company="MINC", price=0)
    assert t.privates(1) == ["MINC"]
    assert t.s.seed_money == 170
    assert t.waits(2)


def test_all_pass_ends_the_auction():
    """§3.6, §3.8: unsold privates go; the player left of the last to pass is first."""
    t = Table(4)
    t.do("bid", 1, company="MINC", price=0).passes(2, 3, 4)
    t.passes(2, 3, 4)
    assert t.waits(1)
    t.do("bid", 1, company="CM", price=0).passes(2, 3, 4)
    assert t.progress.passed == (), "an auction clears the marks"
    t.passes(2, 3, 4, 1)
    assert t.rules.play(t.s).short == "SR"
    assert t.s.order == ("player:2", "player:3", "player:4", "player:1")
    assert t.s.companies["MAJM"].closed
    assert t.privates(1) == ["MINC", "CM"] or set(t.privates(1)) == {"MINC", "CM"}


def test_selling_the_last_private_ends_the_auction():
    """§3.7: the player with the next choice gets the priority deal."""
    t = Table(3)
    t.own(2, *[c for c in t.s.companies if c != "MAIL"])
    t.do("bid", 1, company="MAIL", price=0)
    t.passes(2, 3)
    assert t.rules.play(t.s).short == "SR"
    assert t.s.order == ("player:2", "player:3", "player:1")


# Volatility


def test_pyramid_of_the_real_seed():
    """§14.1: the check the rules text gives."""
    t = Table(5, ["volatility"], seed=1917565315)
    assert t.progress.rows == (
        ("P24",),
        ("P18", "ME"),
        ("P22", "P13", "OBC"),
        ("TS", "P20", "MAJC", "CM"),
        ("P21", "MAIL", "UBC", "P23", "MINC"),
        ("P14", "MINM", "MAJM", "P12", "P19", "P15"),
    )
    assert all(t.s.companies[c].closed for c in ("PSM", "P16", "P17"))


def test_pyramid_gaps_remove_lonely_neighbours():
    """§14.1.4."""
    t = Table(3, ["volatility"], seed=1917565315)
    t.refuses("must_open", "pass", 1)
    t.refuses("not_for_sale", "bid", 1, company="P21", price=0)
    t.do("bid", 1, company="MINM", price=0).do("bid", 2, company="MINM", price=5).passes(3, 1)
    assert t.s.seed_money == 0
    assert t.s.companies["P14"].closed, "left neighbour had nobody on its other side"
    assert t.progress.rows[-1] == (None, None, "MAJM", "P12", "P19", "P15")
    assert t.waits(3), "left of the winner"
    t.do("bid", 3, company="P19", price=0).passes(1, 2)
    assert t.s.companies["P15"].closed
    assert t.progress.rows[-1] == (None, None, "MAJM", "P12", None, None)
    t.do("bid", 1, company="P12", price=0).passes(2, 3)
    assert t.s.companies["MAJM"].closed
    assert t.progress.rows[-1] == ("P21", "MAIL", "UBC", "P23", "MINC")


def test_pyramid_ends_with_its_top():
    """§14.1.5."""
    t = Table(3, ["volatility"], seed=1917565315)
    for _ in range(30):
        if t.rules.play(t.s).short != "ISR":
            break
        opener, row = t.s.acting[0], t.progress.rows[-1]
        seat = int(opener[7:])
        t.do("bid", seat, company=next(c for c in row if c), price=0)
        t.passes(*[(seat + n - 1) % 3 + 1 for n in (1, 2)])
        last = seat
    assert t.rules.play(t.s).short == "SR"
    assert t.s.companies["P24"].owner == f"player:{last}"
    assert t.s.order[0] == f"player:{last % 3 + 1}"
    assert all(c.owner is not None for c in t.s.companies.values())
