"""Trains: buying, phases, rusting, discards (10.2 to 10.5)."""

from __future__ import annotations

from typing import Any

from . import emergency
from .closing import close_private
from .data import COMPANIES, PHASE_ORDER, PHASES, PRIVATES, RANKS, TRAINS, D, rank_of
from .state import CLOSED, State, Turn, limit, need, owner, pay


def on_sale(s: State) -> str:
    """The rank that is sold now."""
    return next(rank for rank in RANKS if s.left[rank] is None or (s.left[rank] or 0) > 0)


def next_id(s: State) -> str:
    rank = on_sale(s)
    return f"{rank}-{s.next[rank]}"


def supply_price(s: State, company: str) -> int:
    """The least a company pays for the train on sale, without a trade-in."""
    rank = on_sale(s)
    return s.prices[rank] - (cm_discount(rank) if owner(s, "CM") == company else 0)


def cm_discount(rank: str) -> int:
    return int(D["cm"].get(rank, 0))


def take_from_supply(s: State) -> str:
    """The train on sale leaves the supply; its id."""
    rank = on_sale(s)
    train = next_id(s)
    s.next[rank] += 1
    if s.left[rank] is not None:
        s.left[rank] = (s.left[rank] or 0) - 1
    return train


def room(s: State, company: str) -> bool:
    return len(s.trains[company]) < limit(s)


def others_trains(s: State, company: str) -> list[tuple[str, str]]:
    """Trains another company could sell; obsolete ones cannot be sold."""
    return [
        (other, t)
        for other in COMPANIES
        if other != company
        for t in s.trains[other]
        if t not in s.obsolete
    ]


def can_buy(s: State, company: str) -> bool:
    """10.4: whether the train step has anything to wait for."""
    treasury = s.cash[company]
    if room(s, company):
        if treasury >= supply_price(s, company):
            return True
        if treasury >= 1 and others_trains(s, company):
            return True
    if "train_trade_in" in s.options:
        rank = on_sale(s)
        return any(
            treasury >= s.prices[rank] - trade_in(s, rank, t)
            for t in s.trains[company]
            if trade_in(s, rank, t)
        ) and len(s.trains[company]) - 1 < limit(s)
    return False


def trade_in(s: State, rank: str, train: str) -> int:
    """What handing in a train is worth; 0: it cannot be."""
    old, amount = D["trade_in"].get(rank, ("", 0))
    return int(amount) if rank_of(train) == old and train not in s.obsolete else 0


# buying


def buy(s: State, turn: Turn, a: dict[str, Any]) -> None:
    company, train, cost = turn.company, a.get("train"), a.get("price")
    need(turn.step == "train" or owner(s, "NFW") == company, "10.4: not the train step")
    need(isinstance(cost, int) and isinstance(train, str), "10.4: a train and a price")
    need(a.get("variant") in (None, rank_of(train)), "16: no such side")
    assert isinstance(cost, int)
    assert isinstance(train, str)
    new_phase = train == next_id(s) and starts_phase(s)
    if train == next_id(s):
        buy_from_supply(s, turn, a, train, cost)
    else:
        buy_from_company(s, turn, a, train, cost)
    if owner(s, "RWS") != CLOSED and s.linked["RWS"] == company:
        close_private(s, "RWS")
    if new_phase:
        begin_phase(s, rank_of(train))


def starts_phase(s: State) -> bool:
    """Whether the train on sale is the first of its rank to be bought."""
    starts = next((p for p, about in PHASES.items() if about["on"] == on_sale(s)), None)
    return starts is not None and PHASE_ORDER.index(starts) > PHASE_ORDER.index(s.phase)


def buy_from_supply(s: State, turn: Turn, a: dict[str, Any], train: str, cost: int) -> None:
    company, rank = turn.company, rank_of(train)
    full = s.prices[rank]
    old = a.get("exchange")
    if old is not None:
        need("train_trade_in" in s.options and old in s.trains[company], "14: no trade-in")
        need(trade_in(s, rank, old) and a["entity"] != "CM", "14: no trade-in of that")
        full -= trade_in(s, rank, old)
    elif a["entity"] == "CM":
        need(cm_discount(rank), "8.3: not for that train")
        full -= cm_discount(rank)
    need(cost == full, "10.4: the price is fixed")
    if old is not None:
        need(s.cash[company] >= cost, "10.4: not enough cash")
        remove(s, company, old)
    need(room(s, company), "10.4: at the limit")
    pay_for(s, turn, cost)
    s.trains[company].append(take_from_supply(s))
    if a["entity"] == "CM":
        close_private(s, "CM")


def buy_from_company(s: State, turn: Turn, a: dict[str, Any], train: str, cost: int) -> None:
    company = turn.company
    need(a["entity"] == company and a.get("exchange") is None, "10.4: not from the supply")
    seller = next((c for c, t in others_trains(s, company) if t == train), None)
    need(seller is not None, "10.4: no such train for sale")
    need(cost >= 1, "10.4: at least 1")
    need(room(s, company), "10.4: at the limit")
    assert seller is not None
    if cost > s.cash[company] or turn.emergency:
        in_need = cost > s.cash[company]
        first = not s.trains[company]
        need(not (in_need or first) or cost <= s.prices[rank_of(train)], "10.6: face value")
    pay_for(s, turn, cost)
    pay(s, seller, cost)
    s.trains[seller].remove(train)
    s.marked.discard(train)
    s.trains[company].append(train)


def pay_for(s: State, turn: Turn, cost: int) -> None:
    """The treasury, and in an emergency the director, who adds exactly the rest."""
    company = turn.company
    rest = cost - s.cash[company]
    if rest > 0:
        need(emergency.exists(s, turn), "10.7: he may not help")
        director = s.president[company]
        need(s.cash[director] >= rest, "10.6: not enough cash")
        pay(s, director, -rest)
        pay(s, company, rest)
    pay(s, company, -cost)


# phases


def begin_phase(s: State, rank: str) -> None:
    """10.3, (1) to (3)."""
    s.phase = next(p for p, about in PHASES.items() if about["on"] == rank)
    for company in COMPANIES:
        for train in list(s.trains[company]):
            if rusts(s, train, rank):
                if train in s.marked:
                    s.obsolete.add(train)
                elif train not in s.obsolete:
                    remove(s, company, train)
    if s.phase == "Brown":
        convert_jjb(s)
    for private, about in PRIVATES.items():
        if s.phase in about["closes"] and s.privates[private] not in (CLOSED, None):
            close_private(s, private)


def rusts(s: State, train: str, on: str) -> bool:
    permanent = "red_permanent" in s.options and rank_of(train) == "5D"
    return TRAINS[rank_of(train)]["rusts_on"] == on and not permanent


def convert_jjb(s: State) -> None:
    """8.3: owned by a company, JJB becomes an extra 7+."""
    company = owner(s, "JJB")
    if company in COMPANIES:
        s.trains[company].append(extra_id("7+"))


def extra_id(rank: str) -> str:
    """8.3: the id after those of the title's full roster."""
    return f"{rank}-{TRAINS[rank]['count']}"


def remove(s: State, company: str, train: str) -> None:
    s.trains[company].remove(train)
    s.marked.discard(train)
    s.obsolete.discard(train)


def above_limit(s: State) -> list[str]:
    """Companies that have to discard, in operating order of this round."""
    return [c for c in s.order if len(s.trains[c]) > limit(s)]


def discard(s: State, company: str, train: Any) -> None:
    need(train in s.trains[company], "10.3: not its train")
    remove(s, company, train)
