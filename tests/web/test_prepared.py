"""Queries whose text is written once find what Django's own find."""

from __future__ import annotations

import threading

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import get_script_prefix, reverse, set_script_prefix

from roundhouse.web import tables
from roundhouse.web.models import Place, Table
from roundhouse.web.prepared import Prepared, put
from roundhouse.web.templatetags.roundhouse_tags import address_of
from roundhouse.web.visitors import SessionStore

TABLE = Prepared(lambda pk: Table.objects.filter(pk=pk), int)
SEAT = Prepared(
    lambda table, name: Place.objects.filter(table=table, name=name).select_related("user"),
    int,
    str,
)
NAMES = Prepared(lambda table: Place.objects.filter(table=table).values_list("name", "number"), int)


def test_rows_are_those_of_the_query_itself(hotseat, user):
    other = tables.create(user, tables.Plan("1839", ["Dora", "Emil"], seed=1, hotseat=True))
    for table in (hotseat, other):
        found, true = TABLE.first(table.pk), Table.objects.get(pk=table.pk)
        names = {f.attname for f in Table._meta.concrete_fields}
        assert vars(found).keys() == vars(true).keys() >= names
        assert all(getattr(found, name) == getattr(true, name) for name in names)
    assert NAMES.all(other.pk) == [("Dora", 1), ("Emil", 2)]
    with CaptureQueriesContext(connection) as asked:
        [seat] = SEAT.all(hotseat.pk, "Ben")
        assert seat.number == 2
        assert seat.user is None or seat.user.get_username()
    assert len(asked) == 1
    assert SEAT.all(other.pk, "Ben") == []


@pytest.mark.parametrize("number", [0, -1, 2**31, 2**63 - 1, 2**63, -(2**70), 10**30])
def test_numbers_no_row_has_find_none(number, client):
    assert TABLE.first(number) is None
    assert client.get(f"/table/{abs(number)}/").status_code == 404


def test_a_value_must_have_a_place(hotseat):
    careless = Prepared(lambda pk: Table.objects.filter(pk=1), int)
    with pytest.raises(ValueError, match="no place"):
        careless.all(1)


def test_what_was_read_of_a_relation_is_not_read_again(hotseat):
    put(hotseat, "places", list(Place.objects.filter(table=hotseat)))
    with CaptureQueriesContext(connection) as asked:
        assert [p.name for p in hotseat.places.all()] == ["Ada", "Ben", "Cleo"]
        assert all(p.table is hotseat for p in hotseat.places.all())
    assert not len(asked)


def test_each_thread_asks_on_its_own_connection(hotseat):
    assert TABLE.first(hotseat.pk) == hotseat
    Table.objects.filter(pk=hotseat.pk).update(round="SR 7")
    found = []

    def look():
        found.append(TABLE.first(hotseat.pk).round)
        connection.close()

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert found == ["SR 7"]


def test_who_is_signed_in_is_asked_every_time(client, user):
    def seen() -> int:
        return client.get("/account/days/").status_code

    assert seen() == 200
    people = get_user_model().objects.filter(pk=user.pk)
    people.update(is_active=False)
    assert seen() == 302
    people.update(is_active=True)
    assert seen() == 200
    user.set_password("another one, quite long")
    user.save()
    assert seen() == 302


def test_what_a_session_holds_is_read_anew_by_who_changes_it(client):
    """Texts that are known are not checked again, but nobody shares what was read of them."""
    key = client.cookies["sessionid"].value
    SessionStore(key)["seen"] = 1  # changed, and not saved
    assert "seen" not in SessionStore(key).load()
    store = SessionStore(key)
    store["seen"] = {"tables": [1]}
    store.save()
    SessionStore(key)["seen"]["tables"].append(2)
    assert SessionStore(key)["seen"] == {"tables": [1]}


def test_a_session_somebody_has_written_himself_holds_nothing(client):
    row = SessionStore.get_model_class().objects.get()
    known = SessionStore().decode(row.session_data)
    assert known
    forged = row.session_data[:-1] + ("a" if row.session_data[-1] != "a" else "b")
    assert SessionStore().decode(forged) == {}
    with override_settings(SECRET_KEY="another"):
        assert SessionStore().decode(row.session_data) == {}


@pytest.mark.parametrize("prefix", ["/", "/below/"])
def test_addresses_of_numbers_are_djangos(prefix):
    before = get_script_prefix()
    set_script_prefix(prefix)
    try:
        for name, given in (("table", (7,)), ("earlier", (0, 10**9)), ("lobby", ())):
            assert address_of(prefix, name, given) == reverse(name, args=given)
        assert address_of(prefix, "hex", (7, "B14")) == reverse("hex", args=(7, "B14"))
    finally:
        set_script_prefix(before)
