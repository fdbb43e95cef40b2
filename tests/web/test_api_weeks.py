"""What programs may do over weeks: offers, promises, seats, votes, time."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model

httpx = pytest.importorskip("httpx", reason="the client's package is not installed")

from roundhouse.client import ApiError, NotFound  # noqa: E402
from roundhouse.web import clock, pulse, tables  # noqa: E402
from roundhouse.web.deals.models import Deal  # noqa: E402

from .test_api_client import client_of  # noqa: E402
from .test_deals import sale, table_of, time  # noqa: E402, F401 - fixtures


@pytest.fixture
def three(user, other):
    """A table with Anna's turn, Ben and Cleo; the clients of Anna and Ben."""
    first, second = client_of(user), client_of(other)
    table = first.create_table("1817", seats=3, seed=1, clock="day").id
    second.join(table)
    tables.add_bot(table, user)
    with first, second:
        yield table, first, second


def test_an_offer_is_bargained_about(sale, user, other):  # noqa: F811
    table, action, third, _ = sale
    with client_of(user) as buyer, client_of(other) as seller, client_of(third) as looker:
        first = buyer.propose(table.pk, action, note="no more")
        assert (first.state, first.own, first.note) == ("open", True, "no more")
        (seen,) = seller.deals(table.pk)
        assert (seen.asks_me, seen.own, seen.waiting) == (True, False, first.waiting)
        second = seller.counter(table.pk, seen.number, action["price"] + 5)
        assert second.counters == first.number
        with pytest.raises(ApiError) as refused:
            looker.accept(table.pk, second.number)
        assert refused.value.status == 403
        assert buyer.accept(table.pk, second.number).state == "done"
        assert buyer.moves(table.pk, since=table.version).moves[0].action["price"] == 6
        assert {d.state for d in buyer.deals(table.pk)} == {"done", "countered"}


def test_an_offer_is_taken_back(sale, user, other):  # noqa: F811
    table, action, *_ = sale
    with client_of(user) as buyer:
        made = buyer.propose(table.pk, action)
        assert buyer.decline(table.pk, made.number).state == "withdrawn"
        with pytest.raises(ApiError, match="no such offer"):
            buyer.decline(table.pk, made.number)
    assert Deal.objects.get().state == Deal.State.WITHDRAWN


def test_a_live_game_begins_once_all_are_ready(user, other):
    cleo = get_user_model().objects.create_user("cleo")
    with client_of(user) as anna, client_of(other) as ben, client_of(cleo) as third:
        table = anna.create_table("1817", seats=3, pace="live").id
        with pytest.raises(ApiError, match="Nobody asks"):
            ben.ready(table)
        ben.join(table)
        full = third.join(table)
        assert full.asks_ready
        assert [s.ready for s in full.seats] == [False, False, True]
        assert anna.ready(table, ask=True).seats[0].ready
        assert ben.ready(table).status == "open"
        begun = third.ready(table)
        assert (begun.status, begun.asks_ready) == ("running", None)


def test_promises_are_their_owners_alone(three):
    table, anna, ben = three
    made = ben.promise(table, {"kind": "bid", "company": "PSM", "limit": 100, "start": True})
    assert (made.state, made.promise["limit"]) == ("standing", 100)
    assert anna.promises(table) == ()
    with clock.using(clock.Set(clock.now())) as at:
        told = anna.choices(table)
        pass_ = next(c for c in told.mine if c.type == "pass")
        anna.act(table, pass_.action, told.version)
        at.move(timedelta(seconds=12))
        assert pulse.beat()
    (kept,) = ben.promises(table)
    assert len(kept.acts) == 1
    assert kept.why
    assert ben.break_promise(table, kept.number).ok
    assert ben.promises(table) == ()


@pytest.mark.parametrize(
    "said", [{"kind": "what"}, {"kind": "bid"}, {"limit": 3}, {"kind": "run", "company": "A&S"}]
)
def test_what_is_no_promise_is_refused(three, said):
    table, anna, _ = three
    with pytest.raises(ApiError) as refused:
        anna.promise(table, said)
    assert refused.value.status == 422
    assert anna.promises(table) == ()


def test_a_turn_is_planned(three):
    table, anna, _ = three
    choice = anna.choices(table).mine[0]
    made = anna.promise(table, {"kind": "plan", "actions": [choice.action]})
    assert made.promise["kind"] == "plan"
    assert made.promise["actions"][0]["type"] == choice.type


def test_seats_change_hands(three, user):
    table, anna, ben = three
    told = anna.choices(table)
    anna.act(table, told.mine[0].action, told.version)
    assert ben.change_seat(table, "away").away
    assert not ben.change_seat(table, "back").away
    after = ben.change_seat(table, "leave")
    assert after.free == (2,)
    assert [(s.name, s.first, s.last) for s in after.stints if s.seat == 2] == [("ben", 1, 1)]
    assert anna.change_seat(table, "bot", seat=2).free == (2,)
    assert ben.change_seat(table, "take", seat=2).free == ()
    with pytest.raises(ApiError) as unclear:
        anna.change_seat(table, "invite", name="cleo")
    assert unclear.value.where == "body.seat"
    with pytest.raises(NotFound):
        anna.change_seat(4711, "accept", word="what")


def test_a_vote_to_end(three):
    table, anna, ben = three
    (vote,) = anna.call_vote(table, "end").votes
    assert (vote.said, vote.waiting) == (True, ("ben",))
    assert ben.vote(table, vote.id, True).votes == ()
    assert ben.table(table).finished


def test_the_time_at_a_table(three):
    table, anna, _ = three
    told = anna.clock(table)
    assert told.terms.startswith("1 day for each turn")
    assert [t.runs for t in told.times] == [True, False, False]
    assert 86_000 < told.times[0].left <= 86_400
    other = anna.create_table("1817", hotseat=True, names=["A", "B", "C"], clock="day")
    assert anna.clock(other.id).times == ()


def test_a_question_is_taken_back(three):
    table, anna, ben = three
    told = anna.choices(table)
    anna.act(table, next(c for c in told.mine if c.type == "bid").action, told.version)
    version = ben.table(table).version
    asked = anna.act(table, {"type": "end_game", "entity": 1, "entity_type": "player"}, version)
    assert asked.question
    assert anna.withdraw(table).question is None
    with pytest.raises(ApiError, match="asked nothing"):
        anna.withdraw(table)
