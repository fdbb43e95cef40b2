"""What a server refuses, as exceptions."""

from __future__ import annotations

from typing import Any

from ..model.errors import RoundhouseError
from .model.play import Standing


class ApiError(RoundhouseError):
    """The server refuses: ``code``, ``message``, ``where`` in the request, ``rule`` if a section of
    the title's rules says so, and the HTTP ``status``."""

    def __init__(self, status: int, told: dict[str, Any]) -> None:
        self.status = status
        self.code = str(told.get("code", ""))
        self.message = str(told.get("message", "The server refuses."))
        self.where = str(told.get("where", ""))
        self.rule = str(told.get("rule", ""))
        place = f" ({self.where})" if self.where else ""
        super().__init__(f"{self.message}{place}")


class StaleVersion(ApiError):
    """The game has moved on; ``fresh``: how it stands now."""

    def __init__(self, status: int, told: dict[str, Any], fresh: Standing) -> None:
        super().__init__(status, told)
        self.fresh = fresh


class NotAllowed(ApiError):
    """No token, one that is not good, or not for this; or the seat is somebody else's."""


class NotFound(ApiError):
    """There is nothing there, or nothing for you to see."""


class TooManyRequests(ApiError):
    """Too often; ``retry_after``: seconds until it may be tried again."""

    def __init__(self, status: int, told: dict[str, Any], retry_after: float) -> None:
        super().__init__(status, told)
        self.retry_after = retry_after
