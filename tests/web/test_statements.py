"""Statements whose text is written once write what Django's own would."""

from __future__ import annotations

from contextlib import contextmanager

import pytest
from django.db import connection
from django.db.models.signals import post_save, pre_save
from django.test.utils import CaptureQueriesContext

from roundhouse.web import clock, tables
from roundhouse.web.models import Move, Snapshot, Table
from roundhouse.web.promises.models import Due
from roundhouse.web.statements import Insert, Update

MOVES = Insert(Move)
TABLES = Update(Table, "version", "acting", "result", "since")
DUES = Update(Due, "at", by="table")


@contextmanager
def heard(*signals):
    """What signals tell meanwhile."""
    told = []

    def hear(sender, instance, **more):
        told.append((sender, instance, more.get("created"), more["update_fields"]))

    for signal in signals:
        signal.connect(hear)
    yield told
    for signal in signals:
        signal.disconnect(hear)


def move(table, number):
    return Move(table=table, number=number, action='{"type":"pass"}', state_hash="x" * 16)


def test_a_row_is_added_as_django_adds_it(hotseat):
    ours, theirs = move(hotseat, 1), move(hotseat, 2)
    with heard(pre_save, post_save) as told:
        MOVES.save(ours)
    assert told == [(Move, ours, None, None), (Move, ours, True, None)]
    theirs.save()
    assert theirs.pk == ours.pk + 1
    assert not ours._state.adding
    same = [f.attname for f in Move._meta.fields if f.attname not in ("id", "number", "at")]
    [first, second] = Move.objects.order_by("number")
    assert all(getattr(first, name) == getattr(second, name) for name in same)
    assert first.at == ours.at


def test_a_row_that_may_not_be_is_refused_by_the_database(hotseat):
    from django.db import IntegrityError, transaction

    MOVES.save(move(hotseat, 1))
    with pytest.raises(IntegrityError), transaction.atomic():
        MOVES.save(move(hotseat, 1))
    assert Move.objects.count() == 1


def test_only_the_named_fields_of_one_row_are_written(hotseat, user):
    other = tables.create(user, tables.Plan("1839", ["Dora", "Emil"], seed=1, hotseat=True))
    before = Table.objects.get(pk=other.pk)
    hotseat.version, hotseat.acting, hotseat.round = 7, ["Zoë", 3], "not written"
    hotseat.result, hotseat.since = {"3": 120}, clock.now()
    with CaptureQueriesContext(connection) as asked, heard(post_save) as told:
        assert TABLES.save(hotseat)
    assert len(asked) == 1
    assert told == [(Table, hotseat, False, {"version", "acting", "result", "since"})]
    kept = Table.objects.get(pk=hotseat.pk)
    assert (kept.version, kept.acting, kept.result) == (7, ["Zoë", 3], {"3": 120})
    assert kept.since == hotseat.since
    assert kept.round != "not written"
    assert vars(Table.objects.get(pk=other.pk)) | {"_state": None} == vars(before) | {
        "_state": None
    }


def test_a_row_is_found_by_another_field_or_it_is_said_that_there_is_none(hotseat):
    due = Due(table=hotseat, at=clock.now())
    assert not DUES.save(due)
    assert not Due.objects.exists()
    Due.objects.create(table=hotseat, at=clock.now())
    assert DUES.save(due)
    assert Due.objects.get(table=hotseat).at == due.at


def test_fields_with_an_expression_of_their_own_are_refused():
    with pytest.raises(ValueError, match="state: written by an expression"):
        Insert(Snapshot)
