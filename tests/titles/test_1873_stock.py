"""1873: opening, auctions, stock rounds (§3–§5.1, §6; scenarios 1–10, 16, 33)."""

from __future__ import annotations

from roundhouse.model.records import MARKET
from roundhouse.stock import market, shares
from roundhouse.titles.g1873.state import CardRound

from harz import Table


def test_all_pass_the_premium() -> None:
    """Scenario 1."""
    t = Table(3)
    for player in (1, 2, 3):
        t.act(player, "pass")
    assert t.s.premium == 0
    assert [t.s.players[p].id for p in t.s.order] == [3, 2, 1]
    assert t.refused(3, "pass").code == "first_turn"


def test_premium_fixes_price_and_seats() -> None:
    """Scenario 2."""
    t = Table(4)
    for player, price in ((1, 20), (2, 30), (3, None), (4, 40), (1, None), (2, None)):
        t.act(player, "pass") if price is None else t.act(player, "bid", price=price)
    assert t.s.premium == 40
    assert [t.s.players[p].id for p in t.s.order] == [4, 2, 1, 3]
    before = t.cash(4)
    t.act(4, "bid", company="12", price=240)
    assert before - t.cash(4) == 280
    assert t.president("12") == 4


def test_premium_falls_when_all_pass() -> None:
    """Scenario 3: the next to act is the player after the last to pass."""
    t = Table(3)
    t.act(1, "bid", price=80)
    t.act(2, "pass")
    t.act(3, "pass")
    assert [t.s.players[p].id for p in t.s.order] == [1, 3, 2]
    t.act(1, "bid", company="12", price=240)
    for player in (3, 2, 1):
        t.act(player, "pass")
    assert t.s.premium == 70
    assert t.acting == 3


def test_premium_bids() -> None:
    """Scenario 4, and the duty of §3.1.2."""
    t = Table(3)
    assert t.refused(1, "bid", price=15).code == "bid_step"
    assert t.refused(1, "bid", price=1310).code == "no_cash"
    t.act(1, "bid", price=1300)
    assert t.may() == {"pass"}


def test_unsold_mines_are_closed() -> None:
    t = Table(2)
    for player in (1, 2):
        t.act(player, "pass")
    t.act(2, "bid", company="15", price=300)
    t.act(1, "pass")
    t.act(2, "pass")
    assert t.s.step == "stock turn"
    assert [m for m in t.rules.mines if t.s.corporations[m].open] == ["15"]


def auction(t: Table) -> None:
    """An auction round in which P3 is on turn; he has 500, the others 100."""
    t.money(p1=100, p2=100, p3=500)
    s = t.edit()
    s.order = ("player:3", "player:1", "player:2")
    t.rules.enter(s, CardRound)
    t.done()


def test_nominator_alone_wins_nothing() -> None:
    """Scenario 5."""
    t = Table(3)
    auction(t)
    t.act(3, "bid", company="GHE", price=200)
    assert t.acting == 3
    t.act(3, "pass")
    assert t.cash(3) == 500
    assert t.acting == 3
    assert t.s.companies["GHE"].owner is None


def test_sole_bidder_wins() -> None:
    t = Table(3, ["sole_bidder_wins"])
    auction(t)
    t.act(3, "bid", company="GHE", price=200)
    assert t.s.companies["GHE"].owner == "player:3"
    assert (t.cash(3), t.acting) == (300, 1)


def test_auction_goes_to_the_last_one_in() -> None:
    t = Table(3)
    auction(t)
    t.money(p1=150)
    t.act(3, "bid", company="HBE", price=100)
    t.act(1, "bid", company="HBE", price=110)
    t.act(3, "pass")
    assert t.s.companies["HBE"].owner == "player:1"
    assert (t.cash(1), t.acting) == (40, 1)


def test_harzer_werke_in_the_first_round() -> None:
    """Scenario 6."""
    t = Table(3)
    t.own(1, "12", "6")
    t.own(3, "4")
    t.stock(turn=1)
    t.act(1, "par", corporation="HW", share_price="120,0,5")
    assert [a.minor for a in t.offers("merge")] == ["12"]
    t.act("HW", "merge", minor="12")
    assert [a.minor for a in t.offers("merge")] == ["4", "6"]
    t.act("HW", "merge", minor="4")
    assert (t.price("HW"), t.held(1, "HW"), t.held(3, "HW")) == (190, 50, 50)
    assert (t.president("HW"), t.cash("HW")) == (1, 0)


def test_mining_company_from_mines_of_two_players() -> None:
    """Scenarios 7 and 8."""
    t = Table(3)
    t.own(2, "2", "7")
    t.own(1, "6")
    t.money(m2=20, m6=25)
    t.stock(player=2)
    t.act(2, "par", corporation="MO", share_price="120,0,5")
    t.act("MO", "merge", minor="2")
    t.act("MO", "merge", minor="6")
    assert (t.price("MO"), t.cash("MO"), t.held(1, "MO")) == (140, 45, 50)

    t = Table(3)
    t.own(1, "2", "7")
    t.stock()
    t.act(1, "par", corporation="U", share_price="300,0,18")
    t.act("U", "merge", minor="2")
    t.act("U", "merge", minor="7")
    assert t.price("U") == 140


