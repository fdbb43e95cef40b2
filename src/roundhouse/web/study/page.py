"""Branches as their maker sees them at the table."""

from __future__ import annotations

from django.http import HttpRequest
from msgspec import Struct

from ...game import Game
from ..models import Table
from ..tables import Aid, may
from ..tables.opponents import kinds
from .models import Branch


class Bar(Struct):
    """What is told over a branch: its name, the game it is of and from where, and to its maker the
    link to it, if it is shared. ``stopped``: why ``aside`` actions at its end were put aside;
    ``bots``: who could have the other seats of a table of one's own, None: it cannot be made."""

    name: str
    root: int
    begun: int
    mine: bool
    link: str
    published: bool
    over: bool
    stopped: str
    aside: int
    bots: dict[str, str] | None


def bar_of(table: Table, game: Game, request: HttpRequest) -> Bar | None:
    """The bar of a branch; None at a game itself."""
    if table.parent_id is None:
        return None
    found, root = Branch.objects.get(table=table), table.root
    mine = request.user.is_authenticated and table.creator_id == request.user.pk
    address = request.build_absolute_uri(f"/table/{table.pk}/?invite={table.invite}")
    return Bar(
        table.description,
        root.pk,
        begun_at(table, game),
        mine,
        address if mine and found.shared else "",
        found.published,
        root.status == Table.Status.FINISHED,
        found.why,
        len(found.aside),
        kinds() if mine and may(table, Aid.ADVICE) else None,
    )


def begun_at(table: Table, game: Game) -> int:
    """The id of the game's last action before a branch; 0: it begins at the start."""
    first = table.moves.values_list("number", flat=True).first() or table.version + 1
    log = game.log[: first - 1]
    return (log[-1].action.id or 0) if log else 0
