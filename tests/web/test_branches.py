"""What-if: branches of games, who sees them, and what becomes of them."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from roundhouse.web import tables
from roundhouse.web.models import Move, Table
from roundhouse.web.seats import changing
from roundhouse.web.study import branching, cloning, comparing, handing, rows
from roundhouse.web.study.models import Branch
from roundhouse.web.tables.opponents import kinds
from roundhouse.web.talk.models import Room, Said

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


def test_who_has_only_the_link_sees_nothing_of_where_the_game_is_now(played, user):
    branch = branching.begin(played, user, None)
    branching.share(branch.pk, user, on=True)
    guest, address = visitor(account("dora")), f"/table/{branch.pk}/"
    assert guest.get(f"{address}?invite={branch.invite}").status_code == 200
    assert guest.get(f"{address}branch/compare/").status_code == 404
    assert guest.get(f"{address}branch/hand/").status_code == 404
    assert visitor(user).get(f"{address}branch/compare/").status_code == 200


def test_branches_go_with_the_account_and_are_verified_until_then(played, user, other):
    branch = grown(branching.begin(played, other, None), other, 2)
    kept = branching.begin(played, user, None)
    assert [v.held for v in tables.verify()] == [None, None, None]
    other.delete()
    assert not Table.objects.filter(pk=branch.pk).exists()
    assert Table.objects.filter(pk=kept.pk).exists()


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


# compared, handed over, made a game of its own


def played_as(branch, game, user, count):
    """The branch goes the way the game went for so many actions."""
    here = len(tables.open_game(branch).game.log)
    for entry in game.history[here : here + count]:
        tables.submit(branch.pk, user, rows.bare(entry.action), None, agreed=True)
    branch.refresh_from_db()
    return branch


def test_a_branch_that_goes_as_the_game_did_compares_alike(finished, user, client):
    game = tables.open_game(finished).game
    branch = played_as(branching.begin(finished, user, 150), game, user, 60)
    last = tables.open_game(branch).game.history[-1].action.id
    found = comparing.compare(game, tables.open_game(branch).game, 150, last)
    pairs = [p for line in (*found.players, *found.companies, *found.runs) for p in line.pairs]
    assert pairs
    assert all(p.game == p.branch for p in pairs)
    other = grown(branching.begin(finished, user, 150), user, 60)
    found = comparing.compare(game, tables.open_game(other).game, 150, None)
    worths = {p.name: (p.pairs[0].game, p.pairs[0].branch) for p in found.players}
    then, now = game.at(found.at), tables.open_game(other).game
    for key, p in now.state.players.items():
        assert worths[p.name] == (then.rules.value(then.state, key), now.result()[p.id])
    page = client.get(f"/table/{other.pk}/branch/compare/").content.decode()
    assert "Worth" in page
    assert client.get(f"/table/{other.pk}/branch/compare/?against=999999").status_code == 404


@pytest.fixture
def going(finished, user):
    """A game at one screen that stopped in its middle, and where it went from there."""
    raw = tables.open_game(finished).game.export()
    first = raw | {"actions": raw["actions"][:150], "status": "active", "result": {}}
    return tables.import_file(user, json.dumps(first).encode()), raw["actions"][150:190]


def test_a_branch_is_handed_over_action_by_action(going, user, client):
    table, future = going
    branch = branching.begin(table, user, None)
    for action in future:
        tables.submit(branch.pk, user, {**action, "id": None}, None, agreed=True)
    tables.submit(table.pk, user, {**future[0], "id": None}, None, agreed=True)
    table.refresh_from_db()
    found = handing.handing_of(branch, user)
    assert [s.state for s in found.steps] == ["done"] + ["ready"] * (len(future) - 1)
    address = f"/table/{branch.pk}/branch/hand/"
    stale = client.post(address, {"do": "all", "version": table.version - 1},
                        headers={"Accept": "application/json"})  # fmt: skip
    assert stale.json()["code"] == "stale"
    client.post(address, {"do": "next", "version": table.version})
    assert tables.open_game(table).version == table.version + 1
    client.post(address, {"do": "all", "version": table.version + 1})
    there, here = (tables.open_game(t).game for t in (table, branch))
    assert there.state == here.state
    assert "All of this branch has happened" in client.get(address).content.decode()


def test_where_the_game_went_another_way_nothing_is_handed_over(going, user):
    table, future = going
    branch = branching.begin(table, user, None)
    for action in future[:6]:
        tables.submit(branch.pk, user, {**action, "id": None}, None, agreed=True)
    tables.submit(table.pk, user, {**future[0], "id": None}, None, agreed=True)
    state = tables.open_game(branch).game.history
    game = tables.open_game(table).game
    known = [e.state for e in state]
    other = next(a for c in game.choices() for a in c.actions() if _leads_elsewhere(game, a, known))
    tables.submit(table.pk, user, other, None, agreed=True)
    table.refresh_from_db()
    found = handing.handing_of(branch, user)
    assert [s.state for s in found.steps][:3] == ["done", "fits not", "later"]
    assert found.why.startswith("The game went another way: “")
    assert not found.ready
    assert handing.hand_over(branch, user, table.version, 1000) == (0, "")


def _leads_elsewhere(game, action, known):
    twin = game.copy()
    twin.apply(action)
    return twin.state not in known


def test_only_what_is_ones_own_to_decide_is_handed_over(played, user, other):
    branch = grown(branching.begin(played, user, None), user, 3)
    found = handing.handing_of(branch, user)
    assert not found.ready  # it is cleo's turn
    assert found.steps[0].state == "waits"
    assert "cleo" in found.why
    stranger = visitor(other)
    assert stranger.get(f"/table/{branch.pk}/branch/hand/").status_code == 404
    cleo = played.places.get(name="cleo").user
    own = grown(branching.begin(played, cleo, None), cleo, 2)
    found = handing.handing_of(own, cleo)
    assert [s.state for s in found.steps] == ["ready", "waits"]
    assert handing.hand_over(own, cleo, played.version, 1000) == (1, "")
    played.refresh_from_db()
    assert played.version == 3
    assert played.moves.last().user == cleo


def test_the_next_turn_of_a_branch_can_be_promised(played, user):
    """After cleo's bid, supposed in the branch, comes a bid of one's own."""
    branch = branching.begin(played, user, None)
    tables.submit(branch.pk, user, passing(branch), None)
    tables.submit(branch.pk, user, next(iter(tables.open_game(branch).game.choices())).action, None)
    handing.promise(branch, user)
    place = played.places.get(user=user)
    assert place.promises.get().body.count('"type"') == 1


def passing(table):
    return next(c.action for c in tables.open_game(table).game.choices() if c.type == "pass")


def test_a_game_that_went_back_past_the_point_says_so(played, user, other):
    branch = grown(branching.begin(played, user, None), user, 1)
    tables.submit(played.pk, other, undo(played) | {"entity": 2}, None)
    found = handing.handing_of(branch, user)
    assert found.why == "The game was taken back to before this branch begins."


def test_a_branch_becomes_a_table_of_ones_own(finished, user, client):
    branch = grown(branching.begin(finished, user, 60), user)
    made = client.post(f"/table/{branch.pk}/branch/clone/")
    clone = Table.objects.games().latest("pk")
    assert made.url == f"/table/{clone.pk}/"
    state = tables.open_game(branch).game.state
    assert tables.open_game(clone).game.state == state
    assert tables.verdict(clone).held is None
    branching.delete(branch.pk, user)
    tables.cache.open_games.clear()
    assert tables.open_game(Table.objects.get(pk=clone.pk)).game.state == state


def test_what_was_said_stays_at_its_table(finished, user, client):
    """Neither talk of any room nor words in the log of a file go with the game."""
    for number, room in enumerate(Room.values, start=1):
        Said.objects.create(table=finished, number=number, room=room, after=1, text="quinine")
    row = finished.moves.get(number=5)
    words = {"type": "message", "entity": 1, "entity_type": "player", "message": "quinine"}
    Move.objects.filter(pk=row.pk).update(action=json.dumps(words | {"id": 5}))
    found = cloning._unsaid(rows.copied(finished.moves.get(number=5), finished))
    assert "quinine" not in found.action
    Move.objects.filter(pk=row.pk).update(action=row.action)
    clone = cloned_for(client, finished)
    for address in ("", "file/", "transcript/"):
        answer = client.get(f"/table/{clone.pk}/{address}")
        assert b"quinine" not in b"".join(answer)


def cloned_for(client, branch, **form):
    made = client.post(f"/table/{branch.pk}/branch/clone/", form)
    clone = Table.objects.games().latest("pk")
    assert made.url == f"/table/{clone.pk}/"
    return clone


def test_others_take_the_seats_of_a_table_of_ones_own(finished, user, other, client):
    """Who comes by the link takes a free seat and plays on from the branch; neither what was said
    in the game nor who played it goes with it."""
    branch = grown(branching.begin(finished, user, 60), user)
    state = tables.open_game(branch).game.state
    clone = cloned_for(client, branch, seat="1")
    assert not clone.hotseat
    game = tables.open_game(clone).game
    assert game.state.market == state.market
    assert [p.cash for p in game.state.players.values()] == [p.cash for p in state.players.values()]
    assert not any(type(e.action).__name__ == "Message" for e in game.log)
    assert set(clone.places.values_list("name", flat=True)) <= {
        user.username, *(f"Seat {n}" for n in range(1, 9))}  # fmt: skip
    with pytest.raises(tables.Forbidden):
        changing.take(clone.pk, other, 2)
    changing.take(clone.pk, other, 2, clone.invite)
    assert clone.places.get(number=2).user == other
    assert tables.verdict(clone).held is None


def test_bots_take_the_seats_of_a_table_of_ones_own(finished, user, client):
    branch = grown(branching.begin(finished, user, 60), user)
    clone = cloned_for(client, branch, seat="2", others=next(iter(kinds())))
    assert [bool(p.bot) for p in clone.places.all()][:3] == [True, False, True]
    assert clone.places.get(number=2).user == user
    with pytest.raises(tables.Refused, match="no such seat"):
        cloning.clone_for(branch, user, 9)


def test_no_table_of_ones_own_while_it_would_give_more_help_than_the_game(played, user):
    branch = branching.begin(played, user, None)
    with pytest.raises(tables.Forbidden, match="until the game is over"):
        cloning.clone(branch, user)
    with pytest.raises(tables.Forbidden, match="until the game is over"):
        cloning.clone_for(branch, user, 1)
