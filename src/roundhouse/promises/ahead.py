"""Looking ahead to one's next turn, to plan it."""

from __future__ import annotations

from collections.abc import Callable

from ..game import Game
from ..model.actions import Action, Pass
from ..model.choices import Choice
from .situation import Situation

#: Actions of others that are supposed at most.
_MOST = 60


def until(
    game: Game, there: Callable[[Game], bool], do: Callable[[Game, Choice], Action] | None = None
) -> Game | None:
    """The game where ``there`` first holds if everybody does as little as he can until then; None:
    it would take too long, or never be. ``do``: what is done of the least choice, if not the first
    of its actions."""
    twin = game.copy()
    for _ in range(_MOST):
        if there(twin):
            return twin
        choices = [] if twin.finished else twin.choices()
        if not choices or not _done(twin, min(choices, key=_effort), do):
            return None
    return None


def next_turn(game: Game, owner: str) -> Game | None:
    """The game at a player's next turn if all others do as little as they can until then; None: it
    would take too long, or never come. Only good to plan on: others will do as they like."""
    return until(game, lambda twin: not twin.finished and Situation(twin, owner).on_turn)


def _done(game: Game, choice: Choice, do: Callable[[Game, Choice], Action] | None) -> bool:
    """Do what a choice proposes; whether that was possible."""
    action = do(game, choice) if do else next(choice.actions())
    if game.why_not(action) is not None:
        return False
    game.apply(action)
    return True


def _effort(choice: Choice) -> int:
    """Passing is least; then what has to be done; last what is chosen freely."""
    if isinstance(choice.action, Pass):
        return 0
    return {"run_routes": 1, "dividend": 1, "discard_train": 1, "choose": 2}.get(choice.type, 3)
