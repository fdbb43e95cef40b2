"""Files that are sent."""

from __future__ import annotations

from ninja import Schema


class UploadOut(Schema):
    """A file that was sent: ``table``, once it has been played through, or the ``fault``."""

    id: int
    done: bool
    table: int | None
    fault: str
