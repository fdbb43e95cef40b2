"""Seats of running games: leaving, taking over, substitutes, votes, teams, and who sat when."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from roundhouse.web import clock, tables
from roundhouse.web.deals.models import Deal
from roundhouse.web.models import Block, Move, Place, Table
from roundhouse.web.pulse import beat
from roundhouse.web.seats import changing, record, voting
from roundhouse.web.seats.models import Ballot, Invitation, Sitting, Vacancy, Vote
from roundhouse.web.study import branching
from roundhouse.web.tables import bots


@pytest.fixture
def cleo(db):
    return get_user_model().objects.create_user("cleo")


@pytest.fixture
def dora(db):
    return get_user_model().objects.create_user("dora")


@pytest.fixture
def three(user, other, cleo):
    """A running table of anna, ben and cleo."""
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3, seed=1))
    tables.join(table.pk, other)
    return tables.join(table.pk, cleo)


def bid(table, user):
    game = tables.open_game(Table.objects.get(pk=table.pk)).game
    action = next(c.action for c in game.choices() if c.type == "bid")
    return tables.submit(table.pk, user, action, None)


def place(number):
    return Place.objects.get(number=number)


def history(number):
    rows = Sitting.objects.filter(place__number=number)
    return [(s.name, s.bot, s.partner, s.after, s.until) for s in rows]


def browser(user):
    found = Client()
    found.force_login(user)
    return found


# leaving and taking


def test_a_seat_that_is_left_is_free_and_taken_under_another_name(three, user, other, dora):
    bid(three, user)
    changing.leave(three.pk, other)
    assert place(2).user is None
    with pytest.raises(tables.Forbidden):
        bid(three, other)
    changing.take(three.pk, dora, 2)
    assert (place(2).user, place(2).name, place(2).deputy) == (dora, "dora", None)
    assert not Vacancy.objects.exists()
    bid(three, dora)
    assert history(2) == [("ben", "", False, 0, 1), ("dora", "", False, 1, None)]
    game = tables.open_game(Table.objects.get()).game
    assert [p.name for p in game.state.players.values()] == ["anna", "dora", "cleo"]
    assert [e.action.entity for e in game.log] == [1, 2]


def test_another_process_learns_of_a_new_name(three, user, other, dora):
    for who in (user, other, user, other):
        if who == user and Table.objects.get().acting != [1]:
            break
        bid(three, who)
    stale = tables.open_game(Table.objects.get())
    changing.leave(three.pk, other)
    changing.take(three.pk, dora, 2)
    tables.open_games.clear()
    tables.open_games.put(three.pk, stale)  # what the other process still holds
    found = tables.open_game(Table.objects.get())
    assert found.game.state.players["player:2"].name == "dora"


def test_kept_states_stay_of_use_under_a_new_name(three, user, other, cleo, dora):
    people = {1: user, 2: other, 3: cleo}
    for _ in range(30):
        table = Table.objects.get()
        game = tables.open_game(table).game
        choices = [c for c in game.choices() if c.type in ("bid", "pass")]
        tables.submit(table.pk, people[table.acting[0]], choices[-1].action, None)
        if tables.open_game(Table.objects.get()).game.state.round.__class__ is not type(
            game.state.round
        ):
            break
    from roundhouse.web import archive

    table = Table.objects.get()
    game = tables.open_game(table).game
    table.snapshots.create(
        number=table.version, state=archive.pack_state(game.state), stamp=archive.stamp(game.rules)
    )
    changing.leave(table.pk, other)
    changing.take(table.pk, dora, 2)
    table.refresh_from_db()
    state = archive.unpack_state(game.rules, bytes(table.snapshots.get().state))
    assert state.players["player:2"].name == "dora"
    row = table.moves.last()
    assert tables.log.agrees(row, game.rules, state)


def test_nobody_takes_a_second_seat_or_one_that_is_not_free(three, user, other, dora):
    with pytest.raises(tables.Refused, match="not free"):
        changing.take(three.pk, dora, 2)
    changing.leave(three.pk, other)
    with pytest.raises(tables.Refused, match="already"):
        changing.take(three.pk, user, 2)
    Block.objects.create(by=user, user=dora)
    with pytest.raises(tables.Forbidden):
        changing.take(three.pk, dora, 2)


def test_a_private_seat_is_taken_only_with_the_link(three, other, dora):
    Table.objects.update(public=False)
    changing.leave(three.pk, other)
    with pytest.raises(tables.Forbidden):
        changing.take(three.pk, dora, 2)
    changing.take(three.pk, dora, 2, Table.objects.get().invite)


# inviting


def test_a_seat_is_handed_over_by_name(three, user, other, dora):
    found = changing.invite(three.pk, other, 2, "dora")
    assert place(2).user == other  # until it is accepted
    Table.objects.update(public=False)
    assert tables.may_see(Table.objects.get(), dora)
    with pytest.raises(tables.Refused):
        changing.accept(three.pk, user, found.word)
    changing.accept(three.pk, dora, found.word)
    assert place(2).user == dora
    assert not Invitation.objects.exists()


def test_a_seat_is_handed_over_by_link(three, other, dora):
    Table.objects.update(public=False)
    page = browser(other)
    page.post(f"/table/{three.pk}/seats/", {"do": "invite", "place": 2, "from": "people"})
    people = page.get(f"/table/{three.pk}/people/").content.decode()
    link = re.search(r"http://testserver(/table/\d+/seat/[\w-]+/)", people)[1]
    guest = browser(dora)
    assert guest.get(f"/table/{three.pk}/").status_code == 404
    word = link.split("/")[-2]
    assert "Take the seat of ben" in guest.get(link).content.decode()
    assert guest.get(f"/table/{three.pk}/").status_code == 200
    assert (
        guest.post(f"/table/{three.pk}/seats/", {"do": "accept", "word": word}).status_code == 302
    )
    assert place(2).user == dora


def test_others_cannot_offer_a_seat_somebody_sits_on(three, user, other, dora):
    with pytest.raises(tables.Forbidden):
        changing.invite(three.pk, user, 2, "dora")
    changing.leave(three.pk, other)
    changing.invite(three.pk, user, 2, "dora")
    assert "offers you ben’s seat" in browser(dora).get(f"/table/{three.pk}/").content.decode()


# substitutes


def test_a_bot_plays_until_its_player_is_back(three, user, other, asleep):
    bid(three, user)
    changing.substitute(three.pk, other)
    assert asleep == [three.pk]
    with pytest.raises(tables.Forbidden):
        bid(three, other)
    assert "A bot plays for you" in browser(other).get(f"/table/{three.pk}/").content.decode()
    bots.play(three.pk)
    version = Table.objects.get().version
    assert version > 1
    assert Move.objects.get(number=2).user is None
    changing.come_back(three.pk, other)
    assert place(2).bot == ""
    assert history(2)[:2] == [("ben", "", False, 0, 1), ("ben", bots.USUAL, False, 1, version)]
    assert history(2)[2][3:] == (version, None)


def test_a_bot_keeps_a_free_seat_going(three, user, other, dora, asleep):
    bid(three, user)
    changing.leave(three.pk, other, bot=True)
    bots.play(three.pk)
    changing.take(three.pk, dora, 2)
    assert (place(2).user, place(2).bot) == (dora, "")


def test_who_plays_alone_against_bots_lets_one_play_too_and_comes_back(user, client, asleep):
    plan = tables.Plan("1817", ["Ada"], seed=1, hotseat=True, bots=2, kinds=["lively"] * 2)
    table = tables.create(user, plan)
    here, people = f"/table/{table.pk}/", f"/table/{table.pk}/people/"
    assert "Let a bot play for me" in client.get(people).content.decode()
    assert "A bot plays for you" not in client.get(here).content.decode()
    client.post(f"{here}seats/", {"do": "away", "kind": "lively"})
    assert Place.objects.get(table=table, number=1).bot == "lively"
    assert asleep == [table.pk]
    assert bots.play(table.pk) > 0
    assert "Let a bot play for me" not in client.get(people).content.decode()
    for page in (here, people):
        assert "Play again myself" in client.get(page).content.decode()
    client.post(f"{here}seats/", {"do": "back"})
    assert Place.objects.get(table=table, number=1).bot == ""
    assert [s.how for s in Sitting.objects.order_by("pk")] == ["away", "back"]
    assert "A bot plays for you" not in client.get(here).content.decode()


def test_at_one_screen_with_others_and_in_branches_nobody_plays_for_anybody(hotseat, user, client):
    assert (
        "Let a bot play for me" not in client.get(f"/table/{hotseat.pk}/people/").content.decode()
    )
    with pytest.raises(tables.Refused, match="At one screen"):
        changing.substitute(hotseat.pk, user)
    table = tables.create(user, tables.Plan("1817", ["Ada"], seed=1, hotseat=True, bots=2))
    branch = branching.begin(table, user, 0)
    with pytest.raises(tables.Refused, match="At one screen"):
        changing.substitute(branch.pk, user)
    with pytest.raises(tables.Refused, match="At one screen"):
        changing.leave(table.pk, user)


def test_who_is_away_has_no_say(three, user, other, cleo):
    bid(three, user)
    changing.substitute(three.pk, other)
    undo = {"type": "undo", "entity": 3, "entity_type": "player", "action_id": 0}
    tables.submit(three.pk, cleo, undo, None)
    assert Deal.objects.get(now=True).waiting == [1]


# votes


def gone(hours=100):
    Table.objects.update(since=clock.now() - timedelta(hours=hours))


def test_who_keeps_the_game_waiting_is_sent_away_by_more_than_half(three, user, other, cleo, dora):
    with pytest.raises(tables.Refused, match="72 hours"):
        voting.call_removal(three.pk, other, 1)
    gone()
    with pytest.raises(tables.Refused, match="72 hours"):
        voting.call_removal(three.pk, other, 3)  # the game does not wait for cleo
    voting.call_removal(three.pk, other, 1)
    vote = Vote.objects.get()
    assert place(1).user == user
    with pytest.raises(tables.Forbidden):
        voting.cast(three.pk, user, vote.pk, False)
    voting.cast(three.pk, cleo, vote.pk, True)
    assert place(1).user is None
    with pytest.raises(tables.Forbidden):
        changing.take(three.pk, user, 1)
    changing.take(three.pk, dora, 1)
    bid(three, dora)


def test_who_acts_again_is_not_sent_away(three, user, other, cleo):
    gone()
    voting.call_removal(three.pk, other, 1)
    bid(three, user)
    voting.cast(three.pk, cleo, Vote.objects.get().pk, True)
    assert Vote.objects.get().outcome == Vote.Outcome.VOID
    assert place(1).user == user


def test_a_vote_is_settled_when_its_time_is_up(three, user, other):
    gone()
    voting.call_removal(three.pk, other, 1)
    vote = Vote.objects.get()
    voting.close(vote.pk)
    assert Vote.objects.get().outcome == ""
    with clock.using(clock.Set(vote.closes)):
        assert beat() >= 1
    assert Vote.objects.get().outcome == Vote.Outcome.CARRIED
    assert place(1).user is None


def test_a_game_that_is_held_keeps_no_other_vote_open(three, user, other, cleo, monkeypatch):
    votes = []
    for table in (three, tables.create(user, tables.Plan("1817", ["anna"], seats=3, seed=1))):
        if table != three:
            tables.join(table.pk, other)
            tables.join(table.pk, cleo)
        voting.call_end(table.pk, user)
        votes.append(Vote.objects.get(table=table))
        monkeypatch.setattr(voting, "settle", lambda vote, final=False: None)
        voting.cast(table.pk, other, votes[-1].pk, True)
        monkeypatch.undo()

    def opened(table):
        if table.pk == three.pk:
            raise tables.Held(1, "another position")
        return tables.open_game(table)

    monkeypatch.setattr(voting, "open_game", opened)
    with clock.using(clock.Set(votes[1].closes)):
        assert voting.close_due() == 1
    assert [Vote.objects.get(pk=v.pk).outcome for v in votes] == ["", "carried"]


def test_the_host_may_decide_where_the_table_says_so(user, other, db):
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3, seed=1, bots=1))
    voting.set_policy(table.pk, user, "host", 24)
    tables.join(table.pk, other)
    with pytest.raises(tables.Refused):
        voting.set_policy(table.pk, user, "never", 24)
    bid(table, user)
    assert Table.objects.get().acting == [2] or place(2).bot
    bots.play(table.pk)
    Table.objects.update(acting=[3])
    gone(30)
    with pytest.raises(tables.Refused):
        voting.call_removal(table.pk, other, 1)
    voting.call_removal(table.pk, user, 3)
    assert place(3).user is None


def test_the_game_ends_with_two_thirds(three, user, other, cleo):
    voting.call_end(three.pk, user)
    with pytest.raises(tables.Refused, match="already"):
        voting.call_end(three.pk, cleo)
    vote = Vote.objects.get()
    voting.cast(three.pk, other, vote.pk, False)
    assert Table.objects.get().status == Table.Status.RUNNING
    voting.cast(three.pk, cleo, vote.pk, True)
    table = Table.objects.get()
    assert table.status == Table.Status.FINISHED
    assert table.result


def test_a_vote_that_cannot_be_carried_ends(three, user, other, cleo):
    voting.call_end(three.pk, user)
    vote = Vote.objects.get()
    voting.cast(three.pk, other, vote.pk, False)
    voting.cast(three.pk, cleo, vote.pk, False)
    assert Vote.objects.get().outcome == Vote.Outcome.LOST
    assert Ballot.objects.count() == 3
    voting.call_end(three.pk, user)  # it may be asked again


# two on a seat


def test_two_play_a_seat_and_one_of_them_leaves_it(three, user, other, dora):
    found = changing.invite(three.pk, user, 1, "dora", partner=True)
    changing.accept(three.pk, dora, found.word)
    bid(three, dora)
    assert Move.objects.get().stead == ""
    undo = {"type": "undo", "entity": 1, "entity_type": "player"}
    tables.submit(three.pk, user, undo, None)  # one's partner's act is one's own
    assert Table.objects.get().version == 2
    bid(three, user)
    changing.leave(three.pk, user)
    assert (place(1).user, place(1).partner, place(1).name) == (dora, None, "dora")
    bid_again = tables.open_game(Table.objects.get()).game.state.players
    assert bid_again["player:1"].name == "dora"


def test_what_counts_for_whom(three, user, other, cleo, dora):
    """Half of a seat's decisions make a result one's own; a partner shares it."""
    found = changing.invite(three.pk, user, 1, "dora", partner=True)
    changing.accept(three.pk, dora, found.word)
    bid(three, user)
    bid(three, other)
    changing.leave(three.pk, cleo)
    counted = record.credited(Table.objects.get())
    assert [s.user for s in counted[1]] == [user.pk, dora.pk]
    assert [s.user for s in counted[2]] == [other.pk]
    assert counted[3] == []
    one = next(s for s in record.stints(Table.objects.get()) if s.user == other.pk)
    assert (one.first, one.last, one.decisions, one.of, one.share) == (1, 2, 1, 1, 1.0)


# the page


def test_the_lobby_shows_what_is_free_offered_and_shared(three, user, other, cleo, dora):
    found = changing.invite(three.pk, user, 1, "dora", partner=True)
    assert "a seat is offered to you" in browser(dora).get("/").content.decode()
    changing.accept(three.pk, dora, found.word)
    page = browser(dora).get("/").content.decode()
    assert "My games" in page
    assert "your turn" in page
    changing.leave(three.pk, other)
    assert "free: the seat of ben" in browser(cleo).get("/").content.decode()


def test_the_page_shows_free_seats_votes_and_the_record(three, user, other, dora):
    page = browser(user)
    post = f"/table/{three.pk}/seats/"
    browser(other).post(post, {"do": "leave"})
    assert "The seat of ben is free" in page.get(f"/table/{three.pk}/").content.decode()
    assert page.post(post, {"do": "end"}).status_code == 302
    text = page.get(f"/table/{three.pk}/").content.decode()
    assert "End the game here" in text
    assert "Not yet: cleo" in text
    browser(dora).post(post, {"do": "take", "place": 2})
    people = page.get(f"/table/{three.pk}/people/").content.decode()
    assert "Who sat when" in people
    assert page.post(post, {"do": "dance"}).status_code == 422


def test_who_has_left_stands_in_for_nobody(three, user, other, cleo):
    for away, deputy in ((cleo, "ben"), (user, "cleo")):
        tables.appoint(three.pk, away, deputy)
    changing.leave(three.pk, other)
    assert (place(3).deputy, place(1).deputy) == (None, cleo)


def test_a_deleted_account_leaves_its_seat_free(three, other, dora):
    other.delete()
    changing.take(three.pk, dora, 2)
    assert place(2).name == "dora"
    assert "ben" not in {s.name for s in Sitting.objects.all()}


# the log tells


def test_the_log_tells_who_sat_when(three, user, other, cleo, dora):
    """At the table, in the transcript and in the game's file; nothing of it where nothing was."""
    address = f"/table/{three.pk}/"
    assert "sittings" not in browser(user).get(f"{address}file/").json()
    bid(three, user)
    bid(three, other)
    changing.leave(three.pk, other)
    bid(three, cleo)
    changing.take(three.pk, dora, 2)
    bid(three, user)
    changing.substitute(three.pk, cleo)
    told = ["ben has left. The seat is free.", "dora takes the free seat of ben.",
            "A bot plays for cleo, who is away."]  # fmt: skip
    page = browser(user).get(address).content.decode()
    places = [page.index(line) for line in told]
    assert places == sorted(places)
    third = page.index('id="entry-3"')
    assert page.index('id="entry-2"') < places[0] < third < places[1]
    assert places[1] < page.index('id="entry-4"') < places[2]
    assert told[1] not in browser(user).get(f"{address}?show=track").content.decode()
    rows = browser(user).get(f"{address}transcript/").content.decode().splitlines()
    assert next(r.split(",")[3] for r in rows if ",seat," in r) == told[0]
    file = browser(user).get(f"{address}file/").json()
    what = ("player", "name", "bot", "after", "until")
    assert [tuple(s[name] for name in what) for s in file["sittings"]] == [
        (2, "ben", False, 0, 2), (2, "", False, 2, 3), (2, "dora", False, 3, None),
        (3, "cleo", False, 0, 4), (3, "cleo", True, 4, None),
    ]  # fmt: skip


