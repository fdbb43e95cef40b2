"""A table's log in the database: writing it, reading it, and making anew what follows from it.

The actions are the truth. Events, hashes and snapshots are kept beside them so that a game need not
be replayed to be looked at; whatever of that cannot be used any more, because the program writes
states or events differently now, is made anew from the actions.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec
from django.db import transaction

from ...game import Game
from ...history import Entry, Stored
from ...model.codec import hash_state
from ...model.errors import BrokenInvariant, IllegalAction
from ...model.records import State
from ...rounds.rules import Rules, Seat
from ...titles.title import find_title
from ...undo import counting
from .. import archive
from ..models import Move, Snapshot, Table
from ..prepared import Prepared
from .faults import Held

log = logging.getLogger(__name__)

replace = msgspec.structs.replace

#: What follows from an action.
_DERIVED = ("events", "state_hash", "stamp", "position")


class Opened(NamedTuple):
    """A game and the version of its table it stands at, and which seating its players' names are
    of. Not to be changed: make a copy."""

    version: int
    game: Game
    seating: int = 0


def fresh(table: Table, revision: int | None = None) -> Game:
    """The game of a table as it was before the first of its own actions; under another rules
    revision than its own if one is named. A branch goes on from its parent's game, and raises
    :class:`Held` if that is held."""
    if table.parent is not None:
        return _parent_game(table.parent).logged(table.point)
    seats = [Seat(p.key, p.name) for p in table.all_places]
    return Game(
        find_title(table.title),
        seats,
        seed=int(table.seed),
        options=frozenset(table.options),
        id=table.file_id if table.file_id is not None else table.pk,
        description=table.description,
        revision=table.revision if revision is None else revision,
    )


def _parent_game(parent: Table) -> Game:
    from .cache import open_game  # it reads games through this module

    return open_game(parent).game


# writing


def derived(rules: Rules[Any], entry: Entry) -> dict[str, str]:
    """What is kept beside an action, by the names of the row's fields."""
    return {
        "events": archive.write_events(entry.events),
        "state_hash": hash_state(entry.state),
        "stamp": archive.stamp(rules),
        "position": archive.hash_position(rules, entry.state),
    }


def move_of(table: Table, game: Game, number: int, **more: Any) -> Move:
    """The row of an action of the log, not yet saved."""
    entry = game.log[number - 1]
    action = archive.write_action(entry.action)
    return Move(table=table, number=number, action=action, **derived(game.rules, entry), **more)


def snapshot_of(table: Table, game: Game, number: int) -> Snapshot | None:
    """The state after an action, not yet saved; None if it would not come back as it was."""
    raw = archive.keeps(game.rules, game.log[number - 1].state)
    if raw is None:
        return None
    return Snapshot(table=table, number=number, state=raw, stamp=archive.stamp(game.rules))


def snapshots_of(table: Table, game: Game, own: int) -> list[Snapshot]:
    """All snapshots of the last ``own`` actions of a game: every so often, and the last state."""
    last = len(game.log)
    numbers = [n for n in range(last - own + 1, last + 1) if n % archive.SPACING == 0 or n == last]
    return [s for n in numbers if (s := snapshot_of(table, game, n)) is not None]


# reading


def read(table: Table, found: Opened | None) -> Opened:
    """The game of a table, gone on with from an earlier version of it if there is one.

    Raises :class:`Held` if the program cannot play it as it was played.
    """
    start = found or beginning(table)
    rows = _SINCE.all(table.pk, start.version)
    try:
        game = _resumed(table, start, rows)
        if not rows or agrees(rows[-1], game.rules, game.state):
            return Opened(start.version + len(rows), game, table.seating)
    except Exception:  # whatever is wrong with what was kept: it can be made anew
        log.info("What was kept of table %s cannot be read.", table.pk, exc_info=True)
    return rebuilt(table)


_SINCE = Prepared(
    lambda table, number: Move.objects.filter(table=table, number__gt=number), int, int
)


def beginning(table: Table) -> Opened:
    """A table's game before its own actions, and the number its log begins after."""
    game = fresh(table)
    return Opened(len(game.log), game, table.seating)


def _resumed(table: Table, start: Opened, rows: Sequence[Move]) -> Game:
    """Going on by what was kept beside the actions."""
    game = start.game.copy()
    stamp = archive.stamp(game.rules)
    kept = table.snapshots.filter(number__gt=start.version, stamp=stamp)
    # A few more of a game that is open are played as quickly as a state is read.
    few = start.version > 0 and len(rows) < archive.SPACING
    states = {} if few else {n: bytes(state) for n, state in kept.values_list("number", "state")}

    def stored() -> Iterator[Stored]:
        for row in rows:
            snapshot: Callable[[], State | None] | None = None
            if row.number in states:
                snapshot = partial(_unpacked, game, row, states[row.number])
            events = archive.read_events(row.events)
            yield Stored(archive.read_action(row.action), events, snapshot, row.recorded)

    game.resume(stored())
    return game


