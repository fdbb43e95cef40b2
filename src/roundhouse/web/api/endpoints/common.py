"""What the endpoints share."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest

from ....game import Game
from ... import tables
from ...models import Table
from ..errors import Malformed


class Request(HttpRequest):
    """A request, with who sends it."""

    user: Any
    auth: Any


def table_for(request: Request, pk: int, invite: str = "") -> Table:
    """A table the sender may look at. Raises :class:`Http404` otherwise."""
    table = Table.objects.select_related("creator").filter(pk=pk).first()
    if table is None or not tables.may_see(table, request.user, invite):
        raise Http404("There is no such table, or it is by invitation.")
    return table


def begun(request: Request, pk: int) -> Table:
    """… with a game on it. Raises :class:`Http404`, :class:`NotBegun`."""
    table = table_for(request, pk)
    if table.status == Table.Status.OPEN:
        raise tables.NotBegun
    return table


def at_moment(table: Table, at: int | None) -> Game:
    """The game of a table after an action. Raises :class:`Http404` if there was none such."""
    game = tables.open_game(table).game
    try:
        return game if at is None else game.at(at)
    except ValueError as error:
        raise Http404(tables.as_sentence(error)) from error


def printable(text: str, where: str) -> str:
    """A text of the address as it may be kept and looked up. Raises :class:`Malformed`."""
    if not text.isprintable():
        raise Malformed("The text holds characters that cannot be shown.", where)
    return text
