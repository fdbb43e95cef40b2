"""The best routes on a map laid out freely: at once where that is quick, else by a worker."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...game import Game
from ...model.errors import UnknownName
from ...routes.answer import BestRoutes
from ...routes.clock import Listener
from ...sandbox import LaidOut
from ..models import Table
from ..searches.looking import SOON, Look, go_on
from ..searches.openers import Search
from ..tables import Aid, Refused, may, open_game
from .address import open_layout, read


def best_for(laid: LaidOut, who: str, title: str, query: dict[str, str]) -> Look:
    """The best routes of a company. Raises :class:`Refused` if it can run none there."""
    first = _search_of(laid, who)(time_limit=SOON)
    return go_on("sandbox", {"title": title, "query": query, "who": who}, first)


def _search_of(laid: LaidOut, who: str) -> Search:
    if who not in laid.state.corporations:
        raise Refused(f"There is no company {who}.", "unknown")

    def search(*, time_limit: float, progress: Listener | None = None) -> BestRoutes:
        return laid.rules.route_model(laid.state, who).best(
            time_limit=time_limit, progress=progress
        )

    return search


def open_question(asked: Mapping[str, Any]) -> Search:
    """A question of the sandbox, opened by a worker."""
    query = asked["query"]
    laid = open_layout(read(asked["title"], query), game_under(query))
    return _search_of(laid, asked["who"])


def game_under(query: dict[str, str]) -> Game | None:
    """The game a map is laid over, as it stood at ``at``; None: over an empty table. Who asks has
    been let in before. Raises :class:`Refused` if the table gives no routes now."""
    if not query.get("table"):
        return None
    table = Table.objects.filter(pk=query["table"]).exclude(status=Table.Status.OPEN).first()
    if table is None or not may(table, Aid.ROUTES):
        raise Refused("No map can be laid over that table's.", "assistance")
    game = open_game(table).game
    try:
        return game.at(int(query["at"])) if query.get("at") else game
    except (UnknownName, ValueError) as error:
        raise Refused("There was no such moment.", "unknown") from error
