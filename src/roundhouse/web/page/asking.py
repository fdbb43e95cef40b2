"""A question to other players, as its parties see it."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from ...game import Game
from ...model.actions import Action, EndGame, Message, Redo, Undo
from ...sentences.buttons import Wording, doing, money
from .. import archive
from ..deals.models import Deal, standing
from ..models import Table
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
    #: The deal it is, and the price that is named, which may be answered with another one.
    number: int
    price: int | None
    countered: bool


def question_of(table: Table, game: Game, user: Any) -> Asking | None:
    """The question of a table, if there is one."""
    question = next((deal for deal in standing(table) if deal.now), None)
    return None if question is None else told(question, table, game, user)


def told(question: Deal, table: Table, game: Game, user: Any) -> Asking:
    """A question as a viewer sees it."""
    names = {p.number: p.name for p in table.all_places}
    waiting = [n for n in question.waiting if n in names] if question.open else []
    mine = {p.number for p in my_places(table, user)}
    action = archive.read_action(question.action)
    return Asking(
        f"{question.place.name} would like to {wish(game, action)}.",
        [names[n] for n in waiting if n in mine],
        [names[n] for n in waiting],
        question.refused,
        question.by_id is not None and question.by_id == user.pk,
        question.number,
        getattr(action, "price", None),
        question.state == Deal.State.COUNTERED,
    )


def wish(game: Game, a: Action) -> str:
    """What an action is, after “would like to”."""
    match a:
        case Undo():
            return f"take back {_reach(game, a)}"
        case Redo():
            return "restore what was taken back"
        case EndGame():
            return "end the game here"
    words = Wording(game.rules, game.state)
    label, price = words.label(a), words.paid(a)
    cost = f" for {money(game.rules, price)}" if price is not None else ""
    entity = called(game.rules, game.state, a.actor)
    joint = " " if label.startswith("with ") else ": "
    done = a.auto_actions[0] if a.auto_actions else a
    return f"{doing(done)}{joint}{label}{cost} ({entity})"


def _reach(game: Game, a: Undo) -> str:
    """What would be taken back."""
    if a.action_id is None:
        return "the last action"
    back = [e for e in game.history if (e.action.id or 0) > a.action_id]
    count = sum(not isinstance(e.action, Message) for e in back)
    return "the last action" if count == 1 else f"the last {count} actions"
