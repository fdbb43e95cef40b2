"""Between the asynchronous server and Django's views: requests wait for one of a bounded number of
threads, each with one connection to the database at most; event streams need none.

A body is read, and an answer sent, while no thread is held, so that slow lines cost nothing.
"""

from __future__ import annotations

import asyncio
import io
import re
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from functools import partial
from typing import Any

from django.conf import settings
from django.core import signals
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.db import close_old_connections
from django.http import HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

from . import garbage, presence
from .feeds import INTERVAL, Feed, FeedResponse
from .live import HEARD, HEARTBEAT, Ear, News, Watch, event, hub

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Scope]]
Send = Callable[[Scope], Awaitable[None]]

#: Bytes of a body beyond what the views take; more is not even read.
_ROOM = 64 * 1024
#: Seconds a body may take.
_PATIENCE = 60
#: Bytes of a body anybody may send at any time, and how many larger ones are held at once: all of
#: them together are to be no more than a process can bear.
_SMALL, _LARGE = 256 * 1024, 16
_STREAM = re.compile(r"^/table/(\d{1,18})/stream/$")
_UPDATE = re.compile(r"^/table/\d{1,18}/update/$")
#: Threads for what most requests are, updates. These are short, wait for nothing and are made of
#: what is in memory: more threads would only take the interpreter from each other and from actions.
_UPDATING = 1


class TooLarge(Exception):
    """The body has more bytes than any view takes."""


class RequestThreads(ASGIHandler):
    """The ASGI application."""

    def __init__(self, threads: int) -> None:
        self.load_middleware(is_async=False)  # as the views are; not the parent's, for threads
        self._threads = ThreadPoolExecutor(threads, "page")
        self._updating = ThreadPoolExecutor(_UPDATING, "update")
        self._doormen = ThreadPoolExecutor(2, "doorman")
        self._large = asyncio.Semaphore(_LARGE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # type: ignore[override]
        if scope["type"] == "lifespan":
            await _live(receive, send)
        elif scope["type"] == "http":
            found = _STREAM.match(scope["path"])
            if found and scope["method"] == "GET":
                await self._stream(int(found[1]), scope, receive, send)
            else:
                await self._page(scope, receive, send)

    async def _page(self, scope: Scope, receive: Receive, send: Send) -> None:
        garbage.busy()
        try:
            response, content = await self._read_and_answered(scope, receive)
        except TooLarge:
            await _send(send, *_plain(scope, 413, "This is too large."))
        except TimeoutError:
            await _send(send, *_plain(scope, 408, "This took too long."))
        except ConnectionError:
            return
        else:
            if isinstance(response, FeedResponse):
                await self._feed(response, receive, send)
            else:
                await _send(send, response, content)

    async def _read_and_answered(
        self, scope: Scope, receive: Receive
    ) -> tuple[HttpResponseBase, bytes]:
        """The answer to a request whose body is still to come."""
        threads = self._updating if _UPDATE.match(scope["path"]) else self._threads
        async with AsyncExitStack() as held:
            async with asyncio.timeout(_PATIENCE):
                body = await _body(receive, partial(held.enter_async_context, self._large))
            return await self._answered(threads, scope, body)

    async def _answered(
        self, threads: ThreadPoolExecutor, scope: Scope, body: bytes
    ) -> tuple[HttpResponseBase, bytes]:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(threads, self._answer, scope, body)

    def _answer(self, scope: Scope, body: bytes) -> tuple[HttpResponseBase, bytes]:
        """What Django says; in a thread."""
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=self.__class__, scope=scope)
        request, wrong = self.create_request(scope, io.BytesIO(body))
        response: Any = wrong if request is None else self.get_response(request)
        content = b"".join(response)
        response.close()
        if request is not None:  # what hangs on it refers back to it: no collection needed
            vars(request).clear()
        return response, content

    async def _feed(self, response: FeedResponse, receive: Receive, send: Send) -> None:
        """A line to a program: what is new, whenever one of its tables has news. It listens first,
        and reads then."""
        Watch.start_one()
        del response["Content-Length"]
        feed = response.feed
        with hub.listening(*feed.tables) as ear:
            leaving = asyncio.ensure_future(_leave(receive, ear))
            try:
                await send(_start(response))
                while not ear.closed and not feed.over:
                    texts = await self._read(feed)
                    hub.turn(ear, feed.tables)
                    await send(_chunk("".join(texts) or feed.nothing()))
                    if not feed.over:
                        await ear.wait(INTERVAL)
                await send({"type": "http.response.body", "body": b"", "more_body": False})
            finally:
                leaving.cancel()

    async def _read(self, feed: Feed) -> list[str]:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._doormen, _reading, feed)

    async def _stream(self, table: int, scope: Scope, receive: Receive, send: Send) -> None:
        """Server-sent events. One listens first, and reads how far the table is then."""
        Watch.start_one()
        with hub.listening(table) as ear:
            response, content = await self._answered(self._doormen, scope, b"")
            heard = response.headers.get(HEARD, "")
            if response.status_code != 200 or not heard:
                await _send(send, response, content)
                return
            ear.mark = response.headers.get(presence.MARK, "")
            for name in (HEARD, presence.MARK, "Content-Length"):
                del response[name]
            ear.tell(News(*map(int, heard.split("."))))
            leaving = asyncio.ensure_future(_leave(receive, ear))
            try:
                await send(_start(response))
                await _tell(ear, send)
            finally:
                leaving.cancel()
                if ear.mark:
                    self._doormen.submit(presence.end, ear.mark)


