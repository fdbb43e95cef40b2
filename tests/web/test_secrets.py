"""What is private stays so: a word is planted in every private thing, and looked for in all that
addresses of the server, requests of the interface, lines that stay open and exports tell those it
is not meant for. The addresses are made from those there are, so none is forgotten."""

from __future__ import annotations

import gzip
import itertools
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from roundhouse.web import dump, limits, tables
from roundhouse.web.advice.models import Review
from roundhouse.web.api import tokens
from roundhouse.web.api.interface import api
from roundhouse.web.api.models import Webhook
from roundhouse.web.api.notes import keep_note
from roundhouse.web.banking import keeping
from roundhouse.web.duplicate import playing
from roundhouse.web.explorer import indexing
from roundhouse.web.explorer.models import Moment
from roundhouse.web.models import Table
from roundhouse.web.promises import managing as promising
from roundhouse.web.promises.models import Standing
from roundhouse.web.puzzles import solving
from roundhouse.web.puzzles.composing import packed
from roundhouse.web.puzzles.models import Puzzle
from roundhouse.web.study import analysis, branching
from roundhouse.web.tables import import_file
from roundhouse.web.talk.models import Room
from roundhouse.web.talk.saying import say

OWN = Path(__file__).parents[1] / "games" / "1817" / "base.json"
PEOPLE = ("anna", "ben", "cleo", "dora", "nobody")
#: Those without a seat at the running game.
LOOKING = ("dora", "nobody")
#: Who may read what; whatever has a link nobody else was given is its owner's alone.
MEANT = {
    "branchword": {"anna"},
    "promiseword": {"anna"},
    "noteword": {"anna"},
    "roomword": {"dora"},
    "remarkword": {"anna"},
    "variationword": {"anna"},
    "gameword": {"anna"},
    "reviewword": {"anna"},
    "sheetword": {"anna"},
    "hookword": {"anna"},
    "sharedword": {"anna", "dora"},
    "boardword": {"anna"},
    "proofword": {"anna"},
    "exploreword": {"anna"},
    "unborn": set(),
    "drawnword": {"anna"},
}  # fmt: skip


def addresses(patterns=None, before=""):
    """Every address there is, but the host's."""
    for one in get_resolver().url_patterns if patterns is None else patterns:
        route = before + str(one.pattern)
        if isinstance(one, URLResolver):
            yield from addresses(one.url_patterns, route)
        elif isinstance(one, URLPattern):
            yield route


#: Addresses that sign out, or are for the host alone.
_LEFT = ("admin/", "account/logout/", "account/delete/", "docs/", "metrics")
ADDRESSES = sorted(a for a in set(addresses()) if not a.startswith(_LEFT))
OPERATIONS = sorted(
    (method, path)
    for path, methods in api.get_openapi_schema(path_prefix="api/")["paths"].items()
    for method in methods
    if (method, path) != ("delete", "/api/account/token")
)
#: What stands for the parts of an address; several: each in turn.
PARTS = {
    "coord": ("B7",), "symbol": ("A&A",), "title": ("1817",), "before": ("9",),
    "ending": ("svg",), "key": ("player:1",), "word": ("x",), "token": ("x",), "uidb64": ("x",),
    "rest": ("x",), "path": ("index.html",), "what": ("join",), "number": ("1",), "vote": ("1",),
    "upload": ("1", "2"), "webhook": ("1", "2"),
}  # fmt: skip


def filled(route, there):
    """An address with each of what may stand in it."""
    names = re.findall(r"<(?:\w+:)?(\w+)>|\{(\w+)\}", route)
    names = [a or b for a, b in names]
    for values in itertools.product(*(_values(name, route, there) for name in names)):
        text = route
        for value in values:
            text = re.sub(r"<[^>]+>|\{\w+\}", lambda m, value=value: value, text, count=1)
        yield text


def _values(name, route, there):
    if name in ("pk", "table"):
        return there.tables if "table" in route.split("<")[0].split("{")[0] else ("1", "2", "3")
    if name == "name":
        return there.names if "people" in route else there.charts
    if name == "position":
        return (there.position,)
    return PARTS[name]


@pytest.fixture
def people(user, other):
    make = get_user_model().objects.create_user
    found = {"anna": user, "ben": other}
    return found | {n: make(n, password="a quiet table") for n in ("cleo", "dora")}


