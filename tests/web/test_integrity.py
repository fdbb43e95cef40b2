"""The log is the truth: whatever is kept beside it may be damaged, lost, or written by a program
that named things differently, and the game is the same."""

from __future__ import annotations

import json
import zlib
from pathlib import Path

import msgspec
import pytest

from roundhouse.undo import counting
from roundhouse.web import archive, tables
from roundhouse.web.models import Move, Snapshot, Table

OWN = Path(__file__).parents[1] / "games"


@pytest.fixture(params=["1817/base", "1828/base", "1839/bankrupt", "1873/base", "18Ireland/base"])
def played(request, user):
    """A stored game of 130 actions, and its states."""
    data = json.loads((OWN / f"{request.param}.json").read_text())
    raw = json.dumps(data | {"actions": data["actions"][:130], "status": "active"}).encode()
    table = tables.import_file(user, raw)
    table.fault = ""
    table.save()
    return table


@pytest.fixture
def small(user):
    data = json.loads((OWN / "1817/base.json").read_text())
    return tables.import_file(user, json.dumps(data | {"actions": data["actions"][:60]}).encode())


def states(table):
    tables.open_games.clear()
    return [e.state for e in tables.open_game(Table.objects.get(pk=table.pk)).game.log]


def kept(table):
    rows = Move.objects.filter(table=table).values_list("events", "state_hash", "position")
    return list(rows), dict(table.snapshots.values_list("number", "state"))


DAMAGES = {
    "events of another program": lambda: Move.objects.update(events='[["Vanished", 1]]'),
    "events cut off": lambda: Move.objects.update(events="[{"),
    "snapshots of another program": lambda: Snapshot.objects.update(state=b"what is this"),
    "snapshots gone": lambda: Snapshot.objects.all().delete(),
    "snapshots of another state": lambda: Snapshot.objects.update(
        state=Snapshot.objects.order_by("number").first().state
    ),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_what_is_damaged_is_made_anew_from_the_actions(played, damage):
    before = states(played)
    damage()
    assert states(played) == before


def test_it_is_written_down_anew_and_read_from_there(played):
    before, wrote = states(played), kept(played)
    Move.objects.update(events="[{", state_hash="", stamp="older")
    Snapshot.objects.all().delete()
    assert states(played) == before
    assert kept(played)[0] == wrote[0]
    assert list(kept(played)[1]) == list(wrote[1])


def rename(rules, old, new):
    """The type of a title's states with a field renamed, as a later release may have it."""
    kind = rules.state_type
    fields = []
    for field in msgspec.structs.fields(kind):
        default = () if field.required else (msgspec.field(default=None),)
        fields.append((new if field.name == old else field.name, field.type, *default))
    return msgspec.defstruct(kind.__name__, fields, kw_only=True)


def test_a_renamed_field_does_not_take_a_table_offline(small, monkeypatch):
    """What a stored game is when the records of a release call a field differently: the stamp of
    its rows is another one, its snapshots cannot be read, its hashes are those of other bytes."""
    before = states(small)
    game = tables.open_game(small).game
    renamed = rename(game.rules, "bank", "treasury")
    assert archive._stamp(renamed) != archive.stamp(game.rules)
    Move.objects.update(stamp=archive._stamp(renamed), state_hash="f" * 16)
    other = msgspec.msgpack.encode({"treasury": 5})
    Snapshot.objects.update(state=zlib.compress(other), stamp=archive._stamp(renamed))
    assert states(small) == before
    found = tables.verdict(small)
    assert (found.held, found.pinned, found.actions) == (None, None, 60)


def test_a_stored_state_that_is_not_its_own_is_never_shown(small):
    """The last row says another state than its snapshot holds: the actions decide; where they lead
    elsewhere than was written, the game is held, with a sentence, and nothing is overwritten."""
    last = Move.objects.filter(table=small).last()
    Move.objects.filter(pk=last.pk).update(state_hash="0" * 16, position="1:" + "0" * 16)
    tables.open_games.clear()
    with pytest.raises(tables.Held) as caught:
        tables.open_game(small)
    assert caught.value.number == last.number
    assert tables.verdict(small).held is not None
    assert Move.objects.get(pk=last.pk).state_hash == "0" * 16


def test_a_held_game_says_so_and_is_mended_by_choice(small, user, client):
    last = Move.objects.filter(table=small).last()
    Move.objects.filter(pk=last.pk).update(state_hash="0" * 16, position="1:" + "0" * 16)
    tables.open_games.clear()
    answer = client.get(f"/table/{small.pk}/")
    assert answer.status_code == 503
    assert "This game is held" in answer.content.decode()
    assert client.get("/").status_code == 200
    tables.mend(small.pk)
    assert client.get(f"/table/{small.pk}/").status_code == 200
    assert tables.verdict(small).held is None


def test_an_action_that_is_not_legal_any_more_is_told_by_number(small):
    row = Move.objects.filter(table=small).get(number=17)
    raw = json.loads(row.action) | {"price": 3, "type": "bid", "company": "nothing"}
    Move.objects.filter(pk=row.pk).update(action=json.dumps(raw))
    verdict = tables.verdict(small)
    assert verdict.held.number == 17
    with pytest.raises(tables.Held):
        tables.mend(small.pk)


def test_a_game_of_another_revision_is_played_under_its_own(small, user, monkeypatch):
    """A game whose later actions a newer revision would refuse is pinned, and goes on."""
    from roundhouse.titles.title import Title
    from roundhouse.web.tables import verifying

    monkeypatch.setattr(Title, "latest", 99)
    real = verifying.replayed

    def newer(table, rows, revision=None, **more):
        if revision == 99:
            raise tables.Held(23, "bid: not any more")
        return real(table, rows, revision, **more)

    monkeypatch.setattr(verifying, "replayed", newer)
    found = tables.verdict(small)
    assert found.held is None
    assert found.pinned.number == 23
    assert states(small)


def test_every_stored_game_has_a_verdict(small, hotseat, user):
    assert [v.table.pk for v in tables.verify()] == sorted((small.pk, hotseat.pk))


def test_new_rows_are_stamped(hotseat, user):
    game = tables.open_game(hotseat).game
    tables.submit(hotseat.pk, user, next(c.action for c in game.choices() if c.type == "bid"), 0)
    row = Move.objects.get()
    game = tables.open_game(Table.objects.get()).game
    assert row.stamp == archive.stamp(game.rules)
    assert row.position == archive.hash_position(game.rules, game.state)


def test_actions_taken_back_are_made_anew_too(played):
    """Undo and redo in the log: rebuilding follows the same line."""
    rows = [archive.read_action(m.action) for m in Move.objects.filter(table=played)]
    before = tables.open_game(played).game
    Move.objects.update(stamp="", position="", state_hash="", events="[{")
    tables.open_games.clear()
    after = tables.open_game(Table.objects.get()).game
    assert [e.action.id for e in after.history] == [e.action.id for e in before.history]
    assert len(counting(rows)) == len(after)
