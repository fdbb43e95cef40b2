"""Taking finished games into the index: each once, when it is over, or was before there was one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import F, Q

from ...canonical import VERSION, canonical_hash, canonical_move, seats_of
from ...game import Game
from ...history import Entry
from ...model.actions import Log, Message, Program, ProgramDisable
from ...model.codec import hash_bytes
from ...model.records import State
from ...rounds.rules import Rules
from ...sentences.buttons import Wording, doing, money
from ..models import Table
from ..tables import Held, open_game
from .models import Indexed, Moment

#: What is no decision.
_ASIDE = (Message, Log, Program, ProgramDisable)
#: Games that are begun with at once.
_FEW = 3


def due() -> Any:
    """Tables whose game is over and not in the index as it ended, branches aside."""
    told = Q(indexed__version=F("version"), indexed__telling=VERSION)
    return Table.objects.games().filter(status=Table.Status.FINISHED).exclude(told)


def index_due() -> int:
    """Have a worker index a few of the games that are due; how many."""
    from .tasks import index_game  # which queue there is is known later than this module

    found = list(due().values_list("pk", flat=True)[:_FEW])
    for pk in found:
        if _claimed(pk):
            index_game.enqueue(pk)
    return len(found)


@transaction.atomic
def _claimed(pk: int) -> bool:
    """Whether it is for us to index a game: it was due, and is not any more."""
    table = due().select_for_update(of=("self",)).filter(pk=pk).first()
    if table is None:
        return False
    given = {"version": table.version, "telling": VERSION}
    Indexed.objects.update_or_create(table=table, defaults=given)
    return True


def index(pk: int) -> int:
    """Take a finished game into the index, instead of what was there of it; how many decisions it
    has."""
    table = Table.objects.games().filter(pk=pk, status=Table.Status.FINISHED).first()
    if table is None:
        return 0
    try:
        game = open_game(table).game
    except Held:
        return 0
    rows = [Moment(table=table, **row) for row in moments_of(game)]
    start = canonical_hash(game.rules, game.start)
    with transaction.atomic():
        given = {"version": table.version, "telling": VERSION, "start": start}
        Indexed.objects.update_or_create(table=table, defaults=given)
        Moment.objects.filter(table=table).delete()
        Moment.objects.bulk_create(rows, batch_size=500)
    return len(rows)


def moments_of(game: Game) -> Iterator[dict[str, Any]]:
    """The decisions of a game, as the index keeps them."""
    scores = {k: game.rules.value(game.state, k) for k in game.state.players}
    ranks = {k: 1 + sum(other > own for other in scores.values()) for k, own in scores.items()}
    before, here = game.start, canonical_hash(game.rules, game.start)
    for entry in game.history:
        if isinstance(entry.action, _ASIDE):
            continue
        after = canonical_hash(game.rules, entry.state)
        who = _decider(game, before, entry)
        if who in ranks:
            yield {
                "position": here,
                "after": after,
                "action": entry.action.id or 0,
                "move": move_key(game.rules, before, entry),
                "words": words_of(game.rules, before, entry),
                "rank": ranks[who],
                "seats": len(ranks),
            }
        before, here = entry.state, after


def _decider(game: Game, s: State, entry: Entry) -> str:
    """The player who decided."""
    actor = entry.action.actor
    return actor if actor in s.players else game.rules.president(s, actor) or ""


def move_key(rules: Rules[Any], s: State, entry: Entry) -> str:
    """A move by its hash."""
    return hash_bytes(canonical_move(rules, s, entry.action).encode())


def words_of(rules: Rules[Any], s: State, entry: Entry) -> str:
    """A move in words, in which players are seats."""
    action, called = entry.action, nameless(rules, s)
    try:
        label = Wording(rules, called).label(action)
    except (KeyError, IndexError, AttributeError):
        label = ""
    price = rules.facts.paid(s, action)
    cost = f" for {money(rules, price)}" if price else ""
    by = "" if action.actor in s.players else f" ({action.entity})"
    kind = doing(action)
    what = kind if label.casefold() in (kind.casefold(), "") else f"{kind}: {label}"
    return f"{what}{cost}{by}"[:200]


def nameless(rules: Rules[Any], s: State) -> State:
    """A state in which players are called by their seats, from whoever has to act."""
    seats = seats_of(rules, s)
    new = s.fork()
    new.players = {
        k: msgspec.structs.replace(p, name=f"seat {seats[k]}") for k, p in s.players.items()
    }
    return new.seal()
