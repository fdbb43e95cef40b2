"""Promises on the server: kept in their owner's name, seen by nobody else, ended by what they rest
on, and done exactly once."""

from __future__ import annotations

import json
import re

import pytest
from django.contrib.auth import get_user_model
from django.test import Client, override_settings

from roundhouse import promises as p
from roundhouse.web import clock, tables
from roundhouse.web.deals.models import Deal
from roundhouse.web.models import Move, Place, Table
from roundhouse.web.promises import keeping, managing
from roundhouse.web.promises.models import Due, Standing
from roundhouse.web.pulse import beat
from roundhouse.web.remembered import Remembered
from roundhouse.web.seats import changing


@pytest.fixture
def time():
    """A clock that stands, well after any moment drawn by the machine's own."""
    found = clock.Set(clock.now())
    with clock.using(found):
        yield found


@pytest.fixture
def people(user, other, time):
    cleo = get_user_model().objects.create_user("cleo")
    return [user, other, cleo]


def table_of(people, seed=1, title="1817", **more):
    table = tables.create(people[0], tables.Plan(title, ["anna"], seats=3, seed=seed, **more))
    tables.join(table.pk, people[1])
    return tables.join(table.pk, people[2])


def now_of(table):
    return Table.objects.get(pk=table.pk)


def choose(table, kind):
    game = tables.open_game(now_of(table)).game
    return next(c.action for c in game.choices() if c.type == kind)


def act(table, user, kind):
    return tables.submit(table.pk, user, choose(table, kind), None)


def come(time):
    """Let the moments come at which promises are looked at, as long as any acts."""
    from datetime import timedelta

    for _ in range(20):
        time.move(timedelta(seconds=15))
        if not beat():
            return


def kinds(table):
    return [e.action.type for e in tables.open_game(now_of(table)).game.log]


def browser(user):
    found = Client()
    found.force_login(user)
    return found


# keeping


def test_a_sealed_bid_bids_in_its_owners_name(people, time):
    anna, ben, cleo = people
    table = table_of(people)
    item = choose(table, "bid").company
    managing.make(table.pk, ben, p.BidUpTo(limit=100, company=item))
    managing.make(table.pk, cleo, p.BidUpTo(limit=60, company=item))
    act(table, anna, "bid")
    come(time)
    act(table, anna, "pass")
    come(time)
    senders = Move.objects.exclude(user=anna).values_list("user", flat=True)
    assert set(senders) == {ben.pk, cleo.pk}
    row = Standing.objects.get(place__number=2)
    assert (row.state, "won it for" in row.why) == (Standing.State.STOPPED, True)
    assert tables.open_game(now_of(table)).game.state.companies[item].owner == "player:2"


def test_nothing_is_done_before_its_moment(people, time):
    anna, ben, _ = people
    table = table_of(people)
    managing.make(table.pk, ben, p.PassUntil(heedless=True))
    act(table, anna, "bid")
    assert not keeping.keep_due()
    due = Due.objects.get(table=table)
    low, high = 4, 12
    assert low <= (due.at - time.at).total_seconds() <= high
    time.at = due.at
    assert keeping.keep_due() == 1
    assert kinds(table) == ["bid", "pass"]


def test_a_promise_made_on_turn_is_kept_too(people, time):
    anna, *_ = people
    table = table_of(people)
    managing.make(table.pk, anna, p.PassUntil(until="once"))
    come(time)
    assert kinds(table) == ["pass"]
    assert Standing.objects.get().state == Standing.State.KEPT


