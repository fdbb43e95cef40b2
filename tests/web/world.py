"""Four people, the server they play on and the services around it, all under one injected clock."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import time as machine
from contextlib import ExitStack, closing
from datetime import UTC, datetime, time, timedelta
from itertools import pairwise
from random import Random
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

from roundhouse.web import clock

from .browser import free_port, running, server
from .endpoints import Browser, mail_server, web_service
from .player import Page, Player
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
#: When something is to be done next.
DUE = """
    SELECT due FROM notices_delivery WHERE state = 'waiting'
    UNION ALL SELECT at FROM promises_due WHERE EXISTS
        (SELECT 1 FROM promises_standing WHERE state = 'standing')
    UNION ALL SELECT near FROM clocks_hand
        WHERE since IS NOT NULL AND NOT warned AND near IS NOT NULL
    UNION ALL SELECT due FROM clocks_hand
        WHERE since IS NOT NULL AND NOT "out" AND due IS NOT NULL
"""


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
            return [line for n in self.browser.read() for line in subjects(n)]
        if self.way == "hook":
            parcels = self.world.service.bodies(f"/{self.name}")
            once = {p["id"]: p for p in parcels}
            return [n["subject"] for p in once.values() for n in p["notices"]]
        found: dict[str, Any] = {}
        for letter in self.world.box.to(f"{self.name}@example.org"):
            found[letter["Message-ID"]] = letter
        texts = [m.get_body(("plain",)).get_content().replace("\r", "") for m in found.values()]
        told = re.compile(r"^(?:You|Your|\w+’s) .*: .*$", re.M)
        return [line for text in texts for line in told.findall(text)]

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

    def acted(self, moves: list[tuple[int, datetime]]) -> datetime | None:
        """When he did what another has moved after: by a promise, say, and then a bot did."""
        mine = [at for (seat, at), (after, _) in pairwise(moves) if seat == self.number != after]
        return mine[-1] if mine else None

    def turn_over(self, at: datetime) -> None:
        """His turn ends: he should have been told of it if it lasted until he could be."""
        assert self.turn is not None
        if self.when_told(self.turn) <= at:
            self.expected.append(self.turn)
        self.turn = None

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
        if not self.world.rows("SELECT 1 FROM clocks_proposal"):
            return
        path = f"/table/{self.world.table}/time/"
        for number in re.findall(r'name="proposal" value="(\d+)"', self.visitor.get(path)):
            self.visitor.post(f"{path}answer/", proposal=number, agree="yes").close()
            self.world.moved()

    def promise(self, **fields: Any) -> None:
        path = f"/table/{self.world.table}/promises/"
        self.visitor.post(path, **{"from": "promises", **fields}).close()

    def plan(self) -> None:
        """Plan the first step of the next turn, as the page of plans offers it."""
        path = f"/table/{self.world.table}/plan/"
        if self.visitor.status(path) != 200:
            return  # the next turn is too far off
        ways = [f for f in Page(self.visitor.get(path)).forms if "step" in f.selects]
        if not ways:
            return
        way = self.world.luck.choice(ways)
        step = way.selects["step"][0]
        with self.visitor.post(path, steps=way.fields["steps"], step=step) as answer:
            planned = Page(answer.read().decode()).forms[-1].fields["steps"]
        if json.loads(planned):
            self.visitor.post(path, steps=planned, do="promise").close()

    def deal(self, do: str, **fields: Any) -> None:
        path = f"/table/{self.world.side}/deals/"
        self.visitor.post(path, do=do, **{"from": "deals", **fields}).close()


def subjects(shown: dict[str, Any]) -> list[str]:
    """The subjects of what a browser shows: one, or several in lines."""
    lines = [line.partition(". ")[0] for line in shown["body"].splitlines()]
    return lines if re.match(r"\d+ notices", shown["title"]) else [shown["title"]]


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
        self.port, self.luck, self.table, self.side, self.known = free_port(), Random(7), 0, 0, 0
        self.address = f"http://127.0.0.1:{self.port}"
        self.now = START
        clock.write(self.time, self.now)
        self.serving = stack.enter_context(closing(Serving(self)))
        self.base = stack.enter_context(closing(self.opened()))
        self.people = [Person(self, *p) for p in PEOPLE]

    # looking into the database, as a host might

    def opened(self) -> sqlite3.Connection:
        file = f"file:{self.data / 'roundhouse.sqlite3'}?mode=ro"
        return sqlite3.connect(file, uri=True, timeout=20, isolation_level=None)

    def rows(self, query: str, *given: Any) -> list[Any]:
        return self.base.execute(query, given).fetchall()

    def acting(self, table: int = 0) -> list[int]:
        query = "SELECT acting FROM web_table WHERE id = ?"
        ((raw,),) = self.rows(query, table or self.table)
        return list(json.loads(raw))

    def standing(self, number: int = 0) -> set[int]:
        """The promises that stand, of all or of one player."""
        query = "SELECT s.id, p.number FROM promises_standing s" \
                " JOIN web_place p ON s.place_id = p.id WHERE s.state = 'standing'"  # fmt: skip
        return {pk for pk, seat in self.rows(query) if number in (0, seat)}

    def bot(self, number: int) -> bool:
        query = "SELECT bot FROM web_place WHERE table_id = ? AND number = ?"
        return bool(self.rows(query, self.table, number)[0][0])

    # time

    def due(self) -> list[datetime]:
        """What is to be done, and when."""
        found = [moment for (moment,) in self.rows(DUE)]
        return sorted(datetime.fromisoformat(t).replace(tzinfo=UTC) for t in found)

    def go(self, moment: datetime) -> None:
        """Time passes, and stops wherever something is to be done."""
        while (due := self.due()) and due[0] <= moment:
            self.set(max(due[0], self.now))
            until(lambda: not any(d <= self.now for d in self.due()))
            self.moved()
        self.set(moment)

    def set(self, moment: datetime) -> None:
        self.now = moment
        clock.write(self.time, moment)

    def moved(self) -> None:
        """After an action, bots have had their turns: whose turn has begun or is over?"""
        until(lambda: not any(self.bot(n) for n in self.acting()))
        acting, moves = self.acting(), self.moves()
        for person in self.people:
            waited = person.number in acting and not self.bot(person.number)
            if person.turn is not None and (acted := person.acted(moves)):
                person.turn_over(acted)
            if waited and person.turn is None:
                person.turn = moves[-1][1] if moves else self.now
            elif not waited and person.turn is not None:
                person.turn_over(self.now)
        self.known += len(moves)

    def moves(self) -> list[tuple[int, datetime]]:
        """The moves since the last look: by which seat, and when."""
        query = (
            "SELECT p.number, m.at FROM web_move m LEFT JOIN web_place p"
            " ON p.table_id = m.table_id AND p.user_id = m.user_id"
            " WHERE m.table_id = ? AND m.number > ? ORDER BY m.number"
        )
        rows = self.rows(query, self.table, self.known)
        return [(n, datetime.fromisoformat(at).replace(tzinfo=UTC)) for n, at in rows]


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
            "ROUNDHOUSE_PULSE": "0.1",
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
