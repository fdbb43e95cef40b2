"""1873: mines, mining companies, equipment, dividends, insolvency (scenarios 11–15, 19, 20, 31, 32,
37, 39)."""

from __future__ import annotations

import pytest

from roundhouse.model.records import set_corporation
from roundhouse.titles.g1873 import fleet
from roundhouse.titles.g1873.companies import to_pool

from harz import Table


def pending(price: int, *holdings: int, money: int, railway: str = "GHE") -> Table:
    """A railway that has built its route and comes to buy its compulsory train in phase 2."""
    t = Table(4)
    t.phase("2")
    t.form(railway, price, *holdings)
    set_corporation(t.edit(), railway, incomplete=False, operated=True)
    t.money(**{railway: money})
    t.turn_of(railway, "equipment")
    return t


def test_president_changes_when_the_train_is_bought() -> None:
    """Scenario 11."""
    t = pending(280, 2, 3, money=1350)
    assert t.president("GHE") == 1
    t.act("GHE", "buy_train", train="2T-0", price=250, variant="2T")
    assert t.president("GHE") == 2
    assert 0 in [c.index for c in t.charter("GHE").certs["player:2"]]
    assert t.cash("GHE") == 1100
    assert t.s.acting == ("GHE",)


def test_compulsory_train() -> None:
    """Scenario 12."""
    t = pending(280, 3, money=700)
    assert t.refused("GHE", "pass").code == "must_buy"

    t = pending(280, 5, money=200)
    t.form("HBE", 240, 0, 3)
    t.running("HBE")
    t.equip("HBE", "2T", "2T")
    assert t.may() == {"buy_train", "pass"}
    t.act("GHE", "pass")
    ghe = t.charter("GHE")
    assert (ghe.cash, ghe.shares, ghe.receivership, ghe.pending) == (1350, 10, True, False)
    assert ghe.held("market") == 100
    assert [t.s.trains[x].kind for x in ghe.trains] == ["2T"]

    t = pending(280, 5, money=0)
    assert t.charter("GHE").receivership


def test_the_bank_pays_what_is_missing() -> None:
    """Scenario 13."""
    t = Table(3)
    t.phase("5")
    t.form("SHE", 85, 5)
    set_corporation(t.edit(), "SHE", incomplete=False)
    t.money(SHE=0)
    t.fail("SHE")
    she = t.charter("SHE")
    assert (t.price("SHE"), she.cash, she.held("market"), she.shares) == (120, 0, 100, 10)
    assert [t.s.trains[x].kind for x in she.trains] == ["5T"]


@pytest.mark.parametrize("money", [9, 10])
def test_maintenance_a_company_cannot_pay(money: int) -> None:
    """Scenario 14."""
    t = Table(3)
    t.phase("3")
    t.form_mines("U", 130, 1, "5", "1")
    t.convert("U")
    to_pool(t.rules, t.edit(), "U", paid=False)
    t.money(U=money)
    assert fleet.maintenance(t.rules, t.s, "U") == 100
    t.turn_of("U", "switch")
    if money == 10:
        assert (t.cash("U"), t.price("U"), t.s.step) == (0, 120, "buy mine")
        return
    u = t.charter("U")
    assert u.receivership
    assert (u.cash, u.shares) == (350, 10)
    assert [fleet.machine_size(t.s, m) for m in u.mines] == [3, 3]


def test_mining_company_is_recapitalised() -> None:
    """Scenario 15."""
    t = Table(3)
    t.phase("3")
    t.form_mines("SN", 140, 1, "5", "1")
    t.money(SN=0)
    t.fail("SN")
    sn = t.charter("SN")
    assert (sn.shares, sn.cash, sn.slots) == (5, 120, 4)
    assert [fleet.machine_size(t.s, m) for m in sn.mines] == [3, 3]


