"""Players: what decides for a seat, with its reasons; found by name and level."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ..dealing import BOOK
from ..game import Game
from ..model.actions import Action
from ..model.choices import Choice
from ..selfplay import Policy
from .decision import Decision


class Player:
    """Decides for any seat of any game. It remembers nothing that matters: the same position, seed
    and level give the same decision, in every process and on every machine."""

    #: What the player is called, and how hard it thinks; empty where it has one way only.
    name: str = ""
    level: str = ""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def choose(self, game: Game, choices: Sequence[Choice] | None = None) -> Decision:
        """What to do now, one of some choices (None: any that there are), with the reasons.

        Raises :class:`ValueError` if there is nothing to choose from.
        """
        allowed = game.choices() if choices is None else list(choices)
        if not allowed:
            raise ValueError("nobody is waited for in this position")
        return self.decide(game, allowed, self.luck(game))

    def decide(self, game: Game, choices: Sequence[Choice], rng: Random) -> Decision:
        """One of some choices, drawing on a stream where all is equal."""
        raise NotImplementedError

    def gain(self, game: Game, action: Action, who: str) -> float:
        """What a deal changes for a player (by key) as this one reckons: he agrees to none that
        leaves him worse off (:class:`roundhouse.dealing.Reckoner`)."""
        return BOOK.gain(game, action, who)

    def trifle(self, game: Game) -> float:
        """By how much two actions may differ that he takes for equal: doing anything has to bring
        more than that, so who did something all the same has missed nothing."""
        return 0.0

    def remember_with(self, other: Player) -> None:
        """Keep in mind together with another player what both would work out alike, if that can be:
        it spares work and changes no decision. Not for players of different threads."""

    def luck(self, game: Game) -> Random:
        """The stream of a position: nothing but the seed and the length of the game counts."""
        return Random(f"{self.seed}:{len(game)}")

    def __call__(self, game: Game, choices: Sequence[Choice], rng: Random) -> Action:
        """The player as a policy, for :func:`roundhouse.selfplay.play_on`."""
        return self.decide(game, choices, rng).action


class Follower(Player):
    """A policy as a player: it gives no reasons."""

    def __init__(self, name: str, policy: Policy, seed: int = 0) -> None:
        super().__init__(seed)
        self.name, self.policy = name, policy

    def decide(self, game: Game, choices: Sequence[Choice], rng: Random) -> Decision:
        return Decision.only(self.policy(game, choices, rng))

    def gain(self, game: Game, action: Action, who: str) -> float:
        own = getattr(self.policy, "gain", None)
        return float(own(game, action, who)) if own else super().gain(game, action, who)
