"""Offers between people."""

from __future__ import annotations

from typing import Any

from ninja import Router, Status

from ....game import Game
from ... import archive, limits, tables
from ...deals import bargaining
from ...deals.models import Deal
from ...deals.page import words
from ...models import Table
from ...seats.page import seat_of
from .. import auth, shapes
from ..schemas.common import Number
from ..schemas.deals import CounterIn, DealIn, DealOut, DealsOut
from .common import Request, begun

router = Router(tags=["Deals"], auth=auth.play)
#: Offers told at once.
_MOST = 100


@router.get("/{table}/deals", response=DealsOut, auth=auth.read, summary="Offers")
def deals(request: Request, table: Number) -> Any:
    """The offers of a table, newest first; everybody at it sees them."""
    found = begun(request, table)
    game = tables.open_game(found).game
    rows = Deal.objects.filter(table=found).select_related("place", "counters")
    newest = rows.order_by("-number")[:_MOST]
    return {"deals": [_told(deal, found, game, request.user) for deal in newest]}


@router.post("/{table}/deals", response={201: DealOut}, summary="Offer")
def propose(request: Request, table: Number, data: DealIn) -> Any:
    """Offer an action others have a say in, in your turn or not. It is written once all have agreed
    and it can be done; nobody is asked again then."""
    _count(request, table)
    made = bargaining.propose(table, request.user, data.action, note=data.note, hours=data.hours)
    return Status(201, _fresh(request, table, made))


@router.post("/{table}/deals/{number}/accept", response=DealOut, summary="Accept an offer")
def accept(request: Request, table: Number, number: Number) -> Any:
    """Agree; with the last one's word the deal is done, or as soon as it can be."""
    _count(request, table)
    return _fresh(request, table, bargaining.accept(table, request.user, number))


@router.post("/{table}/deals/{number}/decline", response=DealOut, summary="Decline or withdraw")
def decline(request: Request, table: Number, number: Number) -> Any:
    """Say no to an offer; or take your own back."""
    _count(request, table)
    return _fresh(request, table, bargaining.decline(table, request.user, number))


@router.post(
    "/{table}/deals/{number}/counter", response={201: DealOut}, summary="Name another price"
)
def counter(request: Request, table: Number, number: Number, data: CounterIn) -> Any:
    """Answer an offer with another price: that is a new offer."""
    _count(request, table)
    made = bargaining.counter(
        table, request.user, number, data.price, note=data.note, hours=data.hours
    )
    return Status(201, _fresh(request, table, made))


def _count(request: Request, table: int) -> None:
    begun(request, table)
    limits.count("promise", limits.visitor(request))


def _fresh(request: Request, table: int, deal: Deal) -> dict[str, Any]:
    found = Table.objects.get(pk=table)
    deal.refresh_from_db()
    return _told(deal, found, tables.open_game(found).game, request.user)


def _told(deal: Deal, table: Table, game: Game, user: Any) -> dict[str, Any]:
    """An offer as :class:`~..weeks.DealOut`."""
    names = {p.number: p.name for p in table.all_places}
    mine, action = seat_of(table, user), archive.read_action(deal.action)
    open_ = deal.state == Deal.State.OPEN
    return {
        "number": deal.number,
        "by": names.get(deal.place.number, ""),
        "text": words(game, action),
        "action": shapes.plain(action),
        "note": deal.note,
        "state": deal.state,
        "why": deal.why,
        "waiting": [names[n] for n in deal.waiting if n in names] if open_ else [],
        "counters": deal.counters.number if deal.counters else None,
        "until": deal.until,
        "asks_me": open_ and mine is not None and mine.number in deal.waiting,
        "own": mine is not None and deal.place_id == mine.pk,
    }
