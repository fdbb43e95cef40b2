"""A way to a train, as a branch or as a promise."""

from __future__ import annotations

from typing import Any

from ...financing import Way
from ...model.errors import BrokenInvariant, IllegalAction
from ...promises import until
from ..models import Table
from ..promises.managing import plan_turn
from ..tables import Refused, as_sentence, open_game, submit
from .branching import begin
from .offturn import ways_of
from .rows import bare


def _way(table: Table, who: str, number: int) -> Way:
    try:
        ways = ways_of(table, open_game(table).game, who).ways
    except ValueError as error:
        raise Refused(as_sentence(error), "gone") from error
    if number >= len(ways):
        raise Refused("This way to a train is no longer open; look again.", "gone")
    return ways[number]


def in_a_branch(table: Table, user: Any, who: str, number: int) -> Table:
    """A branch in which a company has gone a way to a train. If its turn is not on, all others do
    as little as they can until it is, and the way is gone as far as it fits then."""
    way, game = _way(table, who, number), open_game(table).game
    there = until(game, lambda twin: twin.rules.operator(twin.state) == who)
    if there is None:
        raise Refused(f"The next turn of {who} is too far off.", "too_far")
    taken = [entry.action for entry in there.history[len(game.history) :]]
    for action in way.actions:
        try:
            there.apply(bare(action))
        except (IllegalAction, BrokenInvariant):
            break
        taken.append(action)
    made = begin(table, user, None, f"{who}: a {way.train or 'bankruptcy'}")
    for action in taken:
        submit(made.pk, user, bare(action), None, agreed=True)
    return made


def promise(table: Table, user: Any, who: str, number: int) -> None:
    """Promise to go a way in one's next turn. Raises :class:`Refused`."""
    plan_turn(table.pk, user, _way(table, who, number).actions)
