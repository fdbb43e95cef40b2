"""Lines that stay open."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import HttpResponse
from ninja import Query, Router

from ... import limits
from .. import auth, feeds
from ..models import Token
from ..schemas.common import Number
from .common import Request, table_for

router = Router(tags=["Streams"], auth=auth.read)

_LINES = {"schema": {"type": "string"}}
_GIVEN = {
    "responses": {
        200: {
            "description": "Events, one a line, or server-sent; now and then an empty line",
            "content": {feeds.NDJSON: _LINES, feeds.SSE: _LINES},
        }
    }
}

Format = Annotated[
    Literal["ndjson", "sse"] | None,
    Query(description="lines of JSON, or server-sent events; else as `Accept` says"),
]
Since = Annotated[int | None, Query(ge=0, le=2**53, description="the version last seen")]
Heard = Annotated[int | None, Query(ge=0, le=2**53, description="the line of chat last heard")]


def _token(request: Request) -> Token | None:
    return request.auth if isinstance(request.auth, Token) else None


@router.get("/tables/{table}/stream", response=None, openapi_extra=_GIVEN, summary="Follow a game")
def game(
    request: Request,
    table: Number,
    since: Since = None,
    heard: Heard = None,
    format: Format = None,
    invite: Annotated[str, Query(max_length=64)] = "",
) -> HttpResponse:
    """First ``game``: the table and the whole state; or, with ``since``, what was missed. Then
    ``move`` for every entry of the log, ``said`` for every line of chat (those after ``heard``;
    without it, those from now on), ``standing`` whenever who is waited for or a question may have
    changed, ``end``. Before the game begins: ``table``. ``gone``: the line is
    not for you any more. An empty line comes every few seconds."""
    limits.count("stream", limits.visitor(request))
    found = table_for(request, table, invite)
    form = feeds.form_of(request, format or "")
    seen = feeds.Seen.of(request, since, heard)
    return feeds.answer(feeds.GameFeed(found, request.user, _token(request), form, seen, invite))


@router.get(
    "/account/stream",
    response=None,
    auth=auth.account,
    openapi_extra=_GIVEN,
    summary="Follow all your games",
)
def account(request: Request, format: Format = None) -> Any:
    """``start`` of each game you play, ``turn`` whenever one waits for you, ``question`` when you
    are to answer one, ``end``. What is so already when the line is opened is told first."""
    limits.count("stream", limits.visitor(request))
    form = feeds.form_of(request, format or "")
    return feeds.answer(feeds.AccountFeed(request.user, _token(request), form))
