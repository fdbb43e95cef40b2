"""What others have a say in is asked of them: their trains and companies, mergers, taking back."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

import roundhouse
from roundhouse.dealing import concerned
from roundhouse.model.actions import player_key
from roundhouse.web import archive, live, tables
from roundhouse.web.deals.models import Deal
from roundhouse.web.models import Move, Place, Table
from roundhouse.web.page import asking
from roundhouse.web.page.now import now_of

GAMES = Path(__file__).parents[1] / "games"
#: A game of our own in which a player buys from, or merges with, somebody else's company.
OFFERS = [
    ("1817/base", "buy_train"),
    ("1817/base", "merge"),
    ("1828/base", "buy_company"),
    ("1828/base", "merge"),
    ("1839/bankrupt", "buy_train"),
    ("1873/base", "buy_train"),
    ("18Ireland/base", "buy_company"),
]


def first_offer(name, kind):
    """A game file up to the first action of a kind that concerns two players; that action, and the
    two players."""
    path = GAMES / f"{name}.json"
    game = roundhouse.load(path)
    before = game.start
    for entry in game.history:
        if entry.action.type == kind:
            players = concerned(game.rules, before, entry.action)
            if len(players) > 1:
                data = json.loads(path.read_text())
                earlier = [a for a in data["actions"] if a["id"] < entry.action.id]
                return {**data, "actions": earlier}, entry.action, players
        before = entry.state
    raise AssertionError("there is no such action")


@pytest.fixture(params=OFFERS, ids=lambda p: f"{p[0]}-{p[1]}".replace("/", "-"))
def offer(request, user, other):
    """An online table at the moment of an offer, ``user`` on turn, ``other`` to be asked."""
    data, action, players = first_offer(*request.param)
    table = tables.import_file(user, json.dumps(data).encode())
    game = tables.open_game(table).game
    waited = {player_key(p) for p in game.players_to_act}
    asked = next(p for p in players if p not in waited)
    table.hotseat = False
    table.save()
    for place in table.places.all():
        mine, his = player_key(place.key) in waited, player_key(place.key) == asked
        place.user = user if mine else other if his else None
        place.save()
    return table, action


def test_the_other_side_is_asked_and_agrees(offer, user, other, client):
    table, action = offer
    version = table.version
    assert tables.submit(table.pk, user, action, version).version == version
    question = Deal.objects.get(now=True)
    assert len(question.waiting) == 1
    page = client.get(f"/table/{table.pk}/").content.decode()
    assert "would like to" in page
    assert "Waiting for" in page
    assert "agree or refuse" not in page
    with pytest.raises(tables.Forbidden):
        tables.answer(table.pk, user, True)
    client.force_login(other)
    page = client.get(f"/table/{table.pk}/").content.decode()
    assert re.search(r'class="sentence"[^>]*>[^<]+: agree or refuse\.<', page)  # it is his turn now
    after = tables.answer(table.pk, other, True)
    assert after.version == version + 1
    assert not Deal.objects.filter(now=True).exists()
    assert after.moves.last().user == user


def test_a_no_leaves_the_game_as_it_was(offer, user, other, client):
    table, action = offer
    tables.submit(table.pk, user, action, table.version)
    assert tables.answer(table.pk, other, False).version == table.version
    assert "does not agree" in client.get(f"/table/{table.pk}/").content.decode()
    with pytest.raises(tables.Refused):
        tables.answer(table.pk, other, True)


def test_after_a_no_only_the_choice_that_led_there_is_taken_back_unasked(offer, user, other):
    table, action = offer
    Table.objects.update(undo=Table.Undo.CONSENT)
    last_two = [m.pk for m in table.moves.order_by("-number")[:2]]
    Move.objects.filter(pk__in=last_two).update(user=user)
    mine = tables.my_places(table, user)[0].key
    undo = {"type": "undo", "entity": mine, "entity_type": "player"}
    tables.submit(table.pk, user, action, table.version)
    tables.answer(table.pk, other, False)
    # everything, or one action more: that is asked of everybody, and asks in vain
    ids = [e.action.id for e in tables.open_game(table).game.history]
    for target in (0, ids[-3]):
        again = tables.submit(table.pk, user, undo | {"action_id": target}, table.version)
        assert again.version == table.version
        assert Deal.objects.get(now=True).waiting
        tables.answer(table.pk, other, False)
        assert tables.submit(table.pk, user, undo, table.version).version == table.version
        tables.answer(table.pk, other, False)
    # that very choice: at once, and only once
    tables.submit(table.pk, user, action, table.version)
    tables.answer(table.pk, other, False)
    assert tables.submit(table.pk, user, undo, table.version).version == table.version + 1
    assert tables.submit(table.pk, user, undo, None).version == table.version + 1


def test_what_is_illegal_is_not_asked(user, other):
    data, action, _ = first_offer("1817/base", "buy_train")
    table = tables.import_file(user, json.dumps(data).encode())
    broken = json.loads(archive.write_action(action)) | {"price": 999_999}
    with pytest.raises(tables.Refused):
        tables.submit(table.pk, user, broken, table.version)
    assert not Deal.objects.filter(now=True).exists()


def test_at_one_screen_a_click_answers(user, client):
    data, action, _ = first_offer("1817/base", "buy_train")
    table = tables.import_file(user, json.dumps(data).encode())
    assert tables.submit(table.pk, user, action, table.version).version == table.version
    page = client.get(f"/table/{table.pk}/").content.decode()
    assert "agree</button>" in page
    client.post(f"/table/{table.pk}/agree/", {"agree": "yes"})
    assert Table.objects.get().version == table.version + 1


def test_a_program_is_told_that_others_are_asked(user, client):
    data, action, _ = first_offer("1817/base", "buy_train")
    table = tables.import_file(user, json.dumps(data).encode())
    form = {"action": archive.write_action(action), "version": table.version}
    address, accept = f"/table/{table.pk}/act/", {"accept": "application/json"}
    asked = client.post(address, form, headers=accept)
    assert asked.status_code == 202
    assert asked.json()["waiting"]
    done = client.post(address, form | {"agreed": "1"}, headers=accept)
    assert (done.status_code, done.json()["version"]) == (200, table.version + 1)


def test_ending_the_game_is_asked_of_all_others(user, other):
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3, seed=1, bots=1))
    tables.join(table.pk, other)
    end = {"type": "end_game", "entity": 1, "entity_type": "player"}
    assert tables.submit(table.pk, user, end, None).status == Table.Status.RUNNING
    assert tables.answer(table.pk, other, True).status == Table.Status.FINISHED


def test_automatic_actions_of_somebody_else_are_dropped(user, other):
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3, seed=1, bots=1))
    tables.join(table.pk, other)
    bid = next(c.action for c in tables.open_game(table).game.choices() if c.type == "bid")
    raw = json.loads(archive.write_action(bid))
    theirs = {"type": "pass", "entity": 2, "entity_type": "player"}
    after = tables.submit(table.pk, user, raw | {"auto_actions": [theirs], "id": 900}, 0)
    assert after.version == 1
    entry = tables.open_game(after).game.log[0]
    assert entry.action.auto_actions == ()
    assert entry.action.id == 1


@pytest.fixture
def three(user, other):
    """An online table of the usual policy, begun: anna, ben, cleo."""
    from django.contrib.auth import get_user_model

    cleo = get_user_model().objects.create_user("cleo")
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3, seed=1))
    tables.join(table.pk, other)
    tables.join(table.pk, cleo)
    return table, (user, other, cleo)


def bid(table, user, version):
    game = tables.open_game(Table.objects.get()).game
    action = next(c.action for c in game.choices() if c.type == "bid")
    return tables.submit(table.pk, user, action, version)


def test_the_usual_policy_asks_before_anything_of_somebody_else_is_touched(three):
    table, (anna, ben, _cleo) = three
    assert table.undo == Table.Undo.OWN
    bid(table, anna, 0)
    bid(table, ben, 1)
    undo = {"type": "undo", "entity": 2, "entity_type": "player"}
    tables.submit(table.pk, ben, undo, 2)
    assert tables.submit(table.pk, ben, undo, 3).version == 3  # now it would be anna's
    assert set(Deal.objects.get(now=True).waiting) == {1, 3}
    redo = {"type": "redo", "entity": 1, "entity_type": "player"}
    assert tables.submit(table.pk, anna, redo, 3).version == 3
    assert set(Deal.objects.get(now=True).waiting) == {2, 3}
    assert tables.submit(table.pk, ben, redo | {"entity": 2}, 3).version == 4
    with pytest.raises(tables.Forbidden):
        tables.submit(table.pk, ben, undo | {"entity": 1}, 4)  # in another's name


def test_an_auction_is_not_forgotten_by_much_bidding_and_taking_back(three):
    """… which could hide whose bid it is that is to be taken back."""
    table, (anna, ben, cleo) = three
    Table.objects.update(undo=Table.Undo.FREE)
    for version, user in enumerate((anna, ben)):
        bid(table, user, version)
    undo = {"type": "undo", "entity": 3, "entity_type": "player"}
    for _ in range(101):
        bid(table, cleo, None)
        tables.submit(table.pk, cleo, undo, None)
    last = Table.objects.get().version
    assert tables.submit(table.pk, cleo, undo, None).version == last
    assert set(Deal.objects.get(now=True).waiting) == {1, 2}


def test_a_line_of_the_log_is_gone_back_to_by_consent(three):
    table, (anna, ben, cleo) = three
    for version, user in enumerate((anna, ben, cleo)):
        bid(table, user, version)
    undo = {"type": "undo", "entity": 3, "entity_type": "player", "action_id": 1}
    assert tables.submit(table.pk, cleo, undo, 3).version == 3
    asked = asking.question_of(table, tables.open_game(table).game, anna)
    assert asked.text == "cleo would like to take back the last 2 actions."
    assert tables.answer(table.pk, anna, True).version == 3
    assert tables.answer(table.pk, ben, True).version == 4
    assert [e.action.id for e in tables.open_game(Table.objects.get()).game.history] == [1]


def test_a_turn_is_begun_anew_unasked(user, other):
    """Several actions of one turn, and no action of anybody else, are taken back at once."""
    data, _, _ = first_offer("1817/base", "merge")
    table = tables.import_file(user, json.dumps(data).encode())
    table.hotseat, table.undo = False, Table.Undo.OWN
    table.save()
    Move.objects.filter(number__lte=table.version - 3).update(user=other)
    Move.objects.filter(number__gt=table.version - 3).update(user=user)
    game = tables.open_game(table).game
    start = tables.turn_start(table, game, user)
    moves = [e for e in game.history if e.action.type != "message"]
    assert start == moves[-4].action.id
    assert tables.turn_start(table, game, other) is None
    mine = tables.my_places(table, user)[0].key
    undo = {"type": "undo", "entity": mine, "entity_type": "player", "action_id": start}
    Place.objects.filter(table=table).exclude(key=mine).update(user=other)
    deeper = undo | {"action_id": moves[-5].action.id}
    before = table.version
    assert tables.submit(table.pk, user, deeper, None).version == before
    assert tables.submit(table.pk, user, undo, None).version == before + 1


@pytest.fixture
def merging(user, other):
    """An online table of 1828 where ``user`` may merge two corporations of which ``other`` leads
    one; the pair, the survivor first."""
    path = GAMES / "1828/base.json"
    data = json.loads(path.read_text())
    game = roundhouse.load(path)
    before = game.start
    for entry in game.history:
        following = game.rules.follow_ups(before, entry.action)
        foreign = [m for m in following if len(concerned(game.rules, before, m)) > 1]
        if foreign:
            break
        before = entry.state
    earlier = [a for a in data["actions"] if a["id"] < entry.action.id]
    table = tables.import_file(user, json.dumps({**data, "actions": earlier}).encode())
    table.hotseat = False
    table.save()
    asked = set(concerned(game.rules, before, foreign[0])) - {entry.action.actor}
    for place in table.places.all():
        key = player_key(place.key)
        place.user = user if key == entry.action.actor else other if key in asked else None
        place.save()
    return table, entry.action, foreign[0]


def test_a_partner_is_asked_before_the_survivor_is_named(merging, user, other):
    """1828 §5.6.1: about the pair; only after a yes both are written down."""
    table, choose, merge = merging
    before = table.version
    with pytest.raises(tables.Refused, match="others are asked about both"):
        tables.submit(table.pk, user, bare(choose), None)
    both = replace(bare(choose), auto_actions=(merge,))
    tables.submit(table.pk, user, both, None)
    assert Deal.objects.get(now=True).waiting
    table.refresh_from_db()
    assert table.version == before
    table = tables.answer(table.pk, other, True)
    kinds = [e.action.type for e in tables.open_game(table).game.log[before : before + 2]]
    assert kinds == ["choose", "merge"]
    assert not tables.open_game(table).game.log[before].action.auto_actions


def bare(action):
    """An action as somebody sends it."""
    return replace(action, id=None, auto_actions=())


def test_the_page_offers_pairs(merging, user):
    """1828 §5.6.1."""
    table, choose, merge = merging
    game = tables.open_game(table).game
    found = now_of(game, frozenset({choose.actor}))
    labels = [i.label for g in found.groups if g.kind == "choose" for i in g.items]
    assert f"{choose.choice} takes over {merge.corporation}" in labels
    assert len(labels) == len(set(labels))


def test_the_page_restarts_a_turn_and_goes_back_to_a_line(three, client):
    table, (anna, ben, _cleo) = three
    bid(table, anna, 0)
    page = client.get(f"/table/{table.pk}/").content.decode()
    assert "Restart turn" in page
    undo = json.dumps({"type": "undo", "entity": 1, "entity_type": "player"})
    form = {"action": undo, "version": 1, "back": "turn"}
    client.post(f"/table/{table.pk}/act/", form)
    assert len(tables.open_game(Table.objects.get()).game) == 0
    bid(table, anna, 2)
    bid(table, ben, 3)
    answer = client.post(f"/table/{table.pk}/act/", form | {"version": 4})
    assert answer.status_code == 422
    assert "nothing since" in answer.content.decode()
    assert "Take back to here" in client.get(f"/table/{table.pk}/?at=0").content.decode()
    client.post(f"/table/{table.pk}/act/", form | {"version": 4, "back": "0"})
    assert Deal.objects.get(now=True).waiting == [2, 3]


def test_who_asks_may_take_the_question_back(offer, user, other, client):
    table, action = offer
    tables.submit(table.pk, user, action, table.version)
    with pytest.raises(tables.Refused):
        tables.withdraw(table.pk, other)
    page = client.get(f"/table/{table.pk}/").content.decode()
    assert 'value="withdraw"' in page
    client.post(f"/table/{table.pk}/agree/", {"agree": "withdraw"})
    assert not Deal.objects.filter(now=True).exists()
    with pytest.raises(tables.Refused, match="any more"):
        tables.answer(table.pk, other, True)
    with pytest.raises(tables.Refused, match="asked nothing"):
        tables.withdraw(table.pk, user)


def test_what_came_between_a_page_and_its_line_is_told(client, hotseat):
    """A question put after the page was made, and before it listened."""
    page = client.get(f"/table/{hotseat.pk}/").content.decode()
    seen = re.search(r'data-others="(\d+)"', page)[1]
    path = f"/table/{hotseat.pk}/stream/"
    assert f"data: 0.{seen}\n" in client.get(path).content.decode()
    live.announce(hotseat, nudge=True)
    assert f"data: 0.{int(seen) + 1}\n" in client.get(path).content.decode()
