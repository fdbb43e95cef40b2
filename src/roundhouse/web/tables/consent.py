"""Questions to other players: before something is taken back, and before an action about what is
theirs, where the rules leave it to those at the table."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from ...deciding import decides
from ...game import Game
from ...model.actions import Action, EndGame, Redo, Undo, player_key
from .. import archive
from ..live import announce
from ..models import Place, Question, Table
from . import bots, happenings, undoing
from .faults import Forbidden, Refused
from .rights import my_keys, my_places, others


def asked(table: Table, game: Game, user: Any, action: Action) -> list[Place]:
    """The places whose players must agree before an action is carried out.

    Raises :class:`Forbidden` where nobody can allow it, :class:`Refused` where a bot does not.
    """
    if isinstance(action, Undo | Redo):
        return undoing.asked(table, game, user, action)
    if isinstance(action, EndGame):
        return others(table, user)
    about = (action, *announced(game, action))
    keys = {k for one in about for k in concerned(game, one)} - sender(table, game, user, action)
    places = [p for p in table.places.all() if player_key(p.key) in keys]
    agreed = _agreed(table, action)
    places = [p for p in places if p.number not in agreed]
    bots.check_agreed(table, game, about, [p for p in places if p.bot])
    return [p for p in places if p.user_id is not None and not p.bot]


def _agreed(table: Table, action: Action) -> set[int]:
    """The places that have agreed to an action before, in a deal."""
    from ..deals.following import agreed_to  # it acts through this package

    return agreed_to(table, action)


def announced(game: Game, action: Action) -> tuple[Action, ...]:
    """What a player says will follow his action, so that others are asked about both together."""
    possible = game.rules.follow_ups(game.state, action)
    return tuple(one for one in action.auto_actions or () if one in possible)


def check_announced(table: Table, game: Game, user: Any, action: Action) -> None:
    """Raise :class:`Refused` if others would have to be asked about what must follow an action and
    the player does not say what that is."""
    if table.hotseat or announced(game, action):
        return
    own = sender(table, game, user, action)
    following = game.rules.follow_ups(game.state, action)
    if any(set(concerned(game, one)) - own for one in following):
        raise Refused("Say also what is to follow: others are asked about both.", "pair")


def concerned(game: Game, action: Action) -> tuple[str, ...]:
    """The players who have a say in an action by the rules of the title."""
    return game.rules.concerned(game.state, action)


def sender(table: Table, game: Game, user: Any, action: Action) -> frozenset[str]:
    """The players who speak through an action: at one screen whoever is on turn."""
    return decides(game, action.actor) if table.hotseat else my_keys(table, user)


def ask(
    table: Table, user: Any, action: Action, places: list[Place], speaker: Place | None = None
) -> Table:
    """Put a question to some places; it takes the place of an earlier one. ``user`` None: a bot
    asks, from the place of the ``speaker``."""
    Question.objects.filter(table=table).delete()
    question = Question.objects.create(
        table=table,
        by=user,
        place=speaker or _speaker(table, user, action),
        action=archive.write_action(action),
        asked=[p.number for p in places],
    )
    _tell(table, question)
    return table


def _speaker(table: Table, user: Any, action: Action) -> Place:
    mine = my_places(table, user)
    return next((p for p in mine if p.key == action.entity or p.key in table.acting), mine[0])


def answered(table: Table, user: Any, yes: bool) -> Question | None:
    """Note an answer. The question comes back when everybody has agreed.

    Raises :class:`Refused` or :class:`Forbidden`.
    """
    question = Question.objects.filter(table=table).first()
    if question is None or question.refused:
        raise Refused("There is nothing to agree to any more.", "gone")
    mine = [p for p in my_places(table, user) if p.number in question.asked]
    if not mine:
        raise Forbidden("You are not asked.", "not_yours")
    if not yes:
        question.refused = mine[0].name
    question.agreed = sorted({*question.agreed, *(p.number for p in mine)})
    if yes and set(question.asked) <= set(question.agreed):
        return question
    question.save()
    _tell(table, question)
    return None


def withdraw(table_id: int, user: Any) -> Table:
    """Take one's own question back, answered or not. Raises :class:`Refused`."""
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=table_id)
        question = Question.objects.filter(table=table).select_related("place").first()
        if question is None or question.by_id is None or question.by_id != user.pk:
            raise Refused("You ask nothing.", "gone")
        question.delete()
        question.refused = question.place.name
        _tell(table, question)
    return table


def _tell(table: Table, question: Question) -> None:
    """A question was put, answered or taken back."""
    happenings.asked.send(Table, table=table, question=question)
    announce(table.pk, table.version, nudge=True)
