"""A table is told that somebody has won."""

from __future__ import annotations

import pytest

from roundhouse.clinch import Bounds, Clinch
from roundhouse.web import tables
from roundhouse.web.advice import proving
from roundhouse.web.advice.models import Proof
from roundhouse.web.models import Table


@pytest.fixture
def decided(monkeypatch):
    """Games are decided from the start."""
    bounds = (Bounds("player:1", 300, 900), Bounds("player:2", 10, 200))
    proof = Clinch("player:1", 2, bounds, {"player:2": 100}, {"PRR": 40})
    monkeypatch.setattr(proving, "clinched", lambda game: proof)


def test_a_table_is_told_who_has_won_and_why(hotseat, client, decided):
    proving.prove(hotseat.pk)
    page = client.get(f"/table/{hotseat.pk}/").content.decode()
    assert "Ada has won: nobody can pass Ada any more." in page
    assert "Ben ends with $200 at most, and $100 behind Ada at least." in page
    assert "at most: PRR $40" in page


def test_what_is_taken_back_takes_the_proof_with_it(hotseat, user, decided):
    bid = next(c.action for c in tables.open_game(hotseat).game.choices() if c.type == "bid")
    table = tables.submit(hotseat.pk, user, bid, 0)
    proving.prove(table.pk)
    assert Proof.objects.filter(table=table).exists()
    undo = {"type": "undo", "entity": 1, "entity_type": "player"}
    tables.submit(table.pk, user, undo, None)
    assert not Proof.objects.exists()


def test_where_no_help_is_given_nothing_is_told(hotseat, decided):
    proving.prove(hotseat.pk)
    Table.objects.update(assistance=Table.Assistance.NONE)
    hotseat.refresh_from_db()
    assert proving.proof_of(hotseat) is None
