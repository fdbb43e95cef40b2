"""Garbage collection that does not stop the server.

Games are many small values that live long and hold no cycles. A full collection of Python's walks
all of them: seconds, with the games of an evening, in which nobody is answered. Here what has
survived a full collection is set aside (:func:`gc.freeze`), so the next one walks only what is new
since. Values that are set aside are freed as ever once nothing refers to them; only cycles among
them stay, and these are looked for where somebody has time, in :func:`sweep`.
"""

from __future__ import annotations

import gc
import threading
import time
from typing import Any

#: Containers made more than freed before the youngest are looked at, and how often these are before
#: the next older ones are.
THRESHOLDS = (10_000, 20, 20)
#: Seconds between two looks at everything, and how long no request may have come before one.
EVERY, CALM = 3600.0, 5.0

_last_request = time.monotonic()


def start() -> None:
    """Collect so from now on; what is there now is set aside."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    if _set_aside not in gc.callbacks:
        gc.callbacks.append(_set_aside)
    threading.Thread(target=_sweep_when_calm, name="roundhouse-garbage", daemon=True).start()


def busy() -> None:
    """A request has come."""
    global _last_request
    _last_request = time.monotonic()


def sweep() -> int:
    """Look for cycles among everything; how many values were freed."""
    gc.unfreeze()
    return gc.collect()


def _set_aside(phase: str, info: dict[str, Any]) -> None:
    if phase == "stop" and info["generation"] == 2:
        gc.freeze()


def _sweep_when_calm() -> None:
    while True:
        time.sleep(EVERY)
        while time.monotonic() - _last_request < CALM:
            time.sleep(CALM)
        sweep()
