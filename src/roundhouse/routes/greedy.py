"""Former name of :mod:`.sample`."""

from __future__ import annotations

from .sample import sample_runs as greedy_runs

__all__ = ["greedy_runs"]
