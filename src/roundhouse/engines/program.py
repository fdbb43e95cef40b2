"""A program spoken to by lines: nobody waits longer for it than he wants to, whatever it does."""

from __future__ import annotations

import io
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import cast

from .messages import LONGEST

#: Lines that may wait to be heard; then the program waits, so that one that never stops talking
#: fills no memory.
_WAITING = 16
#: Seconds after which the reader looks whether anybody still listens.
_LOOK = 0.2


class Program:
    """A process whose lines are read, and which is written to, by threads of its own: a program
    that does not read, or talks without end, stops nobody. Raises :class:`OSError` if it cannot
    be started."""

    def __init__(self, command: Sequence[str]) -> None:
        self._heard: queue.Queue[bytes] = queue.Queue(_WAITING)
        self._to_say: queue.Queue[bytes | None] = queue.Queue()
        self._over = threading.Event()
        # A session of its own: what a script starts is ended with the script. No buffers, as a
        # thread that waits for the program would keep their locks.
        self._process = subprocess.Popen(
            command,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        for work in (self._read, self._write):
            threading.Thread(target=work, daemon=True, name="roundhouse-engine").start()

    @property
    def ended(self) -> bool:
        """Whether the process has ended."""
        return self._process.poll() is not None

    def say(self, line: bytes) -> None:
        """Have a line written. Whether it is read shows by the answer."""
        self._to_say.put(line)

    def hear(self, until: float) -> bytes | None:
        """The next line; empty: there will be none; None: none came in time (``until``: of
        :func:`time.monotonic`)."""
        left = until - time.monotonic()
        if left <= 0:
            return None
        try:
            return self._heard.get(timeout=left)
        except queue.Empty:
            return None

    def end(self, goodbye: bytes = b"", seconds: float = 0.0) -> None:
        """End the process and what it has started, by force unless it ends within some seconds
        after a last line."""
        if self._over.is_set():
            return
        if goodbye:
            self._to_say.put(goodbye)
        self._to_say.put(None)
        if seconds:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(seconds)
        self._over.set()
        self._kill()
        self._process.wait()

    def _kill(self) -> None:
        if sys.platform == "win32":
            self._process.kill()
        else:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def _read(self) -> None:
        """Whoever reads closes: closing waits for a read that goes on."""
        raw = cast(io.RawIOBase, self._process.stdout)
        with suppress(OSError, ValueError), io.BufferedReader(raw) as stream:
            while line := stream.readline(LONGEST + 1):
                if not self._put(line):
                    return
        self._put(b"")

    def _put(self, line: bytes) -> bool:
        """Hand a line over; False: nobody listens any more."""
        while not self._over.is_set():
            with suppress(queue.Full):
                self._heard.put(line, timeout=_LOOK)
                return True
        return False

    def _write(self) -> None:
        assert self._process.stdin is not None
        with suppress(OSError, ValueError), self._process.stdin as stream:
            while (line := self._to_say.get()) is not None:
                rest = memoryview(line)
                while rest:
                    rest = rest[stream.write(rest) :]
