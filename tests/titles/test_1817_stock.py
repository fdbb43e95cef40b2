"""1817, the stock round (§5.1): trades, presidency, limits, and its end."""

from __future__ import annotations

import pytest

import roundhouse
from roundhouse.model.actions import SellShares
from roundhouse.rounds import machine
from roundhouse.sentences.buttons import Wording

from build1817 import MARKET, Table

A = "A&S"


# shorts


def test_scenario_8_short_sale_real(real1817):
    """Scenario 8: Player 4 shorts NYSW, buys Bess in the same turn, Player 2 buys the share."""
    t = real1817("15528", 523)
    assert t.cash(4) == 17
    t.do("short", 4, corporation="NYSW")
    assert t.cash(4) == 87
    assert t.certs("NYSW", 4) == [11]
    assert t.held("NYSW", 4) == -20
    assert 10 in t.certs("NYSW", MARKET)
    assert t.waits(4)
    t.do("buy_shares", 4, shares=["Bess_3"], percent=20)
    assert t.waits(1)
    t = real1817("15528", 534)
    assert t.held("NYSW", 2) + t.held("NYSW", 1) + t.held("NYSW", 3) == 120
    t.passes(2)
    assert t.price("NYSW") == 80, "120 % sold: one step right"


@pytest.mark.parametrize(("options", "price"), [([], 80), (["short_squeeze"], 90)])
def test_scenario_8_short_sale(options, price):
    """Scenario 8, constructed: more than 100 % sold moves right once, with the option twice;
    exactly 100 % once in any case."""
    t = Table(4, options)
    t.start("NYSW", 1, size=5, price=70, holders={1: [0, 1], 2: [2], 3: [3]}, trains=["3"])
    t.start("GT", 2, size=5, price=100, holders={2: [0, 1], 3: [2, 3]}, trains=["3"])
    t.start("Bess", 3, size=5, price=55)
    t.stock_round(4)
    t.purse(4, 87)
    t.do("short", 4, corporation="NYSW")
    assert t.cash(4) == 157
    assert t.certs("NYSW", 4) == [11]
    assert t.certs("NYSW", MARKET) == [10]
    t.refuses("one_short", "short", 4, corporation="GT")
    t.refuses("sold", "buy_shares", 4, shares=["NYSW_10"], percent=20)
    t.do("buy_shares", 4, shares=["Bess_3"], percent=20)
    t.passes(1)
    t.do("buy_shares", 2, shares=["NYSW_10"], percent=20)
    t.passes(3, 4, 1, 2)
    assert t.price("NYSW") == price
    assert t.price("GT") == 110
    assert t.price("Bess") == 55


def test_who_may_short_what():
    """§5.1.5."""
    t = Table(3)
    t.start("GT", 1, size=5, holders={2: [1]})
    t.start("H", 1, size=2)
    t.start("J", 1, size=5, operated=False, tokens=["F13/0", "H3/0"])
    t.start("R", 1, size=5, cell=3)
    t.start("UR", 1, size=10, holders={2: [1], MARKET: [10]}, shorts={3: [11]})
    t.stock_round(2)
    t.refuses("owns_shares", "short", 2, corporation="GT")
    t.refuses("short_limit", "short", 2, corporation="H")
    t.refuses("not_operated", "short", 2, corporation="J")
    t.refuses("zone", "short", 2, corporation="R")
    t.refuses("zone", "short", 2, corporation="WT")
    t.refuses("unknown", "short", 2, corporation="XX")
    t.passes(2)
    t.do("short", 3, corporation="GT")
    t.refuses("one_short", "short", 3, corporation="UR")


@pytest.mark.parametrize(
    ("size", "options", "limit"),
    [(5, [], 5), (10, [], 10), (10, ["five_shorts"], 5), (5, ["five_shorts"], 5)],
)
def test_shorts_in_existence(size, options, limit):
    """§5.1.5, §14: as many as shares, or five."""
    for existing, legal in ((limit - 1, True), (limit, False)):
        t = Table(3, options)
        twins = range(10, 10 + 2 * existing, 2)
        t.start(
            "GT", 1, size=size, holders={MARKET: list(twins)}, shorts={2: [i + 1 for i in twins]}
        )
        t.stock_round(3)
        if legal:
            t.do("short", 3, corporation="GT")
        else:
            t.refuses("short_limit", "short", 3, corporation="GT")


