"""Tournaments: entering, rounds, standings."""

from __future__ import annotations

from random import Random
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction

from ...titles.title import find_title
from ..clocks import agreeing
from ..models import Place, Table
from ..notices.models import Kind
from ..notices.recipients import Word, tell
from ..tables import Forbidden, Plan, Refused, begin, create
from . import pairing
from .models import Entrant, Seating, Tournament


def enter(pk: int, user: Any) -> None:
    """Take part, as long as it has not begun."""
    with transaction.atomic():
        found = Tournament.objects.select_for_update().get(pk=pk)
        if found.status != Tournament.Status.OPEN:
            raise Refused("The tournament has begun already.", "begun")
        Entrant.objects.get_or_create(tournament=found, user=user)


def withdraw(pk: int, user: Any) -> None:
    """Not to take part in further rounds."""
    with transaction.atomic():
        found = Tournament.objects.select_for_update().get(pk=pk)
        mine = Entrant.objects.filter(tournament=found, user=user)
        if found.status == Tournament.Status.OPEN:
            mine.delete()
        else:
            mine.update(gone=True)


def next_round(pk: int, user: Any) -> int:
    """Seat the next round, and begin its games; its number."""
    with transaction.atomic():
        found = Tournament.objects.select_for_update().get(pk=pk)
        if found.by_id != user.pk:
            raise Forbidden("Only who made the tournament may do that.", "not_yours")
        seatings = list(found.seatings.select_related("table"))
        number = max((s.round for s in seatings), default=0) + 1
        if any(s.table.status != Table.Status.FINISHED for s in seatings):
            raise Refused("The round before is still being played.", "not_now")
        if number > found.rounds:
            raise Refused("All rounds have been played.", "over")
        for people in _seated(found, number, seatings):
            _begin(found, number, people)
        found.status = Tournament.Status.RUNNING
        found.save()
    return number


def _seated(found: Tournament, number: int, seatings: list[Seating]) -> list[list[int]]:
    people = list(found.entrants.filter(gone=False, user__is_active=True))
    limits = find_title(found.title).box.game.players
    try:
        sizes = pairing.tables_of(len(people), found.seats, limits.min, limits.max)
    except ValueError as error:
        raise Refused(f"{error}.", "players") from error
    met, sat = pairing.history(s.entrants for s in seatings)
    return pairing.seat([e.pk for e in people], sizes, met, sat, Random(f"{found.pk}:{number}"))


def _begin(found: Tournament, number: int, people: list[int]) -> None:
    users = [Entrant.objects.select_related("user").get(pk=e).user for e in people]
    name = f"{found.name}, round {number}"
    plan = Plan(
        title=found.title, names=[users[0].get_username()], options=found.options,
        seats=len(users), description=name[:200],
    )  # fmt: skip
    table = create(users[0], plan)
    _, terms = agreeing.PRESETS[found.pace]
    if terms:
        agreeing.choose(table.pk, users[0], dict(terms))
    for place, user in enumerate(users[1:], start=2):
        called = user.get_username()
        Place.objects.create(table=table, number=place, key=place, name=called, user=user)
    begin(Table.objects.get(pk=table.pk))
    Seating.objects.create(tournament=found, round=number, table=table, entrants=people)
    for user in users:
        key = f"round:{found.pk}:{number}"
        tell(
            user,
            Word(Kind.INVITED, key, f"{name} has begun", "You are seated.", f"/table/{table.pk}/"),
        )


def follow(table: Table) -> None:
    """A game is over: the tournament may be, too."""
    seating = Seating.objects.filter(table=table).select_related("tournament").first()
    if seating is None:
        return
    found = seating.tournament
    tables = [s.table for s in found.seatings.select_related("table")]
    last = max(s.round for s in found.seatings.all()) == found.rounds
    if last and all(t.status == Table.Status.FINISHED for t in tables):
        Tournament.objects.filter(pk=found.pk).update(status=Tournament.Status.FINISHED)


def standings_of(found: Tournament) -> list[tuple[Any, pairing.Line]]:
    """The standings: accounts with their lines."""
    games = []
    for seating in found.seatings.select_related("table"):
        result = seating.table.result
        if seating.table.status == Table.Status.FINISHED:
            worths = [result.get(str(n), 0) for n in range(1, len(seating.entrants) + 1)]
            games.append(dict(zip(seating.entrants, worths, strict=True)))
    entrants = {e.pk: e for e in found.entrants.select_related("user")}
    return [(entrants[line.entrant], line) for line in pairing.standings(games, entrants)]


def named(name: str) -> Any:
    """Somebody by his name; None: there is nobody of that name."""
    return get_user_model().objects.filter(username=name, is_active=True).first()