def test_a_mine_closes_and_is_bought() -> None:
    """Scenario 19."""
    t = Table(3)
    t.phase("3")
    t.own(1, "14")
    t.money(m14=350)
    t.equip("14", "2S")
    t.turn_of("14", "convert")
    before = t.cash(1)
    t.act("14", "convert")
    assert t.cash(1) - before == 350
    assert not [x for x in t.s.trains if x.startswith("2S")]
    t.form_mines("HW", 190, 2, "12")
    t.money(HW=900)
    t.turn_of("HW", "mine")
    assert t.refused("HW", "buy_corporation", minor="14", price=279).code == "price"
    assert t.refused("HW", "buy_corporation", minor="2", price=120).code == "mine"
    t.act("HW", "buy_corporation", minor="14", price=280)
    assert t.cash("HW") == 620
    assert t.s.corporations["14"].open


def test_a_mine_that_cannot_pay_closes() -> None:
    """Scenario 20: no steps B and V any more."""
    for money, step in ((40, "equipment"), (39, "nominate")):
        t = Table(3)
        t.phase("4")
        t.own(1, "8")
        t.money(m8=money)
        t.turn_of("8", "dividend")  # 60 - 100
        assert t.s.corporations["8"].open is (money == 40)
        assert t.cash("8") == 0
        assert t.s.step in (step, "convert" if money == 40 else step)


def test_revenue_of_mining_companies() -> None:
    """Scenario 31."""
    t = Table(3)
    t.phase("2")
    t.form_mines("MO", 300, 1, "15", "13", "9")
    for mine in ("15", "13"):
        set_corporation(t.edit(), mine, connected=True)
        t.equip(mine, "2M", "2S")
    assert fleet.gross_revenue(t.rules, t.s, "MO") == 180 + 140 + 60
    t.phase("3")
    t.form_mines("HW", 300, 1, "12", "6", "14", "4")
    for mine, cards in (("12", ("3M", "2S")), ("6", ("3M", "3S")), ("14", ("3M", "2S"))):
        set_corporation(t.edit(), mine, connected=True)
        t.equip(mine, *cards)
    gross = fleet.gross_revenue(t.rules, t.s, "HW")
    assert gross == 160 + 130 + 200 + 40 + 50
    assert fleet.net_revenue(t.rules, t.s, "HW") == gross - 50


def test_the_last_money_ends_the_step_of_a_company() -> None:
    """Scenario 32."""
    for money, over in ((50, True), (100, False)):
        t = Table(3)
        t.phase("2")
        t.form_mines("U", 140, 1, "2", "7")
        t.money(U=money)
        t.turn_of("U", "equipment")
        t.act("U", "buy_train", train="2S-0", price=50, variant="2S", slots=[0])
        assert (t.s.step != "equipment") is over


def test_the_last_money_of_a_mine() -> None:
    """Scenario 39."""
    t = Table(3)
    t.phase("2")
    t.own(1, "14")
    t.money(m14=50)
    t.turn_of("14", "equipment")
    t.act("14", "buy_train", train="2S-0", price=50, variant="2S")
    assert t.may() == {"scrap_train", "pass"}

    t = Table(3)
    t.phase("2")
    t.own(1, "14")
    t.money(m14=150)
    t.turn_of("14", "equipment")
    t.act("14", "buy_train", train="2T-0", price=150, variant="2M")
    assert t.s.step == "convert"


def test_one_machine_for_several_mines() -> None:
    """§5.9.8: the card and its copies."""
    t = Table(3)
    t.phase("2")
    t.form_mines("U", 140, 1, "2", "7")
    t.money(U=1000)
    t.turn_of("U", "equipment")
    fields = {"train": "2T-0", "price": 150, "variant": "2M"}
    assert t.refused("U", "buy_train", **fields, slots=[0]).code == "slots"
    t.act("U", "buy_train", **fields, slots=[1, 0])
    assert t.s.corporations["7"].trains == ("2T-0",)
    assert t.s.corporations["2"].trains == ("2M-128",)


def test_half_dividend() -> None:
    """Scenario 37."""
    t = Table(3)
    t.phase("2")
    t.form_mines("HW", 200, 1, "12", "6")
    t.money(HW=0)
    t.turn_of("HW", "dividend")
    before = t.cash(1)
    t.act("HW", "dividend", kind="half")
    assert (t.cash(1) - before, t.cash("HW"), t.price("HW")) == (85, 85, 200)