def test_no_shorts_once_an_8_is_out():
    """§5.1.5, §12."""
    t = Table(3)
    t.start("GT", 1, size=5)
    t.phase("8")
    t.stock_round(2)
    t.refuses("phase", "short", 2, corporation="GT")


def test_shorting_again_in_a_later_turn_takes_the_next_indexes():
    """§5.1.5, §6.6.1: h is the highest index existing now."""
    t = Table(3)
    t.start("GT", 1, size=5)
    t.stock_round(2)
    t.do("short", 2, corporation="GT").passes(2, 3, 1)
    t.do("short", 2, corporation="GT")
    assert t.certs("GT", 2) == [11, 13]
    assert t.certs("GT", MARKET) == [10, 12]


def test_covering_a_short():
    """§5.1.7, §6.6.2: the bought share and the first short vanish, whatever the limits."""
    t = Table(3)
    t.start("GT", 1, size=5, price=90, holders={MARKET: [10, 12]}, shorts={2: [11, 13]})
    t.stock_round(2)
    t.do("buy_shares", 2, shares=["GT_12"], percent=20)
    assert t.certs("GT", 2) == [13]
    assert t.certs("GT", MARKET) == [10]
    assert t.cash(2) == 420 - 90
    assert t.cash("GT") == 0


def test_a_short_seller_may_cover_at_the_certificate_limit():
    """§5.1.7."""
    t = Table(3)
    for symbol in ("A&A", "B&A", "Belt", "Bess"):
        t.start(symbol, 3, size=10, holders={2: [1, 2, 3, 4, 5]})
    t.start("H", 2)
    t.start("GT", 1, size=5, price=90, holders={MARKET: [10]}, shorts={2: [11]})
    t.start("J", 1, size=5, price=90)
    assert t.rules.certificates(t.s, t.key(2)) == t.rules.cert_limit(t.s) == 21
    t.stock_round(2)
    t.refuses("cert_limit", "buy_shares", 2, shares=["J_1"], percent=20)
    t.do("buy_shares", 2, shares=["GT_10"], percent=20)
    assert t.certs("GT", 2) == []


def test_scenario_27_bank_covers_its_shorts_at_the_start():
    """Scenario 27: the treasury certificate is sold at 90; it and the short vanish."""
    t = Table(3)
    t.start(A, 1, size=5, price=90, holders={1: [0, 1], 2: [10]}, shorts={MARKET: [11]})
    t.stock_round(1)
    assert t.cash(A) == 90
    assert t.certs(A, A) == [3]
    assert t.certs(A, MARKET) == []


def test_the_bank_covers_only_white_corporations_with_treasury():
    """§4.2."""
    t = Table(3)
    t.start(A, 1, size=5, cell=2, holders={2: [10]}, shorts={MARKET: [11]})
    t.start("H", 1, size=5, holders={2: [10, 1, 2, 3]}, shorts={MARKET: [11]})
    t.start("J", 1, size=5, holders={2: [1, 2, 10, 12]}, shorts={MARKET: [11, 13]})
    t.stock_round(1)
    assert t.certs(A, MARKET) == [11]
    assert t.certs("H", MARKET) == [11]
    assert t.certs("J", MARKET) == [13]
    assert t.certs("J", "J") == []


def test_a_market_short_closes_when_a_share_is_sold_to_the_market():
    """§6.6.3."""
    t = Table(3)
    t.start("H", 1, size=5, holders={2: [10, 1, 2, 3]}, shorts={MARKET: [11]})
    t.stock_round(2)
    t.do("sell_shares", 2, shares=["H_2", "H_3"], percent=40)
    assert t.certs("H", MARKET) == [3]


def test_a_short_sale_beside_a_market_short_closes_nothing():
    """§5.1.5, §6.6.3: a short sale sells nothing to the market; its twin lies there to be bought,
    and the price at the end counts the market net of shorts (§5.1.9)."""
    t = Table(3)
    t.start("H", 1, size=5, price=100, holders={1: [0, 1], 2: [2, 3, 10]}, shorts={MARKET: [11]})
    t.stock_round(3)
    t.do("short", 3, corporation="H")
    assert t.certs("H", MARKET) == [11, 12]
    assert t.certs("H", 3) == [13]
    t.passes(3, 1, 2, 3)
    assert t.price("H") == 110, "sold out; the market's net is 0"


# sales and presidency


def _size_five(**holders):
    t = Table(3)
    t.start("H", 1, size=5, price=55, **holders)
    return t


