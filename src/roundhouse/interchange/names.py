"""Game files for study, in which nobody is named."""

from __future__ import annotations

from typing import Any

import msgspec

from ..game import Game
from ..model.actions import Action, EntityId

replace = msgspec.structs.replace


def nameless(game: Game, number: int = 1) -> dict[str, Any]:
    """A game as a file that says nothing of its players: seats instead of names and ids, what
    counts of the actions and nothing that was said or taken back, no times, no description; under
    a ``number`` instead of its id. It is played to the same result."""
    seats = {seat.id: place for place, seat in enumerate(game.seats, start=1)}
    actions = game.counted()
    result = {str(seats[k]): v for k, v in game.result().items()}
    return {
        "id": number,
        "title": game.title.file_title,
        "players": [{"id": n, "name": f"Player {n}"} for n in seats.values()],
        "rules_revision": game.revision,
        "settings": {"seed": game.seed, "optional_rules": sorted(game.options)},
        "status": "finished" if game.finished else "active",
        "turn": game.state.turn,
        "round": game.rules.play(game.state).name,
        "result": result if game.finished else {},
        "actions": [msgspec.to_builtins(_seated(a, seats)) for a in actions],
    } | ({"game_end_reason": game.end_reason} if game.finished else {})


def _seated(a: Action, seats: dict[EntityId, int]) -> Action:
    """An action under the number of a seat."""
    return replace(a, entity=seats[a.entity]) if a.entity_type == "player" else a
