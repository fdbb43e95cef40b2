"""What people note about tables, for themselves alone: the same on the page and for programs."""

from __future__ import annotations

from typing import Any

from ..models import Table
from ..tables.faults import Refused
from .models import Note

#: Letters of one's notes of a table.
LONGEST = 20_000


def note_of(table: Table, user: Any) -> str:
    """What somebody noted about a table; empty: nothing."""
    if not user.is_authenticated:
        return ""
    found = Note.objects.filter(table=table, user=user).first()
    return found.text if found else ""


def keep_note(table: Table, user: Any, text: str) -> None:
    """Keep notes in place of those there were; an empty text: none. Raises :class:`Refused`."""
    if len(text) > LONGEST:
        raise Refused(f"Notes of a table hold {LONGEST} letters at most.", "too_long")
    if text:
        Note.objects.update_or_create(table=table, user=user, defaults={"text": text})
    else:
        Note.objects.filter(table=table, user=user).delete()
