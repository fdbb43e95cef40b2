"""What happens at tables, as notices."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django.dispatch import receiver

from ...game import Game
from ...model.actions import Action, Undo
from ...titles.title import find_title
from ..deals.models import Deal
from ..models import Place, Table
from ..tables import happenings
from ..talk.models import Room, Said
from . import turns
from .models import Kind
from .recipients import PATIENCE, Word, people_of, tell


@receiver(happenings.moved)
def moved(table: Table, game: Game, user: Any, action: Action | None, before: list[Any],
          **more: Any) -> None:  # fmt: skip
    """An action was carried out: whose turn is it, is the game over?"""
    if table.hotseat:
        return
    places = list(table.all_places)
    for place, number in turns.begun(table, places, before, undone=isinstance(action, Undo)):
        _your_turn(table, place, number)
    if table.status == Table.Status.FINISHED and not isinstance(action, Undo):
        _over(table, places)


def _your_turn(table: Table, place: Place, number: int) -> None:
    text = f"{place.name} is waited for in {table.round}."
    if table.description:
        text = f"{table.description}: {text}"
    for user in people_of([place]):
        stands_in = "" if user.pk in (place.user_id, place.partner_id) else f" for {place.name}"
        word = Word(
            Kind.TURN,
            f"turn:{place.pk}:{number}",
            f"Your turn{stands_in}: {called(table)}",
            text,
            f"/table/{table.pk}/",
            table,
            PATIENCE,
        )
        tell(user, word)


def _over(table: Table, places: list[Place]) -> None:
    best = max(table.result.values(), default=0)
    winners = [p.name for p in places if table.result.get(str(p.key)) == best]
    lines = sorted(
        ((table.result.get(str(p.key), 0), p.name) for p in places), key=lambda r: (-r[0], r[1])
    )
    text = ", ".join(f"{name} {worth}" for worth, name in lines)
    for user in people_of(places):
        subject = f"{called(table)} is over: won by {' and '.join(winners)}"
        key = f"over:{table.pk}:{table.version}"
        tell(user, Word(Kind.OVER, key, subject, text, f"/table/{table.pk}/", table))


@receiver(happenings.asked)
def asked(table: Table, question: Deal, **more: Any) -> None:
    """A question: those who have not answered yet are told of it."""
    if table.hotseat or not question.open:
        return
    places = table.places.select_related("user", "partner", "deputy")
    places = places.filter(number__in=question.waiting)
    for user in people_of(places):
        who = question.place.name
        text = f"{who} would like to do something others have a say in."
        word = Word(
            Kind.ASKED,
            f"asked:{question.pk}",
            f"{who} asks you: {called(table)}",
            text,
            f"/table/{table.pk}/",
            table,
            PATIENCE,
        )
        tell(user, word)


@receiver(happenings.wanted)
def wanted(table: Table, users: Sequence[Any], key: str, text: str, **more: Any) -> None:
    """A deal, a vote or an invitation: those whose word is wanted are told of it."""
    for user in users:
        subject = f"You are asked: {called(table)}"
        word = Word(Kind.ASKED, key, subject, text, f"/table/{table.pk}/", table, PATIENCE)
        tell(user, word)


@receiver(happenings.said)
def said(table: Table, line: Said, **more: Any) -> None:
    """Talk that names a player (@name) reaches him; so does all of it at a table of two."""
    if table.hotseat or line.room != Room.PLAYERS:
        return
    places = [p for p in table.places.select_related("user", "partner", "deputy") if p.user_id]
    others = [p for p in places if p.user_id != line.user_id]
    named = [p for p in others if mentions(line.text, p.name)]
    if len(places) == 2:
        named = others
    for place in named:
        key = f"message:{line.pk}"
        subject = f"{line.who} says to you: {called(table)}"
        tell(place.user, Word(Kind.MESSAGE, key, subject, line.text, f"/table/{table.pk}/", table))


def mentions(text: str, name: str) -> bool:
    """Whether a text names somebody: ``@name``, whatever the case."""
    return re.search(rf"(?<!\w)@{re.escape(name)}(?!\w)", text, re.IGNORECASE) is not None


def called(table: Table) -> str:
    """A table in a few words."""
    return f"{find_title(table.title).box.game.name} no. {table.pk}"
