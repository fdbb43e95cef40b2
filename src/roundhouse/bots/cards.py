"""Cards that let a player begin a company, and are lost after the stock round they were not used
in."""

from __future__ import annotations

from math import comb, inf
from typing import TYPE_CHECKING

from ..model.records import Corporation, State
from ..rounds.steps.progress import StockProgress
from .needs import train_price
from .sold import still_to_run

if TYPE_CHECKING:
    from .view import View

#: Shares that must be sold of a company a card begins, and how shy others are to buy them.
_FLOATED, _SHY = 3, 2.0
#: How likely a company buys a card that it can pay and that brings more: at tables of bots 21 of 45
#: did, of the others 11 of 133.
_BUYS = 0.5


def kept(view: View, s: State, player: str, card: str) -> float:
    """How much of what a card is worth counts for who has it: as much as he is likely to begin its
    company; in the stock round after which it is lost nothing but what it lets him do there."""
    if not view.known.founding.cards or card not in s.corporations:
        return 1.0
    return 0.0 if isinstance(s.round, StockProgress) else begun(view, s, player, card)


def begun(view: View, s: State, player: str, card: str, price: int = 0) -> float:
    """How likely a player who pays so much for a card begins its company before it is lost: he
    needs the money for as many shares as must be sold, or for his part of them while others buy
    the rest. 1 of anything else."""
    if card not in view.known.founding.cards or card not in s.corporations:
        return 1.0
    if s.corporations[card].cell is not None:
        return 1.0
    par = _least_par(view, s, card)
    own = s.players[player].cash - price - _pledged(view, s, player, card)
    if not par or own < par:
        return 0.0
    rivals = [k for k in s.players if k != player]
    others = sum([max(0.0, s.players[k].cash - _pledged(view, s, k, card)) for k in rivals])
    missing = max(0.0, _FLOATED * par - own)
    return 1.0 if not missing else max(0.0, 1.0 - _SHY * missing / max(1.0, others))


def _least_par(view: View, s: State, card: str) -> int:
    """The lowest price at which a company a card begins gets what its track and train cost; 0:
    none."""
    founding = view.known.founding
    train = 0 if card in founding.trainless else train_price(view, s, len(_unequipped(view, s)))
    least = (view.rules.facts.track_due(s, card) + train) / max(1, founding.capital)
    cells = view.rules.box.market.cells.values()
    return min([c.price for c in cells if "par" in c.zones and c.price >= least], default=0)


def _pledged(view: View, s: State, player: str, but: str) -> float:
    """Money for the companies of the other cards a player has already."""
    cards = view.known.founding.cards
    held = [c.id for c in s.companies.values() if c.owner == player and c.id in cards]
    unused = [card for card in held if card != but and s.corporations[card].cell is None]
    return float(_FLOATED * sum([_least_par(view, s, card) for card in unused]))


def lost(view: View, s: State, c: Corporation) -> float:
    """How likely a company begun by a card is lost in its first turn, in which it must buy a train:
    certainly if those that must before it leave none it can pay, else the likelier the more others
    can buy before it."""
    if c.cell is None or not must_buy(view, c):
        return 0.0
    spare, cash = 0.0 - _before(view, s, c), view.to_spend(s, c)
    for pile in s.depot.piles:
        if view.rules.box.trains[pile.kind].price > cash:
            break
        spare += inf if pile.left is None else pile.left
    if spare <= 0:
        return 1.0
    eager = sum([_may_buy(view, s, o) for o in _earlier(view, s, c) if not must_buy(view, o)])
    if eager < spare:
        return 0.0
    return sum([_likely(eager, n) for n in range(int(spare), eager + 1)])


def _likely(count: int, n: int) -> float:
    """How likely so many of some companies buy that may."""
    return float(comb(count, n) * _BUYS**n * (1.0 - _BUYS) ** (count - n))


def _earlier(view: View, s: State, c: Corporation) -> list[Corporation]:
    """The companies that have their turn before another one."""
    price_of = view.rules.price_of
    return [o for o in still_to_run(s) if o.floated and price_of(o) > price_of(c)]


def _before(view: View, s: State, c: Corporation) -> int:
    """How many must buy a train before a company does."""
    price_of = view.rules.price_of
    return sum([o.id != c.id and price_of(o) > price_of(c) for o in _unequipped(view, s)])


def _may_buy(view: View, s: State, c: Corporation) -> bool:
    """Whether a company can pay a card in its next turn that brings more than it costs."""
    firm = view.firm(s, c)
    if firm.estate is None:
        return any(at == 0 for at, _ in view.plan(s, c.id).bought)
    return view.mind.works.may_buy(firm.estate, firm.cash, view.ledger_of(s))


def must_buy(view: View, c: Corporation) -> bool:
    """Whether a company is lost without a train at the end of its first turn."""
    founding = view.known.founding
    first = not c.trains and not c.operated
    return first and c.id in founding.cards and c.id not in founding.trainless


def _unequipped(view: View, s: State) -> list[Corporation]:
    """The companies that are to operate and must buy a train when they do."""
    return [c for c in s.corporations.values() if c.floated and must_buy(view, c)]
