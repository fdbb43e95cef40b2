"""What becomes of offers as the game goes on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.db.models import F

from ...game import Game
from ...model.actions import Action, player_key
from .. import archive, clock
from ..live import announce
from ..models import Place, Table
from ..pulse import each
from ..tables import Refused, open_game
from ..tables.consent import concerned, covers
from . import bargaining
from .models import Deal, lasting, of_locked

State = Deal.State


def after_move(
    table: Table, game: Game | None = None, action: Action | None = None, **more: Any
) -> None:
    """An offer is done if this was it, and void if it is not the same people's affair any more."""
    if game is None:
        return
    for deal in _living(of_locked(table)):
        offered = archive.read_action(deal.action)
        if action is not None and covers(offered, action):
            bargaining.end(deal, State.DONE)
        elif game.finished or _numbers(table, game, offered) != set(deal.parties):
            bargaining.end(deal, State.VOID)
        else:
            continue
        announce(table, nudge=True)


def _numbers(table: Table, game: Game, offered: Action) -> set[int]:
    keys = concerned(game, offered)
    return {p.number for p in table.all_places if player_key(p.key) in keys}


def after_reseating(place: Place, **more: Any) -> None:
    """Who sits down is not bound by what another has said."""
    away = bool(place.bot) and place.user is not None
    for deal in _living(lasting().filter(table=place.table_id)):
        gone = place.number in (deal.waiting if deal.now else ()) if away else not _back(place)
        if place.number in deal.parties and gone:
            bargaining.end(deal, State.VOID, "The seat has changed hands.")


def _back(place: Place) -> bool:
    """Whether it is the same person who sat there before, who was away for a while."""
    rows = place.sittings.filter(partner=False).order_by("-after", "-pk")
    people = [row.user_id for row in rows if row.user_id is not None][:2]
    return place.user_id is not None and set(people) == {place.user_id}


def agreed_to(table: Table, action: Action) -> set[int]:
    """The places that have given their word for an action in a deal that is agreed."""
    deals = (d for d in of_locked(table) if d.state == State.AGREED)
    found = (d for d in deals if covers(archive.read_action(d.action), action))
    return {number for deal in found for number in deal.agreed}


def settle_due() -> int:
    """End offers whose time is up, and do agreed ones that can be done now; how many."""
    due = Deal.objects.filter(state=State.OPEN, until__lte=clock.now())
    late = each(list(due.values_list("pk", "table")), _expire)
    agreed = Deal.objects.filter(state=State.AGREED).exclude(tried=F("table__version"))
    tables = list(agreed.values_list("table", flat=True).distinct()[:50])
    return len(late) + sum(each(tables, _settle))


@transaction.atomic
def _expire(found: tuple[int, int]) -> None:
    pk, table_id = found
    table = Table.objects.select_for_update().get(pk=table_id)
    deal = Deal.objects.filter(pk=pk, state=State.OPEN).first()
    if deal is not None:
        bargaining.end(deal, State.EXPIRED)
        announce(table, nudge=True)


@transaction.atomic
def _settle(table_id: int) -> int:
    """Do one agreed deal of a table."""
    table = Table.objects.select_for_update().get(pk=table_id)
    try:
        open_game(table)
    except Refused:
        return 0
    for deal in Deal.objects.filter(table=table, state=State.AGREED):
        if bargaining.carry(table, deal):
            return 1
    return 0


def _living(deals: Iterable[Deal]) -> list[Deal]:
    """Those that may still come to something."""
    return [d for d in deals if d.state in (State.OPEN, State.AGREED)]
