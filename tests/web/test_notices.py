"""Notices, against a mail server, a web service and a push service of this machine."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import json
import re
from datetime import UTC, datetime, time, timedelta

import pytest
from django.contrib.auth import get_user_model
from django.test import Client, override_settings
from icalendar import Calendar

from roundhouse.web import clock, presence, pulse, tables
from roundhouse.web.clocks import agreeing
from roundhouse.web.clocks.models import Clock, Proposal, Rhythm
from roundhouse.web.notices import outbox, recipients
from roundhouse.web.notices.models import Channel, Delivery, Kind, Manners, Notice, Wish
from roundhouse.web.seats import changing, voting
from roundhouse.web.seats.models import Vote
from roundhouse.web.tables import bots

from .endpoints import Browser, mail_server, web_service

NOON = datetime(2030, 6, 3, 12, tzinfo=UTC)
INSIDE = [ipaddress.ip_network("127.0.0.0/8")]


@pytest.fixture
def at(db):
    """A clock that stands until it is moved."""
    with clock.using(clock.Set(NOON)) as found:
        yield found


@pytest.fixture
def box(at):
    with mail_server() as found, override_settings(
        MAIL_DELIVERY="django.core.mail.backends.smtp.EmailBackend",
        EMAIL_BACKEND="roundhouse.web.mail.Queued",
        EMAIL_HOST="127.0.0.1", EMAIL_PORT=found.port, EMAIL_USE_TLS=False, EMAIL_USE_SSL=False,
    ):  # fmt: skip
        yield found


@pytest.fixture
def service(at):
    with web_service() as found, override_settings(OUTWARD=INSIDE):
        yield found


@pytest.fixture
def table(at, user, other):
    """Anna's turn, with Ben and Cleo."""
    cleo = get_user_model().objects.create_user("cleo")
    made = tables.create(user, tables.Plan("1817", ["anna"], seats=3, seed=1))
    tables.join(made.pk, other)
    return tables.join(made.pk, cleo)


def letters_to(user):
    return Channel.objects.create(
        user=user, way="mail", address=f"{user.get_username()}@example.org", good=True
    )


def act(table, kind="bid"):
    """Whoever is waited for does something; the table."""
    table.refresh_from_db()
    game = tables.open_game(table).game
    choice = next(c for c in game.choices() if c.type == kind)
    actor = next(p for p in table.places.all() if p.key in table.acting)
    return tables.submit(table.pk, actor.user, choice.action, table.version)


def undo(table, user):
    table.refresh_from_db()
    action = {"type": "undo", "entity": 1, "entity_type": "player"}
    return tables.submit(table.pk, user, action, table.version)


def deliver(at=None, by=recipients.PATIENCE):
    """Time passes, and all that is due is sent."""
    if at is not None:
        at.move(by)
    while pulse.beat(slow=True):
        pass


# turns


def test_a_letter_for_every_turn_and_only_one(table, box, at, user, other):
    letters_to(other)
    act(table)
    deliver()
    assert not box.letters  # not before it is certain
    deliver(at)
    deliver(at, timedelta(days=1))
    (letter,) = box.letters
    assert letter.to == ["ben@example.org"]
    assert letter["Subject"] == f"Your turn: 1817 no. {table.pk}"
    assert f"/table/{table.pk}/" in letter.get_body(("plain",)).get_content()
    assert "Your turn" in letter.get_body(("html",)).get_content()
    act(table)
    act(table)
    act(table)  # anna again, and now ben
    deliver(at)
    assert len(box.letters) == 2
    assert len({m["Message-ID"] for m in box.letters}) == 2


def test_a_turn_that_is_over_at_once_is_not_told(table, box, at, other):
    letters_to(other)
    act(table)
    act(table)
    deliver(at)
    assert not box.letters
    assert Delivery.objects.get().state == Delivery.State.IDLE


def test_what_is_taken_back_and_done_again_is_told_once(table, box, at, user, other):
    letters_to(other)
    act(table)
    deliver(at)
    undo(table, user)
    act(table)
    deliver(at)
    assert len(box.letters) == 1
    undo(table, user)
    at.move(timedelta(hours=3))
    act(table)
    deliver(at)
    assert len(box.letters) == 2  # hours later it is another turn


