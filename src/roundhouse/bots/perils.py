"""What may end a company or a player suddenly: shorts that bring a price to nothing, and payments
nobody has money for."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from ..model.records import Corporation, State

if TYPE_CHECKING:
    from .view import View

#: How likely a company is sold short until it is over, where as many shorts as there may be bring
#: its price to nothing, and how much less with each step that is left then. In six real games two
#: in five companies of five shares within eight steps of it were sold short in a stock round, and
#: most of these ended within two.
_PERIL, _SAFER = 0.45, 0.08
#: Shares of the companies that was seen of, and how much less likely it is of larger ones: of 33 of
#: five shares within three steps 16 were sold short, and 17 ended within two stock rounds; of 19 of
#: ten shares 4 and 6.
_MEDIUM, _LARGER = 5, 0.5
#: Shares of a company none of which is traded.
_PRIVATE = 2
#: What of the price of shares is left if they must be sold.
_SOLD = 0.5
#: Part of all a player has that he loses by being bankrupt, as likely as that is when nobody builds
#: what earns the money.
_RUIN = 0.8


def peril(view: View, c: Corporation, traded: str) -> float:
    """How likely others sell a company short until it is over. ``traded``: the cell its price is
    thought to be in at the next stock round, empty if none comes: that is what counts if it is
    lower."""
    most = view.rules.facts.most_shorts(c.shares)
    if not most or c.cell is None:
        return 0.0
    out = sum([x.percent < 0 for held in c.certs.values() for x in held])
    steps = min([view.mind.steps_left(cell) for cell in (c.cell, traded) if cell])
    left = steps - max(0, most - out)
    likely = min(_PERIL, max(0.0, _PERIL - _SAFER * left))
    return likely * (_LARGER if c.shares > _MEDIUM else 1.0)


def take_dues(view: View, s: State, found: dict[str, float]) -> None:
    """Take off what each player is worth what he will have to pay in the next round for companies
    that end if nobody does, and most of all he has if he cannot pay that and his shorts."""
    if not view.rules.facts.loan_value or not view.known.perishing:
        return
    unpaid = unpaid_interest(view, s, found)
    for player in found:
        interest = unpaid.get(player, 0.0)
        due = interest + owed_on_shorts(view, s, player)
        found[player] -= view.weights.help * interest
        if due > max(0, s.players[player].cash) and due > _liquid(view, s, player):
            found[player] -= _RUIN * max(0.0, found[player])


def unpaid_interest(view: View, s: State, players: Collection[str]) -> dict[str, float]:
    """Interest some presidents will have to pay themselves: their companies have no money for it,
    may not borrow more, and earn too little by the track there is."""
    found: dict[str, float] = {}
    for c in s.corporations.values():
        due, who = view.ledger.owed * c.loans - c.cash, c.president
        if due <= 0 or c.cell is None or who not in players or view.dying(s, c):
            continue
        due -= view.rules.facts.loan_value * min(c.shares - c.loans, s.loans_left)
        if due > 0 and (missing := due - view.income.now(s, c.id)) > 0:
            found[str(who)] = found.get(str(who), 0.0) + missing
    return found


def owed_on_shorts(view: View, s: State, player: str) -> float:
    """Dividends a player will have to pay on what he has sold short."""
    short = sold_short(s, player)
    return sum([-view.income.now(s, c.id) * c.held(player) / 100 for c in short])


def sold_short(s: State, player: str) -> list[Corporation]:
    """The companies a player owes shares of."""
    return [c for c in s.corporations.values() if c.cell is not None and c.held(player) < 0]


def _liquid(view: View, s: State, player: str) -> float:
    """A player's money with what the shares he can sell would bring, which fall as he does."""
    traded = [c for c in s.corporations.values() if c.shares > _PRIVATE]
    sold = [view.to_sell(s, c, player) // c.unit * view.rules.price(s, c.id) for c in traded]
    return s.players[player].cash + _SOLD * sum(sold)