def test_maintenance_due_on_a_purchase() -> None:
    """§5.9.6: the buyer pays it, or the seller."""
    for due, buyer, seller in ((None, 500 - 10 - 100, 60), (True, 490, 60 - 100 + 40 + 0)):
        t = Table(3)
        t.phase("4")
        t.form("HBE", 240, 3)
        t.form("GHE", 240, 0, 3)
        t.running("HBE", "GHE")
        t.equip("HBE", "2T", "4T")
        t.money(HBE=50 if due is None else 90, GHE=500)
        t.turn_of("GHE", "equipment")
        train = t.charter("HBE").trains[0]
        t.act("GHE", "buy_train", train=train, price=10, extra_due=due)
        assert t.cash("GHE") == buyer
        assert t.cash("HBE") == seller


def test_last_train_is_not_sold_nor_scrapped() -> None:
    """§5.9.5, §5.9.9."""
    t = Table(3)
    t.phase("4")
    t.form("HBE", 240, 3)
    t.form("GHE", 240, 0, 3)
    t.running("HBE", "GHE")
    t.equip("HBE", "4T")
    t.money(GHE=500)
    t.turn_of("GHE", "equipment")
    train = t.charter("HBE").trains[0]
    assert t.refused("GHE", "buy_train", train=train, price=10).code == "not_for_sale"
    t.turn_of("HBE", "equipment")
    assert t.s.step != "equipment" or "scrap_train" not in t.may()


@pytest.mark.parametrize("card", ["2T", "2S", "D"])
def test_the_local_line_is_waited_for_with_any_card(card: str) -> None:
    """§5.9.2: also if its only card is a diesel, which it cannot scrap."""
    t = Table(3)
    t.phase("D")
    t.form("QLB", 240, 3)
    t.running("QLB")
    t.equip("QLB", card)
    t.money(QLB=0)
    t.turn_of("QLB", "equipment")
    assert t.s.step == "equipment"
    assert t.may() == ({"scrap_train", "pass"} if card == "2S" else {"pass"})
    t.act("QLB", "pass")
    assert t.s.step != "equipment"


def test_the_north_railway_keeps_a_train_for_both_routes() -> None:
    """§5.9.4, §5.9.9: its 1T goes first."""
    t = Table(3)
    t.phase("3")
    t.form("NWE", 240, 3)
    t.running("NWE")
    t.equip("NWE", "1T", "2T")
    t.turn_of("NWE", "equipment")
    assert [a.train[:2] for a in t.offers("scrap_train")] == ["1T"]


@pytest.mark.parametrize("option", ["", "machine_scrapping"])
def test_machines_are_scrapped_only_by_option(option: str) -> None:
    t = Table(3, [option] if option else [])
    t.phase("2")
    t.own(1, "14")
    t.money(m14=0)
    t.equip("14", "2M", "2S")
    t.turn_of("14", "equipment")
    kinds = {t.s.trains[a.train].variant or "2S" for a in t.offers("scrap_train")}
    assert kinds == ({"2M", "2S"} if option else {"2S"})


def test_external_railway_takes_the_first_card() -> None:
    """§6.4.2: only in the last round of a set."""
    for number, train in ((1, "1T-0"), (2, "2T-0")):
        t = Table(3)
        t.phase("2")
        t.own(1, "15")
        t.turn_of("MHE", number=number, last=2)
        assert t.charter("MHE").trains == (train,)


def test_switchers_change_places() -> None:
    """§5.6."""
    t = Table(3)
    t.phase("2")
    t.form_mines("U", 140, 1, "2", "7")
    set_corporation(t.edit(), "7", connected=True)
    t.equip("2", "2S")
    t.turn_of("U", "switch")
    t.act("U", "switch_trains", slots=[0, 1])
    assert [fleet.switcher_size(t.s, m) for m in ("2", "7")] == [0, 2]


def test_conversion_brings_slots_and_tokens() -> None:
    """§6.9."""
    t = Table(3)
    t.form("GHE", 240, 5)
    t.running("GHE")
    t.turn_of("GHE", "convert")
    t.act("GHE", "convert")
    ghe = t.charter("GHE")
    assert (ghe.shares, len(ghe.tokens), ghe.held("GHE"), ghe.held("player:1")) == (10, 9, 50, 50)
