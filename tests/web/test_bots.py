"""Seats played by the server."""

from __future__ import annotations

import json
import sys
from datetime import timedelta
from random import Random

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from msgspec.structs import replace

import roundhouse
from roundhouse import dealing, selfplay
from roundhouse.bots import Decision, Player
from roundhouse.dealing import concerned
from roundhouse.model.actions import player_key
from roundhouse.titles.title import all_titles
from roundhouse.web import clock, presence, tables
from roundhouse.web import settings as web_settings
from roundhouse.web.deals.models import Deal
from roundhouse.web.models import Table
from roundhouse.web.tables import bots, engines, opponents, pauses

#: What wakes bots and what has them go on, as at a server.
WAKE, GO_ON = bots.wake, bots.go_on


def waited(table):
    table.refresh_from_db()
    return {p.name: bool(p.bot) for p in table.places.all() if p.key in table.acting}


def test_bots_act_until_somebody_is_waited_for(user, asleep):
    table = tables.create(user, tables.Plan("1817", ["Ada"], seed=1, hotseat=True, bots=2))
    assert [bool(p.bot) for p in table.places.all()] == [False, True, True]
    assert asleep == []
    bid = next(c.action for c in tables.open_game(table).game.choices() if c.type == "bid")
    tables.submit(table.pk, user, bid, 0)
    assert asleep == [table.pk]
    assert bots.play(table.pk) > 0
    assert set(waited(table).values()) == {False}
    assert bots.play(table.pk) == 0


def test_what_bots_do_follows_from_seed_and_version(user):
    lines = []
    for _ in range(2):
        table = tables.create(user, tables.Plan("1828", ["Ada"], seed=5, hotseat=True, bots=2))
        for _ in range(6):
            bots.play(table.pk)
            table.refresh_from_db()
            game = tables.open_game(table).game
            first = game.choices()[-1].action
            tables.submit(table.pk, user, first, table.version, agreed=True)
        lines.append(list(table.moves.values_list("state_hash", flat=True)))
    assert lines[0] == lines[1]
    assert len(lines[0]) > 6


def test_nobody_acts_for_a_bot(user):
    table = tables.create(user, tables.Plan("1817", ["Ada"], seed=1, hotseat=True, bots=2))
    bid = next(c.action for c in tables.open_game(table).game.choices() if c.type == "bid")
    tables.submit(table.pk, user, bid, 0)
    with pytest.raises(tables.Forbidden):
        tables.submit(table.pk, user, {"type": "pass", "entity": 2, "entity_type": "player"}, 1)


def test_taking_back_reaches_before_the_bots_answers(user):
    table = tables.create(user, tables.Plan("1817", ["Ada"], seed=1, hotseat=True, bots=2))
    bid = next(c.action for c in tables.open_game(table).game.choices() if c.type == "bid")
    tables.submit(table.pk, user, bid, 0)
    bots.play(table.pk)
    undo = {"type": "undo", "entity": 1, "entity_type": "player"}
    table = tables.submit(table.pk, user, undo, None)
    assert len(tables.open_game(table).game) == 0
    with pytest.raises(tables.Refused):
        tables.submit(table.pk, user, undo, None)


def test_the_creator_gives_free_seats_to_bots(user, other, client):
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3, seed=1))
    with pytest.raises(tables.Forbidden):
        tables.add_bot(table.pk, other)
    client.post(f"/table/{table.pk}/bot/")
    assert "bot</small>" in client.get(f"/table/{table.pk}/").content.decode()
    client.post(f"/table/{table.pk}/bot/")
    table.refresh_from_db()
    assert table.status == Table.Status.RUNNING
    assert len({p.name for p in table.places.all()}) == 3


def test_a_table_of_bots_is_gone_with_its_last_player(user):
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=4, seed=1, bots=1))
    tables.leave(table.pk, user)
    assert not Table.objects.exists()


def test_a_restarted_server_wakes_them(user, asleep):
    table = tables.create(user, tables.Plan("1817", ["Ada"], seed=1, hotseat=True, bots=2))
    tables.create(user, tables.Plan("1817", ["Ada", "Ben", "Cleo"], seed=1, hotseat=True))
    bots.wake_all()
    assert asleep == [table.pk]


