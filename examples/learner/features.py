"""What the policy looks at: for each candidate a row of numbers, put together from the arrays of
the observation that the candidate is about."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from roundhouse.env import COLUMNS, KINDS, Turn, squeezed

Floats = npt.NDArray[np.float32]

_AT = {name: n for n, name in enumerate(COLUMNS)}


def features(turn: Turn) -> Floats:
    """(candidates, features) of a turn."""
    seen, rows = turn.observation, turn.rows
    about = rows[:, _AT["corporation"]]
    parts = [
        rows,
        np.broadcast_to(seen["now"][0], (len(rows), seen["now"].shape[1])),
        np.broadcast_to(seen["players"].ravel(), (len(rows), seen["players"].size)),
        _looked_up(seen["corporations"], about),
        _looked_up(seen["holdings"], about),
        _looked_up(seen["corporations"], rows[:, _AT["actor"]]),
        _looked_up(seen["holdings"], rows[:, _AT["actor"]]),
        _looked_up(seen["fleet"], rows[:, _AT["actor"]]),
        _looked_up(seen["companies"], rows[:, _AT["company"]]),
        _looked_up(seen["hexes"], rows[:, _AT["hex"]]),
        _looked_up(seen["depot"], rows[:, _AT["train"]]),
        np.broadcast_to(seen["depot"].ravel(), (len(rows), seen["depot"].size)),
    ]
    numbers = squeezed(np.concatenate(parts, axis=1)) / 4
    kinds = np.eye(len(KINDS) + 1, dtype=np.float32)[rows[:, _AT["kind"]]]
    low, high = rows[:, _AT["low"]], rows[:, _AT["high"]]
    share = (rows[:, _AT["price"]] - low) / np.maximum(1, high - low)
    made: Floats = np.concatenate([numbers, kinds, share[:, None]], axis=1, dtype=np.float32)
    return made


def _looked_up(table: npt.NDArray[np.int32], index: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """The rows of a table that indices from 1 name; 0: a row of nothing."""
    return np.concatenate([np.zeros_like(table[:1]), table])[index]
