"""What may be done with tables: one function each, holding permission, execution and record.

The pages, the admin and tests all come through here. Everything that changes a game goes through
:func:`submit`; of several submissions to one version exactly one wins.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone

from ..game import Game
from ..gamefile import MAX_SIZE
from ..model.actions import Action, Message, Redo, Undo, decode_action, player_key
from ..model.errors import GameFileError, IllegalAction, OptionError
from ..rounds.rules import Seat
from ..titles.title import find_title
from . import archive
from .live import announce
from .models import Move, Place, Snapshot, Table, UndoRequest
from .revision import REVISION


class Refused(Exception):
    """What somebody wanted is not possible; ``rule`` is a section of the rules, if it is one."""

    status = 422

    def __init__(self, sentence: str, code: str = "refused", rule: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.code = code
        self.rule = rule


class Stale(Refused):
    """The game has moved on since the page was made."""

    status = 409


class Forbidden(Refused):
    """The seat is somebody else's."""

    status = 403


# games in memory


class Opened(NamedTuple):
    """A game and the version of its table it stands at. Not to be changed: make a copy."""

    version: int
    game: Game


class Shelf:
    """The games used last, so that a request need not read one from the database."""

    def __init__(self, size: int = 64) -> None:
        self._size = size
        self._games: OrderedDict[int, Opened] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, table: int) -> Opened | None:
        with self._lock:
            found = self._games.get(table)
            if found is not None:
                self._games.move_to_end(table)
            return found

    def put(self, table: int, opened: Opened) -> None:
        with self._lock:
            old = self._games.get(table)
            if old is None or old.version <= opened.version:
                self._games[table] = opened
            self._games.move_to_end(table)
            while len(self._games) > self._size:
                self._games.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._games.clear()


shelf = Shelf()


def open_game(table: Table) -> Opened:
    """The game of a running or finished table, at least as far as ``table.version``."""
    found = shelf.get(table.pk)
    if found is None:
        found = _read(table, archive.StoredGame.of(fresh(table)), 0)
    elif found.version < table.version:
        game = found.game.copy()
        assert isinstance(game, archive.StoredGame)
        found = _read(table, game, found.version)
    else:
        return found
    shelf.put(table.pk, found)
    return found


def fresh(table: Table) -> Game:
    """The game of a table as it was before the first action."""
    title = find_title(table.title)
    seats = [Seat(p.key, p.name) for p in table.places.all()]
    return Game(
        title,
        seats,
        seed=int(table.seed),
        options=frozenset(table.options),
        id=table.file_id if table.file_id is not None else table.pk,
        description=table.description,
    )


def _read(table: Table, game: archive.StoredGame, since: int) -> Opened:
    rows = table.moves.filter(number__gt=since)
    kept = dict(table.snapshots.filter(number__gt=since).values_list("number", "state"))
    version = since
    for number, action, events, recorded in rows.values_list(
        "number", "action", "events", "recorded"
    ):
        known = None
        if number in kept:
            known = partial(archive.unpack_state, game.rules, bytes(kept[number]))
        game.take_in(archive.read_action(action), archive.read_events(events), known, recorded)
        version = number
    game.settle()
    return Opened(version, game)


# acting


def submit(
    table_id: int, user: Any, action: Action | Mapping[str, Any], version: int | None
) -> Table:
    """Carry out an action for a user who has seen ``version`` (None: whatever it is).

    Raises :class:`Stale`, :class:`Forbidden` or :class:`Refused`; nothing has happened then.
    """
    typed = _typed(action)
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=table_id)
        _check_fresh(table, typed, version)
        game = open_game(table).game.copy()
        if isinstance(typed, Undo | Redo):
            if not check_undo(table, game, user, typed):
                return _wish(table, user, typed)
        else:
            check_seat(table, game, user, typed)
        return _carry_out(table, game, user, typed)


def _typed(action: Action | Mapping[str, Any]) -> Action:
    if isinstance(action, Action):
        return action
    try:
        return decode_action(dict(action))
    except (ValueError, TypeError, RecursionError) as error:
        raise Refused(f"This is no action: {error}", "malformed") from error


def _check_fresh(table: Table, action: Action, version: int | None) -> None:
    if table.status == Table.Status.OPEN:
        raise Refused("The game has not begun yet.", "not_begun")
    if isinstance(action, Message) or version is None or version == table.version:
        return
    last = table.moves.last()
    who = last.user.get_username() if last and last.user else "somebody"
    kind = archive.read_action(last.action).type.replace("_", " ") if last else "action"
    raise Stale(
        f"The game has moved on: {who} was faster ({kind}). Look again and choose anew.", "stale"
    )


def _carry_out(table: Table, game: Game, user: Any, action: Action) -> Table:
    try:
        game.apply(action)
    except IllegalAction as fault:
        raise Refused(fault.message, fault.code, fault.rule) from fault
    entry = game.log[-1]
    table.version += 1
    Move.objects.create(
        table=table,
        number=table.version,
        action=archive.write_action(entry.action),
        events=archive.write_events(entry.events),
        state_hash=archive.hash_state(entry.state),
        user=user,
    )
    if table.version % archive.SPACING == 0:
        _snapshot(table, game, table.version)
    if not isinstance(action, Message):
        UndoRequest.objects.filter(table=table).delete()
    summarise(table, game)
    table.save()
    opened = Opened(table.version, game)
    transaction.on_commit(lambda: shelf.put(table.pk, opened))
    announce(table.pk, table.version)
    return table


