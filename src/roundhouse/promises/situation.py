"""A position with the eyes of one player: what he may do, and what has happened since."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from ..dealing import concerned
from ..deciding import decides, waited_for
from ..facts import Lot
from ..game import Game
from ..history import Entry
from ..model.actions import Action, Log, Message, Pass, Program
from ..model.choices import Choice
from ..model.records import State


def round_key(game: Game) -> str:
    """What tells a round from all others of a game."""
    s = game.state
    return f"{kind_of_round(game)} {s.turn} {s.round.number}"


def kind_of_round(game: Game) -> str:
    """What rounds of one kind have in common."""
    return type(game.state.round).__name__


class Situation:
    """See the module's text."""

    def __init__(self, game: Game, owner: str) -> None:
        self.game = game
        self.owner = owner
        self.s: State = game.state

    @cached_property
    def on_turn(self) -> bool:
        """Whether the game waits for the player."""
        return self.owner in waited_for(self.game)

    @cached_property
    def choices(self) -> list[Choice]:
        """What he alone may do now, if the game waits for him, others having no say in it."""
        if not self.on_turn:
            return []
        return [c for c in self.game.choices() if self._is_mine(c)]

    def _is_mine(self, choice: Choice) -> bool:
        rules, s = self.game.rules, self.s
        return (
            decides(self.game, choice.actor) == {self.owner}
            and set(concerned(rules, s, choice.action)) <= {self.owner}
            and not rules.follow_ups(s, choice.action)
        )

    def passing(self, actor: str | None = None) -> Pass | None:
        """How he, or a company of his, passes now."""
        who = self.owner if actor is None else actor
        found = (c.action for c in self.choices if isinstance(c.action, Pass) and c.actor == who)
        return next(found, None)

    def covers(self, action: Action) -> bool:
        """Whether this may be done by him now."""
        return any(c.covers(action) for c in self.choices)

    def lot(self, item: str | None) -> Lot | None:
        """What is auctioned under a name; without a name the one thing being fought for."""
        lots = self.game.rules.facts.lots(self.s)
        if item is None:
            return next((lot for lot in lots if lot.open), None)
        return next((lot for lot in lots if lot.item == item), None)

    def cost(self, action: Action) -> int:
        """What an action takes from the player and the company that acts, or binds of theirs."""
        return max(int(getattr(action, "price", 0) or 0), -self.change(action))

    def change(self, action: Action) -> int:
        """What an action changes of the money of the player and of who acts."""
        twin = self.game.copy()
        twin.apply(action)
        return self._money(twin.state, action) - self._money(self.s, action)

    def _money(self, s: State, action: Action) -> int:
        company = s.corporations.get(action.actor)
        return s.players[self.owner].cash + (company.cash if company is not None else 0)

    def name(self, key: str) -> str:
        """What somebody is called."""
        player = self.s.players.get(key)
        return player.name if player is not None else key

    def money(self, amount: int) -> str:
        """An amount in the title's currency."""
        return self.game.rules.facts.money(amount)

    def since(self, action_id: int) -> Iterator[Entry]:
        """What was done after an action and counts, words aside."""
        for entry in self.game.history:
            if (entry.action.id or 0) > action_id and not isinstance(
                entry.action, Message | Log | Program
            ):
                yield entry