def _reading(feed: Feed) -> list[str]:
    """What a feed has to tell; in a thread, which gives its connection back then."""
    try:
        return feed.read()
    finally:
        close_old_connections()


async def _tell(ear: Ear, send: Send) -> None:
    told = ear.heard
    await send(_chunk(event(told)))
    while not ear.closed:
        rung = await ear.wait(HEARTBEAT)
        news = ear.heard
        if news != told or (not rung and news.version):
            await send(_chunk(event(news)))
        elif not rung:
            await send(_chunk(": still waiting for players\n\n"))
        told = news
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _leave(receive: Receive, ear: Ear) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    ear.close()


async def _body(receive: Receive, grow: Callable[[], Awaitable[object]]) -> bytes:
    """The body of a request. ``grow`` is waited for once it is large."""
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionError
        parts.append(message.get("body", b""))
        small = size <= _SMALL
        size += len(parts[-1])
        if small and size > _SMALL:
            await grow()
        if size > settings.DATA_UPLOAD_MAX_MEMORY_SIZE + _ROOM:
            raise TooLarge
        if not message.get("more_body"):
            return b"".join(parts)


def _plain(scope: Scope, status: int, sentence: str) -> tuple[HttpResponseBase, bytes]:
    if scope["path"].startswith("/api/"):
        told = {"code": "body", "message": sentence, "where": "body", "rule": ""}
        answer = JsonResponse(told, status=status)
        return answer, answer.content
    response = HttpResponse(sentence, status=status, content_type="text/plain; charset=utf-8")
    return response, response.content


def _start(response: HttpResponseBase) -> Scope:
    headers = [(k.encode("ascii"), v.encode("latin1")) for k, v in response.items()]
    cookies = (c.output(header="").strip() for c in response.cookies.values())
    headers += [(b"set-cookie", cookie.encode("ascii")) for cookie in cookies]
    return {"type": "http.response.start", "status": response.status_code, "headers": headers}


def _chunk(text: str) -> Scope:
    return {"type": "http.response.body", "body": text.encode(), "more_body": True}


async def _send(send: Send, response: HttpResponseBase, content: bytes) -> None:
    await send(_start(response))
    await send({"type": "http.response.body", "body": content})


async def _live(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
