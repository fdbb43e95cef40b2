"""What bots' plans said against what came of it: at the end of each stock round of games that are
over, operating rounds left, and what a share of each company was thought to be worth.

python benchmarks/forecasts.py GAME.json … [--companies]

Told are what was expected over what came, what plans were off by over the same, each of all shares
together, and how the two correlate. Games of bots are saved by ``bots.py tables --save``.

Both worths are money of that moment: dividends and the last price, later money counting for less as
it does in the plans. Companies that merged, closed, or never declared a dividend are left out, so
that of young ones only those are seen that did well enough to last.
"""

from __future__ import annotations

import argparse
import statistics
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from roundhouse import Game, load
from roundhouse.bots.knowledge import knowledge_of
from roundhouse.bots.mind import Mind
from roundhouse.bots.view import View
from roundhouse.model.events import DividendDeclared
from roundhouse.model.records import Corporation, State
from roundhouse.rounds.steps.progress import OperatingProgress, StockProgress


class Row(NamedTuple):
    """A company at the end of a stock round: worth of a share by its plan, and what it was."""

    turn: int
    symbol: str
    group: str
    price: int
    expected: float
    came: float


class Past:
    """A game that is over: its states, and what each company paid a share at which of them."""

    def __init__(self, game: Game) -> None:
        self.game, self.rules = game, game.rules
        self.states: list[State] = [game.at(0).state, *(e.state for e in game.history)]
        self.paid: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for n, entry in enumerate(game.history):
            for event in entry.events:
                if isinstance(event, DividendDeclared):
                    self.paid[event.who].append((n, self._each(n, event)))

    def _each(self, n: int, event: DividendDeclared) -> float:
        """What a share got by a dividend after a state, by what the players have got."""
        c, got = self.states[n].corporations[event.who], dict(event.paid)
        shares = {p: c.held(p) / c.unit for p in self.states[n].players if c.held(p) > 0}
        return max([got.get(p, 0) / held for p, held in shares.items()], default=0.0)

    def ends(self) -> Iterator[int]:
        """The last state of each stock round but those the game ends in."""
        for n, s in enumerate(self.states[:-1]):
            after = self.states[n + 1]
            over = isinstance(s.round, StockProgress) and not isinstance(after.round, StockProgress)
            if over and after.finished is None:
                yield n

    def rounds(self, start: int) -> list[int]:
        """Where each operating round after a state begins."""
        found: list[int] = []
        last: tuple[int, int] | None = None
        for n in range(start, len(self.states)):
            s = self.states[n]
            if isinstance(s.round, OperatingProgress) and (s.turn, s.round.number) != last:
                last = s.turn, s.round.number
                found.append(n)
        return found

    def came(self, c: Corporation, start: int, growth: float) -> float | None:
        """What a share turned out to be worth then; None where that cannot be told."""
        end = self.states[-1].corporations.get(c.id)
        if end is None or end.cell is None or end.shares != c.shares or c.id not in self.paid:
            return None
        begun = self.rounds(start)
        total = 0.0
        for n, each in self.paid[c.id]:
            if n >= start:
                total += each * growth ** -sum(1 for b in begun if b <= n)
        return total + self.rules.box.market.price[end.cell] * growth ** -len(begun)


def told(path: str, companies: bool) -> list[Row]:
    """One game, round by round."""
    past = Past(load(path))
    game, rows = past.game, list[Row]()
    mind = Mind(game.rules, knowledge_of(game.title), 200)
    growth = 1.0 + mind.known.weights.growth
    print(path)
    for n in past.ends():
        s = past.states[n]
        view = View(mind, s, next(iter(s.players)))
        print(f"  turn {s.turn}: {view.ledger.rounds:.1f} rounds, there were {len(past.rounds(n))}")
        for c in s.corporations.values():
            came = past.came(c, n, growth) if c.cell is not None else None
            if came is not None:
                rows.append(_row(view, s, c, came))
                if companies:
                    print("   ", *rows[-1][1:4], *(round(x) for x in rows[-1][4:]))
    return rows


def _row(view: View, s: State, c: Corporation, came: float) -> Row:
    group = "with trains" if c.trains else "without a train" if c.floated else "to float"
    price = view.rules.price(s, c.id)
    return Row(s.turn, c.id, group, price, view.share(s, c)[0], came)


def _measured(rows: list[Row]) -> str:
    """What plans of some shares said: all together, by how much they were off, and how far what
    came rises with it."""
    came = sum(r.came for r in rows) or 1.0
    ratio = sum(r.expected for r in rows) / came
    off = sum(abs(r.expected - r.came) for r in rows) / came
    text = f"expected at {ratio:.2f} of what came, off by {off:.2f}"
    if len({r.expected for r in rows}) < 3 or len({r.came for r in rows}) < 3:
        return text
    alike = statistics.correlation([r.expected for r in rows], [r.came for r in rows])
    return f"{text}, correlation {alike:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="+")
    parser.add_argument("--companies", action="store_true", help="tell each company")
    asked = parser.parse_args()
    rows = [row for path in asked.games for row in told(path, asked.companies)]
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row.group].append(row)
        groups[f"turn {row.turn}"].append(row)
    groups["all"] = rows
    for group, found in groups.items():
        print(f"{group:16} {len(found):4} shares {_measured(found)}")


if __name__ == "__main__":
    main()
