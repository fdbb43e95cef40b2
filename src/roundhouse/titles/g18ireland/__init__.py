"""18Ireland. Section numbers (§) are those of its rules text."""

from __future__ import annotations

from ..title import Contents, Title


def _contents() -> Contents:
    from .auction import Auction
    from .facts import Facts18Ireland
    from .invariants import faults
    from .merger import Mergers
    from .operating import Operating
    from .routes import RouteRules18Ireland
    from .rules import Rules18Ireland
    from .stock import Stock, Trading18Ireland

    rounds = (Auction, Stock, Operating, Mergers)
    return Contents(
        Rules18Ireland, rounds, Trading18Ireland, RouteRules18Ireland, Facts18Ireland, faults
    )


TITLE = Title("18Ireland", "18Ireland", __name__, _contents)
