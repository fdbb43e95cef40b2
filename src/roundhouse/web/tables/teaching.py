"""The player of the other seats of a guided game."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ...bots import Player
from ...bots.decision import Decision
from ...game import Game
from ...lessons import Lesson
from ...model.actions import Action
from ...model.choices import Choice


class Teacher(Player):
    """Does what the lesson says, and what another player would do once it is left."""

    name = "lesson"

    def __init__(self, lesson: Lesson, other: Player) -> None:
        super().__init__(other.seed)
        self.lesson, self.other = lesson, other

    def decide(self, game: Game, choices: Sequence[Choice], rng: Random) -> Decision:
        told = self.lesson.coming(game)
        if told is not None:
            return Decision.only(told)
        return self.other.decide(game, choices, rng)

    def gain(self, game: Game, action: Action, who: str) -> float:
        return self.other.gain(game, action, who)
