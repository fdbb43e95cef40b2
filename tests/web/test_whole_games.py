"""Games played from nothing but what the page offers: every choice there is has a form that works.

With ``ROUNDHOUSE_LONG`` set, to the end; else for a while from the start and from a middle.
"""

from __future__ import annotations

import json
import os
from random import Random

import pytest

from roundhouse import bots, selfplay
from roundhouse.title_check import random_game
from roundhouse.titles.title import find_title
from roundhouse.web import tables
from roundhouse.web.page.now import Item, now_of
from roundhouse.web.views.changes import PANELS

from .player import Page, Player
from reference import GAMES

LONG = bool(os.environ.get("ROUNDHOUSE_LONG"))
TITLES = ("1817", "1817NA", "1817WO", "1817DE", "1828", "1839", "1873", "18Ireland")
#: Actions played at most.
SHORT, WHOLE = 25, 4000
#: Who plays the games whose moments are looked at.
POLICIES = {"lively": selfplay.lively, "pushing": selfplay.pushing, "thrifty": bots.thrifty}


def opened(user, title, seed):
    least = find_title(title).box.game.players.min
    names = [f"Player {n}" for n in range(1, max(3, least) + 1)]
    return tables.create(user, tables.Plan(title, names, seed=seed, hotseat=True))


def in_the_middle(user, title):
    """Our own game of a title, broken off half way."""
    file = sorted((GAMES / title).glob("*.json"))[0]
    data = json.loads(file.read_text())
    data["actions"] = data["actions"][: len(data["actions"]) // 2]
    data["status"] = "active"
    table = tables.import_file(user, json.dumps(data).encode())
    assert not table.fault
    return table


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("begin", [opened, in_the_middle])
def test_a_game_is_played_from_the_page_alone(client, user, title, begin):
    table = begin(user, title, 7) if begin is opened else begin(user, title)
    player = Player(client, table.pk, Random(f"{title} {begin.__name__}"))
    for _ in range(WHOLE if LONG else SHORT):
        if not player.step():
            break
    table.refresh_from_db()
    print(title, begin.__name__, table.version, table.status, player.done)
    assert sum(player.done.values()) >= SHORT or table.status == table.Status.FINISHED
    if LONG:
        assert table.status == table.Status.FINISHED, player.done


@pytest.mark.parametrize("title", TITLES)
def test_the_page_offers_every_choice_there_is(client, user, title):
    """Each choice of a moment is on a form of the page, or on the card of its hex."""
    table = in_the_middle(user, title)
    game = tables.open_game(table).game
    html = client.get(f"/table/{table.pk}/").content.decode()
    page = Page(html, "panel-now")
    shown = [json.loads(f.fields["action"]) for f in page.forms if "action" in f.fields]
    for address in page.hexes:
        for form in Page(client.get(address).content.decode()).forms:
            shown += [json.loads(v) for v in form.radios.get("action", [])]
            shown += [json.loads(f) for f in [form.fields.get("action")] if f]
    kinds = {c.type for c in game.choices()}
    assert kinds == {a["type"] for a in shown}
    items: list[Item] = [
        i for g in now_of(game, frozenset(game.state.players)).groups for i in g.items
    ]
    tiles = sum(1 for c in game.choices() if c.type == "lay_tile")
    assert len(items) + tiles >= len(kinds)


def moments(game, rng, most):
    """Numbers of actions after which different steps are waited for, in different phases."""
    found = {(e.state.step, e.state.phase): n for n, e in enumerate(game.history, 1)}
    return sorted(rng.sample(list(found.values()), min(most, len(found))))


@pytest.mark.parametrize("policy", POLICIES if LONG else ["thrifty"])
@pytest.mark.parametrize("title", TITLES)
def test_every_part_of_the_page_is_drawn_at_every_kind_of_moment(client, user, title, policy):
    """What a round remembers differs from title to title: each part must read it rightly."""
    rng = Random(f"{title} {policy}")
    game = random_game(find_title(title), rng.randrange(1000))
    selfplay.play_on(game, rng, actions=900 if LONG else 400, policy=POLICIES[policy])
    data = game.dump()
    for count in moments(game, rng, 40 if LONG else 5):
        begun = data | {"actions": data["actions"][:count], "status": "active"}
        table = tables.import_file(user, json.dumps(begun).encode())
        assert not table.fault
        whole = client.get(f"/table/{table.pk}/")
        asked = ",".join(f"{name}:" for name in PANELS)
        parts = client.get(f"/table/{table.pk}/update/", headers={"X-Panels": asked})
        assert (whole.status_code, parts.status_code) == (200, 200), (count, game.title.id)
        for name in PANELS:
            assert f'id="panel-{name}"' in parts.content.decode(), (count, name)
