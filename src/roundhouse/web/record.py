"""A table's game as it is given away: its file, its transcript."""

from __future__ import annotations

import csv
import io
from datetime import UTC
from typing import Any

from ..game import Game
from ..model.actions import player_key
from .clocks.figures import thought_before, used_by
from .models import Table
from .page.log import sentences_of
from .seats.telling import Change, changes_of, sittings_of
from .study.analysis import analysis_of


def file_of(table: Table, game: Game) -> dict[str, Any]:
    """The game file; with its analysis, if there is one, the time everybody used, where there was a
    clock, and who sat when, where seats changed hands."""
    more = {"time_used": used_by(table), "sittings": sittings_of(table, game)}
    return game.dump() | analysis_of(table) | {name: told for name, told in more.items() if told}


def transcript_of(table: Table, game: Game) -> str:
    """The game as rows of comma-separated values: action, who, type, what happened, when it was
    sent, and how many seconds of the turn it ended counted. Where a seat changed hands there is a
    row of the type ``seat``."""
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow(("action", "who", "type", "told", "sent", "thought"))
    numbers = {id(entry): number for number, entry in enumerate(game.log, start=1)}
    sent = dict(table.moves.filter(recorded=False).values_list("number", "at"))
    thought = thought_before(table)
    changes = changes_of(table)
    for entry in game.history:
        number, action = numbers[id(entry)], entry.action
        while changes and changes[0].after < number:
            rows.writerow(_reseated(changes.pop(0)))
        told = " ".join(str(t) for t in sentences_of(game, entry))
        at = sent[number].astimezone(UTC).isoformat(timespec="seconds") if number in sent else ""
        rows.writerow((action.id, action.actor, action.type, told, at, thought.get(number, "")))
    rows.writerows(map(_reseated, changes))
    return out.getvalue()


def _reseated(change: Change) -> tuple[object, ...]:
    at = change.at.astimezone(UTC).isoformat(timespec="seconds")
    return "", player_key(change.place.key), "seat", change.text, at, ""
