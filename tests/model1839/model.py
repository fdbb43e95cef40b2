"""The model: a state that takes actions in the form of game files."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from typing import Any

from . import auction, operating, setup, stock
from .state import Refused, State, need
from .view import acting, view


class Model:
    """A game of 1839. ``players``: ids in the order of a game file; ``roster``: number and price
    of the trains of each rank, where they are not the title's own."""

    def __init__(
        self,
        players: Sequence[int | str],
        seed: int,
        options: Sequence[str] = (),
        roster: Mapping[str, tuple[int | None, int]] | None = None,
    ) -> None:
        self.state = setup.begin(players, seed, options, roster)

    def apply(self, action: Mapping[str, Any]) -> None:
        """Carry out an action with all that follows from it. Raises :class:`Refused`; nothing has
        changed then."""
        after: State = pickle.loads(pickle.dumps(self.state))
        play(after, dict(action))
        self.state = after

    def why_not(self, action: Mapping[str, Any]) -> str | None:
        """Why an action is illegal now; None if it is legal."""
        try:
            play(pickle.loads(pickle.dumps(self.state)), dict(action))
        except Refused as sentence:
            return str(sentence)
        return None

    @property
    def acting(self) -> str | None:
        return acting(self.state)

    @property
    def finished(self) -> str | None:
        """Why the game is over: ``bankrupt``, ``stock_market`` or ``train_marker``."""
        return self.state.finished

    def view(self) -> dict[str, Any]:
        """The state in trace form."""
        return view(self.state)


def play(s: State, a: dict[str, Any]) -> None:
    need(not s.finished, "13: the game is over")
    rounds = {"AR": auction.act, "SR": stock.act, "OR": operating.act}
    rounds[s.round](s, a)
