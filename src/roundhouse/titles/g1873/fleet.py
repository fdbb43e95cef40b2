"""Trains, machines and switchers (§10): what a card is, costs and needs; buying and scrapping; what
mines and companies earn with them (§5.8).

A card keeps the id of its train side; ``variant`` says it lies as a machine. Machines and
switchers of a public mining company lie with its mines.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...bank import pay
from ...board import network
from ...board.tiles import revenue_of
from ...model.frozen import EMPTY, drop, put
from ...model.records import BANK, Pile, State, Train
from ...trains import depot
from .state import (
    EXTERNAL,
    PUBLIC_MINE,
    RAILWAY,
    Charter,
    Mine,
    OperatingRound,
    State1873,
    charter_of,
    mine_of,
    mines_of,
)

if TYPE_CHECKING:
    from ...box.box import Box
    from .rules import Rules1873


DIESEL = "D"


def face(train: Train) -> str:
    """The side a card shows, such as ``3M``."""
    return train.variant or train.kind


def letter(side: str) -> str:
    """``T``, ``M``, ``S`` or ``D``."""
    return side[-1]


def size(side: str) -> int:
    """The number on a side; 0 of a diesel."""
    return int(side[:-1]) if side != DIESEL else 0


def owned(s: State, who: str, kind: str) -> list[Train]:
    """The cards of one letter an entity itself holds."""
    found = [s.trains[t] for t in s.corporations[who].trains]
    return [t for t in found if letter(face(t)) == kind]


def machine_size(s: State, mine: str) -> int:
    """The size of a mine's machine; none counts as 1."""
    return max((size(face(t)) for t in owned(s, mine, "M")), default=1)


def switcher_size(s: State, mine: str) -> int:
    """The size of a mine's switcher; none counts as 0."""
    return max((size(face(t)) for t in owned(s, mine, "S")), default=0)


def holders(s: State, who: str) -> tuple[str, ...]:
    """Where the cards of an entity lie: its mines, or itself."""
    record = s.corporations[who]
    if isinstance(record, Charter) and record.kind == PUBLIC_MINE:
        return record.mines
    return (who,)


def owner_of(s: State, train: Train) -> str:
    """The entity that sells a card and pays for it: of a mine in a company, the company."""
    record = s.corporations[train.owner]
    if isinstance(record, Mine) and record.owner in s.corporations:
        return str(record.owner)
    return train.owner


def maintenance_cost(rules: Rules1873, s: State, side: str) -> int:
    """What one card costs each operating round in the present phase (§10.6)."""
    return rules.constants.maintenance.get(s.phase, EMPTY).get(side, 0)


def maintenance(rules: Rules1873, s: State1873, who: str) -> int:
    """All an entity pays this operating round; a mine without machine counts as ``1M``."""
    total = 0
    for holder in holders(s, who):
        cards = [face(s.trains[t]) for t in s.corporations[holder].trains]
        if isinstance(s.corporations[holder], Mine) and not owned(s, holder, "M"):
            cards.append("1M")
        total += sum(maintenance_cost(rules, s, side) for side in cards)
    return total


# the depot


def sides(box: Box, kind: str) -> tuple[str, ...]:
    """What a depot card may be bought as: the train, then the machine."""
    return (kind, *(v.name for v in box.trains[kind].variants))


def offered(rules: Rules1873, s: State1873) -> Iterator[Pile]:
    """The cards the bank sells: the first of the depot, and diesels once they are out (§10.2)."""
    top = depot.top(s)
    if top is not None:
        yield top
    if rules.reached(s, rules.constants.diesels_from):
        for pile in s.depot.piles:
            if pile.kind == DIESEL and pile is not top:
                yield pile


def switcher_on_sale(rules: Rules1873, s: State1873) -> str | None:
    """The switcher the bank sells (§10.3)."""
    level = rules.constants.switcher_level.get(s.phase)
    return f"{level}S" if level else None


def draw(rules: Rules1873, s: State1873, kind: str, who: str, side: str, price: int) -> str:
    """Buy the first card of a type from the bank, to lie with ``who`` as ``side``; whatever its
    first card brings about happens (§12). Returns its id."""
    pay(s, who, BANK, price, "train")
    train = depot.draw(s, kind)
    depot.give(s, train, who, price)
    if side != kind:
        s.trains = put(s.trains, train, replace(s.trains[train], variant=side))
    elif charter_of(s, who).kind == RAILWAY:
        give_carriers(rules, s, train)
    rules.left_depot(s, train)
    return train


def new_switcher(s: State1873, side: str, who: str, price: int) -> str:
    """A switcher from the bank for ``who``, who pays for it."""
    pay(s, who, BANK, price, "switcher")
    train = f"{side}-{s.switchers}"
    s.switchers += 1
    depot.give(s, train, who, price)
    return train


