"""1817DE, 1817 in Germany. F1, F2 and F5 are sections of the family's rules text."""

from __future__ import annotations

from ..g1817 import TITLE as BASE
from ..title import Contents, Title


def contents() -> Contents:
    """All as in the base, but for tokens that choose again on the first tile."""
    from ...rounds.step import replaced
    from ..g1817.operating import Operating
    from .track import OperatingDE

    base = BASE.contents()
    return base._replace(rounds=replaced(base.rounds, {Operating: (OperatingDE,)}))


TITLE = Title("1817DE", "18DE", __name__, contents, base=BASE)
