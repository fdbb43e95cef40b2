"""What programs hear over open lines: of one game, and of all games of an account; as lines of JSON
or as server-sent events."""

from __future__ import annotations

import json
import re
from collections.abc import Set
from typing import Any, Final, NamedTuple

from django.contrib.auth import get_user_model
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Q
from django.http import HttpRequest

from ..feeds import Feed, FeedResponse
from ..models import Table
from ..tables import Held, Opened, Refused, may_see, my_places, open_game
from ..talk import saying
from ..talk.models import Room
from . import shapes, tokens
from .models import Token

NDJSON: Final = "application/x-ndjson"
SSE: Final = "text/event-stream"


class Form:
    """How events are written: as lines of JSON, or as server-sent events."""

    def __init__(self, sse: bool) -> None:
        self.sse = sse
        self.content_type = SSE if sse else NDJSON
        self.nothing = ": still here\n\n" if sse else "\n"

    def write(self, event: dict[str, Any], seen: Seen | None = None) -> str:
        """An event; ``seen``: from where to go on if the line is cut after it."""
        raw = json.dumps(event, cls=DjangoJSONEncoder, ensure_ascii=False, separators=(",", ":"))
        if not self.sse:
            return f"{raw}\n"
        mark = "" if seen is None else f"id: {seen}\n"
        return f"event: {event['type']}\n{mark}data: {raw}\n\n"


def form_of(request: HttpRequest, wanted: str = "") -> Form:
    """The form a request asks for."""
    return Form(wanted == "sse" or (not wanted and SSE in request.headers.get("Accept", "")))


class Seen(NamedTuple):
    """What a program has seen of a game: its version, and the last line of chat; None: nothing."""

    version: int | None = None
    line: int | None = None

    def __str__(self) -> str:
        return f"{self.version or 0}.{self.line or 0}"

    @classmethod
    def of(cls, request: HttpRequest, since: int | None, heard: int | None) -> Seen:
        """As a request says, or the line it had when it was cut."""
        raw = request.headers.get("Last-Event-ID", "")
        cut = re.fullmatch(r"(\d{1,12})\.(\d{1,12})", raw, re.ASCII)
        last = cls(*map(int, cut.groups())) if cut else cls()
        return cls(last.version if since is None else since, last.line if heard is None else heard)


def answer(feed: Told) -> FeedResponse:
    """The answer whose body a feed is."""
    return FeedResponse(feed, feed.form.content_type)


class Told(Feed):
    """A feed in a form, to a user, as long as his token, or without one his account, is good."""

    def __init__(self, user: Any, token: Token | None, form: Form) -> None:
        self.user, self.token, self.form = user, token, form

    def nothing(self) -> str:
        return self.form.nothing

    @property
    def revoked(self) -> bool:
        """Whether what opened the line is good for nothing any more."""
        if self.token is None:
            good = get_user_model().objects.filter(pk=self.user.pk, is_active=True)
            return self.user.is_authenticated and not good.exists()
        rows = Token.objects.select_related("user__bot_account__owner")
        found = rows.filter(pk=self.token.pk).first()
        return found is None or not tokens.good(found)


