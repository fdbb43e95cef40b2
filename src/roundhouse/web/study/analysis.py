"""The analysis of a game that is over: notes on its moments, and branches as variations. All who
may look at the game see it, and it goes with the game's file."""

from __future__ import annotations

from typing import Any

import msgspec

from ...interchange.analysis import FIELD, Analysis, Note, Variation
from ...model.errors import BrokenInvariant, IllegalAction
from ..models import Table
from ..tables import Forbidden, Refused, my_places, open_game, submit
from .branching import begin, branch_of
from .models import Branch, Remark
from .page import begun_at
from .rows import bare

#: Notes of a game.
MOST = 2000


def over(table: Table) -> bool:
    """Whether a game may be analysed for all to see."""
    return table.root.status == Table.Status.FINISHED


def may_write(table: Table, user: Any) -> bool:
    """Whether somebody writes at a game's analysis: its players, and who has made the table."""
    if not over(table) or not user.is_authenticated:
        return False
    return table.root.creator_id == user.pk or bool(my_places(table.root, user))


def _check(table: Table, user: Any) -> None:
    if not over(table):
        raise Refused("Games are analysed for all to see when they are over.", "not_over")
    if not may_write(table, user):
        raise Forbidden("Only who has played this game writes at its analysis.", "no_seat")


# notes and variations


def note(table: Table, user: Any, after: int, text: str) -> Remark:
    """Say something of a moment. Raises :class:`Refused` or :class:`Forbidden`."""
    _check(table, user)
    game = open_game(table).game
    if after and after not in {e.action.id for e in game.history}:
        raise Refused("There is no such moment.", "malformed")
    if not (said := text.strip()[:2000]):
        raise Refused("There is nothing to say.", "malformed")
    if table.remarks.count() >= MOST:
        raise Refused(f"There are {MOST} notes already.", "full")
    return Remark.objects.create(table=table, by=user, after=after, text=said)


def forget(table: Table, user: Any, number: int) -> None:
    """Take a note of one's own away; who has made the table may take all."""
    found = table.remarks.filter(pk=number)
    if table.creator_id != user.pk:
        found = found.filter(by=user)
    if not found.delete()[0]:
        raise Refused("There is no such note of yours.", "gone")


def publish(pk: int, user: Any, *, on: bool) -> Branch:
    """Make a branch of one's own a variation of its game, or private again."""
    found = branch_of(pk, user)
    if on:
        _check(found.table, user)
    found.published = on
    found.save(update_fields=["published"])
    return found


def remarks_of(table: Table, at: int | None = None) -> list[Remark]:
    """The notes of a game that is over; ``at``: those on a moment."""
    if table.parent_id is not None or not over(table):
        return []
    found = table.remarks.select_related("by")
    return list(found if at is None else found.filter(after=at))


def variations_of(table: Table) -> list[Branch]:
    """The variations of a game that is over."""
    if table.parent_id is not None or not over(table):
        return []
    found = Branch.objects.filter(table__parent=table, published=True)
    return list(found.select_related("table__creator").order_by("table__point", "pk"))


# in files


def analysis_of(table: Table) -> dict[str, Any]:
    """The field of a game's file that holds its analysis; nothing if there is none."""
    found = Analysis(
        tuple(Note(r.after, r.text, _author(r)) for r in remarks_of(table)),
        tuple(_variation(b) for b in variations_of(table)),
    )
    told = msgspec.to_builtins(found)
    return {FIELD: told} if told else {}


def _author(remark: Remark) -> str:
    return remark.by.username if remark.by is not None and not remark.author else remark.author


def _variation(branch: Branch) -> Variation:
    table = branch.table
    game = open_game(table).game
    begun = begun_at(table, game)
    own = [e.action for e in game.history if (e.action.id or 0) > begun]
    by = table.creator.username if table.creator is not None else ""
    actions: Any = tuple(bare(a) for a in own)
    return Variation(begun, table.description, actions, by)


def take_in(table: Table, user: Any, said: Analysis) -> None:
    """What the file of a game that is over says of it, for its table."""
    if not over(table):
        return
    for one in said.notes:
        Remark.objects.create(table=table, author=one.by, after=one.after, text=one.text)
    for variation in said.variations:
        _played(table, user, variation)


def _played(table: Table, user: Any, variation: Variation) -> None:
    """A variation as a branch; what of it cannot be done is kept aside."""
    name = variation.name or "a variation"
    try:
        made = begin(table, user, variation.after, name)
    except Refused as fault:
        text = f"{name}: {fault.sentence}"[:2000]
        Remark.objects.create(table=table, author=variation.by, after=variation.after, text=text)
        return
    branch, why = Branch.objects.get(table=made), ""
    rest = list(variation.actions)
    while rest and not why:
        try:
            submit(made.pk, user, bare(rest[0]), None, agreed=True)
            rest.pop(0)
        except (Refused, IllegalAction, BrokenInvariant) as fault:
            why = f"It cannot be done as the file says: {fault}"
    branch.aside, branch.why, branch.published = msgspec.to_builtins(rest), why, True
    branch.save()
