"""What help a table gives its players while the game runs.

It is fixed before the game begins and shown to whoever thinks of joining. Pages, what-if and the
interface for programs ask :func:`may` here, and nowhere else, before they tell anything that nobody
at a real table could look up. It is the same for onlookers, as a player may look on signed out.
When the game is over nothing is withheld.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from ..models import Table
from .faults import Forbidden

Level = Table.Assistance


class Aid(StrEnum):
    """A kind of help.

    ``ROUTES``: the best runs of a company, and what track, stations or other trains would make of
    them; private branches to play on with, and what is worked out ahead. ``ADVICE``: what a bot
    would do and what it thinks of moves, and what others could do to one's runs.
    """

    ROUTES = "routes"
    ADVICE = "advice"


_GIVES: Final[Mapping[str, frozenset[Aid]]] = {
    Level.NONE: frozenset(),
    Level.ROUTES: frozenset({Aid.ROUTES}),
    Level.ADVICE: frozenset(Aid),
}
_NAMED: Final[Mapping[Aid, str]] = {
    Aid.ROUTES: "the best routes are not searched for anybody",
    Aid.ADVICE: "nobody is advised",
}


def usual(*, hotseat: bool, rated: bool = False) -> Level:
    """What a new table gives unless its maker chooses."""
    if rated:
        return Level.NONE
    return Level.ADVICE if hotseat else Level.ROUTES


def assistance_of(table: Table) -> Level:
    """What the players of a table agreed on."""
    return Level(table.assistance)


def may(table: Table, aid: Aid) -> bool:
    """Whether a table gives such help now. A branch gives what its game gives: it may be over long
    before the game is."""
    table = table.root
    return table.status == Table.Status.FINISHED or aid in _GIVES[table.assistance]


def check(table: Table, aid: Aid, what: str = "") -> None:
    """Raise :class:`Forbidden` if a table does not give such help now; ``what`` is not done there,
    in words."""
    if not may(table, aid):
        raise Forbidden(
            f"At this table {what or _NAMED[aid]} until the game is over.", "assistance"
        )
