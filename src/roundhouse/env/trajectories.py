"""Episodes as a Parquet file: a row for each action, in order, packed in groups of games.

Columns: ``episode``, ``seed``, ``step``, ``seat``, ``policy``, ``number`` (of the action among the
candidates), ``listed`` (how many there were), ``move`` (as text), ``rewards`` (by seat), ``scores``
(by seat, of the whole game), ``last``, ``terminated``, ``end``; where they were kept ``seen`` (all
arrays of the observation, one after the other) and ``rows`` (those of the candidates). The file's
metadata tell the terms and the shapes of the arrays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from .candidates import COLUMNS
from .layout import Array
from .playing import Episode
from .terms import Terms

#: Episodes held in memory before they are written.
_GROUP = 16

_SCHEMA = pa.schema(
    [
        ("episode", pa.int32()),
        ("seed", pa.int64()),
        ("step", pa.int32()),
        ("seat", pa.int8()),
        ("policy", pa.dictionary(pa.int16(), pa.string())),
        ("number", pa.int32()),
        ("listed", pa.int32()),
        ("move", pa.string()),
        ("rewards", pa.list_(pa.float32())),
        ("scores", pa.list_(pa.int32())),
        ("last", pa.bool_()),
        ("terminated", pa.bool_()),
        ("end", pa.dictionary(pa.int16(), pa.string())),
        ("seen", pa.list_(pa.int32())),
        ("rows", pa.list_(pa.int32())),
    ]
)


def write_trajectories(path: str | Path, terms: Terms, episodes: Iterable[Episode]) -> int:
    """Write episodes, as they come, to a file; returns how many steps there were."""
    told = {
        "title": terms.title,
        "players": terms.seats,
        "options": terms.options,
        "shapes": terms.layout(terms.game(0)).shapes,
        "actions": list(COLUMNS),
    }
    schema = _SCHEMA.with_metadata({"roundhouse": msgspec.json.encode(told)})
    numbered, steps = enumerate(episodes), 0
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        while group := list(islice(numbered, _GROUP)):
            rows = [row for n, episode in group for row in _rows(n, episode)]
            writer.write_table(pa.Table.from_pylist(rows, schema))
            steps += len(rows)
    return steps


def _rows(number: int, e: Episode) -> Iterator[dict[str, Any]]:
    for n, step in enumerate(e.steps):
        yield {
            "episode": number,
            "seed": e.seed,
            "step": n,
            "seat": step.seat,
            "policy": e.policies[step.seat],
            "number": step.number,
            "listed": step.listed,
            "move": step.move,
            "rewards": step.rewards,
            "scores": e.scores,
            "last": n == len(e.steps) - 1,
            "terminated": e.terminated,
            "end": e.end,
            "seen": step.seen,
            "rows": None if step.rows is None else step.rows.ravel(),
        }


class Trajectories:
    """A file of episodes. ``table`` is the Arrow table, ``about`` what the file tells of itself."""

    def __init__(self, path: str | Path) -> None:
        self.table = pq.read_table(path)
        self.about: dict[str, Any] = msgspec.json.decode(self.table.schema.metadata[b"roundhouse"])

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def observation(self, step: int) -> dict[str, Array]:
        """What was seen at a step (its number in the file): the arrays by name."""
        whole = self._array("seen", step)
        found, at = {}, 0
        for name, (rows, columns) in self.about["shapes"].items():
            found[name] = whole[at : at + rows * columns].reshape(rows, columns)
            at += rows * columns
        return found

    def rows(self, step: int) -> Array:
        """The rows of the candidates there were at a step."""
        return self._array("rows", step).reshape(-1, len(self.about["actions"]))

    def _array(self, column: str, step: int) -> Array:
        kept = self.table.column(column)[step]
        if not kept.is_valid:
            raise ValueError(f"the file holds no {column}: they were not kept")
        return np.asarray(kept.values, np.int32)
