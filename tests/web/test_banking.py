"""The banker's sheet: whatever is written, no money and no share is lost; bad entries are refused
in a sentence and change nothing; two phones see one sheet."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from roundhouse.banker import price_after
from roundhouse.creation import replay
from roundhouse.model.events import DividendDeclared, PriceMoved
from roundhouse.sandbox import Layout, laid_out
from roundhouse.titles.title import all_titles
from roundhouse.web.banking import entries, keeping
from roundhouse.web.banking.book import Terms, book_of, enter, opened, per_share
from roundhouse.web.banking.entries import (
    Dividend,
    Found,
    Income,
    Interest,
    Loan,
    Move,
    Pay,
    President,
    Private,
    Short,
    Trade,
)
from roundhouse.web.banking.models import Sheet
from roundhouse.web.tables import Refused

TERMS = Terms("1828", ("Ada", "Ben", "Cleo"), 800, 20, 10_000)
WITH_LOANS = Terms("1817", ("Ada", "Ben", "Cleo"), 800, 20, 10_000)
LOANED = list(WITH_LOANS.box.market.cells)
CELLS = list(TERMS.box.market.cells)
WHO = ["PRR", "B&O", "nobody"]
HOLDERS = ["Ada", "Ben", "Cleo", "bank", "pool", "PRR", "B&O", "Dora"]
PRIVATES = [*list(TERMS.box.companies)[:3], "x"]
SMALL = st.integers(-5, 900)

ANY = st.one_of(
    st.builds(Pay, st.sampled_from(HOLDERS), st.sampled_from(HOLDERS), SMALL),
    st.builds(Found, st.sampled_from(WHO), st.sampled_from([*CELLS[:4], "x"]), st.integers(0, 12)),
    st.builds(
        Trade, st.sampled_from(WHO), st.sampled_from(HOLDERS), st.sampled_from(HOLDERS),
        st.integers(-1, 6), st.integers(-1, 90), st.booleans(),
    ),
    st.builds(President, st.sampled_from(WHO), st.sampled_from(HOLDERS)),
    st.builds(Move, st.sampled_from(WHO), st.sampled_from([*CELLS[:6], "x"])),
    st.builds(
        Dividend, st.sampled_from(WHO), SMALL, st.integers(-1, 3), st.booleans(), st.booleans(),
        st.booleans(),
    ),
    st.builds(Loan, st.sampled_from(WHO), st.integers(-2, 3), st.booleans()),
    st.builds(Interest, st.sampled_from(WHO)),
    st.builds(Short, st.sampled_from(WHO), st.sampled_from(HOLDERS)),
    st.builds(Private, st.sampled_from(PRIVATES), st.sampled_from(HOLDERS)),
    st.builds(Income),
)  # fmt: skip


@given(st.lists(ANY, max_size=40))
def test_no_money_and_no_share_is_lost(written):
    _all_is_kept(TERMS, [Found("PRR", CELLS[0]), *written])


@given(st.lists(ANY, max_size=40))
def test_no_money_and_no_share_is_lost_where_there_are_loans_and_shorts(written):
    """The same entries, about 1817's companies."""
    names = {"PRR": "PLE", "B&O": "A&S", **dict(zip(CELLS[:6], LOANED[20:26], strict=True))}
    there = [
        replace(e, **{f: names.get(v, v) for f in e.__struct_fields__
                      if isinstance(v := getattr(e, f), str)})
        for e in written
    ]  # fmt: skip
    _all_is_kept(WITH_LOANS, [Found("PLE", LOANED[20]), Loan("PLE", 2), *there])


def _all_is_kept(terms, written):
    book = opened(terms)
    kept = []
    for entry in written:
        try:
            book = enter(book, entry)
        except Refused:
            continue
        kept.append(entry)
        money = sum(book.cash.values()) + sum(c.cash for c in book.companies.values())
        assert money + book.bank == 3 * 800 + 10_000
        assert min([*book.cash.values(), *(c.cash for c in book.companies.values())]) >= 0
        for c in book.companies.values():
            assert sum(c.held.values()) == c.shares
            owing = () if not terms.table.rules.shorts else terms.players
            assert min((n for h, n in c.held.items() if h not in owing), default=0) >= 0
            assert 0 <= c.loans <= c.shares
    assert book_of(terms, (entries.read(entries.write(e)) for e in kept)) == book


