"""Figures of the server: acting, updating, looking back and opening, late in real games.

    python benchmarks/server.py [GAME.json …] [--seats each|all] [--moves 40] [--at 0.9]

Every game is imported up to nine tenths of its actions; the next ones are then asked of the
application as a browser sends them, without the network, each followed by the updates the pages of
the others ask for. ``each``: every player has a seat of his own, as at a table of several people;
``all``: one account has all the seats, so that it is shown every button. Figures are processor time
in milliseconds, the median and, behind it, what one in twenty exceeds; compression is in them. A
game is opened with all games closed, in the same process and as the first thing a new one does
after what ``roundhouse serve`` does on its start. What the fixed loop takes (``clock.py``) before
each game is told with it, so that figures of two days and machines can be compared.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from clock import Clock
from engine import files

#: The parts a page shows while the map is open, as in `load.py`.
SEEN = ("bar", "now", "strip", "log", "spectators", "history", "map", "market")
TOKEN = "b" * 32
#: Fixed loops before a game, of which the quickest counts.
_LOOPS = 5


class Stopwatch:
    """Processor time of one kind of request, in milliseconds."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def measure(self, work: Callable[[], Any]) -> Any:
        """Do some work and note how long it took."""
        began = time.process_time()
        answer = work()
        self.times.append((time.process_time() - began) * 1000)
        return answer

    def __str__(self) -> str:
        if not self.times:
            return "–"
        most = sorted(self.times)[int(len(self.times) * 0.95)]
        return f"{statistics.median(self.times):.1f} ({most:.0f})"


class Browser:
    """Somebody who is signed in: asks the application as its server does, in this thread."""

    def __init__(self, application: Any, name: str) -> None:
        from django.contrib.auth import get_user_model
        from django.test import Client

        self.name = name
        self.user, _ = get_user_model().objects.get_or_create(username=name)
        client = Client()
        client.force_login(self.user)
        cookies = f"sessionid={client.cookies['sessionid'].value}; csrftoken={TOKEN}"
        self._headers = {"Host": "testserver", "Cookie": cookies, "Accept-Encoding": "gzip"}
        self._answer = application._answer

    def ask(self, watch: Stopwatch, path: str, form: str = "", **headers: str) -> tuple[int, str]:
        """Status and text of an answer; only the application's part of it is timed."""
        told = self._headers | {name.replace("_", "-"): text for name, text in headers.items()}
        if form:
            told |= {"X-CSRFToken": TOKEN, "Content-Type": "application/x-www-form-urlencoded"}
            told |= {"Content-Length": str(len(form))}
        path, _, query = path.partition("?")
        scope = {
            "type": "http", "http_version": "1.1", "method": "POST" if form else "GET",
            "scheme": "http", "path": path, "root_path": "", "query_string": query.encode(),
            "headers": [(k.lower().encode(), v.encode()) for k, v in told.items()],
            "client": ("127.0.0.1", 1), "server": ("testserver", 80),
        }  # fmt: skip
        response, body = watch.measure(partial(self._answer, scope, form.encode()))
        packed = response.headers.get("Content-Encoding") == "gzip"
        return response.status_code, (gzip.decompress(body) if packed else body).decode()


class Page:
    """A browser at a table: remembers the fingerprints of the parts it shows."""

    def __init__(self, browser: Browser, table: int) -> None:
        self.browser = browser
        self.address = f"/table/{table}/"
        self.known: dict[str, str] = {}

    def open(self, watch: Stopwatch, at: int | None = None) -> None:
        """The whole page."""
        where = self.address if at is None else f"{self.address}?at={at}"
        status, text = self.browser.ask(watch, where)
        assert status == 200, text[:500]
        self._note(text)

    def act(self, watch: Stopwatch, action: dict[str, Any], version: int) -> int:
        """Send an action; gives the status of the answer."""
        form = urlencode({"action": json.dumps(action), "version": version})
        return self._ask(watch, "act/", form)

    def agree(self) -> int:
        """Say yes to what the table is asked."""
        return self._ask(Stopwatch(), "agree/", urlencode({"agree": "yes"}))

    def update(self, watch: Stopwatch) -> None:
        """What has changed."""
        self._ask(watch, "update/")

    def _ask(self, watch: Stopwatch, what: str, form: str = "") -> int:
        seen = ",".join(f"{name}:{self.known.get(name, '')}" for name in SEEN)
        told = {"HX_Request": "true", "X_Panels": seen}
        status, text = self.browser.ask(watch, f"{self.address}{what}", form, **told)
        self._note(text)
        return status

    def _note(self, text: str) -> None:
        self.known.update(re.findall(r'id="panel-(\w+)"[^>]*?data-digest="(\w+)"', text))
        self.known.update(re.findall(r'<svg data-part="(\w+)" data-digest="(\w+)"', text))
        for name, digest in re.findall(r'<div data-part="(\w+)" data-digest="(\w+)"', text):
            self.known[name] = digest


def set_up(data: Path) -> Any:
    """Django on a data directory, migrated, garbage collected as the server does; gives the
    application."""
    os.environ |= {"ROUNDHOUSE_DATA": str(data), "ROUNDHOUSE_ACCOUNTS": "1"}
    os.environ["ROUNDHOUSE_HOSTS"] = "testserver"
    os.environ["DJANGO_SETTINGS_MODULE"] = "roundhouse.web.settings"
    import django

    django.setup()
    from django.core.management import call_command

    from roundhouse.web import garbage
    from roundhouse.web.threads import RequestThreads

    call_command("migrate", verbosity=0, interactive=False)
    garbage.start()
    return RequestThreads(1)


