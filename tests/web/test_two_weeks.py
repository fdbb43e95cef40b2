"""Two weeks of four people in some minutes: one injected clock, a real server with real workers, a
real mail server, web service and push service. Nothing of it is patched.

Each looks in at eight in the morning and at eight in the evening by his own wall. One stays away
for days, is late, is replaced by a bot by the vote of the others, and comes back. Workers and the
server are killed in between.
"""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import time as machine
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime, time, timedelta
from random import Random
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from roundhouse.web import clock

from .browser import free_port, running, server
from .endpoints import Browser, mail_server, web_service
from .player import Player
from .test_tasks import workers
from .visitor import Visitor

START = datetime(2030, 6, 3, 6, tzinfo=UTC)
PATIENCE = timedelta(seconds=20)
DAY = timedelta(days=1)
WORD = "a quiet table, a long evening"
#: Name, time zone, and how he is told.
PEOPLE = (
    ("anna", "Europe/Berlin", "mail"),
    ("ben", "America/New_York", "hook"),
    ("cleo", "Asia/Tokyo", "push"),
    ("dora", "Australia/Sydney", "mail"),
)
#: Dora is away from the fourth day to the tenth.
AWAY = (START + 4 * DAY, START + 9 * DAY)
NIGHT = (time(23), time(7))


class Person:
    """Somebody who looks in twice a day; knows what he should have been told."""

    def __init__(self, world: World, name: str, zone: str, way: str) -> None:
        self.world, self.name, self.way = world, name, way
        self.zone = ZoneInfo(zone)
        self.visitor = Visitor(world.address)
        self.number = 0
        self.turn: datetime | None = None
        self.expected: list[datetime] = []

    def enter(self) -> None:
        """An account, with days and a way to be reached."""
        mail = f"{self.name}@example.org"
        form = {"username": self.name, "password1": WORD, "password2": WORD, "email": mail}
        self.visitor.post("/account/new/", **form).close()
        rhythm = {"zone": self.zone.key, "asleep": "23:00", "awake": "07:00"}
        self.visitor.post("/account/days/", **rhythm).close()
        getattr(self, f"by_{self.way}")()

    def by_mail(self) -> None:
        box, address = self.world.box, f"{self.name}@example.org"
        self.visitor.post("/notices/mail/", address=address).close()
        until(lambda: box.to(address))
        link = re.search(r"https?://[^/]+(/notices/confirm/\S+/)", box.to(address)[0].get_content())
        assert link
        self.visitor.get(link[1])
        box.letters.clear()

    def by_hook(self) -> None:
        form = {"shape": "plain", "address": f"{self.world.service.address}/{self.name}"}
        self.visitor.post("/notices/hook/", **form).close()
        number = re.search(r"/notices/channel/(\d+)/test/", self.visitor.get("/notices/"))
        assert number
        self.visitor.post(f"/notices/channel/{number[1]}/test/").close()
        assert len(self.world.service.got) == 1
        self.world.service.got.clear()

    def by_push(self) -> None:
        self.browser = Browser(self.world.service, self.name)
        raw = json.dumps(self.browser.subscription())
        self.visitor.post_json("/notices/browser/", raw)

    def told(self) -> list[str]:
        """The subjects that reached him, each as often as it did."""
        if self.way == "push":
            return [n["title"] for n in self.browser.read()]
        if self.way == "hook":
            parcels = self.world.service.bodies(f"/{self.name}")
            once = {p["id"]: p for p in parcels}
            return [n["subject"] for p in once.values() for n in p["notices"]]
        found: dict[str, Any] = {}
        for letter in self.world.box.to(f"{self.name}@example.org"):
            found[letter["Message-ID"]] = letter
        texts = [m.get_body(("plain",)).get_content().replace("\r", "") for m in found.values()]
        return [
            line for text in texts for line in re.findall(r"^(?:Your|\w+’s) .*: .*$", text, re.M)
        ]

    def asleep(self, at: datetime) -> bool:
        wall = at.astimezone(self.zone).time()
        return wall >= NIGHT[0] or wall < NIGHT[1]

    def when_told(self, turn: datetime) -> datetime:
        """When he is told of a turn: soon, or when he wakes, found minute by minute."""
        at = turn + PATIENCE
        if self.asleep(at):
            at = at.replace(second=0, microsecond=0)
            while self.asleep(at):
                at += timedelta(minutes=1)
        return at

    def looks_in(self) -> None:
        """He plays as long as the game waits for him, and agrees to what he is asked."""
        self.agree()
        player = Player(Through(self.visitor), self.world.table, self.world.luck)
        for _ in range(40):
            if self.number not in self.world.acting() or self.world.bot(self.number):
                return
            assert player.step()
            self.world.moved()

    def agree(self) -> None:
        path = f"/table/{self.world.table}/time/"
        for number in re.findall(r'name="proposal" value="(\d+)"', self.visitor.get(path)):
            self.visitor.post(f"{path}answer/", proposal=number, agree="yes").close()
            self.world.moved()


