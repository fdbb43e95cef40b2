"""The queues of tasks beside the usual one, whose tasks take moments: what bots do.

Tasks that wait for other machines have a thread of a worker's own for each queue, so that no
address that does not answer holds up bots or the other queue. Tasks that reckon for long have a
process of a worker's own, as a thread would slow bots down, and in it a thread for each queue: who
waits for a search does not wait for a review.
"""

from __future__ import annotations

LETTERS, HOOKS = "letters", "hooks"
BESIDE = (LETTERS, HOOKS)
#: What takes some seconds, in which somebody waits for it; what takes minutes.
SECONDS, MINUTES = "seconds", "minutes"
LONG = (SECONDS, MINUTES)
