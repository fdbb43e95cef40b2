"""The asynchronous client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar, Unpack

import httpx

from . import calls
from .calls import Call
from .errors import TooManyRequests
from .model.account import About, Account, Token
from .model.analysis import Earnings, Routes, WhatIf
from .model.common import Done
from .model.deals import Deal
from .model.files import Upload
from .model.play import Choices, Judgement, Moves, Standing, State
from .model.promises import Promise
from .model.seats import Clock, SeatChange, SeatDeed, Seats
from .model.streams import Event
from .model.study import Branch, Branches, Comparison, Handing, Remark
from .model.tables import Table, TablePage, TablePlan
from .model.talk import Line, Notes
from .model.titles import Rulebook, Title, TitleFacts
from .model.webhooks import Webhook

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

    async def titles(self) -> tuple[Title, ...]:
        """The games one may play."""
        return await self.send(calls.titles())

    async def title(self, name: str) -> TitleFacts:
        """A title and what is in its box."""
        return await self.send(calls.title(name))

    async def rules(self, name: str) -> Rulebook:
        """The rules of a title, in Markdown."""
        return await self.send(calls.rules(name))

    async def account(self) -> Account:
        """Whose token this is."""
        return await self.send(calls.account())

    async def become_bot(self) -> Account:
        """Mark the account as a program's, for good."""
        return await self.send(calls.become_bot())

    async def tokens(self) -> tuple[Token, ...]:
        """The tokens of the account."""
        return await self.send(calls.tokens())

    async def revoke(self) -> Done:
        """Take back the token this client has; it is good for nothing from now on."""
        return await self.send(calls.revoke())

    async def about(self) -> About:
        """The version of the interface, and where it is described."""
        return await self.send(calls.about())

    # webhooks

    async def webhooks(self) -> tuple[Webhook, ...]:
        """The addresses that are told about your games."""
        return await self.send(calls.webhooks())

    async def create_webhook(self, url: str, events: Sequence[str] = ()) -> Webhook:
        """Have an address told of some kinds of events (none named: of all)."""
        return await self.send(calls.create_webhook(url, events))

    async def ping_webhook(self, number: int) -> Done:
        """Try a webhook out now."""
        return await self.send(calls.ping_webhook(number))

    async def delete_webhook(self, number: int) -> Done:
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
    ) -> TablePage:
        """Public tables, newest first; ``whose``: ``mine`` or ``my_turn``."""
        return await self.send(calls.tables(status, title, whose, before, limit))

    async def create_table(self, title: str, **more: Unpack[TablePlan]) -> Table:
        """Make a table and sit down at it."""
        return await self.send(calls.create_table(title, more))

    async def table(self, number: int, invite: str = "") -> Table:
        """A table."""
        return await self.send(calls.table(number, invite))

    async def join(self, number: int, invite: str = "") -> Table:
        """Take a seat."""
        return await self.send(calls.join(number, invite))

    async def seat_bot(self, number: int, kind: str = "") -> Table:
        """Give a seat to the server's bot; ``kind``: how it plays, such as ``magnate:quick``."""
        return await self.send(calls.seat_bot(number, kind))

    async def ready(self, number: int, ask: bool = False) -> Table:
        """Say that you are ready to begin; ``ask``: ask everybody whether they are."""
        return await self.send(calls.ready(number, ask))

    async def start(self, number: int) -> Table:
        """Begin with who is there."""
        return await self.send(calls.start(number))

    async def leave(self, number: int) -> Done:
        """Leave a table that has not begun."""
        return await self.send(calls.leave(number))

    # playing

    async def state(self, number: int, at: int | None = None) -> State:
        """The position, now or after the action with id ``at``."""
        return await self.send(calls.state(number, at))

    async def choices(self, number: int) -> Choices:
        """Everything anybody may do now."""
        return await self.send(calls.choices(number))

    async def moves(self, number: int, since: int = 0, limit: int = 100) -> Moves:
        """The log after entry ``since``."""
        return await self.send(calls.moves(number, since, limit))

    async def act(
        self, number: int, action: Mapping[str, Any], version: int, *, agreed: bool = False
    ) -> Standing:
        """Carry out an action. Raises :class:`StaleVersion` if the game has moved on."""
        return await self.send(calls.act(number, action, version, agreed))

    async def undo(
        self, number: int, version: int, *, to: int | str | None = None, agreed: bool = False
    ) -> Standing:
        """Take back: the last action, all after the action with id ``to``, or the ``turn``."""
        return await self.send(calls.undo(number, version, to, agreed))

    async def redo(self, number: int, version: int, *, agreed: bool = False) -> Standing:
        """Restore what was taken back."""
        return await self.send(calls.redo(number, version, agreed))

    async def check(self, number: int, action: Mapping[str, Any]) -> Judgement:
        """Whether an action is legal now, or why not."""
        return await self.send(calls.check(number, action))

    async def answer(self, number: int, agree: bool) -> Standing:
        """Answer the question of a table."""
        return await self.send(calls.answer(number, agree))

    async def withdraw(self, number: int) -> Standing:
        """Take back the question you asked the others."""
        return await self.send(calls.withdraw(number))

    # beside the game

    async def deals(self, number: int) -> tuple[Deal, ...]:
        """The offers of a table, newest first."""
        return (await self.send(calls.deals(number))).deals

    async def propose(
        self, number: int, action: Mapping[str, Any], *, note: str = "", hours: int = 72
    ) -> Deal:
        """Offer an action others have a say in."""
        return await self.send(calls.propose(number, action, note, hours))

    async def counter(
        self, number: int, deal: int, price: int, *, note: str = "", hours: int = 72
    ) -> Deal:
        """Answer an offer with another price."""
        return await self.send(calls.counter(number, deal, price, note, hours))

    async def accept(self, number: int, deal: int) -> Deal:
        """Agree to an offer."""
        return await self.send(calls.on_deal(number, deal, "accept"))

    async def decline(self, number: int, deal: int) -> Deal:
        """Say no to an offer, or take your own back."""
        return await self.send(calls.on_deal(number, deal, "decline"))

    async def promises(self, number: int) -> tuple[Promise, ...]:
        """Your promises at a table."""
        return (await self.send(calls.promises(number))).promises

    async def promise(self, number: int, said: Mapping[str, Any]) -> Promise:
        """Promise something: ``said`` is one by its ``kind``, see :mod:`roundhouse.promises`."""
        return await self.send(calls.promise(number, said))

    async def break_promise(self, number: int, promise: int) -> Done:
        """Take a promise back, or dismiss one that is over."""
        return await self.send(calls.break_promise(number, promise))

    async def seats(self, number: int) -> Seats:
        """Free seats, votes, invitations, and who sat where when."""
        return await self.send(calls.seats(number))

    async def change_seat(self, number: int, do: SeatDeed, **more: Unpack[SeatChange]) -> Seats:
        """Do something with a seat of a running game: leave it, be away, take one …"""
        return await self.send(calls.change_seat(number, do, more))

    async def call_vote(self, number: int, what: str, seat: int | None = None) -> Seats:
        """Ask the others to ``remove`` who sits on a seat, or to ``end`` the game."""
        return await self.send(calls.call_vote(number, what, seat))

    async def vote(self, number: int, vote: int, yes: bool) -> Seats:
        """Say yes or no in a vote."""
        return await self.send(calls.vote(number, vote, yes))

    async def clock(self, number: int) -> Clock:
        """The clock of a table, and everybody's time."""
        return await self.send(calls.clock(number))

    async def chat(self, number: int, since: int = 0) -> tuple[Line, ...]:
        """What was said after a line; the last of it."""
        return (await self.send(calls.chat(number, since))).lines

    async def say(self, number: int, text: str, room: str = "players") -> Line:
        """Say something, at the table or among ``spectators``."""
        return await self.send(calls.say(number, text, room))

    async def notes(self, number: int) -> str:
        """Your own notes."""
        return (await self.send(calls.notes(number))).text

    async def write_notes(self, number: int, text: str) -> Notes:
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
    ) -> Routes:
        """The best routes of a company (None: who operates), as if it had other trains too."""
        return await self.send(calls.routes(number, company, trains, tile, at, effort))

    async def earnings(
        self, number: int, routes: Iterable[Mapping[str, Any]], company: str | None = None
    ) -> Earnings:
        """What some routes earn now."""
        return await self.send(calls.earnings(number, routes, company))

    async def what_if(
        self, number: int, actions: Iterable[Mapping[str, Any]], at: int | None = None
    ) -> WhatIf:
        """What would be after some actions."""
        return await self.send(calls.what_if(number, actions, at))

    async def download(self, number: int, *, portable: bool = False) -> dict[str, Any]:
        """The game as a file; ``portable``: only what counts, as other programs read it."""
        return await self.send(calls.download(number, portable))

    async def import_game(self, raw: bytes, description: str = "") -> Upload:
        """Send a game file and wait until it is played through."""
        sent = await self.send(calls.send_file(raw, description))
        while not sent.done:
            await asyncio.sleep(0.5)
            sent = await self.send(calls.upload(sent.id))
        return sent

    # study

    async def branches(self, number: int) -> Branches:
        """Your branches of a game, and the published ones."""
        return await self.send(calls.branches(number))

    async def begin_branch(self, number: int, at: int | None = None, name: str = "") -> Branch:
        """Play on in private after action ``at`` (None: from now on), at the table ``id``."""
        return await self.send(calls.begin_branch(number, at, name))

    async def branch(self, number: int) -> Branch:
        """What a branch is of, and who may see it."""
        return await self.send(calls.branch(number))

    async def change_branch(
        self,
        number: int,
        *,
        name: str | None = None,
        shared: bool | None = None,
        published: bool | None = None,
    ) -> Branch:
        """Rename, share or publish a branch of yours; None: as it is."""
        return await self.send(calls.change_branch(number, name, shared, published))

    async def delete_branch(self, number: int) -> Done:
        """Throw a branch away."""
        return await self.send(calls.delete_branch(number))

    async def compare(self, number: int, against: int | None = None) -> Comparison:
        """A branch beside its game, after an action or where that was in the same round."""
        return await self.send(calls.compare(number, against))

    async def fits(self, number: int) -> Handing:
        """What of a branch fits its game as it stands."""
        return await self.send(calls.fits(number))

    async def hand_over(self, number: int, version: int, count: int | None = None) -> Handing:
        """Do in the game what a branch has ready, ``count`` actions at most (None: all). Raises
        :class:`StaleVersion` if the game has moved on."""
        return await self.send(calls.hand_over(number, version, count))

    async def clone(
        self, number: int, *, seat: int | None = None, others: str | None = None, name: str = ""
    ) -> Table:
        """Another game from where a branch or a game stands: at one screen, or with a seat of yours
        (from 1) and on the others bots of a kind, or (none) whoever knows the table's link."""
        return await self.send(calls.clone(number, seat, others, name))

    async def remarks(self, number: int) -> tuple[Remark, ...]:
        """What is said of a game that is over."""
        return (await self.send(calls.remarks(number))).remarks

    async def remark(self, number: int, after: int, text: str) -> Remark:
        """Say something of the moment after an action (0: the start)."""
        return await self.send(calls.remark(number, after, text))

    async def unsay(self, number: int, remark: int) -> Done:
        """Take a remark of yours away."""
        return await self.send(calls.unsay(number, remark))

    # streams

    async def follow_game(
        self, number: int, since: int | None = None, heard: int | None = None
    ) -> AsyncIterator[Event]:
        """The events of a game, as they come, until it ends; ``since``: what was missed after a
        version, instead of the whole state; ``heard``: what was said after a line."""
        async for event in self._follow(calls.game_stream(number, since, heard)):
            yield event

    async def follow_account(self) -> AsyncIterator[Event]:
        """The events of all your games, as they come."""
        async for event in self._follow(calls.account_stream()):
            yield event

    async def _follow(self, call: Call[Event]) -> AsyncIterator[Event]:
        async with self._http.stream(call.method, call.path, params=call.asked) as got:
            if got.status_code != 200:
                raise calls.error_of(got.status_code, await got.aread(), got.headers)
            async for line in got.aiter_lines():
                event = calls.event(line)
                if event is not None:
                    yield event


_JSON = {"Content-Type": "application/json"}
