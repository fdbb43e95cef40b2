"""What a search for routes answers."""

from __future__ import annotations

from msgspec import Struct

from ..model.actions import Run


class BestRoutes(Struct, frozen=True):
    """The answer of a search.

    ``routes`` are ready for a ``run_routes`` action and earn ``revenue`` together. ``optimal``: it
    is proven that nothing earns more; otherwise nothing earns more than ``bound``.
    """

    routes: tuple[Run, ...]
    revenue: int
    optimal: bool
    bound: int
