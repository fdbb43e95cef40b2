"""Emergencies and bankruptcy (10.6, 10.7)."""

from __future__ import annotations

from typing import Any

from . import board, stock, track, trains
from .closing import close_private
from .data import PRIVATES
from .state import Refused, State, Turn, held, need, owner, pay, price


def exists(s: State, turn: Turn) -> bool:
    """Whether the company is in an emergency now."""
    company = turn.company
    moment = turn.step == "train" or owner(s, "NFW") == company
    return moment and not s.trains[company] and s.cash[company] < trains.supply_price(s, company)


def short_with_director(s: State, company: str) -> bool:
    together = s.cash[company] + s.cash[s.president[company]]
    return together < trains.supply_price(s, company)


def act(s: State, turn: Turn, a: dict[str, Any]) -> None:
    need(exists(s, turn), "10.6: no emergency")
    company = turn.company
    match a["type"]:
        case "remove_token":
            city = track.named_city(s, a.get("city"))
            row, slot = board.slots(s, city), a.get("slot")
            need(isinstance(slot, int) and 0 <= slot < len(row), "5: no such slot")
            need(row[slot] == company, "10.6: not its marker")
            remove_marker(s, company, city)
        case "sell_shares":
            check_sale(s, company, a)
            stock.sell(s, s.president[company], a)
        case "sell_company":
            private = a.get("company")
            check_private(s, company, private)
            half = PRIVATES[private]["value"] // 2
            need(a.get("price") in (None, half), "10.6: half the face value")
            close_private(s, private)
            pay(s, s.president[company], half)
        case "bankrupt":
            need(bankrupt(s, turn), "10.6: not bankrupt")
            s.finished = "bankrupt"
            return
    turn.emergency = True


def remove_marker(s: State, company: str, city: board.City) -> None:
    """The bank pays the value of the city; an exchange marker goes before its station."""
    value = track.city_value(s, city)
    need(value > 0, "10.6: nothing at value 0")
    if s.exchange.get(company) == city:
        del s.exchange[company]
    else:
        need(len(board.hexes_of(s, company)) > 1, "10.6: never the last station")
        row = s.stations[city[0]][city[1]]
        row[row.index(company)] = None
    pay(s, company, value)


def can_remove(s: State, company: str) -> bool:
    return any(
        track.city_value(s, city) > 0
        and (len(board.hexes_of(s, company)) > 1 or s.exchange.get(company) == city)
        for city in board.cities_of(s, company)
    )


def check_sale(s: State, company: str, a: dict[str, Any]) -> None:
    sold, named = stock.shares_of(a)
    default = sum(stock.percent(sold, i) for i in named)
    check_bundle(s, company, sold, named, a.get("percent", default))


def check_bundle(s: State, company: str, sold: str, named: list[int], amount: int) -> None:
    need(short_with_director(s, company), "10.6: the money suffices")
    need(stock.parred(s, sold), "5.4: not started")
    director = s.president[company]
    without_last = (amount // 10 - 1) * price(s, sold)
    together = s.cash[company] + s.cash[director] + without_last
    need(together < trains.supply_price(s, company), "10.6: less would do")
    if sold == company:
        after = held(s, director, company) - amount
        most = max(held(s, p, company) for p in s.players if p != director)
        need(most <= after, "10.6: nobody may get more of the operating company")


def can_sell_shares(s: State, company: str) -> bool:
    director = s.president[company]
    for sold, named, amount in stock.sales(s, director):
        try:
            check_bundle(s, company, sold, named, amount)
        except Refused:
            continue
        if stock.may_move(s, director, sold, named, amount):
            return True
    return False


def check_private(s: State, company: str, private: Any) -> None:
    need(short_with_director(s, company), "10.6: the money suffices")
    need(private in PRIVATES and owner(s, private) == s.president[company], "10.6: not his")


def bankrupt(s: State, turn: Turn) -> bool:
    """Short of money, and nothing left to sell."""
    company = turn.company
    privates = any(o == s.president[company] for o in s.privates.values())
    return (
        exists(s, turn)
        and turn.step == "train"
        and short_with_director(s, company)
        and not can_remove(s, company)
        and not can_sell_shares(s, company)
        and not privates
    )
