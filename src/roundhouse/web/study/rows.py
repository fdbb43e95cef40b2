"""Rows and actions of one log, for another one."""

from __future__ import annotations

import msgspec

from ...model.actions import Action
from ..models import Move, Table

replace = msgspec.structs.replace


def bare(action: Action) -> Action:
    """An action without what only its own log says of it: number, time, what followed by itself."""
    return replace(action, id=None, user=None, created_at=None, original_id=None, auto_actions=None)


def copied(row: Move, table: Table) -> Move:
    """A row for the log of another table, not yet saved."""
    return Move(
        table=table, number=row.number, action=row.action, events=row.events, stamp=row.stamp,
        state_hash=row.state_hash, position=row.position, recorded=row.recorded, user=row.user,
        at=row.at,
    )  # fmt: skip