def test_a_second_mine_must_be_there() -> None:
    """The duty of §6.2.2: mines of companies let the turn wait but cannot be merged."""
    t = Table(3)
    t.own(1, "2")
    t.form_mines("U", 140, 2, "7", "8")
    t.stock()
    assert t.s.acting == ("player:1",)
    assert t.refused(1, "par", corporation="MO", share_price="120,0,5").code == "mines"


def test_railway_floats_with_three_shares() -> None:
    """Scenario 9."""
    t = Table(3)
    s = t.edit()
    t.rules.give_company(s, "HBE", "player:1")
    t.stock()
    t.act(1, "par", corporation="HBE", share_price="300,0,18")
    t.act(1, "buy_shares", shares=["HBE_1"])
    assert (t.acting, t.cash("HBE")) == (2, 600)
    t.act(2, "buy_shares", shares=["HBE_2"])
    assert (t.cash("HBE"), t.s.corporations["HBE"].held("market")) == (1500, 40)
    assert [x.city for x in t.charter("HBE").tokens[:3]] == ["B19/0", "D15/0", None]
    assert list(t.s.companies)[-1] == "HBE"
    assert t.s.companies["HBE"].owner is None


def test_sale_before_operating() -> None:
    """Scenario 10."""
    t = Table(3)
    t.form("HBE", 300, 0, 0, 3)
    t.form("GHE", 300, 2, 1)
    t.form("KEZ", 300, 0, 0, 3)
    t.stock(player=2)
    before = t.cash(2)
    assert t.refused(2, "sell_shares", shares=["GHE_2"], percent=20).code == "price"
    t.act(2, "sell_shares", shares=["GHE_2"], percent=20, share_price=280)
    assert t.cash(2) - before == 280
    assert t.s.market["300,0,18"] == ("HBE", "KEZ", "GHE")

    t = Table(3)
    t.form("GHE", 300, 2, 1)
    t.stock()
    sizes = {a.percent for a in t.offers("sell_shares") if a.shares[0].startswith("GHE")}
    assert sizes == {20}
    both = {"shares": ["GHE_1", "GHE_0"], "percent": 40, "share_price": 280}
    assert t.refused(1, "sell_shares", **both).code == "president"


def test_selling_the_presidency() -> None:
    """§6.5.2: the first certificate changes hands."""
    t = Table(3)
    t.form("GHE", 300, 2, 1)
    t.running("GHE")
    t.stock()
    t.act(1, "sell_shares", shares=["GHE_1", "GHE_0"], percent=40)
    assert (t.president("GHE"), t.price("GHE")) == (2, 260)
    assert [c.index for c in t.charter("GHE").certs["player:2"]] == [0]


def test_restart_of_a_company_of_ten_shares() -> None:
    """Scenario 16."""
    t = Table(3)
    t.form("GHE", 280, 3)
    t.running("GHE")
    t.convert("GHE")
    t.fail("GHE")
    assert t.charter("GHE").receivership
    assert t.charter("GHE").held("market") == 100
    price = t.price("GHE")
    s = t.edit()
    t.rules.give_company(s, "GHE", "player:2")
    t.stock()
    assert t.refused(1, "buy_shares", shares=["GHE_9", "GHE_8"], percent=20).code == "option"
    t.stock(player=2)
    assert t.refused(2, "buy_shares", shares=["GHE_9"]).code == "one_share"
    before = t.cash(2)
    t.act(2, "buy_shares", shares=["GHE_9", "GHE_8"], percent=20)
    assert before - t.cash(2) == 2 * price
    assert t.president("GHE") == 2
    assert not t.charter("GHE").receivership
    assert t.s.companies["GHE"].owner is None
    for share in ("GHE_1", "GHE_2"):
        assert t.acting == 2
        t.act(2, "buy_shares", shares=[share])
    assert t.held(2, "GHE") == 40
    assert t.acting == 3


def test_external_railway_falls_until_it_owns_a_5t() -> None:
    """Scenario 33."""
    for size, price, expected in (("", 120, 70), ("5T", 240, 240)):
        t = Table(3)
        s = t.edit()
        certs = s.corporations["MHE"].certs[MARKET]
        shares.move(s, "MHE", certs[:5], MARKET, "player:1")
        if size:
            t.equip("MHE", size)
            market.place(t.edit(), "MHE", "240,0,15", "")
        t.stock()
        count = 4 if not size else 2
        before = t.cash(1)
        names = [f"MHE_{i}" for i in range(count)]
        t.act(1, "sell_shares", shares=names, percent=10 * count)
        assert t.cash(1) - before == price * count
        assert t.price("MHE") == expected


def test_no_sales_in_the_first_round() -> None:
    t = Table(3)
    t.form("GHE", 300, 2, 1)
    t.stock(turn=1)
    sale = {"shares": ["GHE_1"], "percent": 20, "share_price": 280}
    assert t.refused(1, "sell_shares", **sale).code == "first_round"


def test_unused_cards_are_forfeited_and_seats_go_by_cash() -> None:
    """§4.4."""
    t = Table(3)
    s = t.edit()
    t.rules.give_company(s, "HBE", "player:1")
    t.money(p1=130, p2=50, p3=110)
    t.stock()
    for player in (1, 2, 3):
        if t.s.step == "stock turn" and t.acting == player:
            t.act(player, "pass")
    assert t.s.companies["HBE"].owner is None
    assert t.s.order == ("player:1", "player:3", "player:2")
