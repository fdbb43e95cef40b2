"""Fill in what is best in a file of hard positions, where other means than the search prove it.

    python benchmarks/prove_positions.py tests/routes/hard/worked-on.json [--seconds 20]

The search makes a claim and lends its prices; ``tests/routes/enumeration.py`` and, for 1873,
``tests/titles/oracle1873.py`` list routes by themselves and ask HiGHS whether any set earns more.
Positions they cannot settle in the time stay without a figure. ``seconds`` is what search and
proof took together.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from time import process_time

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "titles")]

from oracle1873 import Harz, program  # noqa: E402
from tests.routes.enumeration import Hint, Oracle, TooLong  # noqa: E402
from tests.routes.positions import Position, read  # noqa: E402

from draw_positions import write  # noqa: E402
from roundhouse.routes.clock import Clock  # noqa: E402
from roundhouse.routes.search import Search  # noqa: E402
from roundhouse.routes.segment_search import best_network  # noqa: E402
from roundhouse.titles.g1873.routes import Network  # noqa: E402

__all__ = ["Oracle", "TooLong", "hint", "proven_1873"]


def proven(position: Position, seconds: float) -> int | None:
    """What earns most, if the other means say so too."""
    model = position.model
    if isinstance(model, Network):
        return proven_1873(model, seconds)
    search = Search(model, Clock(seconds, timer=process_time))
    answer = search.solve()
    oracle = Oracle(model, hint(search), seconds)
    try:
        return answer.revenue if oracle.nothing_better(answer.revenue) else None
    except TooLong:
        return None


def proven_1873(network: Network, seconds: float) -> int | None:
    """As :func:`proven`, of a railway without a diesel."""
    if network.parts[1].cards():
        return None
    harz = Harz(network.parts[0].rules, network.parts[0].s, network.who)
    trips = [trip for trip in harz.lines(most=100_000) if harz.for_train(trip)]
    most: int | None = program(harz, trips, [card.size for card in network.parts[0].cards()])
    answer = best_network(network, Clock(seconds, timer=process_time))
    assert answer.revenue <= (most or 0)
    return most


def hint(search: Search) -> Hint:
    """The last prices of a search, half of each border's on either side."""
    graph, prices = search.graph, search.prices
    track = {}
    for sub in search.subproblems:
        group = search.model.track_of(sub.trains[0])
        for side, border in graph.sides.items():
            if sub.offset is not None and prices[sub.offset + border]:
                track[group, side] = prices[sub.offset + border] / 2
    names = {graph.place[i]: search.model.once(spot) for i, spot in enumerate(graph.stops)}
    places = {name: prices[search.width + n] for n, name in names.items() if n >= 0}
    return Hint(track, places)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--group", default="")
    args = parser.parse_args()
    boards = json.loads(args.file.read_text("utf-8"))
    questions = [q for board in boards for q in board["questions"]]
    for question, position in zip(questions, read(args.file), strict=True):
        if args.group in position.group and question["best"] is None:
            began = process_time()
            question["best"] = proven(position, args.seconds)
            question["seconds"] = round(process_time() - began, 2)
            print(question["best"], question["seconds"], position.name, flush=True)
            write(args.file, boards)


if __name__ == "__main__":
    main()
