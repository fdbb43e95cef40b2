"""Choices as whoever asks an engine names them: those of them that may be made now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from ..model.actions import Action, decode_action
from ..model.choices import Choice, Domain, Equal, Pick, Span
from .messages import Named


class _Range(Struct, frozen=True):
    low: int
    high: int
    step: Annotated[int, Meta(ge=1)] = 1


class _OneOf(Struct, frozen=True):
    one_of: tuple[str | int | float | bool | tuple[str | int, ...] | None, ...]


class _Picked(Struct, frozen=True, rename={"fixed": "with"}):
    pick: Annotated[int, Meta(ge=0)]
    of: tuple[str, ...]
    fixed: tuple[str, ...] = ()


def narrowed(choices: Sequence[Choice], named: Iterable[Named]) -> Iterator[Choice]:
    """Of some choices the part that was named. Raises :class:`ValueError` where what is named is
    no action or no domain."""
    for one in named:
        action = decode_action(one.action)
        said = {field: _domain(values) for field, values in one.open.items()}
        # what is named word for word is that choice, whatever others would cover it, too
        same = [choice for choice in choices if choice.action == action]
        for choice in same or choices:
            part = _part(choice, action, said)
            if part is not None:
                yield part


def _domain(said: Mapping[str, Any] | None) -> Domain | None:
    """What ``open`` says of a field; None: anything the rules allow."""
    if said is None:
        return None
    if "one_of" in said:
        return Equal(*msgspec.convert(said, _OneOf).one_of)
    if "pick" in said:
        picked = msgspec.convert(said, _Picked)
        return Pick(picked.pick, picked.of, picked.fixed)
    amounts = msgspec.convert(said, _Range)
    return Span(amounts.low, amounts.high, amounts.step)


def _part(choice: Choice, action: Action, said: Mapping[str, Domain | None]) -> Choice | None:
    """What a choice has in common with one that is named: fields that are not open have the value
    they are named with. None: nothing."""
    if type(action) is not type(choice.action):
        return None
    domains: dict[str, Domain] = {}
    usual: dict[str, Any] = {}
    for field in [name for name in choice.domains if name in said]:
        own, wanted, value = choice.domains[field], said[field], getattr(action, field)
        both = _common(own, wanted)
        if both is None:
            return None
        domains[field] = both
        if wanted is None:  # routes are not looked at, which would mean to search for them
            usual[field] = getattr(choice.action, field)
        else:
            usual[field] = value if both.contains(value) else next(both.values())
    action = msgspec.structs.replace(action, **usual)
    return Choice(action, domains) if _fixed(choice, action, domains).covers(action) else None


def _fixed(choice: Choice, action: Action, open_: Mapping[str, Domain]) -> Choice:
    """A choice in which all that is open is as in an action."""
    values = {field: getattr(action, field) for field in open_}
    domains = {field: own for field, own in choice.domains.items() if field not in open_}
    return Choice(msgspec.structs.replace(choice.action, **values), domains)


def _common(own: Domain, said: Domain | None) -> Domain | None:
    """The values two domains have in common; ``said`` None: anything. None: there are none."""
    match own, said:
        case _, None:
            return own
        case Span(), Span():
            return _amounts(own, said)
        case Equal(), _:
            return _equal(v for v in own.alternatives if said.contains(v))
        case Pick(), Pick():
            pool = tuple(name for name in own.pool if name in said.pool)
            same = (own.count, set(own.fixed)) == (said.count, set(said.fixed))
            return Pick(own.count, pool, own.fixed) if same and len(pool) >= own.count else None
        case _, Equal() if own.enumerable:
            return _equal(v for v in said.alternatives if own.contains(v))
    return None


def _amounts(own: Span, said: Span) -> Span | None:
    """Amounts at equal distances that are at equal distances of others are so again."""
    low = said.low + max(0, -((said.low - own.low) // said.step)) * said.step
    both = [n for n in range(low, min(own.high, said.high) + 1, said.step) if own.contains(n)]
    return Span(both[0], both[-1], both[1] - both[0] if both[1:] else 1) if both else None


def _equal(values: Iterable[Any]) -> Equal | None:
    found = tuple(values)
    return Equal(*found) if found else None