def started():
    cell = next(c.id for c in TERMS.box.market.cells.values() if c.price == 67)
    return book_of(TERMS, [
        Found("PRR", cell), Trade("PRR", "PRR", "Ada", 3, 67), President("PRR", "Ada"),
        Trade("PRR", "PRR", "Ben", 2, 67, paid_to_bank=False), Trade("PRR", "Ben", "pool", 1, 67),
    ])  # fmt: skip


def test_shares_are_paid_where_they_come_from():
    book = started()
    assert book.cash == {"Ada": 800 - 3 * 67, "Ben": 800 - 67, "Cleo": 800}
    assert book.companies["PRR"].cash == 2 * 67
    assert book.companies["PRR"].held == {"PRR": 5, "Ada": 3, "Ben": 1, "pool": 1}
    assert [book.certificates(p) for p in TERMS.players] == [2, 1, 0]
    assert book.worth("Ada") == 800


@pytest.mark.parametrize(
    ("halves", "each", "ada", "company"), [(2, 12, 36, 12), (1, 6, 18, 66), (0, 0, 0, 120)]
)
def test_dividends_are_paid_for_shares(halves, each, ada, company):
    before = started()
    book = enter(before, Dividend("PRR", 120, halves))
    assert per_share(before.companies["PRR"], 120, halves) == each
    assert book.cash["Ada"] - before.cash["Ada"] == ada
    assert book.companies["PRR"].cash - before.companies["PRR"].cash == company


OWN = Path(__file__).parents[1] / "games"
WHY = ("dividend", "low dividend", "withheld")


@pytest.mark.parametrize("path", sorted(OWN.glob("*/base.json")), ids=lambda p: p.parent.name)
def test_prices_move_after_dividends_as_in_games(path):
    """What a sheet does with the price is what the game did, at every dividend of a game."""
    game, _ = replay(path.read_bytes())
    before = game.start
    seen = 0
    for entry in game.history:
        told = [e for e in entry.events if isinstance(e, DividendDeclared)]
        was = before.corporations.get(told[0].who) if len(told) == 1 else None
        if was and was.cell:
            moved = [e for e in entry.events if isinstance(e, PriceMoved)
                     and e.corporation == was.id and e.why in WHY]  # fmt: skip
            went = moved[-1].after if moved else was.cell
            paid = told[0].revenue - told[0].kept
            assert price_after(game.rules, before, was.id, was.cell, paid) == went
            seen += 1
        before = entry.state
    assert seen > 10


@pytest.mark.parametrize("title", sorted(all_titles()))
def test_a_dividend_may_be_paid_from_every_cell(title):
    rules, s = laid_out(Layout(title))
    cells = rules.box.market.cells
    for symbol in [c for c in rules.box.corporations if c in s.corporations][:3]:
        for cell, paid in itertools.product(cells, (0, 5, 1000)):
            assert price_after(rules, s, symbol, cell, paid) in cells


DEBTS = Terms("1817", ("Ada", "Ben", "Cleo"), 400, 21)


def indebted():
    cell = next(c.id for c in DEBTS.box.market.cells.values() if c.price == 100)
    return book_of(DEBTS, [
        Found("A&S", cell, 5), Trade("A&S", "A&S", "Ada", 2, 100, paid_to_bank=False),
        President("A&S", "Ada"), Loan("A&S", 2),
    ])  # fmt: skip


def test_loans_bring_money_and_cost_interest_and_price():
    book = indebted()
    assert (book.companies["A&S"].cash, book.price("A&S"), book.interest) == (400, 80, 5)
    book = enter(book, Interest("A&S"))
    assert book.companies["A&S"].cash == 390
    book = enter(book, Loan("A&S", -1))
    assert (book.companies["A&S"].loans, book.companies["A&S"].cash, book.price("A&S")) == (
        1, 290, 90)  # fmt: skip
    for wrong in (Loan("A&S", 5), Loan("A&S", -2), Loan("A&S", 0), Short("A&S", "Ada")):
        with pytest.raises(Refused):
            enter(book, wrong)
    with pytest.raises(Refused, match="no loans"):
        enter(started(), Loan("PRR"))
    with pytest.raises(Refused, match="does not have"):
        enter(started(), Short("PRR", "Cleo"))


def test_who_is_short_pays_the_dividend_and_covers():
    book = enter(indebted(), Short("A&S", "Ben"))
    assert book.companies["A&S"].held == {"A&S": 3, "Ada": 2, "Ben": -1, "pool": 1}
    assert (book.cash["Ben"], book.worth("Ben"), book.certificates("Ben")) == (480, 400, 0)
    paid = enter(book, Dividend("A&S", 100, 2, moves=True))
    assert (paid.cash["Ada"], paid.cash["Ben"]) == (240, 460)
    assert paid.price("A&S") == 90
    covered = enter(paid, Trade("A&S", "pool", "Ben", 1, 90))
    assert covered.companies["A&S"].held == {"A&S": 3, "Ada": 2}
    with pytest.raises(Refused, match="Ben has 0 shares"):
        enter(book, Trade("A&S", "Ben", "Cleo", 1, 80))


