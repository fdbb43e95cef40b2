"""Seats played by the server: when a bot is waited for it acts, until somebody else is.

What a bot does follows from the table's seed and version alone, so two processes that come to it at
once mean the same, and one of them is told that it was too late. Bots deal with each other and with
people by what a deal is worth to them (:mod:`roundhouse.dealing`): they answer what they are asked,
and ask people before they take what those have a say in.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence

from django.db import transaction

from ...bots import Player
from ...bots.together import decide, waited
from ...dealing import IMPOSSIBLE, Answer, Dealers, concerned
from ...engines import EngineFault
from ...game import Game
from ...model.actions import Action, player_key
from ...sentences.buttons import money
from .. import clock
from ..deals.models import Deal, question_of
from ..live import announce
from ..models import Place, Table
from ..presence import watched
from . import pauses
from .assistance import Aid, may
from .cache import open_game
from .faults import Refused
from .opponents import ENGINE, USUAL, called, players_of
from .rights import present

#: What bots are called.
NAMES = ("Boiler", "Tender", "Piston", "Semaphore", "Turntable", "Caboose", "Whistle", "Ballast",
         "Gantry", "Footplate", "Tunnel", "Viaduct")  # fmt: skip
#: Seconds, and actions, after which the bots of a table let those of others act.
SLICE, _MOST = 1.0, 50
#: Priorities of tasks: bots somebody plays with or looks at go before all, others after all.
_FIRST, _ALONE = 20, -15

log = logging.getLogger(__name__)


# acting


def play(table_id: int, version: int | None = None) -> int:
    """Act for the bots of a table as long as one is waited for and does not take its time; returns
    how often. After a while another task goes on, so that other tables have their turn.
    ``version``: only if the table still stands there; who moved it on has woken the bots."""
    until, count = clock.machine() + SLICE, 0
    while (table := Table.objects.filter(pk=table_id).first()) is not None:
        if not count and version not in (None, table.version):
            break
        if count and (count >= _MOST or clock.machine() >= until):
            go_on(table)
            break
        if not _play_once(table):
            break
        count += 1
    return count


def _play_once(table: Table) -> bool:
    """One action of a bot, thought out while nobody has to wait; False: there is none yet."""
    if not _waited_for(table) or _has_asked(table):
        return False
    game = open_game(table).game.copy()
    seconds = pauses.left(table, game.choices())
    if seconds > 0:
        wake_later(table.pk, table.version, seconds)
        return False
    players = players_of(table)
    try:
        action = choose(game, players, asking=_may_ask(table))
    except EngineFault as fault:
        return _go_on_without(table, waited(game, players), fault)
    return action is not None and _carry_out(table, action)


def _go_on_without(thought_at: Table, who: str | None, fault: EngineFault) -> bool:
    """A player of ours takes over the seat of an engine that is given up, and says so."""
    from ..seats.changing import play_on
    from ..seats.models import How
    from ..talk.saying import write

    log.warning("Table %s: %s", thought_at.pk, fault)
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=thought_at.pk)
        place = next((p for p in table.all_places if player_key(p.key) == who), None)
        if place is None or not place.bot.startswith(ENGINE):
            return table.version != thought_at.version
        text = f"{fault} A bot of ours ({called(USUAL)}) plays on for it."
        play_on(place, USUAL, How.ENGINE)
        announce(table, nudge=True)
        write(table, None, text, place)
    return True


def _waited_for(table: Table) -> Place | None:
    """The seat of a bot that is waited for."""
    if table.status != Table.Status.RUNNING:
        return None
    return next((p for p in table.all_places if p.bot and p.key in table.acting), None)


def choose(game: Game, players: Mapping[str, Player], *, asking: bool = False) -> Action | None:
    """What the bots of a game do now; None if only others can go on. ``asking``: it may be
    something people have to be asked about."""
    decision = decide(game, players, asking=asking)
    if decision is None:
        return None
    return Dealers(players, proposing=asking).complete(game, decision.action)


def _carry_out(thought_at: Table, action: Action) -> bool:
    """Do what a bot means to do, or ask the people who have a say in it; False: it was not done."""
    from .acting import carry_out

    with transaction.atomic():
        table = Table.objects.select_for_update().filter(pk=thought_at.pk).first()
        if table is None:
            return False
        if table.version != thought_at.version:
            return True  # somebody was faster: think again
        game = open_game(table).game.copy()
        if _may_ask(table) and (people := _people(table, game, action)):
            return _ask(table, action, people)
        try:
            carry_out(table, game, None, action)
        except Refused:
            log.exception("A bot of table %s meant to do what is not allowed.", table.pk)
            return False
    return True


# dealing with people


def check_agreed(
    table: Table, game: Game, about: Sequence[Action], places: Iterable[Place]
) -> None:
    """Raise :class:`Refused` unless the bots of some places agree to actions that follow one
    another."""
    twin = game.copy()
    asked = list(places)
    for n, action in enumerate(about):
        dealers = Dealers(players_of(table))
        for place in asked:
            if player_key(place.key) not in concerned(game.rules, game.state, action):
                continue
            answer = dealers.answer(twin, action, player_key(place.key))
            if not answer.yes:
                raise Refused(_no(table, place, game, answer), "no_consent")
        if asked and n + 1 < len(about):
            twin.apply(action)


def _no(table: Table, place: Place, game: Game, answer: Answer) -> str:
    if answer.gain == IMPOSSIBLE or not may(table, Aid.ADVICE):
        return f"{place.name} does not agree."
    loss = money(game.rules, max(1, round(-answer.gain)))
    return f"{place.name} does not agree: by its reckoning it would lose {loss} by that."


def _may_ask(table: Table) -> bool:
    """Whether bots may ask people: not where a seat is empty, and after a no not again in that
    round."""
    somebody = all(p.bot or p.user_id for p in table.all_places)
    return somebody and table.declined != table.round


def _has_asked(table: Table) -> bool:
    """Whether people think about what a bot would like to do."""
    return Deal.objects.filter(table=table, now=True, by=None, state=Deal.State.OPEN).exists()


def _people(table: Table, game: Game, action: Action) -> list[Place]:
    keys = Dealers(players_of(table)).asked(game, action)
    return [p for p in table.all_places if player_key(p.key) in keys]


def _ask(table: Table, action: Action, people: list[Place]) -> bool:
    from .consent import ask

    ask(table, None, action, people, _waited_for(table))
    return False


def take_no(table: Table) -> None:
    """Where a bot's question was answered with a no it goes on without, and asks nothing more in
    that round; the table's row is locked."""
    question = question_of(table)
    if question is not None and question.by_id is None and not question.open:
        table.declined = table.round
        table.save(update_fields=["declined"])
        wake_after(table)


# in the background


def wake(table: Table) -> None:
    """Let the bots of a table act soon; a worker does it once what was done is in the database."""
    from ..tasks import play_bots

    play_bots.using(priority=_priority(table)).enqueue(table.pk)


def go_on(table: Table) -> None:
    """Let the bots of a table act once others have had their turn, if nothing has happened there by
    then: should two tasks come to a table, only one of them goes on."""
    from ..tasks import play_bots

    if _waited_for(table):
        play_bots.using(priority=_priority(table)).enqueue(table.pk, table.version)


def _priority(table: Table) -> int:
    return _FIRST if present(table) or watched(table) else _ALONE


def wake_later(table_id: int, version: int, seconds: float) -> None:
    """Let the bots of a table act in a while, if nothing has happened there by then."""
    from ..tasks import play_bots, soon

    play_bots.using(run_after=soon(seconds)).enqueue(table_id, version)


def wake_after(table: Table) -> None:
    """Let the bots of a table act once what was done is in the database."""
    if _waited_for(table):
        wake(table)


def wake_all() -> None:
    """After a start: all tables whose bots are waited for."""
    seats = Place.objects.exclude(bot="")
    for table in Table.objects.filter(status=Table.Status.RUNNING, places__in=seats).distinct():
        wake(table)
