"""The synchronous client."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
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


class Client:
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
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        base = f"{address.rstrip('/')}/api/"
        self._http = httpx.Client(
            base_url=base, headers=headers, timeout=PATIENCE, transport=transport
        )
        self._wait = wait

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let the connections go."""
        self._http.close()

    def send(self, call: Call[T]) -> T:
        """Send a request, and again where the server asks for patience."""
        left = self._wait
        while True:
            got = self._http.request(
                call.method, call.path, content=call.sent, params=call.asked, headers=_JSON
            )
            try:
                return calls.read(call, got.status_code, got.content, got.headers)
            except TooManyRequests as error:
                left -= error.retry_after
                if left < 0:
                    raise
                time.sleep(error.retry_after)

    # titles and the account

    def titles(self) -> tuple[Title, ...]:
        """The games one may play."""
        return self.send(calls.titles())

    def title(self, name: str) -> TitleFacts:
        """A title and what is in its box."""
        return self.send(calls.title(name))

    def rules(self, name: str) -> Rulebook:
        """The rules of a title, in Markdown."""
        return self.send(calls.rules(name))

    def account(self) -> Account:
        """Whose token this is."""
        return self.send(calls.account())

    def become_bot(self) -> Account:
        """Mark the account as a program's, for good."""
        return self.send(calls.become_bot())

    def tokens(self) -> tuple[Token, ...]:
        """The tokens of the account."""
        return self.send(calls.tokens())

    def revoke(self) -> Done:
        """Take back the token this client has; it is good for nothing from now on."""
        return self.send(calls.revoke())

    def about(self) -> About:
        """The version of the interface, and where it is described."""
        return self.send(calls.about())

    # webhooks

    def webhooks(self) -> tuple[Webhook, ...]:
        """The addresses that are told about your games."""
        return self.send(calls.webhooks())

    def create_webhook(self, url: str, events: Sequence[str] = ()) -> Webhook:
        """Have an address told of some kinds of events (none named: of all)."""
        return self.send(calls.create_webhook(url, events))

    def ping_webhook(self, number: int) -> Done:
        """Try a webhook out now."""
        return self.send(calls.ping_webhook(number))

    def delete_webhook(self, number: int) -> Done:
        """Tell an address nothing more."""
        return self.send(calls.delete_webhook(number))

    # tables

    def tables(
        self,
        *,
        status: str = "",
        title: str = "",
        whose: str = "all",
        before: int | None = None,
        limit: int = 20,
    ) -> TablePage:
        """Public tables, newest first; ``whose``: ``mine`` or ``my_turn``."""
        return self.send(calls.tables(status, title, whose, before, limit))

    def create_table(self, title: str, **more: Unpack[TablePlan]) -> Table:
        """Make a table and sit down at it."""
        return self.send(calls.create_table(title, more))

    def table(self, number: int, invite: str = "") -> Table:
        """A table."""
        return self.send(calls.table(number, invite))

    def join(self, number: int, invite: str = "") -> Table:
        """Take a seat."""
        return self.send(calls.join(number, invite))

    def seat_bot(self, number: int, kind: str = "") -> Table:
        """Give a seat to the server's bot; ``kind``: how it plays, such as ``magnate:quick``."""
        return self.send(calls.seat_bot(number, kind))

    def ready(self, number: int, ask: bool = False) -> Table:
        """Say that you are ready to begin; ``ask``: ask everybody whether they are."""
        return self.send(calls.ready(number, ask))

    def start(self, number: int) -> Table:
        """Begin with who is there."""
        return self.send(calls.start(number))

    def leave(self, number: int) -> Done:
        """Leave a table that has not begun."""
        return self.send(calls.leave(number))

    # playing

    def state(self, number: int, at: int | None = None) -> State:
        """The position, now or after the action with id ``at``."""
        return self.send(calls.state(number, at))

    def choices(self, number: int) -> Choices:
        """Everything anybody may do now."""
        return self.send(calls.choices(number))

    def moves(self, number: int, since: int = 0, limit: int = 100) -> Moves:
        """The log after entry ``since``."""
        return self.send(calls.moves(number, since, limit))

    def act(
        self, number: int, action: Mapping[str, Any], version: int, *, agreed: bool = False
    ) -> Standing:
        """Carry out an action. Raises :class:`StaleVersion` if the game has moved on."""
        return self.send(calls.act(number, action, version, agreed))

    def undo(
        self, number: int, version: int, *, to: int | str | None = None, agreed: bool = False
    ) -> Standing:
        """Take back: the last action, all after the action with id ``to``, or the ``turn``."""
        return self.send(calls.undo(number, version, to, agreed))

    def redo(self, number: int, version: int, *, agreed: bool = False) -> Standing:
        """Restore what was taken back."""
        return self.send(calls.redo(number, version, agreed))

    def check(self, number: int, action: Mapping[str, Any]) -> Judgement:
        """Whether an action is legal now, or why not."""
        return self.send(calls.check(number, action))

    def answer(self, number: int, agree: bool) -> Standing:
        """Answer the question of a table."""
        return self.send(calls.answer(number, agree))

    def withdraw(self, number: int) -> Standing:
        """Take back the question you asked the others."""
        return self.send(calls.withdraw(number))

    # beside the game

    def deals(self, number: int) -> tuple[Deal, ...]:
        """The offers of a table, newest first."""
        return self.send(calls.deals(number)).deals

    def propose(
        self, number: int, action: Mapping[str, Any], *, note: str = "", hours: int = 72
    ) -> Deal:
        """Offer an action others have a say in."""
        return self.send(calls.propose(number, action, note, hours))

    def counter(
        self, number: int, deal: int, price: int, *, note: str = "", hours: int = 72
    ) -> Deal:
        """Answer an offer with another price."""
        return self.send(calls.counter(number, deal, price, note, hours))

    def accept(self, number: int, deal: int) -> Deal:
        """Agree to an offer."""
        return self.send(calls.on_deal(number, deal, "accept"))

    def decline(self, number: int, deal: int) -> Deal:
        """Say no to an offer, or take your own back."""
        return self.send(calls.on_deal(number, deal, "decline"))

    def promises(self, number: int) -> tuple[Promise, ...]:
        """Your promises at a table."""
        return self.send(calls.promises(number)).promises

    def promise(self, number: int, said: Mapping[str, Any]) -> Promise:
        """Promise something: ``said`` is one by its ``kind``, see :mod:`roundhouse.promises`."""
        return self.send(calls.promise(number, said))

    def break_promise(self, number: int, promise: int) -> Done:
        """Take a promise back, or dismiss one that is over."""
        return self.send(calls.break_promise(number, promise))

    def seats(self, number: int) -> Seats:
        """Free seats, votes, invitations, and who sat where when."""
        return self.send(calls.seats(number))

    def change_seat(self, number: int, do: SeatDeed, **more: Unpack[SeatChange]) -> Seats:
        """Do something with a seat of a running game: leave it, be away, take one …"""
        return self.send(calls.change_seat(number, do, more))

    def call_vote(self, number: int, what: str, seat: int | None = None) -> Seats:
        """Ask the others to ``remove`` who sits on a seat, or to ``end`` the game."""
        return self.send(calls.call_vote(number, what, seat))

    def vote(self, number: int, vote: int, yes: bool) -> Seats:
        """Say yes or no in a vote."""
        return self.send(calls.vote(number, vote, yes))

    def clock(self, number: int) -> Clock:
        """The clock of a table, and everybody's time."""
        return self.send(calls.clock(number))

    def chat(self, number: int, since: int = 0) -> tuple[Line, ...]:
        """What was said after a line; the last of it."""
        return self.send(calls.chat(number, since)).lines

    def say(self, number: int, text: str, room: str = "players") -> Line:
        """Say something, at the table or among ``spectators``."""
        return self.send(calls.say(number, text, room))

    def notes(self, number: int) -> str:
        """Your own notes."""
        return self.send(calls.notes(number)).text

    def write_notes(self, number: int, text: str) -> Notes:
        """Keep notes, in place of those there were."""
        return self.send(calls.write_notes(number, text))

    # routes, what-if, files

    def routes(
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
        return self.send(calls.routes(number, company, trains, tile, at, effort))

    def earnings(
        self, number: int, routes: Iterable[Mapping[str, Any]], company: str | None = None
    ) -> Earnings:
        """What some routes earn now."""
        return self.send(calls.earnings(number, routes, company))

    def what_if(
        self, number: int, actions: Iterable[Mapping[str, Any]], at: int | None = None
    ) -> WhatIf:
        """What would be after some actions."""
        return self.send(calls.what_if(number, actions, at))

    def download(self, number: int, *, portable: bool = False) -> dict[str, Any]:
        """The game as a file; ``portable``: only what counts, as other programs read it."""
        return self.send(calls.download(number, portable))

    def import_game(self, raw: bytes, description: str = "") -> Upload:
        """Send a game file and wait until it is played through."""
        sent = self.send(calls.send_file(raw, description))
        while not sent.done:
            time.sleep(0.5)
            sent = self.send(calls.upload(sent.id))
        return sent

    # study

    def branches(self, number: int) -> Branches:
        """Your branches of a game, and the published ones."""
        return self.send(calls.branches(number))

    def begin_branch(self, number: int, at: int | None = None, name: str = "") -> Branch:
        """Play on in private after action ``at`` (None: from now on), at the table ``id``."""
        return self.send(calls.begin_branch(number, at, name))

    def branch(self, number: int) -> Branch:
        """What a branch is of, and who may see it."""
        return self.send(calls.branch(number))

    def change_branch(
        self,
        number: int,
        *,
        name: str | None = None,
        shared: bool | None = None,
        published: bool | None = None,
    ) -> Branch:
        """Rename, share or publish a branch of yours; None: as it is."""
        return self.send(calls.change_branch(number, name, shared, published))

    def delete_branch(self, number: int) -> Done:
        """Throw a branch away."""
        return self.send(calls.delete_branch(number))

    def compare(self, number: int, against: int | None = None) -> Comparison:
        """A branch beside its game, after an action or where that was in the same round."""
        return self.send(calls.compare(number, against))

    def fits(self, number: int) -> Handing:
        """What of a branch fits its game as it stands."""
        return self.send(calls.fits(number))

    def hand_over(self, number: int, version: int, count: int | None = None) -> Handing:
        """Do in the game what a branch has ready, ``count`` actions at most (None: all). Raises
        :class:`StaleVersion` if the game has moved on."""
        return self.send(calls.hand_over(number, version, count))

    def clone(
        self, number: int, *, seat: int | None = None, others: str | None = None, name: str = ""
    ) -> Table:
        """Another game from where a branch or a game stands: at one screen, or with a seat of yours
        (from 1) and on the others bots of a kind, or (none) whoever knows the table's link."""
        return self.send(calls.clone(number, seat, others, name))

    def remarks(self, number: int) -> tuple[Remark, ...]:
        """What is said of a game that is over."""
        return (self.send(calls.remarks(number))).remarks

    def remark(self, number: int, after: int, text: str) -> Remark:
        """Say something of the moment after an action (0: the start)."""
        return self.send(calls.remark(number, after, text))

    def unsay(self, number: int, remark: int) -> Done:
        """Take a remark of yours away."""
        return self.send(calls.unsay(number, remark))

    # streams

    def follow_game(
        self, number: int, since: int | None = None, heard: int | None = None
    ) -> Iterator[Event]:
        """The events of a game, as they come, until it ends; ``since``: what was missed after a
        version, instead of the whole state; ``heard``: what was said after a line."""
        yield from self._follow(calls.game_stream(number, since, heard))

    def follow_account(self) -> Iterator[Event]:
        """The events of all your games, as they come."""
        yield from self._follow(calls.account_stream())

    def _follow(self, call: Call[Event]) -> Iterator[Event]:
        with self._http.stream(call.method, call.path, params=call.asked) as got:
            if got.status_code != 200:
                raise calls.error_of(got.status_code, got.read(), got.headers)
            for line in got.iter_lines():
                event = calls.event(line)
                if event is not None:
                    yield event


_JSON = {"Content-Type": "application/json"}
