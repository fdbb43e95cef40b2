"""Chat and notes."""

from __future__ import annotations

from typing import Annotated, Any

from ninja import Query, Router, Status

from ...talk import saying
from .. import auth, shapes
from ..notes import keep_note, note_of
from ..schemas.common import Number
from ..schemas.talk import ChatOut, LineOut, NotesIn, NotesOut, SayIn
from .common import Request, begun, table_for

router = Router(tags=["Chat and notes"], auth=auth.read)

Since = Annotated[int, Query(ge=0, le=2**53, description="the number of the line last seen")]


@router.get("/{table}/chat", response=ChatOut, summary="What was said")
def chat(request: Request, table: Number, since: Since = 0) -> Any:
    """The last 200 lines of a table's chat, or of what was said ``since`` a line, oldest first.
    Lines a game's file keeps as `talk` are among them; messages that are actions of an older file
    stand in its log."""
    found = saying.heard(begun(request, table), request.user, since, 200)
    return {"lines": [shapes.line_of(line) for line in found]}


@router.post("/{table}/chat", response={201: LineOut}, auth=auth.chat, summary="Say something")
def say(request: Request, table: Number, data: SayIn) -> Any:
    """Say something at a table where you sit, or among those who look on. It is no action: the
    game's version stays as it is."""
    begun(request, table)
    said = saying.say(table, request.user, data.text, data.room)
    return Status(201, shapes.line_of(said))


@router.get("/{table}/notes", response=NotesOut, auth=auth.account, summary="Your notes")
def notes(request: Request, table: Number) -> Any:
    """What you noted about a table, here or on its page; nobody else sees it."""
    return {"text": note_of(table_for(request, table), request.user)}


@router.put("/{table}/notes", response=NotesOut, auth=auth.chat, summary="Write notes")
def write_notes(request: Request, table: Number, data: NotesIn) -> Any:
    """Keep notes about a table, in place of those there were; an empty text: none."""
    keep_note(table_for(request, table), request.user, data.text)
    return {"text": data.text}
