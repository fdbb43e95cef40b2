"""Cards that let a player begin a company, and are lost after the stock round they were not used
in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model.records import State
from ..rounds.steps.progress import StockProgress
from ..trains import depot

if TYPE_CHECKING:
    from .view import View

#: Shares that must be sold of a company a card begins, and how shy others are to buy them.
_FLOATED, _SHY = 3, 2.0


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
    founding, pile = view.known.founding, depot.top(s)
    train = view.rules.box.trains[pile.kind].price if pile is not None else 0
    least = (founding.cards[card] + train) / max(1, founding.capital)
    cells = view.rules.box.market.cells.values()
    return min([c.price for c in cells if "par" in c.zones and c.price >= least], default=0)


def _pledged(view: View, s: State, player: str, but: str) -> float:
    """Money for the companies of the other cards a player has already."""
    cards = view.known.founding.cards
    held = [c.id for c in s.companies.values() if c.owner == player and c.id in cards]
    unused = [card for card in held if card != but and s.corporations[card].cell is None]
    return float(_FLOATED * sum([_least_par(view, s, card) for card in unused]))