class Through:
    """A visitor of a real server, where a player expects a client of Django's."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor

    def get(self, path: str) -> Any:
        return SimpleNamespace(content=self.visitor.get(path).encode())

    def post(self, path: str, form: dict[str, str], headers: Any = None) -> Any:
        with self.visitor.post(path, **form) as answer:
            told, status = answer.read(), answer.status
        return SimpleNamespace(status_code=status, json=lambda: json.loads(told))


class World:
    """A server, the services around it, its clock, and those who play there."""

    def __init__(self, folder: Any, stack: ExitStack) -> None:
        self.data, self.time = folder / "data", folder / "time"
        self.data.mkdir()
        self.box = stack.enter_context(mail_server())
        self.service = stack.enter_context(web_service())
        self.port, self.luck, self.table = free_port(), Random(7), 0
        self.address = f"http://127.0.0.1:{self.port}"
        self.now = START
        clock.write(self.time, self.now)
        self.serving = stack.enter_context(closing(Serving(self)))
        self.people = [Person(self, *p) for p in PEOPLE]

    # looking into the database, as a host might

    def rows(self, query: str, *given: Any) -> list[Any]:
        file = f"file:{self.data / 'roundhouse.sqlite3'}?mode=ro"
        with closing(sqlite3.connect(file, uri=True, timeout=20)) as line:
            return line.execute(query, given).fetchall()

    def acting(self) -> list[int]:
        ((raw,),) = self.rows("SELECT acting FROM web_table WHERE id = ?", self.table)
        return list(json.loads(raw))

    def bot(self, number: int) -> bool:
        query = "SELECT bot FROM web_place WHERE table_id = ? AND number = ?"
        return bool(self.rows(query, self.table, number)[0][0])

    # time

    def due(self) -> list[datetime]:
        """What is to be done, and when."""
        queries = (
            "SELECT due FROM notices_delivery WHERE state = 'waiting'",
            "SELECT near FROM clocks_hand WHERE since IS NOT NULL AND NOT warned",
            'SELECT due FROM clocks_hand WHERE since IS NOT NULL AND NOT "out"',
        )
        found = [row[0] for query in queries for row in self.rows(query)]
        return sorted(datetime.fromisoformat(t).replace(tzinfo=UTC) for t in found if t)

    def go(self, moment: datetime) -> None:
        """Time passes, and stops wherever something is to be done."""
        while (due := self.due()) and due[0] <= moment:
            self.set(max(due[0], self.now))
            until(lambda: not any(d <= self.now for d in self.due()))
        self.set(moment)

    def set(self, moment: datetime) -> None:
        self.now = moment
        clock.write(self.time, moment)

    def moved(self) -> None:
        """After an action, bots have had their turns: whose turn has begun or is over?"""
        until(lambda: not any(self.bot(n) for n in self.acting()))
        acting = self.acting()
        for person in self.people:
            waited = person.number in acting and not self.bot(person.number)
            if waited and person.turn is None:
                person.turn = self.now
            elif not waited and person.turn is not None:
                if person.when_told(person.turn) <= self.now:
                    person.expected.append(person.turn)
                person.turn = None


class Serving:
    """The server, which may be killed and started again."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.stack = ExitStack()
        self.start()

    def start(self) -> None:
        world = self.world
        env = {
            "ROUNDHOUSE_CLOCK": str(world.time),
            "ROUNDHOUSE_OUTWARD": "127.0.0.0/8",
            "ROUNDHOUSE_URL": world.address,
            "ROUNDHOUSE_SMTP_HOST": "127.0.0.1",
            "ROUNDHOUSE_SMTP_PORT": str(world.box.port),
            "ROUNDHOUSE_SMTP_PLAIN": "1",
        }
        more = ("--accounts", "--tasks", "2")
        self.stack.enter_context(server(world.data, *more, env=env, port=world.port))

    def kill_workers(self) -> None:
        for pid in workers(running[self.world.address].pid):
            os.kill(pid, signal.SIGKILL)

    def kill(self) -> None:
        """The machine goes dark: server and workers at once."""
        self.kill_workers()
        running[self.world.address].send_signal(signal.SIGKILL)
        self.stack.close()
        self.start()

    def close(self) -> None:
        self.stack.close()


