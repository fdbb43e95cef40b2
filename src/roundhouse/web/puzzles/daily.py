"""Puzzles come by themselves: a day that finds none left has some made, once."""

from __future__ import annotations

import logging
from datetime import date
from random import Random

from django.db import transaction

from ...bots import player
from ...creation import new
from ...game import Game
from ...model.errors import RoundhouseError
from ...selfplay import play_on
from ...titles.title import all_titles
from .. import clock
from ..models import Table
from ..tables import Held, open_game
from .composing import make_from, make_from_any
from .models import Making, Puzzle, Source
from .tasks import make_puzzles

log = logging.getLogger(__name__)

#: How far bots play a game for puzzles: in any title companies run by then.
_ACTIONS = 600
#: Seconds after which somebody else is asked, and how often.
_PATIENCE, _TRIES = 900, 3
_NAMES = ("Player 1", "Player 2", "Player 3")


def ask_for(day: date) -> None:
    """Have puzzles made for a day, unless somebody has asked already; again where nothing came of
    it for long, as whoever made them is gone."""
    with transaction.atomic():
        row, first = Making.objects.get_or_create(day=day, defaults={"asked": clock.machine()})
        if first or _given_up(row):
            transaction.on_commit(lambda: make_puzzles.enqueue(day.isoformat()))


def _given_up(row: Making) -> bool:
    """Whether this process is the one to ask once more."""
    if row.done or row.tries >= _TRIES:
        return False
    waited = Making.objects.filter(pk=row.pk, asked__lt=clock.machine() - _PATIENCE, done=False)
    return waited.update(asked=clock.machine(), tries=row.tries + 1) == 1


def being_made(day: date) -> bool:
    """Whether puzzles for a day may still come."""
    since = clock.machine() - _PATIENCE
    return Making.objects.filter(day=day, done=False, asked__gte=since).exists()


def make_for(day: date) -> None:
    """Make puzzles of the first of the server's finished public games that has any; of a game that
    bots play where there is none."""
    row = Making.objects.filter(day=day, done=False).first()
    if row is None:
        return
    try:
        # who died while he made them may have left some
        if not (Puzzle.objects.filter(day=None).exists() or _from_tables()):
            _from_bots(day)
    finally:
        row.done = True
        row.save()


def _from_tables() -> bool:
    """Whether a game that was not looked through before had puzzles."""
    found = Table.objects.games().filter(
        status=Table.Status.FINISHED, public=True, imported=False, puzzled=None
    )
    for table in found.order_by("pk"):
        Source.objects.get_or_create(table=table)
        try:
            if make_from(open_game(table).game):
                return True
        except (Held, RoundhouseError):
            log.exception("no puzzles of %s", table)
    return False


def _from_bots(day: date) -> None:
    """Puzzles of a game of bots: of another title each day, the next where it has none."""
    titles = sorted(all_titles())
    first = day.toordinal() % len(titles)
    for title in titles[first:] + titles[:first]:
        try:
            if make_from_any(played(title, day)):
                return
        except RoundhouseError:
            log.exception("no puzzles of a game of %s", title)


def played(title: str, day: date) -> Game:
    """A game that bots have played for a while, the same whenever it is asked for."""
    seed = day.toordinal()
    game = new(title, _NAMES, seed=seed)
    play_on(game, Random(seed), actions=_ACTIONS, policy=player(seed=seed))
    return game
