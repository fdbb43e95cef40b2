"""Deals: offered, countered, accepted, declined, withdrawn, expired; written only when agreed."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest
from django.contrib.auth import get_user_model
from django.test import Client

import roundhouse
from roundhouse import promises as p
from roundhouse.dealing import concerned
from roundhouse.model.actions import player_key
from roundhouse.web import clock, tables
from roundhouse.web.deals import bargaining, following
from roundhouse.web.deals.models import Deal
from roundhouse.web.models import Table
from roundhouse.web.promises import managing
from roundhouse.web.promises.models import Standing
from roundhouse.web.pulse import beat
from roundhouse.web.seats import changing

GAMES = Path(__file__).parents[1] / "games"


@pytest.fixture
def time():
    found = clock.Set(clock.now())
    with clock.using(found):
        yield found


def sale_of(name="1817/base", kind="buy_train"):
    """A game up to a purchase from another player's company, and a few actions before it."""
    path = GAMES / f"{name}.json"
    data = json.loads(path.read_text())
    game = roundhouse.load(path)
    before = game.start
    for entry in game.history:
        action = entry.action
        if action.type == kind and len(concerned(game.rules, before, action)) > 1:
            return data, action, concerned(game.rules, before, action)
        before = entry.state
    raise AssertionError


def table_of(user, other, earlier=0):
    """An online table of that game, ``earlier`` actions before the purchase; the buyer is ``user``,
    the seller ``other``, everybody else a third person."""
    data, action, keys = sale_of()
    actions = [a for a in data["actions"] if a["id"] < action.id]
    actions = actions[: len(actions) - earlier]
    table = tables.import_file(user, json.dumps({**data, "actions": actions}).encode())
    table.hotseat = False
    table.status = Table.Status.RUNNING
    table.fault = ""
    table.save()
    third = get_user_model().objects.create_user("cleo")
    free = True
    for place in table.places.all():
        key = player_key(place.key)
        place.user = user if key == keys[0] else other if key == keys[1] else None
        if place.user is None and free:
            place.user, free = third, False
        place.save()
    tables.open_games.clear() if hasattr(tables, "open_games") else None
    sale = {k: v for k, v in json.loads(archive(action)).items() if k not in ("id", "auto_actions")}
    return table, sale, third, data["actions"][len(actions) :]


def archive(action):
    from roundhouse.web import archive

    return archive.write_action(action)


@pytest.fixture
def sale(user, other, time):
    return table_of(user, other)


def last(table):
    return tables.open_game(Table.objects.get(pk=table.pk)).game.log[-1].action


def browser(user):
    found = Client()
    found.force_login(user)
    return found


def test_an_offer_is_countered_and_accepted(sale, user, other):
    table, action, *_ = sale
    before = table.version
    first = bargaining.propose(table.pk, user, action, note="it is worth no more")
    assert (first.state, first.waiting) == (Deal.State.OPEN, [seat(table, other)])
    second = bargaining.counter(table.pk, other, first.number, action["price"] + 5)
    first.refresh_from_db()
    assert first.state == Deal.State.COUNTERED
    assert second.counters == first
    assert Table.objects.get().version == before  # nothing is written yet
    bargaining.accept(table.pk, user, second.number)
    done = last(table)
    assert (done.type, done.price) == ("buy_train", action["price"] + 5)
    second.refresh_from_db()
    assert second.state == Deal.State.DONE
    assert table.moves.last().user == user  # it is the buyer's action, whoever said the last word


def seat(table, user):
    return table.places.get(user=user).number


def name_of(table, user):
    return table.places.get(user=user).name


def test_the_seller_may_offer_too(sale, user, other):
    table, action, *_ = sale
    offered = bargaining.propose(table.pk, other, action)
    bargaining.accept(table.pk, user, offered.number)
    assert last(table).type == "buy_train"


def test_declined_withdrawn_and_gone(sale, user, other):
    table, action, third, _ = sale
    one = bargaining.propose(table.pk, user, action)
    with pytest.raises(tables.Forbidden):
        bargaining.accept(table.pk, third, one.number)
    with pytest.raises(tables.Refused, match="agreed already"):
        bargaining.accept(table.pk, user, one.number)
    bargaining.decline(table.pk, other, one.number)
    with pytest.raises(tables.Refused, match="any more"):
        bargaining.accept(table.pk, other, one.number)
    two = bargaining.propose(table.pk, user, action)
    bargaining.decline(table.pk, user, two.number)
    states = list(Deal.objects.values_list("state", flat=True))
    assert states == [Deal.State.DECLINED, Deal.State.WITHDRAWN]
    with pytest.raises(tables.Forbidden):
        bargaining.propose(table.pk, third, action)
    assert last(table).type != "buy_train" or last(table).price != action["price"]


