"""Who may look, who has a seat, and who decides for whom."""

from __future__ import annotations

from typing import Any

from django.db.models import Q

from ...deciding import decides
from ...game import Game
from ...model.actions import Action, player_key
from ..models import Place, Table
from .faults import Forbidden


def may_see(table: Table, user: Any, key: str = "") -> bool:
    """Whether a user may look at a table: it is public, his, or he has the link; at a branch also
    if it is part of what is told of a finished game."""
    if table.parent_id is not None and _published(table) and may_see(table.root, user):
        return True
    if table.public or key == table.invite:
        return True
    return user.is_authenticated and (
        table.creator_id == user.pk or table.places.filter(_his(user)).exists()
    )


def _published(table: Table) -> bool:
    from ..study.models import Branch  # whose rows hang on this app's

    over = table.root.status == Table.Status.FINISHED
    return over and Branch.objects.filter(table=table, published=True).exists()


def _his(user: Any) -> Q:
    """Seats a user has something to do with."""
    return Q(user=user) | Q(partner=user) | Q(deputy=user) | Q(invitations__user=user)


def my_places(table: Table, user: Any) -> list[Place]:
    """The places a user acts for: his own and those he stands in for;
    in a hotseat game its creator's are all but bots'."""
    if not user.is_authenticated:
        return []
    all_mine = table.hotseat and table.creator_id == user.pk
    return [
        p
        for p in table.all_places
        if not p.bot and (all_mine or user.pk in (p.user_id, p.partner_id, p.deputy_id))
    ]


def alone(table: Table, user: Any) -> Place | None:
    """The one seat of who plays against nobody but bots at one screen; None at all other tables,
    and in branches, where nobody acts but he."""
    if not table.hotseat or table.parent_id is not None or table.creator_id != user.pk:
        return None
    seats = [p for p in table.all_places if p.user_id is not None]
    return seats[0] if len(seats) == 1 else None


def present(table: Table) -> list[Place]:
    """The places people play themselves now."""
    return [p for p in table.all_places if p.user_id is not None and not p.bot]


def others(table: Table, user: Any) -> list[Place]:
    """The places people play themselves, but those of a user and his partner."""
    return [p for p in present(table) if user.pk not in (p.user_id, p.partner_id)]


def team_of(table: Table, user: Any) -> frozenset[int]:
    """A user and who plays his seat together with him."""
    pairs = [{p.user_id, p.partner_id} for p in table.all_places]
    mine = (pair for pair in pairs if user.pk in pair)
    return frozenset({user.pk, *(pk for pair in mine for pk in pair if pk is not None)})


def stead(table: Table, game: Game, user: Any, action: Action) -> str:
    """The player in whose stead a deputy acts; empty if the action is the user's own."""
    if table.hotseat or user is None:
        return ""
    deciding = decides(game, action.actor)
    mine = [p for p in my_places(table, user) if player_key(p.key) in deciding]
    own = any(user.pk in (p.user_id, p.partner_id) for p in mine)
    return "" if own or not mine else mine[0].name


def my_keys(table: Table, user: Any) -> frozenset[str]:
    """The engine's keys of the players a user acts for."""
    return frozenset(player_key(p.key) for p in my_places(table, user))


def check_seat(table: Table, game: Game, user: Any, action: Action) -> None:
    """Raise :class:`Forbidden` unless the user acts for whoever decides."""
    mine = my_keys(table, user)
    if not mine:
        raise Forbidden("You have no seat at this table.", "no_seat")
    if not mine & decides(game, action.actor):
        raise Forbidden("This is not for you to decide.", "not_yours")
