"""The games in the style of OpenSpiel: a game makes states, a state tells who acts and what he may
do as numbers, and can be cloned.

It needs nothing of OpenSpiel. All chance of a game lies in its seed, so states have no chance
nodes, and everybody sees everything.

>>> import roundhouse
>>> title, *_ = roundhouse.all_titles()
>>> state = SpielGame(title, players=3, seed=5).new_initial_state()
>>> state.current_player()
0
>>> child = state.child(state.legal_actions()[-1])
>>> len(child.history()), len(state.history())
(1, 0)
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import numpy.typing as npt

from ..game import Game
from ..model.errors import IllegalAction
from ..model.notation import read_move, write_move
from .candidates import Candidates, decider
from .observation import observe
from .terms import Terms, terms_of

TERMINAL = -4


class SpielGame:
    """A title on its terms; ``seed``: that of every state it makes, None: another one each time."""

    def __init__(self, title: str | Terms, *, seed: int | None = None, **terms: Any) -> None:
        self.terms, self.seed = terms_of(title, **terms), seed
        self.layout = self.terms.layout(self.terms.game(0))

    def new_initial_state(self) -> SpielState:
        """The state a game begins in."""
        return SpielState(self, self.terms.game(self.seed))

    def num_players(self) -> int:
        return self.terms.seats

    def num_distinct_actions(self) -> int:
        """One more than the highest number of an action."""
        return self.terms.capacity

    def max_game_length(self) -> int:
        return self.terms.longest

    def min_utility(self) -> float:
        """The least a return can be under the rewards ``worth`` and ``rank``."""
        return -1.0

    def max_utility(self) -> float:
        return 1.0

    def utility_sum(self) -> float:
        return 0.0

    def observation_tensor_shape(self) -> list[int]:
        return [self.layout.size]

    def deserialize_state(self, text: str) -> SpielState:
        """A state from what :meth:`SpielState.serialize` gave. Raises :class:`IllegalAction`."""
        first, *moves = text.splitlines()
        state = SpielState(self, self.terms.game(int(first)))
        for move in moves:
            state.apply(move)
        return state

    def __str__(self) -> str:
        return f"roundhouse({self.terms.title}, players={self.terms.seats})"


class SpielState:
    """A position of a game. Actions are numbers into the list of candidates of the moment."""

    def __init__(self, spiel: SpielGame, game: Game) -> None:
        self._spiel, self.game = spiel, game
        self._moves: list[tuple[int, int]] = []
        self._reward = spiel.terms.begun(game)
        self._gained = [0.0] * spiel.num_players()
        self._returns = [0.0] * spiel.num_players()
        self._listed: Candidates | None = None

    @property
    def candidates(self) -> Candidates:
        """What may be done now."""
        if self._listed is None:
            self._listed = self._spiel.terms.candidates(self.game)
        return self._listed

    def get_game(self) -> SpielGame:
        return self._spiel

    def current_player(self) -> int:
        """The seat that acts, from 0; -4: the game is over."""
        if self.is_terminal():
            return TERMINAL
        return list(self.game.start.players).index(decider(self.game) or "")

    def is_terminal(self) -> bool:
        return self.game.finished or len(self._moves) >= self._spiel.terms.longest

    def is_truncated(self) -> bool:
        """Whether it is over without having ended by the rules of the title."""
        return self.is_terminal() and not self.game.terminated

    def is_chance_node(self) -> bool:
        return False

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The numbers of what may be done now; empty for who does not act."""
        if self.is_terminal() or player not in (None, self.current_player()):
            return []
        return list(range(len(self.candidates)))

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        count = len(self.legal_actions(player))
        return [1] * count + [0] * (self._spiel.num_distinct_actions() - count)

    def action_to_string(self, player: int, action: int) -> str:
        """The move as text."""
        return write_move(self.candidates[action])

    def string_to_action(self, text: str) -> int:
        """The number of a move. Raises :class:`ValueError` if it is not in the list."""
        return self.candidates.space.index(read_move(text))

    def apply_action(self, action: int) -> None:
        """Carry out an action by its number. Raises :class:`IllegalAction`."""
        if action not in range(len(self.legal_actions())):
            raise IllegalAction("masked", f"There is no action {action}.")
        self._play(self.candidates[action], action)

    def apply(self, move: str) -> None:
        """Carry out a move as text, listed or not. Raises :class:`IllegalAction`."""
        self._play(read_move(move), -1)

    def _play(self, action: Any, number: int) -> None:
        player, before = self.current_player(), self.game.state
        self.game.apply(action)
        self._listed = None
        self._moves.append((player, number))
        self._gained = self._reward.after(before, self.game, self.is_terminal())
        self._returns = [a + b for a, b in zip(self._returns, self._gained, strict=True)]

    def history(self) -> list[int]:
        """The numbers of what was done; -1 for moves made as text."""
        return [number for _, number in self._moves]

    def full_history(self) -> list[tuple[int, int]]:
        """Who did what."""
        return list(self._moves)

    def rewards(self) -> list[float]:
        """What the last action brought each seat."""
        return list(self._gained)

    def returns(self) -> list[float]:
        """What all actions brought each seat."""
        return list(self._returns)

    def clone(self) -> SpielState:
        """An independent copy; costs microseconds."""
        twin = copy.copy(self)
        twin.game, twin._moves = self.game.copy(), list(self._moves)
        twin._reward = copy.copy(self._reward)
        twin._listed = None
        return twin

    def child(self, action: int) -> SpielState:
        """The state an action leads to."""
        twin = self.clone()
        twin.apply_action(action)
        return twin

    def observation_tensor(self, player: int | None = None) -> npt.NDArray[np.float32]:
        """What a seat sees, as one array: :meth:`Layout.flat`."""
        seat = max(0, self.current_player()) if player is None else player
        return self._spiel.layout.flat(observe(self._spiel.layout, self.game.state, seat))

    def serialize(self) -> str:
        """The seed and the moves, one a line."""
        moves = (write_move(e.action) for e in self.game.history)
        return "\n".join([str(self.game.seed), *moves])

    def __str__(self) -> str:
        return repr(self.game)
