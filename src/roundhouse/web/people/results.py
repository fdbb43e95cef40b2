"""Finished games in the database, and the ratings that follow from them."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction

from ..models import Table
from ..seats import record
from ..tables import Held
from . import ratings
from .models import Played, Rating


def note(table_id: int) -> None:
    """Take a game into the ratings, or out of them if it goes on again."""
    table = Table.objects.filter(pk=table_id).first()
    if table is not None:
        _note(table)
        recompute(table.title)


def _note(table: Table) -> None:
    if counts(table):
        given = {"title": table.title, "at": table.since, "seats": _seats(table)}
        Played.objects.update_or_create(table=table, defaults=given)
    else:
        Played.objects.filter(table=table).delete()


def counts(table: Table) -> bool:
    """Whether a game is one of several people that was played to its end here."""
    return table.status == Table.Status.FINISHED and not (table.hotseat or table.imported)


def _seats(table: Table) -> list[Any]:
    """The seats as :class:`Played` keeps them. Where nothing was decided, who sat there last has
    played it."""
    parts: dict[int, list[Any]] = {p.number: [] for p in table.all_places}
    for stint in record.stints(table):
        who = f"bot:{stint.bot}" if stint.bot else f"user:{stint.user}" if stint.user else ""
        if who:
            parts[stint.place].append([who, stint.share])
    for several in parts.values():
        if several and not any(share for _, share in several):
            several[-1][1] = 1.0
    return [[table.result.get(str(p.key), 0), parts[p.number]] for p in table.all_places]


def anew(title: str) -> int:
    """Read all games of a title again, and compute its ratings from them; how many there are. Games
    that are held (:class:`~..tables.Held`) stay as they were noted."""
    for table in Table.objects.filter(title=title).exclude(status=Table.Status.OPEN):
        with suppress(Held):
            _note(table)
    recompute(title)
    return Played.objects.filter(title=title).count()


def recompute(title: str) -> None:
    """The ratings of a title from its games as they are kept."""
    games = [
        [ratings.Seat(worth, [ratings.Part(*p) for p in parts]) for worth, parts in played.seats]
        for played in Played.objects.filter(title=title)
    ]
    found = ratings.rate(games)
    users = {f"user:{pk}": pk for pk in get_user_model().objects.values_list("pk", flat=True)}
    rows = [
        Rating(
            title=title, who=who, user_id=users.get(who), mu=s.mu, sigma=s.sigma, games=s.games,
            wins=s.wins,
        )
        for who, s in found.items()
        if who in users or who.startswith("bot:")
    ]  # fmt: skip
    with transaction.atomic():
        Rating.objects.filter(title=title).delete()
        Rating.objects.bulk_create(rows)
