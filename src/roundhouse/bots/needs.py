"""Help with trains: what presidents lack for it, what it costs them to raise that by sales, and how
likely the game ends because one cannot."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, MutableMapping
from typing import TYPE_CHECKING, NamedTuple

from ..model.records import Corporation, State
from ..rounds.steps.progress import OperatingProgress
from .sold import still_to_run

if TYPE_CHECKING:
    from .view import View

#: What of a player's part of the runs of a round he has when he must help in it.
_BEFORE = 0.5
#: What a private brings that is sold for help, as a part of its face value.
_HALF = 0.5
#: How likely the game ends by who lacks next to nothing, how much more for each part of the price
#: of the train he lacks, and at most: others may sell him a train.
_BARELY, _STEEP, _MOST = 0.3, 2.5, 0.85
#: The same, where another company of his may pass a train on.
_PASSED_ON = 0.1
#: The same, if a stock round comes first: somebody else may lead the company after it.
_LATER = 0.35


class _Holding(NamedTuple):
    """Shares that may be sold: what one brings, and is worth to who keeps it; how many."""

    price: float
    worth: float
    shares: int


# what help costs who must sell for it


def take_sales(view: View, s: State, found: MutableMapping[str, float]) -> None:
    """Take off what each player is worth what he loses by the shares he must sell to help companies
    soon for which he has no money: those first that cost him least."""
    if not view.weights.raised:
        return
    for player, firms in _led(s, found).items():
        due = [view.plan(s, c.id).soon for c in firms]
        now, then = sum([soon for soon, _ in due]), sum([later for _, later in due])
        if now + then <= s.players[player].cash:
            continue
        rest, whole = _coming(view, s, player), _earned(view, s, player, s.corporations.values())
        lacking = max(now - _BEFORE * rest, now + then - rest - _BEFORE * whole)
        lacking -= s.players[player].cash
        if lacking > 0:
            helped = [c.id for c, soon in zip(firms, due, strict=True) if any(soon)]
            found[player] -= view.weights.raised * _lost(view, s, player, lacking, helped)


def _led(s: State, players: Container[str]) -> dict[str, list[Corporation]]:
    """The companies that operate, by the player who leads them."""
    found: dict[str, list[Corporation]] = {}
    for c in s.corporations.values():
        leads = c.president or ""
        if c.floated and c.cell is not None and leads in players:
            found.setdefault(leads, []).append(c)
    return found


def _coming(view: View, s: State, player: str) -> float:
    """What the companies bring a player that are still to run in this round, or in the next if none
    is running."""
    return _earned(view, s, player, still_to_run(s))


def _earned(view: View, s: State, player: str, companies: Iterable[Corporation]) -> float:
    """What some companies bring a player by a run of the trains they have."""
    running = [c for c in companies if c.trains and c.held(player) > 0]
    return sum([view.income.now(s, c.id) * c.held(player) / 100 for c in running])


def _lost(view: View, s: State, player: str, lacking: float, helped: Collection[str]) -> float:
    """What a player loses by sales that bring so much, to help some companies, of what is worth
    least for its price."""
    lost = 0.0
    for h in sorted(_holdings(view, s, player, helped), key=lambda h: h.worth / h.price):
        count = min(float(h.shares), max(0.0, lacking) / h.price)
        lost += count * max(0.0, h.worth - h.price)
        lacking -= count * h.price
    return lost


def _holdings(view: View, s: State, player: str, helped: Collection[str]) -> Iterator[_Holding]:
    for c in s.corporations.values():
        count = _sellable(view, s, player, c, helped)
        if count and (price := view.rules.price(s, c.id)):
            yield _Holding(float(price), view.share(s, c)[0], count)


def _sellable(view: View, s: State, player: str, c: Corporation, helped: Collection[str]) -> int:
    """How many shares of a company a player may sell to help some: of these no more than leave him
    their president."""
    most = view.to_sell(s, c, player)
    if c.id in helped:
        others = max([c.held(p) for p in s.players if p != player], default=0)
        most = min(most, max(0, c.held(player) - others))
    return most // c.unit


# the end of the game by who cannot raise it


def ending(view: View, s: State) -> float:
    """How likely the game ends soon because a president cannot pay for a train his company must
    have: the companies that have none buy one after the other, or get one from another of his."""
    if not view.known.ruinous or s.finished is not None or view.ledger.rounds <= 0:
        return 0.0
    money: dict[str, float] = {}
    supplied = {c.president for c in s.corporations.values() if c.trains}
    safe = 1.0
    for number, (c, likely) in enumerate(_without(view, s)):
        missing, who = train_price(view, s, number) - c.cash, c.president or ""
        if missing > 0 and who in s.players:
            if who not in money:
                money[who] = _raisable(view, s, who, c.id)
            lacking = missing - money[who]
            if lacking > 0:
                passed_on = _PASSED_ON if who in supplied else 1.0
                safe *= 1.0 - likely * passed_on * _sure(lacking / (missing + c.cash))
                continue
            if who not in supplied:
                money[who] -= missing
        # what one company of his has, the others may have after it
        supplied.add(who)
    return 1.0 - safe


def _sure(lacking: float) -> float:
    return min(_MOST, _BARELY + _STEEP * lacking)


def _without(view: View, s: State) -> list[tuple[Corporation, float]]:
    """The companies that must have a train and have none, in the order they operate, and how likely
    their president then is who leads them now."""
    lacking = [c for c in s.corporations.values() if c.floated and not c.trains]
    if not lacking:
        return []
    m = s.round
    if not isinstance(m, OperatingProgress):
        return [(c, _LATER) for c in sorted(lacking, key=lambda c: -view.rules.price(s, c.id))]
    coming = m.order[m.index :]
    again = 1.0 if view.rules.facts.left_of_set(s, 1) > 1 else _LATER
    now = [(s.corporations[k], 1.0) for k in coming if s.corporations.get(k) in lacking]
    return now + [(c, again) for c in lacking if c.id not in coming]


def _raisable(view: View, s: State, player: str, helped: str) -> float:
    """What a player could pay for a train of a company: his money, what comes in this round, all he
    may sell."""
    total = s.players[player].cash + _coming(view, s, player)
    for c in s.corporations.values():
        count = _sellable(view, s, player, c, (helped,))
        total += count * view.rules.price(s, c.id) if count else 0
    cards = [c.id for c in s.companies.values() if c.owner == player]
    return total + _HALF * sum([view.rules.box.companies[k].value for k in cards])


def train_price(view: View, s: State, sold: int) -> int:
    """What a train of the bank costs once so many are sold; 0 where none is left."""
    for pile in s.depot.piles:
        if pile.left is None or sold < pile.left:
            return view.rules.box.trains[pile.kind].price
        sold -= pile.left
    return 0
