"""Seats played by the server: when a bot is waited for it acts, until somebody else is.

What a bot does follows from the table's seed and version alone, so two processes that come to it at
once mean the same, and one of them is told that it was too late.
"""

from __future__ import annotations

import logging
import queue
import threading
from random import Random

from django.db import connections, transaction

from ...bots import POLICIES
from ...game import Game
from ...model.actions import Action, player_key
from ...model.choices import Choice
from ...selfplay import Policy
from ..models import Place, Table
from .faults import Refused
from .rights import decides

#: The policy of a new bot; its name is kept with the seat.
USUAL = "thrifty"
NAMES = ("Boiler", "Tender", "Piston", "Semaphore", "Turntable", "Caboose", "Whistle", "Ballast",
         "Gantry", "Footplate", "Tunnel", "Viaduct")  # fmt: skip
#: Actions a bot makes at once at most.
_MOST = 400

log = logging.getLogger(__name__)


def play(table_id: int) -> int:
    """Act for the bots of a table as long as one is waited for; returns how often."""
    for count in range(_MOST):
        if not _play_once(table_id):
            return count
    log.warning("The bots of table %s stopped after %s actions.", table_id, _MOST)
    return _MOST


def _play_once(table_id: int) -> bool:
    from .acting import carry_out
    from .shelf import open_game

    with transaction.atomic():
        table = Table.objects.select_for_update().filter(pk=table_id).first()
        if table is None or table.status != Table.Status.RUNNING:
            return False
        policy = next((p.bot for p in table.places.all() if p.bot and p.key in table.acting), "")
        if not policy:
            return False
        game = open_game(table).game.copy()
        action = choose(game, _keys(table), POLICIES.get(policy, POLICIES[USUAL]), _luck(table))
        if action is None:
            return False
        try:
            carry_out(table, game, None, action)
        except Refused:
            log.exception("A bot of table %s meant to do what is not allowed.", table_id)
            return False
        return True


def _keys(table: Table) -> frozenset[str]:
    return frozenset(player_key(p.key) for p in table.places.all() if p.bot)


def _luck(table: Table) -> Random:
    return Random(f"{table.seed}:{table.version}")


def choose(game: Game, bots: frozenset[str], policy: Policy, rng: Random) -> Action | None:
    """What the bots of a game do now; None if only others can go on."""
    choices = [c for c in game.choices() if bots & decides(game, c.actor)]
    free = [c for c in choices if not _concerns_others(game, c, bots)] or choices
    action = None
    while free:
        action = policy(game, free, rng)
        if not _leads_astray(game, action, bots):
            break
        free = [c for c in free if not c.covers(action)]
    return action


def _concerns_others(game: Game, choice: Choice, bots: frozenset[str]) -> bool:
    return not bots.issuperset(game.rules.concerned(game.state, choice.action))


def _leads_astray(game: Game, action: Action, bots: frozenset[str]) -> bool:
    """Whether only what somebody else would have to agree to is left after an action."""
    twin = game.copy()
    twin.apply(action)
    left = [c for c in twin.choices() if bots & decides(twin, c.actor)]
    return bool(left) and all(_concerns_others(twin, c, bots) for c in left)


# in the background


class Worker(threading.Thread):
    """Plays the bots of this process's tables, one table after the other."""

    def __init__(self) -> None:
        super().__init__(name="roundhouse-bots", daemon=True)
        self.tables: queue.SimpleQueue[int] = queue.SimpleQueue()

    def run(self) -> None:
        while True:
            table = self.tables.get()
            try:
                play(table)
            except Exception:  # the table waits; the next action or start tries again
                log.exception("The bots of table %s have stopped.", table)
            finally:
                connections.close_all()


_worker: Worker | None = None
_starting = threading.Lock()


def wake(table_id: int) -> None:
    """Let the bots of a table act soon."""
    global _worker
    with _starting:
        if _worker is None or not _worker.is_alive():
            _worker = Worker()
            _worker.start()
    _worker.tables.put(table_id)


def wake_after(table: Table) -> None:
    """Let the bots of a table act once what was done is in the database."""
    if any(p.bot and p.key in table.acting for p in table.places.all()):
        pk = table.pk
        transaction.on_commit(lambda: wake(pk))


def wake_all() -> None:
    """After a start: all tables whose bots are waited for."""
    seats = Place.objects.exclude(bot="")
    for table in Table.objects.filter(status=Table.Status.RUNNING, places__in=seats).distinct():
        wake(table.pk)