def test_who_is_looking_is_not_told(table, box, at, other):
    letters_to(other)
    mark = presence.begin(other, table)
    act(table)
    deliver(at)
    assert not Notice.objects.exists()
    presence.end(mark)
    act(table)
    act(table)
    act(table)
    mark = presence.begin(other, table)  # he comes before the letter has gone
    deliver(at)
    assert not box.letters


def test_a_deputy_is_told_too(table, box, at, user, other):
    letters_to(user)
    tables.appoint(table.pk, other, "anna")
    act(table)
    deliver(at)
    (letter,) = box.letters
    assert "for ben" in letter["Subject"]


def test_who_was_replaced_for_a_while_hears_of_turns_again(table, box, at, other, asleep):
    letters_to(other)
    act(table)
    deliver(at)
    changing.substitute(table.pk, other)
    assert bots.play(table.pk)
    changing.come_back(table.pk, other)
    act(table), act(table)
    deliver(at)
    assert len(box.letters) == 2


def test_questions_messages_and_the_end(table, box, at, user, other):
    for one in (user, other):
        letters_to(one)
    said = {"type": "message", "entity": 1, "entity_type": "player", "message": "well, @Ben?"}
    tables.submit(table.pk, user, said, table.version)
    said = {"type": "message", "entity": 2, "entity_type": "player", "message": "hello annabel"}
    tables.submit(table.pk, other, said, None)
    end = {"type": "end_game", "entity": 1, "entity_type": "player"}
    tables.submit(table.pk, user, end, None)
    deliver(at)
    (letter,) = box.to("ben@example.org")
    text = letter.get_body(("plain",)).get_content()
    assert "anna says to you" in text
    assert "anna asks you" in text
    cleo = get_user_model().objects.get(username="cleo")
    tables.answer(table.pk, other, True)
    tables.answer(table.pk, cleo, True)
    deliver(at)
    assert "is over: won by" in box.to("anna@example.org")[-1]["Subject"]


# wishes


def test_wishes_for_one_game_count_before_those_for_all(table, box, at, other):
    letters_to(other)
    Wish.objects.create(user=other, kind=Kind.TURN, ways=[])
    act(table)
    deliver(at)
    assert not box.letters
    Wish.objects.create(user=other, table=table, kind=Kind.TURN, ways=["mail"])
    act(table), act(table), act(table)
    deliver(at)
    assert len(box.letters) == 1


def test_nothing_comes_at_night_and_what_waits_comes_together(table, box, at, other):
    letters_to(other)
    Rhythm.objects.create(user=other, zone="America/New_York", asleep=time(7), awake=time(15))
    act(table)
    said = {"type": "message", "entity": 1, "entity_type": "player", "message": "@ben, wake up"}
    tables.submit(table.pk, table.creator, said, None)
    deliver(at)  # eight in the morning there
    deliver(at, timedelta(hours=6))
    assert not box.letters
    deliver(at, timedelta(hours=2))
    (letter,) = box.letters
    assert letter["Subject"] == "2 notices"


def test_a_letter_a_day(table, box, at, other):
    letters_to(other)
    Manners.objects.create(user=other, digest=True, digest_at=time(18))
    second = tables.create(other, tables.Plan("1817", ["ben"], seats=3))
    act(table)
    tables.join(second.pk, table.creator)
    tables.join(second.pk, get_user_model().objects.get(username="cleo"))
    deliver(at, timedelta(hours=5))
    assert not box.letters
    deliver(at, timedelta(hours=1))
    (letter,) = box.letters
    assert letter["Subject"] == "2 notices, 2 games wait for you"


# arriving, or not


def test_what_does_not_arrive_is_sent_again_later_and_later(table, box, at, other):
    channel = letters_to(other)
    box.refuse = "451 not now"
    act(table)
    deliver(at)
    channel.refresh_from_db()
    assert "not now" in channel.fault
    deliver()
    assert Delivery.objects.get().tries == 1
    deliver(at, timedelta(minutes=1))
    assert Delivery.objects.get().tries == 2
    box.refuse = ""
    deliver(at, timedelta(minutes=4))
    assert len(box.letters) == 1
    channel.refresh_from_db()
    assert channel.fault == ""


