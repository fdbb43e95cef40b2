"""The foreigners operate by themselves (12)."""

from __future__ import annotations

from . import market, trains
from .data import COUNTRIES
from .state import IPO, POOL, State, country_of, held, indices, operating_order, parred, pay, price


def tasks(s: State) -> list[tuple[str, str]]:
    """The countries in order; each becomes its foreigners when it starts."""
    return [(country, "country") for country in COUNTRIES]


def step(s: State) -> None:
    """One stage of one foreigner; the train stage repeats until it can buy no more."""
    assert s.foreign
    who, stage = s.foreign.pop(0)
    if stage == "country":
        order = operating_order(s, [f for f in COUNTRIES[who] if parred(s, f)])
        s.foreign = [(f, "income") for f in order] + s.foreign
    elif stage == "income":
        income(s, who)
        buy_back(s, who)
        s.foreign.insert(0, (who, "trains"))
    elif buy_train(s, who):
        s.foreign.insert(0, (who, "trains"))


def income(s: State, foreigner: str) -> None:
    """Steps 1 and 2."""
    amount, country = s.slots[foreigner], country_of(foreigner)
    if amount:
        pay(s, country, amount)
        each = -(-amount // 10)
        for player in s.players:
            pay(s, player, each * held(s, player, foreigner) // 10)
        pay(s, country, each * held(s, IPO, foreigner) // 10)
        s.slots[foreigner] = 0
    market.move(s, foreigner, "right" if amount else "left")


def buy_back(s: State, foreigner: str) -> None:
    country = country_of(foreigner)
    while held(s, POOL, foreigner) and s.cash[country] >= price(s, foreigner):
        pay(s, country, -price(s, foreigner))
        s.certs[foreigner][indices(s, POOL, foreigner)[0]] = IPO


def buy_train(s: State, foreigner: str) -> bool:
    """One train out of the game, with its effects; whether there was money for it."""
    rank, country = trains.on_sale(s), country_of(foreigner)
    if s.cash[country] < s.prices[rank]:
        return False
    pay(s, country, -s.prices[rank])
    starts = trains.starts_phase(s)
    if rank != "FLOOD":
        trains.take_from_supply(s)
    if starts:
        trains.begin_phase(s, rank)
    return True
