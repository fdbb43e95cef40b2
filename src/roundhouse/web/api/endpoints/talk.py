"""Chat and notes."""

from __future__ import annotations

from typing import Any

from ninja import Router, Status

from ....model.actions import Message
from ... import limits, tables
from .. import auth, shapes
from ..models import Note
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
    """What you noted about a table; nobody else sees it."""
    found = Note.objects.filter(table=table_for(request, table), user=request.user).first()
    return {"text": found.text if found else ""}


@router.put("/{table}/notes", response=NotesOut, auth=auth.chat, summary="Write notes")
def write_notes(request: Request, table: Number, data: NotesIn) -> Any:
    """Keep notes about a table, in place of those there were; an empty text: none."""
    found = table_for(request, table)
    if data.text:
        Note.objects.update_or_create(table=found, user=request.user, defaults={"text": data.text})
    else:
        Note.objects.filter(table=found, user=request.user).delete()
    return {"text": data.text}