def test_scenario_9_president_sells_part_of_his_certificate():
    """Scenario 9: 20 % of the 40 % certificate."""
    t = _size_five(holders={3: [1, 2]}).stock_round(1)
    t.do("sell_shares", 1, shares=["H_0"], percent=20)
    assert t.cash(1) == 420 + 55
    assert t.corp("H").president == t.key(3)
    assert (t.certs("H", 3), t.certs("H", 1), t.certs("H", MARKET)) == ([0], [1], [2])


def test_scenario_9_president_sells_all_of_his_certificate():
    """Scenario 9: 40 %."""
    t = _size_five(holders={3: [1, 2]}).stock_round(1)
    t.do("sell_shares", 1, shares=["H_0"], percent=40)
    assert (t.certs("H", 3), t.certs("H", 1), t.certs("H", MARKET)) == ([0], [], [1, 2])
    assert t.cash(1) == 420 + 110


def test_scenario_9_bundle_with_part_of_the_certificate():
    """Scenario 9: an ordinary share and half of the president's."""
    t = _size_five(holders={1: [0, 2], 3: [1, 3]}).stock_round(1)
    t.do("sell_shares", 1, shares=["H_2", "H_0"], percent=40)
    assert t.certs("H", 1) == [2]
    assert t.held("H", 3) == 40
    assert t.corp("H").president == t.key(3)


def test_scenario_9_purchase_takes_the_presidency():
    """Scenario 9: the buyer's first two certificates go to the old president."""
    t = _size_five(holders={3: [1, 2]}).stock_round(3)
    t.do("buy_shares", 3, shares=["H_3"], percent=20)
    assert t.certs("H", 3) == [3, 0]
    assert t.certs("H", 1) == [1, 2]
    assert t.corp("H").president == t.key(3)


def test_a_tie_keeps_the_president():
    """§6.4."""
    t = _size_five(holders={3: [1]}).stock_round(3)
    t.do("buy_shares", 3, shares=["H_2"], percent=20)
    assert t.corp("H").president == t.key(1)
    assert t.certs("H", 1) == [0]


def test_equal_successors_the_nearest_clockwise():
    """§6.4."""
    t = Table(4)
    t.start("H", 2, size=10, holders={1: [1, 2, 3], 4: [4, 5, 6], 2: [0, 7, 8]})
    t.stock_round(2)
    t.do("sell_shares", 2, shares=["H_7", "H_8"], percent=20)
    assert t.corp("H").president == t.key(4)
    assert t.certs("H", 2) == [4, 5]
    assert t.certs("H", 4) == [6, 0]


def test_no_successor_without_two_shares():
    """§5.1.4, §6.4: who has only one share takes nothing over."""
    t = Table(4)
    t.start("H", 2, size=10, holders={1: [1], 4: [2], 2: [0, 3]})
    t.stock_round(2)
    t.refuses("presidency", "sell_shares", 2, shares=["H_0", "H_3"], percent=30)
    t.refuses("presidency", "sell_shares", 2, shares=["H_0"], percent=10)
    t.do("sell_shares", 2, shares=["H_3"], percent=10)


def test_scenario_34_president_certificate_alone_real(real1817):
    """Scenario 34, at 15528/1207: GT."""
    _scenario_34(real1817("15528", 1207), already=True)


def test_scenario_34_president_certificate_alone():
    """Scenario 34: the certificate alone would leave the seller ahead, so we refuse."""
    _scenario_34(Table(4), already=False)


def _scenario_34(t: Table, already: bool) -> None:
    seats = {4: [1, 2, 3, 7, 0], 2: [4, 5, 6, 8]}
    if already:
        certs = {i: c for cs in t.corp("GT").certs.values() for c in cs for i in [c.index]}
        t.change(
            "GT",
            certs={t.key(p): tuple(certs[i] for i in held) for p, held in seats.items()},
            president=t.key(4),
        )
        t.settle()
    else:
        t.start("GT", 4, size=10, holders=seats)
        t.stock_round(4)
    assert t.waits(4)
    t.refuses("singles_first", "sell_shares", 4, shares=["GT_0"], percent=20)
    t.refuses("singles_first", "sell_shares", 4, shares=["GT_0"], percent=10)
    five = ["GT_1", "GT_2", "GT_3", "GT_7", "GT_0"]
    t.do("sell_shares", 4, shares=five, percent=50)
    assert t.corp("GT").president == t.key(2)
    assert t.certs("GT", 2) == [6, 8, 0]
    assert t.certs("GT", 4) == [1]
    assert t.certs("GT", MARKET) == [2, 3, 7, 4, 5]