def test_what_cannot_be_any_more_ends_with_its_reason(people, time):
    anna, ben, _ = people
    table = table_of(people, title="1828")
    first = now_of(table).acting[0]
    order = [people[first - 1], *(x for x in people if x != people[first - 1])]
    ahead = managing.ahead_of(table, f"player:{people.index(order[1]) + 1}")
    bid = next(c.action for c in ahead.choices() if c.type == "bid")
    managing.plan_turn(table.pk, order[1], (bid,))
    game = tables.open_game(now_of(table)).game
    theirs = next(c.action for c in game.choices()
                  if c.type == "bid" and c.action.company == bid.company)  # fmt: skip
    tables.submit(table.pk, order[0], theirs, None)
    come(time)
    row = Standing.objects.get()
    assert row.state == Standing.State.STOPPED
    assert row.why
    assert len(kinds(table)) == 1
    page = browser(order[1]).get(f"/table/{table.pk}/").content.decode()
    assert "Ended: " in page
    del anna, ben


def test_all_is_written_or_nothing(people, time, monkeypatch):
    """A worker that dies between the act and the note of it has done neither."""
    anna, ben, _ = people
    table = table_of(people)
    managing.make(table.pk, ben, p.PassUntil(until="once"))
    act(table, anna, "bid")

    def die(*given):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(keeping, "_note", die)
        time.at = Due.objects.get(table=table).at
        with pytest.raises(KeyboardInterrupt):
            keeping.keep_due()
    assert kinds(table) == ["bid"]
    assert Due.objects.filter(table=table).exists()
    come(time)
    assert kinds(table) == ["bid", "pass"]
    assert Standing.objects.get().state == Standing.State.KEPT


# rights: nothing is seen by anybody else


def unmasked(body):
    """A page without the field against forged requests, which is masked anew each time."""
    return re.sub(rb'name="csrfmiddlewaretoken" value="\w*"', b"", body)


#: What programs may ask for.
PROGRAMS = ("", "state", "choices", "moves", "chat")


def everything(client, table):
    """All that somebody may get of a table, as bytes."""
    base = f"/table/{table.pk}/"
    panels = "bar:,now:,strip:,log:,history:,map:,market:,shares:,auction:,companies:,players:"
    got = [
        client.get(base),
        client.get(f"{base}update/", headers={"X-Panels": panels}),
        client.get(f"{base}?at=0"),
        client.get(f"{base}people/"),
        client.get(f"{base}transcript/"),
        client.get(f"{base}file/"),
        client.get(f"{base}card/player:2/"),
        *(client.get(f"/api/tables/{table.pk}/{what}") for what in PROGRAMS),
        client.get("/"),
    ]
    heads = ("X-Version", "X-State", "ETag", "Content-Length", "Content-Disposition")
    row = Table.objects.filter(pk=table.pk).values("version", "others", "acting", "round", "since")
    return [
        (answer.status_code, [answer.headers.get(h) for h in heads], unmasked(answer.content))
        for answer in got
    ], list(row)


def test_a_promise_changes_no_byte_others_get(people, time):
    anna, ben, _ = people
    table = table_of(people)
    item = choose(table, "bid").company
    eyes = [browser(anna), Client()]
    before = [everything(one, table) for one in eyes]
    own = browser(ben).get(f"/table/{table.pk}/").content
    managing.make(table.pk, ben, p.BidUpTo(limit=77, company=item))
    managing.make(table.pk, ben, p.PassUntil())
    managing.withdraw(table.pk, ben, 2)
    assert [everything(one, table) for one in eyes] == before
    assert browser(ben).get(f"/table/{table.pk}/").content != own
    come(time)  # it is looked at, and nothing is to be done
    assert [everything(one, table) for one in eyes] == before


def plain(answers, table):
    """Answers without what tells one table from another."""
    found = []
    for status, heads, body in answers:
        text = body.decode().replace(f"/table/{table.pk}/", "/table/N/")
        text = re.sub(r'digest="\w*"', "", text).replace(table.invite, "")
        text = re.sub(rf"(no\. |table |roundhouse-){table.pk}\b", r"\1N", text)
        text = re.sub(rf'"id": {table.pk}, "title"|"table": {table.pk},', '"id": N', text)
        found.append((status, heads[:2], text))
    return found[:-1]  # the lobby shows all tables


