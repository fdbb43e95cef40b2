"""Branches: made from any point of a game, played on by all seats, named, shared, thrown away.

A branch is a table at one screen whose seats are its maker's. It is stored as its game, a point in
that game's log, and its own actions, so it costs nothing to begin and opens under any later program
as far as its actions can still be done.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction

from ...game import Game
from ...model.actions import Message
from ..models import Move, Place, Table, invitation
from ..tables import Aid, Forbidden, Refused, open_game
from ..tables.assistance import check
from ..tables.cache import open_games
from ..tables.log import beginning
from ..tables.summary import summarise
from .models import Branch
from .rows import copied

#: Branches of one person.
MOST = 300


def begin(table: Table, user: Any, at: int | None, name: str = "") -> Table:
    """A branch from the moment after an action (None: from the present). From a branch it is a
    branch of the same game. Raises :class:`Refused` or :class:`Forbidden`."""
    check(table, Aid.ROUTES, "nobody plays on in private")
    if Table.objects.filter(creator=user).exclude(parent=None).count() >= MOST:
        raise Refused(f"Nobody keeps more than {MOST} branches; delete one first.", "full")
    game = open_game(table).game
    number = _number(game, at)
    here = game.logged(number)
    if here.finished:
        raise Refused("The game is over at this point; go back to an earlier one.", "over")
    with transaction.atomic():
        made = _table(table, user, number, here, name)
        Branch.objects.create(table=made)
    return made


def _number(game: Game, at: int | None) -> int:
    """How many entries of the log there were at a moment."""
    if at == 0:
        return 0
    counts = {e.action.id for e in game.history if at is None or (e.action.id or 0) <= at}
    places = (
        n
        for n, e in enumerate(game.log, start=1)
        if e.action.id in counts and not isinstance(e.action, Message)
    )
    return max(places, default=0)


def _table(table: Table, user: Any, number: int, here: Game, name: str) -> Table:
    """The row of a branch, begun after so many entries of the log of a game or a branch."""
    root, own = table.root, _own(table, number)
    made = Table(
        title=root.title, options=root.options, seed=root.seed, file_id=root.file_id,
        description=name.strip()[:200] or _usual_name(here), creator=user, hotseat=True,
        public=False, undo=Table.Undo.FREE, assistance=root.assistance, seats=root.seats,
        revision=root.revision, parent=root, point=_point(table, number),
        version=number if own else len(here.log),
    )  # fmt: skip
    summarise(made, here)
    made.save()
    places = [Place(table=made, number=p.number, key=p.key, name=p.name) for p in root.all_places]
    Place.objects.bulk_create(places)
    Move.objects.bulk_create([copied(row, made) for row in own], batch_size=500)
    return made


def _usual_name(here: Game) -> str:
    last = here.history[-1].action.id if here.history else 0
    return f"What if, after action {last}"


def _own(table: Table, number: int) -> list[Move]:
    """A branch's own actions, as far as it had got."""
    if table.parent_id is None:
        return []
    return list(table.moves.filter(number__lte=number))


def _point(table: Table, number: int) -> int:
    """The point in the game's own log: where a branch was begun, or a moment before that."""
    if table.parent_id is None:
        return number
    base = beginning(table)
    if number >= base.version:
        return table.point
    wanted = base.game.log[number - 1].action.id if number else 0
    log = open_game(table.root).game.log[: table.point]
    return next((n for n, e in enumerate(log, start=1) if e.action.id == wanted), 0)


# looking after them


def branch_of(pk: int, user: Any) -> Branch:
    """A branch of somebody's own, to be changed. Raises :class:`Forbidden`."""
    found = Branch.objects.select_related("table__parent").filter(table=pk).first()
    if found is None or not user.is_authenticated or found.table.creator_id != user.pk:
        raise Forbidden("This is not a branch of yours.", "not_yours")
    return found


def branches_of(table: Table, user: Any) -> list[Branch]:
    """Somebody's own branches of a game, the latest first."""
    if not user.is_authenticated:
        return []
    found = Branch.objects.filter(table__parent=table.root, table__creator=user)
    return list(found.select_related("table").order_by("-table__created"))


def rename(pk: int, user: Any, name: str) -> None:
    """Give a branch another name."""
    table = branch_of(pk, user).table
    if not (called := name.strip()[:200]):
        raise Refused("Give it a name.", "malformed")
    table.description = called
    table.save(update_fields=["description"])


def share(pk: int, user: Any, *, on: bool) -> Branch:
    """Let who has the link look on, or nobody any more: a link that was taken back never works
    again."""
    found = branch_of(pk, user)
    found.shared = on
    found.save(update_fields=["shared"])
    if not on:
        found.table.invite = invitation()
        found.table.save(update_fields=["invite"])
    return found


def forget(user: Any) -> None:
    """An account is deleted: its branches go, but for variations all may see."""
    Table.objects.filter(creator=user, branch__published=False).delete()


def delete(pk: int, user: Any) -> Table:
    """Throw a branch away; the game it was of."""
    table = branch_of(pk, user).table
    root = table.root
    table.delete()
    open_games.drop(pk)
    return root
