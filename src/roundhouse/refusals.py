"""What players often look for and may not do now, with the reasons.

Nothing here knows a rule: usual actions are put together from what is on the table, and the step
that would take them says what speaks against them. What the choices cover is left out, and so is
what no step would take at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from .board import laying
from .model.actions import (
    Action,
    BuyShares,
    BuyTrain,
    Convert,
    Dividend,
    LayTile,
    Pass,
    PayoffLoan,
    SellShares,
    TakeLoan,
)
from .model.choices import Choice
from .model.errors import IllegalAction
from .model.frozen import put
from .model.records import MARKET, Corporation, Laid, State
from .rounds import machine
from .rounds.rules import Rules
from .rounds.step import ActionContext
from .stock.shares import share_id
from .trains import depot

#: Faults of an action as it was put together here, not of what it is for.
_OWN_FAULTS = frozenset(
    {"price", "kind", "percent", "variant", "amount", "not_now", "not_your_turn"}
)

Sender = dict[str, Any]


class Refusal(Struct, frozen=True):
    """An action and what speaks against it."""

    action: Action
    fault: IllegalAction


def refusals(rules: Rules[Any], s: State, offered: Sequence[Choice]) -> Iterator[Refusal]:
    """What those who are waited for may not do, beside what is ``offered``: the choices."""
    if s.finished is not None:
        return
    for who, sender in _senders(s, offered).items():
        kinds = _kinds(rules, s, who)
        for kind, make in _USUAL.items():
            if kind not in kinds:
                continue
            for action in make(rules, s, who, sender):
                if any(c.covers(action) for c in offered):
                    continue
                fault = machine.why_not(rules, s, action)
                if fault is not None and fault.code not in _OWN_FAULTS:
                    yield Refusal(action, fault)


def _senders(s: State, offered: Sequence[Choice]) -> dict[str, Sender]:
    """For each entity waited for how its actions name it."""
    found: dict[str, Sender] = {}
    for choice in offered:
        a = choice.action
        if a.actor in s.acting:
            found.setdefault(a.actor, {"entity": a.entity, "entity_type": a.entity_type})
    return found


def _kinds(rules: Rules[Any], s: State, who: str) -> set[type[Action]]:
    """The kinds of action some step takes from an entity now."""
    asked = s.fork()
    asked.now = ActionContext()
    found: set[type[Action]] = set()
    for step in rules.play(s).sequence:
        found.update(kind for kind in step.takes if step.admits(asked, who, kind))
        if step.name == s.step:
            break
    return found


# usual actions


def _dividends(rules: Rules[Any], s: State, who: str, sender: Sender) -> Iterator[Action]:
    yield Dividend(**sender, kind="payout")
    yield Dividend(**sender, kind="half")
    yield Dividend(**sender, kind="withhold")


def _trains(rules: Rules[Any], s: State, who: str, sender: Sender) -> Iterator[Action]:
    """The next train of the bank and those in the market, at list price."""
    for name in depot.on_sale(s):
        definition = depot.definition(rules.box, s, name)
        yield BuyTrain(**sender, train=name, price=definition.price)


def _one(corporation: Corporation, holder: str) -> str | None:
    """The id of a holder's first certificate, the president's last."""
    owned = [c for c in corporation.certs.get(holder, ()) if c.percent > 0]
    certs = sorted(owned, key=lambda c: c.index == 0)
    return share_id(corporation.id, certs[0]) if certs else None


def _purchases(rules: Rules[Any], s: State, who: str, sender: Sender) -> Iterator[Action]:
    for corporation in s.corporations.values():
        for holder in (corporation.id, MARKET):
            name = _one(corporation, holder)
            if corporation.cell is not None and name is not None and holder != who:
                yield BuyShares(**sender, shares=(name,))


def _sales(rules: Rules[Any], s: State, who: str, sender: Sender) -> Iterator[Action]:
    for corporation in s.corporations.values():
        name = _one(corporation, who)
        if name is not None:
            yield SellShares(**sender, shares=(name,))


def _loans(rules: Rules[Any], s: State, who: str, sender: Sender) -> Iterator[Action]:
    yield TakeLoan(**sender, loan=0)


def _repayments(rules: Rules[Any], s: State, who: str, sender: Sender) -> Iterator[Action]:
    if who in s.corporations and s.corporations[who].loans:
        yield PayoffLoan(**sender, loan=0)


def _conversions(rules: Rules[Any], s: State, who: str, sender: Sender) -> Iterator[Action]:
    yield Convert(**sender)


def _passes(rules: Rules[Any], s: State, who: str, sender: Sender) -> Iterator[Action]:
    yield Pass(**sender)


_Maker = Callable[[Rules[Any], State, str, Sender], Iterator[Action]]

#: Kind of action → those of it that players look for.
_USUAL: dict[type[Action], _Maker] = {
    Dividend: _dividends,
    BuyTrain: _trains,
    BuyShares: _purchases,
    SellShares: _sales,
    TakeLoan: _loans,
    PayoffLoan: _repayments,
    Convert: _conversions,
    Pass: _passes,
}


# tiles


def missing_tiles(rules: Rules[Any], s: State, coord: str) -> Iterator[Refusal]:
    """Tiles that could be laid on a hex, each in one rotation, were they not sold out or of the
    next phase; with what speaks against them as it is."""
    senders = _senders(s, list(machine.choices(rules, s)))
    for who, sender in senders.items():
        if LayTile not in _kinds(rules, s, who):
            continue
        for name in rules.box.tiles.tiles:
            found = _missing(rules, s, coord, name, sender)
            if found is not None:
                yield found


def _missing(rules: Rules[Any], s: State, coord: str, name: str, sender: Sender) -> Refusal | None:
    """A tile that only the supply or the phase speaks against."""
    supposed = _supposing(rules, s, coord, name)
    if supposed is None:
        return None
    for rotation in range(6):
        action = LayTile(**sender, hex=coord, tile=f"{name}-0", rotation=rotation)
        fault = machine.why_not(rules, s, action)
        if fault is not None and machine.why_not(rules, supposed, action) is None:
            return Refusal(action, fault)
    return None


def _supposing(rules: Rules[Any], s: State, coord: str, name: str) -> State | None:
    """As if a tile were in the supply and of this phase; None if it is, or the hex does not ask
    for its colour."""
    box = rules.box
    tile = box.tiles.tiles[name]
    if tile not in box.tiles.successors(laying.face_at(box, s.board, coord).tile):
        return None
    sold_out = not laying.free_copies(box, s.board, name)
    later = tile.color not in box.phases[s.phase].tiles
    if not sold_out and not later:
        return None
    new = s.fork()
    if later:
        new.phase = next((p.name for p in box.phases.values() if tile.color in p.tiles), s.phase)
    if sold_out:
        new.board = replace(s.board, tiles=_relabelled(s, f"{name}-0"))
    return new


def _relabelled(s: State, tile: str) -> dict[str, Laid]:
    """The tiles on the map with one copy under another number, so that its own is free."""
    there = next((c for c, laid in s.board.tiles.items() if laid.tile == tile), None)
    if there is None:
        return dict(s.board.tiles)
    laid = s.board.tiles[there]
    return put(s.board.tiles, there, replace(laid, tile=f"{tile.rpartition('-')[0]}-supposed"))
