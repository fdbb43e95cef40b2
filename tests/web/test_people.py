"""Names, registration, sending away, standing in, and what the admin can and cannot do."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.core import mail
from django.test import Client, override_settings
from limits import parse

from roundhouse.web import clock, limits, names, tables
from roundhouse.web.models import Account, Barred, Move, Place, Report, Table, Tally
from roundhouse.web.talk.models import Said

WORD = "a long evening, a quiet table"


def sign_up(name, **more):
    form = {"username": name, "password1": WORD, "password2": WORD, "email": "x@example.org"}
    return Client().post("/account/new/", form | more)


@pytest.fixture
def running(user, other):
    cleo = get_user_model().objects.create_user("cleo")
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3, seed=1))
    tables.join(table.pk, other)
    return tables.join(table.pk, cleo)


# names


@pytest.mark.parametrize("name", ["Anna", "ANNA", "аnna", "anna", "аnnа"])
def test_names_that_look_alike_are_taken(user, name):
    assert sign_up(name).status_code == 200
    assert get_user_model().objects.count() == 1


@pytest.mark.parametrize("name", ["bob1", "Анна", "花子", "zoë"])
def test_other_names_of_any_script_are_welcome(user, name):
    assert sign_up(name).status_code == 302


#: Names a person takes one for the other.
ALIKE = [
    ("Paul", "pauI"), ("O0O", "ooo"), ("lima", "1ima"), ("sam5", "sams"), ("marie", "rnarie"),
    ("wanda", "vvanda"), ("paypal", "раураl"), ("Kate", "Κate"), ("peter", "pеter"),
    ("Xavier", "Хavier"), ("Bob", "Ｂｏｂ"), ("zoe\u0308", "zoë"), ("Ida", "Ⅰda"),
    ("straße", "strasse"), ("ﬁona", "fiona"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_skeletons(one, other):
    assert names.skeleton(one) == names.skeleton(other)


def test_skeletons_kept_before_pairs_of_letters_counted_are_made_anew(user):
    first, second = (get_user_model().objects.create_user(n) for n in ("vvanda", "wanda"))
    Account.objects.filter(user=first).update(skeleton="vvanda")
    Account.objects.filter(user=second).update(skeleton="wanda")
    again = import_module("roundhouse.web.migrations.0018_pairs_of_letters")
    again.look_again(apps, None)
    kept = dict(Account.objects.values_list("user__username", "skeleton"))
    assert kept == {"anna": "anna", "vvanda": f"wanda#{first.pk}", "wanda": "wanda"}


def test_invisible_and_mixed_names_are_refused():
    for name in ("an\u200bna", "an\u202ena", " anna", "annя", ""):
        assert names.fault_of(name)
    assert not names.fault_of("Anna Maria")


def test_who_is_called_like_a_bot_may_sit_beside_it(user):
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3, bots=1))
    bot = Place.objects.get(table=table, number=2).name
    twin = get_user_model().objects.create_user(bot)
    tables.join(table.pk, twin)
    assert Place.objects.get(user=twin).name == f"{bot} (3)"


def test_who_gets_up_before_it_begins_stands_in_for_nobody(user, other):
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3))
    for go in (lambda: tables.kick(table.pk, user, 2), lambda: tables.leave(table.pk, other)):
        Barred.objects.all().delete()
        tables.join(table.pk, other)
        tables.appoint(table.pk, user, "ben")
        go()
        assert Place.objects.get(table=table).deputy is None


# registration


def test_registration_may_be_closed_or_by_invitation(db):
    with override_settings(REGISTRATION="closed"):
        assert sign_up("dora").status_code == 422
    with override_settings(REGISTRATION="invitation", INVITATION="open sesame"):
        assert sign_up("dora").status_code == 200
        assert sign_up("dora", word="wrong").status_code == 200
        assert sign_up("dora", word="fälsch").status_code == 200
        assert not get_user_model().objects.exists()
        assert sign_up("dora", word="open sesame").status_code == 302
    with override_settings(REGISTRATION="invitation", INVITATION="Sesam, öffne dich"):
        assert sign_up("emil", word="Sesam, öffne dich").status_code == 302


def test_terms_are_shown_and_agreed_to(db, tmp_path):
    (tmp_path / "terms.md").write_text("# Be kind\n\n<script>no</script>")
    with override_settings(TERMS=str(tmp_path / "terms.md")):
        page = Client().get("/terms/").content.decode()
        assert "<h1>Be kind</h1>" in page
        assert "<script>no" not in page
        assert sign_up("dora").status_code == 200
        assert sign_up("dora", agreed="on").status_code == 302
    assert Client().get("/terms/").status_code == 404


def test_an_address_is_confirmed_before_one_plays(db):
    with override_settings(CONFIRM_EMAIL=True):
        assert sign_up("dora", email="").status_code == 200
        sign_up("dora", email="dora@example.org")
        assert not Client().login(username="dora", password=WORD)
        link = re.search(r"http://testserver(/account/confirm/\S+)", mail.outbox[-1].body)[1]
        assert Client().get("/account/confirm/forged/").status_code == 404
        Client().get(link)
        assert Client().login(username="dora", password=WORD)
        get_user_model().objects.update(is_active=False)  # banned: the letter opens nothing again
        Client().get(link)
        assert not Client().login(username="dora", password=WORD)


@pytest.mark.parametrize("by", ["action", "form"])
def test_who_is_banned_before_confirming_confirms_nothing(db, by):
    with override_settings(CONFIRM_EMAIL=True):
        sign_up("dora", email="dora@example.org")
        link = re.search(r"http://testserver(/account/confirm/\S+)", mail.outbox[-1].body)[1]
        dora, admin = get_user_model().objects.get(), Client()
        admin.force_login(get_user_model().objects.create_superuser("chief", password=WORD))
        if by == "action":
            form = {"action": "ban", "_selected_action": dora.pk}
            assert admin.post("/admin/auth/user/", form).status_code == 302
        else:
            joined = dora.date_joined
            form = {"username": "dora", "date_joined_0": f"{joined:%Y-%m-%d}",
                    "date_joined_1": f"{joined:%H:%M:%S}"}  # fmt: skip
            assert admin.post(f"/admin/auth/user/{dora.pk}/change/", form).status_code == 302
        Client().get(link)
        assert not Client().login(username="dora", password=WORD)


# limits


def test_passwords_are_tried_only_so_often(user):
    answers = [
        Client().post("/account/login/", {"username": "anna", "password": f"guess {n}"})
        for n in range(12)
    ]
    assert [a.status_code for a in answers] == [200] * 10 + [429] * 2
    assert 0 < int(answers[-1]["Retry-After"]) <= 300
    right = Client().post("/account/login/", {"username": "anna", "password": "a quiet table"})
    assert right.status_code == 429


def test_chat_has_a_rate(hotseat, client):
    for _ in range(15):
        said = client.post(f"/table/{hotseat.pk}/say/", {"say": "hello"})
        assert said.status_code == 302
    words = {"type": "message", "entity": 1, "entity_type": "player", "message": "again"}
    for what, form in (
        ("say", {"say": "again"}),
        ("act", {"action": json.dumps(words), "version": 0}),
    ):
        headers = {"accept": "application/json"}
        said = client.post(f"/table/{hotseat.pk}/{what}/", form, headers=headers)
        assert said.status_code == 429
    assert Said.objects.count() == 15


def test_acts_have_a_rate_too(hotseat, client, monkeypatch):
    """Who plays alone needs nobody's leave, but is not to keep a server busy by a script."""
    monkeypatch.setitem(limits.RATES, "act", parse("2/minute"))
    answers = [client.post(f"/table/{hotseat.pk}/act/", {"version": "x"}) for _ in range(3)]
    assert [a.status_code for a in answers] == [422, 422, 429]
    assert 0 < int(answers[-1]["Retry-After"]) <= 60