@pytest.fixture
def queue(user, monkeypatch):
    """Tasks are kept as at a server, and carried out one by one; each is one action of a bot. Gives
    what carries out the next one and tells whose it was."""
    from django.core.management import call_command
    from django.test import override_settings
    from django_tasks_db.models import DBTaskResult

    monkeypatch.setattr(bots, "wake", WAKE)
    monkeypatch.setattr(bots, "go_on", GO_ON)
    monkeypatch.setattr(bots, "SLICE", 0.0)

    def next_one():
        task = DBTaskResult.objects.ready().first()
        if task is not None:
            call_command("db_worker", batch=True, max_tasks=1, startup_delay=False, verbosity=0)
            task.refresh_from_db()
            assert task.status == "SUCCESSFUL"
            return task.args_kwargs["args"][0]
        return None

    backend = {"BACKEND": "django_tasks_db.DatabaseBackend", "QUEUES": []}
    with override_settings(TASKS={"default": backend}):
        yield next_one


def _alone(user):
    table = tables.create(user, tables.Plan("1817", ["Ada"], seed=1, hotseat=True, bots=2))
    table.places.update(user=None, bot="lively")
    table.refresh_from_db()
    return table


def test_tables_take_turns_and_those_with_people_go_first(user, queue):
    alone, as_alone = _alone(user), _alone(user)
    bots.wake(alone)
    bots.wake(as_alone)
    assert [queue() for _ in range(4)] == [alone.pk, as_alone.pk] * 2
    ours = tables.create(user, tables.Plan("1817", ["Ada"], seed=1, hotseat=True, bots=2))
    bid = next(c.action for c in tables.open_game(ours).game.choices() if c.type == "bid")
    tables.submit(ours.pk, user, bid, 0)
    served = [queue()]
    while set(waited(ours).values()) != {False}:
        served.append(queue())
    assert set(served) == {ours.pk}
    assert [queue() for _ in range(3)] == [alone.pk, as_alone.pk, alone.pk]
    assert (alone.moves.count(), as_alone.moves.count()) == (4, 3)


def test_two_tasks_that_come_to_a_table_become_one(user, queue):
    alone = _alone(user)
    for _ in range(2):
        bots.wake(alone)
    for _ in range(6):
        queue()
    assert _tasks() == 1
    assert alone.moves.count() < 6


def _tasks():
    from django_tasks_db.models import DBTaskResult

    return DBTaskResult.objects.ready().count()


def test_bots_somebody_looks_at_go_first(user, queue):
    alone, watched = _alone(user), _alone(user)
    watched.places.filter(number=1).update(user=user)
    for table in (alone, watched):
        bots.wake(table)
    assert queue() == alone.pk
    assert queue() == watched.pk
    presence.begin(user, watched)
    assert queue() == alone.pk
    assert [queue() for _ in range(3)] == [watched.pk] * 3


def test_bots_of_a_table_where_nobody_is_waited_for_are_left_alone(user, queue):
    ours = tables.create(user, tables.Plan("1817", ["Ada"], seed=1, hotseat=True, bots=2))
    bots.wake(ours)
    assert queue() == ours.pk
    assert queue() is None


@pytest.mark.parametrize("title", all_titles())
def test_bots_alone_play_any_title_and_concern_nobody_else(title):
    """One seat of random clicks among bots: they never get stuck, and ask nobody for anything."""
    limits = roundhouse.find_title(title).box.game.players
    count = max(limits.min, 3)
    game = roundhouse.new(title, [f"P{n}" for n in range(count)], seed=3)
    others = {k: opponents.named("thrifty", 3) for k in game.state.players if k != "player:1"}
    luck = Random(4)
    for _ in range(160):
        if game.finished:
            break
        action = bots.choose(game, others)
        waits = {f"player:{p}" for p in game.players_to_act}
        if action is None or not waits & set(others):
            action = selfplay.lively(game, game.choices(), luck)
        else:
            asked = set(concerned(game.rules, game.state, action))
            assert not asked or asked <= set(others)
        game.apply(action)
    assert len(game) > 80 or game.finished


@pytest.fixture
def offer(user):
    """A player may buy a train of a company whose president is a bot."""
    from .test_consent import first_offer

    data, action, players = first_offer("1817/base", "buy_train")
    table = tables.import_file(user, json.dumps(data).encode())
    table.assistance = Table.Assistance.ADVICE
    waited = {player_key(p) for p in tables.open_game(table).game.players_to_act}
    for place in table.places.all():
        if player_key(place.key) in players and player_key(place.key) not in waited:
            place.bot = "thrifty"
            place.save()
    table.save()
    return table, action


class Firm(Player):
    """Sells for what it thinks right, not below."""

    def gain(self, game, action, who):
        return action.price - 40


