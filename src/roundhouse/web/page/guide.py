"""The guide of a first game, as who learns sees it beside what is to be done."""

from __future__ import annotations

from msgspec import Struct

from ...game import Game
from ...lessons import Lesson, Note, lesson_of, seen
from ...model.actions import Action, player_key
from ...sentences.buttons import Wording, money
from ...sentences.steps import group_name, passing, sells
from ..models import Table
from ..tables import decides
from ..tables.opponents import teaching
from .drawing import called
from .now import write

#: What its own words tell whole.
_BY_ITSELF = frozenset(("take_loan", "payoff_loan", "run_routes", "dividend", "convert"))


class Guide(Struct):
    """What is told: the note of the moment (``known``: it was shown before), what the lesson does
    next in words, why, and as an action for a form, how far one is, and as whom. ``left``: one goes
    another way."""

    note: Note | None
    known: bool
    advice: str
    why: str
    action: str
    done: int
    all: int
    left: bool
    learner: str

    @property
    def over(self) -> bool:
        """Whether all of it has been played."""
        return self.done >= self.all


def guide_of(table: Table, game: Game) -> Guide | None:
    """The guide of a table; None where no lesson is played."""
    lesson = lesson_of(game.title) if teaching(table) else None
    if lesson is None:
        return None
    learner = next(player_key(p.key) for p in table.all_places if not p.bot)
    return _guide(lesson, game, learner)


def _guide(lesson: Lesson, game: Game, learner: str) -> Guide:
    place, told = lesson.place(game), lesson.coming(game)
    mine = told is not None and learner in decides(game, told.actor)
    over = place is not None and place >= len(lesson.actions)
    return Guide(
        lesson.note(game, learner),
        seen(game, learner),
        _words(game, told) if mine and told else "",
        lesson.why(game) if mine else "",
        write(told) if mine and told else "",
        place or 0,
        len(lesson.actions),
        told is None and not over,
        called(game.rules, game.state, learner),
    )


def _words(game: Game, a: Action) -> str:
    """What an action is, as one would say it to somebody."""
    if a.type == "pass":
        return passing(game, a.actor)
    entity = called(game.rules, game.state, a.actor)
    price = getattr(a, "price", None)
    label = Wording(game.rules, game.state).label(a)
    cost = money(game.rules, price) if price is not None and not sells(game) else ""
    who = "" if a.actor in game.state.players else f" ({entity})"
    what = ", ".join(filter(None, (label, cost)))
    doing = "" if a.type in _BY_ITSELF else f"{group_name(game, a)}: "
    return f"{doing}{what}{who}"
