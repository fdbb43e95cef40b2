"""What hangs on a table is read once, and is read anew as soon as it changes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from roundhouse.web import archive, attached, tables
from roundhouse.web.clocks.models import Clock
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


def _asked(work) -> list[str]:
    """The statements of some work."""
    with CaptureQueriesContext(connection) as asked:
        work()
    return [q["sql"] for q in asked]


def _reads(statements: list[str], rows: str) -> int:
    return sum(f'FROM "{rows}"' in sql for sql in statements)


@pytest.mark.usefixtures("trusting")
def test_an_action_reads_its_table_once_and_nothing_that_is_known_not_to_be_there(hotseat, client):
    client.get(f"/table/{hotseat.pk}/")
    bid = next(c.action for c in tables.open_game(hotseat).game.choices() if c.type == "bid")
    form = {"action": archive.write_action(bid), "version": 0}
    page = {"HX-Request": "true", "X-Panels": "bar:,log:"}
    done = _asked(lambda: client.post(f"/table/{hotseat.pk}/act/", form, headers=page))
    assert Table.objects.get(pk=hotseat.pk).version == 1
    assert _reads(done, "web_table") == 1
    assert not _reads(done, "deals_deal") + _reads(done, "clocks_clock")


def test_only_what_is_known_not_to_be_there_is_put_at_a_locked_table(hotseat):
    attached.attach(Table.objects.get(pk=hotseat.pk))
    attached.attach_absent(found := Table.objects.get(pk=hotseat.pk))
    assert vars(found)["standing"] == []
    assert attached.absent(found, "clock")
    assert not attached.absent(Table.objects.get(pk=hotseat.pk), "clock")
    Clock.objects.create(table=found, turn=timedelta(days=1))
    announce(found, nudge=True)
    attached.attach_absent(found := Table.objects.get(pk=hotseat.pk))
    assert "standing" not in vars(found)
    attached.attach(Table.objects.get(pk=hotseat.pk))
    attached.attach_absent(found := Table.objects.get(pk=hotseat.pk))
    assert "standing" in vars(found)
    assert not attached.absent(found, "clock")