def test_limits_count_for_each_visitor(db):
    for _ in range(10):
        limits.count("report", "user 1")
    with pytest.raises(limits.TooMany):
        limits.count("report", "user 1")
    limits.count("report", "user 2")


def test_no_other_door_takes_more_guesses(user, client):
    guesses = [
        Client().post("/admin/login/", {"username": "anna", "password": f"guess {n}"}).status_code
        for n in range(11)
    ]
    assert guesses == [200] * 10 + [429]
    form = {"old_password": "guess", "new_password1": WORD, "new_password2": WORD}
    old = [client.post("/account/password_change/", form).status_code for _ in range(11)]
    assert old == [200] * 10 + [429]


def test_no_name_keeps_a_page_busy(db, monkeypatch):
    asked = []
    monkeypatch.setattr(limits, "skeleton", lambda name: asked.append(name) or name)
    Client().post("/account/login/", {"username": "é" * 100_000, "password": "a guess"})
    assert [len(name) for name in asked] == [150]


def test_one_line_has_many_addresses_and_one_count(db):
    def login(name, address):
        form = {"username": name, "password": "a guess"}
        return Client().post("/account/login/", form, REMOTE_ADDR=address).status_code

    for n in range(20):
        assert login(f"somebody{n}", f"2001:db8::{n}") == 200
    assert login("another", "2001:db8::ffff:1") == 429
    assert login("another", "2001:db8:0:1::1") == 200
    assert login("another", "::ffff:192.0.2.1") == 200


