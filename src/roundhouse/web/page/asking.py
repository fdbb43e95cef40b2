"""A question to other players, as its parties see it."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from ...game import Game
from ...model.actions import Action, EndGame, Redo, Undo
from ...sentences.buttons import Wording, doing, money
from .. import archive
from ..models import Question, Table
from ..tables import my_places
from .drawing import called


class Asking(Struct):
    """What somebody would like to do; ``mine``: the viewer's names that are to answer; ``waiting``:
    all who have not; ``refused``: who said no; ``own``: the viewer asks."""

    text: str
    mine: list[str]
    waiting: list[str]
    refused: str
    own: bool
    #: The price that is named, which may be answered with another one.
    price: int | None = None


def question_of(table: Table, game: Game, user: Any) -> Asking | None:
    """The question of a table, if there is one."""
    question = Question.objects.filter(table=table).select_related("place").first()
    if question is None:
        return None
    names = {p.number: p.name for p in table.places.all() if p.number in question.asked}
    open_ = [n for n in question.asked if n not in question.agreed]
    mine = {p.number for p in my_places(table, user)}
    action = archive.read_action(question.action)
    return Asking(
        f"{question.place.name} would like to {wish(game, action)}.",
        [] if question.refused else [names[n] for n in open_ if n in mine],
        [names[n] for n in open_],
        question.refused,
        question.by_id is not None and question.by_id == user.pk,
        getattr(action, "price", None),
    )


def wish(game: Game, a: Action) -> str:
    """What an action is, after “would like to”."""
    match a:
        case Undo():
            return "take back"
        case Redo():
            return "restore what was taken back"
        case EndGame():
            return "end the game here"
    label = Wording(game.rules, game.state).label(a)
    price = getattr(a, "price", None)
    cost = f" for {money(game.rules, price)}" if price is not None else ""
    entity = called(game.rules, game.state, a.actor)
    joint = " " if label.startswith("with ") else ": "
    kind = a.auto_actions[0].type if a.auto_actions else a.type
    return f"{doing(kind)}{joint}{label}{cost} ({entity})"