def test_an_offer_expires(sale, user, other, time):
    table, action, *_ = sale
    one = bargaining.propose(table.pk, user, action, hours=2)
    time.move(timedelta(hours=2))
    with pytest.raises(tables.Refused, match="any more"):
        bargaining.accept(table.pk, other, one.number)
    assert beat()
    assert Deal.objects.get().state == Deal.State.EXPIRED


def test_an_offer_made_ahead_is_done_when_it_can_be(user, other, time):
    """Agreed before the buyer is on turn: it waits, and is written then, once."""
    for earlier in range(1, 12):
        Table.objects.all().delete()
        get_user_model().objects.filter(username="cleo").delete()
        table, action, _, coming = table_of(user, other, earlier)
        game = tables.open_game(table).game
        if game.why_not(action) is not None and len(concerned(game.rules, game.state, action_of(
            action))) > 1:  # fmt: skip
            break
    else:
        pytest.fail("there is no such position")
    deal = bargaining.propose(table.pk, other, action)
    deal = bargaining.accept(table.pk, user, deal.number)
    assert deal.state == Deal.State.AGREED
    with pytest.raises(tables.Refused, match="any more"):
        bargaining.accept(table.pk, user, deal.number)
    with pytest.raises(tables.Refused, match="your word"):
        bargaining.decline(table.pk, user, deal.number)
    assert following.settle_due() == 0
    for one in coming:
        table.refresh_from_db()
        game = tables.open_game(table).game
        if game.why_not(action) is None:
            break
        from roundhouse.web.tables.acting import carry_out

        carry_out(table, game.copy(), None, action_of({**one, "id": None}))
    assert following.settle_due() == 1
    assert last(table).type == "buy_train"
    assert following.settle_due() == 0
    deal.refresh_from_db()
    assert deal.state == Deal.State.DONE


def action_of(raw):
    from roundhouse.model.actions import decode_action

    return decode_action(raw)


def test_what_was_agreed_is_not_asked_again(sale, user, other, monkeypatch):
    table, action, *_ = sale
    deal = bargaining.propose(table.pk, user, action)
    monkeypatch.setattr(bargaining, "carry", lambda *given: False)  # before anything could be done
    bargaining.accept(table.pk, other, deal.number)
    after = tables.submit(table.pk, user, action, None)
    assert not Deal.objects.filter(now=True).exists()
    assert after.version == table.version + 1
    deal.refresh_from_db()
    assert deal.state == Deal.State.DONE


def test_an_offer_of_what_has_changed_hands_is_void(sale, user, other):
    table, action, *_ = sale
    dear = bargaining.propose(table.pk, user, {**action, "price": action["price"] + 1})
    cheap = bargaining.propose(table.pk, user, action)
    bargaining.accept(table.pk, other, cheap.number)
    dear.refresh_from_db()
    assert dear.state == Deal.State.VOID


def test_who_sits_down_is_not_bound(sale, user, other):
    table, action, *_ = sale
    one = bargaining.propose(table.pk, user, action)
    changing.leave(table.pk, other)
    one.refresh_from_db()
    assert one.state == Deal.State.VOID


def test_nonsense_is_refused(sale, user):
    table, action, *_ = sale
    for bad in ({}, {"type": "buy_train"}, {**action, "price": -1}, {**action, "train": "X-1"},
                {**action, "entity": "nowhere"}, {"type": "pass", "entity": 1,
                                                  "entity_type": "player"}):  # fmt: skip
        with pytest.raises(tables.Refused):
            bargaining.propose(table.pk, user, bad)
    assert not Deal.objects.exists()


def test_a_promise_answers_an_offer_and_a_question(sale, user, other, time):
    table, action, *_ = sale
    price = action["price"]
    managing.make(table.pk, other, p.Agree(yes=True, types=("buy_train",), from_=price))
    bargaining.propose(table.pk, user, {**action, "price": price - 1})
    time.move(timedelta(seconds=15))
    beat()
    assert Deal.objects.get().state == Deal.State.OPEN  # too little: he decides himself
    tables.submit(table.pk, user, action, None)
    assert Deal.objects.filter(now=True).exists()
    time.move(timedelta(seconds=15))
    beat()
    assert last(table).price == price
    assert "as you said" in Standing.objects.get().why


