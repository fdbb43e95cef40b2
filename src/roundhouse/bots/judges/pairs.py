"""Two tiles laid one after the other: where the first brings nothing by itself, or a company
reaches no stop yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from ...model.actions import LayTile
from ...model.choices import Choice
from ...model.records import State
from ...rounds import machine
from ..view import View
from .laid import Built, distinct, gain, leads_to, measured
from .outlook import after, thinned

#: Tiles tried after one, of them routes are searched for; how likely the second is laid.
_TRIED, _SEARCHED, _LIKELY = 24, 3, 0.8
#: The same of companies that reach nothing yet: first tiles looked at, second ones of each tried,
#: and what it counts to reach a stop at all.
_PAIRED, _SECONDS, _LINKED = 6, 60, 40.0


class Second(NamedTuple):
    """A tile laid after another one, at once or in the ``next_turn``; what both do, and by how much
    that is better than the first alone."""

    hex: str
    next_turn: bool
    both: Built
    better: float


def best_second(view: View, who: str, first: Choice, s: State, alone: Built) -> Second | None:
    """The best tile beside one that has been laid, or in its place; None if none makes both worth
    more."""
    best, once = None, gain(view, who, alone)
    for then, next_turn in _turns(view, who, s):
        for coord, both in _beside(view, who, first, then):
            if both.more <= 0 and both.later <= 0:
                continue
            more = gain(view, who, both, missed=float(next_turn)) - once
            if _LIKELY * more > (best.better if best else 0.0):
                best = Second(coord, next_turn, both, _LIKELY * more)
        if best:
            break
    return best


def _turns(view: View, who: str, s: State) -> Iterator[tuple[State, bool]]:
    """The positions in which a company that has laid a tile may lay another: this one if its turn
    goes on, that of its next turn."""
    if view.rules.operator(s) == who and s.acting:
        yield s, False
    then, c = view.now.fork(), s.corporations[who]
    then.board = s.board
    # its price may have moved, if its turn has ended by itself
    c = replace(view.now.corporations[who], cash=c.cash, tokens=c.tokens)
    then.corporations = {**view.now.corporations, who: c}
    yield then, True


def _beside(view: View, who: str, first: Choice, then: State) -> Iterator[tuple[str, Built]]:
    """The tiles that lie where another has been laid or beside it, after which stops pay most, and
    what both do."""
    rough = []
    for choice in thinned(_near(view, first, machine.choices(view.rules, then)), _TRIED):
        view.mind.spent.add(1)
        end = after(view, choice.action, then)
        if end is not None and who in end.corporations:
            paying = view.income.paying(end, who, view.ledger.on_sale(1.0))
            rough.append((paying, _hex(choice), end))
    rough.sort(key=lambda one: one[0], reverse=True)
    for _, coord, end in rough[:_SEARCHED]:
        yield coord, measured(view, who, end, leads_to(view, end, who))


def _near(view: View, first: Choice, choices: Iterable[Choice]) -> list[Choice]:
    """The tiles among some choices that lie on the hex of another or beside it."""
    near = {_hex(first), *view.rules.box.map.neighbors[_hex(first)].values()}
    lays = [c for c in choices if isinstance(c.action, LayTile) and _hex(c) in near]
    return distinct(view, lays)


def _hex(choice: Choice) -> str:
    assert isinstance(choice.action, LayTile)
    return choice.action.hex


def linking(
    view: View, who: str, rough: list[tuple[float, Choice, State]]
) -> list[tuple[float, Choice, State]]:
    """The first of two tiles by what both lead to, for a company that reaches nothing yet."""
    found = []
    for worth, choice, s in rough[:_PAIRED]:
        best = worth + _LINKED * view.rules.reach(s.board, who).linked
        following = [c for c in machine.choices(view.rules, s) if isinstance(c.action, LayTile)]
        for second in thinned(following, _SECONDS):
            then = after(view, second.action, s)
            if then is not None and view.rules.reach(then.board, who).linked:
                both = leads_to(view, then, who)
                best = max(best, both + 0.9 * _LINKED)
        found.append((best, choice, s))
    return sorted(found, key=lambda one: -one[0])
