"""Hold the route search against other means on positions nobody has looked at.

    python benchmarks/fresh_positions.py [--positions 3000] [--seed 1] [--seconds 2]

Games of every title are played at random; every so often a company is asked for its best routes
with one to three trains of any kind. ``tests/routes/enumeration.py`` and, for 1873,
``tests/titles/oracle1873.py`` list routes by themselves and ask HiGHS whether any set earns more.
What they cannot settle in the time is counted apart. Prints Markdown; fails at a difference.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from time import process_time
from typing import NamedTuple

import roundhouse
from prove_positions import Oracle, TooLong, hint, proven_1873
from roundhouse.model.errors import UnknownName
from roundhouse.routes.best import solve
from roundhouse.routes.check import check_runs
from roundhouse.routes.clock import Clock
from roundhouse.routes.search import Search
from roundhouse.selfplay import lively, play_on
from roundhouse.titles.g1873.routes import Network
from roundhouse.titles.title import all_titles

#: Questions asked in one game, how likely one is after an action, and trains of a question.
_A_GAME, _OFTEN, _TRAINS = 40, 0.04, (1, 2, 2, 3)


class Question(NamedTuple):
    """A company in a game, and trains to suppose it has."""

    game: roundhouse.Game
    who: str
    trains: tuple[str, ...]

    @property
    def name(self) -> str:
        """Where it is from."""
        game, after = self.game, len(self.game.history)
        return f"{game.title.id}, seed {game.seed}, after {after}: {self.who} {self.trains}"


class Enough(Exception):
    """There are questions enough about a game."""


def questions(title: str, rng: Random) -> Iterator[Question]:
    """Questions about games of a title, without end."""
    while True:
        seed = rng.randrange(10**9)
        game = roundhouse.new(title, ["Ada", "Ben", "Cleo"], seed=seed)
        found: list[Question] = []

        def watch(now: roundhouse.Game, found: list[Question] = found) -> None:
            if rng.random() < _OFTEN:
                found.extend(asked(now.copy(), rng))
            if len(found) >= _A_GAME:
                raise Enough

        with suppress(Enough):
            play_on(game, Random(seed), actions=2_000, policy=lively, watch=watch)
        yield from found


def asked(game: roundhouse.Game, rng: Random) -> Iterator[Question]:
    """A question about a company that has a token, if there is one that runs trains."""
    s = game.state
    running = [c.id for c in s.corporations.values() if c.floated and any(t.city for t in c.tokens)]
    if running:
        who = rng.choice(running)
        kinds = [kind for kind in game.rules.box.trains if game.title.id != "1873" or kind != "D"]
        try:
            game.route_model(who)
        except UnknownName:
            return
        yield Question(game, who, tuple(rng.choices(kinds, k=rng.choice(_TRAINS))))


def settled(question: Question, seconds: float) -> bool | None:
    """Whether the search's answer is legal and nothing earns more; None: nothing runs. Raises
    :class:`TooLong` where that cannot be told in the time."""
    model = question.game.route_model(question.who, trains=question.trains)
    if isinstance(model, Network):
        answer = solve(model, Clock(seconds, timer=process_time))
        most = proven_1873(model, seconds) if answer.revenue and answer.optimal else None
        if answer.revenue and most is None:
            raise TooLong
        return answer.revenue == most if answer.revenue else None
    searches = [Search(case, Clock(seconds, timer=process_time)) for case in model.cases()]
    answers = [search.solve() for search in searches]
    best = max(answers, key=lambda answer: answer.revenue)
    if not all(answer.optimal for answer in answers) or model.set_limit():
        raise TooLong
    earned = sum([route.revenue for route in check_runs(model.for_runs(best.routes), best.routes)])
    oracles = [Oracle(search.model, hint(search), seconds) for search in searches]
    right = earned == best.revenue and all(o.nothing_better(best.revenue) for o in oracles)
    return right if best.revenue or not right else None


def check(title: str, wanted: int, rng: Random, seconds: float) -> Counter[str]:
    """How many questions about a title were settled, and how many could not be. Raises
    :class:`AssertionError` where the search is wrong."""
    count: Counter[str] = Counter()
    for question in questions(title, rng):
        try:
            right = settled(question, seconds)
        except TooLong:
            count["open"] += 1
            continue
        if right is False:
            raise AssertionError(f"the search is wrong: {question.name}")
        count["settled" if right else "nothing"] += 1
        if count["settled"] >= wanted:
            break
    return count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=2.0)
    args = parser.parse_args()
    titles = list(all_titles())
    print("| title | alike | nothing runs | open |\n|---|--:|--:|--:|")
    for title in titles:
        rng = Random(f"{args.seed} {title}")
        count = check(title, -(-args.positions // len(titles)), rng, args.seconds)
        cells = [title, count["settled"], count["nothing"], count["open"]]
        print(f"| {' | '.join(map(str, cells))} |", flush=True)


if __name__ == "__main__":
    main()
