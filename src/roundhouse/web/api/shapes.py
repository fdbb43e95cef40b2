"""Tables, games and choices as the answers tell them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from django.db.models import QuerySet

from ...game import Game
from ...model.choices import Anything, Choice, Domain, Equal, Pick, Routes, Span
from ...model.codec import hash_state
from ...model.errors import IllegalAction
from ...sentences.buttons import Wording
from ...titles.title import Title
from ...trace import describe
from .. import archive
from ..deals.models import question_of as deal_asked
from ..models import Move, Table
from ..page import asking
from ..page.log import sentences_of
from ..tables import Opened, decides, my_places, open_game
from ..talk.models import Said
from . import bots

plain = msgspec.to_builtins


def table_of(table: Table, user: Any, programs: set[int] | None = None) -> dict[str, Any]:
    """A table as :class:`~.schemas.tables.TableOut`. ``programs``: bot accounts among its
    players."""
    places = list(table.all_places)
    if programs is None:
        programs = bots.bots_among({p.user_id for p in places if p.user_id})
    mine = {p.number for p in my_places(table, user)}
    check = getattr(table, "ready_check", None)
    seats = [
        {
            "number": p.number,
            "key": p.key,
            "name": p.name,
            "bot": "server" if p.bot else "account" if p.user_id in programs else None,
            "kind": p.bot,
            "mine": p.number in mine,
            "ready": check is not None and p.number in check.ready,
        }
        for p in places
    ]
    inside = bool(mine) or (user.is_authenticated and table.creator_id == user.pk)
    return {
        "id": table.pk,
        "title": table.title,
        "options": table.options,
        "description": table.description,
        "status": table.status,
        "version": table.version,
        "round": table.round,
        "acting": table.acting,
        "my_turn": my_turn(table, user),
        "seats": seats,
        "size": table.seats,
        "least": table.least,
        "pace": table.pace,
        "free": max(0, table.seats - len(places)),
        "creator": table.creator.get_username() if table.creator else None,
        "hotseat": table.hotseat,
        "public": table.public,
        "undo": table.undo,
        "assistance": table.assistance,
        "imported": table.imported,
        "revision": table.revision,
        "created": table.created,
        "since": table.since,
        "result": table.result,
        "invite": table.invite if inside else None,
        "asks_ready": check.until if check else None,
        "url": f"/table/{table.pk}/",
    }


def tables_of(found: QuerySet[Table], user: Any) -> list[dict[str, Any]]:
    """Several tables, with as many queries as for one."""
    rows = list(found.select_related("creator", "ready_check").prefetch_related("places"))
    users = {p.user_id for t in rows for p in t.all_places if p.user_id}
    programs = bots.bots_among(users)
    return [table_of(t, user, programs) for t in rows]


def my_turn(table: Table, user: Any) -> bool:
    """Whether the game waits for a user."""
    if table.status != Table.Status.RUNNING:
        return False
    return any(p.key in table.acting for p in my_places(table, user))


def standing(table: Table, user: Any) -> dict[str, Any]:
    """How far a game is, as :class:`~.schemas.play.Standing`."""
    begun = table.status != Table.Status.OPEN
    game = open_game(table).game if begun else None
    return {
        "table": table.pk,
        "version": table.version,
        "state": hash_state(game.state) if game else "",
        "status": table.status,
        "round": table.round,
        "acting": table.acting,
        "my_turn": my_turn(table, user),
        "question": question_of(table, game, user) if game else None,
    }


def question_of(table: Table, game: Game, user: Any) -> dict[str, Any] | None:
    """The question of a table, if there is one."""
    row = deal_asked(table)
    if row is None:
        return None
    asked = asking.told(row, table, game, user)
    return {
        "number": row.number,
        "text": asked.text,
        "action": plain(archive.read_action(row.action)),
        "asks_me": bool(asked.mine),
        "own": asked.own,
        "waiting": asked.waiting,
        "refused": asked.refused,
    }


def state_of(game: Game) -> dict[str, Any]:
    """The state of a game as traces write it, and everybody's worth."""
    return {
        "game": describe(game.rules, game.state),
        "worth": {str(k): v for k, v in game.result().items()},
    }


