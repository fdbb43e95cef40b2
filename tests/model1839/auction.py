"""The auction of the privates (3)."""

from __future__ import annotations

from typing import Any

from . import market, stock
from .closing import close_private
from .data import PRIVATES
from .state import State, need, pay


def on_offer(s: State) -> list[str]:
    return [p for p in s.laid if s.privates[p] is None]


def price_of(s: State, private: str) -> int:
    return int(PRIVATES[private]["value"]) - s.laid[private]


def act(s: State, a: dict[str, Any]) -> None:
    """One turn of the auction: buy, discount or pass."""
    player = s.players[s.on_turn]
    need(a["entity_type"] == "player" and f"player:{a['entity']}" == player, "3.1: not his turn")
    match a["type"]:
        case "bid":
            _buy(s, player, a)
        case "choose":
            need(a.get("choice") in on_offer(s), "3.1: not on offer")
            s.laid[a["choice"]] += 10
            s.passes = 0
        case "pass":
            s.passes += 1
        case _:
            need(False, "3.1: a turn is a pass, a purchase or a discount")
    _next_turn(s)


def _buy(s: State, player: str, a: dict[str, Any]) -> None:
    private = a.get("company")
    need(private in on_offer(s), "3.1: not on offer")
    need(a.get("price") == price_of(s, private), "3.1: the price is face less the cash on it")
    need(s.cash[player] >= a["price"], "3.1: not enough cash")
    pay(s, player, -a["price"])
    _take(s, player, private)
    s.passes = 0


def _take(s: State, player: str, private: str) -> None:
    s.privates[private] = player
    if private == "RWS":
        company = s.linked[private]
        s.certs[company][0] = player
        s.president[company] = player
        market.enter(s, company, (5, 3))
    if private == "SWO":
        s.certs[s.linked[private]][8] = player


def _next_turn(s: State) -> None:
    s.on_turn = (s.on_turn + 1) % len(s.players)
    for private in on_offer(s):
        if price_of(s, private) == 0:  # 3.2: taken at no cost, which is the turn
            _take(s, s.players[s.on_turn], private)
            s.on_turn = (s.on_turn + 1) % len(s.players)
    if s.passes == len(s.players) or not on_offer(s):
        _close(s)


def _close(s: State) -> None:
    for private in on_offer(s):
        close_private(s, private)
    s.players.sort(key=lambda p: s.cash[p])  # stable: equal cash keeps the order
    stock.begin(s)