def test_what_writes_to_others_or_fills_the_house_has_a_rate(user, other, client):
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3))
    tables.join(table.pk, other)
    asks = [client.post(f"/table/{table.pk}/ready/", {"do": "ask"}).status_code for _ in range(31)]
    assert asks == [302] * 30 + [429]
    made = [client.post("/new/1817/", {"seats": 3}).status_code for _ in range(61)]
    assert made == [302] * 60 + [429]
    for address in ("/learn/1817/", "/groups/", "/tournaments/"):
        assert client.post(address, {"name": "x"}).status_code == 429


def test_counts_that_are_over_are_cleared_away(db):
    limits.count("report", "user 1")
    assert Tally.objects.count() == 1
    limits.clear_counts()
    assert Tally.objects.count() == 1
    with clock.using(clock.Set(clock.now() + timedelta(hours=2))):
        limits.clear_counts()
    assert not Tally.objects.exists()


def test_counts_in_memory_begin_anew_in_time_and_are_cleared_away_when_many(monkeypatch):
    time = [1000.0]
    monkeypatch.setattr(clock, "machine", lambda: time[0])
    monkeypatch.setattr(limits.Counts, "MANY", 3)
    counts = limits.Counts()
    assert [counts.incr("ada", 60), counts.incr("ada", 60), counts.incr("ben", 30)] == [1, 2, 1]
    assert (counts.get("ada"), counts.get_expiry("ada"), counts.get("cleo")) == (2, 1060.0, 0)
    time[0] = 1040.0
    assert (counts.get("ada"), counts.get("ben"), counts.incr("ben", 30)) == (2, 0, 1)
    time[0] = 1065.0
    assert counts.incr("ada", 60) == 1
    for name in ("cleo", "dora"):
        counts.incr(name, 60)
    assert len(counts) == 4
    time[0] = 1071.0  # what ben did is over
    counts.incr("eve", 60)
    counts.incr("finn", 60)
    for n in range(8):
        counts.incr(f"somebody {n}", 60)
    assert counts.get("ben") == 0
    assert len(counts) == 13
    assert counts.get("ada") == 1
    counts.clear("ada")
    assert counts.get("ada") == 0
    assert counts.reset() == 12
    assert len(counts) == 0


# people


def test_who_is_sent_away_does_not_come_back(user, other, client):
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3))
    tables.join(table.pk, other)
    with pytest.raises(tables.Forbidden):
        tables.kick(table.pk, other, 1)
    client.post(f"/table/{table.pk}/people/kick/", {"place": 2})
    assert table.places.count() == 1
    with pytest.raises(tables.Forbidden):
        tables.join(table.pk, other)