def test_a_bot_sells_for_what_it_is_worth_to_it(offer, user, monkeypatch):
    table, action = offer
    monkeypatch.setattr(opponents, "named", lambda bot, seed=0: Firm())
    cheap, dear = (replace(action, id=None, price=n) for n in (39, 40))
    with pytest.raises(tables.Refused, match="would lose") as refused:
        tables.submit(table.pk, user, cheap, table.version)
    assert refused.value.code == "no_consent"
    table.assistance = Table.Assistance.ROUTES
    table.save()
    with pytest.raises(tables.Refused, match=r"does not agree\.$"):
        tables.submit(table.pk, user, cheap, table.version)
    before = table.version
    assert tables.submit(table.pk, user, dear, before).version > before


class Eager(Player):
    """Buys trains of others, whatever they cost, and thinks that suits everybody."""

    def decide(self, game, choices, rng):
        own = [c for c in choices if dealing.parties(game, c.action)]
        rest = [c for c in choices if c.type == "pass"] or choices
        return Decision.only((own or rest)[0].action)

    def gain(self, game, action, who):
        return 1.0 if dealing.outcome(game.rules, game.state, action) else dealing.IMPOSSIBLE


@pytest.fixture
def asking(user, monkeypatch):
    """A bot may buy a train of a company whose president is a person."""
    from .test_consent import first_offer

    data, _, _ = first_offer("1817/base", "buy_train")
    table = tables.import_file(user, json.dumps(data).encode())
    waited = {player_key(p) for p in tables.open_game(table).game.players_to_act}
    table.places.filter(key__in=[int(k[7:]) for k in waited]).update(bot="thrifty", user=None)
    monkeypatch.setattr(opponents, "named", lambda bot, seed=0: Eager())
    table.refresh_from_db()
    return table


def test_a_bot_asks_a_person_and_takes_what_he_gives(asking, user, client, asleep):
    assert bots.play(asking.pk) == 0
    question = Deal.objects.get(now=True)
    assert question.by is None
    page = client.get(f"/table/{asking.pk}/").content.decode()
    assert "would like to buy" in page
    assert bots.play(asking.pk) == 0
    tables.answer(asking.pk, user, True)
    asking.refresh_from_db()
    last = tables.open_game(asking).game.history[-1].action
    assert last.type == "buy_train"
    assert asleep[-1] == asking.pk


def test_after_a_no_a_bot_goes_on_and_asks_no_more_in_that_round(asking, user, asleep):
    before = asking.version
    assert bots.play(asking.pk) == 0
    tables.answer(asking.pk, user, False)
    assert asleep[-1] == asking.pk
    asking.refresh_from_db()
    assert asking.declined == asking.round
    assert bots.play(asking.pk) > 0
    game = tables.open_game(asking).game
    assert all(e.action.type != "buy_train" for e in game.log[before:])
    assert not Deal.objects.filter(now=True).exists()


def test_who_made_the_table_or_is_played_for_chooses_the_level(user, other, client):
    plan = tables.Plan("1817", ["Ada"], seed=1, hotseat=True, bots=3, kinds=["magnate:quick", ""])
    table = tables.create(user, plan)
    assert [p.bot for p in table.places.all()] == ["", "magnate:quick", *[opponents.USUAL] * 2]
    page = client.get(f"/table/{table.pk}/people/").content.decode()
    assert page.count(" selected>") == 3
    deed = {"do": "kind", "place": 3, "kind": "magnate:strong"}
    client.post(f"/table/{table.pk}/seats/", deed)
    assert table.places.get(number=3).bot == "magnate:strong"
    with pytest.raises(tables.Forbidden):
        tables.change_bot(table.pk, other, 3, "lively")
    with pytest.raises(tables.Refused, match="No bot sits there"):
        tables.change_bot(table.pk, user, 1, "lively")
    with pytest.raises(tables.Refused, match="There is no bot"):
        tables.change_bot(table.pk, user, 3, "a wizard")


def test_bots_take_their_time_where_people_play_in_one_sitting(user, monkeypatch):
    monkeypatch.setattr(settings, "BOT_PAUSE", 1.0)
    later: list[tuple[int, float]] = []
    monkeypatch.setattr(bots, "wake_later", lambda pk, version, s: later.append((version, s)))
    at = clock.Set(clock.now())
    with clock.using(at):
        table = tables.create(user, tables.Plan("1817", ["Ada"], seed=1, hotseat=True, bots=2))
        bid = next(c.action for c in tables.open_game(table).game.choices() if c.type == "bid")
        tables.submit(table.pk, user, bid, 0)
        assert bots.play(table.pk) == 0
        ((version, seconds),) = later
        assert version == 1
        assert 0.3 < seconds < 3
        at.move(timedelta(seconds=seconds / 2))
        assert bots.play(table.pk) == 0
        assert later[-1][1] == pytest.approx(seconds / 2)
        at.move(timedelta(seconds=seconds))
        assert bots.play(table.pk, 0) == 0, "the table has moved on since"
        assert bots.play(table.pk, 1) == 1
        assert later[-1][0] == 2


