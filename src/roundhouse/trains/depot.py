"""Trains: the bank's depot, the open market, phases, rust and export.

Rules code composes these verbs; what the first train of a type brings about, and in what order, is
the title's to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..model.errors import BrokenInvariant
from ..model.events import PhaseStarted, TrainMoved, TrainsObsolete, TrainsRusted
from ..model.frozen import drop, put
from ..model.records import MARKET, Depot, Pile, State, Train

if TYPE_CHECKING:
    from ..box.box import Box
    from ..box.schema import Phase, TrainDef

DEPOT = "depot"
GONE = "gone"


def first_depot(box: Box, adjust: Mapping[str, int | None] | None = None) -> Depot:
    """The depot at the start; ``adjust`` overrides counts by type."""
    counts = adjust or {}
    return Depot(
        tuple(
            Pile(t.name, 0, counts.get(t.name, t.count))
            for t in box.trains.values()
            if not t.reserved
        )
    )


def top(s: State) -> Pile | None:
    """The pile the bank sells from now."""
    piles = s.depot.piles
    return piles[0] if piles else None


def counted(box: Box, pile: Pile) -> int | None:
    """How many a pile still has, as players are told; None: as many as anybody wants."""
    return None if box.trains[pile.kind].countless else pile.left


def open_market(s: State) -> tuple[str, ...]:
    """The trains on sale in the open market: the first of each type."""
    seen: dict[str, str] = {}
    for name in s.depot.market:
        seen.setdefault(s.trains[name].kind, name)
    return tuple(seen.values())


def on_sale(s: State) -> tuple[str, ...]:
    """The trains the bank sells now: the next of the depot, and those of the open market."""
    pile = top(s)
    return open_market(s) if pile is None else (f"{pile.kind}-{pile.next}", *open_market(s))


def draw(s: State, kind: str) -> str:
    """Take the next train of a type out of the depot; it belongs to nobody yet."""
    piles = []
    drawn = ""
    for pile in s.depot.piles:
        if pile.kind == kind and not drawn:
            drawn = f"{kind}-{pile.next}"
            left = None if pile.left is None else pile.left - 1
            pile = Pile(kind, _following(s, kind, pile.next), left)
        if pile.left != 0:
            piles.append(pile)
    if not drawn:
        raise BrokenInvariant(f"no {kind} train in the depot")
    s.depot = replace(s.depot, piles=tuple(piles))
    return drawn


def _following(s: State, kind: str, number: int) -> int:
    """The next number of a type; those given out at the start are left out."""
    number += 1
    while f"{kind}-{number}" in s.trains:
        number += 1
    return number


def kind_of(s: State, train: str) -> str:
    """The type of a train, in play or still in the depot."""
    record = s.trains.get(train)
    return record.kind if record else train.rpartition("-")[0]


def give(s: State, train: str, target: str, price: int = 0) -> None:
    """Hand a train that was drawn, or is anywhere in play, to an owner or the open market."""
    record = s.trains.get(train)
    source = record.owner if record else DEPOT
    if record is not None:
        _take_from_owner(s, record)
    fresh = record or Train(train, train.rpartition("-")[0], target)
    s.trains = put(s.trains, train, replace(fresh, owner=target))
    if target == MARKET:
        s.depot = replace(s.depot, market=(*s.depot.market, train))
    else:
        owner = s.corporations[target]
        s.corporations = put(s.corporations, target, replace(owner, trains=(*owner.trains, train)))
    s.now.emit(TrainMoved(train, source, target, price))


def remove(s: State, train: str) -> None:
    """Take a train in play out of the game."""
    record = s.trains[train]
    _take_from_owner(s, record)
    s.trains = drop(s.trains, train)
    s.now.emit(TrainMoved(train, record.owner, GONE, 0))


def _take_from_owner(s: State, record: Train) -> None:
    if record.owner == MARKET:
        rest = tuple(t for t in s.depot.market if t != record.id)
        s.depot = replace(s.depot, market=rest)
    elif record.owner in s.corporations:
        owner = s.corporations[record.owner]
        rest = tuple(t for t in owner.trains if t != record.id)
        s.corporations = put(s.corporations, owner.id, replace(owner, trains=rest))


def rust(s: State, kinds: set[str], spared: str | None = None) -> list[Train]:
    """Remove all trains of some types, wherever they are; returns what they were. A ``spared``
    one becomes obsolete instead."""
    old = [t for t in s.trains.values() if t.kind in kinds]
    rusted = [t for t in old if t.id != spared]
    for train in rusted:
        _take_from_owner(s, train)
        s.trains = drop(s.trains, train.id)
    piles = tuple(p for p in s.depot.piles if p.kind not in kinds)
    if len(piles) != len(s.depot.piles):
        s.depot = replace(s.depot, piles=piles)
    if rusted:
        s.now.emit(TrainsRusted(tuple(t.id for t in rusted)))
    if len(old) > len(rusted) and spared is not None:
        s.trains = put(s.trains, spared, replace(s.trains[spared], obsolete=True))
        s.now.emit(TrainsObsolete((spared,)))
    return rusted


def make_obsolete(s: State, kinds: set[str]) -> None:
    """Mark all trains of some types that corporations own; those in the open market go."""
    marked = []
    for train in list(s.trains.values()):
        if train.kind not in kinds or train.obsolete:
            continue
        if train.owner == MARKET:
            remove(s, train.id)
        else:
            s.trains = put(s.trains, train.id, replace(train, obsolete=True))
            marked.append(train.id)
    if marked:
        s.now.emit(TrainsObsolete(tuple(marked)))


def starts_phase(box: Box, s: State, kind: str) -> Phase | None:
    """The phase the first train of ``kind`` starts, if it is later than the present one."""
    phases = list(box.phases.values())
    now = phases.index(box.phases[s.phase])
    for phase in phases[now + 1 :]:
        if kind in phase.on:
            return phase
    return None


def start_phase(s: State, phase: Phase) -> None:
    """Enter a phase."""
    s.phase = phase.name
    s.now.emit(PhaseStarted(phase.name))


def rusted_by(box: Box, kind: str) -> set[str]:
    """Types the first train of ``kind`` rusts."""
    return {t.name for t in box.trains.values() if _is(t.rusts_on, kind)}


def obsolete_by(box: Box, kind: str) -> set[str]:
    """Types the first train of ``kind`` makes obsolete."""
    return {t.name for t in box.trains.values() if _is(t.obsolete_on, kind)}


def _is(trigger: str | tuple[str, ...] | None, kind: str) -> bool:
    return trigger == kind or (isinstance(trigger, tuple) and kind in trigger)


def definition(box: Box, s: State, train: str) -> TrainDef:
    """The type of a train."""
    return box.trains[kind_of(s, train)]
