"""Self-play by random legal choices: for soaks, tests and as the simplest opponent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from .board import laying, network
from .dealing import Dealers
from .game import Game
from .model.actions import Action, LayTile, PlaceToken
from .model.choices import Choice, Span
from .offers import Offers

#: Picks an action from the choices of a game.
Policy = Callable[[Game, Sequence[Choice], Random], Action]


def uniform(game: Game, choices: Sequence[Choice], rng: Random) -> Action:
    """Every choice is as likely as any other, and every value of it."""
    one = choices.one(rng) if isinstance(choices, Offers) else rng.choice(choices)
    return one.sample(rng)


def lively(game: Game, choices: Sequence[Choice], rng: Random) -> Action:
    """First a kind of action, then one of that kind. Players rarely pass except in auctions, and
    amounts are mostly the least possible, so that companies survive and games get far."""
    auction = set(_kinds(choices)) == {"bid", "pass"}
    weights = {"bid": 0.3, "pass": 0.7} if auction else {}
    some = _of_a_kind(choices, rng, lambda k: weights.get(k) or _weight(game, k))
    choice = _promising(game, some, rng)
    spans = [d for d in choice.domains.values() if isinstance(d, Span)]
    if spans and rng.random() < 0.9:
        return choice.action
    return choice.sample(rng)


def pushing(game: Game, choices: Sequence[Choice], rng: Random) -> Action:
    """Rushes the game: companies buy every train of the bank they can, borrow, merge and convert;
    players sell short and go bankrupt. Late phases are reached in few actions."""
    trains = _of(choices, "buy_train")
    if trains and rng.random() < 0.95:
        held = game.state.trains
        return min(trains, key=lambda c: c.action.train in held).action  # type: ignore[attr-defined]
    some = _of_a_kind(choices, rng, lambda k: PUSHED.get(k, WEIGHTS.get(k, 1.0)))
    choice = _promising(game, some, rng)
    return choice.action if choice.enumerable and rng.random() < 0.5 else choice.sample(rng)


#: How likely :func:`pushing` takes what drives a game on, else as :data:`WEIGHTS` say.
PUSHED = {"merge": 6.0, "convert": 6.0, "short": 2.0, "bankrupt": 20.0, "take_loan": 3.0}

#: How likely :func:`lively` takes each kind of action, others 1.
WEIGHTS = {
    "pass": 0.3,
    "bankrupt": 0.2,
    "run_routes": 20.0,
    "dividend": 20.0,
    "discard_train": 0.5,
    "take_loan": 0.1,
    "short": 0.15,
    "sell_shares": 0.3,
}


def _kinds(choices: Sequence[Choice]) -> list[str]:
    """The types of choices."""
    if isinstance(choices, Offers):
        return choices.kinds
    return list(dict.fromkeys(c.type for c in choices))


def _of(choices: Sequence[Choice], kind: str) -> list[Choice]:
    """The choices of a type."""
    if isinstance(choices, Offers):
        return choices.of(kind)
    return [c for c in choices if c.type == kind]


def _of_a_kind(
    choices: Sequence[Choice], rng: Random, weight: Callable[[str], float]
) -> Sequence[Choice]:
    """The choices of a type, each type being drawn with some weight."""
    kinds = _kinds(choices)
    while kinds:
        kind = rng.choices(kinds, [weight(k) for k in kinds])[0]
        if some := _of(choices, kind):
            return some
        kinds.remove(kind)  # of these nobody agrees to any
    return choices


def _weight(game: Game, kind: str) -> float:
    """A company without trains borrows and buys; one with two has enough."""
    if kind in ("buy_train", "take_loan"):
        company = game.state.corporations.get(game.state.acting[0])
        trains = len(company.trains) if company is not None else 1
        if kind == "buy_train":
            return (8.0, 1.0)[trains] if trains < 2 else 0.02
        if trains == 0:
            return 2.0
    return WEIGHTS.get(kind, 1.0)


def _promising(game: Game, choices: Sequence[Choice], rng: Random) -> Choice:
    """One of some choices: for track the one of a few that reaches most, for a first token a place
    with many cities around, else any."""
    fixed = [c for c in choices if not c.domains.get("price")] or choices
    few = rng.sample(fixed if rng.random() < 0.9 else choices, min(len(fixed), 12))
    if isinstance(few[0].action, LayTile | PlaceToken):
        return max(few, key=lambda c: (promise(game, c.action), rng.random()))
    return few[0]


def promise(game: Game, a: Action) -> int:
    """How good a place for track or a token is, at a glance; only to be compared."""
    match a:
        case LayTile():
            return _reached(game, a)
        case PlaceToken():
            return _cities_around(game, a)
    return 0


def _reached(game: Game, a: LayTile) -> int:
    box, s = game.rules.box, game.state
    board = laying.with_tile(box, s.board, a.hex, a.tile, a.rotation)
    reached = network.reach(box.map, box.tiles, board, s.acting[0])
    return 10 * len(reached.nodes) + len(reached.edges)


def _cities_around(game: Game, a: PlaceToken) -> int:
    box, board = game.rules.box, game.state.board
    where = laying.parse_city(box, board, a.city)
    if where is None:
        return 0
    near = [c for c in box.map.hexes if box.map.distance(c, where[0]) <= 2]
    return sum(1 for c in near if laying.face_at(box, board, c).tile.stops)


def play_on(
    game: Game,
    rng: Random,
    *,
    actions: int = 4_000,
    policy: Policy = uniform,
    dealers: Dealers | None = None,
    watch: Callable[[Game], None] | None = None,
) -> int:
    """Play a game on until it ends or ``actions`` more have been made; returns how many were.

    ``dealers``: who agrees to what (None: all as ``policy`` reckons); the policy is shown nothing
    that somebody with a say in it does not agree to. ``watch`` is called after every action.
    """
    dealers = dealers or Dealers.alike(game, policy)
    for count in range(actions):
        choices = game.choices()
        if not choices:
            return count
        game.apply(policy(game, Offers(dealers, game, choices), rng))
        if watch is not None:
            watch(game)
    return actions
