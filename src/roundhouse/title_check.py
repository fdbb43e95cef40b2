"""Everything that must hold of a title, told as sentences: for ``roundhouse check`` and for tests.

Data first: what the files say (:class:`TitleDataError` has all faults at once), texts and tables
that must be there. Then the conformance suite: random games under all invariants, in which what is
offered is legal and what is legal is offered, states survive being stored, copies are independent,
undo leads back and redo forth, and files load again to the same states.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

from . import conformance, selfplay, transitions
from .creation import load, new
from .model.codec import decode_state, encode_state
from .model.errors import IllegalAction, OptionError, RoundhouseError, TitleDataError

if TYPE_CHECKING:
    from .game import Game
    from .model.records import State
    from .titles.title import Title

#: Who plays, game by game.
POLICIES = (selfplay.uniform, selfplay.lively, selfplay.pushing)
#: Positions of a game looked at closely, one in so many actions.
_CLOSELY = 25


def check_title(
    title: Title, *, games: int = 6, actions: int = 400, seed: int = 0
) -> Iterator[str]:
    """Faults of a title, one sentence each; none if all is well. ``games``: random games, each of
    at most so many ``actions``; ``seed``: of the first one."""
    faults = list(data_faults(title))
    yield from faults
    if faults:
        return
    for number in range(seed, seed + games):
        yield from game_faults(title, number, actions)


def data_faults(title: Title) -> Iterator[str]:
    """What is wrong or missing in a title's files."""
    try:
        box = title.box
        title.rules(frozenset(), box.game.players.max)
    except TitleDataError as error:
        yield from error.faults
        return
    yield from _text_faults(title)


def _text_faults(title: Title) -> Iterator[str]:
    box = title.box
    for company in box.companies.values():
        if not company.text:
            yield f"companies.json: {company.id} has no text for players"
    for option in box.game.options:
        if not option.explanation:
            yield f"game.json: option {option.id} has no explanation"
    plays = title.rules(frozenset(), box.game.players.max).rounds.values()
    for name in dict.fromkeys(step.name for play in plays for step in play.steps):
        if name not in box.help:
            yield f"help.json: nothing is said about the step {name!r}"


def random_game(title: Title, seed: int) -> Game:
    """A new game with seats and options drawn from the seed."""
    rng = Random(seed)
    seats = title.box.game.players
    count = rng.randint(seats.min, seats.max)
    chosen: list[str] = []
    for option in title.options:
        if rng.random() < 0.3:
            try:
                title.select([*chosen, option])
            except OptionError:
                continue
            chosen.append(option)
    return new(title.id, [f"Player {n}" for n in range(count)], seed=seed, options=chosen)


def game_faults(title: Title, seed: int, actions: int) -> Iterator[str]:
    """What goes wrong in one random game; it stops at the first thing."""
    game = random_game(title, seed)
    where = f"game {seed}, {len(game.seats)} players, options {sorted(game.options) or 'none'}"
    rng = Random(seed)
    policy = POLICIES[seed % len(POLICIES)]
    money = conformance.total_money(game.start)
    try:
        for number in range(actions):
            if game.finished:
                break
            before = game.state
            selfplay.play_on(game, rng, actions=1, policy=policy)
            found = conformance.faults(game.rules, game.state, money)
            found += conformance.writable(game.state)
            found += last_action_faults(game, before)
            if not found and number % _CLOSELY == 0:
                found = list(position_faults(game, rng))
            if found:
                yield from (f"{where}, action {len(game)}: {fault}" for fault in found)
                return
        yield from (f"{where}: {fault}" for fault in file_faults(game))
    except RoundhouseError as error:
        yield f"{where}, action {len(game)}: {error}"


def last_action_faults(game: Game, before: State) -> list[str]:
    """What is wrong with the last action of a game, by the state it met."""
    last = game.history[-1]
    return transitions.faults(game.rules, before, last.action, last.events, game.state)


def position_faults(game: Game, rng: Random) -> Iterator[str]:
    """What does not hold of a position: choices against check, sentences, storing, copies, undo and
    redo."""
    yield from islice(conformance.disagreements(game, 60), 5)
    yield from transitions.alike(game.rules, game.state)
    raw = encode_state(game.state)
    stored = decode_state(game.rules.state_type, raw)
    if stored != game.state or encode_state(stored) != raw:
        yield "the state is another one after being stored"
    before, last = game.state, game.log[-1].action.id if game.log else 0
    twin = game.copy()
    selfplay.play_on(twin, rng, actions=5, policy=selfplay.lively)
    if game.state is not before or encode_state(game.state) != raw:
        yield "playing on a copy changed the game"
    # What cannot be completed the game takes back itself, and that may reach further.
    if not last or any(e.action.id == last for e in twin.history):
        yield from _undo_faults(twin, before, last or 0)


def _undo_faults(game: Game, before: State, last: int) -> Iterator[str]:
    """Whether undo leads back to a state, after the action with the id ``last``, and redo forth."""
    after, undone = game.state, 0
    while game.history and (game.history[-1].action.id or 0) > last:
        game.undo()
        undone += 1
    if game.state != before:
        yield "undo does not lead back"
    for _ in range(undone):
        game.redo()
    if game.state != after:
        yield "redo does not lead forth"


def file_faults(game: Game) -> Iterator[str]:
    """Whether a game loads again from its file to the same states."""
    try:
        again = load(game.dump())
    except (RoundhouseError, IllegalAction) as error:
        yield f"its own file is refused: {error}"
        return
    if [e.state for e in again.log] != [e.state for e in game.log]:
        yield "its file loads to other states"
