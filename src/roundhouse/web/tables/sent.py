"""Actions as they are sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...model.actions import Action, decode_action
from .. import archive, bounds
from .faults import Refused


def action_of(sent: Action | Mapping[str, Any]) -> Action:
    """An action as it was sent, within the bounds of what can be stored. Raises
    :class:`Refused`."""
    if isinstance(sent, Action):
        return sent
    bounds.check(sent)
    try:
        action = decode_action(dict(sent))
        size = len(archive.write_action(action))
    except (ValueError, TypeError, RecursionError) as error:
        raise Refused(f"This is no action: {error}.", "malformed") from error
    if size > bounds.LONGEST:
        raise Refused("The action is too long.", "malformed")
    return action