def _unpacked(game: Game, row: Move, raw: bytes) -> State | None:
    """A kept state, if it is the one that belongs to a row and has the players' present names."""
    try:
        state = archive.unpack_state(game.rules, raw)
    except Exception:  # damaged, or written by a program that is no more
        return None
    called = {k: p.name for k, p in state.players.items()}
    as_now = called == {k: p.name for k, p in game.start.players.items()}
    return state if as_now and agrees(row, game.rules, state) else None


def agrees(row: Move, rules: Rules[Any], state: State) -> bool:
    """Whether a state is that of a row, names aside, as far as it can be told."""
    written = row.stamp == archive.stamp(rules)
    if written and row.state_hash == hash_state(state):
        return True
    same = archive.same_position(row.position, rules, state)
    return not written if same is None else same


def rename(table: Table) -> None:
    """Write the players' present names into the states that are kept, so that they stay of use."""
    game = fresh(table)
    names = {key: p.name for key, p in game.start.players.items()}
    for kept in table.snapshots.filter(stamp=archive.stamp(game.rules)):
        try:
            state = archive.unpack_state(game.rules, bytes(kept.state)).fork()
        except Exception:  # damaged: of no use, and no reason to keep somebody from a seat
            kept.delete()
            continue
        state.players = {k: replace(p, name=names[k]) for k, p in state.players.items()}
        kept.state = archive.pack_state(state.seal())
        kept.save(update_fields=["state"])
    table.seating += 1
    table.save(update_fields=["seating"])


# making anew


def rebuilt(table: Table) -> Opened:
    """The game from its actions alone; what follows from them is written down anew.

    Raises :class:`Held`.
    """
    rows = list(table.moves.all())
    if table.parent_id is not None:
        rows, game = _as_far_as_it_goes(table, rows)
    else:
        game = replayed(table, rows)
    rewrite(table, rows, game)
    return Opened(len(game.log), game, table.seating)


def _as_far_as_it_goes(table: Table, rows: list[Move]) -> tuple[list[Move], Game]:
    """A branch up to the first action that cannot be done any more; the rest is put aside."""
    begun = fresh(table)
    try:
        return rows, replayed(table, rows, same=False, begun=begun)
    except Held as fault:
        from ..study.aside import put_aside  # it keeps branches by this module

        fit = [row for row in rows if row.number < fault.number]
        put_aside(table, rows[len(fit) :], fault)
        return fit, replayed(table, fit, same=False, begun=begun)


def replayed(
    table: Table,
    rows: Sequence[Move],
    revision: int | None = None,
    *,
    same: bool = True,
    begun: Game | None = None,
) -> Game:
    """A game played from its actions by the rules as they are now, under its own rules revision or
    another, or on from where it had ``begun``. Raises :class:`Held` at the first action that is not
    legal or, if it is to be the ``same`` game, leads to another position than it did."""
    game = (begun or fresh(table, revision)).copy()
    base = len(game.log)
    actions = [archive.read_action(row.action) for row in rows]
    counts = counting(actions)
    for place, (row, action) in enumerate(zip(rows, actions, strict=True)):
        undone = row.recorded and place not in counts
        try:
            if base + place == len(game.log):  # else the game itself has added it
                game.apply(action, recorded=row.recorded, undone=undone)
        except (IllegalAction, BrokenInvariant) as fault:
            raise Held(row.number, f"{action.type}: {fault}") from fault
        entry = game.log[base + place]
        if type(entry.action) is not type(action):
            raise Held(row.number, f"{entry.action.type} where {action.type} was")
        if same and not agrees(row, game.rules, entry.state):
            raise Held(row.number, f"{action.type} leads to another position")
    if len(game.log) > base + len(rows):
        raise Held(base + len(rows) + 1, f"{game.log[-1].action.type} where nothing was")
    return game


def rewrite(table: Table, rows: Sequence[Move], game: Game) -> None:
    """Write down anew what follows from the actions."""
    own = game.log[len(game.log) - len(rows) :]
    for row, entry in zip(rows, own, strict=True):
        for name, value in derived(game.rules, entry).items():
            setattr(row, name, value)
    with transaction.atomic():
        Move.objects.bulk_update(rows, _DERIVED, batch_size=100)
        table.snapshots.all().delete()
        Snapshot.objects.bulk_create(snapshots_of(table, game, len(rows)), batch_size=50)
