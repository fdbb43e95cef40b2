"""What may be done as a numbered list that is never written out.

A :class:`Space` counts the actions of some choices, gives the one with a number and the number of
one, and draws. Nothing is listed for that: a range of amounts is counted by its ends, routes are
searched for when they are drawn or looked at. Where a range is long, a *coarse* space lists a few
of its amounts only, close together at the low end.

Every legal action has a :class:`Place`, listed or not, from which it comes back equal.

>>> from random import Random
>>> import roundhouse
>>> title, *_ = roundhouse.all_titles()
>>> game = roundhouse.new(title, ["Ada", "Ben", "Cleo"], seed=1)
>>> fine, coarse = game.space(), game.space(amounts=8)
>>> len(fine) > 10 * len(coarse)
True
>>> action = fine.sample(Random(1))
>>> fine[fine.index(action)] == action == coarse.action(coarse.place(action))
True
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from random import Random
from typing import Any, overload

import msgspec
from msgspec import Struct

from .actions import Action
from .arguments import whole
from .choices import Choice, Domain, Span
from .errors import IllegalAction, UnknownName

replace = msgspec.structs.replace

_ABOUT = frozenset(Action.__struct_fields__)


class Place(Struct, frozen=True, omit_defaults=True):
    """Where an action is: the number of its choice, ``at`` the numbers of its values by field, and
    ``said`` the values that have none, as they are: other names of equal things, an amount a coarse
    space leaves out, routes other than those listed."""

    choice: int
    at: Mapping[str, int] = {}
    said: Mapping[str, Any] = {}


class Few(Span):
    """Some amounts of a longer range: both ends, and the more the lower."""

    def __init__(self, whole: Span, most: int) -> None:
        super().__init__(whole.low, whole.high, whole.step)
        last = len(self.amounts) - 1
        rises = (round(math.pow(last + 1, n / max(1, most - 1))) - 1 for n in range(most))
        self.few = [self.amounts[n] for n in sorted(set(rises))]

    def values(self) -> Iterator[int]:
        return iter(self.few)

    def size(self) -> int:
        return len(self.few)

    def at(self, number: int) -> int:
        return self.few[number]

    def index(self, value: Any) -> int | None:
        return self.few.index(value) if value in self.few else None

    def near(self, value: int) -> int:
        """The number of the amount next to one."""
        return min(range(len(self.few)), key=lambda n: abs(self.few[n] - value))


class Space(Sequence[Action]):
    """The actions of some choices, in their order; see the module's text.

    ``amounts``: of a range of amounts so many at most are listed, at least 1; None: all.
    """

    def __init__(self, choices: Iterable[Choice], amounts: int | None = None) -> None:
        if amounts is not None and whole(amounts, "amounts") < 1:
            raise UnknownName(f"amounts: at least 1 is wanted, not {amounts}")
        self.choices = tuple(choices)
        self.amounts = amounts

    def __repr__(self) -> str:
        return f"<Space of {len(self)} actions in {len(self.choices)} choices>"

    @cached_property
    def domains(self) -> tuple[dict[str, Domain], ...]:
        """The open fields of each choice, long ranges thinned."""
        return tuple(
            {name: self._thinned(d) for name, d in c.domains.items()} for c in self.choices
        )

    def _thinned(self, domain: Domain) -> Domain:
        if isinstance(domain, Span) and self.amounts is not None and domain.size() > self.amounts:
            return Few(domain, self.amounts)
        return domain

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """How many actions each choice has."""
        return tuple(math.prod(d.size() for d in domains.values()) for domains in self.domains)

    @cached_property
    def _ends(self) -> list[int]:
        return list(accumulate(self.counts))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @cached_property
    def types(self) -> Mapping[str, tuple[int, ...]]:
        """The numbers of the choices of each type of action."""
        found: dict[str, tuple[int, ...]] = {}
        for n, choice in enumerate(self.choices):
            found[choice.type] = (*found.get(choice.type, ()), n)
        return found

    def numbers(self, choice: int) -> range:
        """The numbers of the actions of a choice."""
        end = self._ends[choice]
        return range(end - self.counts[choice], end)

    # from numbers to actions

    @overload
    def __getitem__(self, number: int) -> Action: ...
    @overload
    def __getitem__(self, number: slice) -> list[Action]: ...
    def __getitem__(self, number: int | slice) -> Action | list[Action]:
        if isinstance(number, slice):
            return [self._at(n) for n in range(*number.indices(len(self)))]
        return self._at(range(len(self))[number])

    def _at(self, number: int) -> Action:
        choice = bisect_right(self._ends, number)
        rest = number - self.numbers(choice).start
        at = {}
        for name, domain in reversed(self.domains[choice].items()):
            rest, at[name] = divmod(rest, domain.size())
        return self.action(Place(choice, at))

    def action(self, place: Place) -> Action:
        """The action at a place. Raises :class:`LookupError` if there is no such place."""
        domains = self.domains[place.choice]
        values = {name: domains[name].at(n) for name, n in place.at.items()}
        return replace(self.choices[place.choice].action, **values, **place.said)

    def __iter__(self) -> Iterator[Action]:
        return (self._at(n) for n in range(len(self)))

    # from actions to numbers

    def place(self, action: Action) -> Place:
        """Where a legal action is. Raises :class:`IllegalAction` if no choice covers it."""
        for n, choice in enumerate(self.choices):
            if choice.covers(action):
                return self._place(n, action)
        raise IllegalAction(
            "not_listed", f"Nothing {action.actor} may do now is this action ({action.type})."
        )

    def _place(self, choice: int, action: Action) -> Place:
        at, said = {}, {}
        domains, template = self.domains[choice], self.choices[choice].action
        for name in action.__struct_fields__:
            value = getattr(action, name)
            if name in _ABOUT:
                continue
            if name in domains:
                number = domains[name].index(value)
                if number is None:
                    said[name] = value
                else:
                    at[name] = number
            elif value != getattr(template, name):
                said[name] = value
        return Place(choice, at, said)

    def index(self, action: Action, start: int = 0, stop: int | None = None) -> int:
        """The number of an action. Raises :class:`ValueError` if it is not listed."""
        try:
            place = self.place(action)
        except IllegalAction as fault:
            raise UnknownName(str(fault)) from fault
        if place.said:
            raise UnknownName(f"not listed by its {', '.join(place.said)}: {action}")
        number = self._number(place)
        if number not in range(*slice(start, stop).indices(len(self))):
            raise UnknownName(f"{action} is not in that part of the list")
        return number

    def _number(self, place: Place) -> int:
        number = 0
        for name, domain in self.domains[place.choice].items():
            number = number * domain.size() + place.at[name]
        return self.numbers(place.choice).start + number

    def near(self, action: Action) -> int:
        """The number of the listed action that is next to a legal one: the same with the nearest
        amount, equal things by their first name, and the routes that are listed. Raises
        :class:`IllegalAction`."""
        place = self.place(action)
        domains = self.domains[place.choice]
        at = {name: _near(d, place, name) for name, d in domains.items()}
        return self._number(Place(place.choice, at))

    def __contains__(self, action: object) -> bool:
        try:
            self.index(action)  # type: ignore[arg-type]
        except (ValueError, AttributeError):
            return False
        return True

    # drawing

    def sample(self, rng: Random) -> Action:
        """One of the listed actions, all alike."""
        return self._at(rng.randrange(len(self)))

    def sample_stratified(self, rng: Random) -> Action:
        """One action: first its type, then one of its choices, then each value, all alike at each
        turn. So a pass or a purchase is not lost among hundreds of bids."""
        choice = rng.choice(self.types[rng.choice(list(self.types))])
        at = {name: rng.randrange(d.size()) for name, d in self.domains[choice].items()}
        return self.action(Place(choice, at))


def _near(domain: Domain, place: Place, name: str) -> int:
    if name in place.at:
        return place.at[name]
    return domain.near(place.said[name]) if isinstance(domain, Few) else 0
