"""What holds in every state of 1873: tiles, mines, equipment, companies in receivership."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from .fleet import owned
from .rules import Rules1873
from .state import Charter, Mine, State1873
from .supply import name_of


def faults(rules: Rules1873, s: State1873) -> Iterator[str]:
    """Sentences naming what is wrong; none in a legal state."""
    yield from _tiles(rules, s)
    yield from _carriers(s)
    for record in s.corporations.values():
        if isinstance(record, Mine):
            yield from _mine(s, record)
        else:
            yield from _company(s, record)


def _tiles(rules: Rules1873, s: State1873) -> Iterator[str]:
    """Every tile is on the map, in the supply or kept for a hex, exactly once."""
    places = [*s.supply, *s.kept.values(), *(t.tile for t in s.board.tiles.values())]
    for tile, count in Counter(places).items():
        if count > 1:
            yield f"tile {tile} is in {count} places"
    names = Counter(name_of(t) for t in places)
    for name, limit in rules.box.tiles.counts.items():
        if limit is not None and names[name] != limit:
            yield f"there are {names[name]} tiles {name}, not {limit}"


def _carriers(s: State1873) -> Iterator[str]:
    for carrier, count in Counter(c for names in s.carriers.values() for c in names).items():
        if count > 1:
            yield f"route id {carrier} belongs to {count} trains"
    for train in s.carriers:
        if train not in s.trains:
            yield f"route ids are kept for {train}, which is gone"


def _mine(s: State1873, mine: Mine) -> Iterator[str]:
    company = s.corporations.get(mine.owner or "")
    if isinstance(company, Charter) and mine.id not in company.mines:
        yield f"{company.id} owns mine {mine.id} without a slot for it"
    if mine.owner is not None and not mine.open:
        yield f"mine {mine.id} is closed but owned"
    if mine.owner is None and (mine.cash or mine.trains) and s.premium is not None:
        yield f"mine {mine.id} has no owner but property"
    if len(owned(s, mine.id, "S")) > 1 or len(mine.trains) > 1 + bool(owned(s, mine.id, "M")):
        yield f"mine {mine.id} has too much equipment"


def _company(s: State1873, company: Charter) -> Iterator[str]:
    if len(company.mines) > company.slots:
        yield f"{company.id} has {len(company.mines)} mines in {company.slots} slots"
    if company.receivership and any(company.held(p) for p in s.order):
        yield f"players hold shares of {company.id}, which is in receivership"