def test_what_a_promise_does_looks_like_what_its_owner_does(people, time, monkeypatch):
    """The same game, once by a promise and once by hand: byte for byte the same for the others."""
    anna, ben, _ = people
    promised, by_hand = table_of(people), table_of(people)
    item = choose(promised, "bid").company
    managing.make(promised.pk, ben, p.BidUpTo(limit=20, company=item))
    for table in (promised, by_hand):
        act(table, anna, "bid")
    come(time)
    act(by_hand, ben, "bid")
    Table.objects.filter(pk=by_hand.pk).update(since=now_of(promised).since)
    moments = dict(Move.objects.filter(table=promised).values_list("number", "at"))
    for number, at in moments.items():
        Move.objects.filter(table=by_hand, number=number).update(at=at)
    monkeypatch.setattr("roundhouse.web.tables.times._KNOWN", Remembered(4))  # they are others now
    fields = ("number", "action", "events", "state_hash", "position", "user", "stead", "recorded")
    rows = [list(t.moves.values(*fields)) for t in (promised, by_hand)]
    assert rows[0] == rows[1]
    assert len(rows[0]) == 2
    for eyes in (browser(anna), Client()):
        one, other = (plain(everything(eyes, t)[0], t) for t in (promised, by_hand))
        assert one == other
    assert now_of(promised).others == now_of(by_hand).others


def test_the_answer_to_a_move_does_not_wait_for_promises(people, time, monkeypatch):
    """They are never looked at while somebody waits for an answer."""
    anna, ben, _ = people
    table = table_of(people)
    monkeypatch.setattr(keeping, "keep", lambda *given: pytest.fail("looked at"))
    managing.make(table.pk, ben, p.PassUntil())
    act(table, anna, "bid")
    browser(anna).get(f"/table/{table.pk}/")


def test_a_moment_is_drawn_whether_anything_is_promised_or_not(people, time):
    table = table_of(people)
    assert Due.objects.filter(table=table).exists()
    come(time)
    assert not Due.objects.filter(table=table).exists()
    act(table, people[0], "bid")
    assert Due.objects.filter(table=table).exists()


def test_others_cannot_touch_a_promise(people, time):
    anna, ben, cleo = people
    table = table_of(people)
    managing.make(table.pk, ben, p.PassUntil())
    post = f"/table/{table.pk}/promises/"
    answer = browser(anna).post(post, {"do": "withdraw", "number": 1})
    assert answer.status_code == 422
    stranger = get_user_model().objects.create_user("dora")
    answer = browser(stranger).post(post, {"kind": "pass", "until": "round"})
    assert answer.status_code == 403
    assert Standing.objects.get().state == Standing.State.STANDING
    del cleo


# taking back


def test_taking_back_what_a_promise_did_ends_it_for_good(people, time):
    anna, ben, cleo = people
    table = table_of(people, undo="free")
    managing.make(table.pk, ben, p.PassUntil(heedless=True))
    act(table, anna, "pass")
    come(time)
    assert kinds(table) == ["pass", "pass"]
    undo = {"type": "undo", "entity": 1, "entity_type": "player"}
    tables.submit(table.pk, anna, undo, None)
    assert now_of(table).version == 2  # it is asked of everybody: ben's pass is in an auction
    for who in (ben, cleo):
        tables.answer(table.pk, who, True)
    assert now_of(table).version == 3
    come(time)
    row = Standing.objects.get()
    assert (row.state, row.why) == (Standing.State.STOPPED, "What it did was taken back.")
    assert now_of(table).version == 3
    tables.submit(table.pk, anna, {**undo, "type": "redo"}, None)
    come(time)
    assert Standing.objects.get().state == Standing.State.STOPPED


