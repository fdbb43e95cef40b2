"""Looking ahead to one's next turn, to plan it."""

from __future__ import annotations

from ..game import Game
from ..model.actions import Pass
from ..model.choices import Choice
from .moment import Moment

#: Actions of others that are supposed at most.
_MOST = 60


def next_turn(game: Game, owner: str) -> Game | None:
    """The game at a player's next turn if all others do as little as they can until then; None: it
    would take too long, or never come. Only good to plan on: others will do as they like."""
    twin = game.copy()
    for _ in range(_MOST):
        if twin.finished:
            return None
        if Moment(twin, owner).on_turn:
            return twin
        choices = twin.choices()
        if not choices or not _done(twin, min(choices, key=_effort)):
            return None
    return None


def _done(game: Game, choice: Choice) -> bool:
    """Do what a choice proposes; whether that was possible."""
    action = next(choice.actions())
    if game.why_not(action) is not None:
        return False
    game.apply(action)
    return True


def _effort(choice: Choice) -> int:
    """Passing is least; then what has to be done; last what is chosen freely."""
    if isinstance(choice.action, Pass):
        return 0
    return {"run_routes": 1, "dividend": 1, "discard_train": 1, "choose": 2}.get(choice.type, 3)
