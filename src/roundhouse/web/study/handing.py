"""A branch handed over to its game, action by action, as far as it fits.

What others do in the branch must have happened likewise in the game: it fits where it led to the
same state. From where the game stands now on, only what is one's own to decide is handed over, and
only while one is on turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from ...dealing import concerned
from ...deciding import waited_for
from ...game import Game
from ...history import Entry
from ...model.actions import Action, Log, Message
from ...model.errors import IllegalAction
from ..models import Table
from ..page.log import sentences_of
from ..promises.managing import plan_turn
from ..tables import Refused, Stale, decides, my_keys, open_game, submit
from ..tables.log import beginning
from .rows import bare


class Step(Struct):
    """An action of the branch: ``done`` likewise in the game, ``ready`` to be handed over,
    ``waits`` for others, no longer ``fits not``, or comes ``later`` than that."""

    id: int
    text: str
    state: str
    note: str = ""


class Handing(Struct):
    """How a branch fits the game as it stands; ``ready``: actions that may be handed over now;
    ``plan``: one's next turn after what others would have to do first; ``why`` it ends."""

    version: int
    steps: list[Step]
    ready: list[Action]
    plan: list[Action]
    why: str = ""


class Fit(Struct):
    """What is known of the first action that is neither done nor ready."""

    state: str
    why: str


def handing_of(branch: Table, user: Any) -> Handing:
    """How a branch fits its game now, for somebody at that game's table."""
    root = branch.root
    opened, game = open_game(root), open_game(branch).game
    base = beginning(branch).game
    begun = len(base.history)
    own = [e for e in game.history[begun:] if not _words(e)]
    mine = my_keys(root, user)
    done, stop = _likewise(opened.game, base, own)
    ready, stop = (0, stop) if stop else _fitting(opened.game, own[done:], mine)
    rest = own[done + ready :]
    plan = _plan(game, rest, mine) if stop and stop.state == "waits" else []
    return Handing(
        opened.version,
        list(_steps(game, own, done, ready, stop)),
        [bare(e.action) for e in own[done : done + ready]],
        plan if not root.hotseat else [],
        stop.why if stop else "",
    )


def _words(entry: Entry) -> bool:
    return isinstance(entry.action, Message | Log)


def _likewise(live: Game, base: Game, own: list[Entry]) -> tuple[int, Fit | None]:
    """How many actions have happened likewise, and why no more if the game went another way."""
    happened = [e for e in live.history if not _words(e)]
    before = [e for e in base.history if not _words(e)]
    if [e.action for e in happened[: len(before)]] != [e.action for e in before]:
        return 0, Fit("fits not", "The game was taken back to before this branch begins.")
    for number, (there, here) in enumerate(zip(happened[len(before) :], own, strict=False)):
        if there.state != here.state:
            told = f"The game went another way: “{_told(live, there)}”"
            return number, Fit("fits not", told)
    return min(len(own), len(happened) - len(before)), None


def _fitting(live: Game, rest: list[Entry], mine: frozenset[str]) -> tuple[int, Fit | None]:
    """How many of the next actions may be handed over one after the other, and why no more."""
    twin = live.copy()
    for number, entry in enumerate(rest):
        stop = _stop(twin, entry.action, mine)
        if stop is not None:
            return number, stop
        asked = set(concerned(twin.rules, twin.state, entry.action)) - mine
        twin.apply(bare(entry.action))
        if asked and number + 1 < len(rest):
            return number + 1, Fit("waits", "Others have a say in the last of these.")
    return len(rest), None


def _stop(game: Game, action: Action, mine: frozenset[str]) -> Fit | None:
    """Why an action is not to be handed over in a game as it stands."""
    if game.finished:
        return Fit("fits not", "The game is over.")
    if not mine:
        return Fit("fits not", "You have no seat in the game.")
    deciding = decides(game, action.actor)
    if not mine & deciding & waited_for(game):
        players = game.state.players
        names = " and ".join(sorted(players[k].name for k in deciding or waited_for(game)))
        return Fit("waits", f"This is {names}’s to decide, and has to happen in the game first.")
    fault = game.why_not(bare(action))
    return Fit("fits not", f"It does not fit any more: {fault.message}") if fault else None


def _plan(game: Game, rest: list[Entry], mine: frozenset[str]) -> list[Action]:
    """The next turn of one's own in the branch."""
    found: list[Action] = []
    for entry in rest:
        own = bool(mine & decides(_before(game, entry), entry.action.actor))
        if found and not own:
            break
        if own:
            found.append(bare(entry.action))
    return found


def _before(game: Game, entry: Entry) -> Game:
    """The game as an action met it."""
    place = game.history.index(entry)
    return game.at(game.history[place - 1].action.id or 0) if place else game.at(0)


def _steps(game: Game, own: list[Entry], done: int, ready: int, stop: Fit | None) -> Iterator[Step]:
    for number, entry in enumerate(own):
        state, note = "later", ""
        if number < done:
            state = "done"
        elif number < done + ready:
            state = "ready"
        elif number == done + ready and stop:
            state, note = stop.state, stop.why
        yield Step(entry.action.id or 0, _told(game, entry), state, note)


def _told(game: Game, entry: Entry) -> str:
    return " ".join(sentences_of(game, entry))


# handing over


def hand_over(branch: Table, user: Any, version: int | None, count: int) -> tuple[int, str]:
    """Do what is ready in the game, ``count`` actions at most; how many were done, and why no more
    were. Raises :class:`Stale` if the game has moved on since ``version``."""
    handing, root = handing_of(branch, user), branch.root
    if version != handing.version:
        raise Stale("The game has moved on: look again at what fits.", "stale")
    for number, action in enumerate(handing.ready[:count]):
        try:
            after = submit(root.pk, user, action, version)
        except (Refused, IllegalAction) as fault:
            return number, str(fault)
        if after.version == version:
            return number, "The others are asked first."
        version = after.version
    return min(count, len(handing.ready)), ""


def promise(branch: Table, user: Any) -> None:
    """Promise one's next turn in the game as it is in the branch. Raises :class:`Refused`."""
    handing = handing_of(branch, user)
    if not handing.plan:
        raise Refused("There is no turn of yours to promise.", "no_plan")
    plan_turn(branch.root.pk, user, tuple(handing.plan))