def test_who_is_blocked_cannot_sit_down_beside_one(user, other, client):
    first = tables.create(user, tables.Plan("1817", ["anna"], seats=4))
    tables.join(first.pk, other)
    client.post(f"/table/{first.pk}/people/block/", {"place": 2})
    second = tables.create(user, tables.Plan("1817", ["anna"], seats=3))
    with pytest.raises(tables.Forbidden):
        tables.join(second.pk, other)
    client.post(f"/table/{first.pk}/people/block/", {"place": 2, "undo": 1})
    tables.join(second.pk, other)


def test_a_report_reaches_the_host(running, client):
    page = client.get(f"/table/{running.pk}/people/")
    assert page.status_code == 200
    client.post(f"/table/{running.pk}/people/report/", {"about": "ben", "text": "was rude"})
    assert (Report.objects.get().about, Report.objects.get().text) == ("ben", "was rude")
    admin = Client()
    admin.force_login(get_user_model().objects.create_superuser("chief", password=WORD))
    assert "ben" in admin.get("/admin/web/report/").content.decode()


def test_a_deputy_acts_by_leave_only_and_it_is_in_the_record(running, user, other, client):
    bid = next(c.action for c in tables.open_game(running).game.choices() if c.type == "bid")
    with pytest.raises(tables.Forbidden):
        tables.submit(running.pk, other, bid, 0)
    with pytest.raises(tables.Refused):
        tables.appoint(running.pk, user, "nobody here")
    client.post(f"/table/{running.pk}/people/deputy/", {"deputy": "ben"})
    assert tables.submit(running.pk, other, bid, 0).version == 1
    move = Move.objects.get()
    assert (move.user, move.stead) == (other, "anna")
    assert "ben for anna" in client.get(f"/table/{running.pk}/people/").content.decode()
    client.post(f"/table/{running.pk}/people/deputy/", {"deputy": ""})
    undo = {"type": "undo", "entity": 1, "entity_type": "player"}
    with pytest.raises(tables.Forbidden):
        tables.submit(running.pk, other, undo, 1)
    assert Place.objects.get(table=running, number=1).deputy is None


def test_a_deleted_account_takes_only_its_own_empty_tables(user, other):
    mine = tables.create(user, tables.Plan("1817", ["anna"], seats=3))
    shared = tables.create(user, tables.Plan("1817", ["anna"], seats=3))
    tables.join(shared.pk, other)
    user.delete()
    assert not Table.objects.filter(pk=mine.pk).exists()
    assert [p.user for p in Table.objects.get(pk=shared.pk).places.all()] == [other]


# the admin


def test_the_admin_cannot_change_a_game(running, user):
    admin = Client()
    admin.force_login(get_user_model().objects.create_superuser("chief", password=WORD))
    before = Table.objects.filter(pk=running.pk).values().get()
    form = {"description": "renamed", "version": 99, "seed": 5, "title": "1828", "options": "[1]",
            "places-TOTAL_FORMS": "1", "places-INITIAL_FORMS": "1", "places-0-name": "x",
            "places-0-id": running.places.first().pk, "places-0-DELETE": "on"}  # fmt: skip
    admin.post(f"/admin/web/table/{running.pk}/change/", form)
    after = Table.objects.filter(pk=running.pk).values().get()
    assert after == before | {"description": "renamed", "public": False}
    assert running.places.count() == 3
    assert admin.get("/admin/web/table/add/").status_code == 403


def test_a_ban_holds_at_once(user, client):
    admin = Client()
    admin.force_login(get_user_model().objects.create_superuser("chief", password=WORD))
    assert client.get("/import/").status_code == 200
    form = {"action": "ban", "_selected_action": user.pk}
    admin.post("/admin/auth/user/", form)
    assert client.get("/import/").status_code == 302
    admin.post("/admin/auth/user/", form | {"action": "pardon"})
    assert client.get("/import/").status_code == 200


def test_every_user_has_an_account(user):
    assert Account.objects.get(user=user).skeleton == names.skeleton("anna")
    double = get_user_model().objects.create_user("ANNA")  # by the host, not by signing up
    assert double.account.skeleton.endswith(f"#{double.pk}")
