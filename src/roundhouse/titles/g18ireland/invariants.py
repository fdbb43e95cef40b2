"""What holds in every state of 18Ireland, beyond what holds in every title."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.records import MARKET
from .rules import Rules18Ireland
from .state import State18Ireland, StockRound


def faults(rules: Rules18Ireland, s: State18Ireland) -> list[str]:
    """Sentences naming what is wrong; none in a legal state."""
    return [*_corporations(rules, s), *_primed(rules, s), *_reserved(s)]


def _corporations(rules: Rules18Ireland, s: State18Ireland) -> Iterator[str]:
    for c in s.corporations.values():
        if c.cell is None:
            if c.president or c.cash or c.trains or c.held(c.id) != 100:
                yield f"{c.id} has not started and yet has something"
            continue
        president = s.players.get(c.president or "")
        if president is None or president.bankrupt:
            yield f"{c.id} is led by {c.president}"
        if rules.trading.pool_room(c) < 0:
            yield f"the pool holds {c.held(MARKET)} % of {c.id}"
        for player in s.players:
            if c.held(player) > rules.trading.max_holding(s, c):
                yield f"{player} holds {c.held(player)} % of {c.id}"


def _primed(rules: Rules18Ireland, s: State18Ireland) -> Iterator[str]:
    for kind, number in s.primed.items():
        count = rules.box.trains[kind].count
        if count is not None and number > count:
            yield f"{number} {kind} have come into play"


def _reserved(s: State18Ireland) -> Iterator[str]:
    choosing = s.round.homeless if isinstance(s.round, StockRound) else None
    for coord, places in s.board.reserved.items():
        for place in places:
            corporation = s.corporations.get(place.entity)
            waits = corporation is not None and corporation.cell is None
            if not waits and place.entity != choosing:
                yield f"a place on {coord} is kept for {place.entity}"
