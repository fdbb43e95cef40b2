"""Companies that have a price and do not operate yet: how likely they float, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model.records import Corporation, State
from ..rounds.steps.progress import StockProgress
from ..stock.market import price

if TYPE_CHECKING:
    from .view import View

#: How likely a company floats at most.
_SURE = 0.95
#: What of the price of a share in a company that does not float is left.
_IDLE = 0.6
#: Percent that must be sold before a company operates, where a title's data do not say.
_FLOAT = 60
#: Certificates a president without room for more sells others for, so that his company floats.
MADE = 2
#: Percent players buy a round of one that is still to float.
_PACE = 30


def hope(view: View, s: State, c: Corporation) -> float:
    """How likely a company floats soon: by what is sold, the money players have for it once those
    are served that miss less, and how many certificates they may still hold."""
    left = missing(view, s, c)
    if not left:
        return 1.0
    if at_once(view, s, c):
        return _SURE
    founding = view.known.founding
    each = price(view.rules.box.market, s, c.id)
    cost = left * each
    room = {k: places(view, s, k) for k in s.players}
    if left <= MADE and c.president in room:
        room[c.president] = max(MADE, room[c.president])
    money = {k: min(p.cash, room[k] * each) for k, p in s.players.items()}
    lead = money.pop(c.president or "", 0) / _unfloated(s, c.president)
    others = sum(money.values())
    coming = lead + founding.joining * max(0, others - _nearer(view, s, c, cost))
    sold = 1.0 - left * c.unit / _needed(view, c)
    whole = cost / (1.0 - sold)
    sure = 1.0 - founding.doubt * (1.0 - sold)
    sure *= min(1.0, sum(room.values()) / left)
    return min(_SURE, sure * min(1.0, sold + coming / max(1.0, whole)))


def places(view: View, s: State, player: str) -> int:
    """How many more certificates a player may hold."""
    return max(0, view.rules.limit_of(s, player) - view.rules.certificates(s, player))


def at_once(view: View, s: State, c: Corporation) -> bool:
    """Whether its president has the money, and room for the certificates, to have a company float
    in the stock round that is running. At tables of bots nearly nine in ten of these did, of
    the others less than four."""
    president = c.president or ""
    if not isinstance(s.round, StockProgress) or president not in s.players:
        return False
    left, money = missing(view, s, c), s.players[president].cash / _unfloated(s, president)
    if money < left * price(view.rules.box.market, s, c.id):
        return False
    return places(view, s, president) >= left


def delay(view: View, s: State, c: Corporation) -> int:
    """Rounds until a company begins to operate: more, the less of it is sold."""
    if c.floated or view.known.lives_on_visits(c.id) or at_once(view, s, c):
        return 0
    return 1 + max(0, _needed(view, c) - (100 - c.held(c.id))) // _PACE


def idle(view: View, s: State, c: Corporation) -> float:
    """What a share is worth of a company that does not float."""
    return _IDLE * price(view.rules.box.market, s, c.id)


def missing(view: View, s: State, c: Corporation) -> int:
    """Shares that must be sold of a company until it floats."""
    return -(-max(0, _needed(view, c) - (100 - c.held(c.id))) // c.unit) if not c.floated else 0


def _needed(view: View, c: Corporation) -> int:
    """Percent that must be sold of a company."""
    definition = view.rules.box.corporations.get(c.id)
    return (definition.float_percent if definition else 0) or _FLOAT


def _nearer(view: View, s: State, c: Corporation, cost: int) -> int:
    """What other companies still miss to float that miss less than one, if money is shared out."""
    if not view.known.founding.in_turn:
        return 0
    begun = [
        o
        for o in s.corporations.values()
        if o.cell is not None and o.id != c.id and not view.known.lives_on_visits(o.id)
    ]
    costs = [missing(view, s, o) * price(view.rules.box.market, s, o.id) for o in begun]
    return sum([other for other in costs if other <= cost])


def _unfloated(s: State, president: str | None) -> int:
    """Companies a player leads that have a price and are still to float: they share his money."""
    led = [c for c in s.corporations.values() if c.president == president]
    return max(1, sum(1 for c in led if c.cell is not None and not c.floated))
