"""Titles with few and cheap trains, made from the real ones: games of them reach the last phases in
a few hundred actions."""

from __future__ import annotations

import json
import sys
from functools import cache
from typing import Any

import temporary
from roundhouse.box.schema import TrainDef
from roundhouse.titles.title import Title, register

#: What a train costs in percent of its price, and how many of a type there are at most.
PRICE, COUNT = 30, 2
#: From here on there are as many as anybody may want.
PLENTY = 90


@cache
def hasty(title: Title) -> Title:
    """The title with a hasty roster, registered as ``<id>-hasty``. Types the rules count
    themselves keep their number."""
    folder = temporary.folder("hasty")
    package = "hasty_" + "".join(c if c.isalnum() else "_" for c in title.id.casefold())
    data = folder / package / "data"
    data.mkdir(parents=True)
    (folder / package / "__init__.py").touch()
    roster = {"trains": [_cheaper(t) for t in title.box.trains.values()]}
    (data / "trains.json").write_text(json.dumps(roster), encoding="utf-8")
    sys.path.append(str(folder))
    made = Title(f"{title.id}-hasty", f"{title.id}-hasty", package, base=title)
    register(made)
    return made


def _cheaper(train: TrainDef) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": train.name, "price": _price(train.price)}
    if train.count is not None and train.count < PLENTY:
        entry["count"] = min(train.count, COUNT)
    if train.variants:
        entry["variants"] = [
            {"name": v.name, "price": _price(v.price), "distance": v.distance}
            for v in train.variants
        ]
    if train.discount:
        entry["discount"] = {name: _price(amount) for name, amount in train.discount.items()}
    return entry


def _price(price: int) -> int:
    return max(10, price * PRICE // 1000 * 10)
