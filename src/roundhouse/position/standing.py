"""Where a game stands: who is waited for, who has what, whether and why it is over."""

from __future__ import annotations

from ..model.errors import UnknownName
from ..model.records import State
from ..rounds import machine
from ..rounds.rules import Rules


class Position:
    """A state under rules, which whoever derives from this has: ``rules`` and ``state``."""

    rules: Rules[State]

    @property
    def state(self) -> State:
        """The state as it is now. It never changes: an action leads to another one."""
        raise NotImplementedError

    @property
    def acting(self) -> tuple[str, ...]:
        """Keys of the entities waited for, the one on turn first."""
        return self.state.acting

    @property
    def players_to_act(self) -> tuple[int | str, ...]:
        """Ids of the players who decide for the acting entities."""
        found: dict[int | str, None] = {}
        for key in self.state.acting:
            player = self.rules.president(self.state, key)
            if player is not None:
                found[self.state.players[player].id] = None
        return tuple(found)

    @property
    def finished(self) -> bool:
        return self.state.finished is not None

    @property
    def terminated(self) -> bool:
        """Whether the game ended by the rules of its title: its result counts."""
        return self.finished and not self.truncated

    @property
    def truncated(self) -> bool:
        """Whether the game was broken off: by agreement, or because it went on for too long."""
        return self.end_reason in (machine.BY_AGREEMENT, machine.GIVEN_UP)

    @property
    def end_reason(self) -> str | None:
        """Why the game ended, as game files say it."""
        return self.state.finished

    @property
    def revision(self) -> int:
        """The rules revision the game is played under."""
        return self.rules.revision

    def result(self) -> dict[int | str, int]:
        """Score of each player if the game ended now, highest first."""
        scores = {p.id: self.rules.value(self.state, k) for k, p in self.state.players.items()}
        return dict(sorted(scores.items(), key=lambda item: -item[1]))

    def _company(self, entity: str | None) -> str:
        """A company by its symbol (None: the one operating). Raises :class:`UnknownName`."""
        who = entity or self.rules.operator(self.state)
        if who is None or who not in self.state.corporations:
            raise UnknownName(f"there is no company {entity}" if entity else "no company operates")
        return who
