"""What all parts of the interface share."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

#: An action as game files write it.
Action = dict[str, Any]
#: A player's id in the game.
Key = int | str


class Done(Struct, frozen=True):
    """It is done."""

    ok: bool = True