# carriers (§10.7)


def give_carriers(rules: Rules1873, s: State1873, train: str) -> None:
    """Set the route ids of a train just bought from the bank aside."""
    kind = s.trains[train].kind
    if kind == DIESEL:
        names: tuple[str, ...] = (free_diesel_carriers(rules, s)[0],)
    else:
        first = s.next_carrier.get(kind, rules.box.trains[kind].count or 0)
        count = size(kind)
        names = tuple(f"{kind}-{first + i}" for i in range(count))
        s.next_carrier = put(s.next_carrier, kind, first + count)
    s.carriers = put(s.carriers, train, names)
    refill_pool(rules, s)


def free_diesel_carriers(rules: Rules1873, s: State1873) -> list[str]:
    """The unused route ids of the diesels' pool, in text order."""
    first = rules.box.trains[DIESEL].count or 0
    used = {c for t, names in s.carriers.items() if s.trains[t].kind == DIESEL for c in names}
    every = (f"{DIESEL}-{n}" for n in range(first, s.diesel_pool))
    return sorted(c for c in every if c not in used)


def refill_pool(rules: Rules1873, s: State1873) -> None:
    """With fewer than half of the pool unused it is filled up again."""
    full = rules.constants.first_diesel_carriers
    free = len(free_diesel_carriers(rules, s))
    if 2 * free < full:
        s.diesel_pool += full - free


# moving and scrapping


def scrap(s: State1873, train: str) -> None:
    """Take a card out of the game."""
    depot.remove(s, train)
    if train in s.carriers:
        s.carriers = drop(s.carriers, train)


def equip(s: State1873, mine: str, train: str) -> None:
    """Lay a machine or switcher, in play or a new copy, on a mine; the old one is scrapped."""
    record = s.trains.get(train)
    side = face(record) if record else train.rpartition("-")[0]
    for old in owned(s, mine, letter(side)):
        scrap(s, old.id)
    depot.give(s, train, mine)


def put_copies(s: State1873, train: str, mines: list[str]) -> None:
    """§5.9.8: a machine serves several mines: the card lies on the first, copies on the others."""
    side = face(s.trains[train])
    for number, mine in enumerate(mines):
        name = train
        if number:
            name = f"{side}-{s.copies}"
            s.copies += 1
        equip(s, mine, name)


def fits_machines(s: State1873, company: str, count: int) -> list[int]:
    """Slots of a public mining company whose machine is smaller than ``count``."""
    mines = charter_of(s, company).mines
    return [i for i, m in enumerate(mines) if machine_size(s, m) < count]


def free_mines(s: State1873, *, of: str | None = None) -> list[Mine]:
    """Independent mines (of one player), by number."""
    return [m for m in mines_of(s) if m.owner in s.players and of in (None, m.owner)]


def revenue_of_mine(rules: Rules1873, s: State1873, name: str) -> int:
    """§6.1.3."""
    mine, facts = mine_of(s, name), rules.mines[name]
    if not mine.connected:
        return facts.machine_revenue[0]
    total = facts.machine_revenue[machine_size(s, name) - 1]
    steps = switcher_size(s, name)
    return total + (facts.switcher_revenue[steps - 2] if steps else 0)


def local_bonus(rules: Rules1873, s: State, who: str) -> int:
    """§11.7: the value of its town to the railway with a built-in train."""
    place = rules.constants.local_bonus.get(who)
    if place is None:
        return 0
    face = network.faces(rules.box.map, rules.box.tiles, s.board)[place]
    colors = rules.box.phases[s.phase].tiles
    return revenue_of(face.tile.nodes[face.tile.cities[0]], colors)


def gross_revenue(rules: Rules1873, s: State1873, who: str) -> int:
    """§6.1.3, §6.2.6, §6.4.1, §11.5: before maintenance."""
    record = s.corporations[who]
    if isinstance(record, Mine):
        return revenue_of_mine(rules, s, who)
    if record.kind == PUBLIC_MINE:
        mines = sum(revenue_of_mine(rules, s, m) for m in charter_of(s, who).mines)
        return mines + rules.constants.hw_bonus.get(who, 0)
    if record.kind == EXTERNAL:
        sizes = (size(s.trains[t].kind) for t in record.trains)
        return rules.constants.external_per_size * sum(sizes)
    return OperatingRound.of(s).revenue + local_bonus(rules, s, who)


def net_revenue(rules: Rules1873, s: State1873, who: str) -> int:
    """§5.8: revenue less maintenance; the external railway pays none."""
    gross = gross_revenue(rules, s, who)
    return gross if who == rules.external else gross - maintenance(rules, s, who)
