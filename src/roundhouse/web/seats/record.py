"""Who sat when: the record, written as seats change hands, and what of it counts for whom."""

from __future__ import annotations

from typing import NamedTuple

from ...game import Game
from ...history import Entry
from ...model.actions import Message
from ..models import Place, Table
from ..tables import open_game
from .models import Sitting


def begin(place: Place, *, how: str, partner: bool = False) -> None:
    """Write down who sits on a place from the next action on: as the place says, or its partner.

    Who sat there before gets up, unless a partner sits down beside him. To be called with the
    table's row locked, after :func:`remember`.
    """
    user = place.partner if partner else place.user
    if not partner:
        rise(place)
    name = user.get_username() if user is not None else place.name if place.bot else ""
    bot = "" if partner else place.bot
    Sitting.objects.create(
        place=place, user=user, name=name, bot=bot, partner=partner,
        after=place.table.version, how=how,
    )  # fmt: skip


def rise(place: Place, *, partner: bool = False) -> None:
    """Who sits on a place now (only the partner) sat until the last action."""
    version = place.table.version
    seated = place.sittings.filter(until=None)
    if partner:
        seated = seated.filter(partner=True)
    seated.filter(after=version).delete()
    seated.update(until=version)


def remember(place: Place) -> None:
    """Before a first change: who has sat there since the game began."""
    if place.sittings.exists() or (place.user is None and not place.bot):
        return
    name = place.user.get_username() if place.user is not None else place.name
    Sitting.objects.create(place=place, user=place.user, name=name, bot=place.bot)


class Stint(NamedTuple):
    """What somebody played of a seat: actions ``first`` to ``last`` of the table's log. ``user``:
    his primary key; None: the server's bot, or an account that is no more. ``decisions`` of the
    seat's ``of`` were made in it."""

    place: int
    user: int | None
    name: str
    bot: str
    partner: bool
    first: int
    last: int
    decisions: int
    of: int

    @property
    def share(self) -> float:
        """The part of the seat's decisions, from 0 to 1."""
        return self.decisions / self.of if self.of else 0.0


def stints(table: Table) -> list[Stint]:
    """Who played how much of which seat, in the order they sat down. A partner's stint counts all
    decisions of the seat while he shared it."""
    decided = _decisions(open_game(table).game)
    return [one for place in table.all_places for one in _of(place, table, decided)]


def credited(table: Table) -> dict[int, list[Stint]]:
    """By number of place, the people a result counts for: those who made at least half of the
    seat's decisions, with their partners. Nobody, if a seat went through many hands or bots."""
    found: dict[int, list[Stint]] = {p.number: [] for p in table.all_places}
    by_player: dict[tuple[int, int | None], float] = {}
    every = [s for s in stints(table) if s.user is not None and not s.bot]
    for one in every:
        key = (one.place, one.user)
        by_player[key] = by_player.get(key, 0.0) + one.share
    for one in every:
        known = {s.user for s in found[one.place]}
        if by_player[one.place, one.user] >= 0.5 and one.user not in known:
            found[one.place].append(one)
    return found


def _of(place: Place, table: Table, decided: dict[str, list[int]]) -> list[Stint]:
    rows = [row for row in place.sittings.all() if row.name] or _alone(place)
    numbers = decided.get(f"player:{place.key}", [])
    return [_stint(place, row, table.version, numbers) for row in rows]


def _alone(place: Place) -> list[Sitting]:
    """Where a seat never changed hands."""
    if place.user_id is None and not place.bot:
        return []
    return [Sitting(place=place, user=place.user, name=place.name, bot=place.bot)]


def _stint(place: Place, row: Sitting, version: int, numbers: list[int]) -> Stint:
    last = version if row.until is None else row.until
    made = sum(row.after < n <= last for n in numbers)
    return Stint(
        place.number, row.user_id, row.name, row.bot, row.partner, row.after + 1, last, made,
        len(numbers),
    )  # fmt: skip


def _decisions(game: Game) -> dict[str, list[int]]:
    """The numbers, in the log, of what each player decided and what counts."""
    counting = set(map(id, game.history))
    found: dict[str, list[int]] = {}
    before: Entry | None = None
    for number, entry in enumerate(game.log, start=1):
        if id(entry) not in counting or isinstance(entry.action, Message):
            continue
        actor = entry.action.actor
        leader = actor if actor in game.start.players else _leader(game, before, actor)
        if leader is not None:
            found.setdefault(leader, []).append(number)
        before = entry
    return found


def _leader(game: Game, before: Entry | None, actor: str) -> str | None:
    """Who led a company, or owned a private, when it acted."""
    state = before.state if before is not None else game.start
    known = actor in state.corporations or actor.removeprefix("company:") in state.companies
    leader = game.rules.president(state, actor) if known else None
    return leader if leader in state.players else None