def test_the_president_certificate_goes_with_all_the_others():
    """§5.1.4: singles go first, and every amount can be sold."""
    t = Table(3)
    t.start("H", 1, size=10, price=55, holders={1: [0, 1, 2], 3: [3, 4, 5]})
    t.stock_round(1)
    t.refuses("singles_first", "sell_shares", 1, shares=["H_0", "H_1"], percent=20)
    t.refuses("singles_first", "sell_shares", 1, shares=["H_0", "H_1"], percent=30)
    t.refuses("percent", "sell_shares", 1, shares=["H_0", "H_1", "H_2"], percent=20)
    t.refuses("price", "sell_shares", 1, shares=["H_1"], percent=10, share_price=60)
    assert [c.action.percent for c in t.choices("sell_shares")] == [10, 20, 30, 40]
    t.do("sell_shares", 1, shares=["H_2", "H_0", "H_1"], percent=30, share_price=55)
    assert (t.held("H", 1), t.cash(1)) == (10, 420 + 3 * 55)


def test_a_sale_says_what_is_kept_and_who_leads_then():
    t = Table(3)
    t.start("H", 1, size=5, price=55, holders={1: [0, 1], 3: [2, 3]})
    t.stock_round(1)
    words = Wording(t.rules, t.s)
    assert [words.of(c) for c in t.choices("sell_shares")] == [
        "20 % of H, keeping 40 %",
        "40 % of H, keeping 20 %; Player 3 becomes president",
        "60 % of H, keeping nothing; Player 3 becomes president",
    ]
    refused = t.action("sell_shares", 1, shares=["H_0"], percent=40)
    assert words.label(refused) == "40 % of H"


def test_who_sells_loses_what_he_is_paid_for_real(reference):
    """§5.1.4 in every position of a real game: each sale on offer, with the president's certificate
    or without, costs the seller as many shares as he is paid for."""
    game = roundhouse.load(reference / "games" / "1817" / "15528.json")
    badges = 0
    for entry in game.history:
        s = entry.state
        for choice in machine.choices(game.rules, s):
            a = choice.action
            if not isinstance(a, SellShares):
                continue
            symbol = a.shares[0].rpartition("_")[0]
            corporation, price = s.corporations[symbol], game.rules.price(s, symbol)
            after = machine.apply(game.rules, s, a)
            lost = corporation.held(a.actor) - after.corporations[symbol].held(a.actor)
            assert lost == a.percent, (entry.action.id, a)
            paid = after.players[a.actor].cash - s.players[a.actor].cash
            assert paid == lost // corporation.unit * price
            badges += f"{symbol}_0" in a.shares
    assert badges > 100


def test_a_part_of_the_certificate_comes_back_as_shares_not_as_a_short():
    """§6.4.3: "certificates" the seller gets back are shares, also behind a market short."""
    t = Table(3)
    t.start("H", 1, size=5, holders={3: [1, 2, 3], 2: [10]}, shorts={MARKET: [11]})
    t.stock_round(1)
    t.do("sell_shares", 1, shares=["H_0"], percent=20)
    assert t.held("H", 1) == 20
    assert t.certs("H", 3) == [3, 0]
    assert t.certs("H", MARKET) == []


def test_what_may_be_sold():
    """§5.1.4."""
    t = Table(3)
    t.start("H", 1, size=5, holders={2: [1, 2]}, operated=False, tokens=["F13/0", "H3/0"])
    t.start("J", 1, size=5, holders={2: [1, 2]}, cell=3)
    t.start("R", 1, size=5, holders={2: [1, 2]})
    t.start("UR", 1, size=5, holders={2: [1]})
    t.start("WT", 1, size=5, holders={MARKET: [10]}, shorts={2: [11]})
    t.stock_round(2)
    t.refuses("not_operated", "sell_shares", 2, shares=["H_1"], percent=20)
    t.refuses("zone", "sell_shares", 2, shares=["J_1"], percent=20)
    t.refuses("not_yours", "sell_shares", 2, shares=["WT_11"], percent=-20)
    t.refuses("not_yours", "sell_shares", 2, shares=["R_0"], percent=40)
    t.refuses("bundle", "sell_shares", 2, shares=["R_1", "UR_1"], percent=40)
    t.refuses("bundle", "sell_shares", 2, shares=["UR_1", "UR_1"], percent=40)
    t.refuses("percent", "sell_shares", 2, shares=["R_1", "R_2"], percent=20)
    t.do("sell_shares", 2, shares=["UR_1"], percent=20)
    assert t.price("UR") == 100, "a sale moves no price"
    assert t.waits(2)


