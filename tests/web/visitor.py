"""Somebody at a real server who sends forms and listens, without a browser."""

from __future__ import annotations

import html
import http.client
import http.cookiejar
import json
import re
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Visitor:
    """Has cookies, fills in forms."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.jar = http.cookiejar.CookieJar()
        self._web = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))

    def get(self, path: str) -> str:
        """The text of a page."""
        with self._web.open(f"{self.address}{path}", timeout=60) as answer:
            return str(answer.read().decode())

    def status(self, path: str) -> int:
        """How a page is answered."""
        try:
            with self._web.open(f"{self.address}{path}", timeout=60) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return int(error.code)

    def post(self, path: str, **fields: Any) -> Any:
        """Send a form; the answer."""
        if not any(c.name == "csrftoken" for c in self.jar):
            self.get("/account/login/")
        token = next(c.value for c in self.jar if c.name == "csrftoken")
        raw = urllib.parse.urlencode(fields | {"csrfmiddlewaretoken": token}, doseq=True).encode()
        headers = {"Accept": "application/json", "Referer": self.address}
        request = urllib.request.Request(f"{self.address}{path}", raw, headers)
        return self._web.open(request, timeout=60)

    def post_json(self, path: str, raw: str) -> int:
        """Send JSON, as scripts do; the status."""
        token = next(c.value for c in self.jar if c.name == "csrftoken")
        headers = {"Content-Type": "application/json", "X-CSRFToken": token,
                   "Referer": self.address}  # fmt: skip
        request = urllib.request.Request(f"{self.address}{path}", raw.encode(), headers)
        with self._web.open(request, timeout=60) as answer:
            return int(answer.status)

    def new_table(self, title: str = "1817", names: str = "A\nB\nC", **more: Any) -> str:
        """A table of one screen; its path."""
        with self.post(f"/new/{title}/", names=names, seed=1, **more) as answer:
            return urllib.parse.urlsplit(answer.url).path

    def act(self, table: str, action: dict[str, Any], version: int) -> dict[str, Any]:
        """Send an action; what the server says."""
        form = {"action": json.dumps(action), "version": version, "agreed": "1"}
        with self.post(f"{table}act/", **form) as answer:
            told: dict[str, Any] = json.loads(answer.read())
        return told

    def bid(self, table: str, version: int) -> dict[str, Any]:
        """The first bid the page offers."""
        page = self.get(table)
        raw = re.search(r'name="action" value="([^"]*bid[^"]*)"', page)
        assert raw
        action = json.loads(html.unescape(raw[1]))
        price = re.search(r'name="field:price"[^>]*min="(\d+)"', page)
        return self.act(table, action | {"price": int(price[1])} if price else action, version)

    def say(self, table: str, text: str) -> None:
        """A line of chat."""
        self.post(f"{table}say/", say=text).close()


class Events:
    """What an event stream tells."""

    def __init__(self, answer: http.client.HTTPResponse) -> None:
        self._answer = answer

    def news(self) -> str:
        """Version and number of other things the next event tells; empty: the stream has ended."""
        while line := self._answer.readline():
            if line.startswith(b"data:"):
                return line[5:].strip().decode()
        return ""

    def read(self) -> str:
        """The version the next event tells; empty: the stream has ended."""
        return self.news().partition(".")[0]


@contextmanager
def listening(address: str, table: str) -> Iterator[Events]:
    """The event stream of a table."""
    host = urllib.parse.urlsplit(address).netloc
    line = http.client.HTTPConnection(host, timeout=30)
    line.request("GET", f"{table}stream/")
    try:
        yield Events(line.getresponse())
    finally:
        line.close()
