"""Seats that change hands, votes, and the time at a table."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from ninja import Router

from ... import limits
from ...clocks import figures, words
from ...clocks.models import Clock
from ...models import Table
from ...seats import changing, record, voting
from ...seats.page import seats_of
from .. import auth
from ..errors import Malformed
from ..schemas.common import Number
from ..schemas.seats import BallotIn, ClockOut, SeatIn, SeatsOut, VoteIn
from .common import Request, begun

router = Router(tags=["Seats and time"], auth=auth.seats)


@router.get("/{table}/seats", response=SeatsOut, auth=auth.read, summary="Seats and votes")
def seats(request: Request, table: Number) -> Any:
    """Free seats, votes, invitations to you, and who sat where when."""
    return _told(begun(request, table), request.user)


@router.post("/{table}/seats", response=SeatsOut, summary="Leave, be away, take, invite")
def change(request: Request, table: Number, data: SeatIn) -> Any:
    """Do something with a seat of a running game."""
    if data.do not in ("accept", "decline"):  # an invitation is a right of its own
        begun(request, table)
    elif not Table.objects.filter(pk=table).exists():
        raise Http404("There is no such table.")
    limits.count("invite", limits.visitor(request))
    _change(table, request.user, data)
    return _told(Table.objects.get(pk=table), request.user)


def _change(table: int, user: Any, data: SeatIn) -> None:
    match data.do:
        case "leave":
            changing.leave(table, user, bot=data.bot)
        case "away":
            changing.substitute(table, user)
        case "back":
            changing.come_back(table, user)
        case "take":
            changing.take(table, user, _seat(data.seat))
        case "bot":
            changing.let_bot_play(table, user, _seat(data.seat))
        case "invite":
            changing.invite(table, user, _seat(data.seat), data.name, partner=data.partner)
        case "accept":
            changing.accept(table, user, data.word)
        case "decline":
            changing.decline(table, user, data.word)


def _seat(number: int | None) -> int:
    if number is None:
        raise Malformed("Say which seat, by its number.", "body.seat")
    return number


@router.post("/{table}/votes", response=SeatsOut, summary="Call a vote")
def call(request: Request, table: Number, data: VoteIn) -> Any:
    """Ask the others to send somebody away who is gone, or to end the game."""
    begun(request, table)
    if data.what == "end":
        voting.call_end(table, request.user)
    else:
        voting.call_removal(table, request.user, _seat(data.seat))
    return _told(Table.objects.get(pk=table), request.user)


@router.post("/{table}/votes/{vote}", response=SeatsOut, summary="Vote")
def cast(request: Request, table: Number, vote: Number, data: BallotIn) -> Any:
    """Say yes or no; it may be changed while the vote is open."""
    begun(request, table)
    voting.cast(table, request.user, vote, data.yes)
    return _told(Table.objects.get(pk=table), request.user)


def _told(table: Table, user: Any) -> dict[str, Any]:
    """Seats as :class:`~..weeks.SeatsOut`."""
    found = seats_of(table, user)
    return {
        "free": [p.number for p in found.free],
        "away": found.away,
        "votes": [
            {"id": v.number, "text": v.text, "yes": v.yes, "no": v.no, "waiting": v.waiting,
             "closes": v.closes, "mine": v.mine, "said": v.said}
            for v in found.votes
        ],
        "invitations": [
            {"word": i.word, "seat": i.seat, "by": i.by, "partner": i.partner}
            for i in found.invitations
        ],
        "stints": [
            {"seat": s.place, "name": s.name, "bot": bool(s.bot), "partner": s.partner,
             "first": s.first, "last": s.last, "decisions": s.decisions, "of": s.of}
            for s in record.stints(table)
        ],
    }  # fmt: skip


@router.get("/{table}/clock", response=ClockOut, auth=auth.read, summary="Time")
def clock(request: Request, table: Number) -> Any:
    """The clock of a table, who has how much time left, and what was used."""
    found = begun(request, table)
    row = Clock.objects.filter(table=found).first()
    return {
        "terms": words.terms_of(row) if row else "",
        "paused": row.paused if row else None,
        "times": [_time(t) for t in figures.times_of(found, row)] if row else [],
    }


def _time(t: figures.Time) -> dict[str, Any]:
    return {
        "key": t.place.key,
        "name": t.place.name,
        "runs": t.runs,
        "left": None if t.left is None else int(t.left.total_seconds()),
        "due": t.due,
        "out": t.out,
        "used": int(t.used.total_seconds()),
        "turns": [int(turn.total_seconds()) for turn in t.turns],
    }