def test_a_question_is_answered_with_another_price(sale, user, other):
    table, action, *_ = sale
    tables.submit(table.pk, user, action, None)
    page = browser(other).get(f"/table/{table.pk}/").content.decode()
    assert "Counter</button>" in page
    address = f"/table/{table.pk}/deals/"
    form = {"do": "counter", "number": 1}
    same = browser(other).post(address, form | {"price": action["price"]})
    assert same.status_code == 422
    own = browser(user).post(address, form | {"price": action["price"] + 3})
    assert own.status_code == 422
    browser(other).post(address, form | {"price": action["price"] + 3})
    question = Deal.objects.get(now=True)
    assert (question.state, question.refused) == (Deal.State.COUNTERED, name_of(table, other))
    page = browser(user).get(f"/table/{table.pk}/").content.decode()
    assert "names another price" in page
    deal = Deal.objects.get(now=False)
    assert (deal.waiting, deal.counters) == ([seat(table, user)], question)
    bargaining.accept(table.pk, user, deal.number)
    assert last(table).price == action["price"] + 3
    question.refresh_from_db()
    assert not question.now


def test_a_question_is_one_of_the_deals(sale, user, other):
    """It is listed, accepted and declined as they are, and stays among them when it is over."""
    table, action, *_ = sale
    address = f"/table/{table.pk}/deals/"
    tables.submit(table.pk, user, action, None)
    assert "Accept</button>" in browser(other).get(address).content.decode()
    with pytest.raises(tables.Refused, match="agreed already"):
        bargaining.accept(table.pk, user, 1)
    assert bargaining.decline(table.pk, other, 1).refused == name_of(table, other)
    tables.withdraw(table.pk, user)
    tables.submit(table.pk, user, action, None)
    assert bargaining.decline(table.pk, user, 2).state == Deal.State.WITHDRAWN
    tables.submit(table.pk, user, action, None)
    assert bargaining.accept(table.pk, other, 3).state == Deal.State.DONE
    assert last(table).type == "buy_train"
    states = list(Deal.objects.values_list("state", flat=True))
    assert states == [Deal.State.DECLINED, Deal.State.WITHDRAWN, Deal.State.DONE]
    assert "declined" in browser(user).get(address).content.decode()


def test_a_question_to_who_goes_away_has_to_be_put_anew(sale, user, other):
    """A bot that plays for him now is asked by its own reckoning."""
    table, action, *_ = sale
    tables.submit(table.pk, user, action, None)
    changing.substitute(table.pk, other)
    assert Deal.objects.get().state == Deal.State.VOID


def test_a_merger_is_a_deal_about_the_pair(user, other, time):
    """1828 §5.6.1: the survivor is named and the partner taken over, both once both agree."""
    path = GAMES / "1828/base.json"
    data, game = json.loads(path.read_text()), roundhouse.load(path)
    before = game.start
    for entry in game.history:
        following_ = game.rules.follow_ups(before, entry.action)
        foreign = [m for m in following_ if len(concerned(game.rules, before, m)) > 1]
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
    both = msgspec.structs.replace(entry.action, id=None, auto_actions=(foreign[0],))
    deal = bargaining.propose(table.pk, user, both)
    assert deal.waiting == [seat(table, other)]
    deal = bargaining.accept(table.pk, other, deal.number)
    log = tables.open_game(Table.objects.get()).game.log[table.version :]
    assert [e.action.type for e in log[:2]] == ["choose", "merge"]
    assert deal.state == Deal.State.DONE


def test_the_page_of_deals(sale, user, other):
    table, action, *_ = sale
    address = f"/table/{table.pk}/deals/"
    form = {"do": "propose", "kind": "train", "thing": action["train"], "buyer": action["entity"],
            "price": action["price"], "note": "<b>now</b>", "from": "deals"}  # fmt: skip
    assert browser(user).post(address, form).status_code == 302
    theirs = browser(other).get(f"/table/{table.pk}/").content.decode()
    assert "Accept</button>" in theirs
    assert "&lt;b&gt;now" in theirs
    mine = browser(user).get(address).content.decode()
    assert "Withdraw</button>" in mine
    form = {"do": "counter", "number": 1, "price": action["price"] + 9}
    assert browser(other).post(address, form).status_code == 302
    assert "answered with another offer" in browser(user).get(address).content.decode()
    assert browser(user).post(address, {"do": "accept", "number": 2}).status_code == 302
    assert last(table).price == action["price"] + 9
    assert browser(user).post(address, {"do": "dance"}).status_code == 422