def test_bots_take_no_time_over_days_and_among_themselves(user, monkeypatch):
    monkeypatch.setattr(settings, "BOT_PAUSE", 1.0)
    for pace, people in ((Table.Pace.SLOW, True), (Table.Pace.LIVE, False)):
        plan = tables.Plan("1817", ["Ada"], seed=1, hotseat=True, bots=2, pace=pace)
        table = tables.create(user, plan)
        if not people:
            table.places.update(user=None, bot="thrifty")
        table.refresh_from_db()
        assert pauses.left(table, tables.open_game(table).game.choices()) == 0


def test_bots_take_their_time_where_they_play_for_somebody_who_looks_on(user, monkeypatch):
    monkeypatch.setattr(settings, "BOT_PAUSE", 1.0)
    table = tables.create(user, tables.Plan("1817", ["Ada"], seed=1, hotseat=True, bots=2))
    table.places.update(bot="thrifty")
    table.refresh_from_db()
    choices = tables.open_game(table).game.choices()
    assert pauses.left(table, choices) == 0
    presence.begin(user, table)
    assert pauses.left(table, choices) > 0


@pytest.fixture
def hired(user, monkeypatch):
    """A table with an engine of the house, which is what a test makes it."""

    def hire(*command):
        monkeypatch.setattr(settings, "ENGINES", {"first": (sys.executable, *command)})
        plan = tables.Plan(
            "1817", ["Ada"], seed=1, hotseat=True, bots=2, kinds=["engine:first", "thrifty"]
        )
        table = tables.create(user, plan)
        bid = next(c.action for c in tables.open_game(table).game.choices() if c.type == "bid")
        return tables.submit(table.pk, user, bid, 0)

    opponents._known.cache_clear()
    yield hire
    engines.end_all()
    opponents._known.cache_clear()


def test_an_engine_of_the_house_plays_a_seat(hired, client):
    table = hired("-m", "roundhouse", "engine", "--bot", "thrifty")
    assert "first bot</small>" in client.get(f"/table/{table.pk}/people/").content.decode()
    assert "bot, first</small>" in client.get(f"/table/{table.pk}/card/player:2/").content.decode()
    assert bots.play(table.pk) >= 2
    assert table.places.get(number=2).bot == "engine:first"


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("raise SystemExit", "it has ended"),
        ("print('{}', flush=True); input()", "it talks nonsense"),
        ("import time; time.sleep(60)", "it does not answer in time"),
    ],
)
def test_a_seat_goes_on_without_an_engine_that_fails(hired, monkeypatch, program, why):
    monkeypatch.setattr(settings, "ENGINE_SECONDS", 0.5 if "sleep" in program else 20)
    table = hired("-c", program)
    assert bots.play(table.pk) >= 2
    place = table.places.get(number=2)
    assert place.bot == opponents.USUAL
    assert [s.bot for s in place.sittings.all()] == ["engine:first", opponents.USUAL]
    told = table.talk.get()
    assert why in told.text
    assert "plays on for it" in told.text
    assert told.place == place


@pytest.mark.parametrize("line", ["first", "=program", "a name=program", "toolonganame1=x", "a="])
def test_engines_that_are_named_badly_are_told_at_the_start(line):
    with pytest.raises(ImproperlyConfigured, match="is not name=command"):
        web_settings._engines(f"good=program 'one argument'\n{line}")
    assert web_settings._engines("good=program 'one argument'") == {
        "good": ("program", "one argument")
    }


def test_how_a_bot_plays_is_chosen_for_its_seat(user, client):
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=4, seed=1))
    client.post(f"/table/{table.pk}/bot/", {"kind": "magnate:quick"})
    client.post(f"/table/{table.pk}/bot/", {"kind": "a wizard"})
    assert [p.bot for p in table.places.all()] == ["", "magnate:quick"]
    assert "quick bot</small>" in client.get(f"/table/{table.pk}/").content.decode()
    (found,) = bots.players_of(table).values()
    assert (found.name, found.level) == ("magnate", "quick")
    assert opponents.named("of a program that is no more").level == "club"
    assert opponents.called("of a program that is no more") == "of a program that is no more"
