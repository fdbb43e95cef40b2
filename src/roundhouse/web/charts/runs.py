"""What the runs of a table's game left on the table, found by a worker where the table gives
routes."""

from __future__ import annotations

import msgspec

from ...game import Game
from ...interchange import Left, runs_left
from ..models import Table
from ..tables import Aid, open_game
from ..tables.assistance import check
from ..working import ask_for, carry_out
from .models import RunReview
from .tasks import review_runs


def ask_for_review(table_id: int) -> RunReview:
    """The review of a game's runs as it stands; one is begun if there is none. Raises
    :class:`Forbidden` at a table that does not give routes now."""
    return ask_for(RunReview, table_id, review_runs.enqueue, _check, keep=("runs",))


def _check(table: Table) -> None:
    check(table, Aid.ROUTES)


def make_review(table_id: int) -> None:
    """Look at the runs of a game that have not been looked at."""
    carry_out(RunReview, table_id, _review, "The runs cannot be looked at")


def _review(found: RunReview) -> None:
    game = open_game(found.table).game
    known = {run["action"]: run for run in found.runs}
    new = runs_left(game, known, progress=found.progress)
    known |= {run.action: msgspec.to_builtins(run) for run in new}
    found.runs = [known[action] for action in sorted(known)]


def reviewed(table: Table, game: Game) -> tuple[RunReview | None, list[Left]]:
    """The review of a table's runs as it is now, and what is known of them. Raises
    :class:`Forbidden` at a table that does not give routes now."""
    check(table, Aid.ROUTES)
    found = RunReview.objects.filter(table=table).first()
    if found is None:
        return None, []
    counting = {e.action.id for e in game.history}
    return (found if found.version == table.version else None), found.told(counting)
