"""A table's game as it is given away: its file, its transcript."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime
from typing import Any, NamedTuple

from ..game import Game
from ..model.actions import player_key
from .clocks.figures import thought_before, used_by
from .models import Place, Table
from .page.log import sentences_of
from .seats.occupants import changes_of, sittings_of
from .study.analysis import analysis_of
from .talk.files import talk_of
from .talk.models import Room


def file_of(table: Table, game: Game) -> dict[str, Any]:
    """The game file; with what was said at the table, its analysis, if there is one, the time
    everybody used, where there was a clock, and who sat when, where seats changed hands."""
    more = {"time_used": used_by(table), "sittings": sittings_of(table, game)}
    return (
        game.dump()
        | talk_of(table, game)
        | analysis_of(table)
        | {name: told for name, told in more.items() if told}
    )


def transcript_of(table: Table, game: Game) -> str:
    """The game as rows of comma-separated values: action, who, type, what happened, when it was
    sent, and how many seconds of the turn it ended counted. Where a seat changed hands there is a
    row of the type ``seat``, where something was said one of the type ``said``."""
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow(("action", "who", "type", "told", "sent", "thought"))
    numbers = {id(entry): number for number, entry in enumerate(game.log, start=1)}
    sent = dict(table.moves.filter(recorded=False).values_list("number", "at"))
    thought = thought_before(table)
    beside = _beside(table)
    for entry in game.history:
        number, action = numbers[id(entry)], entry.action
        while beside and beside[0].after < number:
            rows.writerow(beside.pop(0).row)
        told = " ".join(str(t) for t in sentences_of(game, entry))
        at = _written(sent[number]) if number in sent else ""
        row = (action.id, action.actor, action.type, _cell(told), at, thought.get(number, ""))
        rows.writerow(row)
    rows.writerows(one.row for one in beside)
    return out.getvalue()


class _Beside(NamedTuple):
    """What happened beside the game, after so many entries of its log."""

    after: int
    at: datetime
    place: Place | None
    kind: str
    text: str

    @property
    def row(self) -> tuple[object, ...]:
        who = player_key(self.place.key) if self.place is not None else ""
        return "", who, self.kind, _cell(self.text), _written(self.at), ""


def _beside(table: Table) -> list[_Beside]:
    seats = [_Beside(c.after, c.at, c.place, "seat", c.text) for c in changes_of(table)]
    lines = table.talk.filter(room=Room.PLAYERS).select_related("place")
    said = [_Beside(line.after, line.at, line.place, "said", line.text) for line in lines]
    return sorted(seats + said, key=lambda b: (b.after, b.at))


def _cell(text: str) -> str:
    """A text as no spreadsheet takes it for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def _written(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds")