# turns


def test_own_and_corporate_actions_exclude_each_other():
    """§5.1.2."""
    t = Table(3)
    t.start("H", 1, size=5, cash=300, holders={1: [0, 1], MARKET: [2, 3]})
    t.start("J", 1, size=5, cash=0)
    t.stock_round(1)
    t.do("sell_shares", 1, shares=["H_1"], percent=20)
    t.refuses("acted_yourself", "take_loan", "J", loan=0)
    t.refuses("acted_yourself", "buy_shares", "H", shares=["H_2"], percent=20)


def test_a_corporate_turn():
    """§5.1.2 B, §5.1.7: loans, then buy-backs, of one corporation."""
    t = Table(3)
    t.start("H", 1, size=5, cash=300, holders={1: [0, 1], MARKET: [2, 3]})
    t.start("J", 1, size=5, cash=0)
    t.stock_round(1)
    t.do("take_loan", "H", loan=0)
    assert t.price("H") == 90
    t.refuses("acting_for_other", "sell_shares", 1, shares=["H_1"], percent=20)
    t.refuses("other_corporation", "take_loan", "J", loan=0)
    t.do("buy_shares", "H", shares=["H_2"], percent=20)
    assert t.cash("H") == 400 - 90
    assert t.price("H") == 90
    t.refuses("redeemed", "take_loan", "H", loan=0)
    t.do("buy_shares", "H", shares=["H_3"], percent=20)
    assert t.waits(2), "nothing is left to do for H"
    assert t.certs("H", "H") == [2, 3]


def test_corporate_turn_is_no_pass():
    """§5.1.2 B."""
    t = Table(3)
    t.start("H", 1, size=5)
    t.stock_round(1)
    t.do("take_loan", "H", loan=0).passes(1)
    t.passes(2, 3)
    assert t.waits(1), "the round goes on"
    t.passes(1)
    assert t.rules.play(t.s).short == "OR"
    assert t.s.order[0] == t.key(2)


def test_selling_is_no_pass_and_gives_no_priority():
    """§5.1.1–2."""
    t = Table(3)
    t.start("H", 1, size=5, holders={2: [1]})
    t.stock_round(1).passes(1)
    t.do("sell_shares", 2, shares=["H_1"], percent=20).passes(2, 3, 1)
    assert t.waits(2)
    t.passes(2)
    assert t.s.order[0] == t.key(3)


def test_corporation_in_liquidation_borrows_but_does_not_buy():
    """§5.1.7."""
    t = Table(3)
    t.start("H", 1, size=5, cash=500, cell=0, holders={MARKET: [1]})
    t.stock_round(1)
    t.do("take_loan", "H", loan=0)
    assert t.index("H") == 0
    assert t.cash("H") == 600
    t.refuses("zone", "buy_shares", "H", shares=["H_1"], percent=20)


def test_loans_end_with_the_size_and_with_the_bank():
    """§6.5."""
    t = Table(3)
    t.start("H", 1, size=2, loans=1)
    t.stock_round(1)
    t.do("take_loan", "H", loan=0)
    assert t.waits(2), "no loan, no buy-back is left"
    t = Table(3)
    t.start("H", 1, size=5, price=40)
    t.loans_out(69)
    t.stock_round(1)
    t.do("take_loan", "H", loan=0)
    assert t.index("H") == 3
    t = Table(3)
    t.start("H", 1, size=5)
    t.loans_out(70)
    t.stock_round(1)
    t.refuses("no_loans", "take_loan", "H", loan=0)


def test_ownership_limit():
    """§6.3: 60 % net when gaining a share."""
    t = Table(3)
    t.start("H", 1, size=5, price=50, holders={1: [0, 1]})
    t.start("J", 1, size=10, price=50, holders={1: [0, 1, 2, 3]})
    t.stock_round(1)
    t.refuses("holding_limit", "buy_shares", 1, shares=["H_2"], percent=20)
    t.refuses("not_for_sale", "buy_shares", 1, shares=["H_0"], percent=40)
    t.do("buy_shares", 1, shares=["J_5"], percent=10)


