"""Telling a table that somebody has won, as soon as that is proven (:mod:`roundhouse.clinch`).

A worker looks after each action once nothing but operating rounds is left. What was proven stays
so until something is taken back.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction

from ...clinch import clinched, told
from ...game import Game
from ...model.actions import Action, Redo, Undo
from ..attached import absent
from ..live import announce
from ..models import Table
from ..prepared import Prepared
from ..tables import Aid, may, open_game
from .models import Proof


def after_move(table: Table, game: Game, action: Action | None, **more: Any) -> None:
    """Look for a proof, unless there is one; after something was taken back, anew."""
    from ..tasks import prove_end

    if isinstance(action, Undo | Redo) and Proof.objects.filter(table=table).delete()[0]:
        announce(table, nudge=True)
    if game.finished or game.rules.facts.closing(game.state) is None:
        return
    if absent(table, "proof") or not _PROOF.all(table.pk):
        prove_end.enqueue(table.pk)  # written with the move: a second transaction is dear


_PROOF = Prepared(lambda table: Proof.objects.filter(table=table).values_list("pk"), int)


def prove(table_id: int) -> None:
    """Look whether somebody has won, and write it down."""
    table = Table.objects.filter(pk=table_id, status=Table.Status.RUNNING).first()
    if table is None:
        return
    game = open_game(table).game
    found = clinched(game)
    if found is not None:
        _write_down(table, told(game, found))


def _write_down(thought_at: Table, lines: list[str]) -> None:
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=thought_at.pk)
        if table.version != thought_at.version:
            return  # whoever moved it on has asked again
        Proof.objects.get_or_create(table=table, defaults={"lines": lines})
        announce(table, nudge=True)


def proof_of(table: Table) -> Proof | None:
    """What a table is told, where it is given help at all: the first line that somebody has won,
    then why."""
    if table.status != Table.Status.RUNNING or not may(table, Aid.ROUTES):
        return None
    return getattr(table, "proof", None)
