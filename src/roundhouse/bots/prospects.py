"""What companies earn with the trains they have, and may with others, by the track there is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..model.records import Corporation, State
from .income import kinds_in

if TYPE_CHECKING:
    from .view import View

#: What companies are thought to earn, against what is typical: those that have not begun, and those
#: that have built but reach nothing yet.
NEW, _UNLINKED = 0.9, 0.6
#: The same of those that cannot build where they are until a later phase.
_SHUT = 0.2
#: The same of a further train where those there are earn nothing yet.
_IDLING = 0.3
_WORST, _BEST = 0.4, 1.6


def quality(view: View, s: State, c: Corporation) -> float:
    """What a train earns on a company's track against what is typical of it: always the one
    that was on sale, so that a purchase does not change what is thought of the track."""
    if not _served(view, s, c):
        return home(view, s, c)
    train = view.ledger.on_sale(0.0)
    usual = view.known.typical.get(train, 0.0) if train else 0.0
    earned = view.income.having(s, c.id, (train,)) if train else 0
    if not earned or not usual:
        return _unlinked(view, s, c)
    seen = min(_BEST, max(_WORST, round(earned / usual, 2)))
    return max(seen, (seen + home(view, s, c)) / 2) if _local(view, s, c) else seen


def more(view: View, s: State, c: Corporation) -> tuple[float, float]:
    """What one more train of the kind that was on sale would add on a company's track, against
    what it typically adds; and the same of each beyond it."""
    train = view.ledger.on_sale(0.0)
    if not train or not _served(view, s, c):
        return 1.0, 1.0
    own = c.trains or (train,)
    earned = view.income.having(s, c.id, own)
    if not earned:
        return (_IDLING, _IDLING) if c.trains else (1.0, 1.0)
    first = _added(view, s, c, own, train)
    if not first or len(own) + 1 >= view.room(s, c):
        return first, min(1.0, first)
    return first, min(first, _added(view, s, c, (*own, train), train))


def _added(view: View, s: State, c: Corporation, own: tuple[str, ...], train: str) -> float:
    """What a train adds to some, against what it typically adds."""
    typical, shells = view.mind.forecast.typical, len(c.train_groups)
    kinds = kinds_in(s, own)
    usual = typical([*kinds, train], shells) - typical(kinds, shells)
    added = view.income.having(s, c.id, (*own, train)) - view.income.having(s, c.id, own)
    return min(_BEST, max(0.0, round(added / usual, 1))) if usual > 0 else 1.0


def earning(view: View, s: State, c: Corporation) -> int:
    """What a company's trains earn now; what they will once it has built, if it has not; of one
    that must have a train and has none, what it will earn."""
    if not c.trains:
        if not view.known.compulsory:
            return 0
        kinds = supposed(view)
        if _served(view, s, c):
            return view.income.having(s, c.id, kinds)
        part = NEW if everywhere(view, kinds) else view.known.first_run
        return round(part * (home(view, s, c) / NEW) * view.mind.forecast.typical(kinds))
    # those that run once more are none of its plan
    running = [t for t in c.trains if not s.trains[t].obsolete]
    earned = view.income.having(s, c.id, running) if placed(view, c) else 0
    if earned:
        return earned
    run = [s.trains[t].kind for t in running]
    return round(_unlinked(view, s, c) * view.mind.forecast.typical(run, len(c.train_groups)))


def supposed(view: View) -> tuple[str, ...]:
    """The train a company without one is to get: the one that was on sale."""
    kind = view.ledger.on_sale(0.0)
    return (kind,) if kind else ()


def everywhere(view: View, trains: Sequence[str]) -> bool:
    """Whether some of the trains get everywhere: by the track others have laid, from the
    beginning."""
    visits = view.known.visits
    return visits is not None and visits.all_over(trains)


def opens(view: View, s: State, c: Corporation) -> bool:
    """Whether a company can build where its stations are."""
    at = [t.city.partition("/")[0] for t in c.tokens if t.city]
    return any(view.mind.sites.opens(s, coord) for coord in at)


def placed(view: View, c: Corporation) -> bool:
    """Whether it has begun to build, or those it was merged from have: it has more stations
    than one begins with."""
    stations = sum([t.city is not None for t in c.tokens])
    definition = view.rules.box.corporations.get(c.id)
    homes = len(definition.home) if definition else 0
    return stations > max(1, homes) or (c.operated and stations > 0)


def _served(view: View, s: State, c: Corporation) -> bool:
    """Whether its track tells what it will earn: it has begun to build, or begins where a train
    would earn something."""
    if placed(view, c):
        return True
    begun = bool([t for t in c.tokens if t.city is not None])
    linked = begun and view.rules.reach(s.board, c.id).linked
    return linked and view.income.having(s, c.id, supposed(view)) > 0


def _unlinked(view: View, s: State, c: Corporation) -> float:
    """What a company that reaches nothing yet is thought to earn, against what is typical."""
    return _UNLINKED * (home(view, s, c) / NEW) if opens(view, s, c) else _SHUT


def home(view: View, s: State, c: Corporation) -> float:
    """What a company is thought to earn that has not begun, against what is typical."""
    return view.known.homes[c.id] if _local(view, s, c) else NEW


def _local(view: View, s: State, c: Corporation) -> bool:
    """Whether it is known what a company earns where it begins: in the first phase, before its
    network is joined to others."""
    first = next(iter(view.rules.box.phases))
    return c.id in view.known.homes and s.phase == first
