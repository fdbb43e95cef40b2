"""Lines that stay open for programs: what is new is read when a table has news, by a thread that is
held no longer than that; while nothing happens a line costs no thread."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Set

from django.http import HttpResponse

#: Seconds after which something is sent even if nothing happens, so that both ends know of each
#: other; then it is also looked whether the line may stay open.
INTERVAL = 6.0


class Feed(ABC):
    """What one program is told, from where it left off. ``over``: there will be nothing more."""

    over = False

    @property
    @abstractmethod
    def tables(self) -> Set[int]:
        """The tables whose news matter to it."""

    @abstractmethod
    def read(self) -> list[str]:
        """What is new since it was read last, ready to be sent; in a thread."""

    @abstractmethod
    def nothing(self) -> str:
        """What is sent when nothing happens."""


class FeedResponse(HttpResponse):
    """An answer that goes on as long as its feed does (``threads.py``)."""

    def __init__(self, feed: Feed, content_type: str) -> None:
        super().__init__(content_type=content_type)
        self.feed = feed
        self["Cache-Control"] = "no-store"
        self["X-Accel-Buffering"] = "no"
