"""Names in a title's data that stand for something else in it, and the check that it exists.

A field that names a hex, a train or the like says so by its type, here and in a title's own forms::

    class Port(Struct, frozen=True):
        hexes: tuple[HexName, ...]

So one check finds all names nothing answers to, at load, and the JSON Schema tells what they are.
"""

from __future__ import annotations

import types
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Annotated, Any, TypeAlias, Union, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct


def _named(kind: str) -> Meta:
    return Meta(extra={"names": kind}, extra_json_schema={"description": f"name of a {kind}"})


HexName = Annotated[str, _named("hex")]
TileName = Annotated[str, _named("tile")]
TrainName = Annotated[str, _named("train")]
PhaseName = Annotated[str, _named("phase")]
CompanyName = Annotated[str, _named("private company")]
CorporationName = Annotated[str, _named("corporation")]
EntityName = Annotated[str, _named("company")]
CellName = Annotated[str, _named("market cell")]
ZoneName = Annotated[str, _named("market zone")]
OptionName = Annotated[str, _named("option")]

#: Numbers: none below nought; none below one.
Amount = Annotated[int, Meta(ge=0)]
Count = Annotated[int, Meta(ge=1)]

#: The names there are, by kind.
Known: TypeAlias = Mapping[str, Collection[str]]


def unknown_names(value: Any, form: Any, known: Known, where: str) -> Iterator[str]:
    """Sentences on names in a value of a type that nothing answers to, of the kinds of which it is
    known what there is; ``where`` says in which file and entry the value is."""
    origin, parts = get_origin(form), get_args(form)
    if origin is Annotated:
        for kind in _kinds(form):
            if value not in known.get(kind, (value,)):
                yield f"{where}: there is no {kind} {value!r}"
        yield from unknown_names(value, parts[0], known, where)
    elif origin in (Union, types.UnionType):
        fitting = [part for part in parts if _fits(value, part)]
        yield from unknown_names(value, fitting[0], known, where) if fitting else ()
    elif origin is dict:
        for key, inner in value.items():
            yield from unknown_names(key, parts[0], known, where)
            yield from unknown_names(inner, parts[1], known, f"{where}, {key}")
    elif origin is tuple:
        forms = parts[:1] * len(value) if parts[-1:] == (...,) else parts
        for inner, one in zip(value, forms, strict=True):
            yield from unknown_names(inner, one, known, where)
    elif isinstance(form, type) and issubclass(form, Struct):
        for name, inner in _fields(form).items():
            yield from unknown_names(getattr(value, name), inner, known, f"{where}, {name}")


def _kinds(form: Any) -> list[str]:
    metas = [m.extra for m in form.__metadata__ if isinstance(m, Meta) and m.extra]
    return [m["names"] for m in metas if "names" in m]


@cache
def _fields(form: type[Struct]) -> dict[str, Any]:
    hints = get_type_hints(form, include_extras=True)
    return {name: hints[name] for name in form.__struct_fields__}


def _fits(value: Any, form: Any) -> bool:
    """Whether a value is of one member of a union."""
    origin = get_origin(form)
    if origin is Annotated:
        return _fits(value, get_args(form)[0])
    return isinstance(value, origin or form)