def test_an_auction_is_gone_back_over_only_with_everybodys_consent(people, time):
    """Whether anybody had promised anything: asking must not tell."""
    anna, ben, cleo = people
    table = table_of(people, undo="free")
    act(table, anna, "bid")
    act(table, ben, "bid")
    undo = {"type": "undo", "entity": 1, "entity_type": "player", "action_id": 0}
    assert tables.submit(table.pk, anna, undo, None).version == 2
    assert Deal.objects.get(now=True).waiting == [2, 3]
    mine = {"type": "undo", "entity": 2, "entity_type": "player"}
    assert tables.submit(table.pk, ben, mine, None).version == 3  # his own bid alone
    del cleo


def test_a_pass_by_which_somebody_won_is_taken_back_only_by_consent(people, time):
    """Under the usual policy, too: going back would raise the price of a sealed bid."""
    anna, ben, cleo = people
    table = table_of(people)
    assert table.undo == Table.Undo.OWN
    item = choose(table, "bid").company
    managing.make(table.pk, ben, p.BidUpTo(limit=100, company=item))
    act(table, anna, "bid")
    come(time)
    act(table, cleo, "pass")
    act(table, anna, "pass")
    game = tables.open_game(now_of(table)).game
    assert game.state.companies[item].owner == "player:2"
    before = now_of(table).version
    undo = {"type": "undo", "entity": 1, "entity_type": "player"}
    assert tables.submit(table.pk, anna, undo, None).version == before
    assert Deal.objects.get(now=True).waiting == [2, 3]
    for who in (ben, cleo):
        tables.answer(table.pk, who, True)
    come(time)
    assert now_of(table).version == before + 1  # it stands no more: nothing is bid again
    assert Standing.objects.get().state == Standing.State.STOPPED


# seats


def test_a_promise_goes_with_its_player(people, time):
    anna, ben, _ = people
    table = table_of(people)
    managing.make(table.pk, ben, p.PassUntil(heedless=True))
    changing.leave(table.pk, ben)
    dora = get_user_model().objects.create_user("dora")
    changing.take(table.pk, dora, 2)
    act(table, anna, "bid")
    come(time)
    assert kinds(table) == ["bid"]
    assert "pass until" not in browser(dora).get(f"/table/{table.pk}/promises/").content.decode()
    assert Standing.objects.get().body == "{}"


def test_a_promise_rests_while_a_bot_plays(people, time, asleep):
    anna, ben, _ = people
    table = table_of(people)
    managing.make(table.pk, ben, p.PassUntil(heedless=True))
    changing.substitute(table.pk, ben)
    act(table, anna, "bid")
    come(time)
    assert kinds(table) == ["bid"]
    changing.come_back(table.pk, ben)
    come(time)
    assert kinds(table) == ["bid", "pass"]


# programs, forms, pages


def test_a_program_that_is_sent_is_a_promise_and_no_action(people, time):
    anna, ben, _ = people
    table = table_of(people)
    sent = {"type": "program_share_pass", "entity": 2, "entity_type": "player",
            "unconditional": True}  # fmt: skip
    form = {"action": json.dumps(sent), "version": 0}
    assert browser(ben).post(f"/table/{table.pk}/act/", form).status_code == 302
    assert now_of(table).version == 0
    assert Standing.objects.get().place.number == 2
    assert [x.type for x in managing.programs(table, ben)] == ["program_share_pass"]
    act(table, anna, "bid")
    come(time)
    assert kinds(table) == ["bid", "pass"]
    off = {"type": "program_disable", "entity": 2, "entity_type": "player"}
    tables.submit(table.pk, ben, off, None)
    assert Standing.objects.get().state == Standing.State.WITHDRAWN
    with pytest.raises(tables.Forbidden):
        tables.submit(table.pk, anna, sent, None)


