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

from ...bots import LEVELS, Magnate, Player, player
from ...bots.together import decide
from ...dealing import IMPOSSIBLE, Answer, Dealers
from ...game import Game
from ...model.actions import Action, player_key
from ...sentences.buttons import money
from ..models import Place, Question, Table
from .assistance import Aid, may
from .cache import open_game
from .faults import Refused

#: The player of a new bot; its name, and its level behind a colon, are kept with the seat.
USUAL = "thrifty"
#: What a new bot may be, and how that is called.
KINDS = {USUAL: USUAL, "lively": "lively"} | {
    f"{Magnate.name}:{level}": f"{Magnate.name}, {level}" for level in LEVELS
}
NAMES = ("Boiler", "Tender", "Piston", "Semaphore", "Turntable", "Caboose", "Whistle", "Ballast",
         "Gantry", "Footplate", "Tunnel", "Viaduct")  # fmt: skip
#: Actions a bot makes at once at most.
_MOST = 400

log = logging.getLogger(__name__)


# who plays


def named(bot: str, seed: str | int = 0) -> Player:
    """The player a seat's ``bot`` names: a name, and behind a colon a level. Where there is none of
    that name any more it is the usual one."""
    name, _, level = bot.partition(":")
    try:
        return player(name, level, seed=int(seed))
    except ValueError:
        return player(USUAL, seed=int(seed))


def players_of(table: Table) -> dict[str, Player]:
    """The players of the seats the server plays, by key."""
    return {player_key(p.key): named(p.bot, table.seed) for p in table.places.all() if p.bot}


# acting


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
    if table is None or not _waited_for(table) or _has_asked(table):
        return False
    game = open_game(table).game.copy()
    action = choose(game, players_of(table), asking=_may_ask(table))
    return action is not None and _carry_out(table, action)


def _waited_for(table: Table) -> Place | None:
    """The seat of a bot that is waited for."""
    if table.status != Table.Status.RUNNING:
        return None
    return next((p for p in table.places.all() if p.bot and p.key in table.acting), None)


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
            if player_key(place.key) not in game.rules.concerned(game.state, action):
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
    somebody = all(p.bot or p.user_id for p in table.places.all())
    return somebody and table.declined != table.round


def _has_asked(table: Table) -> bool:
    """Whether people think about what a bot would like to do."""
    return Question.objects.filter(table=table, by=None, refused="").exists()


def _people(table: Table, game: Game, action: Action) -> list[Place]:
    keys = Dealers(players_of(table)).asked(game, action)
    return [p for p in table.places.all() if player_key(p.key) in keys]


def _ask(table: Table, action: Action, people: list[Place]) -> bool:
    from .consent import ask

    ask(table, None, action, people, _waited_for(table))
    return False


def take_no(table: Table) -> None:
    """Where a bot's question was answered with a no it goes on without, and asks nothing more in
    that round; the table's row is locked."""
    if Question.objects.filter(table=table, by=None).exclude(refused="").exists():
        table.declined = table.round
        table.save(update_fields=["declined"])
        wake_after(table)


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
