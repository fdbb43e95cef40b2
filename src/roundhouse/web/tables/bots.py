"""Seats played by the server: when a bot is waited for it acts, until somebody else is.

What a bot does follows from the table's seed and version alone, so two processes that come to it at
once mean the same, and one of them is told that it was too late.
"""

from __future__ import annotations

import logging
from random import Random

from django.db import transaction

from ...bots import POLICIES
from ...deciding import decides
from ...game import Game
from ...model.actions import Action, player_key
from ...model.choices import Choice
from ...selfplay import Policy
from ..models import Place, Table
from .cache import open_game
from .faults import Refused

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
    """One action of a bot, thought out while nobody has to wait; False: there is none."""
    table = Table.objects.filter(pk=table_id).first()
    if table is None or not _waited_for(table):
        return False
    game = open_game(table).game.copy()
    policy = POLICIES.get(_waited_for(table), POLICIES[USUAL])
    action = choose(game, _keys(table), policy, _luck(table))
    return action is not None and _carry_out(table, action)


def _waited_for(table: Table) -> str:
    """The policy of a bot that is waited for; empty: none is."""
    if table.status != Table.Status.RUNNING:
        return ""
    return next((p.bot for p in table.places.all() if p.bot and p.key in table.acting), "")


def _carry_out(thought_at: Table, action: Action) -> bool:
    from .acting import carry_out

    with transaction.atomic():
        table = Table.objects.select_for_update().filter(pk=thought_at.pk).first()
        if table is None:
            return False
        if table.version != thought_at.version:
            return True  # somebody was faster: think again
        try:
            carry_out(table, open_game(table).game.copy(), None, action)
        except Refused:
            log.exception("A bot of table %s meant to do what is not allowed.", table.pk)
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


def wake(table_id: int) -> None:
    """Let the bots of a table act soon; a worker does it once what was done is in the database."""
    from ..tasks import play_bots

    play_bots.enqueue(table_id)


def wake_after(table: Table) -> None:
    """Let the bots of a table act once what was done is in the database."""
    if _waited_for(table):
        wake(table.pk)


def wake_all() -> None:
    """After a start: all tables whose bots are waited for."""
    seats = Place.objects.exclude(bot="")
    for table in Table.objects.filter(status=Table.Status.RUNNING, places__in=seats).distinct():
        wake(table.pk)