class GameFeed(Told):
    """A game: first all of it (or what was missed), then every move, and whatever else changes."""

    def __init__(
        self, table: Table, user: Any, token: Token | None, form: Form, seen: Seen, invite: str = ""
    ) -> None:
        super().__init__(user, token, form)
        self.pk = table.pk
        self.seen = seen
        self.invite = invite
        self.others = -1
        self.status = ""

    @property
    def tables(self) -> Set[int]:
        return frozenset((self.pk,))

    def read(self) -> list[str]:
        table = Table.objects.select_related("creator").filter(pk=self.pk).first()
        if table is None or self.revoked or not may_see(table, self.user, self.invite):
            self.over = True
            return [self.form.write({"type": "gone"})]
        now = (table.version, table.others, table.status)
        if now == (self.seen.version, self.others, self.status):
            return []
        try:
            begun = table.status != Table.Status.OPEN
            events = self._news(table) if begun else self._waiting(table)
        except Refused as error:
            self.over = True
            fault = {"type": "fault", "code": error.code, "message": error.sentence}
            return [self.form.write(fault)]
        self.others, self.status = table.others, table.status
        return events

    def _waiting(self, table: Table) -> list[str]:
        return [self.form.write({"type": "table", "table": shapes.table_of(table, self.user)})]

    def _news(self, table: Table) -> list[str]:
        opened = open_game(table)
        table.refresh_from_db()
        known = self.seen.version
        if self.seen.line is None:
            self.seen = self.seen._replace(line=saying.last(table))
        if known is None or known > opened.version:
            events = [self._whole(table, opened)]
        else:
            moves = shapes.moves_of(opened, table, known, opened.version)
            events = [self._tell("move", m, version=m["number"]) for m in moves]
        self.seen = self.seen._replace(version=opened.version)
        for line in saying.heard(table, self.user, self.seen.line or 0, among=self._rooms(table)):
            events.append(self._tell("said", shapes.line_of(line), line=line.number))
        events.append(self._tell("standing", shapes.standing(table, self.user)))
        if table.status == Table.Status.FINISHED:
            self.over = True
            events.append(self._tell("end", {"table": table.pk, "result": table.result}))
        return events

    def _rooms(self, table: Table) -> list[str]:
        """The rooms that are heard from the first line on: a player is not told a part of what
        spectators said as soon as the game is over."""
        lasting = saying.may_speak(table, self.user, Room.SPECTATORS)
        return [Room.PLAYERS, Room.SPECTATORS] if lasting else [Room.PLAYERS]

    def _tell(self, kind: str, told: dict[str, Any], **seen: int) -> str:
        """An event, and after it the program has seen this, too."""
        self.seen = self.seen._replace(**seen)
        return self.form.write({"type": kind, **told}, self.seen)

    def _whole(self, table: Table, opened: Opened) -> str:
        whole = {
            "version": opened.version,
            "table": shapes.table_of(table, self.user),
            **shapes.state_of(opened.game),
        }
        return self._tell("game", whole, version=opened.version)


class AccountFeed(Told):
    """All games of an account: which begin, which wait for it, in which it is asked, which end."""

    def __init__(self, user: Any, token: Token | None, form: Form) -> None:
        super().__init__(user, token, form)
        self.begun: set[int] = set()
        self.turns: dict[int, int] = {}
        self.asked: dict[int, int] = {}
        self._tables: frozenset[int] = frozenset()

    @property
    def tables(self) -> Set[int]:
        return self._tables

    def read(self) -> list[str]:
        if self.revoked:
            self.over = True
            return [self.form.write({"type": "gone"})]
        rows = list(self._rows())
        self._tables = frozenset(t.pk for t in rows if t.status != Table.Status.FINISHED)
        return [self.form.write(event) for t in rows for event in self._news(t)]

    def _rows(self) -> Any:
        mine = Q(places__user=self.user) | Q(places__partner=self.user)
        mine |= Q(places__deputy=self.user) | Q(hotseat=True, creator=self.user)
        own = Table.objects.games().filter(mine).exclude(status=Table.Status.FINISHED)
        known = Q(pk__in=own.values("pk")) | Q(pk__in=list(self.begun))
        return Table.objects.filter(known).prefetch_related("places").order_by("pk")

    def _news(self, table: Table) -> list[dict[str, Any]]:
        if table.status == Table.Status.OPEN:
            return []
        head = {"table": table.pk, "title": table.title, "version": table.version}
        if table.status == Table.Status.FINISHED:
            self.begun.discard(table.pk)
            return [{"type": "end", **head, "result": table.result}]
        events: list[dict[str, Any]] = []
        if table.pk not in self.begun:
            self.begun.add(table.pk)
            events.append({"type": "start", **head, "seats": self._keys(table)})
        if shapes.my_turn(table, self.user) and self.turns.get(table.pk) != table.version:
            self.turns[table.pk] = table.version
            events.append({"type": "turn", **head, "round": table.round})
        if self.asked.get(table.pk) != table.others:
            self.asked[table.pk] = table.others
            events += self._question(table, head)
        return events

    def _keys(self, table: Table) -> list[Any]:
        return [p.key for p in my_places(table, self.user)]

    def _question(self, table: Table, head: dict[str, Any]) -> list[dict[str, Any]]:
        try:
            question = shapes.question_of(table, open_game(table).game, self.user)
        except Held:
            return []
        if question is None or not question["asks_me"]:
            return []
        return [{"type": "question", **head, "question": question}]
