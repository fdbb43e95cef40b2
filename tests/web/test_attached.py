"""What hangs on a table is read once, and is read anew as soon as it changes."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from roundhouse.web import attached, tables
from roundhouse.web.live import announce
from roundhouse.web.models import Table

#: The table, who looks, and his promises: what is read for every viewer.
_OWN = 4


@pytest.fixture
def looking(hotseat, other):
    """The browser of somebody who looks on and has looked before."""
    Table.objects.update(public=True)
    browser = Client()
    browser.force_login(other)
    browser.get(f"/table/{hotseat.pk}/")
    return browser


@pytest.mark.usefixtures("trusting")
def test_a_second_update_reads_no_more_than_what_is_the_viewers(hotseat, user, client, looking):
    bid = next(c.action for c in tables.open_game(hotseat).game.choices() if c.type == "bid")
    tables.submit(hotseat.pk, user, bid, 0)
    shown = {"X-Panels": "bar:,now:,log:,history:,map:"}
    assert client.get(f"/table/{hotseat.pk}/update/", headers=shown).status_code == 200
    with CaptureQueriesContext(connection) as asked:
        assert looking.get(f"/table/{hotseat.pk}/update/", headers=shown).status_code == 200
    assert len(asked) <= _OWN, [q["sql"] for q in asked]


@pytest.mark.usefixtures("trusting")
def test_rows_are_good_until_something_about_the_table_is_told(hotseat):
    attached.attach(hotseat)
    first = hotseat.places.all()
    attached.attach(again := Table.objects.get(pk=hotseat.pk))
    assert again.places.all() is first
    announce(again, nudge=True)
    attached.attach(again)
    assert again.places.all() is not first
    assert list(again.places.all()) == list(first)
