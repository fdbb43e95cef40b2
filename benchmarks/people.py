"""What people did in real games, asked of a player: the decisions of a game file, and whether a
player would have done the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from roundhouse import Choice, Game
from roundhouse.bots import Decision
from roundhouse.model.actions import Action, Bid, LayTile, Pass, RunRoutes, same_move
from roundhouse.model.choices import Span


class Question(NamedTuple):
    """A decision of a game: the position, all that could be done in it, what of that its company
    or player could do, and what was done."""

    position: Game
    choices: Sequence[Choice]
    own: Sequence[Choice]
    played: Action

    @property
    def kind(self) -> str:
        """The kind of what was done."""
        return "pass" if isinstance(self.played, Pass) else self.played.type

    def same(self, a: Action) -> bool:
        """Whether an action is what was done: the same move, an equal thing of one choice, a tile
        that looks the same, or as much bid for another company that has no home of its own yet."""
        b = self.played
        if a.actor == b.actor:
            if same_move(a, b):
                return True
            if isinstance(a, LayTile) and isinstance(b, LayTile):
                return self._look(a) == self._look(b)
            if isinstance(a, Bid) and isinstance(b, Bid) and a.price == b.price:
                return self._unplaced(a) and self._unplaced(b)
        equal = [
            c for c in self.choices if not any(isinstance(d, Span) for d in c.domains.values())
        ]
        return any(c.covers(a) and c.covers(b) for c in equal)

    def _unplaced(self, a: Bid) -> bool:
        """Whether a bid founds a company that may begin anywhere."""
        s, box = self.position.state, self.position.rules.box
        company = s.corporations.get(a.corporation or "")
        return (
            company is not None and company.cell is None and not box.corporations[company.id].home
        )

    def _look(self, a: LayTile) -> object:
        name = a.tile.rpartition("-")[0]
        return a.hex, name, self.position.rules.box.tiles.tiles[name].turned(a.rotation).pattern


def questions(game: Game, every: int) -> Iterator[Question]:
    """Each so many-th decision of a game in which there was a choice. Which routes are run is left
    out, and so is what is said and ordered for later; but an order may act at once, so that the
    position asked about comes after it."""
    line = [(before, e.action) for before, e in enumerate(game.history) if not _aside(e.action)]
    for before, played in line[::every]:
        if isinstance(played, RunRoutes):
            continue
        position = game.at(game.history[before - 1].action.id or 0) if before else game.at(0)
        choices = position.choices()
        if len(choices) <= 1 and not any(c.domains for c in choices):
            continue
        own = [c for c in choices if c.actor == played.actor] or choices
        yield Question(position, choices, own, played)


def _aside(a: Action) -> bool:
    """Whether an action is no move: something said, or an order for later."""
    return a.type in ("message", "log") or a.type.startswith("program_")


class Agreement:
    """How often the played action was a player's first, and among its first five, by kind."""

    def __init__(self) -> None:
        self.first: Counter[str] = Counter()
        self.five: Counter[str] = Counter()
        self.asked: Counter[str] = Counter()

    def add(self, question: Question, decision: Decision) -> None:
        """Take down one decision."""
        best = [decision.action, *(c.action for c in decision.candidates[:5])]
        self.asked[question.kind] += 1
        self.first[question.kind] += question.same(best[0])
        self.five[question.kind] += any(question.same(a) for a in best)

    def __iadd__(self, other: Agreement) -> Agreement:
        self.first += other.first
        self.five += other.five
        self.asked += other.asked
        return self

    def __str__(self) -> str:
        total, agreed = self.asked.total(), self.first.total()
        others, acted = total - self.asked["pass"], agreed - self.first["pass"]
        return (
            f"first {agreed} of {total}, among five {self.five.total()};"
            f" without passes {acted} of {others}"
        )

    def kinds(self) -> Iterator[str]:
        """A line for each kind of action, the most frequent first."""
        for kind, count in self.asked.most_common():
            yield f"{kind:16} {self.first[kind]:4} {self.five[kind]:4} of {count}"
