"""Threads that write to SQLite queue up, and nobody is left waiting for a turn that was lost."""

from __future__ import annotations

import threading

import pytest
from django.db import connection, transaction

from roundhouse.web.models import Table
from roundhouse.web.sqlite3 import base


@pytest.fixture(autouse=True)
def on_sqlite(db):
    if db.vendor != "sqlite":
        pytest.skip("not on SQLite")


def in_a_thread(work):
    def run():
        try:
            work()
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def test_one_writes_at_a_time_and_the_next_goes_on_at_once(hotseat):
    done = []

    def write():
        with transaction.atomic():
            done.append("second")

    with transaction.atomic():
        Table.objects.filter(pk=hotseat.pk).update(round="SR 1")
        other = in_a_thread(write)
        other.join(0.2)
        assert other.is_alive()
        done.append("first")
    other.join(20)
    assert done == ["first", "second"]


def test_a_turn_ends_however_a_transaction_ends(hotseat):
    def fail():
        try:
            with transaction.atomic():
                with transaction.atomic():
                    Table.objects.filter(pk=hotseat.pk).update(round="SR 1")
                raise ZeroDivisionError
        except ZeroDivisionError:
            pass

    def break_off():
        with transaction.atomic():
            connection.close()

    for work in (fail, break_off):
        in_a_thread(work).join(20)
        assert not base._turn.locked()
    with transaction.atomic():
        assert base._turn.locked()
    assert not base._turn.locked()
