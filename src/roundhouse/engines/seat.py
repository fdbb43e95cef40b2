"""An engine as a player, for any seat of a match or table."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from random import Random

from ..bots import Candidate, Decision, Player, Reason
from ..deciding import decides
from ..game import Game
from ..model.actions import Action, decode_action
from ..model.choices import Choice
from .client import Engine, EngineFault
from .messages import BestMove, Limits

log = logging.getLogger(__name__)


class EnginePlayer(Player):
    """Plays what an engine says. ``instead``: who plays on once it is given up; without one the
    :class:`EngineFault` is raised, and whoever runs the game decides what it costs."""

    def __init__(
        self, engine: Engine, *, limits: Limits | None = None, instead: Player | None = None
    ) -> None:
        super().__init__()
        self.engine, self.limits, self.instead = engine, limits, instead
        self.name = engine.name
        #: Why the engine was given up.
        self.fault: EngineFault | None = None

    def decide(self, game: Game, choices: Sequence[Choice], rng: Random) -> Decision:
        who = _player(game, choices)
        if self.fault is None:
            try:
                return _decision(self.engine.choose(game, who, choices, self.limits))
            except EngineFault as fault:
                self._give_up(fault)
        assert self.instead is not None
        return self.instead.decide(game, choices, rng)

    def gain(self, game: Game, action: Action, who: str) -> float:
        if self.fault is None:
            try:
                return self.engine.gain(game, action, game.state.players[who].id)
            except EngineFault as fault:
                if fault.code == "refused":  # it need not know about deals: it makes none
                    return float("-inf")
                self._give_up(fault)
        return self.instead.gain(game, action, who) if self.instead else float("-inf")

    def _give_up(self, fault: EngineFault) -> None:
        self.fault = fault
        if self.instead is None:
            raise fault
        log.warning("%s", fault)

    def close(self, *, at_once: bool = False) -> None:
        """End the engine."""
        self.engine.close(at_once=at_once)


def _player(game: Game, choices: Sequence[Choice]) -> int | str:
    """The id of the player who decides on some choices."""
    keys = decides(game, choices[0].actor)
    waited = [k for a in game.acting for k in decides(game, a) if k in keys]
    key = waited[0] if waited else min(keys)
    return game.state.players[key].id


def _decision(found: BestMove) -> Decision:
    action = decode_action(dict(found.action))
    reasons = tuple(
        Reason(str(r.get("code", "")), str(r.get("text", "")), _number(r.get("worth")))
        for r in found.reasons
    )
    return Decision(action, reasons, (Candidate(action, 0.0, reasons),))


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
