"""The requests there are: where each goes, what it sends, and what comes back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar
from urllib.parse import quote

import msgspec
from msgspec import Struct

from .errors import ApiError, NotAllowed, NotFound, StaleVersion, TooManyRequests
from .model.account import About, Account, Token
from .model.analysis import Earnings, Routes, WhatIf
from .model.common import Done
from .model.deals import Deal, Deals
from .model.files import Upload
from .model.play import Choices, Judgement, Moves, Standing, State
from .model.promises import Promise, Promises
from .model.seats import Clock, SeatChange, SeatDeed, Seats
from .model.streams import Event
from .model.study import Branch, Branches, Comparison, Handing, Remark, Remarks
from .model.tables import Table, TablePage, TablePlan
from .model.talk import Line, Notes, Talk
from .model.titles import Rulebook, Title, TitleFacts
from .model.webhooks import Webhook

T = TypeVar("T")


class Call(Struct, Generic[T], frozen=True):
    """A request: ``kind`` is what its answer is read as."""

    method: str
    path: str
    kind: type[T]
    body: Mapping[str, Any] | None = None
    query: Mapping[str, Any] = {}
    raw: bytes | None = None

    @property
    def sent(self) -> bytes | None:
        """The body as it is sent."""
        if self.raw is not None:
            return self.raw
        return None if self.body is None else msgspec.json.encode(self.body)

    @property
    def asked(self) -> dict[str, str]:
        """The query, without what is left open."""
        given = {k: v for k, v in self.query.items() if v not in (None, "")}
        return {k: str(v).lower() if isinstance(v, bool) else str(v) for k, v in given.items()}


def read(call: Call[T], status: int, content: bytes, headers: Mapping[str, str]) -> T:
    """What an answer says. Raises :class:`ApiError`."""
    if status >= 400:
        raise error_of(status, content, headers)
    return msgspec.json.decode(content, type=call.kind)


def error_of(status: int, content: bytes, headers: Mapping[str, str]) -> ApiError:
    """What is wrong, as an exception."""
    try:
        told = msgspec.json.decode(content, type=dict[str, Any])
    except msgspec.DecodeError:
        told = {"message": f"The server answers {status}, and not as it should."}
    if status == 409 and told.get("fresh"):
        return StaleVersion(status, told, msgspec.convert(told["fresh"], Standing))
    if status == 429:
        return TooManyRequests(status, told, float(headers.get("retry-after", 1)))
    return {401: NotAllowed, 403: NotAllowed, 404: NotFound}.get(status, ApiError)(status, told)


def _without_none(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


# titles and the account


def titles() -> Call[tuple[Title, ...]]:
    return Call("GET", "titles", tuple[Title, ...])


def title(name: str) -> Call[TitleFacts]:
    return Call("GET", f"titles/{quote(name, safe='')}", TitleFacts)


def rules(name: str) -> Call[Rulebook]:
    return Call("GET", f"titles/{quote(name, safe='')}/rules", Rulebook)


def account() -> Call[Account]:
    return Call("GET", "account", Account)


def become_bot() -> Call[Account]:
    return Call("POST", "account/bot", Account)


def tokens() -> Call[tuple[Token, ...]]:
    return Call("GET", "account/tokens", tuple[Token, ...])


def revoke() -> Call[Done]:
    return Call("DELETE", "account/token", Done)


def about() -> Call[About]:
    return Call("GET", "", About)


# webhooks


def webhooks() -> Call[tuple[Webhook, ...]]:
    return Call("GET", "webhooks", tuple[Webhook, ...])


def create_webhook(url: str, events: Sequence[str]) -> Call[Webhook]:
    return Call("POST", "webhooks", Webhook, body={"url": url, "events": list(events)})


def ping_webhook(number: int) -> Call[Done]:
    return Call("POST", f"webhooks/{number}/ping", Done)


def delete_webhook(number: int) -> Call[Done]:
    return Call("DELETE", f"webhooks/{number}", Done)


# tables


def tables(status: str, title: str, whose: str, before: int | None, limit: int) -> Call[TablePage]:
    query = {"status": status, "title": title, "whose": whose, "before": before, "limit": limit}
    return Call("GET", "tables", TablePage, query=query)


def create_table(title: str, more: TablePlan) -> Call[Table]:
    return Call("POST", "tables", Table, body={"title": title, **more})


def table(number: int, invite: str = "") -> Call[Table]:
    return Call("GET", f"tables/{number}", Table, query={"invite": invite})


def join(number: int, invite: str) -> Call[Table]:
    return Call("POST", f"tables/{number}/join", Table, query={"invite": invite})


def seat_bot(number: int, kind: str) -> Call[Table]:
    return Call("POST", f"tables/{number}/bot", Table, query={"kind": kind})


def ready(number: int, ask: bool) -> Call[Table]:
    return Call("POST", f"tables/{number}/ready", Table, query={"ask": ask})


def start(number: int) -> Call[Table]:
    return Call("POST", f"tables/{number}/start", Table)


def leave(number: int) -> Call[Done]:
    return Call("POST", f"tables/{number}/leave", Done)


# playing


def state(number: int, at: int | None) -> Call[State]:
    return Call("GET", f"tables/{number}/state", State, query={"at": at})


def choices(number: int) -> Call[Choices]:
    return Call("GET", f"tables/{number}/choices", Choices)


def moves(number: int, since: int, limit: int) -> Call[Moves]:
    query = {"since": since, "limit": limit}
    return Call("GET", f"tables/{number}/moves", Moves, query=query)


def act(number: int, action: Mapping[str, Any], version: int, agreed: bool) -> Call[Standing]:
    body = {"action": action, "version": version, "agreed": agreed}
    return Call("POST", f"tables/{number}/act", Standing, body=body)


def undo(number: int, version: int, to: int | str | None, agreed: bool) -> Call[Standing]:
    body = _without_none(version=version, to=to, agreed=agreed)
    return Call("POST", f"tables/{number}/undo", Standing, body=body)


def redo(number: int, version: int, agreed: bool) -> Call[Standing]:
    body = {"version": version, "agreed": agreed}
    return Call("POST", f"tables/{number}/redo", Standing, body=body)


def check(number: int, action: Mapping[str, Any]) -> Call[Judgement]:
    return Call("POST", f"tables/{number}/check", Judgement, body={"action": action})


def answer(number: int, agree: bool) -> Call[Standing]:
    return Call("POST", f"tables/{number}/answer", Standing, body={"agree": agree})


def withdraw(number: int) -> Call[Standing]:
    return Call("POST", f"tables/{number}/withdraw", Standing)


# beside the game


def deals(number: int) -> Call[Deals]:
    return Call("GET", f"tables/{number}/deals", Deals)


def propose(number: int, action: Mapping[str, Any], note: str, hours: int) -> Call[Deal]:
    body = {"action": action, "note": note, "hours": hours}
    return Call("POST", f"tables/{number}/deals", Deal, body=body)


def counter(number: int, deal: int, price: int, note: str, hours: int) -> Call[Deal]:
    body = {"price": price, "note": note, "hours": hours}
    return Call("POST", f"tables/{number}/deals/{deal}/counter", Deal, body=body)


def on_deal(number: int, deal: int, what: str) -> Call[Deal]:
    return Call("POST", f"tables/{number}/deals/{deal}/{what}", Deal)


def promises(number: int) -> Call[Promises]:
    return Call("GET", f"tables/{number}/promises", Promises)


def promise(number: int, said: Mapping[str, Any]) -> Call[Promise]:
    return Call("POST", f"tables/{number}/promises", Promise, body={"promise": said})


def break_promise(number: int, promise: int) -> Call[Done]:
    return Call("DELETE", f"tables/{number}/promises/{promise}", Done)


def seats(number: int) -> Call[Seats]:
    return Call("GET", f"tables/{number}/seats", Seats)


def change_seat(number: int, do: SeatDeed, more: SeatChange) -> Call[Seats]:
    return Call("POST", f"tables/{number}/seats", Seats, body={"do": do, **more})


def call_vote(number: int, what: str, seat: int | None) -> Call[Seats]:
    body = _without_none(what=what, seat=seat)
    return Call("POST", f"tables/{number}/votes", Seats, body=body)


def vote(number: int, vote: int, yes: bool) -> Call[Seats]:
    return Call("POST", f"tables/{number}/votes/{vote}", Seats, body={"yes": yes})


def clock(number: int) -> Call[Clock]:
    return Call("GET", f"tables/{number}/clock", Clock)


def chat(number: int, since: int) -> Call[Talk]:
    return Call("GET", f"tables/{number}/chat", Talk, query={"since": since})


def say(number: int, text: str, room: str) -> Call[Line]:
    body = {"text": text, "room": room}
    return Call("POST", f"tables/{number}/chat", Line, body=body)


def notes(number: int) -> Call[Notes]:
    return Call("GET", f"tables/{number}/notes", Notes)


def write_notes(number: int, text: str) -> Call[Notes]:
    return Call("PUT", f"tables/{number}/notes", Notes, body={"text": text})


# routes and what-if


def routes(
    number: int,
    company: str | None,
    trains: Sequence[str] | None,
    tile: tuple[str, str, int] | None,
    at: int | None,
    effort: int | None,
) -> Call[Routes]:
    lay = None if tile is None else dict(zip(("hex", "tile", "rotation"), tile, strict=True))
    body = _without_none(company=company, trains=trains, tile=lay, at=at, effort=effort)
    return Call("POST", f"tables/{number}/routes", Routes, body=body)


def earnings(
    number: int, routes: Iterable[Mapping[str, Any]], company: str | None
) -> Call[Earnings]:
    body = _without_none(company=company, routes=list(routes))
    return Call("POST", f"tables/{number}/earnings", Earnings, body=body)


def what_if(number: int, actions: Iterable[Mapping[str, Any]], at: int | None) -> Call[WhatIf]:
    body = _without_none(actions=list(actions), at=at)
    return Call("POST", f"tables/{number}/what-if", WhatIf, body=body)


# study


def branches(number: int) -> Call[Branches]:
    return Call("GET", f"tables/{number}/branches", Branches)


def begin_branch(number: int, at: int | None, name: str) -> Call[Branch]:
    body = _without_none(at=at, name=name)
    return Call("POST", f"tables/{number}/branches", Branch, body=body)


def branch(number: int) -> Call[Branch]:
    return Call("GET", f"tables/{number}/branch", Branch)


def change_branch(
    number: int, name: str | None, shared: bool | None, published: bool | None
) -> Call[Branch]:
    body = _without_none(name=name, shared=shared, published=published)
    return Call("PATCH", f"tables/{number}/branch", Branch, body=body)


def delete_branch(number: int) -> Call[Done]:
    return Call("DELETE", f"tables/{number}/branch", Done)


def compare(number: int, against: int | None) -> Call[Comparison]:
    return Call("GET", f"tables/{number}/compare", Comparison, query={"against": against})


def fits(number: int) -> Call[Handing]:
    return Call("GET", f"tables/{number}/hand-over", Handing)


def hand_over(number: int, version: int, count: int | None) -> Call[Handing]:
    body = _without_none(version=version, count=count)
    return Call("POST", f"tables/{number}/hand-over", Handing, body=body)


def clone(number: int, seat: int | None, others: str | None, name: str) -> Call[Table]:
    body = _without_none(seat=seat, others=others, name=name)
    return Call("POST", f"tables/{number}/clone", Table, body=body)


def remarks(number: int) -> Call[Remarks]:
    return Call("GET", f"tables/{number}/remarks", Remarks)


def remark(number: int, after: int, text: str) -> Call[Remark]:
    body = {"after": after, "text": text}
    return Call("POST", f"tables/{number}/remarks", Remark, body=body)


def unsay(number: int, remark: int) -> Call[Done]:
    return Call("DELETE", f"tables/{number}/remarks/{remark}", Done)


# files


def download(number: int, portable: bool) -> Call[dict[str, Any]]:
    query = {"portable": portable}
    return Call("GET", f"tables/{number}/file", dict[str, Any], query=query)


def send_file(raw: bytes, description: str) -> Call[Upload]:
    query = {"description": description}
    return Call("POST", "import", Upload, raw=raw, query=query)


def upload(number: int) -> Call[Upload]:
    return Call("GET", f"import/{number}", Upload)


# streams


def game_stream(number: int, since: int | None, heard: int | None) -> Call[Event]:
    query = {"since": since, "heard": heard}
    return Call("GET", f"tables/{number}/stream", Event, query=query)


def account_stream() -> Call[Event]:
    return Call("GET", "account/stream", Event)


def event(line: str) -> Event | None:
    """A line of a stream; None: only a sign that it is alive."""
    return Event.of(msgspec.json.decode(line)) if line.strip() else None
