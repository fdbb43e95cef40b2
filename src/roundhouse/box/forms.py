"""The forms a title's own data have, and all places where a JSON value is not of its form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, NamedTuple, get_args, get_origin

import msgspec
from msgspec import Struct

from ..model.frozen import EMPTY


class Forms(NamedTuple):
    """The records only one title has: ``constants``, what ``special`` of ``game.json`` is;
    ``powers``, those of each private company; ``facts``, by kind of corporation its ``special``."""

    constants: type | None = None
    powers: type | None = None
    facts: Mapping[str, type] = EMPTY


#: Of a title that has no such data, or does not say so.
ANY_FORM = Forms()


def misfits(value: Any, form: Any, path: str = "$") -> Iterator[str]:
    """What keeps a JSON value from being of a form, in sentences that end with where it is."""
    try:
        msgspec.convert(value, form, str_keys=True)
    except msgspec.ValidationError as error:
        inside = list(_inside(value, form, path))
        text, _, place = str(error).partition(" - at `$")
        yield from inside or [f"{text} - at `{path}{place.removesuffix('`')}`"]


def _inside(value: Any, form: Any, path: str) -> Iterator[str]:
    """The misfits of the parts of a value, and the parts that lack or are too many."""
    origin, parts = get_origin(form), get_args(form)
    if origin is Annotated:
        yield from _inside(value, parts[0], path)
    elif isinstance(form, type) and issubclass(form, Struct) and isinstance(value, dict):
        fields = {f.encode_name: f for f in msgspec.structs.fields(form)}
        lacking = [n for n, f in fields.items() if f.required and n not in value]
        yield from (f"Object missing required field `{n}` - at `{path}`" for n in lacking)
        if form.__struct_config__.forbid_unknown_fields:
            unknown = sorted(value.keys() - fields.keys())
            yield from (f"Object contains unknown field `{n}` - at `{path}`" for n in unknown)
        for name in [n for n in fields if n in value]:
            yield from misfits(value[name], fields[name].type, f"{path}.{name}")
    elif origin is tuple and parts[-1:] == (...,) and isinstance(value, list):
        for n, inner in enumerate(value):
            yield from misfits(inner, parts[0], f"{path}[{n}]")
    elif origin is dict and isinstance(value, dict):
        for key, inner in value.items():
            yield from misfits(inner, parts[1], f"{path}.{key}")