def shortened(path: Path, share: float) -> tuple[bytes, list[dict[str, Any]]]:
    """The first part of a game file, and the actions that follow."""
    game = json.loads(path.read_bytes())
    cut = int(len(game["actions"]) * share)
    rest = game["actions"][cut:]
    return json.dumps({**game, "actions": game["actions"][:cut]}).encode(), rest


class Room:
    """A table with a game on it, and the pages of those who sit there."""

    def __init__(self, application: Any, raw: bytes, each: bool) -> None:
        from roundhouse.web import tables

        host = Browser(application, "host")
        self.table = table = tables.import_file(host.user, raw)
        table.public = True
        self.pages: dict[Any, Page] = {}
        if each:
            table.hotseat = False
        for place in table.places.all():
            browser = Browser(application, f"p{place.number}") if each else host
            place.user = browser.user
            place.save()
            self.pages[place.key] = Page(browser, table.pk)
        table.save()
        if not each:
            self.pages = {None: Page(host, table.pk)}
        self.guest = Page(Browser(application, "guest"), table.pk)

    @property
    def everybody(self) -> list[Page]:
        """All who have the table open."""
        return [*self.pages.values(), self.guest]

    def actor(self, action: dict[str, Any]) -> Page:
        """The page from which an action is sent."""
        from roundhouse.model.actions import decode_action, player_key
        from roundhouse.web import tables

        if None in self.pages:
            return self.pages[None]
        game = tables.open_game(self.table).game
        deciding = tables.decides(game, decode_action(action).actor)
        return next(page for key, page in self.pages.items() if player_key(key) in deciding)

    def settle(self, version: int) -> bool:
        """Have all who are asked say yes; tells whether the table has a new version."""
        self.table.refresh_from_db()
        for page in self.pages.values():
            if self.table.version > version:
                break
            page.agree()
            self.table.refresh_from_db()
        return self.table.version > version


def row(application: Any, path: Path, chosen: argparse.Namespace, data: Path) -> list[str]:
    """One line of the table."""
    from roundhouse.web import tables

    raw, rest = shortened(path, chosen.at)
    room = Room(application, raw, chosen.seats == "each")
    first = room.everybody[0]
    opening, acting, updating, looking, unmeasured = (Stopwatch() for _ in range(5))
    for _ in range(5):
        tables.open_games.clear()
        first.open(opening)
    ids = [e.action.id or 0 for e in tables.open_game(room.table).game.history]
    for at in ids[:: max(1, len(ids) // 20)]:
        room.guest.open(looking, at)
    for page in room.everybody:
        page.open(unmeasured)
    for action in rest[: chosen.moves]:
        version = room.table.version
        actor = room.actor(action)
        if actor.act(acting, action, version) != 200 or not room.settle(version):
            break
        for page in room.everybody:
            if page is not actor:
                page.update(updating)
    return [
        f"{path.parent.name}/{path.stem}", str(room.table.version), str(acting), str(updating),
        str(looking), str(opening), in_a_new_process(data, room.table.pk, first.browser.name),
    ]  # fmt: skip


def in_a_new_process(data: Path, table: int, name: str) -> str:
    """Opening a game first of all, after what the server does on its start."""
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    env["PYTHONPYCACHEPREFIX"] = str(data / "bytecode")
    command = [sys.executable, __file__, "--data", str(data), "--open", str(table), "--by", name]
    for _ in range(2):  # the first writes bytecode
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=env)
    return done.stdout.strip()


def open_one(data: Path, table: int, name: str) -> None:
    """Print how long the first page of a process takes."""
    application = set_up(data)
    from roundhouse.web.warm_up import warm_up

    warm_up()
    browser, watch = Browser(application, name), Stopwatch()
    browser.ask(Stopwatch(), "/account/login/")
    Page(browser, table).open(watch)
    print(f"{watch.times[0]:.0f}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--seats", choices=("each", "all"), default="each")
    parser.add_argument("--moves", type=int, default=40)
    parser.add_argument("--at", type=float, default=0.9)
    parser.add_argument("--data", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--open", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--by", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.open is not None:
        open_one(chosen.data, chosen.open, chosen.by)
        return
    headings = ["game", "actions", "act", "update", "any past moment", "open",
                "open, new process", "fixed loop"]  # fmt: skip
    loops: list[float] = []
    with tempfile.TemporaryDirectory(prefix="roundhouse-bench-") as folder:
        data = Path(folder)
        application = set_up(data)
        print("|", " | ".join(headings), "|")
        print("|", " | ".join("---" for _ in headings), "|")
        for path in chosen.files or files():
            loop = min(Clock().milliseconds for _ in range(_LOOPS))
            loops.append(loop)
            cells = [*row(application, path, chosen, data), f"{loop:.1f}"]
            print("|", " | ".join(cells), "|", flush=True)
    fixed = f"the fixed loop takes {min(loops):.1f} to {max(loops):.1f}"
    print(f"\nprocessor time, ms, where {fixed}; seats: {chosen.seats}")


if __name__ == "__main__":
    main()