def test_an_address_that_is_no_more_is_not_tried_again(table, box, at, other):
    letters_to(other)
    box.refuse = "550 nobody here"
    act(table)
    deliver(at)
    assert Delivery.objects.get().state == Delivery.State.FAILED


def test_a_mail_server_that_is_away_loses_nothing(table, at, other):
    from .browser import free_port

    port = free_port()
    letters_to(other)
    with override_settings(
        MAIL_DELIVERY="django.core.mail.backends.smtp.EmailBackend",
        EMAIL_HOST="127.0.0.1", EMAIL_PORT=port, EMAIL_USE_TLS=False,
    ):  # fmt: skip
        act(table)
        deliver(at)
        assert "does not answer" in Delivery.objects.get().fault
        with mail_server(port) as box:
            deliver(at, timedelta(minutes=1))
            assert len(box.letters) == 1


def test_what_a_worker_left_is_sent_by_another_under_the_same_number(table, box, at, other):
    letters_to(other)
    act(table)
    at.move(recipients.PATIENCE)
    taken = outbox._taken()
    assert len(taken) == 1
    assert outbox.deliver_due() == 0  # somebody has it
    outbox._send(taken[0].channel, taken)
    Delivery.objects.update(state=Delivery.State.WAITING, taken=clock.machine() - 1)  # he died
    deliver()
    first, second = box.letters
    assert first["Message-ID"] == second["Message-ID"]


def test_what_fails_by_our_own_fault_is_given_up_in_the_end(table, at, other, monkeypatch):
    def fails(parcel):
        raise ValueError("a mistake")

    letters_to(other)
    act(table)
    monkeypatch.setitem(outbox._SEND, "mail", fails)
    at.move(recipients.PATIENCE)
    for tries, pause in enumerate((*outbox.AGAIN, timedelta()), start=1):
        assert outbox.deliver_due() == 1
        assert outbox.deliver_due() == 0  # not before its time
        assert Delivery.objects.get().tries == tries
        at.move(pause)
    assert Delivery.objects.get().state == Delivery.State.FAILED


# signing off


def test_one_click_ends_letters(table, box, at, other):
    letters_to(other)
    act(table)
    deliver(at)
    (letter,) = box.letters
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    path = re.search(r"<https?://[^/]+(/notices/off/[^>]+/)>", letter["List-Unsubscribe"])[1]
    nobody = Client(enforce_csrf_checks=True)
    assert nobody.get(path).status_code == 200
    assert Channel.objects.count() == 1  # looking is not clicking
    assert nobody.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert not Channel.objects.exists()
    assert nobody.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert nobody.get(path[:-3] + "xx/").status_code == 404


# hooks


def hook(user, service, shape):
    return Channel.objects.create(
        user=user, way="hook", shape=shape, address=f"{service.address}/{shape}", good=True
    )


@pytest.mark.parametrize("shape", Channel.Shape.values)
def test_hooks_speak_as_the_service_listens_and_are_signed(table, service, at, other, shape):
    channel = hook(other, service, shape)
    table.description = "*bold* <b> @everyone"
    table.save()
    act(table)
    deliver(at)
    ((path, headers, body),) = service.got
    assert path == f"/{shape}"
    told = json.loads(body)
    sent, sign = re.fullmatch(r"t=(\d+),v1=(\w+)", headers["x-roundhouse-signature"]).groups()
    mac = hmac.new(channel.secret.encode(), f"{sent}.".encode() + body, hashlib.sha256)
    assert hmac.compare_digest(sign, mac.hexdigest())
    assert int(sent) == int(at.at.timestamp())
    if shape == "discord":
        assert told["allowed_mentions"] == {"parse": []}
        assert "\\*bold\\*" in told["content"]
    if shape == "slack":
        assert "&lt;b&gt;" in told["text"]
    if shape == "matrix":
        assert "&lt;b&gt;" in told["html"]
    if shape == "plain":
        (notice,) = told["notices"]
        assert (notice["kind"], notice["table"]) == ("turn", table.pk)


