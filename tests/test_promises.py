"""Promises: what each does, and that none ever does what is illegal or another player's."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

import roundhouse
from roundhouse import promises as p
from roundhouse import selfplay
from roundhouse.dealing import concerned
from roundhouse.deciding import decides
from roundhouse.model.actions import Bid, Choose, Merge, Pass
from roundhouse.model.errors import IllegalAction
from roundhouse.promises.disturbance import disturbance
from roundhouse.promises.kinds import Held
from roundhouse.promises.situation import Situation
from roundhouse.titles.title import all_titles

from reference import GAMES

OWN = sorted(GAMES.glob("*/*.json"))
TITLES = list(all_titles())


def fresh(title="1817", seed=1, count=3):
    return roundhouse.new(title, players=["Ada", "Ben", "Cleo", "Dora"][:count], seed=seed)


def kept(promise, game, owner):
    return p.keep(p.hold(promise, game, owner), game)


def owner_of(game):
    return next(iter(decides(game, game.acting[0])))


# nothing illegal, nothing of anybody else's


def some_promise(game, owner, rng):
    """Any promise somebody might think of."""
    s = game.state
    corporations = list(s.corporations)
    things = [
        {},
        *({"company": c} for c in s.companies),
        *({"corporation": c} for c in s.corporations),
    ]
    yes = lambda: rng.random() < 0.5  # noqa: E731
    match rng.randrange(7):
        case 0:
            limit = rng.choice([0, 20, 60, 150, 400])
            return p.BidUpTo(
                limit=limit, start=yes(), leave=yes(), rest=yes(), **rng.choice(things)
            )
        case 1:
            until = rng.choice(["once", "round", "all"])
            return p.PassUntil(until=until, heedless=yes(), surcharge=rng.choice([None, 10]))
        case 2:
            few = tuple(rng.sample(corporations, k=min(len(corporations), rng.choice([0, 3]))))
            where = dict.fromkeys(("OR", "MR", "AR", "SR"), few)
            return p.PassFor(where=where, minors=yes(), until_another=yes(), lasting=yes())
        case 3:
            return p.BuyUntil(
                corporation=rng.choice(corporations), until=rng.choice(["float", "gone", 60]),
                source=rng.choice(["any", "market", "treasury"]), then_pass=yes(), heedless=yes(),
                at_most=rng.choice([None, 90]),
            )  # fmt: skip
        case 4:
            return some_order(game, rng, corporations)
        case 5:
            at = Situation(game, owner)
            led = (c for c in corporations if s.corporations[c].president == owner)
            found = (p.as_last(at, c, rest=yes()) for c in led)
            return next((one for one in found if one is not None), p.Agree(yes=yes()))
    return some_plan(game, owner, rng)


def some_order(game, rng, corporations):
    choices = [c for c in game.choices() if c.enumerable]
    if not choices:
        return p.PassUntil()
    whats = ["price", "treasury", "trains", "loans", "cash", "holding", "worth"]
    when = tuple(
        p.Condition(
            what=rng.choice(whats), is_=rng.choice(["<=", ">=", "="]),
            amount=rng.choice([0, 1, 60, 100, 500]), of=rng.choice(corporations),
        )
        for _ in range(rng.randrange(3))
    )  # fmt: skip
    return p.Order(do=rng.choice(choices).sample(rng), when=when)


def some_plan(game, owner, rng):
    ahead = p.next_turn(game, owner)
    if ahead is None:
        return p.PassUntil()
    twin, actions = ahead.copy(), []
    for _ in range(3):
        choices = [c for c in Situation(twin, owner).choices if c.enumerable]
        if not choices:
            break
        actions.append(rng.choice(choices).sample(rng))
        twin.apply(actions[-1])
    return p.plan_of(tuple(actions), Situation(ahead, owner)) if actions else p.PassUntil()


@pytest.mark.parametrize("title", TITLES)
def test_promises_do_only_what_is_legal_and_their_owners(title):
    rng = Random(title)
    game = fresh(title, seed=3)
    standing: list[Held] = []
    acts = 0
    for _ in range(220):
        if game.finished:
            break
        for owner in game.state.order:
            if rng.random() < 0.2:
                promise = some_promise(game, owner, rng)
                assert p.decode(p.encode(promise)) == promise
                assert p.told(promise, game)
                standing.append(p.hold(promise, game, owner))
        before = game.state
        verdicts = [(held, p.keep(held, game)) for held in standing]
        assert game.state is before
        standing = [held for held, v in verdicts if isinstance(v, p.Wait)]
        act = next(((h, v) for h, v in verdicts if isinstance(v, p.Act)), None)
        for held, verdict in verdicts:
            if isinstance(verdict, p.Act):
                a = verdict.action
                assert decides(game, a.actor) == {held.owner}
                assert set(concerned(game.rules, game.state, a)) <= {held.owner}
                assert game.why_not(a) is None
                assert verdict.why
        if act is None:
            game.apply(selfplay.lively(game, game.choices(), rng))
            continue
        held, verdict = act
        acts += 1
        game.apply(verdict.action)
        if verdict.then is not None:
            standing.append(msgspec.structs.replace(held, promise=verdict.then))
    assert acts > 5


# sealed bids


def bids_of(path):
    """The bids of a game, each with the game before it and after it."""
    game = roundhouse.load(path)
    before = 0
    for entry in game.history:
        if isinstance(entry.action, Bid):
            yield game.at(before), entry.action
        before = entry.action.id


@pytest.mark.parametrize("path", OWN, ids=lambda f: f"{f.parent.name}-{f.stem}")
def test_a_sealed_limit_bids_as_people_did_and_never_beyond(path):
    """In every form of auction our games have: where somebody bid, a limit of so much bids too, no
    more than that; a lower limit than the least bid does not."""
    for game, action in bids_of(path):
        owner = action.actor
        at = Situation(game, owner)
        item = {n: getattr(action, n) for n in ("company", "corporation", "minor")}
        lot = at.lot(next((v for v in item.values() if v), None))
        if lot is not None and lot.bids and lot.bids[-1][0] == owner:
            continue  # he raised himself
        limit = at.cost(action)
        verdict = kept(p.BidUpTo(limit=limit, start=True, **item), game, owner)
        assert isinstance(verdict, p.Act), (action, verdict)
        assert isinstance(verdict.action, Bid)
        assert at.cost(verdict.action) <= limit
        assert {n: getattr(verdict.action, n) for n in item} == item
        least = at.cost(verdict.action)
        if least > 0:
            refused = kept(p.BidUpTo(limit=least - 1, start=True, **item), game, owner)
            assert not (isinstance(refused, p.Act) and isinstance(refused.action, Bid))


@pytest.mark.parametrize("title", TITLES)
def test_our_games_hold_every_form_of_auction(title):
    """So that the test above is about all of them."""
    games = [roundhouse.load(path) for path in OWN if path.parent.name == title]
    plays = [play for game in games for play in game.rules.rounds.values()]
    forms = {step.name for play in plays for step in play.sequence if Bid in step.takes}
    seen = set()
    for game in games:
        before = game.start
        for entry in game.history:
            if isinstance(entry.action, Bid):
                seen.add(before.step)
            before = entry.state
    assert seen == forms


def run_out(game, standing):
    """Let promises and passes go on until one thing is sold."""
    sold = 0
    while not sold:
        for n, held in enumerate(standing):
            verdict = p.keep(held, game)
            if isinstance(verdict, p.Act):
                game.apply(verdict.action)
                if verdict.then is None:
                    del standing[n]
                break
        else:
            actor = game.acting[0]
            passes = [c.action for c in game.choices() if isinstance(c.action, Pass)]
            game.apply(next(a for a in passes if a.actor == actor))
        sold = sum(e.__class__.__name__ == "AuctionWon" for e in game.log[-1].events)
    return next(e for e in game.log[-1].events if e.__class__.__name__ == "AuctionWon")


def test_of_two_sealed_bids_the_higher_wins_for_little_more_than_the_lower():
    game = fresh()
    item = next(c.action.company for c in game.choices() if isinstance(c.action, Bid))
    limits = {"player:1": 45, "player:2": 100, "player:3": 60}
    standing = [
        p.hold(p.BidUpTo(limit=n, company=item, start=True), game, who) for who, n in limits.items()
    ]
    won = run_out(game, standing)
    assert won.who == "player:2"
    assert 60 <= won.price <= 65


def test_a_sealed_bid_does_not_begin_unless_it_was_told_to():
    game = fresh()
    bid = next(c.action for c in game.choices() if isinstance(c.action, Bid))
    assert isinstance(kept(p.BidUpTo(limit=100, company=bid.company), game, "player:1"), p.Wait)
    started = kept(p.BidUpTo(limit=100, company=bid.company, start=True), game, "player:1")
    assert isinstance(started, p.Act)
    assert started.action.price == bid.price


def test_who_leads_does_not_raise_himself_and_may_pass():
    game = fresh("1828")
    bid = next(c.action for c in game.choices() if isinstance(c.action, Bid) and c.domains)
    game.apply(bid)
    while owner_of(game) != bid.actor:
        game.apply(next(c.action for c in game.choices() if isinstance(c.action, Pass)))
    if not any(c.covers(bid) for c in game.choices()) and game.state.round.bids:
        wait = p.BidUpTo(limit=900, company=bid.company)
        assert isinstance(kept(wait, game, bid.actor), p.Wait)
        rest = kept(p.BidUpTo(limit=900, company=bid.company, rest=True), game, bid.actor)
        assert isinstance(rest.action, Pass)


def test_a_sealed_bid_says_who_won():
    game = fresh()
    bid = next(c.action for c in game.choices() if isinstance(c.action, Bid))
    held = p.hold(p.BidUpTo(limit=10, company=bid.company), game, "player:3")
    game.apply(bid)
    for _ in range(2):
        game.apply(next(c.action for c in game.choices() if isinstance(c.action, Pass)))
    verdict = p.keep(held, game)
    assert isinstance(verdict, p.Stopped)
    assert verdict.why.startswith("Ada won it for")


# passing and buying


def positions(path, kind):
    """Games right before actions of a type, with the action."""
    game = roundhouse.load(path)
    before = 0
    for entry in game.history:
        if entry.action.type == kind:
            yield game.at(before), entry.action
        before = entry.action.id


MERGERS = GAMES / "1817" / "base.json"


def test_passing_ends_with_what_concerns_the_player():
    found = 0
    for game, action in positions(MERGERS, "sell_shares"):
        for owner in game.state.order:
            if owner == action.actor or not action.actor.startswith("player:"):
                continue
            held = p.hold(p.PassUntil(until="all"), game, owner)
            heedless = p.hold(p.PassUntil(until="all", heedless=True), game, owner)
            after = game.copy()
            after.apply(action)
            if game.state.players[owner].bankrupt:
                continue
            verdict = p.keep(held, after)
            assert isinstance(verdict, p.Stopped)
            assert "sold" in verdict.why
            still = p.keep(heedless, after)
            assert not isinstance(still, p.Stopped) or "decide" in still.why
            found += 1
    assert found


def test_what_a_player_does_himself_does_not_concern_him():
    for game, action in positions(MERGERS, "sell_shares"):
        after = game.copy()
        since = max((e.action.id or 0 for e in game.history), default=0)
        after.apply(action)
        assert disturbance(Situation(after, action.actor), since) is None


def test_passing_lasts_as_long_as_was_said():
    game = fresh("1828")
    first = owner_of(game)
    once = kept(p.PassUntil(until="once"), game, first)
    assert isinstance(once.action, Pass)
    assert once.then is None
    again = kept(p.PassUntil(), game, first)
    assert again.then == p.PassUntil()
    other = next(o for o in game.state.order if o != first)
    assert isinstance(kept(p.PassUntil(), game, other), p.Wait)


def test_buying_goes_on_until_it_is_reached():
    done = {"bought": 0, "reached": 0, "dear": 0}
    for path in (MERGERS, GAMES / "18Ireland" / "base.json"):
        for game, action in positions(path, "buy_shares"):
            owner = action.actor
            symbol = action.shares[0].rpartition("_")[0]
            if not owner.startswith("player:") or game.state.step != "stock turn":
                continue
            if not game.state.round.idle:
                continue
            verdict = kept(p.BuyUntil(corporation=symbol), game, owner)
            if isinstance(verdict, p.Act):
                assert verdict.action.shares[0].startswith(f"{symbol}_")
                done["bought"] += 1
            held = game.state.corporations[symbol].held(owner)
            if held > 0:
                reached = kept(p.BuyUntil(corporation=symbol, until=held), game, owner)
                assert isinstance(reached, p.Stopped)
                assert f"{held} %" in reached.why
                done["reached"] += 1
                passing = p.BuyUntil(corporation=symbol, until=held, then_pass=True)
                then = kept(passing, game, owner)
                assert isinstance(then, p.Act)
                assert then.then == p.PassUntil()
            dear = kept(p.BuyUntil(corporation=symbol, at_most=1), game, owner)
            assert isinstance(dear, p.Stopped)
            done["dear"] += "costs" in dear.why
    assert all(done.values()), done


def test_a_condition_is_waited_for():
    game, action = next(positions(MERGERS, "buy_shares"))
    owner, symbol = action.actor, action.shares[0].rpartition("_")[0]
    price = game.rules.price(game.state, symbol)
    low = p.Condition(what="price", is_="<=", amount=price - 1, of=symbol)
    high = p.Condition(what="price", is_="<=", amount=price, of=symbol)
    assert isinstance(kept(p.Order(do=action, when=(low,)), game, owner), p.Wait)
    verdict = kept(p.Order(do=action, when=(high,)), game, owner)
    assert verdict.action.shares == action.shares
    other = next(o for o in game.state.order if o != owner)
    assert isinstance(kept(p.Order(do=action, when=(high,)), game, other), p.Wait)
    gone = p.Condition(what="price", is_="<=", amount=1, of="nowhere")
    assert isinstance(kept(p.Order(do=action, when=(gone,)), game, owner), p.Stopped)
    assert "at most" in p.told(p.Order(do=action, when=(high,)), game)


def test_another_of_equal_certificates_is_as_good():
    """By the time it is one's turn the certificate that was named may be somebody else's."""
    for game, action in positions(MERGERS, "buy_shares"):
        symbol, _, index = action.shares[0].rpartition("_")
        certs = game.state.corporations[symbol].certs
        held = [c for h, cs in certs.items() if h in game.state.players for c in cs]
        taken = next((c for c in held if c.index not in (0, int(index)) and c.percent > 0), None)
        if taken is None or not action.actor.startswith("player:") or index == "0":
            continue
        other = msgspec.structs.replace(action, shares=(f"{symbol}_{taken.index}",), percent=None)
        verdict = kept(p.Order(do=other), game, action.actor)
        if isinstance(verdict, p.Act):
            assert verdict.action.shares[0].startswith(f"{symbol}_")
            return
    pytest.fail("there was no such position")


# operating


def test_running_as_last_time_while_nothing_has_changed():
    acts, stops = 0, set()
    for path in (MERGERS, GAMES / "1828" / "base.json"):
        made: dict[str, Held] = {}
        game = roundhouse.load(path)
        before = 0
        for entry in game.history:
            at = game.at(before)
            action = entry.action
            if action.type == "run_routes" and action.actor in made:
                verdict = p.keep(made[action.actor], at)
                if isinstance(verdict, p.Act):
                    assert verdict.action.type == "run_routes"
                    ran = at.copy()
                    ran.apply(verdict.action)
                    acts += 1
                else:
                    assert isinstance(verdict, p.Stopped)
                    stops.add(verdict.why.partition(" ")[0])
            before = action.id
            if action.type == "dividend":
                now = game.at(before)
                leader = now.state.corporations.get(action.actor)
                if leader is not None and leader.president is not None:
                    made_now = p.as_last(Situation(now, leader.president), action.actor)
                    if made_now is not None:
                        made[action.actor] = p.hold(made_now, now, leader.president)
    assert acts
    assert stops


def test_a_run_is_not_repeated_by_who_does_not_lead():
    game, action = next(positions(MERGERS, "dividend"))
    game = game.copy()
    game.apply(action)
    leader = game.state.corporations[action.actor].president
    other = next(o for o in game.state.order if o != leader)
    assert p.as_last(Situation(game, other), action.actor) is None
    promise = p.as_last(Situation(game, leader), action.actor)
    assert isinstance(kept(promise, game, other), p.Stopped)


def test_a_company_passes_where_it_was_told_to():
    count = 0
    for game, action in positions(MERGERS, "pass"):
        if action.entity_type != "corporation":
            continue
        short = game.rules.play(game.state).short
        owner = owner_of(game)
        verdict = kept(p.PassFor(where={short: (str(action.entity),)}), game, owner)
        if isinstance(verdict, p.Act):
            count += 1
            assert verdict.action.type == "pass"
        elsewhere = kept(p.PassFor(where={"nowhere": ()}), game, owner)
        assert not isinstance(elsewhere, p.Act)
        other = kept(p.PassFor(where={short: ("nobody",)}), game, owner)
        assert not isinstance(other, p.Act)
    assert count > 5


# plans


def test_a_planned_turn_is_done_as_a_whole_or_not_at_all():
    game = fresh("1828")
    second = game.state.order[1]
    ahead = p.next_turn(game, second)
    at = Situation(ahead, second)
    bid = next(c.action for c in at.choices if isinstance(c.action, Bid))
    plan = p.plan_of((bid,), at)
    held = p.hold(plan, game, second)
    assert isinstance(p.keep(held, game), p.Wait)
    verdict = p.keep(held, ahead)
    assert (verdict.action, verdict.then) == (bid, None)
    # somebody has bid more meanwhile
    spoiled = game.copy()
    theirs = next(c.action for c in spoiled.choices() if c.action.type == "bid"
                  and c.action.company == bid.company)  # fmt: skip
    spoiled.apply(theirs)
    assert isinstance(p.keep(held, spoiled), p.Stopped)


def test_a_plan_that_cannot_be_is_refused_with_the_step():
    game = fresh("1828")
    first = owner_of(game)
    bid = next(c.action for c in game.choices() if isinstance(c.action, Bid))
    with pytest.raises(IllegalAction, match="Step 2"):
        p.plan_of((bid, bid), Situation(game, first))


def test_a_plan_ends_where_it_would_cost_another_amount():
    for game, action in positions(MERGERS, "lay_tile"):
        owner = owner_of(game)
        plan = p.plan_of((action,), Situation(game, owner))
        assert isinstance(kept(plan, game, owner), p.Act)
        dearer = msgspec.structs.replace(plan, costs=(plan.costs[0] - 20,))
        verdict = kept(dearer, game, owner)
        assert isinstance(verdict, p.Stopped)
        assert "as planned" in verdict.why
        return


# answers and programs


def test_answers_ahead():
    game, action = next(
        (g, a)
        for path in OWN
        for g, a in positions(path, "buy_train")
        if len(concerned(g.rules, g.state, a)) > 1
    )
    price, kind = action.price, game.state.trains[action.train].kind
    assert p.answer(p.Agree(yes=True), game, action) is True
    assert p.answer(p.Agree(yes=False, types=("buy_train",)), game, action) is False
    assert p.answer(p.Agree(yes=True, types=("merge",)), game, action) is None
    assert p.answer(p.Agree(yes=True, about=kind, from_=price), game, action) is True
    assert p.answer(p.Agree(yes=True, about=action.train, from_=price + 1), game, action) is None
    assert p.answer(p.Agree(yes=True, up_to=price - 1), game, action) is None
    assert isinstance(kept(p.Agree(yes=True), game, owner_of(game)), p.Wait)


def test_answers_ahead_look_at_what_is_to_follow():
    game = fresh("1828")
    a, b, *_ = game.state.corporations
    merge = Merge(entity=a, entity_type="corporation", corporation=b)
    both = Choose(entity=1, entity_type="player", choice=a, auto_actions=(merge,))
    assert p.answer(p.Agree(yes=True, about=b), game, both) is True


PROGRAMS = [
    p.PassUntil(),
    p.PassUntil(until="all", heedless=True),
    p.PassUntil(heedless=True, surcharge=20),
    p.PassFor(where={"MR": ("A",), "AR": ()}, until_another=True),
    p.PassFor(where={"OR": ()}, doing=("lay_tile", "convert"), minors=True, lasting=True),
    p.BidUpTo(limit=60, corporation="X", start=True),
]


@pytest.mark.parametrize("promise", PROGRAMS, ids=lambda x: p.told(x, fresh()))
def test_what_the_file_format_knows_goes_there_and_back(promise):
    game = fresh()
    program = p.to_program(promise, game, "player:2")
    assert program.entity == 2
    assert p.from_program(program, game) == promise
    game.apply(program)  # a file may hold it


def test_purchases_go_there_and_back():
    game, action = next(positions(MERGERS, "buy_shares"))
    symbol = action.shares[0].rpartition("_")[0]
    unit = game.state.corporations[symbol].unit
    for until in ("float", 2 * unit):
        promise = p.BuyUntil(corporation=symbol, until=until, source="market", then_pass=True)
        program = p.to_program(promise, game, "player:1" if "player:1" in game.state.players
                               else game.state.order[0])  # fmt: skip
        assert p.from_program(program, game) == promise
    assert p.to_program(p.BuyUntil(corporation=symbol), game, game.state.order[0]) is None


def test_what_is_no_promise_is_refused():
    for raw in ("{", "{}", '{"kind":"dance"}', '{"kind":"bid","limit":-1}',
                '{"kind":"plan","actions":[{"type":"bid"}]}'):  # fmt: skip
        with pytest.raises(msgspec.DecodeError):
            p.decode(raw)