def test_who_opened_a_table_at_one_screen_names_its_players(hotseat, user, client):
    tables.open_game(hotseat)  # open under the old names
    bid(hotseat, user)
    client.force_login(user)
    page = client.get(f"/table/{hotseat.pk}/people/").content.decode()
    assert page.count('value="name"') == 3
    form = {"do": "name", "from": "people", "place": 2, "name": " Bertram "}
    assert client.post(f"/table/{hotseat.pk}/seats/", form).status_code == 302
    assert place(2).name == "Bertram"
    for found in (Table.objects.get(pk=hotseat.pk), hotseat):
        names = [p.name for p in tables.open_game(found).game.state.players.values()]
        assert set(names) == {"Ada", "Bertram", "Cleo"}
    bid(hotseat, user)
    assert "Bertram" in client.get(f"/table/{hotseat.pk}/").content.decode()


@pytest.mark.parametrize("name", ["", "  ", "Ada", "x" * 61, "a\0b"])
def test_a_name_that_is_none_or_anothers_is_refused(hotseat, user, name):
    with pytest.raises(tables.Refused):
        changing.name_seat(hotseat.pk, user, 2, name)
    assert place(2).name == "Ben"


def test_nobody_else_names_players(hotseat, three, user, other):
    with pytest.raises(tables.Forbidden):
        changing.name_seat(hotseat.pk, other, 1, "Mine")
    with pytest.raises(tables.Refused):
        changing.name_seat(three.pk, user, 1, "Another")