def _snapshot(table: Table, game: Game, number: int) -> None:
    raw = archive.keeps(game.rules, game.state)
    if raw is not None:
        Snapshot.objects.create(table=table, number=number, state=raw)


def summarise(table: Table, game: Game) -> None:
    """Note on the table's row what the lobby shows."""
    acting = list(game.players_to_act)
    if acting != table.acting or game.finished:
        table.since = timezone.now()
    table.acting = acting
    table.round = round_name(game)
    table.status = Table.Status.FINISHED if game.finished else Table.Status.RUNNING
    table.result = {str(k): v for k, v in game.result().items()} if game.finished else {}


def round_name(game: Game) -> str:
    """The round in a word, such as ``OR 4.2``."""
    play, s = game.rules.play(game.state), game.state
    return f"{play.short} {s.turn}.{s.round.number}" if s.round.number else play.short


# rights


def may_see(table: Table, user: Any, key: str = "") -> bool:
    """Whether a user may look at a table: it is public, his, or he has the link."""
    if table.public or key == table.invite:
        return True
    return user.is_authenticated and (
        table.creator_id == user.pk or table.places.filter(user=user).exists()
    )


def my_places(table: Table, user: Any) -> list[Place]:
    """The places a user acts for: his own; in a hotseat game its creator's are all."""
    if not user.is_authenticated:
        return []
    all_mine = table.hotseat and table.creator_id == user.pk
    return [p for p in table.places.all() if all_mine or p.user_id == user.pk]


def my_keys(table: Table, user: Any) -> frozenset[str]:
    """The engine's keys of the players a user acts for."""
    return frozenset(player_key(p.key) for p in my_places(table, user))


def decides(game: Game, actor: str) -> frozenset[str]:
    """The players who may decide for an entity; where it has none, those the game waits for."""
    s = game.state
    leader = game.rules.president(s, actor) if _known(game, actor) else None
    if leader is not None and leader in s.players:
        return frozenset((leader,))
    return frozenset(player_key(p) for p in game.players_to_act) or frozenset(s.players)


def _known(game: Game, actor: str) -> bool:
    s = game.state
    company = actor.removeprefix("company:")
    return actor in s.players or actor in s.corporations or company in s.companies


def check_seat(table: Table, game: Game, user: Any, action: Action) -> None:
    """Raise :class:`Forbidden` unless the user acts for whoever decides."""
    mine = my_keys(table, user)
    if not mine:
        raise Forbidden("You have no seat at this table.", "no_seat")
    if not mine & decides(game, action.actor):
        raise Forbidden("This is not for you to decide.", "not_yours")


def check_undo(table: Table, game: Game, user: Any, action: Undo | Redo) -> bool:
    """Whether the policy of the table lets a user take back at once; False: others must agree.

    Raises :class:`Forbidden`.
    """
    if not my_places(table, user):
        raise Forbidden("You have no seat at this table.", "no_seat")
    if table.hotseat or table.undo == Table.Undo.FREE:
        return True
    if table.undo == Table.Undo.OWN:
        if isinstance(action, Undo) and action.action_id is not None:
            raise Forbidden("At this table only the last action may be taken back.", "policy")
        last = next((m for m in table.moves.reverse() if '"message"' not in m.action[:20]), None)
        if last is None or last.user_id != user.pk:
            raise Forbidden("You may only take back what you did yourself, last.", "policy")
        return True
    others = table.places.exclude(user=user).exclude(user=None)
    return not others.exists()


def _wish(table: Table, user: Any, action: Action) -> Table:
    place = my_places(table, user)[0]
    UndoRequest.objects.filter(table=table).delete()
    UndoRequest.objects.create(
        table=table, by=user, place=place, action=archive.write_action(action)
    )
    announce(table.pk, table.version, nudge=True)
    return table


def agree(table_id: int, user: Any, yes: bool) -> Table:
    """Answer a wish to take back; the last one to agree lets it happen."""
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=table_id)
        wish = UndoRequest.objects.filter(table=table).first()
        if wish is None:
            raise Refused("There is nothing to agree to any more.", "gone")
        if not my_places(table, user):
            raise Forbidden("You have no seat at this table.", "no_seat")
        if not yes:
            wish.delete()
            announce(table.pk, table.version, nudge=True)
            return table
        wish.agreed.add(user)
        asked = set(table.places.exclude(user=None).values_list("user", flat=True)) - {wish.by_id}
        if asked <= set(wish.agreed.values_list("pk", flat=True)):
            game = open_game(table).game.copy()
            return _carry_out(table, game, wish.by, archive.read_action(wish.action))
        announce(table.pk, table.version, nudge=True)
        return table


# setting up