def test_incomes_and_closing():
    name, box = next(iter(TERMS.box.companies.items()))
    book = book_of(TERMS, [Private(name, "Cleo"), Income()])
    assert book.cash["Cleo"] == 800 + box.revenue
    assert book.certificates("Cleo") == 1
    assert enter(book, Private(name, "bank")).privates == {}


@pytest.fixture
def sheet(user):
    return keeping.open_sheet(user, "1828", "Ada\nBen, Cleo", "", "", "")


def test_whoever_has_the_link_writes(sheet, client, db):
    from django.test import Client

    stranger, address = Client(), f"/bank/{sheet.key}/"
    form = {"do": "pay", "payer": "Ada", "payee": "bank", "amount": "30"}
    assert stranger.post(address, form).status_code == 302
    page = client.get(address).content.decode()
    assert "Ada pays bank" in page
    assert client.get(f"{address}?since=1").status_code == 204
    assert client.get(f"{address}?since=0").status_code == 200
    assert stranger.post(address, {"undo": "9"}).status_code == 422
    assert stranger.post(address, {"undo": "1"}).status_code == 302
    assert "Ada pays bank" not in client.get(address).content.decode()
    assert stranger.get("/bank/nobody-knows/").status_code == 404
    assert stranger.get("/bank/").status_code == 302


@pytest.mark.parametrize(
    "form",
    [
        {"do": "pay", "payer": "Ada", "payee": "bank", "amount": "9000"},
        {"do": "pay", "payer": "Ada", "payee": "bank", "amount": "x"},
        {"do": "pay", "payer": "Ada", "payee": "bank", "amount": "9" * 30},
        {"do": "nothing"},
        {},
        {"do": "trade", "who": "PRR", "giver": "Ada", "taker": "Ben"},
    ],
)
def test_bad_entries_change_nothing(sheet, client, form):
    answer = client.post(f"/bank/{sheet.key}/", form)
    assert answer.status_code == 422
    assert re.search(r'role="alert">[^<]+\.<', answer.content.decode())
    assert Sheet.objects.get().version == 0


@pytest.mark.parametrize("names", ["", "Ada, Ada", "PRR, Ben", "bank", ",".join("abcdefghij")])
def test_names_are_looked_at(user, names):
    with pytest.raises(Refused):
        keeping.open_sheet(user, "1828", names, "", "", "")


def test_two_phones_at_one_sheet(local, open_page):
    from playwright.sync_api import expect

    one = open_page(viewport={"width": 390, "height": 800})
    one.goto(f"{local}/bank/")
    one.get_by_label("Title").select_option("1828")
    one.get_by_label("Players").fill("Ada\nBen\nCleo")
    one.get_by_role("button", name="Open a sheet").click()
    expect(one.locator("#bank")).to_have_attribute("data-version", "0")
    two = open_page(viewport={"width": 390, "height": 800})
    two.goto(one.url)
    start = one.locator("form", has=one.locator("[name=cell]")).last
    start.locator("[name=who]").select_option("PRR")
    start.get_by_role("button").click()
    expect(one.locator("#bank")).to_have_attribute("data-version", "1")
    one.locator("#co-PRR summary").click()
    trade = one.locator("#co-PRR form", has=one.locator("[name=giver]"))
    trade.locator("[name=count]").fill("2")
    trade.get_by_role("button").click()
    expect(one.locator("#co-PRR .held")).to_contain_text("Ada 2")
    earned = one.locator("#co-PRR [name=revenue]")
    earned.fill("100")
    expect(one.locator("#co-PRR output")).to_have_text("10 a share")
    one.locator("#co-PRR").get_by_role("button", name="Pay", exact=True).click()
    expect(one.locator("#bank")).to_have_attribute("data-version", "3")
    expect(two.locator("#bank")).to_have_attribute("data-version", "3")
    expect(two.locator(".bank-undo span")).to_have_text("PRR pays $100")
    assert one.evaluate("document.documentElement.scrollWidth") <= 390
    two.get_by_role("button", name="Undo").click()
    expect(one.locator("#bank")).to_have_attribute("data-version", "4")
    expect(one.locator(".bank-undo span")).to_contain_text("2 of PRR from its treasury to Ada")