def until(condition: Any, seconds: int = 90) -> None:
    """Wait, by the machine's clock, until something is so."""
    end = machine.monotonic() + seconds
    while not condition():
        assert machine.monotonic() < end, "it did not happen"
        machine.sleep(0.05)


@pytest.fixture(scope="module")
def world(tmp_path_factory) -> Iterator[World]:
    with ExitStack() as stack:
        found = World(tmp_path_factory.mktemp("weeks"), stack)
        for person in found.people:
            person.enter()
        yield found


@contextmanager
def hung(world: World) -> Iterator[None]:
    """The mail server takes nothing for a while."""
    world.box.refuse = "451 not now"
    try:
        yield
    finally:
        world.box.refuse = ""


def sit_down(world: World) -> None:
    anna, *others = world.people
    with anna.visitor.post(
        "/new/1817/", seats=4, seed=3, description="Weeks", public="on"
    ) as answer:
        world.table = int(re.search(r"/table/(\d+)/", answer.url)[1])
    own = {"preset": "own", "kind": "turn", "turn_0": "24", "turn_1": "hours", "nights": "on",
           "vacation": "0", "at_zero": "bot"}  # fmt: skip
    anna.visitor.post(f"/table/{world.table}/time/clock/", **own).close()
    for person in others:
        person.visitor.post(f"/table/{world.table}/join/").close()
    for number, person in enumerate(world.people, start=1):
        person.number = number
    world.moved()


def visits(world: World) -> list[tuple[datetime, Person]]:
    """Who looks in when: twice a day each, by his own wall, unless he is away."""
    found = []
    for person in world.people:
        for day in range(15):
            for hour in (8, 20):
                date = (START + day * DAY).date()
                at = datetime.combine(date, time(hour), person.zone).astimezone(UTC)
                away = person.name == "dora" and AWAY[0] <= at < AWAY[1]
                if START < at < START + 14 * DAY and not away:
                    found.append((at, person))
    return sorted(found, key=lambda v: (v[0], v[1].name))


def test_two_weeks(world):
    sit_down(world)
    dora = world.people[3]
    replaced = back = False
    events = visits(world)
    for count, (moment, person) in enumerate(events):
        world.go(moment)
        if count == len(events) // 4:
            world.serving.kill_workers()
        if count == len(events) // 2:
            with hung(world):
                world.serving.kill()
        if person is dora and world.bot(4):
            assert moment >= AWAY[1]
            back = True
            dora.visitor.post(f"/table/{world.table}/seats/", do="back").close()
            world.moved()
        person.looks_in()
        replaced = replaced or world.bot(4)
    world.go(START + 14 * DAY)
    assert replaced
    assert back
    check_turns(world)
    check_times(world)


def check_turns(world: World) -> None:
    """Everybody was told of every turn that lasted until he could be told, and once of each."""
    subject = f"Your turn: 1817 no. {world.table}"
    for person in world.people:
        if person.turn is not None and person.when_told(person.turn) <= world.now:
            person.expected.append(person.turn)
        told = [s for s in person.told() if s == subject]
        assert len(told) == len(person.expected), (person.name, len(told), len(person.expected))
    assert sum(len(p.expected) for p in world.people) > 20
    failed = world.rows(
        "SELECT count(*) FROM notices_delivery WHERE state IN ('failed', 'waiting')"
    )
    assert failed == [(0,)]


def check_times(world: World) -> None:
    """Who was late was warned once and told once, when he was awake; the others were asked."""
    dora = world.people[3]
    short = f"Your time is short: 1817 no. {world.table}"
    over = f"Your time is up: 1817 no. {world.table}"
    assert dora.told().count(over) == 1
    assert dora.told().count(short) >= 1
    for person in world.people[:3]:
        asked = f"dora’s time is up: 1817 no. {world.table}"
        assert person.told().count(asked) == 1
        assert over not in person.told()
    query = "SELECT place_id, counted, began, ended FROM clocks_spent ORDER BY ended"
    for _, counted, began, ended in world.rows(query):
        whole = datetime.fromisoformat(ended) - datetime.fromisoformat(began)
        assert 0 <= counted / 1e6 <= whole.total_seconds() + 1