class Plan(NamedTuple):
    """What a new table is to be."""

    title: str
    names: Sequence[str]
    options: Sequence[str] = ()
    seats: int = 0
    seed: int | None = None
    description: str = ""
    hotseat: bool = False
    public: bool = True
    undo: str = Table.Undo.FREE


def create(user: Any, plan: Plan) -> Table:
    """A new table. Hotseat: with all its names and begun at once; else open, the creator seated.

    Raises :class:`Refused` for options or numbers of players that do not go together.
    """
    try:
        title = find_title(plan.title)
        chosen = title.select(plan.options)
        title.rules(chosen, len(plan.names) if plan.hotseat else plan.seats)
    except OptionError as error:
        raise Refused(f"{error}.", "options") from error
    names = [n.strip() for n in plan.names if n.strip()]
    if len(set(names)) < len(names) or not names:
        raise Refused("Every player needs a name of his own.", "names")
    with transaction.atomic():
        table = Table.objects.create(
            title=title.id,
            options=sorted(chosen),
            seed=str(plan.seed if plan.seed is not None else _draw_seed()),
            description=plan.description,
            creator=user,
            hotseat=plan.hotseat,
            public=plan.public,
            undo=plan.undo,
            seats=len(names) if plan.hotseat else plan.seats,
            revision=REVISION,
        )
        for number, name in enumerate(names, start=1):
            Place.objects.create(table=table, number=number, key=number, name=name, user=user)
        if plan.hotseat:
            begin(table)
    return table


def _draw_seed() -> int:
    import secrets

    return secrets.randbelow(2**31)


def begin(table: Table) -> None:
    """Deal out the game."""
    table.seats = table.places.count()
    game = archive.StoredGame.of(fresh(table))
    summarise(table, game)
    table.save()
    shelf.put(table.pk, Opened(0, game))


def join(table_id: int, user: Any, key: str = "") -> Table:
    """Take a seat; with the last one the game begins."""
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=table_id)
        if not may_see(table, user, key):
            raise Forbidden("This table is by invitation.", "private")
        if table.status != Table.Status.OPEN:
            raise Refused("The game has begun already.", "begun")
        taken = list(table.places.all())
        if any(p.user_id == user.pk for p in taken):
            raise Refused("You sit here already.", "seated")
        number = max((p.number for p in taken), default=0) + 1
        Place.objects.create(
            table=table, number=number, key=number, name=user.get_username(), user=user
        )
        if len(taken) + 1 == table.seats:
            begin(table)
        announce(table.pk, table.version)
    return table


def leave(table_id: int, user: Any) -> None:
    """Give up a seat of a game that has not begun; the table goes with its last player."""
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=table_id)
        if table.status != Table.Status.OPEN:
            raise Refused("The game has begun; seats are for its whole length.", "begun")
        table.places.filter(user=user).delete()
        if not table.places.exists():
            table.delete()
        else:
            announce(table.pk, table.version)


def start(table_id: int, user: Any) -> Table:
    """The creator begins with the players there are."""
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=table_id)
        if table.creator_id != user.pk:
            raise Forbidden("Only who made the table may begin.", "not_yours")
        if table.status != Table.Status.OPEN:
            raise Refused("The game has begun already.", "begun")
        try:
            begin(table)
        except OptionError as error:
            raise Refused(f"{error}.", "players") from error
        announce(table.pk, table.version)
    return table


# files


def import_file(user: Any, raw: bytes, description: str = "") -> Table:
    """A table from a game file, its seats all the user's. A fault in the middle keeps what could
    be played and is noted in ``fault``. Raises :class:`Refused` where nothing can be."""
    from ..game import replay

    if len(raw) > MAX_SIZE:
        raise Refused("The file is too large.", "size")
    try:
        game, fault = replay(raw)
    except GameFileError as error:
        raise Refused(f"{error}.", "file") from error
    with transaction.atomic():
        table = Table.objects.create(
            title=game.title.id,
            options=sorted(game.options),
            seed=str(game.seed),
            file_id=game.id,
            description=description or f"Imported game {game.id}",
            creator=user,
            hotseat=True,
            public=False,
            seats=len(game.seats),
            revision=REVISION,
            imported=True,
            fault=str(fault or ""),
        )
        Place.objects.bulk_create(
            Place(table=table, number=n, key=s.id, name=s.name, user=user)
            for n, s in enumerate(game.seats, start=1)
        )
        _store_log(table, game)
        summarise(table, game)
        table.version = len(game.log)
        table.save()
    return table


def _store_log(table: Table, game: Game) -> None:
    moves, snapshots = [], []
    last = len(game.log)
    for number, entry in enumerate(game.log, start=1):
        moves.append(
            Move(
                table=table,
                number=number,
                action=archive.write_action(entry.action),
                events=archive.write_events(entry.events),
                state_hash=archive.hash_state(entry.state),
                recorded=True,
            )
        )
        if number % archive.SPACING == 0 or number == last:
            raw = archive.keeps(game.rules, entry.state)
            if raw is not None:
                snapshots.append(Snapshot(table=table, number=number, state=raw))
    Move.objects.bulk_create(moves, batch_size=500)
    Snapshot.objects.bulk_create(snapshots, batch_size=50)