def test_must_sell_over_the_certificate_limit():
    """§5.1.3: only sales are legal."""
    t = Table(12)
    t.start("H", 1, size=10, price=100, holders={2: [1, 2, 3, 4]})
    t.start("J", 2, size=2)
    t.start("R", 2, size=5, price=90)
    t.stock_round(2)
    assert t.rules.cert_limit(t.s) == 5
    t.refuses("must_sell", "pass", 2)
    t.refuses("must_sell", "take_loan", "J", loan=0)
    t.refuses("must_sell", "short", 2, corporation="H")
    t.refuses("must_sell", "bid", 2, corporation="UR", price=100)
    t.do("sell_shares", 2, shares=["H_1"], percent=10)
    t.passes(2)


def test_must_sell_over_60_percent_only_where_it_can_be_sold():
    """§5.1.3."""
    t = Table(3)
    t.start("H", 1, size=5, holders={1: [0, 1, 2]})
    t.stock_round(1)
    t.refuses("must_sell", "pass", 1)
    t.do("sell_shares", 1, shares=["H_2"], percent=20)
    t.passes(1)
    t = Table(3)
    t.start("H", 1, size=5, holders={1: [0, 1, 2]}, cell=3)
    t.start("J", 2, size=5, holders={1: [1]})
    t.stock_round(1).passes(1)


def test_player_without_legal_action_is_passed():
    """§5.1.8."""
    t = Table(3)
    t.start("H", 1, size=2, price=50)
    t.purse(2, 99)
    t.stock_round(1).passes(1)
    assert t.waits(3)
    t.passes(3)
    assert t.rules.play(t.s).short == "OR"
    assert t.s.order[0] == t.key(1), "the priority is left of the last one passed"
    t = Table(3)
    t.start("H", 1, size=2, price=50)
    t.purse(2, 99)
    t.own(2, "MINC")
    t.stock_round(1).passes(1)
    assert t.waits(2), "face values count in the bid limit"


# end of the round


def test_scenario_24_prices_at_the_end(reference):
    """Scenario 24: five market shares move 110 to 65 and 80 to 50, sold out 120 to 135."""
    import roundhouse

    game = roundhouse.load(reference / "games/1817/1817_game_end_bankrupt.json")
    ends = [
        (before.state, after.state)
        for before, after in zip(game.history, game.history[1:], strict=False)
        if type(before.state.round).__name__ == "StockRound"
        and type(after.state.round).__name__ == "OperatingRound"
        and before.state.turn == 4
    ]
    before, after = ends[-1]

    def moved(symbol):
        return game.rules.price(before, symbol), game.rules.price(after, symbol)

    assert moved("ME") == (110, 65)
    assert moved("GT") == (80, 50)
    assert moved(A) == (120, 135)


def test_scenario_24_prices_at_the_end_constructed():
    """Scenario 24, constructed; size 2 never counts as sold out; never into the red."""
    t = Table(3)
    t.start("ME", 1, size=10, price=110, holders={MARKET: [1, 2, 3, 4, 5]})
    t.start("GT", 1, size=10, price=80, holders={MARKET: [1, 2, 3, 4, 5]})
    t.start(A, 2, size=5, price=120, holders={2: [0, 1], 3: [2, 3]})
    t.start("H", 3, size=2, price=100)
    t.start("J", 3, size=5, cell=2, holders={MARKET: [1, 2, 3]})
    t.start("R", 3, size=5, cell=0, holders={3: [0, 1], 2: [2, 3]})
    t.start("UR", 3, size=5, cell=3, holders={3: [0, 1], 2: [2, 3]})
    t.stock_round(1).passes(1, 2, 3)
    assert t.price("ME") == 65
    assert t.price("GT") == 50
    assert t.price(A) == 135
    assert t.price("H") == 100
    assert t.index("J") == 1
    assert t.index("R") == 1, "sold out is the only way out of the red cell (§7.2)"
    assert t.price("UR") == 40


def test_sold_out_with_shares_in_the_market_moves_both_ways():
    """§5.1.9.1: first right, then left a share."""
    t = Table(3)
    t.start(
        "H", 1, size=5, price=100, holders={1: [0, 1], 2: [2, 3, 10], MARKET: [12]},
        shorts={3: [11, 13]},
    )  # fmt: skip
    t.stock_round(2).passes(2, 3, 1)
    assert t.price("H") == 100


def test_end_moves_go_in_operating_order():
    """§5.1.9.1, §7.3: who moves first arrives first."""
    t = Table(3)
    t.start("J", 1, size=5, price=80, holders={1: [0, 1], 2: [2, 3]})
    t.start("H", 1, size=5, price=100, holders={MARKET: [1]})
    t.stock_round(1).passes(1, 2, 3)
    assert t.s.market["90,0,12"] == ("H", "J")