def test_a_hook_that_asks_to_wait_is_waited_for(table, service, at, other):
    hook(other, service, "discord")
    service.answers = [(429, {"Retry-After": "600"}), (204, {})]
    act(table)
    deliver(at)
    deliver(at, timedelta(minutes=9))
    assert not service.got
    deliver(at, timedelta(minutes=1))
    assert len(service.got) == 1


def test_a_hook_that_is_gone_is_left_alone(table, service, at, other):
    channel = hook(other, service, "slack")
    service.answers = [(410, {})]
    act(table)
    deliver(at)
    channel.refresh_from_db()
    assert not channel.good
    assert "410" in channel.fault


def test_redirects_are_not_followed(table, service, at, other):
    hook(other, service, "plain")
    service.answers = [(302, {"Location": f"{service.address}/inside"})]
    act(table)
    deliver(at)
    assert not service.got
    assert Delivery.objects.get().state == Delivery.State.FAILED


# push


def subscribe(client, browser):
    raw = json.dumps(browser.subscription() | {"name": "Chromium on Linux"})
    return client.post("/notices/browser/", raw, content_type="application/json")


def test_push_is_sealed_for_one_browser(table, service, at, other):
    client = Client()
    client.force_login(other)
    browser = Browser(service)
    assert subscribe(client, browser).status_code == 201
    assert subscribe(client, browser).status_code == 201
    assert Channel.objects.count() == 1
    act(table)
    deliver(at)
    (told,) = browser.read()
    assert told["title"] == f"Your turn: 1817 no. {table.pk}"
    assert told["url"].endswith(f"/table/{table.pk}/")
    ((_, headers, body),) = service.got
    assert b"Your turn" not in body
    assert headers["topic"] == f"turn-{table.pk}"


def test_a_browser_that_signed_off_is_forgotten(table, service, at, other):
    client = Client()
    client.force_login(other)
    subscribe(client, Browser(service))
    service.answers = [(410, {})]
    act(table)
    deliver(at)
    assert not Channel.objects.exists()


POINTLESS = {"endpoint": "https://x.org/", "keys": {"p256dh": "AAAA", "auth": "AAAA"}}
NO_SUBSCRIPTIONS = [
    b"", b"[]", b'{"endpoint": 1}', b'{"endpoint": "https://x.org/", "keys": {}}', b"\xff",
    json.dumps(POINTLESS).encode(),
]  # fmt: skip


@pytest.mark.parametrize("told", NO_SUBSCRIPTIONS)
def test_what_is_no_subscription_is_refused(client, told):
    answer = client.post("/notices/browser/", told, content_type="application/json")
    assert answer.status_code == 422


# pages


def test_the_test_buttons(client, user, box, service):
    mine = letters_to(user)
    made = hook(user, service, "slack")
    Channel.objects.filter(pk=made.pk).update(good=False)
    subscribe(client, Browser(service))
    for channel in Channel.objects.all():
        assert client.post(f"/notices/channel/{channel.pk}/test/").status_code == 302
    assert len(box.letters) == 1
    assert len(service.got) == 2
    assert Channel.objects.get(pk=made.pk).good
    service.answers = [(500, {})]
    client.post(f"/notices/channel/{made.pk}/test/")
    assert "answered 500" in client.get("/notices/").content.decode()
    assert mine.address in client.get("/notices/").content.decode()


def test_an_address_counts_once_its_link_was_followed(client, user, box):
    client.post("/notices/mail/", {"address": "somebody@example.org"})
    channel = Channel.objects.get()
    assert not channel.good
    assert client.post(f"/notices/channel/{channel.pk}/test/").status_code == 422
    (letter,) = box.letters
    link = re.search(r"https?://[^/]+(/notices/confirm/\S+/)", letter.get_content())[1]
    assert Client().get(link).status_code == 302
    channel.refresh_from_db()
    assert channel.good