@pytest.fixture
def there(people, monkeypatch):
    """All private things, each with its word in it."""
    monkeypatch.setattr(limits, "count", lambda what, who: None)
    anna, ben, cleo, dora = people.values()
    running = tables.create(anna, tables.Plan("1817", ["anna"], seats=3, seed=1))
    for one in (ben, cleo):
        tables.join(running.pk, one)
    bid = next(c.action for c in tables.open_game(running).game.choices() if c.type == "bid")
    running = tables.submit(running.pk, anna, bid, None)
    branch = branching.begin(running, anna, None, "branchword")
    _of_the_running_game(running, anna, dora)
    shared = branching.begin(running, anna, 0, "sharedword")
    branching.share(shared.pk, anna, on=True)
    shared.refresh_from_db()
    over = import_file(anna, OWN.read_bytes(), "gameword")
    analysis.note(over, anna, 40, "remarkword")
    variation = branching.begin(over, anna, 40, "variationword")
    analysis.publish(variation.pk, anna, on=True)
    turn = {"name": "reviewword", "round": "1.1", "first": 40, "money": "9", "decisions": []}
    Review.objects.create(table=over, version=over.version, far=1, turns=[turn])
    sheet = keeping.open_sheet(anna, "1817", "sheetword, Ben", "", "", "")
    Webhook.objects.create(user=anna, url="https://example.org/hookword")
    _puzzles()
    every = (running, branch, shared, over, variation, *_boards(people))
    return SimpleNamespace(
        tables=tuple(str(t.pk) for t in every), running=running, branch=branch, over=over,
        shared=shared, sheet=sheet, names=tuple(people), position=_position(over),
        charts=("worth", "cash", "prices", "revenue", "flow", "left"),
    )  # fmt: skip


def _of_the_running_game(running, anna, dora):
    promising.make_from_json(running.pk, anna, '{"kind": "pass"}')
    Standing.objects.update(text="promiseword")
    keep_note(running, anna, "noteword")
    say(running.pk, dora, "roomword", Room.SPECTATORS)


def _boards(people):
    """Two tables of an event; the word is the name of a seat at anna's."""
    event = playing.deal(people["anna"], "event", "1817", [], 3)
    for one in people.values():
        playing.enter(event.pk, one)
    playing.start(event.pk, people["anna"])
    found = [b.table for b in event.boards.select_related("table")]
    own = next(t for t in found if t.places.filter(user=people["anna"]).exists())
    Table.objects.filter(pk=own.pk).update(description="boardword")
    for name in set(people) - {"anna"}:
        if own.places.filter(user=people[name]).exists():
            MEANT["boardword"] = MEANT["boardword"] | {name}
    return found


def _puzzles():
    told = {"title": "1817", "kind": "best run", "question": "How much?", "answer": "4711",
            "proof": ["proofword"], "facts": {"phase": "2", "players": [], "companies": []},
            "picture": packed("<svg></svg>")}  # fmt: skip
    today = solving.today()
    Puzzle.objects.create(key="a", day=today, solution=packed("<svg>drawnword</svg>"), **told)
    Puzzle.objects.create(key="b", solution=packed("unborn"), **told | {"question": "unborn"})


def _position(over):
    """Where the explorer knows what was done in a private game, and nothing else."""
    indexing.index(over.pk)
    row = Moment.objects.order_by("action").first()
    Moment.objects.filter(pk=row.pk).update(words="exploreword")
    return row.position


@pytest.fixture
def clients(people, there):
    """Everybody's browser; anna's has answered the puzzle, and dora's has the link to a branch."""
    found = {"nobody": Client()}
    for name, person in people.items():
        found[name] = Client()
        found[name].force_login(person)
    found["anna"].post("/puzzles/1/", {"answer": "4711"})
    found["dora"].get(f"/table/{there.shared.pk}/?invite={there.shared.invite}")
    return found


def read(answer):
    """The whole of an answer; of a line that stays open, what it tells at once."""
    assert answer.status_code < 500, answer.request
    feed = getattr(answer, "feed", None)
    if feed is not None:
        return "".join(feed.read())
    if answer.streaming and answer.is_async:
        return ""  # it tells numbers alone
    return b"".join(answer).decode(errors="replace") + str(answer.headers)


@pytest.mark.parametrize("name", PEOPLE)
def test_nobody_is_told_what_is_private(there, clients, people, name):
    """No page tells it, now or of an earlier moment, and no request of the interface; who has no
    seat sends what changes things, too, with nothing in it."""
    told = [*pages(there, clients[name], name), *answers(there, people.get(name), name)]
    found = {(address, word) for address, raw in told for word in MEANT if word in raw}
    assert not {(address, word) for address, word in found if name not in MEANT[word]}
    assert {word for _, word in found} == {word for word in MEANT if name in MEANT[word]}


def pages(there, client, name):
    for route in ADDRESSES:
        at_all = [f"/{address}" for address in filled(route, there)]
        earlier = [f"{at_all[0]}?at=1"] if route.startswith("table/") else []
        for address in (*at_all, *earlier):
            yield address, read(client.get(address))
            if name in LOOKING and route.startswith("table/"):
                yield address, read(client.post(address))
    for key in (there.sheet.key,) if name == "anna" else ():
        yield "sheet", read(client.get(f"/bank/{key}/"))


def answers(there, person, name):
    headers = {}
    if person is not None:
        headers["Authorization"] = f"Bearer {tokens.make(person, 'all', tokens.SCOPES)[1]}"
    for method, path in OPERATIONS:
        if name in LOOKING or method == "get":
            for address in filled(path, there):
                yield address, asked(method.upper(), address, headers)


def asked(method, address, headers):
    return read(Client().generic(method, address, "{}", "application/json", headers=headers))


def test_what_is_given_away_of_all_games_tells_nothing_private(there, tmp_path):
    dump.write(tmp_path / "games.gz", imported=True)
    told = gzip.decompress((tmp_path / "games.gz").read_bytes()).decode()
    assert told
    assert not [word for word in MEANT if word in told]
