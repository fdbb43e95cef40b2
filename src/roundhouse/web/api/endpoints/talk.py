"""Chat and notes."""

from __future__ import annotations

from typing import Any

from ninja import Router, Status

from ....model.actions import Message
from ... import limits, tables
from .. import auth, shapes
from ..notes import keep_note, note_of
from ..schemas import ChatOut, Done, NotesIn, NotesOut, Number, SayIn
from .common import Request, begun, table_for

router = Router(tags=["Chat and notes"], auth=auth.read)


@router.get("/{table}/chat", response=ChatOut, summary="What was said")
def chat(request: Request, table: Number) -> Any:
    """The last lines of a table's chat, oldest first."""
    return {"lines": shapes.lines_of(begun(request, table))}


@router.post("/{table}/chat", response={201: Done}, auth=auth.chat, summary="Say something")
def say(request: Request, table: Number, data: SayIn) -> Any:
    """Say something at a table where you sit. It never makes anybody's move stale."""
    found = begun(request, table)
    limits.count("chat", limits.visitor(request))
    mine = tables.my_places(found, request.user)
    if not mine or not data.text.strip():
        raise tables.Refused("Nothing to say, or nobody to say it.", "chat")
    speaker = next((p for p in mine if p.key in found.acting), mine[0])
    said = Message(entity=speaker.key, entity_type="player", message=data.text.strip())
    tables.submit(table, request.user, said, None)
    return Status(201, {"ok": True})


@router.get("/{table}/notes", response=NotesOut, auth=auth.account, summary="Your notes")
def notes(request: Request, table: Number) -> Any:
    """What you noted about a table, here or on its page; nobody else sees it."""
    return {"text": note_of(table_for(request, table), request.user)}


@router.put("/{table}/notes", response=NotesOut, auth=auth.chat, summary="Write notes")
def write_notes(request: Request, table: Number, data: NotesIn) -> Any:
    """Keep notes about a table, in place of those there were; an empty text: none."""
    keep_note(table_for(request, table), request.user, data.text)
    return {"text": data.text}
