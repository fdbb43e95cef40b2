"""Accounts: signing up, forgotten passwords, the admin, going away for ever."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth import get_user_model
from django.core import mail
from django.test import Client, override_settings

from roundhouse.web import archive, tables
from roundhouse.web.models import Move, Place, Table

WORD = "a long evening, a quiet table"


def test_a_forgotten_password_is_set_anew_by_a_link_that_works_once(user):
    user.email = "anna@example.org"
    user.save()
    browser = Client()
    page = browser.post("/account/password_reset/", {"email": user.email})
    assert page.status_code == 302
    letter = mail.outbox[-1]
    link = re.search(r"http://testserver(/account/reset/\S+)", letter.body)[1]
    form = browser.get(link, follow=True)
    done = browser.post(
        form.redirect_chain[-1][0], {"new_password1": WORD, "new_password2": WORD}, follow=True
    )
    assert done.status_code == 200
    assert Client().login(username="anna", password=WORD)
    again = Client().get(link, follow=True).content.decode()
    assert "new_password1" not in again


def test_links_in_letters_lead_to_the_site_whatever_name_was_asked(user):
    user.email = "anna@example.org"
    user.save()
    sent = Client(headers={"host": "localhost"}).post(
        "/account/password_reset/", {"email": user.email}
    )
    assert sent.status_code == 302
    assert "http://testserver/account/reset/" in mail.outbox[-1].body
    assert "localhost" not in mail.outbox[-1].body


def test_pages_about_passwords_are_ours(client):
    """Those of the administration have the same names."""
    for path in ("password_reset/", "password_reset/done/", "password_change/"):
        page = client.get(f"/account/{path}").content.decode()
        assert "Django" not in page
        assert "Roundhouse" in page


def test_nothing_leads_to_new_accounts_where_there_are_none(db):
    assert "/account/new/" in Client().get("/account/login/").content.decode()
    with override_settings(LOCAL=True):
        assert Client().get("/account/new/").status_code == 404
        assert "/account/new/" not in Client().get("/account/login/").content.decode()


def test_an_unknown_address_is_answered_alike_and_gets_no_letter(db):
    answer = Client().post("/account/password_reset/", {"email": "nobody@example.org"})
    assert answer.status_code == 302
    assert not any("nobody@example.org" in letter.to for letter in mail.outbox)


@pytest.mark.parametrize("word", ["short", "password", "12345678901", "annabella"])
def test_weak_passwords_are_refused(db, word):
    form = {"username": "annabella", "password1": word, "password2": word}
    answer = Client().post("/account/new/", form)
    assert answer.status_code == 200
    assert not get_user_model().objects.exists()


def test_signing_up_leads_on_only_within_the_site(db):
    form = {"username": "dora", "password1": WORD, "password2": WORD}
    answer = Client().post("/account/new/?next=https://elsewhere.example/", form)
    assert answer.url == "/"
    form["username"] = "emil"
    assert Client().post("/account/new/?next=/import/", form).url == "/import/"


def test_a_deleted_account_leaves_its_games_under_a_neutral_name(client, user, other):
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3, seed=1, bots=1))
    tables.join(table.pk, other)
    bid = next(c.action for c in tables.open_game(table).game.choices() if c.type == "bid")
    tables.submit(table.pk, user, bid, 0)
    assert client.get("/account/delete/").status_code == 200
    client.post("/account/delete/")
    assert not get_user_model().objects.filter(username="anna").exists()
    table.refresh_from_db()
    assert table.creator is None
    assert Place.objects.get(table=table, number=1).name == "Former player 1"
    assert Move.objects.get(number=1).user is None
    tables.open_games.clear()
    reader = Client()
    reader.force_login(other)
    page = reader.get(f"/table/{table.pk}/").content.decode()
    assert "Former player 1" in page
    assert ">anna<" not in page


def test_every_process_forgets_the_name_of_a_deleted_account(user, other):
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3, seed=1, bots=1))
    tables.join(table.pk, other)
    game = tables.open_game(Table.objects.get()).game
    bid = next(c.action for c in game.choices() if c.type == "bid")
    table = tables.submit(table.pk, user, bid, 0)
    stale = tables.open_game(table)
    kept = table.snapshots.create(
        number=1, state=archive.pack_state(stale.game.state), stamp=archive.stamp(game.rules)
    )
    table.moves.update(stead="anna")
    user.delete()
    tables.open_games.clear()
    tables.open_games.put(table.pk, stale)  # what another process still holds
    names = [p.name for p in tables.open_game(Table.objects.get()).game.state.players.values()]
    assert names[0] == "Former player 1"
    kept.refresh_from_db()
    state = archive.unpack_state(game.rules, bytes(kept.state))
    assert state.players["player:1"].name == "Former player 1"
    assert Move.objects.get().stead == "Former player 1"


def test_no_name_of_a_seat_keeps_an_account_from_going(user):
    names = ["Former player 2", "Former player 1", "Former player 3"]
    table = tables.create(user, tables.Plan("1817", names, seed=1, hotseat=True))
    table.snapshots.create(
        number=1, state=b"damaged", stamp=archive.stamp(tables.fresh(table).rules)
    )
    user.delete()
    assert len({p.name for p in table.places.all()}) == 3
    assert not table.snapshots.exists()


def test_the_admin_shows_tables_and_never_changes_a_log(hotseat, user):
    bid = next(c.action for c in tables.open_game(hotseat).game.choices() if c.type == "bid")
    tables.submit(hotseat.pk, user, bid, 0)
    chief = get_user_model().objects.create_superuser("chief", password=WORD)
    admin = Client()
    admin.force_login(chief)
    assert admin.get("/admin/").status_code == 200
    assert "1817" in admin.get("/admin/web/table/").content.decode()
    assert admin.get(f"/admin/web/table/{hotseat.pk}/change/").status_code == 200
    move = Move.objects.get()
    assert admin.get(f"/admin/web/move/{move.pk}/change/").status_code == 200
    assert admin.post(f"/admin/web/move/{move.pk}/change/", {"action": "{}"}).status_code == 403
    assert admin.post(f"/admin/web/move/{move.pk}/delete/", {"post": "yes"}).status_code == 403
    assert admin.get("/admin/web/move/add/").status_code == 403


def test_the_admin_may_remove_a_whole_table(hotseat, user):
    bid = next(c.action for c in tables.open_game(hotseat).game.choices() if c.type == "bid")
    tables.submit(hotseat.pk, user, bid, 0)
    admin = Client()
    admin.force_login(get_user_model().objects.create_superuser("chief", password=WORD))
    admin.post(f"/admin/web/table/{hotseat.pk}/delete/", {"post": "yes"})
    assert not Table.objects.exists()


def test_the_admin_is_closed_to_players(client):
    assert client.get("/admin/").status_code == 302
