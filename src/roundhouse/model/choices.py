"""What may be done: a template action and, for each open field, the domain of its values.

A :class:`Choice` is concrete (no domains), or open in a range of amounts, in which of several
equal things is named, or in a whole set of routes. It can list its actions where that is finite,
draw one at random, and tell whether it covers a given action.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from .actions import _COMMON, Action, Run

if TYPE_CHECKING:
    from random import Random


class Domain:
    """Values of one field. ``values()`` lists the distinct ones, the usual first; ``size``, ``at``
    and ``index`` number them, without listing them where that would be long."""

    enumerable = True

    def values(self) -> Iterator[Any]:
        raise NotImplementedError

    def size(self) -> int:
        """How many distinct values there are."""
        return sum(1 for _ in self.values())

    def at(self, number: int) -> Any:
        """A distinct value by its number, from 0."""
        return next(itertools.islice(self.values(), number, None))

    def index(self, value: Any) -> int | None:
        """The number of a distinct value; None: it is another name of one, or none at all."""
        return next((n for n, one in enumerate(self.values()) if one == value), None)

    def contains(self, value: Any) -> bool:
        return value in tuple(self.values())

    def draw(self, rng: Random) -> Any:
        return rng.choice(tuple(self.values()))


class Span(Domain):
    """Integers ``low``, ``low + step`` … up to ``high``."""

    def __init__(self, low: int, high: int, step: int = 1) -> None:
        self.low, self.high, self.step = low, high, step

    def __repr__(self) -> str:
        return f"Span({self.low}, {self.high}, {self.step})"

    @property
    def amounts(self) -> range:
        return range(self.low, self.high + 1, self.step)

    def values(self) -> Iterator[int]:
        return iter(self.amounts)

    def size(self) -> int:
        return len(self.amounts)

    def at(self, number: int) -> int:
        return self.amounts[number]

    def index(self, value: Any) -> int | None:
        return self.amounts.index(value) if self.contains(value) else None

    def contains(self, value: Any) -> bool:
        return isinstance(value, int) and value in self.amounts

    def draw(self, rng: Random) -> int:
        return rng.randrange(self.low, self.high + 1, self.step)


class Equal(Domain):
    """Values that make no difference to the rules; the first is the canonical one."""

    def __init__(self, *alternatives: Any) -> None:
        self.alternatives = alternatives

    def __repr__(self) -> str:
        return f"Equal{self.alternatives}"

    def values(self) -> Iterator[Any]:
        return iter(self.alternatives[:1])

    def contains(self, value: Any) -> bool:
        return value in self.alternatives

    def draw(self, rng: Random) -> Any:
        return rng.choice(self.alternatives)


class Anything(Domain):
    """A field the rules do not look at."""

    def __init__(self, default: Any = None) -> None:
        self.default = default

    def __repr__(self) -> str:
        return f"Anything({self.default!r})"

    def values(self) -> Iterator[Any]:
        return iter((self.default,))

    def contains(self, value: Any) -> bool:
        return True

    def draw(self, rng: Random) -> Any:
        return self.default


class Pick(Domain):
    """``count`` of the equal ``pool``, and all of ``fixed`` at the end."""

    def __init__(self, count: int, pool: tuple[str, ...], fixed: tuple[str, ...] = ()) -> None:
        self.count, self.pool, self.fixed = count, pool, fixed

    def __repr__(self) -> str:
        return f"Pick({self.count}, {self.pool}, {self.fixed})"

    def values(self) -> Iterator[tuple[str, ...]]:
        return iter((self.pool[: self.count] + self.fixed,))

    def contains(self, value: Any) -> bool:
        names = value if isinstance(value, tuple | list) else ()
        chosen = set(names)
        return (
            len(names) == len(chosen) == self.count + len(self.fixed)
            and chosen.issuperset(self.fixed)
            and chosen.issubset(self.pool + self.fixed)
        )

    def draw(self, rng: Random) -> tuple[str, ...]:
        return (*rng.sample(self.pool, self.count), *self.fixed)


class InOrder(Domain):
    """One of each of some ``piles``, which may be the same, in their order, and none twice."""

    def __init__(self, piles: tuple[tuple[str, ...], ...]) -> None:
        self.piles = piles

    def __repr__(self) -> str:
        return f"InOrder{self.piles}"

    def values(self) -> Iterator[tuple[str, ...]]:
        chosen: list[str] = []
        for pile in self.piles:
            chosen.append(next(n for n in pile if n not in chosen))
        yield tuple(chosen)

    def contains(self, value: Any) -> bool:
        if not isinstance(value, tuple | list) or len(value) != len(self.piles):
            return False
        apart = all(n not in value[:at] for at, n in enumerate(value))
        return apart and all(n in pile for n, pile in zip(value, self.piles, strict=True))

    def draw(self, rng: Random) -> tuple[str, ...]:
        chosen: list[str] = []
        for pile in self.piles:
            chosen.append(rng.choice([n for n in pile if n not in chosen]))
        return tuple(chosen)


class Distinct(Domain):
    """``count`` different numbers of a ``pool``; in which order makes no difference."""

    def __init__(self, count: int, pool: list[int]) -> None:
        self.count, self.pool = count, pool

    def __repr__(self) -> str:
        return f"Distinct({self.count}, {self.pool})"

    def values(self) -> Iterator[tuple[int, ...]]:
        return itertools.combinations(self.pool, self.count)

    def contains(self, value: Any) -> bool:
        if not isinstance(value, tuple) or len(value) != self.count:
            return False
        return len(set(value)) == self.count and set(value) <= set(self.pool)

    def draw(self, rng: Random) -> tuple[int, ...]:
        return tuple(rng.sample(self.pool, self.count))


class Routes(Domain):
    """Sets of routes. ``find`` gives good ones, ``allows`` tests any."""

    enumerable = False

    def __init__(
        self,
        find: Callable[[Random | None], tuple[Run, ...]],
        allows: Callable[[tuple[Run, ...]], bool],
    ) -> None:
        self._find, self._allows = find, allows

    def __repr__(self) -> str:
        return "Routes()"

    @cached_property
    def best(self) -> tuple[Run, ...]:
        """The set that is listed; it is searched for when first asked for."""
        return self._find(None)

    def values(self) -> Iterator[Any]:
        yield self.best

    def size(self) -> int:
        return 1

    def contains(self, value: Any) -> bool:
        return self._allows(tuple(value))

    def draw(self, rng: Random) -> tuple[Run, ...]:
        return self._find(rng)


class Choice(Struct, frozen=True):
    """One thing somebody may do now. ``action`` has the usual value in every open field."""

    action: Action
    domains: Mapping[str, Domain] = {}

    @property
    def type(self) -> str:
        return self.action.type

    @property
    def actor(self) -> str:
        return self.action.actor

    @property
    def enumerable(self) -> bool:
        """Whether :meth:`actions` lists everything that differs."""
        return all(d.enumerable for d in self.domains.values())

    def actions(self) -> Iterator[Action]:
        """All actions of this choice that differ for the rules; for routes only the best."""
        if not self.domains:
            yield self.action
            return
        names = list(self.domains)
        for values in itertools.product(*(self.domains[n].values() for n in names)):
            yield msgspec.structs.replace(self.action, **dict(zip(names, values, strict=True)))

    def sample(self, rng: Random) -> Action:
        """One action of this choice, drawn from all of them."""
        if not self.domains:
            return self.action
        changes = {name: domain.draw(rng) for name, domain in self.domains.items()}
        return msgspec.structs.replace(self.action, **changes)

    def covers(self, action: Action) -> bool:
        """Whether ``action`` is one of this choice."""
        mine = self.action
        if type(action) is not type(mine) or action.actor != mine.actor:
            return False
        for field in mine.__struct_fields__:
            if field in _COMMON or field in mine.loose or field in _WHO:
                continue
            value = getattr(action, field)
            domain = self.domains.get(field)
            if domain is None:
                if _given(value) != _given(getattr(mine, field)):
                    return False
            elif not domain.contains(value):
                return False
        return True


def _given(value: Any) -> Any:
    """A field that says no, or lists nothing, is as good as missing."""
    return None if value is False or value == () else value


_WHO = frozenset({"entity", "entity_type"})