def test_pages_keep_what_is_wished(client, table, user, other):
    form = {"wish": ["turn:mail", "near:push", "nonsense:mail"]}
    client.post("/notices/wishes/", form)
    assert recipients.ways_for(user, "turn", None) == ("mail",)
    assert recipients.ways_for(user, "over", None) == ()
    client.post(f"/table/{table.pk}/notices/", {"wish": ["turn:hook"]})
    assert recipients.ways_for(user, "turn", table) == ("hook",)
    assert "wishes of its own" in client.get(f"/table/{table.pk}/notices/").content.decode()
    client.post(f"/table/{table.pk}/notices/", {"usual": "1"})
    assert recipients.ways_for(user, "turn", table) == ("mail",)
    stranger = Client()
    stranger.force_login(get_user_model().objects.create_user("dora"))
    assert stranger.get(f"/table/{table.pk}/notices/").status_code == 404
    form = {"own": "on", "quiet": "on", "quiet_from": "20:00", "quiet_to": "06:30", "digest": "",
            "digest_at": "07:15"}  # fmt: skip
    client.post("/notices/manners/", form)
    assert Manners.objects.get(user=user).quiet_from == time(20)
    assert client.post("/notices/manners/", form | {"quiet_to": "soon"}).status_code == 422


def test_a_channel_of_somebody_else_is_not_mine(client, other, box):
    channel = letters_to(other)
    for what in ("test", "remove"):
        assert client.post(f"/notices/channel/{channel.pk}/{what}/").status_code == 404
    assert not box.letters


def test_how_many_games_wait(client, table, user, other):
    assert client.get("/notices/waiting/").json() == {"count": 1, "tables": [table.pk]}
    act(table)
    assert client.get("/notices/waiting/").json()["count"] == 0
    assert Client().get("/notices/waiting/").json()["count"] == 0


def test_feeds_have_a_secret_address_that_may_change(client, table, user):
    page = client.get("/notices/").content.decode()
    paths = re.findall(r'value="https?://[^/"]+(/feed/[^"]+)"', page)
    nobody = Client()
    atom, dates = (nobody.get(p) for p in paths)
    assert f"Waiting for you: 1817 no. {table.pk}" in atom.content.decode()
    assert Calendar.from_ical(dates.content)["PRODID"]
    client.post("/notices/address/")
    assert [nobody.get(p).status_code for p in paths] == [404, 404]


def test_visitors_get_none_of_the_pages(db):
    for path in ("/notices/", "/table/1/notices/"):
        assert Client().get(path).status_code == 302


# what one is asked for beside the game


def test_a_seat_that_is_offered_is_told(table, box, at, user):
    guest = get_user_model().objects.create_user("dora")
    letters_to(guest)
    changing.invite(table.pk, user, 1, "dora")
    deliver(at)
    assert [m["Subject"] for m in box.to("dora@example.org")] == [
        f"You are asked: 1817 no. {table.pk}"
    ]
    changing.invite(table.pk, user, 1, "dora", partner=True)
    found = guest.invitations.get(partner=True)
    changing.decline(table.pk, guest, found.word)
    deliver(at)
    assert len(box.letters) == 1  # there is nothing to answer any more


def test_a_vote_is_told_to_who_has_not_voted(table, box, at, user, other):
    act(table)
    letters_to(other)
    cleo = get_user_model().objects.get(username="cleo")
    letters_to(cleo)
    voting.call_end(table.pk, user)
    voting.cast(table.pk, cleo, Vote.objects.get().pk, False)
    deliver(at)
    texts = [m.get_body(("plain",)).get_content() for m in box.to("ben@example.org")]
    assert any("A vote: end the game here?" in text for text in texts)
    assert not any("A vote" in m.get_content() for m in box.to("cleo@example.org"))


def test_a_request_of_the_clock_is_told_while_it_is_open(table, box, at, user, other):
    letters_to(other)
    Clock.objects.create(table=table, kind=Clock.Kind.TURN, turn=timedelta(days=1))
    at.move(timedelta(hours=11))  # nobody is told at night
    agreeing.propose(table.pk, user, "pause", timedelta())
    agreeing.answer(table.pk, other, Proposal.objects.get().pk, yes=True)
    at.move(timedelta(hours=13))
    deliver(at)
    assert not box.letters
