"""The corporation being treated in an acquisition round (§5.4), and what can be bid for it."""

from __future__ import annotations

from msgspec.structs import replace

from .constants import WHITE
from .rules import Rules1817
from .state import AcquisitionRound, Offer, State1817


def on_offer(s: State1817) -> Offer:
    """The offer being treated."""
    offer = AcquisitionRound.of(s).offer
    assert offer is not None
    return offer


def change(s: State1817, **fields: object) -> None:
    """Change fields of the offer."""
    s.round = replace(AcquisitionRound.of(s), offer=replace(on_offer(s), **fields))


def drop(s: State1817) -> None:
    """The corporation on offer is done with."""
    done = on_offer(s).corporation
    order = tuple(c for c in AcquisitionRound.of(s).order if c != done)
    s.round = replace(AcquisitionRound.of(s), order=order, offer=None)


def bid_limit(rules: Rules1817, s: State1817, player: str, offer: Offer, buyer: str = "") -> int:
    """§5.4.4: the most a player can pay with one of his corporations (or with ``buyer``)."""
    target = s.corporations[offer.corporation]
    paid_in = compensation(rules, s, offer)
    value = rules.constants.loan_value
    best = 0
    for corporation in rules.presided(s, player):
        if corporation.id == target.id or not rules.white(s, corporation.id):
            continue
        if buyer and corporation.id != buyer:
            continue
        room = min(corporation.shares - corporation.loans, s.loans_left + target.loans)
        money = corporation.cash + value * room + target.cash + paid_in
        best = max(best, money - value * target.loans)
    return best


def compensation(rules: Rules1817, s: State1817, offer: Offer) -> int:
    """Treasury shares of the target are bought by the bank in a friendly sale."""
    if offer.kind != WHITE:
        return 0
    target = s.corporations[offer.corporation]
    return target.held(target.id) // target.unit * rules.price(s, target.id)
