"""The asynchronous client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar, Unpack

import httpx

from . import calls, model
from .calls import Call
from .errors import TooManyRequests

T = TypeVar("T")

#: Seconds an answer may take; a stream says something at least this often.
PATIENCE = 30.0


class AsyncClient:
    """A connection to a server, with the token of an account.

    ``wait``: how long to wait in all, in seconds, where the server says that something was done too
    often; then :class:`TooManyRequests` is raised. ``transport``: another way to reach it, as httpx
    has them. All methods raise :class:`ApiError`; ``httpx.HTTPError`` where the line is cut.
    """

    def __init__(
        self,
        address: str,
        token: str = "",
        *,
        wait: float = 60.0,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        base = f"{address.rstrip('/')}/api/"
        self._http = httpx.AsyncClient(
            base_url=base, headers=headers, timeout=PATIENCE, transport=transport
        )
        self._wait = wait

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Let the connections go."""
        await self._http.aclose()

    async def send(self, call: Call[T]) -> T:
        """Send a request, and again where the server asks for patience."""
        left = self._wait
        while True:
            got = await self._http.request(
                call.method, call.path, content=call.sent, params=call.asked, headers=_JSON
            )
            try:
                return calls.read(call, got.status_code, got.content, got.headers)
            except TooManyRequests as error:
                left -= error.retry_after
                if left < 0:
                    raise
                await asyncio.sleep(error.retry_after)

    # titles and the account

    async def titles(self) -> tuple[model.Title, ...]:
        """The games one may play."""
        return await self.send(calls.titles())

    async def title(self, name: str) -> model.TitleFacts:
        """A title and what is in its box."""
        return await self.send(calls.title(name))

    async def rules(self, name: str) -> model.Rulebook:
        """The rules of a title, in Markdown."""
        return await self.send(calls.rules(name))

    async def account(self) -> model.Account:
        """Whose token this is."""
        return await self.send(calls.account())

    async def become_bot(self) -> model.Account:
        """Mark the account as a program's, for good."""
        return await self.send(calls.become_bot())

    async def tokens(self) -> tuple[model.Token, ...]:
        """The tokens of the account."""
        return await self.send(calls.tokens())

    async def revoke(self) -> model.Done:
        """Take back the token this client has; it is good for nothing from now on."""
        return await self.send(calls.revoke())

    async def about(self) -> model.About:
        """The version of the interface, and where it is described."""
        return await self.send(calls.about())

    # webhooks

    async def webhooks(self) -> tuple[model.Webhook, ...]:
        """The addresses that are told about your games."""
        return await self.send(calls.webhooks())

    async def create_webhook(self, url: str, events: Sequence[str] = ()) -> model.Webhook:
        """Have an address told of some kinds of events (none named: of all)."""
        return await self.send(calls.create_webhook(url, events))

    async def ping_webhook(self, number: int) -> model.Done:
        """Try a webhook out now."""
        return await self.send(calls.ping_webhook(number))

    async def delete_webhook(self, number: int) -> model.Done:
        """Tell an address nothing more."""
        return await self.send(calls.delete_webhook(number))

    # tables

    async def tables(
        self,
        *,
        status: str = "",
        title: str = "",
        whose: str = "all",
        before: int | None = None,
        limit: int = 20,
    ) -> model.TablePage:
        """Public tables, newest first; ``whose``: ``mine`` or ``my_turn``."""
        return await self.send(calls.tables(status, title, whose, before, limit))

    async def create_table(self, title: str, **more: Unpack[model.TablePlan]) -> model.Table:
        """Make a table and sit down at it."""
        return await self.send(calls.create_table(title, more))

    async def table(self, number: int, invite: str = "") -> model.Table:
        """A table."""
        return await self.send(calls.table(number, invite))

    async def join(self, number: int, invite: str = "") -> model.Table:
        """Take a seat."""
        return await self.send(calls.join(number, invite))

    async def seat_bot(self, number: int, kind: str = "") -> model.Table:
        """Give a seat to the server's bot; ``kind``: how it plays, such as ``magnate:quick``."""
        return await self.send(calls.seat_bot(number, kind))

    async def ready(self, number: int, ask: bool = False) -> model.Table:
        """Say that you are ready to begin; ``ask``: ask everybody whether they are."""
        return await self.send(calls.ready(number, ask))

    async def start(self, number: int) -> model.Table:
        """Begin with who is there."""
        return await self.send(calls.start(number))

    async def leave(self, number: int) -> model.Done:
        """Leave a table that has not begun."""
        return await self.send(calls.leave(number))

    # playing

    async def state(self, number: int, at: int | None = None) -> model.State:
        """The position, now or after the action with id ``at``."""
        return await self.send(calls.state(number, at))

    async def choices(self, number: int) -> model.Choices:
        """Everything anybody may do now."""
        return await self.send(calls.choices(number))

    async def moves(self, number: int, since: int = 0, limit: int = 100) -> model.Moves:
        """The log after entry ``since``."""
        return await self.send(calls.moves(number, since, limit))

    async def act(
        self, number: int, action: Mapping[str, Any], version: int, *, agreed: bool = False
    ) -> model.Standing:
        """Carry out an action. Raises :class:`StaleVersion` if the game has moved on."""
        return await self.send(calls.act(number, action, version, agreed))

    async def undo(
        self, number: int, version: int, *, to: int | str | None = None, agreed: bool = False
    ) -> model.Standing:
        """Take back: the last action, all after the action with id ``to``, or the ``turn``."""
        return await self.send(calls.undo(number, version, to, agreed))

    async def redo(self, number: int, version: int, *, agreed: bool = False) -> model.Standing:
        """Restore what was taken back."""
        return await self.send(calls.redo(number, version, agreed))

    async def check(self, number: int, action: Mapping[str, Any]) -> model.Judgement:
        """Whether an action is legal now, or why not."""
        return await self.send(calls.check(number, action))

    async def answer(self, number: int, agree: bool) -> model.Standing:
        """Answer the question of a table."""
        return await self.send(calls.answer(number, agree))

    async def withdraw(self, number: int) -> model.Standing:
        """Take back the question you asked the others."""
        return await self.send(calls.withdraw(number))

    # beside the game

    async def deals(self, number: int) -> tuple[model.Deal, ...]:
        """The offers of a table, newest first."""
        return (await self.send(calls.deals(number))).deals

    async def propose(
        self, number: int, action: Mapping[str, Any], *, note: str = "", hours: int = 72
    ) -> model.Deal:
        """Offer an action others have a say in."""
        return await self.send(calls.propose(number, action, note, hours))

    async def counter(
        self, number: int, deal: int, price: int, *, note: str = "", hours: int = 72
    ) -> model.Deal:
        """Answer an offer with another price."""
        return await self.send(calls.counter(number, deal, price, note, hours))

    async def accept(self, number: int, deal: int) -> model.Deal:
        """Agree to an offer."""
        return await self.send(calls.on_deal(number, deal, "accept"))

    async def decline(self, number: int, deal: int) -> model.Deal:
        """Say no to an offer, or take your own back."""
        return await self.send(calls.on_deal(number, deal, "decline"))

    async def promises(self, number: int) -> tuple[model.Promise, ...]:
        """Your promises at a table."""
        return (await self.send(calls.promises(number))).promises

    async def promise(self, number: int, said: Mapping[str, Any]) -> model.Promise:
        """Promise something: ``said`` is one by its ``kind``, see :mod:`roundhouse.promises`."""
        return await self.send(calls.promise(number, said))

    async def break_promise(self, number: int, promise: int) -> model.Done:
        """Take a promise back, or dismiss one that is over."""
        return await self.send(calls.break_promise(number, promise))

    async def seats(self, number: int) -> model.Seats:
        """Free seats, votes, invitations, and who sat where when."""
        return await self.send(calls.seats(number))

    async def change_seat(
        self, number: int, do: model.SeatDeed, **more: Unpack[model.SeatChange]
    ) -> model.Seats:
        """Do something with a seat of a running game: leave it, be away, take one …"""
        return await self.send(calls.change_seat(number, do, more))

    async def call_vote(self, number: int, what: str, seat: int | None = None) -> model.Seats:
        """Ask the others to ``remove`` who sits on a seat, or to ``end`` the game."""
        return await self.send(calls.call_vote(number, what, seat))

    async def vote(self, number: int, vote: int, yes: bool) -> model.Seats:
        """Say yes or no in a vote."""
        return await self.send(calls.vote(number, vote, yes))

    async def clock(self, number: int) -> model.Clock:
        """The clock of a table, and everybody's time."""
        return await self.send(calls.clock(number))

    async def chat(self, number: int, since: int = 0) -> tuple[model.Line, ...]:
        """What was said after a line; the last of it."""
        return (await self.send(calls.chat(number, since))).lines

    async def say(self, number: int, text: str, room: str = "players") -> model.Line:
        """Say something, at the table or among ``spectators``."""
        return await self.send(calls.say(number, text, room))

    async def notes(self, number: int) -> str:
        """Your own notes."""
        return (await self.send(calls.notes(number))).text

    async def write_notes(self, number: int, text: str) -> model.Notes:
        """Keep notes, in place of those there were."""
        return await self.send(calls.write_notes(number, text))

    # routes, what-if, files

    async def routes(
        self,
        number: int,
        company: str | None = None,
        *,
        trains: Sequence[str] | None = None,
        tile: tuple[str, str, int] | None = None,
        at: int | None = None,
        effort: int | None = None,
    ) -> model.Routes:
        """The best routes of a company (None: who operates), as if it had other trains too."""
        return await self.send(calls.routes(number, company, trains, tile, at, effort))

    async def earnings(
        self, number: int, routes: Iterable[Mapping[str, Any]], company: str | None = None
    ) -> model.Earnings:
        """What some routes earn now."""
        return await self.send(calls.earnings(number, routes, company))

    async def what_if(
        self, number: int, actions: Iterable[Mapping[str, Any]], at: int | None = None
    ) -> model.WhatIf:
        """What would be after some actions."""
        return await self.send(calls.what_if(number, actions, at))

    async def download(self, number: int, *, portable: bool = False) -> dict[str, Any]:
        """The game as a file; ``portable``: only what counts, as other programs read it."""
        return await self.send(calls.download(number, portable))

    async def import_game(self, raw: bytes, description: str = "") -> model.Upload:
        """Send a game file and wait until it is played through."""
        sent = await self.send(calls.send_file(raw, description))
        while not sent.done:
            await asyncio.sleep(0.5)
            sent = await self.send(calls.upload(sent.id))
        return sent

    # study

    async def branches(self, number: int) -> model.Branches:
        """Your branches of a game, and the published ones."""
        return await self.send(calls.branches(number))

    async def begin_branch(
        self, number: int, at: int | None = None, name: str = ""
    ) -> model.Branch:
        """Play on in private after action ``at`` (None: from now on), at the table ``id``."""
        return await self.send(calls.begin_branch(number, at, name))

    async def branch(self, number: int) -> model.Branch:
        """What a branch is of, and who may see it."""
        return await self.send(calls.branch(number))

    async def change_branch(
        self,
        number: int,
        *,
        name: str | None = None,
        shared: bool | None = None,
        published: bool | None = None,
    ) -> model.Branch:
        """Rename, share or publish a branch of yours; None: as it is."""
        return await self.send(calls.change_branch(number, name, shared, published))

    async def delete_branch(self, number: int) -> model.Done:
        """Throw a branch away."""
        return await self.send(calls.delete_branch(number))

    async def compare(self, number: int, against: int | None = None) -> model.Comparison:
        """A branch beside its game, after an action or where that was in the same round."""
        return await self.send(calls.compare(number, against))

    async def fits(self, number: int) -> model.Handing:
        """What of a branch fits its game as it stands."""
        return await self.send(calls.fits(number))

    async def hand_over(self, number: int, version: int, count: int | None = None) -> model.Handing:
        """Do in the game what a branch has ready, ``count`` actions at most (None: all). Raises
        :class:`StaleVersion` if the game has moved on."""
        return await self.send(calls.hand_over(number, version, count))

    async def clone(
        self, number: int, *, seat: int | None = None, others: str | None = None, name: str = ""
    ) -> model.Table:
        """Another game from where a branch or a game stands: at one screen, or with a seat of yours
        (from 1) and on the others bots of a kind, or (none) whoever knows the table's link."""
        return await self.send(calls.clone(number, seat, others, name))

    async def remarks(self, number: int) -> tuple[model.Remark, ...]:
        """What is said of a game that is over."""
        return (await self.send(calls.remarks(number))).remarks

    async def remark(self, number: int, after: int, text: str) -> model.Remark:
        """Say something of the moment after an action (0: the start)."""
        return await self.send(calls.remark(number, after, text))

    async def unsay(self, number: int, remark: int) -> model.Done:
        """Take a remark of yours away."""
        return await self.send(calls.unsay(number, remark))

    # streams

    async def follow_game(
        self, number: int, since: int | None = None, heard: int | None = None
    ) -> AsyncIterator[model.Event]:
        """The events of a game, as they come, until it ends; ``since``: what was missed after a
        version, instead of the whole state; ``heard``: what was said after a line."""
        async for event in self._follow(calls.game_stream(number, since, heard)):
            yield event

    async def follow_account(self) -> AsyncIterator[model.Event]:
        """The events of all your games, as they come."""
        async for event in self._follow(calls.account_stream()):
            yield event

    async def _follow(self, call: Call[model.Event]) -> AsyncIterator[model.Event]:
        async with self._http.stream(call.method, call.path, params=call.asked) as got:
            if got.status_code != 200:
                raise calls.error_of(got.status_code, await got.aread(), got.headers)
            async for line in got.aiter_lines():
                event = calls.event(line)
                if event is not None:
                    yield event


_JSON = {"Content-Type": "application/json"}
