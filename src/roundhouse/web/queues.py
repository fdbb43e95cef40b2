"""The queues of tasks that wait for other machines. Each has a thread of a worker's own, so that no
address that does not answer holds up bots, imports or the other queue."""

from __future__ import annotations

LETTERS, HOOKS = "letters", "hooks"
BESIDE = (LETTERS, HOOKS)
