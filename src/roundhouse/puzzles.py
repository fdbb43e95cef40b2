"""Puzzles from positions of games that were played, each with a proven answer.

Three kinds: the **best run** of a company; whether somebody who must pay **can pay** at all, and
how; the **merger** after which the merged company runs best. A position whose answer is not proven
makes no puzzle.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from .bots.advice import said
from .digest import digest
from .game import Game
from .model.actions import Action, Bankrupt, BuyTrain, Merge, Run, RunRoutes, SellShares
from .model.choices import Choice
from .model.errors import IllegalAction, UnknownName
from .model.events import Merged
from .sentences.buttons import corporation_name, money

#: What a search for routes may cost, in its units of effort.
EFFORT: Final = 8_000
#: Positions looked at before a search for money is given up.
POSITIONS: Final = 3_000

BEST_RUN, CAN_PAY, MERGER = "best run", "can pay", "merger"


class Puzzle(Struct, frozen=True):
    """A question about the position after an ``action``. ``options``: the answers to choose from,
    as (key, words); none: the answer is a number. ``proof``: why it is so, in sentences;
    ``routes`` of ``who`` show it on the map, after ``then`` is done."""

    kind: str
    action: int
    question: str
    answer: str
    proof: tuple[str, ...]
    options: tuple[tuple[str, str], ...] = ()
    who: str = ""
    routes: tuple[Run, ...] = ()
    then: tuple[Action, ...] = ()


def puzzles_in(game: Game, *, effort: int = EFFORT) -> Iterator[Puzzle]:
    """The puzzles of a game, in the order of their positions."""
    in_need = False
    last = 0
    for entry in game.history:
        number, before, last = entry.action.id or 0, last, entry.action.id or 0
        kinds = _kinds(game, before)
        was, in_need = in_need, Bankrupt in kinds and SellShares in kinds
        if isinstance(entry.action, RunRoutes):
            found = best_run(game.at(before), entry.action, effort=effort)
        elif in_need and not was:
            found = can_pay(game.at(before))
        elif Merge in kinds and isinstance(entry.action, Merge):
            found = best_merger(game.at(before), effort=effort)
        else:
            found = None
        if found is not None:
            yield found
        last = number


def _kinds(game: Game, at: int) -> frozenset[type[Action]]:
    """What may be sent at a moment, as far as the step that waits goes."""
    s = game.start if at == 0 else game.at(at).state
    step = game.rules.play(s).waiting(s)
    return frozenset(step.takes) if step is not None else frozenset()


# the best run


def best_run(game: Game, run: RunRoutes, *, effort: int = EFFORT) -> Puzzle | None:
    """What a company that is about to run can earn at most; None where that is not proven, or where
    there is nothing to find: it runs no trains of its own, as a mine, or fewer than two, and
    what was run was the best."""
    who = run.actor
    try:
        found = game.best_routes(who, effort=effort)
        ran = game.check_routes(run.routes, who)
    except (IllegalAction, UnknownName):
        return None
    if not found.optimal or found.revenue <= 0:
        return None
    if len(found.routes) < 2 and ran == found.revenue:
        return None
    told = [
        f"{_train(game, route.train)}: {route.text} for {money(game.rules, route.revenue)}"
        for route in game.read_routes(found.routes, who)
    ]
    missed = "what was run in the game" if ran == found.revenue else (
        f"in the game {money(game.rules, ran)} were run"
    )  # fmt: skip
    return Puzzle(
        BEST_RUN,
        _last(game),
        f"{corporation_name(game.rules, who)} runs. What is the most it can earn?",
        str(found.revenue),
        (*told, f"Nothing earns more than {money(game.rules, found.revenue)}: proven; {missed}."),
        who=who,
        routes=found.routes,
    )


def _train(game: Game, train: str) -> str:
    known = game.state.trains.get(train)
    return f"{known.variant or known.kind} train" if known else train


def _last(game: Game) -> int:
    return game.history[-1].action.id or 0 if len(game) else 0


# can this president still pay?


class Way(Struct, frozen=True):
    """What a search for money found: the actions that lead out of the need (None: there are none),
    and whether every way was looked at. ``seen``: positions it looked at."""

    actions: tuple[Action, ...] | None
    whole: bool
    seen: int


def can_pay(game: Game, *, most: int = POSITIONS) -> Puzzle | None:
    """Whether whoever must find money now can; None if nobody must, if it needs no sale, or if not
    every way could be looked at."""
    sales = _sales(game)
    if not sales or _buys(game):
        return None
    way = way_to_pay(game, most=most)
    if not way.whole:
        return None
    seller = game.state.players[sales[0].actor]
    if way.actions is None:
        proof: tuple[str, ...] = (
            f"No. All {way.seen} positions that sales can lead to were looked at: none pays.",
        )
    else:
        proof = ("Yes:", *_told(game, way.actions))
    return Puzzle(
        CAN_PAY,
        _last(game),
        f"{seller.name} must find money ({_need(game)}). Can it be done without bankruptcy?",
        "no" if way.actions is None else "yes",
        proof,
        (("yes", "yes"), ("no", "no")),
    )


def _told(game: Game, actions: Sequence[Action]) -> Iterator[str]:
    twin = game.copy()
    for action in actions:
        yield f"{said(twin, action)}."
        twin.apply(action)


def _need(game: Game) -> str:
    """What there is to be paid, as far as it can be told: debts, or a train."""
    debts = [p for p in game.state.players.values() if p.cash < 0]
    if debts:
        return ", ".join(f"{p.name} owes {money(game.rules, -p.cash)}" for p in debts)
    operator = game.rules.operator(game.state)
    if operator is None:
        return "money is due"
    has = money(game.rules, game.state.corporations[operator].cash)
    return f"{operator}, with {has}, must buy a train"


def _sales(game: Game) -> list[Choice]:
    players = game.state.players
    return [c for c in game.choices() if isinstance(c.action, SellShares) and c.actor in players]


def _buys(game: Game) -> list[Choice]:
    return [c for c in game.choices() if isinstance(c.action, BuyTrain)]


def way_to_pay(game: Game, *, most: int = POSITIONS) -> Way:
    """Looks at every order of sales there is for actions that end the need: a train is bought, or
    nobody has to sell any more. Positions that come up twice are looked at once."""
    step = game.state.step
    heap: list[tuple[Game, tuple[Action, ...]]] = [(game, ())]
    seen: set[str] = set()
    while heap:
        at, way = heap.pop()
        key = digest(at.rules, at.state)
        if key in seen:
            continue
        seen.add(key)
        if len(seen) > most:
            return Way(None, False, len(seen))
        if way and (out := _out(at, step)) is not None:
            return Way((*way, *out), True, len(seen))
        for choice in _sales(at):
            if choice.enumerable:
                heap.extend(_after(at, action, way) for action in choice.actions())
    return Way(None, True, len(seen))


def _out(game: Game, step: str) -> tuple[Action, ...] | None:
    """How the need ends here: by nothing more, or by buying; None: it does not."""
    if game.state.step != step:
        return ()
    for choice in _buys(game):
        twin = game.copy()
        twin.apply(choice.action)
        return (choice.action,)
    return None


def _after(game: Game, action: Action, way: tuple[Action, ...]) -> tuple[Game, tuple[Action, ...]]:
    twin = game.copy()
    twin.apply(action)
    return twin, (*way, action)


# find the merger


def best_merger(game: Game, *, effort: int = EFFORT) -> Puzzle | None:
    """With whom to merge so that the merged company runs best right after; None unless one of
    several mergers is better than all others, and all runs are proven."""
    runs: dict[str, tuple[int, Merge, str, tuple[Run, ...]]] = {}
    merges = [c.action for c in game.choices() if isinstance(c.action, Merge)]
    actors = {m.actor for m in merges}
    for merge in merges:
        found = _merged(game, merge, effort)
        partner = merge.corporation or merge.minor
        if found is None or partner is None or len(actors) > 1:
            return None
        runs[partner] = found
    order = sorted(runs, key=lambda p: -runs[p][0])
    if (
        len(order) < 2
        or _merging(game, merges[0]) is None
        or runs[order[0]][0] == runs[order[1]][0]
    ):
        return None
    _, merge, survivor, routes = runs[order[0]]
    told = [f"With {p}: {money(game.rules, runs[p][0])}, proven." for p in order]
    return Puzzle(
        MERGER,
        _last(game),
        f"{_merging(game, merge)} may merge. With whom does the merged company, "
        "as it stands right after, have the best run?",
        order[0],
        tuple(told),
        tuple((p, corporation_name(game.rules, p)) for p in sorted(runs)),
        survivor,
        routes,
        (merge,),
    )


def _merging(game: Game, merge: Merge) -> str | None:
    """The company that merges, by its name, if it is clear which one."""
    who = merge.actor if merge.actor in game.state.corporations else game.rules.operator(game.state)
    return corporation_name(game.rules, who) if who else None


def _merged(
    game: Game, merge: Merge, effort: int
) -> tuple[int, Merge, str, tuple[Run, ...]] | None:
    twin = game.copy()
    twin.apply(merge)
    merged = [e for e in twin.history[-1].events if isinstance(e, Merged)]
    if not merged or merged[0].survivor not in twin.state.corporations:
        return None
    survivor = merged[0].survivor
    try:
        found = twin.best_routes(survivor, effort=effort)
    except UnknownName:  # it runs no trains, as a mine
        return None
    return (found.revenue, merge, survivor, found.routes) if found.optimal else None
