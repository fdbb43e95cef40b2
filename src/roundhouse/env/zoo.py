"""The games as a PettingZoo environment, agent after agent.

    env = roundhouse.env.aec(title, players=3, reward="rank")
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        done = terminated or truncated
        mask = observation["action_mask"]
        env.step(None if done else env.action_space(agent).sample(mask))

Needs the extra ``env``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv

from ..game import Game
from ..model.errors import IllegalAction
from ..render.svg import Svg
from .candidates import COLUMNS, Candidates, decider
from .layout import Array
from .observation import observe
from .rewards import Reward
from .terms import Terms, terms_of

_LOW, _HIGH = np.iinfo(np.int32).min, np.iinfo(np.int32).max


def aec(title: str | Terms, **terms: Any) -> RoundhouseAEC:
    """The environment of a title; ``terms`` as :class:`Terms` has them."""
    return RoundhouseAEC(terms_of(title, **terms))


def _box(*shape: int) -> spaces.Box:
    return spaces.Box(_LOW, _HIGH, shape, np.int32)


class RoundhouseAEC(AECEnv[str, dict[str, Any], int], EzPickle):  # type: ignore[misc]
    """A game in which agents ``player_0`` … act when they are waited for.

    An observation is a dictionary: ``observation``, the arrays of :class:`Layout`; ``actions``, a
    row of numbers for each action of the list of :class:`Candidates`; ``action_mask``, 1 for the
    actions there are. An action is its number in that list. ``infos`` tell the action that led
    here as text; with the end, why the game ended.

    An end by the rules of the title terminates all agents. A game that is broken off, after
    ``longest`` actions or at turn 100, truncates them.
    """

    metadata = {"name": "roundhouse_v0", "render_modes": ["svg"], "is_parallelizable": False}

    def __init__(self, terms: Terms, render_mode: str | None = None) -> None:
        EzPickle.__init__(self, terms, render_mode)
        AECEnv.__init__(self)
        self.terms, self.render_mode = terms, render_mode
        self.possible_agents = terms.names
        self.layout = terms.layout(terms.game(0))
        self._seeds = np.random.default_rng()
        self.observation_spaces = {a: self._observation_space() for a in self.possible_agents}
        self.action_spaces = {a: spaces.Discrete(terms.capacity) for a in self.possible_agents}

    def _observation_space(self) -> spaces.Dict:
        arrays: dict[str, spaces.Space[Any]]
        arrays = {name: _box(*shape) for name, shape in self.layout.shapes.items()}
        capacity = self.terms.capacity
        return spaces.Dict(
            {
                "observation": spaces.Dict(arrays),
                "actions": _box(capacity, len(COLUMNS)),
                "action_mask": spaces.Box(0, 1, (capacity,), np.int8),
            }
        )

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game; ``options`` may bring one to go on from, ``{"game": …}``."""
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        given: Game | None = (options or {}).get("game")
        drawn = int(self._seeds.integers(2**31))
        self.game = self.terms.game(drawn) if given is None else given.copy()
        self.reward: Reward = self.terms.begun(self.game)
        self.agents = self.possible_agents[:]
        self.count = 0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {a: {} for a in self.agents}
        self._look()

    def _look(self) -> None:
        """Find out who decides, and what he may do."""
        who = decider(self.game)
        self.candidates: Candidates | None = None
        if who is not None:
            self.agent_selection = self.possible_agents[self._seat_of[who]]
            self.candidates = self.terms.candidates(self.game)

    @property
    def _seat_of(self) -> dict[str, int]:
        return {key: n for n, key in enumerate(self.game.start.players)}

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees; only the one who is to act has actions."""
        seat, capacity = self.possible_agents.index(agent), self.terms.capacity
        mask = np.zeros(capacity, np.int8)
        rows: Array = np.zeros((capacity, len(COLUMNS)), np.int32)
        if self.candidates is not None and agent == self.agent_selection:
            count = len(self.candidates)
            mask[:count] = 1
            rows[:count] = self.candidates.rows(self.layout, seat)
        seen = observe(self.layout, self.game.state, seat)
        return {"observation": seen, "actions": rows, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Carry out the action of the agent who is to act, by its number. Raises
        :class:`IllegalAction` for a number that is masked."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        before = self.game.state
        self.game.apply(self._action(action))
        self.count += 1
        over = self.game.finished or self.count >= self.terms.longest
        gained = self.reward.after(before, self.game, over)
        self.rewards = dict(zip(self.possible_agents, gained, strict=True))
        self._end() if over else self._look()
        self._accumulate_rewards()

    def _action(self, number: int | None) -> Any:
        found = self.candidates
        if number is None or found is None or not 0 <= number < len(found):
            there = len(found) if found is not None else 0
            raise IllegalAction("masked", f"There is no action {number}; there are {there}.")
        return found[int(number)]

    def _end(self) -> None:
        ended = self.game.terminated
        self.candidates = None
        self.terminations = dict.fromkeys(self.agents, ended)
        self.truncations = dict.fromkeys(self.agents, not ended)
        reason = self.game.end_reason or "longest"
        self.infos = {a: {"end": reason} for a in self.agents}

    def render(self) -> Svg | None:
        """The map, as SVG, where the mode is ``svg``."""
        return self.game.draw_map() if self.render_mode == "svg" else None

    def close(self) -> None:
        """Nothing is held."""

    def __str__(self) -> str:
        return f"{self.metadata['name']}: {self.terms.title}"
