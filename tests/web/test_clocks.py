"""Clocks at tables: who thinks, what counts, and what happens when time is used up."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, time, timedelta

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from icalendar import Calendar

import roundhouse
from roundhouse.web import clock, pulse, tables
from roundhouse.web.clocks import agreeing
from roundhouse.web.clocks.models import Clock, Hand, Proposal, Rhythm, Spent, Vacation
from roundhouse.web.models import Place, Table
from roundhouse.web.notices.models import Channel, Manners, Notice
from roundhouse.web.seats import changing
from roundhouse.web.seats.models import Vote

from .test_notices import act, undo

MONDAY = datetime(2030, 6, 3, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def at(db):
    with clock.using(clock.Set(MONDAY)) as found:
        yield found


@pytest.fixture
def cleo(db):
    return get_user_model().objects.create_user("cleo")


def table_with(users, **terms):
    """A begun table with a clock, the first of them on turn; hours of sleep count unless said."""
    first, *others = users
    for user in users:
        Channel.objects.get_or_create(
            user=user, way="mail", address=f"{user.username}@x.org", good=True
        )
    made = tables.create(first, tables.Plan("1817", [first.username], seats=len(users), seed=1))
    agreeing.choose(made.pk, first, {"nights": False, "vacation": 0, **terms})
    for user in others:
        made = tables.join(made.pk, user)
    return made


def hand(table, number):
    return Hand.objects.get(place__table=table, place__number=number)


def ring(at=None, by=timedelta(0)):
    if at is not None:
        at.move(by)
    return pulse.beat()


def told(user):
    return list(Notice.objects.filter(user=user).order_by("pk").values_list("kind", "subject"))


def test_a_time_for_each_turn(at, user, other, cleo):
    table = table_with([user, other, cleo], turn=DAY)
    assert hand(table, 1).due == MONDAY + DAY
    at.move(5 * HOUR)
    act(table)
    assert hand(table, 1).due is None
    assert hand(table, 2).due == MONDAY + 5 * HOUR + DAY
    spent = Spent.objects.get()
    assert (spent.counted, spent.after, spent.upto) == (5 * HOUR, 0, 1)
    assert hand(table, 1).used == 5 * HOUR


def test_a_budget_with_increment(at, user, other, cleo):
    terms = {"kind": "budget", "budget": HOUR, "increment": HOUR / 60}
    table = table_with([user, other, cleo], **terms)
    at.move(HOUR / 2)
    act(table)
    assert hand(table, 1).left == HOUR / 2 + HOUR / 60
    act(table), act(table)
    assert hand(table, 1).due == at.at + HOUR / 2 + HOUR / 60
    ring(at, 2 * HOUR)
    act(table)
    assert hand(table, 1).left == HOUR / 60  # never below nothing


def test_nights_weekends_and_vacations_do_not_count(at, user, other, cleo):
    Rhythm.objects.create(user=user, zone="Europe/Berlin", asleep=time(22), awake=time(8))
    Vacation.objects.create(user=user, first=date(2030, 6, 4), last=date(2030, 6, 6))
    table = table_with([user, other, cleo], turn=DAY, nights=True, weekends=True, vacation=2)
    # 14:00 in Berlin: 8 hours today; away on Tuesday and Wednesday, the third day is not allowed;
    # 14 hours on Thursday; 2 on Friday.
    assert hand(table, 1).due == datetime(2030, 6, 7, 8, tzinfo=UTC)


def test_a_change_of_days_counts_from_now_on(at, user, other, cleo, client):
    table = table_with([user, other, cleo], turn=DAY, nights=True, vacation=5)
    at.move(6 * HOUR)
    client.post("/account/days/", {"zone": "UTC", "asleep": "20:00", "awake": "08:00"})
    assert hand(table, 1).left == 18 * HOUR
    assert hand(table, 1).due == datetime(2030, 6, 5, 12, tzinfo=UTC)
    client.post("/account/days/vacation/", {"first": "2030-06-05", "last": "2030-06-05"})
    assert hand(table, 1).due == datetime(2030, 6, 6, 12, tzinfo=UTC)
    answer = client.post("/account/days/vacation/", {"first": "2030-06-05", "last": "2030-06-01"})
    assert answer.status_code == 422
    client.post("/account/days/vacation/", {"remove": Vacation.objects.get().pk})
    assert hand(table, 1).due == datetime(2030, 6, 5, 12, tzinfo=UTC)


def test_who_is_asked_thinks_and_who_asks_gets_no_new_turn(at, user, other, cleo):
    table = table_with([user, other, cleo], turn=DAY)
    end = {"type": "end_game", "entity": 1, "entity_type": "player"}
    at.move(10 * HOUR)
    tables.submit(table.pk, user, end, None)
    assert hand(table, 1).since is None
    assert hand(table, 2).due == hand(table, 3).due == at.at + DAY
    at.move(HOUR)
    tables.answer(table.pk, other, True)
    tables.answer(table.pk, cleo, False)
    assert hand(table, 2).since is None
    assert hand(table, 1).due == at.at + 14 * HOUR


def test_taking_back_gives_no_new_time(at, user, other, cleo):
    table = table_with([user, other, cleo], turn=DAY)
    at.move(20 * HOUR)
    act(table)
    undo(table, user)
    assert hand(table, 1).due == at.at + 4 * HOUR
    assert not Spent.objects.filter(place__number=1).exists()


def test_warned_once_and_told_once_when_it_is_over(at, user, other, cleo):
    table = table_with([user, other, cleo], turn=DAY, at_zero="remind")
    ring(at, 17 * HOUR)
    assert told(user) == [("turn", f"Your turn: 1817 no. {table.pk}")]
    ring(at, HOUR)
    assert told(user)[1:] == [("near", f"Your time is short: 1817 no. {table.pk}")]
    ring(at, 6 * HOUR)
    ring(at, DAY)
    assert told(user)[2:] == [("near", f"Your time is up: 1817 no. {table.pk}")]
    assert told(other) == [("near", f"anna’s time is up: 1817 no. {table.pk}")]


def test_at_zero_nothing(at, user, other, cleo):
    table_with([user, other, cleo], turn=DAY, at_zero="nothing")
    ring(at, 3 * DAY)
    assert told(other) == []
    assert Hand.objects.get(place__number=1).out


def test_at_zero_a_bot_if_more_than_half_agree(at, user, other, cleo, asleep):
    table = table_with([user, other, cleo], turn=DAY, at_zero="bot")
    ring(at, 2 * DAY)
    proposal = Proposal.objects.get()
    assert told(cleo) == [("asked", f"anna’s time is up: 1817 no. {table.pk}")]
    with pytest.raises(tables.Refused):
        agreeing.answer(table.pk, user, proposal.pk, yes=True)
    agreeing.answer(table.pk, other, proposal.pk, yes=True)
    assert not Place.objects.get(table=table, number=1).bot
    agreeing.answer(table.pk, cleo, proposal.pk, yes=True)
    assert Place.objects.get(table=table, number=1).bot
    assert hand(table, 1).since is None
    changing.come_back(table.pk, user)
    assert hand(table, 1).due == at.at + DAY


def test_who_acts_needs_no_bot(at, user, other, cleo):
    table = table_with([user, other, cleo], turn=DAY, at_zero="bot")
    ring(at, 2 * DAY)
    act(table)
    assert not Proposal.objects.exists()


def test_at_zero_a_vote(at, user, other, cleo):
    table = table_with([user, other, cleo], turn=DAY, at_zero="vote")
    ring(at, 2 * DAY)
    assert Vote.objects.get().place == Place.objects.get(table=table, number=1)


def test_the_clock_stops_when_all_agree(at, user, other, cleo):
    table = table_with([user, other, cleo], turn=DAY)
    at.move(HOUR)
    agreeing.propose(table.pk, other, "pause")
    agreeing.answer(table.pk, user, Proposal.objects.get().pk, yes=True)
    assert Clock.objects.get().paused is None
    agreeing.answer(table.pk, cleo, Proposal.objects.get().pk, yes=True)
    assert hand(table, 1).due is None
    ring(at, 30 * DAY)
    with pytest.raises(tables.Refused):
        agreeing.propose(table.pk, user, "pause")
    agreeing.propose(table.pk, user, "resume")
    for one in (other, cleo):
        agreeing.answer(table.pk, one, Proposal.objects.get().pk, yes=True)
    assert hand(table, 1).due == at.at + 23 * HOUR
    assert not Notice.objects.filter(kind="near").exists()


def test_more_time_when_all_agree(at, user, other, cleo, client):
    table = table_with([user, other, cleo], turn=DAY)
    client.post(f"/table/{table.pk}/time/propose/", {"kind": "more", "hours": "48"})
    assert "anna asks for 2 days more" in client.get(f"/table/{table.pk}/time/").content.decode()
    for one in (other, cleo):
        visitor = Client()
        visitor.force_login(one)
        form = {"proposal": Proposal.objects.get().pk, "agree": "yes"}
        visitor.post(f"/table/{table.pk}/time/answer/", form)
    assert hand(table, 1).due == MONDAY + 3 * DAY
    answer = client.post(f"/table/{table.pk}/time/propose/", {"kind": "more", "hours": "0"})
    assert answer.status_code == 422


def test_one_no_ends_a_proposal(at, user, other, cleo):
    table = table_with([user, other, cleo], turn=DAY)
    agreeing.propose(table.pk, user, "more", DAY)
    agreeing.answer(table.pk, other, Proposal.objects.get().pk, yes=False)
    assert hand(table, 1).due == MONDAY + DAY


def test_a_newcomer_has_time(at, user, other, cleo):
    table = table_with([user, other, cleo], kind="budget", budget=8 * HOUR)
    ring(at, 7 * HOUR)
    changing.leave(table.pk, user)
    assert hand(table, 1).since is None
    dora = get_user_model().objects.create_user("dora")
    at.move(DAY)
    changing.take(table.pk, dora, 1)
    assert hand(table, 1).due == at.at + 2 * HOUR
    assert Spent.objects.get().user is None or Spent.objects.get().user != dora


def test_the_clock_is_chosen_before_the_game(at, user, other, cleo, client):
    made = tables.create(user, tables.Plan("1817", ["anna"], seats=3))
    address = f"/table/{made.pk}/time/clock/"
    client.post(address, {"preset": "week"})
    assert Clock.objects.get().daily == 12 * HOUR
    form = {"preset": "own", "kind": "turn", "turn_0": "36", "turn_1": "hours", "vacation": "3",
            "at_zero": "vote", "weekends": "on"}  # fmt: skip
    client.post(address, form)
    assert Clock.objects.get().turn == 36 * HOUR
    assert client.post(address, form | {"turn_0": "0"}).status_code == 422
    assert client.post(address, form | {"turn_0": "-1"}).status_code == 422
    page = client.get(f"/table/{made.pk}/time/").content.decode()
    assert "1 day 12 hours for each turn; weekends, up to 3 days of vacation do not count" in page
    visitor = Client()
    visitor.force_login(other)
    assert visitor.post(address, {"preset": ""}).status_code == 403
    tables.join(made.pk, other)
    table = tables.join(made.pk, cleo)
    act(table)
    assert client.post(address, {"preset": ""}).status_code == 422


def test_pages_and_calendar_tell_the_deadline(at, user, other, cleo, client):
    table = table_with([user, other, cleo], turn=DAY)
    page = client.get(f"/table/{table.pk}/").content.decode()
    assert '<time datetime="2030-06-04T12:00+00:00" data-local>' in page
    at.move(HOUR)
    act(table)
    page = client.get(f"/table/{table.pk}/time/").content.decode()
    assert "<td>1 h</td>" in page
    word = Manners.objects.get_or_create(user=other)[0].word
    dates = Calendar.from_ical(Client().get(f"/feed/{word}/dates.ics").content)
    (event,) = dates.walk("VEVENT")
    assert event.end == MONDAY + 25 * HOUR


def test_a_table_at_one_screen_has_no_clock(at, hotseat, user):
    with pytest.raises(tables.Refused):
        agreeing.choose(hotseat.pk, user, {"turn": DAY})
    assert Table.objects.get(pk=hotseat.pk).status == "running"


def test_time_used_is_in_file_and_transcript(at, user, other, cleo, client):
    table = table_with((user, other, cleo), turn=DAY)
    at.move(2 * HOUR)
    act(table)
    at.move(HOUR)
    file = json.loads(client.get(f"/table/{table.pk}/file/").content)
    assert file["time_used"] == {"1": 7200, "2": 3600, "3": 0}
    assert roundhouse.load(file).dump() == {k: v for k, v in file.items() if k != "time_used"}
    rows = client.get(f"/table/{table.pk}/transcript/").content.decode().splitlines()
    assert rows[0].endswith("sent,thought")
    assert rows[1].endswith("2030-06-03T14:00:00+00:00,7200")


def made_with(client, **fields):
    """The clock of a table made by the form."""
    made = client.post("/new/1817/", {"seats": 3, "public": "on", **fields})
    assert made.status_code == 302, made.content
    return Clock.objects.filter(table=made.url.strip("/").split("/")[-1]).first()


def test_a_clock_is_chosen_with_a_new_table(at, client):
    assert made_with(client) is None
    assert made_with(client, clock="days").turn == 3 * DAY
    own = {"clock-kind": "budget", "clock-budget_0": "5", "clock-budget_1": "days",
           "clock-vacation": "7", "clock-at_zero": "vote"}  # fmt: skip
    found = made_with(client, clock="own", **own)
    assert (found.budget, found.vacation, found.at_zero) == (5 * DAY, 7, "vote")
    assert made_with(client, clock="days", hotseat="on", names="A\nB\nC") is None
    without = client.post("/new/1817/", {"seats": 3, "clock": "own", "clock-kind": "budget"})
    assert "A clock needs a time." in without.content.decode()
