"""Questions to other players: before something is taken back, and before an action about what is
theirs, where the rules leave it to those at the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from ... import dealing
from ...deciding import decides
from ...game import Game
from ...model.actions import Action, EndGame, Redo, Undo, player_key, same_move
from .. import archive, clock
from ..deals.models import Deal, next_number, of_locked, question_of, read_anew
from ..live import announce
from ..models import Place, Table
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
    keys = concerned(game, action, about[1:]) - sender(table, game, user, action)
    places = [p for p in table.all_places if player_key(p.key) in keys]
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
    if any(concerned(game, one) - own for one in following):
        raise Refused("Say also what is to follow: others are asked about both.", "pair")


def concerned(game: Game, action: Action, following: Sequence[Action] | None = None) -> set[str]:
    """The players who have a say, by the rules of the title, in an action and what follows it:
    what it says itself, unless something else is named."""
    about = (action, *((action.auto_actions or ()) if following is None else following))
    return {key for one in about for key in dealing.concerned(game.rules, game.state, one)}


def sender(table: Table, game: Game, user: Any, action: Action) -> frozenset[str]:
    """The players who speak through an action: at one screen whoever is on turn."""
    return decides(game, action.actor) if table.hotseat else my_keys(table, user)


def ask(
    table: Table, user: Any, action: Action, places: list[Place], speaker: Place | None = None
) -> Table:
    """Put a question to some places; it takes the place of an earlier one. ``user`` None: a bot
    asks, from the place of the ``speaker``."""
    lapse(table)
    place, numbers = speaker or _speaker(table, user, action), [p.number for p in places]
    own = [n for n in [place.number] if n not in numbers]
    question = Deal.objects.create(
        table=table, number=next_number(table), place=place, by=user, now=True,
        action=archive.write_action(action), parties=[*own, *numbers], agreed=own,
    )  # fmt: skip
    read_anew(table)
    _tell(table, question)
    return table


def _speaker(table: Table, user: Any, action: Action) -> Place:
    mine = my_places(table, user)
    return next((p for p in mine if p.key == action.entity or p.key in table.acting), mine[0])


def answered(table: Table, user: Any, yes: bool) -> Deal | None:
    """Note an answer. The question comes back when everybody has agreed.

    Raises :class:`Refused` or :class:`Forbidden`.
    """
    question = question_of(table)
    if question is None or not question.open:
        raise Refused("There is nothing to agree to any more.", "gone")
    mine = [p for p in my_places(table, user) if _is_asked(question, p)]
    if not mine:
        raise Forbidden("You are not asked.", "not_yours")
    if not yes:
        refuse(table, question, mine[0])
        return None
    question.agreed = sorted({*question.agreed, *(p.number for p in mine)})
    question.save()
    if not question.waiting:
        return question
    _tell(table, question)
    return None


def _is_asked(question: Deal, place: Place) -> bool:
    others = question.place_id != place.pk and place.number in question.parties
    return others or place.number in question.waiting


def refuse(table: Table, question: Deal, place: Place, state: str = Deal.State.DECLINED) -> None:
    """Somebody says no to a question, or answers it with another price."""
    question.state, question.refused, question.ended = state, place.name, clock.now()
    question.save()
    _tell(table, question)


def withdraw(table_id: int, user: Any) -> Table:
    """Take one's own question back, answered or not. Raises :class:`Refused`."""
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=table_id)
        question = question_of(table)
        if question is None or question.by_id is None or question.by_id != user.pk:
            raise Refused("You have asked nothing that could be withdrawn.", "gone")
        _put_away(question, Deal.State.WITHDRAWN)
        _tell(table, question)
    return table


def lapse(table: Table, action: Action | None = None) -> bool:
    """The game goes on by an action, or something else is asked: its question is none any more.
    Whether there was one."""
    questions = [deal for deal in of_locked(table) if deal.now]
    for question in questions:
        asked_for = archive.read_action(question.action)
        done = action is not None and covers(asked_for, action)
        _put_away(question, Deal.State.DONE if done else Deal.State.VOID)
    return bool(questions)


def covers(offered: Action, action: Action) -> bool:
    """Whether an action is the one a deal is about."""
    same = same_move(offered, action) and offered.actor == action.actor
    return same and (offered.auto_actions or ()) == (action.auto_actions or ())


def _put_away(question: Deal, state: str) -> None:
    """What is asked no more is one of the deals that are over, in some state if it was open."""
    if question.open:
        question.state, question.ended = state, clock.now()
    question.now = False
    question.save()


def _tell(table: Table, question: Deal) -> None:
    """A question was put, answered or taken back."""
    happenings.asked.send(Table, table=table, question=question)
    announce(table, nudge=True)