def test_my_own_file_has_my_promises_and_nobody_elses_has(people, time):
    anna, ben, _ = people
    table = table_of(people)
    managing.make(table.pk, ben, p.PassUntil())
    address = f"/table/{table.pk}/file/"
    whole = json.loads(browser(ben).get(f"{address}?promises=1").content)
    assert [a["type"] for a in whole["actions"]] == ["program_share_pass"]
    for eyes, query in ((ben, ""), (anna, "?promises=1"), (anna, "")):
        assert not json.loads(browser(eyes).get(address + query).content)["actions"]


FORMS = [
    {"kind": "bid", "limit": "60", "thing": "company:PSM", "start": "1", "leave": "1"},
    {"kind": "pass", "until": "all", "heedless": "1"},
    {"kind": "buy", "corporation": "A&S", "until": "60", "source": "market", "at_most": "90"},
    {"kind": "pass_for", "round": "MR", "company": "A&S"},
    {"kind": "agree", "yes": "no", "type": "buy_train", "from_price": "10"},
]


@pytest.mark.parametrize("form", FORMS, ids=lambda f: f["kind"])
def test_forms_make_promises_and_withdraw_them(people, form, time):
    _, ben, _ = people
    table = table_of(people)
    page, post = browser(ben), f"/table/{table.pk}/promises/"
    assert page.post(post, {**form, "from": "promises"}).status_code == 302
    row = Standing.objects.get()
    assert row.text in page.get(post).content.decode().replace("&amp;", "&").replace("&#x27;", "'")
    page.post(post, {"do": "withdraw", "number": 1})
    assert Standing.objects.get().state == Standing.State.WITHDRAWN


@pytest.mark.parametrize("form", [
    {}, {"kind": "dance"}, {"kind": "bid"}, {"kind": "bid", "limit": "5", "thing": "x:y"},
    {"kind": "buy", "corporation": "nowhere"}, {"kind": "run", "company": "A&S"},
    {"kind": "order", "what": "moon"}, {"kind": "pass", "until": "never"},
    {"kind": "pass_for", "round": "XX"}, {"kind": "agree", "type": "everything"},
])  # fmt: skip
def test_a_form_that_makes_no_sense_is_refused(people, form, time):
    table = table_of(people)
    answer = browser(people[1]).post(f"/table/{table.pk}/promises/", form)
    assert answer.status_code == 422
    assert not Standing.objects.exists()


def test_a_turn_is_planned_step_by_step(people, time):
    anna, ben, _ = people
    table = table_of(people)
    page, address = browser(ben), f"/table/{table.pk}/plan/"
    text = page.get(address).content.decode()
    step = re.search(r'<option value="({[^"]*bid[^"]*})"', text)[1].replace("&quot;", '"')
    text = page.post(address, {"steps": "[]", "step": step, "price": "35"}).content.decode()
    assert "for $35" in text
    raw = re.search(r'name="steps" value="([^"]*)"', text)[1].replace("&quot;", '"')
    assert page.post(address, {"steps": raw, "step": step}).status_code == 422
    assert page.post(address, {"steps": raw, "do": "promise"}).status_code == 302
    act(table, anna, "pass")
    come(time)
    last = tables.open_game(now_of(table)).game.log[-1].action
    assert (last.type, last.price, last.entity) == ("bid", 35, 2)


def test_at_one_screen_nothing_is_promised(hotseat, user):
    with pytest.raises(tables.Refused):
        managing.make(hotseat.pk, user, p.PassUntil())
    assert not Due.objects.exists()


def test_only_so_much_stands(people, time):
    table = table_of(people)
    for _ in range(managing.MOST):
        managing.make(table.pk, people[1], p.PassUntil())
    with pytest.raises(tables.Refused, match="at once"):
        managing.make(table.pk, people[1], p.PassUntil())
    assert Place.objects.get(number=2).promises.count() == managing.MOST


@override_settings(PROMISES_WAIT=(0.0, 0.0))
def test_the_wait_may_be_set(people, time):
    table = table_of(people)
    act(table, people[0], "bid")
    assert Due.objects.get(table=table).at == time.at
