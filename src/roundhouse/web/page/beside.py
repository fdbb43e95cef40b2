"""What happened beside the game, among the lines of its log."""

from __future__ import annotations

from datetime import datetime

from ...game import Game
from ..models import Table
from ..seats import occupants
from ..talk import page as talk
from .log import Excerpt, Line, woven


def with_all(excerpt: Excerpt, table: Table, game: Game, upto: int | None = None) -> Excerpt:
    """Lines of the log with what was said and what became of the seats between them; ``upto``:
    they end before an action."""
    found = [
        *occupants.lines_between(table, game, excerpt),
        *talk.lines_between(table, game, excerpt, upto),
    ]
    return woven(excerpt, sorted(found, key=_when), upto)


def _when(line: Line) -> tuple[int, datetime | None]:
    return line.id, line.between
