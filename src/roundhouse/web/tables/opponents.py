"""Who plays a seat of the server's: our players by level, and the engines of the house.

What a seat is played by is kept with it as a word: a player's name and its level behind a colon
(``magnate:club``), or ``engine:`` and the name the host has given a program
(``ROUNDHOUSE_ENGINES``).
"""

from __future__ import annotations

from functools import lru_cache

from django.conf import settings

from ...bots import LEVELS, Magnate, Player, player
from ...lessons import lesson_of
from ...model.actions import player_key
from ...titles.title import find_title
from ..models import Table
from .engines import Hired
from .faults import Refused
from .teaching import Teacher

#: How a seat is played unless somebody chooses.
USUAL = f"{Magnate.name}:club"
#: What comes before the name of an engine of the house.
ENGINE = "engine:"
#: A seat of a guided game, played as its lesson says; nobody can ask for one at another table.
LESSON = "lesson"
#: What our players are called at the table.
_OURS = {f"{Magnate.name}:{level}": level for level in LEVELS} | {
    "thrifty": "beginner",
    "lively": "random",
}
#: The usual one first, as it is proposed first.
_CALLED = {USUAL: _OURS[USUAL]} | _OURS


def kinds() -> dict[str, str]:
    """What a seat may be played by, and how that is called; the usual first."""
    return _CALLED | {f"{ENGINE}{name}": name for name in settings.ENGINES}


def called(bot: str) -> str:
    """What is shown at a seat; of a program that is no more, its name."""
    return kinds().get(bot, bot.removeprefix(ENGINE))


def teaching(table: Table) -> bool:
    """Whether a table plays a lesson."""
    return any(p.bot == LESSON for p in table.all_places)


def checked(kind: str) -> str:
    """A kind somebody has asked for; empty: the usual. Raises :class:`Refused`."""
    if kind and kind not in kinds():
        raise Refused(f"There is no bot {kind[:40]!r}.", "no_bot")
    return kind or USUAL


def named(bot: str, seed: str | int = 0) -> Player:
    """The player of a seat. Where there is none of that name any more it is the usual one."""
    return _known(bot, int(seed))


@lru_cache(maxsize=64)
def _known(bot: str, seed: int) -> Player:
    """Kept, as what a player has thought of a game spares work and changes nothing."""
    if bot.removeprefix(ENGINE) in settings.ENGINES and bot.startswith(ENGINE):
        return Hired(bot.removeprefix(ENGINE), _known(USUAL, seed))
    name, _, level = bot.partition(":")
    try:
        return player(name, level, seed=seed)
    except ValueError:
        return _known(USUAL, seed)


def players_of(table: Table) -> dict[str, Player]:
    """The players of the seats the server plays, by key."""
    found = {player_key(p.key): named(p.bot, table.seed) for p in table.all_places if p.bot}
    lesson = lesson_of(find_title(table.title)) if teaching(table) else None
    if lesson is None:
        return found
    return {key: Teacher(lesson, player) for key, player in found.items()}
