"""Two weeks of four people in some minutes: one injected clock, a real server with real workers, a
real mail server, web service and push service. Nothing of it is patched.

Each looks in at eight in the morning and at eight in the evening by his own wall. One stays away
for days, is late, is replaced by a bot by the vote of the others, and comes back. Workers and the
server are killed in between.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, time, timedelta

import pytest

from .world import AWAY, DAY, START, Person, World
from reference import GAMES

#: The game at the side, of which the beginning is known, up to a train bought from another; how
#: many moves before it are left when it is agreed.
SIDE = GAMES / "1839" / "bankrupt.json"
UNTIL, LEFT = 77, 4


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


# the table at the side


def sit_down_aside(world: World) -> None:
    """A game of which the beginning is known; what it comes to is somebody's train."""
    told = json.loads(SIDE.read_text(encoding="utf-8"))
    anna, *others = world.people
    more = {"seats": 4, "seed": told["settings"]["seed"], "public": "on",
            "option": told["settings"]["optional_rules"]}  # fmt: skip
    with anna.visitor.post("/new/1839/", **more) as answer:
        world.side = int(re.search(r"/table/(\d+)/", answer.url)[1])
    for person in others:
        person.visitor.post(f"/table/{world.side}/join/").close()
    play_aside(world, 0, UNTIL - 1 - LEFT)


def play_aside(world: World, first: int, last: int) -> None:
    """Each sends what he did in the game that is known."""
    actions = json.loads(SIDE.read_text(encoding="utf-8"))["actions"][first:last]
    for version, action in enumerate(actions, start=first):
        person = world.people[world.acting(world.side)[0] - 1]
        bare = {k: v for k, v in action.items() if k != "id"}
        person.visitor.act(f"/table/{world.side}/", bare, version)


class Bargain:
    """Dora would like Ben's train; he wants more for it. What is agreed is done when her company
    comes to it, days later."""

    def __init__(self, world: World) -> None:
        self.world, self.stage = world, 0
        sale = json.loads(SIDE.read_text(encoding="utf-8"))["actions"][UNTIL - 1]
        self.train, self.buyer = sale["train"], sale["entity"]

    def go_on(self, person: Person) -> None:
        """Who looks in does what is for him to do."""
        if person.name == "dora" and self.stage == 0:
            offer = {"kind": "train", "thing": self.train, "buyer": self.buyer, "price": 1}
            person.deal("propose", hours=200, **offer)
        elif person.name == "ben" and self.stage == 1:
            person.deal("counter", number=1, price=3)
        elif person.name == "dora" and self.stage == 2:
            person.deal("accept", number=2)
        elif person.name == "dora" and self.stage == 3 and self.world.now >= AWAY[1]:
            # her company's turn, but for the train: nothing is sent that buys it
            play_aside(self.world, UNTIL - 1 - LEFT, UNTIL - 1)
        else:
            return
        self.stage += 1


def check_deal(world: World) -> None:
    """The other price is in the log, once; both were told once that they were asked."""
    deals = world.rows("SELECT number, state FROM deals_deal ORDER BY number")
    assert deals == [(1, "countered"), (2, "done")]
    query = "SELECT action FROM web_move WHERE table_id = ? AND number >= ?"
    (bought,) = (json.loads(raw) for (raw,) in world.rows(query, world.side, UNTIL))
    assert (bought["type"], bought["price"]) == ("buy_train", 3)
    asked = f"You are asked: 1839 no. {world.side}"
    assert [p.told().count(asked) for p in world.people] == [0, 1, 0, 1]


# promises


def promise_in_the_auction(world: World) -> None:
    """Ben says at the beginning how far he goes for two of the lots."""
    ben = world.people[1]
    page = ben.visitor.get(f"/table/{world.table}/promises/")
    first, second, *_ = re.findall(r'<option value="(company:[^"]+)"', page)
    ben.promise(kind="bid", thing=first, limit=70, start=1, leave=1)
    ben.promise(kind="bid", thing=second, limit=5, leave=1)


def check_promises(world: World, through: set[int]) -> None:
    """Each acted as often as it says, for its owner and within seconds of the move before; each
    says why it acted or ended. ``through``: Anna's that stood when the server was killed."""
    rows = world.rows(
        "SELECT s.state, s.why, s.acts, p.user_id FROM promises_standing s"
        " JOIN web_place p ON s.place_id = p.id"
    )
    done = [(act, user) for *_, acts, user in rows for act in json.loads(acts)]
    log = log_of(world)
    before = dict(zip(log, [START, *(at for _, at in log.values())], strict=False))
    for act, user in done:
        sender, at = log[act]
        assert sender == user
        assert timedelta(seconds=4) <= at - before[act] <= timedelta(seconds=12)
    assert len(done) == len(set(done)) >= 3
    states = [state for state, *_ in rows]
    assert states.count("kept") >= 2, rows
    assert states.count("stopped") >= 2, rows
    assert all(why for state, why, *_ in rows if state in ("kept", "stopped"))
    assert through
    assert not through & world.standing()


def log_of(world: World) -> dict[int, tuple[int, datetime]]:
    """The log of the table: by an action's id who sent it and when."""
    query = "SELECT action, user_id, at FROM web_move WHERE table_id = ? ORDER BY number"
    rows = world.rows(query, world.table)
    utc = ((raw, user, datetime.fromisoformat(at).replace(tzinfo=UTC)) for raw, user, at in rows)
    return {json.loads(raw)["id"]: (user, at) for raw, user, at in utc}


# two weeks


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
    sit_down_aside(world)
    promise_in_the_auction(world)
    anna, *_, dora = world.people
    bargain, through = Bargain(world), set[int]()
    replaced = back = False
    events = visits(world)
    for count, (moment, person) in enumerate(events):
        world.go(moment)
        if count == len(events) // 4:
            world.serving.kill_workers()
        if count == len(events) // 2:
            through = world.standing(anna.number)
            with hung(world):
                world.serving.kill()
        if person is dora and world.bot(4):
            assert moment >= AWAY[1]
            back = True
            dora.visitor.post(f"/table/{world.table}/seats/", do="back").close()
            world.moved()
        person.looks_in()
        bargain.go_on(person)
        if person is anna and not world.standing(anna.number):
            anna.plan()
        replaced = replaced or world.bot(4)
    world.go(START + 14 * DAY)
    assert replaced
    assert back
    check_turns(world)
    check_times(world)
    check_deal(world)
    check_promises(world, through)


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
