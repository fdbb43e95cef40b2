"""What-if: branches of games, who sees them, and what becomes of them."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from roundhouse.web import tables
from roundhouse.web.models import Table
from roundhouse.web.study import branching
from roundhouse.web.study.models import Branch

OWN = Path(__file__).parents[1] / "games"


@pytest.fixture
def finished(user):
    """A finished game of our own."""
    path = min((OWN / "1817").glob("*.json"), key=lambda p: p.stat().st_size)
    return tables.import_file(user, path.read_bytes(), "an evening")


@pytest.fixture
def played(user, other):
    """A running game of three people, two of whom have bid."""
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3, seed=1, public=False))
    tables.join(table.pk, other, table.invite)
    table = tables.join(table.pk, account("cleo"), table.invite)
    return bid(bid(table, user), other)


def account(name):
    from django.contrib.auth import get_user_model

    return get_user_model().objects.create_user(name, password="a quiet table")


def visitor(person=None):
    from django.test import Client

    found = Client()
    if person is not None:
        found.force_login(person)
    return found


def bid(table, who):
    choice = next(c for c in tables.open_game(table).game.choices() if c.type == "bid")
    return tables.submit(table.pk, who, choice.action, None)


def grown(table, user, steps=6):
    """A branch played on by taking the first choices there are."""
    for _ in range(steps):
        table.refresh_from_db()
        choice = tables.open_game(table).game.choices()[0]
        tables.submit(table.pk, user, next(choice.actions()), None)
    table.refresh_from_db()
    return table


def test_a_branch_goes_on_from_any_point_and_leaves_the_game_alone(finished, user):
    game = tables.open_game(finished).game
    version = finished.version
    middle = game.history[len(game) // 2].action.id
    branch = grown(branching.begin(finished, user, middle, "another way"), user)
    assert branch.moves.count() >= 6  # only what is its own
    assert branch.version == len(tables.open_game(branch).game.log)
    there = tables.open_game(branch).game
    assert there.at(middle).state == game.at(middle).state
    finished.refresh_from_db()
    assert (finished.version, finished.status) == (version, Table.Status.FINISHED)


def test_a_branch_is_read_again_from_game_point_and_actions(finished, user):
    branch = grown(branching.begin(finished, user, 40), user)
    state = tables.open_game(branch).game.state
    tables.cache.open_games.clear()
    assert tables.open_game(Table.objects.get(pk=branch.pk)).game.state == state
    branch.moves.update(stamp="of another program", state_hash="?", position="")
    branch.snapshots.all().delete()
    tables.cache.open_games.clear()
    assert tables.open_game(Table.objects.get(pk=branch.pk)).game.state == state


def test_what_cannot_be_done_any_more_is_told_and_kept(finished, user):
    branch = grown(branching.begin(finished, user, 40), user)
    rows = list(branch.moves.all())
    spoilt = json.loads(rows[3].action) | {"type": "lay_tile", "hex": "Z99", "tile": "57",
                                           "rotation": 0}  # fmt: skip
    branch.moves.filter(pk=rows[3].pk).update(action=json.dumps(spoilt))
    branch.moves.update(stamp="", state_hash="?", position="")
    branch.snapshots.all().delete()
    tables.cache.open_games.clear()
    branch = Table.objects.get(pk=branch.pk)
    assert len(tables.open_game(branch).game.log) == rows[2].number == branch.version
    kept = Branch.objects.get(table=branch)
    assert kept.aside == [json.loads(json.dumps(spoilt)), *(json.loads(r.action) for r in rows[4:])]
    assert f"action {rows[3].number}" in kept.why
    grown(branch, user, 2)


def test_nothing_before_the_branch_can_be_taken_back(finished, user):
    branch = branching.begin(finished, user, 40)
    with pytest.raises(tables.Forbidden, match="begins here"):
        tables.submit(branch.pk, user, undo(branch), None)
    grown(branch, user, 2)
    tables.submit(branch.pk, user, undo(branch), None)
    with pytest.raises(tables.Forbidden, match="begins here"):
        tables.submit(branch.pk, user, undo(branch) | {"action_id": 3}, None)


def undo(table):
    return {"type": "undo", "entity": table.places.first().key, "entity_type": "player"}


def test_a_branch_of_a_branch_is_one_of_the_same_game(finished, user):
    first = grown(branching.begin(finished, user, 40), user)
    second = grown(branching.begin(first, user, None), user, 2)
    assert second.parent == finished
    assert second.moves.count() == first.moves.count() + 2
    early = branching.begin(first, user, 30)
    here = tables.open_game(early).game
    assert here.state == tables.open_game(finished).game.at(30).state
    branching.delete(first.pk, user)
    assert tables.open_game(Table.objects.get(pk=second.pk)).game.log


def test_taking_back_in_the_game_does_not_move_a_branch(played, user, other):
    branch = branching.begin(played, user, None)
    before = tables.open_game(branch).game.state
    tables.submit(played.pk, other, undo(played) | {"entity": 2}, None)
    tables.cache.open_games.clear()
    assert tables.open_game(Table.objects.get(pk=branch.pk)).game.state == before


# who sees what


def seen_by(path, *people):
    return [visitor(p).get(path).status_code for p in people]


def test_nobody_sees_a_branch_but_who_has_the_link(played, user, other):
    stranger = account("dora")
    branch = grown(branching.begin(played, user, None, "my secret"), user, 1)
    everybody = (user, other, stranger, None)
    parts = (
        "",
        "update/",
        "file/",
        "routes/",
        "card/player:1/",
        "stream/",
        "transcript/",
        "log/99/",
    )
    for part in parts:
        statuses = seen_by(f"/table/{branch.pk}/{part}", other, stranger, None)
        assert statuses == [404, 404, 404], part
    assert visitor(user).get(f"/table/{branch.pk}/").status_code == 200
    for person in (other, stranger, None):
        for page in ("/", f"/table/{played.pk}/?invite={played.invite}", "/api/v1/tables"):
            assert "my secret" not in visitor(person).get(page).content.decode()
    guessed = f"/table/{branch.pk}/?invite={branch.invite}"
    assert seen_by(guessed, *everybody)[0] == 200
    branching.share(branch.pk, user, on=True)
    assert seen_by(guessed, *everybody) == [200, 200, 200, 200]


def test_who_looks_on_by_link_changes_nothing(played, user, other):
    branch = branching.begin(played, user, None)
    branching.share(branch.pk, user, on=True)
    guest = visitor(other)
    address = f"/table/{branch.pk}/"
    page = guest.get(f"{address}?invite={branch.invite}").content.decode()
    assert "branch-mark" in page
    assert 'value="share"' not in page
    action = msgspec.json.encode(tables.open_game(branch).game.choices()[0].action).decode()
    form = {"action": action, "version": branch.version}
    assert guest.post(f"{address}act/", form).status_code == 403
    for do in ("rename", "share", "unshare", "delete"):
        sent = guest.post(f"{address}branch/change/", {"do": do, "name": "mine now"})
        assert sent.status_code == 403
    branching.share(branch.pk, user, on=False)
    assert guest.get(address).status_code == 404
    assert guest.get(f"{address}?invite={branch.invite}").status_code == 404


def test_lists_of_games_show_no_branches_not_even_ones_own(played, user, client):
    branch = branching.begin(played, user, None, "my secret")
    assert "my secret" not in client.get("/").content.decode()
    assert f"/table/{branch.pk}/" in client.get(f"/table/{played.pk}/study/").content.decode()
    assert visitor(account("dora")).get(f"/table/{played.pk}/study/").status_code == 404


def test_a_branch_gives_no_more_help_than_its_game(played, user):
    played.assistance = Table.Assistance.ROUTES
    played.save()
    branch = branching.begin(played, user, None)
    Table.objects.filter(pk=branch.pk).update(status=Table.Status.FINISHED)
    branch.refresh_from_db()
    assert not tables.may(branch, tables.Aid.ADVICE)
    assert visitor(user).post(f"/table/{branch.pk}/review/").status_code == 422


def test_without_help_nobody_plays_on_in_private(played, user):
    played.assistance = Table.Assistance.NONE
    played.save()
    me = visitor(user)
    assert "What if" not in me.get(f"/table/{played.pk}/").content.decode()
    reply = me.post(f"/table/{played.pk}/branch/", headers={"Accept": "application/json"})
    assert (reply.status_code, reply.json()["code"]) == (403, "assistance")
    assert "until the game is over" in reply.json()["message"]


def test_a_branch_is_begun_named_and_thrown_away_on_pages(finished, client, user):
    made = client.post(f"/table/{finished.pk}/branch/", {"at": "40", "name": "a try"})
    page = client.get(made.url).content.decode()
    assert "a try" in page
    pk = Table.objects.get(parent=finished).pk
    client.post(f"/table/{pk}/branch/change/", {"do": "rename", "name": "better"})
    assert "better" in client.get(made.url).content.decode()
    assert client.post(f"/table/{pk}/branch/change/", {"do": "delete"}).status_code == 302
    assert client.get(made.url).status_code == 404
    end = client.post(f"/table/{finished.pk}/branch/", {}, headers={"Accept": "application/json"})
    assert end.json()["code"] == "over"
