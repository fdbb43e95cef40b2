"""Sizes of corporations (§6.2): 2, 5 and 10 shares."""

from __future__ import annotations

from msgspec.structs import replace

from ...model.frozen import FrozenDict
from ...model.records import Cert, set_corporation
from ...stock import shares
from .state import State1817

#: size -> (percent of the president's certificate, number of certificates)
CERTIFICATES = {2: (100, 1), 5: (40, 4), 10: (20, 9)}


def set_size(s: State1817, symbol: str, size: int) -> list[Cert]:
    """Make a corporation of ``size`` shares: existing certificates keep their ids at the new
    percent, the additional ones go to the treasury. Returns those."""
    corporation = s.corporations[symbol]
    president, count = CERTIFICATES[size]
    before = corporation.shares
    if size == before:
        return []
    unit = 100 // size

    def resized(cert: Cert) -> Cert:
        if cert.index == 0:
            return replace(cert, percent=president)
        return replace(cert, percent=unit if cert.percent > 0 else -unit)

    certs = FrozenDict({h: tuple(map(resized, cs)) for h, cs in corporation.certs.items()})
    set_corporation(s, symbol, shares=size, certs=certs)
    first = CERTIFICATES[before][1]
    return [shares.create(s, symbol, symbol, i, unit) for i in range(first, count)]
