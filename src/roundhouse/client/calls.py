"""The requests there are: where each goes, what it sends, and what comes back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar
from urllib.parse import quote

import msgspec
from msgspec import Struct

from . import model
from .errors import ApiError, NotAllowed, NotFound, StaleVersion, TooManyRequests

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
        return StaleVersion(status, told, msgspec.convert(told["fresh"], model.Standing))
    if status == 429:
        return TooManyRequests(status, told, float(headers.get("retry-after", 1)))
    return {401: NotAllowed, 403: NotAllowed, 404: NotFound}.get(status, ApiError)(status, told)


def _without_none(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


# titles and the account


def titles() -> Call[tuple[model.Title, ...]]:
    return Call("GET", "titles", tuple[model.Title, ...])


def title(name: str) -> Call[model.TitleFacts]:
    return Call("GET", f"titles/{quote(name, safe='')}", model.TitleFacts)


def rules(name: str) -> Call[model.Rulebook]:
    return Call("GET", f"titles/{quote(name, safe='')}/rules", model.Rulebook)


def account() -> Call[model.Account]:
    return Call("GET", "account", model.Account)


def become_bot() -> Call[model.Account]:
    return Call("POST", "account/bot", model.Account)


def tokens() -> Call[tuple[model.Token, ...]]:
    return Call("GET", "account/tokens", tuple[model.Token, ...])


def revoke() -> Call[model.Done]:
    return Call("DELETE", "account/token", model.Done)


def about() -> Call[model.About]:
    return Call("GET", "", model.About)


# webhooks


def webhooks() -> Call[tuple[model.Webhook, ...]]:
    return Call("GET", "webhooks", tuple[model.Webhook, ...])


def create_webhook(url: str, events: Sequence[str]) -> Call[model.Webhook]:
    return Call("POST", "webhooks", model.Webhook, body={"url": url, "events": list(events)})


def ping_webhook(number: int) -> Call[model.Done]:
    return Call("POST", f"webhooks/{number}/ping", model.Done)


def delete_webhook(number: int) -> Call[model.Done]:
    return Call("DELETE", f"webhooks/{number}", model.Done)


# tables


def tables(
    status: str, title: str, whose: str, before: int | None, limit: int
) -> Call[model.TablePage]:
    query = {"status": status, "title": title, "whose": whose, "before": before, "limit": limit}
    return Call("GET", "tables", model.TablePage, query=query)


def create_table(title: str, more: model.TablePlan) -> Call[model.Table]:
    return Call("POST", "tables", model.Table, body={"title": title, **more})


def table(number: int, invite: str = "") -> Call[model.Table]:
    return Call("GET", f"tables/{number}", model.Table, query={"invite": invite})


def join(number: int, invite: str) -> Call[model.Table]:
    return Call("POST", f"tables/{number}/join", model.Table, query={"invite": invite})


def seat_bot(number: int, kind: str) -> Call[model.Table]:
    return Call("POST", f"tables/{number}/bot", model.Table, query={"kind": kind})


def ready(number: int, ask: bool) -> Call[model.Table]:
    return Call("POST", f"tables/{number}/ready", model.Table, query={"ask": ask})


def start(number: int) -> Call[model.Table]:
    return Call("POST", f"tables/{number}/start", model.Table)


def leave(number: int) -> Call[model.Done]:
    return Call("POST", f"tables/{number}/leave", model.Done)


# playing


def state(number: int, at: int | None) -> Call[model.State]:
    return Call("GET", f"tables/{number}/state", model.State, query={"at": at})


def choices(number: int) -> Call[model.Choices]:
    return Call("GET", f"tables/{number}/choices", model.Choices)


def moves(number: int, since: int, limit: int) -> Call[model.Moves]:
    query = {"since": since, "limit": limit}
    return Call("GET", f"tables/{number}/moves", model.Moves, query=query)


def act(number: int, action: Mapping[str, Any], version: int, agreed: bool) -> Call[model.Standing]:
    body = {"action": action, "version": version, "agreed": agreed}
    return Call("POST", f"tables/{number}/act", model.Standing, body=body)


def undo(number: int, version: int, to: int | str | None, agreed: bool) -> Call[model.Standing]:
    body = _without_none(version=version, to=to, agreed=agreed)
    return Call("POST", f"tables/{number}/undo", model.Standing, body=body)


def redo(number: int, version: int, agreed: bool) -> Call[model.Standing]:
    body = {"version": version, "agreed": agreed}
    return Call("POST", f"tables/{number}/redo", model.Standing, body=body)


def check(number: int, action: Mapping[str, Any]) -> Call[model.Judgement]:
    return Call("POST", f"tables/{number}/check", model.Judgement, body={"action": action})


def answer(number: int, agree: bool) -> Call[model.Standing]:
    return Call("POST", f"tables/{number}/answer", model.Standing, body={"agree": agree})


def withdraw(number: int) -> Call[model.Standing]:
    return Call("POST", f"tables/{number}/withdraw", model.Standing)


# beside the game


def deals(number: int) -> Call[model.Deals]:
    return Call("GET", f"tables/{number}/deals", model.Deals)


def propose(number: int, action: Mapping[str, Any], note: str, hours: int) -> Call[model.Deal]:
    body = {"action": action, "note": note, "hours": hours}
    return Call("POST", f"tables/{number}/deals", model.Deal, body=body)


def counter(number: int, deal: int, price: int, note: str, hours: int) -> Call[model.Deal]:
    body = {"price": price, "note": note, "hours": hours}
    return Call("POST", f"tables/{number}/deals/{deal}/counter", model.Deal, body=body)


def on_deal(number: int, deal: int, what: str) -> Call[model.Deal]:
    return Call("POST", f"tables/{number}/deals/{deal}/{what}", model.Deal)


def promises(number: int) -> Call[model.Promises]:
    return Call("GET", f"tables/{number}/promises", model.Promises)


def promise(number: int, said: Mapping[str, Any]) -> Call[model.Promise]:
    return Call("POST", f"tables/{number}/promises", model.Promise, body={"promise": said})


def break_promise(number: int, promise: int) -> Call[model.Done]:
    return Call("DELETE", f"tables/{number}/promises/{promise}", model.Done)


def seats(number: int) -> Call[model.Seats]:
    return Call("GET", f"tables/{number}/seats", model.Seats)


def change_seat(number: int, do: model.SeatDeed, more: model.SeatChange) -> Call[model.Seats]:
    return Call("POST", f"tables/{number}/seats", model.Seats, body={"do": do, **more})


def call_vote(number: int, what: str, seat: int | None) -> Call[model.Seats]:
    body = _without_none(what=what, seat=seat)
    return Call("POST", f"tables/{number}/votes", model.Seats, body=body)


def vote(number: int, vote: int, yes: bool) -> Call[model.Seats]:
    return Call("POST", f"tables/{number}/votes/{vote}", model.Seats, body={"yes": yes})


def clock(number: int) -> Call[model.Clock]:
    return Call("GET", f"tables/{number}/clock", model.Clock)


def chat(number: int, since: int) -> Call[model.Talk]:
    return Call("GET", f"tables/{number}/chat", model.Talk, query={"since": since})


def say(number: int, text: str, room: str) -> Call[model.Line]:
    body = {"text": text, "room": room}
    return Call("POST", f"tables/{number}/chat", model.Line, body=body)


def notes(number: int) -> Call[model.Notes]:
    return Call("GET", f"tables/{number}/notes", model.Notes)


def write_notes(number: int, text: str) -> Call[model.Notes]:
    return Call("PUT", f"tables/{number}/notes", model.Notes, body={"text": text})


# routes and what-if


def routes(
    number: int,
    company: str | None,
    trains: Sequence[str] | None,
    tile: tuple[str, str, int] | None,
    at: int | None,
    effort: int | None,
) -> Call[model.Routes]:
    lay = None if tile is None else dict(zip(("hex", "tile", "rotation"), tile, strict=True))
    body = _without_none(company=company, trains=trains, tile=lay, at=at, effort=effort)
    return Call("POST", f"tables/{number}/routes", model.Routes, body=body)


def earnings(
    number: int, routes: Iterable[Mapping[str, Any]], company: str | None
) -> Call[model.Earnings]:
    body = _without_none(company=company, routes=list(routes))
    return Call("POST", f"tables/{number}/earnings", model.Earnings, body=body)


def what_if(
    number: int, actions: Iterable[Mapping[str, Any]], at: int | None
) -> Call[model.WhatIf]:
    body = _without_none(actions=list(actions), at=at)
    return Call("POST", f"tables/{number}/what-if", model.WhatIf, body=body)


# study


def branches(number: int) -> Call[model.Branches]:
    return Call("GET", f"tables/{number}/branches", model.Branches)


def begin_branch(number: int, at: int | None, name: str) -> Call[model.Branch]:
    body = _without_none(at=at, name=name)
    return Call("POST", f"tables/{number}/branches", model.Branch, body=body)


def branch(number: int) -> Call[model.Branch]:
    return Call("GET", f"tables/{number}/branch", model.Branch)


def change_branch(
    number: int, name: str | None, shared: bool | None, published: bool | None
) -> Call[model.Branch]:
    body = _without_none(name=name, shared=shared, published=published)
    return Call("PATCH", f"tables/{number}/branch", model.Branch, body=body)


def delete_branch(number: int) -> Call[model.Done]:
    return Call("DELETE", f"tables/{number}/branch", model.Done)


def compare(number: int, against: int | None) -> Call[model.Comparison]:
    return Call("GET", f"tables/{number}/compare", model.Comparison, query={"against": against})


def fits(number: int) -> Call[model.Handing]:
    return Call("GET", f"tables/{number}/hand-over", model.Handing)


def hand_over(number: int, version: int, count: int | None) -> Call[model.Handing]:
    body = _without_none(version=version, count=count)
    return Call("POST", f"tables/{number}/hand-over", model.Handing, body=body)


def clone(number: int, seat: int | None, others: str | None, name: str) -> Call[model.Table]:
    body = _without_none(seat=seat, others=others, name=name)
    return Call("POST", f"tables/{number}/clone", model.Table, body=body)


def remarks(number: int) -> Call[model.Remarks]:
    return Call("GET", f"tables/{number}/remarks", model.Remarks)


def remark(number: int, after: int, text: str) -> Call[model.Remark]:
    body = {"after": after, "text": text}
    return Call("POST", f"tables/{number}/remarks", model.Remark, body=body)


def unsay(number: int, remark: int) -> Call[model.Done]:
    return Call("DELETE", f"tables/{number}/remarks/{remark}", model.Done)


# files


def download(number: int, portable: bool) -> Call[dict[str, Any]]:
    query = {"portable": portable}
    return Call("GET", f"tables/{number}/file", dict[str, Any], query=query)


def send_file(raw: bytes, description: str) -> Call[model.Upload]:
    query = {"description": description}
    return Call("POST", "import", model.Upload, raw=raw, query=query)


def upload(number: int) -> Call[model.Upload]:
    return Call("GET", f"import/{number}", model.Upload)


# streams


def game_stream(number: int, since: int | None, heard: int | None) -> Call[model.Event]:
    query = {"since": since, "heard": heard}
    return Call("GET", f"tables/{number}/stream", model.Event, query=query)


def account_stream() -> Call[model.Event]:
    return Call("GET", "account/stream", model.Event)


def event(line: str) -> model.Event | None:
    """A line of a stream; None: only a sign that it is alive."""
    return model.Event.of(msgspec.json.decode(line)) if line.strip() else None
