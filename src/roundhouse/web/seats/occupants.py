"""Who sat when, in words and in records: for the log, the game's file and its transcript."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any, NamedTuple

from ...game import Game
from ...model.actions import player_key
from ...sentences import Sentence
from ..models import Place, Table
from ..page.log import Excerpt, Line, id_of
from .models import How, Sitting


class Change(NamedTuple):
    """A seat has other people, or a bot: after so many entries of the log, at a time, in words."""

    after: int
    at: datetime
    place: Place
    text: str


def changes_of(table: Table) -> list[Change]:
    """All changes of a table's seats, in their order."""
    rows = _rows(table)
    found = [c for _, several in groupby(rows, lambda r: r.place) for c in _changes(list(several))]
    return sorted(found, key=lambda c: (c.after, c.at))


def _rows(table: Table) -> list[Sitting]:
    """By place, as they were read for everybody who looks (``web/attached.py``) if they were."""
    places = sorted(table.all_places, key=lambda p: p.number)
    if all("sat" in vars(place) for place in places):
        return [sitting for place in places for sitting in vars(place)["sat"]]
    rows = Sitting.objects.filter(place__table=table).select_related("place")
    return list(rows.order_by("place__number", "after", "pk"))


def _changes(rows: Sequence[Sitting]) -> Iterator[Change]:
    """The changes of one seat."""
    before = ""
    for row in rows:
        if text := _told(row, before):
            yield Change(row.after, row.at, row.place, text)
        if not row.partner:
            before = row.name or before


def _told(row: Sitting, before: str) -> str:
    """What somebody's sitting down, or standing up, is told in; ``before``: whose seat it was."""
    goes_on = "A bot plays on." if row.bot else "The seat is free."
    if row.partner:
        shares = row.how == How.PARTNER
        return f"{row.name} plays together with {before} from now on." if shares else ""
    match row.how:
        case How.LEFT:
            return f"{before} has left. {goes_on}"
        case How.SENT_AWAY:
            return f"{before} was sent away by a vote. {goes_on}"
        case How.DELETED:
            return f"{before} has deleted his account. {goes_on}"
        case How.AWAY:
            return f"A bot plays for {row.name}, who is away."
        case How.LATE:
            return f"A bot plays for {row.name}, whose time was up."
        case How.BACK:
            return f"{row.name} took the seat back from the bot."
        case How.SERVER:
            return f"A bot plays the free seat of {before}."
        case How.ENGINE:
            return f"A bot of ours plays on as {row.name}."
        case How.TOOK:
            return f"{row.name} takes the free seat of {before}."
        case How.INVITED:
            return f"{row.name} takes the seat of {before}, as invited."
        case How.ALONE:
            return f"{row.name} plays the seat alone from now on."
    return ""


def lines_between(table: Table, game: Game, excerpt: Excerpt) -> Iterator[Line]:
    """What became of the seats, as lines between those of the log, as far as it is wanted."""
    if excerpt.filter.kinds:
        return
    for change in changes_of(table):
        key = player_key(change.place.key)
        if excerpt.filter.about in ("", key):
            told = Sentence("seat", (change.text,), key)
            yield Line(id_of(game, change.after), (told,), between=change.at)


def sittings_of(table: Table, game: Game) -> list[dict[str, Any]]:
    """Who sat when, as game files have it: by the ids of the first and the last action; nothing
    where no seat changed hands."""
    return [
        {
            "player": row.place.key,
            "name": row.name,
            "bot": bool(row.bot),
            "partner": row.partner,
            "after": id_of(game, row.after),
            "until": None if row.until is None else id_of(game, row.until),
            "why": row.how,
        }
        for row in _rows(table)
    ]