# choices


def choices_of(game: Game, mine: Iterable[str]) -> list[dict[str, Any]]:
    """Everything anybody may do now; ``mine``: keys of the players one acts for."""
    words, own = Wording(game.rules, game.state), frozenset(mine)
    return [
        {
            "type": c.type,
            "actor": c.actor,
            "mine": bool(own & decides(game, c.actor)),
            "text": words.of(c),
            "action": plain(c.action),
            "domains": domains_of(c),
        }
        for c in game.choices()
    ]


def domains_of(choice: Choice) -> Mapping[str, Any]:
    """The open fields of a choice."""
    return {name: domain_of(domain) for name, domain in choice.domains.items()}


def domain_of(domain: Domain) -> dict[str, Any]:
    """Which values a field may take."""
    match domain:
        case Span():
            low, high, step = domain.low, domain.high, domain.step
            return {"kind": "span", "low": low, "high": high, "step": step}
        case Equal():
            return {"kind": "equal", "values": plain(domain.alternatives)}
        case Pick():
            count, pool, fixed = domain.count, domain.pool, domain.fixed
            return {"kind": "pick", "count": count, "pool": pool, "fixed": fixed}
        case Routes():
            return {"kind": "routes"}
        case Anything():
            return {"kind": "anything"}
    return {"kind": "listed", "values": plain(tuple(domain.values()))}


def judgement(fault: IllegalAction) -> dict[str, Any]:
    """Why an action is not legal, as :class:`~.schemas.play.Judgement`."""
    return {"legal": False, "code": fault.code, "message": fault.message, "rule": fault.rule}


# what was done and said


def moves_of(opened: Opened, table: Table, since: int, limit: int) -> list[dict[str, Any]]:
    """Entries of a log after one, as :class:`~.schemas.play.MoveOut`."""
    game = opened.game
    rows = table.moves.filter(number__gt=since, number__lte=opened.version)
    line = frozenset(map(id, game.history))
    return [_move(game, row, line) for row in rows.select_related("user")[:limit]]


def _move(game: Game, row: Move, line: frozenset[int]) -> dict[str, Any]:
    entry = game.log[row.number - 1]
    return {
        "number": row.number,
        "action": plain(entry.action),
        "by": row.user.get_username() if row.user else None,
        "at": None if row.recorded else row.at,
        "counts": id(entry) in line,
        "told": [text for text in sentences_of(game, entry) if text],
    }


def line_of(said: Said) -> dict[str, Any]:
    """Something that was said, as :class:`~.schemas.talk.LineOut`."""
    return {
        "number": said.number,
        "room": said.room,
        "after": said.after,
        "name": said.who,
        "text": said.text,
        "at": said.at,
    }


# titles


def title_of(title: Title) -> dict[str, Any]:
    """A title as :class:`~.schemas.titles.TitleOut`."""
    game = title.box.game
    return {
        "id": title.id,
        "file_title": title.file_title,
        "name": game.name,
        "designer": game.designer,
        "location": game.location,
        "players_min": game.players.min,
        "players_max": game.players.max,
        "currency": game.currency,
        "options": plain(game.options),
        "presets": plain(game.presets),
        "revision": title.latest,
    }


def facts_of(title: Title) -> dict[str, Any]:
    """What is in a title's box, as :class:`~.schemas.titles.TitleFacts`."""
    box = title.box
    return title_of(title) | {
        "base": title.base.id if title.base else None,
        "game": plain(box.game),
        "trains": _listed(box.trains.values()),
        "phases": _listed(box.phases.values()),
        "companies": _listed(box.companies.values()),
        "corporations": _listed(box.corporations.values()),
        **{name: box.contents(f"{name}.json") for name in ("market", "map", "tiles")},
    }


def _listed(found: Iterable[Any]) -> Sequence[Any]:
    return [plain(one) for one in found]
