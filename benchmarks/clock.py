"""Processor time beside that of a fixed loop, so that figures of two machines can be compared."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable


class _Record:
    __slots__ = ("key", "value")

    def __init__(self, key: str, value: int) -> None:
        self.key = key
        self.value = value

    def doubled(self) -> int:
        return self.value * 2


def fixed_loop() -> int:
    """A fixed piece of interpreter work of the engine's kind: small records, calls, copies of
    maps."""
    total, table = 0, {f"key {n}": _Record(f"key {n}", n) for n in range(100)}
    for i in range(3_000):
        table = table.copy()
        record = table[f"key {i % 100}"]
        table[record.key] = _Record(record.key, i)
        total += sum([r.doubled() for r in (record, *table.values()) if r.value & 7 == 0])
    return total


def cpu(work: Callable[[], object]) -> float:
    """Processor seconds of a call."""
    began = time.process_time()
    work()
    return time.process_time() - began


class Clock:
    """Counts work in units: its processor time over that of the fixed loop."""

    def __init__(self) -> None:
        #: The seconds of the fixed loop, by round.
        self.loops: list[float] = []

    def units(self, work: Callable[[], object], *, rounds: int, seconds: float) -> float:
        """The least of some rounds over the least of as many fixed loops between them; no more
        rounds once they took so many seconds."""
        gc.collect()
        took: list[float] = []
        loops: list[float] = []
        while len(took) < 2 or (len(took) < rounds and sum(took) < seconds):
            loops.append(cpu(fixed_loop))
            took.append(cpu(work))
        self.loops += loops
        return min(took) / min(loops)

    @property
    def milliseconds(self) -> float:
        """What the fixed loop takes here at best."""
        return 1000 * min([*self.loops, cpu(fixed_loop)])
