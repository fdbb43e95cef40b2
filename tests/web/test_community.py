"""People beside the tables: ratings from stored games, profiles, groups, dates, tournaments."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth import get_user_model
from django.test import Client, override_settings
from icalendar import Calendar

from roundhouse.web import clock, pulse, tables
from roundhouse.web.api.models import BotAccount
from roundhouse.web.clocks.models import Clock
from roundhouse.web.models import Block, Place, Table
from roundhouse.web.notices.models import Channel, Manners, Notice
from roundhouse.web.people import gathering, results, tournaments
from roundhouse.web.people.models import (
    Coming,
    Group,
    HouseRules,
    Played,
    Rating,
    ReadyCheck,
    Session,
    Tournament,
)
from roundhouse.web.seats import changing

from .test_notices import act

NOON = datetime(2030, 6, 3, 12, tzinfo=UTC)


@pytest.fixture
def at(db):
    with clock.using(clock.Set(NOON)) as found:
        yield found


@pytest.fixture
def cleo(db):
    return get_user_model().objects.create_user("cleo")


def reached(*users):
    for user in users:
        Channel.objects.create(user=user, way="mail", address=f"{user}@x.org", good=True)


def visitor(user):
    found = Client()
    found.force_login(user)
    return found


def new_table(users, **more):
    first, *others = users
    plan = tables.Plan("1817", [first.username], seats=len(users), seed=1, **more)
    made = tables.create(first, plan)
    for user in others:
        made = tables.join(made.pk, user)
    return made


def end(table, users):
    """All agree that it ends here."""
    action = {"type": "end_game", "entity": 1, "entity_type": "player"}
    tables.submit(table.pk, users[0], action, None)
    for user in users[1:]:
        tables.answer(table.pk, user, True)
    table.refresh_from_db()
    assert table.status == Table.Status.FINISHED


# ratings


def test_ratings_follow_from_games_and_may_be_computed_anew(at, user, other, cleo):
    users = [user, other, cleo]
    table = new_table(users)
    for _ in range(4):
        act(table)
    end(table, users)
    assert Rating.objects.count() == 3
    assert Played.objects.get().title == "1817"
    before = list(Rating.objects.order_by("who").values_list("who", "mu", "sigma", "games"))
    Rating.objects.all().delete()
    Played.objects.all().delete()
    assert results.anew("1817") == 1
    after = list(Rating.objects.order_by("who").values_list("who", "mu", "sigma", "games"))
    assert after == before


def test_a_substitute_counts_for_his_part(at, user, other, cleo):
    users = [user, other, cleo]
    table = new_table(users)
    for _ in range(9):
        act(table)
    changing.leave(table.pk, user)
    dora = get_user_model().objects.create_user("dora")
    changing.take(table.pk, dora, 1)
    act(table)
    end(table, [dora, other, cleo])
    parts = dict(Played.objects.get().seats[0][1])
    assert 0 < parts[f"user:{dora.pk}"] < parts[f"user:{user.pk}"]
    surer, newer = (Rating.objects.get(user=u) for u in (user, dora))
    assert surer.sigma < newer.sigma


def test_games_at_one_screen_are_not_rated(hotseat, user):
    action = {"type": "end_game", "entity": 1, "entity_type": "player"}
    tables.submit(hotseat.pk, user, action, None, agreed=True)
    assert not Played.objects.exists()


# pages


def test_a_profile_tells_what_one_plays(at, user, other, cleo, client):
    users = [user, other, cleo]
    end(new_table(users), users)
    page = client.get("/people/ben/").content.decode()
    assert "1817" in page
    assert client.get("/ratings/1817/").status_code == 200
    assert client.get("/ratings/none/").status_code == 404
    client.post("/people/about/", {"about": "<b>trains</b>", "hidden": "on"})
    assert "&lt;b&gt;trains" in client.get("/people/anna/").content.decode()
    assert Client().get("/people/anna/").status_code == 404
    assert "anna" not in Client().get("/ratings/1817/").content.decode()
    assert client.get("/people/nobody/").status_code == 404


def test_who_follows_hears_of_a_table_and_who_is_blocked_does_not(at, user, other, cleo):
    reached(other, cleo)
    for one in (other, cleo):
        visitor(one).post("/people/anna/relate/", {"do": "follow"})
    visitor(user).post("/people/cleo/relate/", {"do": "block"})
    tables.create(user, tables.Plan("1817", ["anna"], seats=3))
    tables.create(user, tables.Plan("1817", ["anna"], seats=3, public=False))
    assert Notice.objects.get().user == other
    assert Block.objects.get().user == cleo
    assert visitor(user).post("/people/anna/relate/", {"do": "follow"}).status_code == 422


def test_a_group_is_joined_by_its_link_and_seen_by_its_members(at, user, other, client):
    reached(other)
    client.post("/groups/", {"name": "Thursdays"})
    group = Group.objects.get()
    stranger = visitor(other)
    assert stranger.get(f"/groups/{group.pk}/").status_code == 404
    assert stranger.get(f"/groups/join/{group.word}/").status_code == 200
    assert group.members.count() == 1  # a look is not a yes
    stranger.post(f"/groups/join/{group.word}/")
    client.post(f"/groups/{group.pk}/say/", {"say": "tonight, @ben? <i>"})
    assert "&lt;i&gt;" in stranger.get(f"/groups/{group.pk}/").content.decode()
    assert Notice.objects.get().kind == "message"
    client.post(f"/groups/{group.pk}/leave/")
    group.refresh_from_db()
    assert group.owner == other
    stranger.post(f"/groups/{group.pk}/leave/")
    assert not Group.objects.exists()


def test_talk_is_where_the_host_wants_it(user, other, client):
    assert client.get("/talk/").status_code == 404
    with override_settings(SITE_CHAT=True):
        client.post("/talk/", {"say": "hello"})
        assert "hello" in visitor(other).get("/talk/").content.decode()
        Block.objects.create(by=other, user=user)
        assert "hello" not in visitor(other).get("/talk/").content.decode()
        assert client.post("/talk/", {"say": " "}).status_code == 422


def test_a_date_is_proposed_told_and_in_the_calendar(at, user, other, client):
    reached(other)
    group = Group.objects.create(name="G", owner=user)
    group.members.add(user, other)
    client.post("/account/days/", {"zone": "Asia/Tokyo", "asleep": "00:00", "awake": "00:00"})
    form = {"name": "1817 live", "at": "2030-06-08T20:00", "hours": "5", "group": group.pk}
    assert client.post("/sessions/", form).status_code == 302
    session = Session.objects.get()
    assert session.at == datetime(2030, 6, 8, 11, tzinfo=UTC)
    page = client.get("/sessions/").content.decode()
    assert "2030, 20:00" in page
    assert re.search(r'<time datetime="2030-06-08">8</time><a href="#date-\d+">20:00', page)
    assert "July 2030" in client.get("/sessions/?month=2030-07").content.decode()
    assert client.get("/sessions/?month=nonsense").status_code == 200
    assert "proposes a date" in Notice.objects.get().subject
    ben = visitor(other)
    ben.post(f"/sessions/{session.pk}/", {"says": "maybe"})
    word = Manners.objects.get_or_create(user=other)[0].word
    address = f"/feed/{word}/dates.ics"
    assert len(Calendar.from_ical(ben.get(address).content).walk("VEVENT")) == 1
    ben.post(f"/sessions/{session.pk}/", {"says": "no"})
    assert not Calendar.from_ical(ben.get(address).content).walk("VEVENT")
    ben.post(f"/sessions/{session.pk}/", {"says": "drop"})
    client.post(f"/sessions/{session.pk}/", {"says": "drop"})
    assert not Session.objects.exists()
    stranger = visitor(get_user_model().objects.create_user("dora"))
    assert stranger.post("/sessions/", form).status_code == 422  # not her group
    assert stranger.post("/sessions/", form | {"group": ""}).status_code == 302


# at a table


def test_a_ready_check_begins_the_game(at, user, other, client):
    made = tables.create(user, tables.Plan("1817", ["anna"], seats=5))
    tables.join(made.pk, other)
    tables.join(made.pk, get_user_model().objects.create_user("cleo"))
    client.post(f"/table/{made.pk}/ready/", {"do": "ask"})
    ben = visitor(other)
    assert "I am ready" in ben.get(f"/table/{made.pk}/").content.decode()
    ben.post(f"/table/{made.pk}/ready/")
    at.move(timedelta(minutes=2))
    pulse.beat()
    assert not ReadyCheck.objects.exists()
    assert ben.post(f"/table/{made.pk}/ready/").status_code == 422
    client.post(f"/table/{made.pk}/ready/", {"do": "ask"})
    for place in made.places.exclude(user=user):
        visitor(place.user).post(f"/table/{made.pk}/ready/")
    made.refresh_from_db()
    assert made.status == Table.Status.RUNNING


def test_a_live_game_begins_once_everybody_is_here(at, user, other, client):
    """All but who took the last seat, and programs, are asked; who gets up ends it."""
    program = get_user_model().objects.create_user("engine")
    BotAccount.objects.create(user=program, owner=user)
    cleo, dora = map(get_user_model().objects.create_user, ("cleo", "dora"))
    made = tables.create(user, tables.Plan("1817", ["anna"], seats=4, pace="live"))
    address = f"/table/{made.pk}/ready/"
    for one in (program, other, cleo):
        tables.join(made.pk, one)
    made.refresh_from_db()
    assert made.status == Table.Status.OPEN
    assert set(ReadyCheck.objects.get().ready) == {2, 4}
    assert "I am ready" not in visitor(cleo).get(f"/table/{made.pk}/").content.decode()
    with pytest.raises(tables.Refused, match="no free seat"):
        tables.join(made.pk, dora)
    tables.leave(made.pk, cleo)
    assert not ReadyCheck.objects.exists()
    tables.join(made.pk, dora)
    at.move(timedelta(minutes=3))
    pulse.beat()
    page = visitor(other).get(f"/table/{made.pk}/").content.decode()
    assert "All seats are taken" in page
    visitor(other).post(address, {"do": "ask"})  # anybody at a full table may
    client.post(address)
    assert not Table.objects.get().version
    visitor(dora).post(address)
    assert Table.objects.get().status == Table.Status.RUNNING


def test_house_rules_are_told(user, other, cleo, client):
    made = tables.create(user, tables.Plan("1817", ["anna"], seats=3))
    address = f"/table/{made.pk}/house/"
    client.post(address, {"text": "No kingmaking <please>."})
    assert visitor(other).post(address, {"text": "mine"}).status_code == 422
    assert "&lt;please&gt;" in visitor(other).get(f"/table/{made.pk}/").content.decode()
    tables.join(made.pk, other)
    act(tables.join(made.pk, cleo))
    assert client.post(address, {"text": "other"}).status_code == 422
    assert HouseRules.objects.get().text == "No kingmaking <please>."


# tournaments


def test_a_tournament_of_two_rounds(at, user, client):
    names = ["ben", "cleo", "dora", "emil", "fay"]
    people = [user, *(get_user_model().objects.create_user(n) for n in names)]
    form = {"name": "Cup", "title": "1817", "seats": "3", "rounds": "2", "pace": "day"}
    client.post("/tournaments/", form)
    cup = Tournament.objects.get()
    for one in people:
        visitor(one).post(f"/tournaments/{cup.pk}/change/", {"do": "enter"})
    address = f"/tournaments/{cup.pk}/change/"
    assert visitor(people[1]).post(address, {"do": "round"}).status_code == 403
    for number in (1, 2):
        assert client.post(address, {"do": "round"}).status_code == 302
        assert client.post(address, {"do": "round"}).status_code == 422  # it is being played
        found = [s.table for s in cup.seatings.filter(round=number)]
        assert sorted(Place.objects.filter(table__in=found).values_list("user", flat=True)) == [
            u.pk for u in people
        ]
        assert Clock.objects.filter(table__in=found).count() == 2
        for table in found:
            seated = [p.user for p in table.places.select_related("user")]
            end(table, seated)
    cup.refresh_from_db()
    assert cup.status == Tournament.Status.FINISHED
    assert client.post(address, {"do": "round"}).status_code == 422
    lines = tournaments.standings_of(cup)
    assert sum(line.points for _, line in lines) == pytest.approx(6)
    assert all(line.games == 2 for _, line in lines)
    assert client.get(f"/tournaments/{cup.pk}/").status_code == 200
    assert Client().get("/tournaments/").status_code == 200


def test_what_is_others_too_outlives_an_account(at, user, other, cleo):
    group = Group.objects.create(name="Thursday", owner=user)
    group.members.add(user, other, cleo)
    gathering.post(group, cleo, "hello")
    date = Session.objects.create(group=group, by=user, name="Friday", at=NOON + timedelta(days=1))
    Coming.objects.create(session=date, user=other, says="no")
    Coming.objects.create(session=date, user=cleo, says="yes")
    cup = Tournament.objects.create(name="Cup", title="1817", by=user, seats=3, rounds=2)
    for one in (user, other, cleo):
        tournaments.enter(cup.pk, one)
    tournaments.next_round(cup.pk, user)
    tournaments.withdraw(cup.pk, other)
    user.delete()
    assert Group.objects.get().owner == other
    assert group.posts.count() == 1
    assert Session.objects.get().by == Tournament.objects.get().by == cleo
    assert visitor(other).get(f"/tournaments/{cup.pk}/").status_code == 200
    get_user_model().objects.filter(pk__in=[other.pk, cleo.pk]).delete()
    for kind in (Group, Session, Tournament):
        assert not kind.objects.exists()


def test_pages_want_somebody(db):
    for path in ("/groups/", "/sessions/", "/account/days/"):
        assert Client().get(path).status_code == 302


def test_who_keeps_the_server_may_compute_ratings_anew(tmp_path):
    def ran(*words):
        command = [sys.executable, "-m", "roundhouse", "ratings", "--data", str(tmp_path), *words]
        return subprocess.run(command, capture_output=True, text=True, timeout=120)

    assert ran("1817", "1828").stdout == "1817: 0 games\n1828: 0 games\n"
    wrong = ran("Chess")
    assert wrong.returncode == 1
    assert "Chess" in wrong.stderr
