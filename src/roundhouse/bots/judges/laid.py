"""What has been built does for a company, and what its owners gain by it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...model.actions import LayTile
from ...model.choices import Choice
from ...model.records import Corporation, State
from ..view import View

#: Rounds until the train a company is thought to run later is there.
LATER = 4.5
#: The work of building something and of asking what it leads to.
_BUILT = 15


class Built(NamedTuple):
    """What has been built does for a company: a run more, with today's trains and with later ones,
    stops to be reached, and what it cost."""

    more: int
    later: int
    reach: float
    cost: int


def measured(view: View, who: str, s: State, potential: float) -> Built:
    """What a company has of a position its track leads to."""
    now = view.now.corporations[who]
    trains = s.corporations[who].trains or next_train(view)
    then = later_trains(view, now) if long_run(view) > 0 else trains
    having = view.income.having
    more = having(s, who, trains) - having(view.now, who, trains)
    later = having(s, who, then) - having(view.now, who, then)
    before = view.mind.sites.potential(view.now, view.now.board, who)
    return Built(more, later, potential - before, now.cash - s.corporations[who].cash)


def long_run(view: View) -> float:
    """Rounds the later trains of a company run that count."""
    left = view.ledger.rounds
    return min(view.weights.later, max(0.0, left - min(LATER, left)))


def gain(view: View, who: str, built: Built, missed: float = 0.0) -> float:
    """What a player gains by it, some rounds of today's trains missed."""
    now = view.now.corporations[who]
    part, rounds = max(0.2, view.part(now)), min(LATER, view.ledger.rounds)
    runs = built.more * max(0.0, rounds - missed) + built.later * long_run(view)
    reach = view.weights.potential * view.ledger.rounds * built.reach
    return part * (runs + reach) - price_of_track(view, now, built.cost, part)


def leads_to(view: View, s: State, who: str) -> float:
    """What a company gets to by what has just been built, or may from there."""
    view.mind.spent.add(_BUILT)
    return view.mind.sites.potential(s, s.board, who)


def price_of_track(view: View, c: Corporation, cost: int, part: float) -> float:
    """What it costs a player that a company spends something on track: where plans count what track
    costs, what its plan loses by it, much where a train cannot be paid then; no less than usual."""
    usual = part * view.weights.track * cost
    if not view.known.building or cost <= 0 or c.cell is None:
        return usual
    now, firm = view.plan(view.now, c.id), view.firm(view.now, c)
    less = view.plan(view.now, c.id, cash=firm.cash - cost)
    lost = (now.worth - less.worth) * c.held(view.me) / c.unit
    if c.president == view.me:
        lost += view.lead(now) - view.lead(less)
    return max(usual, lost)


def later_trains(view: View, c: Corporation) -> tuple[str, ...]:
    """The trains a company is thought to run in some rounds: those that still run then, and the
    one on sale."""
    ledger = view.ledger
    lasting = [t for t in c.trains if ledger.life(view.now.trains[t].kind) > LATER]
    kind = ledger.on_sale(LATER)
    room = max(1, view.room(view.now, c))
    return (*lasting[: room - 1], *([kind] if kind else []))


def next_train(view: View) -> tuple[str, ...]:
    """The train a company without one is thought to get."""
    kind = view.ledger.on_sale(1.0)
    return (kind,) if kind else ()


def distinct(view: View, choices: Sequence[Choice]) -> list[Choice]:
    """Of tiles that look the same as they would lie, one."""
    found: dict[object, Choice] = {}
    for choice in choices:
        a = choice.action
        assert isinstance(a, LayTile)
        name = a.tile.rpartition("-")[0]
        pattern = view.rules.box.tiles.tiles[name].turned(a.rotation).pattern
        found.setdefault((a.actor, a.hex, name, pattern), choice)
    return list(found.values())
