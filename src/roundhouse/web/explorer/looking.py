"""What is known of a position: what was done there by whom it suited, what a bot would do."""

from __future__ import annotations

import json
from typing import Any

from django.db.models import Avg, Count, Max, Q, QuerySet
from msgspec import Struct

from ...bots import player
from ...bots.advice import advise, said
from ...canonical import canonical_hash
from ...creation import replay
from ...game import Game
from ...interchange import nameless
from ..models import Table
from ..remembered import Remembered, position_of
from ..tables import Aid, Forbidden, Held, may, open_game, round_name
from .models import Indexed, Moment

#: Ways on that are told; possibilities a bot tells.
_TOLD, _FEW = 40, 4
_thoughts: Remembered[list[tuple[str, str]]] = Remembered(256)
_standing: Remembered[str] = Remembered(4096)


class Way(Struct):
    """What was done in a position: how often, and what became of who did it: the mean rank, from 1
    (first) on, and how many of them won; ``after``: the position it leads to."""

    words: str
    after: str
    count: int
    share: int
    rank: float
    wins: int


def visible(user: Any) -> QuerySet[Moment]:
    """The decisions a user may look at: of finished games anybody may see, and of his own. A game
    that goes on after all is not looked at."""
    own = Q(public=True)
    if user.is_authenticated:
        own |= Q(creator=user) | Q(places__user=user)
    games = Table.objects.games().filter(own, status=Table.Status.FINISHED)
    return Moment.objects.filter(table__in=games.values("pk"))


def ways_from(user: Any, position: str) -> list[Way]:
    """What was done in a position, the most usual first."""
    rows = visible(user).filter(position=position)
    total = rows.count()
    grouped = (
        rows.values("move", "after")
        .annotate(count=Count("pk"), mean=Avg("rank"), told=Max("words"))
        .annotate(wins=Count("pk", filter=Q(rank=1)))
        .order_by("-count", "mean")[:_TOLD]
    )
    return [
        Way(g["told"], g["after"], g["count"], round(100 * g["count"] / total),
            round(g["mean"], 2), g["wins"])
        for g in grouped
    ]  # fmt: skip


class Opening(Struct):
    """A position games of a title begin in: with how many players, which options, and how many
    finished games there are of it."""

    seats: int
    options: list[str]
    position: str
    games: int


def openings(user: Any, title: str) -> list[Opening]:
    """The positions the finished games of a title begin in, the most usual first. Where lots are
    drawn before a game there are many."""
    rows = Indexed.objects.filter(table__title=title).exclude(start="")
    rows = rows.filter(table__in=visible(user).values("table"))
    grouped = rows.values("table__seats", "table__options", "start").annotate(games=Count("pk"))
    return [
        Opening(g["table__seats"], g["table__options"], g["start"], g["games"])
        for g in grouped.order_by("-games", "table__seats", "start")[:_TOLD]
    ]


class Example(Struct):
    """A game that came through a position, and its action just before it (0: its beginning).
    ``table``: for a link, if anybody may see it."""

    game: Game
    at: int
    table: Table


def example_of(user: Any, position: str) -> Example | None:
    """A game in which a position came up, of those a user may see."""
    row = visible(user).filter(position=position).select_related("table").first()
    if row is None:
        ended = visible(user).filter(after=position).select_related("table").first()
        if ended is None:
            return None
        return Example(open_game(ended.table).game.at(ended.action), ended.action, ended.table)
    game = open_game(row.table).game
    before = [e.action.id or 0 for e in game.history if (e.action.id or 0) < row.action]
    at = before[-1] if before else 0
    return Example(game.at(at), at, row.table)


def position_at(game: Game) -> str:
    """The canonical position of a game."""
    return canonical_hash(game.rules, game.state)


def check_unplayed(user: Any, example: Example) -> None:
    """Raise :class:`Forbidden` while a table that gives no advice stands at the position of an
    example: what others did there would be advice. That goes for everybody where several people
    play, who could look on signed out; for who plays alone, at one screen or against bots, as long
    as he is signed in."""
    table, game = example.table, example.game
    here = position_at(game)
    alike = Table.objects.games().filter(
        status=Table.Status.RUNNING, title=table.title, options=table.options,
        seats=table.seats, round=round_name(game),
    )  # fmt: skip
    for other in alike.prefetch_related("places"):
        if not may(other, Aid.ADVICE) and _concerns(user, other) and _stands_at(other) == here:
            raise Forbidden(
                "This position is being played at a table without advice. "
                "It is told again when the game there has moved on.",
                "assistance",
            )


def _concerns(user: Any, table: Table) -> bool:
    """Whether several people play at a table, or the user does."""
    people = {p for s in table.all_places for p in (s.user_id, s.partner_id, s.deputy_id) if p}
    return len(people) > 1 or user.pk in people


def _stands_at(table: Table) -> str:
    """The position of a running game, found once for each of its versions; empty where its log
    cannot be replayed."""
    key = (table.pk, table.version, table.revision)
    try:
        return _standing.get(key, lambda: position_at(open_game(table).game))
    except Held:
        return ""


def thoughts_on(example: Example) -> list[tuple[str, str]]:
    """What a bot would do in a position: what, and why, the best first."""
    game = example.game
    return _thoughts.get(position_of(game), lambda: _think(game))


def _think(game: Game) -> list[tuple[str, str]]:
    twin, _ = replay(json.dumps(nameless(game)).encode())
    found = advise(twin, player(seed=1))
    if found is None:
        return []
    return [(said(twin, c.action), c.sentence) for c in found.decision.candidates[:_FEW]]
