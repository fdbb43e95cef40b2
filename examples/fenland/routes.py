"""Routes (§3.2)."""

from __future__ import annotations

from roundhouse.routes.usual import UsualRoutes


class FenlandRoutes(UsualRoutes):
    """§3.2: all is as usual."""

    rule = "3.2"
    grain = 10
