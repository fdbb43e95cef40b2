"""What has happened since somebody last looked."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

import roundhouse
from roundhouse.deciding import leader_of
from roundhouse.model.events import DividendDeclared, PriceMoved, Ran, TrainMoved
from roundhouse.sentences.buttons import money
from roundhouse.web import tables
from roundhouse.web.page.since import events_since, prices_since
from roundhouse.web.study.looking import PACE, VISIT, _span
from roundhouse.web.study.models import Looked
from roundhouse.web.study.recap import recap_of

from .test_branches import account, bid, played, visitor  # noqa: F401 - a fixture
from reference import GAMES


@pytest.fixture(scope="module", params=("1817", "1828", "1839", "18Ireland", "1873"))
def game(request):
    path = min((GAMES / request.param).glob("*.json"), key=lambda p: p.stat().st_size)
    return roundhouse.replay(path)[0]


def test_a_card_says_what_was_in_about_five_sentences(game):
    ids = [e.action.id for e in game.history]
    for part in (0.2, 0.5, 0.8):
        first, last = int(part * len(ids)), min(len(ids) - 1, int(part * len(ids)) + 60)
        here = game.at(ids[last])
        assert recap_of(here, ids[first]).count == last - first
        me = next(iter(here.state.players))
        card = recap_of(here, ids[first], {me})
        theirs = [e for e in here.history[first + 1 :] if leader_of(here, e.action.actor) != me]
        assert card.count == len(theirs)
        assert 2 <= len(card.lines) <= 6
        assert all(line.endswith(".") for line in card.lines)
        ran = [e for entry in theirs for e in entry.events if isinstance(e, Ran)]
        if ran:
            total = money(game.rules, sum(e.revenue for e in ran))
            assert any(f"{len(ran)} run" in x and total in x for x in card.lines)
        worth = money(here.rules, here.rules.value(here.state, me))
        assert f"You are worth {worth}" in card.lines[-1]


def test_the_whole_of_a_game_ends_with_its_end(game):
    card = recap_of(game, 0)
    assert card.lines[0].endswith("the game is over.")
    assert "is ahead with" in card.lines[-1]


def test_what_is_no_train_is_not_called_one():
    """Switchers and machines of 1873."""
    game = roundhouse.load(GAMES / "1873" / "base.json")
    bought = next(
        n
        for n, entry in enumerate(game.history)
        for e in entry.events
        if isinstance(e, TrainMoved) and e.train.startswith("2S")
    )
    here = game.at(game.history[bought].action.id)
    card = recap_of(here, game.history[bought - 1].action.id)
    assert any("a 2S-switcher" in line for line in card.lines)
    assert not any("2S-train" in line for line in card.lines)


def test_who_is_as_rich_as_another_is_level():
    """All begin with the same money: nobody is ahead."""
    game = roundhouse.new("18Ireland", ["Ada", "Ben", "Cleo"], seed=1)
    game.apply({"type": "pass", "entity": 1, "entity_type": "player"})
    assert "as then, level with Ben" in recap_of(game, 0, {"player:1"}).lines[-1]


def test_prices_that_came_back_are_not_told(game):
    since = game.history[len(game) // 2].action.id
    moved = prices_since(game, since)
    then = game.at(since).state
    for who, (before, after) in moved.items():
        assert (then.corporations[who].cell, game.state.corporations[who].cell) == (before, after)
        assert before != after
    events = events_since(game, since)
    assert {e.corporation for e in events if isinstance(e, PriceMoved)} >= set(moved)


def _long_ago(table, user, seen):
    row = Looked.objects.get(table=table, user=user)
    row.at, row.seen = row.at - 2 * VISIT - timedelta(minutes=1), seen
    row.save()


def test_who_comes_back_is_told_and_others_are_not(played, user):  # noqa: F811
    me, address = visitor(user), f"/table/{played.pk}/"
    assert "Since you last looked" not in me.get(address).content.decode()
    cleo = played.places.get(name="cleo").user
    assert "Since you last looked" not in me.get(address).content.decode()
    _long_ago(played, user, tables.open_game(played).game.log[-1].action.id)
    bid(played, cleo)
    page = me.get(address).content.decode()
    assert "Since you last looked" in page
    assert "1 action was done" in page
    assert "Since you last looked" not in me.get(address).content.decode()  # it is told once
    assert "1 action was done" in me.get(f"{address}study/").content.decode()
    assert "Since you last looked" not in visitor(cleo).get(address).content.decode()
    stranger = visitor(account("dora"))
    assert "Since you" not in stranger.get(f"{address}?invite={played.invite}").content.decode()
    assert "Since you" not in visitor().get(f"{address}?invite={played.invite}").content.decode()


def test_what_is_done_during_a_visit_is_not_told(played, user):  # noqa: F811
    me, address = visitor(user), f"/table/{played.pk}/"
    ben, cleo = (played.places.get(name=name).user for name in ("ben", "cleo"))
    me.get(address)
    for who in (cleo, user, ben):
        bid(played, who)
        assert "Since you" not in me.get(address).content.decode()
    assert "Since you" not in me.get(f"{address}study/").content.decode()
    _long_ago(played, user, tables.open_game(played).game.log[-1].action.id)
    bid(played, cleo)
    assert "1 action was done" in me.get(address).content.decode()
    for who in (user, ben):
        bid(played, who)
        assert "Since you" not in me.get(address).content.decode()
        assert "1 action was done" in me.get(f"{address}study/").content.decode()


def test_what_one_has_done_oneself_is_not_told(played, user):  # noqa: F811
    me, address = visitor(user), f"/table/{played.pk}/"
    me.get(address)
    cleo = played.places.get(name="cleo").user
    last = tables.open_game(played).game.log[-1].action.id
    for who in (cleo, user):
        bid(played, who)
    _long_ago(played, user, last)
    assert "1 action was done" in me.get(address).content.decode()
    bid(played, played.places.get(name="ben").user)
    _long_ago(played, user, tables.open_game(played).game.log[-1].action.id)
    assert "Since you" not in me.get(address).content.decode(), "nothing has happened since"


def test_what_is_marked_is_what_the_card_is_about(user, client):
    path = min((GAMES / "1817").glob("*.json"), key=lambda p: p.stat().st_size)
    table = tables.import_file(user, path.read_bytes(), "")
    game = tables.open_game(table).game
    runs = [e for e in game.history if any(isinstance(x, DividendDeclared) for x in e.events)]
    since = runs[-12].action.id
    page = client.get(
        f"/table/{table.pk}/update/?since={since}", headers={"X-Panels": "map:-,market:-,log:-"}
    )
    body = page.content.decode()
    for who in prices_since(game, since):
        assert f"{who} was" in body
    assert body.count("is-changed") >= len(_hexes(game, since))


def _hexes(game, since):
    from roundhouse.web.page.drawing import changed_by

    return changed_by(game, events_since(game, since))


def test_open_pages_are_noted_at_moments_of_their_own():
    """All pages of a crowd noted in the same second would keep those who act waiting."""
    pages = [(f"table-{n // 4}", n) for n in range(200)]
    begun = datetime(2026, 1, 1, tzinfo=UTC)
    seconds = [begun + timedelta(seconds=s) for s in range(2 * PACE + 1)]
    turns = Counter(
        now
        for page in pages
        for before, now in pairwise(seconds)
        if _span(page, before) != _span(page, now)
    )
    assert turns.total() == 2 * len(pages)  # each once in a span
    assert max(turns.values()) <= 12
