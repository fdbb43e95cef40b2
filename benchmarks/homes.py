"""What companies earn where they begin, with nobody else there, while the first trains run.

python benchmarks/homes.py [TITLE] [--rounds 6] [--deals 5]

In each game one company is begun, at the lowest price, and all buy its shares only; ``quick``
decides what it does. Games in which a private begins another are left out. After some rounds of it
one train of the first kind runs on its track, and two together: told are the means. ``homes`` in
a title's knowledge is the mean of both against those of all companies, of which what companies
without track are thought to earn is the middle.
"""

from __future__ import annotations

import argparse
import statistics
from itertools import islice
from typing import NamedTuple

import roundhouse
from roundhouse import Game, bots
from roundhouse.bots.prospects import NEW
from roundhouse.bots.together import decide
from roundhouse.model.actions import Action, BuyShares, Par, Pass, RunRoutes
from roundhouse.rounds.steps.progress import StockProgress
from roundhouse.stock.shares import company_of

PLAYERS = ["Ada", "Ben", "Cleo", "Dora"]
#: Actions after which a company is given up that does not begin.
_MOST = 250


class Home(NamedTuple):
    """What a company earned in its rounds, and then earns with one train and with two."""

    runs: tuple[int, ...]
    one: int
    two: int


def bought(game: Game, company: str) -> Action:
    """The start of a company, a share of it, or a pass, whichever is first to be had."""
    offered = [a for choice in game.choices() for a in choice.actions()]
    starts = [a for a in offered if isinstance(a, Par) and a.corporation == company]
    if starts:
        prices = game.rules.box.market.price
        return min(starts, key=lambda a: prices[a.share_price])
    shares = [a for a in offered if isinstance(a, BuyShares)]
    own = [a for a in shares if all(company_of(name) == company for name in a.shares)]
    passes = [a for a in offered if isinstance(a, Pass)]
    return [*own, *passes, *offered][0]


def alone(title: str, company: str, deal: int, rounds: int) -> Home | None:
    """One company in a game of its own; None if it earned nothing, or another one was begun."""
    game = roundhouse.new(title, PLAYERS, seed=deal)
    player = bots.magnate.Magnate("quick", deal)
    seats = dict.fromkeys(game.state.players, player)
    runs: list[int] = []
    while not game.finished and len(runs) < rounds and len(game) < _MOST:
        if isinstance(game.state.round, StockProgress):
            game.apply(bought(game, company))
            continue
        decision = decide(game, seats)
        if decision is None:
            break
        a = decision.action
        if isinstance(a, RunRoutes) and a.actor == company:
            runs.append(sum(run.revenue or 0 for run in a.routes))
        game.apply(a)
    others = any(c.trains and c.id != company for c in game.state.corporations.values())
    if others or not runs:
        return None
    income, first = player.mind(game).income, next(iter(game.rules.box.trains))
    one, two = (income.having(game.state, company, (first,) * count) for count in (1, 2))
    return Home(tuple(runs), one, two)


def several(title: str, company: str, rounds: int, deals: int) -> list[Home]:
    """One company in some games, of twice as many looked at."""
    tried = (alone(title, company, deal, rounds) for deal in range(1, 2 * deals + 1))
    return list(islice((home for home in tried if home is not None), deals))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("title", nargs="?", default="1839")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--deals", type=int, default=5)
    given = parser.parse_args()
    box = roundhouse.new(given.title, PLAYERS, seed=1).rules.box
    begin = [company for company, definition in box.corporations.items() if definition.home]
    tried = {k: several(given.title, k, given.rounds, given.deals) for k in begin}
    found = {k: homes for k, homes in tried.items() if homes}
    one = {k: statistics.mean([h.one for h in homes]) for k, homes in found.items()}
    two = {k: statistics.mean([h.two for h in homes]) for k, homes in found.items()}
    means = statistics.mean(one.values()), statistics.mean(two.values())
    print("| company | runs | one train | two | against what is typical |\n|---|---|---|---|---|")
    for k, homes in sorted(found.items(), key=lambda row: -one[row[0]] - two[row[0]]):
        part = NEW * (one[k] / means[0] + two[k] / means[1]) / 2
        runs = "; ".join(", ".join(map(str, h.runs)) for h in homes)
        print(f"| {k} | {runs} | {one[k]:.0f} | {two[k]:.0f} | {part:.2f} |")


if __name__ == "__main__":
    main()
