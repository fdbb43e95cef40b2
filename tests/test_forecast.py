"""What bots expect of games and companies: when a game ends, what companies live on."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

import roundhouse
from openings import of_1839, to_stock
from roundhouse import Game, bots, dealing, selfplay
from roundhouse.bots import floats, forecast, perils, prospects
from roundhouse.bots.decision import Candidate, Reason
from roundhouse.bots.firm import Firm, Plan
from roundhouse.bots.funds import Funds
from roundhouse.bots.future import Future
from roundhouse.bots.judges import shares, trains
from roundhouse.bots.judges.outlook import foreseen
from roundhouse.bots.judges.purse import rationed
from roundhouse.bots.knowledge import Knowledge, knowledge_of
from roundhouse.bots.ledger import Ledger, clock, first_sale, make_ledger, stock_rounds
from roundhouse.bots.mind import Mind
from roundhouse.bots.prices import Quote, risen
from roundhouse.bots.view import View
from roundhouse.model.actions import (
    Bid,
    BuyTrain,
    Convert,
    Dividend,
    Par,
    Pass,
    SellShares,
    Short,
)
from roundhouse.model.records import MARKET, Cert, State
from roundhouse.rounds import machine
from roundhouse.rounds.rules import Rules
from roundhouse.rounds.steps.progress import OperatingProgress, StockProgress
from roundhouse.titles.g1839.state import OperatingRound, StockRound
from roundhouse.titles.title import all_titles, find_title

from reference import GAMES

_ENDLESS = Ledger(9.0, {}, {}, ())


def _running(title: str, seed: int = 5) -> Game:
    """A game in which a company has its first train."""
    game = roundhouse.new(title, ["Ada", "Ben", "Cleo", "Dora"], seed=seed)
    rng = Random(seed)
    while not any(c.cell and c.trains for c in game.state.corporations.values()):
        assert not game.finished
        selfplay.play_on(game, rng, policy=bots.thrifty, actions=1)
    return game


def test_a_price_near_the_top_ends_the_game_soon() -> None:
    game = _running("1828")
    known, s = knowledge_of(game.title), game.state
    runs = next(c for c in s.corporations.values() if c.cell is not None and c.trains)
    top = max(game.rules.box.market.cells.values(), key=lambda c: c.price)
    before = game.rules.box.market.left(top.id)
    near = s.fork()
    near.corporations = {**s.corporations, runs.id: replace(runs, cell=before)}
    assert 0 < clock(game.rules, known, near) <= 1.0
    assert make_ledger(game.rules, known, near).rounds == 1.0
    assert make_ledger(game.rules, known, s).rounds > 4
    assert clock(game.rules, Knowledge(pace={}, typical={}), near) == inf


def test_a_bank_that_empties_ends_the_game() -> None:
    game = _running("18Ireland")
    known, s = knowledge_of(game.title), game.state
    assert any(c.trains for c in s.corporations.values())
    poor, rich = s.fork(), s.fork()
    poor.bank, rich.bank = 100, 3000
    assert clock(game.rules, known, poor) < clock(game.rules, known, rich) < inf
    assert make_ledger(game.rules, known, poor).rounds <= 5


def test_a_bank_that_breaks_ends_the_game_with_the_set() -> None:
    game = _running("18Ireland")
    known, broke = knowledge_of(game.title), game.state.fork()
    broke.bank = 1
    rounds = game.rules.box.phases[broke.phase].operating_rounds
    assert clock(game.rules, known, broke) == game.rules.facts.left_of_set(broke, rounds)


def test_a_bank_that_may_last_beyond_the_set_may_end_the_game_with_the_next_one() -> None:
    game = _running("18Ireland")
    known, s = replace(knowledge_of(game.title), drag=0.0), game.state.fork()
    rounds = game.rules.box.phases[s.phase].operating_rounds
    left = game.rules.facts.left_of_set(s, rounds)
    out = sum(known.typical[t.kind] for t in s.trains.values() if t.owner in s.corporations)
    expected = []
    for times in (left - 1.0, left - 0.5, left, left + 0.5, left + 1.0, left + 2.0):
        s.bank = round(times * out)
        expected.append(clock(game.rules, known, s))
    assert expected[0] == left
    assert expected[2] == left + rounds / 2
    assert expected[4] == left + rounds
    assert expected == sorted(set(expected))


def test_the_whole_dividend_is_kept_for_a_train_that_costs_a_little_more() -> None:
    """18Ireland knows no half dividends: a company with £290 loses much against one with £300."""
    game = roundhouse.new("18Ireland", ["Ada", "Ben", "Cleo", "Dora"], seed=1)
    known = knowledge_of(game.title)
    ledger = Ledger(6.0, {"6H": 0.0}, dict.fromkeys(game.rules.box.trains, inf), ("6H",))
    firm = Firm("GNRI", 10, "100,0,6", 300, 0, ("4H",), 150, 1.0, 3)
    lost = []
    for kept in ((), (0.0, 0.5, 1.0), known.kept):
        plans = forecast.Forecast(game.rules, replace(known, kept=kept))
        rich, less = (plans.plan(replace(firm, cash=cash), ledger) for cash in (300, 290))
        assert rich.bought == ((0, "6H"),)
        lost.append(rich.worth - less.worth)
    assert 0 < lost[0] < lost[1] < lost[2]
    assert lost[2] > 5 * max(1.0, lost[0])


@pytest.mark.parametrize("title", [n for n in all_titles() if knowledge_of(find_title(n)).kept])
def test_what_companies_are_thought_to_keep_is_what_their_dividends_leave(title: str) -> None:
    game, parts = _running(title), {"payout": 0.0, "half": 0.5, "withhold": 1.0}
    rng, offered = Random(5), set[str]()
    while not offered:
        assert not game.finished
        offered = {c.action.kind for c in game.choices() if isinstance(c.action, Dividend)}
        selfplay.play_on(game, rng, policy=bots.thrifty, actions=1)
    assert set(knowledge_of(game.title).kept) == {parts[kind] for kind in offered}


def test_loans_that_pay_a_train_cost_interest_in_the_same_turn() -> None:
    """With $512 a company that owes $20 on each loan at the end of its turn takes five of them for
    a 7-train of $900, and has $12 left."""
    game = roundhouse.new("1817", ["Ada", "Ben", "Cleo", "Dora"], seed=1)
    ledger = Ledger(5.0, {"7": 0.0}, dict.fromkeys(game.rules.box.trains, inf), ("7",), owed=20)
    plans = forecast.Forecast(game.rules, knowledge_of(game.title))
    firm = Firm("ME", 10, "200,0,20", 512, 0, ("4",), 280, 1.0, 2, borrows=10, turn="trains")
    plan = Future(plans, firm, ledger, {}, 0)
    assert plan._shop(0, ["4"], 0.0, 0.0) == 0
    assert (plan.bought, plan.funds.loans, plan.funds.cash) == ([(0, "7")], 5, 12)
    assert game.rules.box.market.price[plan.quote.cell] == 120
    short = replace(firm, borrows=4)
    assert Future(plans, short, ledger, {}, 0).funds.credit() == 4 * 80 < 900 - 512


def _quote(rules: Rules[Any], firm: Firm) -> Quote:
    """The price of a company of 1817, whatever dividends do."""
    return Quote(firm, rules.box.market, Knowledge(pace={}, typical={}), ((0, 0),))


def test_loans_for_a_train_must_be_worth_their_interest() -> None:
    """$200 lacks for a 5-train; three loans at $15 bring it, which is owed for half of six rounds
    and so costs $135 beside; one at $10 brings $90."""
    rules = roundhouse.new("1817", ["Ada", "Ben", "Cleo"], seed=1).rules
    lent = rules.facts.loan_value
    firm = Firm("ME", 5, "100,0,13", 400, 0, ("4",), 200, 1.0, 2, borrows=5)
    quote = _quote(rules, firm)
    assert Funds(firm, quote, lent, 15).dues(200, 6.0) == 3 * 15 * 6 / 2
    assert Funds(firm, quote, lent, 10).dues(90, 4.0) == 10 * 4 / 2
    assert Funds(firm, quote, lent, 10).dues(-5, 4.0) == 0
    assert Funds(firm, quote, 0, 0).dues(90, 4.0) == 0


@pytest.mark.parametrize(
    ("shares", "cost", "then", "cash", "loans"),
    [
        # 0.9 of three shares at 70 less a station: 139, and three loans at 90
        (2, 400, 5, 40 + 139 + 270, 3),
        # five more shares less a station beside, and four loans
        (2, 800, 10, 40 + 139 + 265 + 360, 4),
        # all ten loans, and what is still missing
        (5, 3000, 10, 3000, 10),
    ],
)
def test_new_shares_pay_for_what_a_company_must_have(
    shares: int, cost: int, then: int, cash: int, loans: int
) -> None:
    game = roundhouse.new("1817", ["Ada", "Ben", "Cleo"], seed=1)
    lent = game.rules.facts.loan_value
    firm = Firm("ME", shares, "70,0,10", 40, 0, (), 0, 1.0, 2, borrows=shares)
    funds = Funds(firm, _quote(game.rules, firm), lent, 10, forecast.sizes_of(game.rules))
    assert funds.enlarge(cost)
    assert (funds.shares, funds.cash, funds.loans) == (then, pytest.approx(cash), loans)
    assert funds.quote.price > 0
    assert funds.enlarge(cost) is (then < 10)


def test_a_company_that_would_end_makes_more_shares_in_time() -> None:
    """One of two shares, $90 and a 2-train that rusts when the 4-train comes: four rounds from now
    it has had time to, in the round that comes it is too late. Nobody in 1828 has."""
    game = roundhouse.new("1817", ["Ada", "Ben", "Cleo", "Dora"], seed=1)
    plans = forecast.Forecast(game.rules, knowledge_of(game.title))
    firm = Firm("ME", 2, "70,0,10", 90, 0, ("2",), 60, 1.0, 4, borrows=2)

    def plan(rusts: float) -> Plan:
        rust = dict.fromkeys(game.rules.box.trains, inf) | {"2": rusts}
        ledger = Ledger(9.0, {"2": 0.0, "4": rusts}, rust, ("2", "4"), owed=10)
        return Future(plans, firm, ledger, {}, 9).plan()

    late, soon = plan(4.0), plan(0.5)
    assert (late.dies, [kind for _, kind in late.bought]) == (-1, ["4"])
    assert (soon.dies, soon.bought) == (1, ())
    assert forecast.sizes_of(game.rules) == (2, 5, 10)
    assert forecast.sizes_of(_running("1828").rules) == ()


def _payouts(title: str, kind: str = "") -> Iterator[tuple[Game, State, State, str, int]]:
    """The dividends of the games at hand, all or those of a kind, with what all shares together
    got: by what who has most of them got for his."""
    for file in (GAMES / title).glob("*.json"):
        game = roundhouse.load(file)
        for before, after in pairwise(game.history):
            s, then, who = before.state, after.state, after.action.actor
            if not isinstance(after.action, Dividend) or who not in then.corporations:
                continue
            if kind not in ("", after.action.kind):
                continue
            held = {p: s.corporations[who].held(p) for p in s.players}
            most = max(held, key=lambda p: held[p])
            got = then.players[most].cash - s.players[most].cash
            yield game, s, then, who, got * 100 // held[most]


@pytest.mark.parametrize("title", sorted(p.name for p in GAMES.iterdir()))
def test_what_dividends_are_thought_to_do_to_prices_is_what_they_do(title: str) -> None:
    seen = 0
    for game, s, then, who, paid in _payouts(title):
        market, c = game.rules.box.market, s.corporations[who]
        if not market.price[c.cell or ""] or not market.price[then.corporations[who].cell or ""]:
            continue  # one that is over has no price
        known = replace(knowledge_of(game.title), vague=0.0)
        firm = Firm(who, c.shares, c.cell or "", 0, 0, (), 0, 1.0, 1)
        plan = Future(forecast.Forecast(game.rules, known), firm, _ENDLESS, {}, 0)
        plan.quote.pay(paid)
        assert (plan.quote.cell, plan.quote.drift) == (then.corporations[who].cell, 0), (
            who,
            c.shares,
            paid,
        )
        seen += 1
    assert seen


@pytest.mark.parametrize("title", ["1817", "1828", "1839", "1873", "18Ireland"])
def test_what_companies_are_thought_to_get_of_what_they_pay_out_is_what_they_get(
    title: str,
) -> None:
    """Those without loans: others owe interest in the same turn."""
    shared = set[float]()
    for game, s, then, who, paid in _payouts(title, "payout"):
        c = s.corporations[who]
        if not c.loans and paid:
            own = View(bots.Magnate("quick").mind(game), s, next(iter(s.players)))._own(c)
            got = then.corporations[who].cash - c.cash
            assert got == pytest.approx(own * paid / c.shares, abs=c.shares), (who, own, paid)
            shared.add(own)
    assert len(shared) > 1 or title == "1873"


@pytest.mark.parametrize("title", [n for n in all_titles() if knowledge_of(find_title(n)).sold_out])
def test_what_players_have_all_of_rises_as_plans_think(title: str) -> None:
    """At the end of stock rounds of the games at hand, of companies none of which lies in the
    market."""
    rose = set[bool]()
    for file in (GAMES / title).glob("*.json"):
        game = roundhouse.load(file)
        known, market = knowledge_of(game.title), game.rules.box.market
        for before, after in pairwise(game.history):
            s, then = before.state, after.state
            if not isinstance(s.round, StockProgress) or isinstance(then.round, StockProgress):
                continue
            for c in s.corporations.values():
                now = then.corporations.get(c.id)
                if now is None or not c.floated or not c.cell or not now.cell or c.held(MARKET):
                    continue
                full = sum(max(0, now.held(p)) for p in s.players) >= 100
                high = market.price[c.cell]
                if market.price[risen(known, market, c.cell)] == high:
                    continue
                assert (market.price[now.cell] > high) == full, (file.name, c.id, c.shares)
                rose.add(full)
    assert rose


def test_a_price_does_not_climb_by_dividends_too_small_for_it() -> None:
    game = _running("18Ireland")
    known, s = knowledge_of(game.title), game.state
    known = replace(known, bank=False)
    runs = next(c for c in s.corporations.values() if c.cell is not None and c.trains)
    high = max(game.rules.box.market.cells.values(), key=lambda c: (c.price < 260, c.price))
    rich = s.fork()
    rich.corporations = {**s.corporations, runs.id: replace(runs, cell=high.id)}
    poor = replace(known, typical=dict.fromkeys(known.typical, 20.0))
    assert clock(game.rules, poor, rich) == inf
    assert clock(game.rules, replace(known, typical={"2H": 300.0}), rich) <= 1.0


def test_companies_that_live_on_the_runs_of_others_are_those_of_the_title() -> None:
    game = roundhouse.new("1839", ["Ada", "Ben", "Cleo"], seed=1)
    visits = knowledge_of(game.title).visits
    assert visits is not None
    foreign = game.rules.foreign  # type: ignore[attr-defined]
    assert {k: set(v) for k, v in visits.areas.items()} == {
        k: set(facts.hexes) for k, facts in foreign.items()
    }
    assert visits.part * 100 == game.rules.constants.income_percent  # type: ignore[attr-defined]


def test_who_lives_on_the_runs_of_others_earns_more_by_better_trains() -> None:
    game = roundhouse.new("1839", ["Ada", "Ben", "Cleo"], seed=1)
    plans = forecast.Forecast(game.rules, knowledge_of(game.title))
    firm = Firm("BRUSS", 10, "94,5,3", 0, 0, (), 0, 1.0, 0, visited=(30.0, 2800.0, 1.0))
    soon = Ledger(5.0, {"FLOOD": 1.0}, {}, ("FLOOD",))
    late = Ledger(5.0, {"7D": 0.0, "FLOOD": 9.0}, {}, ("7D", "FLOOD"))
    nobody = replace(firm, visited=(0.0, 0.0, 0.0))
    assert plans.plan(firm, soon).paid > 20 * plans.plan(firm, late).paid > 0
    assert plans.plan(nobody, late).paid == 0
    assert plans.plan(nobody, late).price < 94 < plans.plan(firm, late).price
    seldom = replace(firm, visited=(30.0, 2800.0, 0.5))
    assert plans.plan(seldom, late).price < plans.plan(firm, late).price


def test_companies_float_in_turn_with_the_money_there_is() -> None:
    game = roundhouse.new("1839", ["Ada", "Ben", "Cleo", "Dora"], seed=1)
    known = knowledge_of(game.title)
    first, second = (game.state.corporations[k] for k in ("NBDS", "SS"))
    game = _parred(game, first.id, 790)
    one = View(Mind(game.rules, known, 100), game.state, game.state.acting[0])
    alone = floats.hope(one, game.state, game.state.corporations[first.id])
    assert floats.missing(one, game.state, game.state.corporations[first.id]) == 4
    both = _parred(game, second.id, 670).state
    poor = both.fork()
    poor.players = {k: replace(p, cash=60) for k, p in both.players.items()}
    later, sooner = (floats.hope(one, poor, poor.corporations[k]) for k in (first.id, second.id))
    assert later < min(alone, sooner)


def _parred(game: roundhouse.Game, symbol: str, most: int) -> roundhouse.Game:
    """The same with one more company begun, in the first stock round."""
    to_stock(game)
    pars = [c.action for c in game.choices() if isinstance(c.action, Par)]
    prices = game.rules.box.market.price
    asked = [a for a in pars if a.corporation == symbol and 10 * prices[a.share_price] <= most]
    game.apply(max(asked, key=lambda a: prices[a.share_price]))
    while game.state.acting == game.history[-1].state.acting and game.history[-1].action in asked:
        game.apply(next(c.action for c in game.choices() if isinstance(c.action, Pass)))
    return game


def test_where_money_is_short_what_brings_most_for_it_comes_first() -> None:
    game = to_stock(of_1839())
    known = knowledge_of(game.title)
    view = View(Mind(game.rules, known, 100), game.state, game.state.acting[0])
    offers = [c.action for c in game.choices() if isinstance(c.action, Par)]
    cheap, dear = offers[0], offers[-1]

    def weighed(*costs: float) -> list[float]:
        scores = (300.0, 400.0)
        cash = [Reason("cash", "", -cost) for cost in costs]
        found = [
            Candidate(a, score, (why,))
            for a, score, why in zip((cheap, dear), scores, cash, strict=True)
        ]
        return [c.score for c in rationed(view, found)]

    first, second = weighed(200.0, 400.0)
    assert first > second
    assert weighed(20.0, 40.0) == [300.0, 400.0]


def test_a_second_train_of_a_kind_that_runs_everywhere_adds_nothing() -> None:
    game = roundhouse.new("1839", ["Ada", "Ben", "Cleo"], seed=1)
    plans = forecast.Forecast(game.rules, knowledge_of(game.title))
    assert plans.typical(("FLOOD", "FLOOD")) == plans.typical(("FLOOD",))
    assert plans.typical(("7D", "FLOOD")) > plans.typical(("FLOOD",))


def test_what_a_rusted_train_becomes_is_bought_where_money_is_short() -> None:
    game = roundhouse.new("18Ireland", ["Ada", "Ben", "Cleo"], seed=1)
    known = knowledge_of(game.title)
    firm = Firm("UR", 5, "50,4,2", 60, 0, ("2H",), 60, 1.0, 2)
    rust = dict.fromkeys(game.rules.box.trains, inf) | {"2H": 1.0}
    ledger = Ledger(8.0, {"6H": 0.0}, rust, ("6H",))
    used = forecast.Forecast(game.rules, known).plan(firm, ledger)
    new = forecast.Forecast(game.rules, _without_leftovers(known)).plan(firm, ledger)
    assert "1H'" in {kind for _, kind in used.bought}
    assert used.help < new.help


def _without_leftovers(known: Knowledge) -> Knowledge:
    """The same without what rusted trains become."""
    return replace(known, leftovers={})


def test_what_happens_before_a_company_has_its_turn_counts_for_it() -> None:
    """The first 6H is sold halfway through the round: who has his turn before that runs his 2H
    again, who comes after it has none left, and is offered what it became."""
    game = roundhouse.new("18Ireland", ["Ada", "Ben", "Cleo"], seed=1)
    plans = forecast.Forecast(game.rules, replace(knowledge_of(game.title), vague=0.0))
    rust = dict.fromkeys(game.rules.box.trains, inf) | {"2H": 0.5}
    ledger = Ledger(2.0, {"4H": 0.0, "6H": 0.5}, rust, ("4H", "6H"))
    early = Firm("UR", 5, "50,4,2", 60, 0, ("2H",), 60, 1.0, 2, at=0.25)
    late = replace(early, at=0.75)
    assert plans.plan(early, ledger).income == 60
    assert plans.plan(late, ledger).income == 0
    assert plans.plan(late, ledger).bought[0] == (0, "1H'")

    bare = replace(early, kinds=(), cash=20, supposed=("4H",))
    assert plans.plan(bare, ledger).bought[0] == (0, "4H")
    assert plans.plan(replace(bare, at=0.75), ledger).bought[0] == (0, "1H'")
    assert plans.plan(replace(bare, turn="over", at=-0.75), ledger).bought[0] == (1, "4H")


def test_the_turn_of_a_company_is_told_by_the_order_of_the_round() -> None:
    game = _running("18Ireland")
    rng = Random(5)
    while True:
        m = game.state.round
        if isinstance(m, OperatingProgress) and len(m.order) == 4 and m.index == 1:
            break
        assert not game.finished
        selfplay.play_on(game, rng, policy=bots.thrifty, actions=1)
    view = View(Mind(game.rules, knowledge_of(game.title), 100), game.state, "player:1")

    def turns(s: State) -> list[float]:
        return [view.firm(s, s.corporations[k]).at for k in m.order]

    assert turns(game.state) == [-0.25, 0.0, 0.25, 0.5]
    passed, again = game.state.fork(), game.state.fork()
    passed.round = replace(m, index=3)
    again.round = replace(m, number=m.number + 1, index=0)
    assert turns(passed) == turns(game.state)
    assert turns(again) == [0.75, 1.0, 1.25, 1.5]


def test_a_train_taken_before_it_runs_misses_its_run() -> None:
    """Only from who operates later in the round: of others it has run."""
    game = _running("1839", seed=3)
    seen: set[bool] = set()
    policy, rng = bots.thrifty, Random(3)
    while len(seen) < 2 and not game.finished and len(game) < 900:
        s, m = game.state, game.state.round
        for choice in game.choices():
            a = choice.action
            if not isinstance(a, BuyTrain) or a.train not in s.trains:
                continue
            me = game.rules.president(s, a.actor) or "player:1"
            view = View(Mind(game.rules, knowledge_of(game.title), 200), s, me)
            seller = s.trains[a.train].owner
            after = machine.apply(game.rules, s, a)
            later = seller in m.order[m.index + 1 :]  # type: ignore[attr-defined]
            earns = view.income.now(s, seller) > view.income.now(after, seller)
            holds = s.corporations[seller].held(me) > 0
            missed = trains._missed(view, a, after)
            assert (missed > 0) == (later and earns and holds)
            seen.add(missed > 0)
        selfplay.play_on(game, rng, policy=policy, actions=1)
    assert seen == {True, False}


@pytest.mark.parametrize("title", list(all_titles()))
def test_what_is_known_of_a_title_names_its_trains(title: str) -> None:
    game = roundhouse.new(title, ["Ada", "Ben", "Cleo"], seed=1)
    known, kinds = knowledge_of(game.title), set(game.rules.box.trains)
    named = {*known.pace, *known.typical, *known.alone, *known.leftovers} - {"end"}
    named |= set(known.leftovers.values())
    named |= set(known.visits.everywhere) if known.visits else set()
    assert named <= kinds


def test_a_company_whose_tile_sends_its_token_back_builds_where_it_leads_on() -> None:
    """18Ireland's Ulster Railway begins in Belfast, whose first tile lifts the token."""
    game = roundhouse.new("18Ireland", ["Ada", "Ben", "Cleo", "Dora"], seed=9500)
    magnate, rng = bots.player("magnate", "quick", seed=1), Random(1)
    while "UR" not in game.state.acting or game.state.step != "track":
        game.apply(magnate.choose(game).action)
        assert len(game) < 200
    assert not game.rules.reach(game.state.board, "UR").linked
    while not game.rules.reach(game.state.board, "UR").linked:
        assert game.state.turn < 4, "it reaches another stop by its third turn"
        selfplay.play_on(game, rng, policy=lambda g, c, r: magnate.choose(g, c).action, actions=1)


@pytest.mark.parametrize("seed", [9700, 9703])
def test_an_auction_whose_last_private_nobody_wants_comes_to_its_end(seed: int) -> None:
    """In 1828 it never becomes cheaper: who has money that waits for nothing else takes it."""
    game = roundhouse.new("1828", ["Ada", "Ben", "Cleo", "Dora"], seed=seed)
    magnate = bots.player("magnate", "quick", seed=seed)
    while type(game.state.round).__name__ == "AuctionRound":
        game.apply(magnate.choose(game).action)
        assert len(game) < 300


def test_a_train_that_outlives_the_train_marker_ends_the_game() -> None:
    game = _running("1839")
    known, s = knowledge_of(game.title), game.state
    marked = s.fork()
    marked.train_markers = ("2+", "5D")  # type: ignore[attr-defined]
    left = game.rules.facts.left_of_set(s, 1)
    assert game.rules.facts.deadlines(marked) == ((left, "2+"), (left + 1, "5D"))
    assert game.rules.facts.deadlines(s) == ()
    assert make_ledger(game.rules, known, marked).rounds == max(1.0, left)
    assert make_ledger(game.rules, known, s).rounds > 5


def _with_the_last_train(game: Game) -> State:
    """A position of 1839 in which nothing but the last kind of train is sold, and has been."""
    s = game.state.fork()
    last = replace(s.depot.piles[-1], next=1)
    s.depot, s.phase = replace(s.depot, piles=(last,)), "Black"
    return s


def test_trains_that_stay_for_good_tell_when_the_game_ends() -> None:
    game = _running("1839")
    known, s = knowledge_of(game.title), _with_the_last_train(game)
    size = game.rules.box.phases[s.phase].operating_rounds
    left = game.rules.facts.left_of_set(s, size)
    for markers, more in ((("5D", "7D"), 1), (("7D", "7D"), 0), (("7+", "5D"), 2)):
        s.train_markers = markers  # type: ignore[attr-defined]
        assert make_ledger(game.rules, known, s).rounds == max(1, left + more * size)


def test_companies_that_live_on_the_runs_of_others_end_the_game_by_their_price() -> None:
    game = _running("1839")
    known, s = knowledge_of(game.title), _with_the_last_train(game)
    market = game.rules.box.market
    top = max(market.cells.values(), key=lambda c: c.price)
    far = clock(game.rules, known, s)
    near = {"OVER": replace(s.corporations["OVER"], cell=market.left(market.left(top.id)))}
    s.corporations = {**s.corporations, **near}
    assert clock(game.rules, known, s) == 2.0 < far
    s.depot = game.state.depot
    assert clock(game.rules, known, s) > 2.0


def test_what_was_expected_where_companies_had_less_is_not_expected_where_they_have_more() -> None:
    """What a mind remembers of one position does not pass for that of another."""
    game = _running("1839")
    s = game.state.fork()
    first, second, *later = s.depot.piles
    s.depot = replace(s.depot, piles=(replace(first, left=1, next=first.next + 5), second, *later))
    known = replace(knowledge_of(game.title), peak=False)
    mind, comings = Mind(game.rules, known, 200), []
    for cash in (0, 2_000):
        floated = [c for c in s.corporations.values() if c.floated and c.cell]
        richer = {c.id: replace(c, cash=cash) for c in floated if not known.lives_on_visits(c.id)}
        s.corporations = {**s.corporations, **richer}
        comings.append(mind.ledger(s).arrival[second.kind])
        assert mind.ledger(s) == make_ledger(game.rules, known, s)
        assert mind.ledger(s) is mind.ledger(s)
    assert comings[0] > comings[1]


def test_trains_are_less_likely_gone_in_time_where_few_companies_can_pay_the_next() -> None:
    """1839's train marker, with two trains before the one that would rust those it speaks of."""
    game = _running("1839")
    known, s = knowledge_of(game.title), game.state.fork()
    pile, *later = [p for p in s.depot.piles if p.kind != "2+"]
    few = replace(pile, left=2, next=(game.rules.box.trains[pile.kind].count or 0) - 2)
    s.depot = replace(s.depot, piles=(few, *later))
    runs = next(c for c in s.corporations.values() if c.floated and c.trains)
    s.train_markers = (None, "2+")  # type: ignore[attr-defined]
    mind, rounds = Mind(game.rules, known, 200), []
    everybody = {k: replace(c, floated=True, trains=runs.trains) for k, c in s.corporations.items()}
    nobody = {k: replace(c, floated=False, trains=()) for k, c in s.corporations.items()}
    for companies in (everybody, {**nobody, runs.id: runs}):
        s.corporations = companies
        ledger = mind.ledger(s)
        assert ledger.arrival["5+"] == make_ledger(game.rules, known, s).arrival["5+"]
        rounds.append(ledger.rounds)
    assert rounds[0] > rounds[1]


def test_a_president_passes_up_a_train_for_a_better_one_he_can_pay() -> None:
    game = roundhouse.new("1839", ["Ada", "Ben", "Cleo"], seed=1)
    plans = forecast.Forecast(game.rules, knowledge_of(game.title))
    coming = {"5+": 0.0, "7+": 0.7, "5D": 2.4, "7D": 4.5, "FLOOD": 6.6}
    rust = dict.fromkeys(game.rules.box.trains, inf)
    rust |= {"3+": 0.7, "5+": 2.4, "7+": 4.5, "5D": 6.6}
    ledger = Ledger(7.5, coming, rust, tuple(coming))
    firm = Firm("SS", 10, "83,9,6", 757, 0, ("3+",), 150, 0.74, 4, more=0.3)
    best = plans.plan(firm, ledger)
    assert best.bought[0] == (1, "7+")
    one_more = plans.plan(replace(firm, own=1.0), ledger)
    assert one_more.worth == pytest.approx(best.worth, rel=0.2)
    assert plans.plan(replace(firm, waits=2), ledger).worth <= best.worth


def test_a_company_that_cannot_pay_for_a_train_saves_for_it() -> None:
    game = roundhouse.new("1828", ["Ada", "Ben", "Cleo"], seed=1)
    plans = forecast.Forecast(game.rules, knowledge_of(game.title))
    rust = dict.fromkeys(game.rules.box.trains, inf)
    ledger = Ledger(9.0, {"3+D": 0.0, "6": 8.0}, rust, ("3+D", "6"))
    cell = next(c.id for c in game.rules.box.market.cells.values() if c.price == 100)
    firm = Firm("B&O", 10, cell, 40, 0, ("5",), 160, 0.9, 4)
    poor, rich = plans.plan(firm, ledger), plans.plan(replace(firm, cash=400), ledger)
    assert rich.bought[0] == (0, "3+D")
    assert poor.bought
    assert poor.bought[0][1] == "3+D"
    assert 0 < poor.bought[0][0] <= 3
    assert poor.worth > 0.7 * rich.worth


def test_money_for_a_train_that_must_be_bought_is_not_built_away() -> None:
    game = _running("18Ireland")
    known, s = knowledge_of(game.title), game.state
    runs = next(c for c in s.corporations.values() if c.cell is not None and c.trains)
    me = str(runs.president)
    bare = s.fork()
    bare.corporations = {**s.corporations, runs.id: replace(runs, trains=())}
    bare.players = {**s.players, me: replace(s.players[me], cash=20)}
    view = View(Mind(game.rules, known, 100), bare, me)
    cost = view.first_train
    assert cost == 80
    assert view.needed(runs.id, cost) == 0
    assert view.needed(runs.id, cost - 20) == pytest.approx(known.weights.help * 20)
    assert view.needed(runs.id, cost - 21) > 1000
    assert View(Mind(game.rules, known, 100), s, me).needed(runs.id, 0) == 0


def test_a_network_grows_only_while_there_is_money_for_track() -> None:
    game = roundhouse.new("18Ireland", ["Ada", "Ben", "Cleo", "Dora"], seed=1)
    known = knowledge_of(game.title)
    ledger = Ledger(10.0, {"2H": 0.0}, dict.fromkeys(game.rules.box.trains, inf), ())
    small = Firm("CIR", 5, "50,4,2", 0, 0, ("2H",), 20, 0.5, 1)

    def plan(cash: int, cost: int) -> Plan:
        plans = forecast.Forecast(game.rules, replace(known, building=cost))
        return plans.plan(replace(small, cash=cash), ledger)

    assert plan(0, 0).paid == plan(500, 0).paid
    assert plan(500, 20).paid == plan(500, 0).paid
    assert plan(0, 20).paid == pytest.approx(sum(20 / 5 / 1.05**n for n in range(1, 11)))
    assert plan(0, 20).paid < plan(50, 20).paid < plan(500, 20).paid
    assert known.building > 0


def test_a_share_of_a_company_whose_price_falls_away_is_worth_what_it_still_pays() -> None:
    game = roundhouse.new("18Ireland", ["Ada", "Ben", "Cleo", "Dora"], seed=1)
    plans = forecast.Forecast(game.rules, knowledge_of(game.title))
    ledger = Ledger(10.0, {"2H": 0.0}, dict.fromkeys(game.rules.box.trains, inf), ())
    stuck = Firm("CIR", 5, "24,6,1", 0, 0, ("2H",), 0, 0.0, 1)
    falls = plans.plan(stuck, ledger)
    assert falls.dies == 1  # 24, 20, and off the market
    assert (falls.price, falls.paid) == (0, 0)
    going = plans.plan(replace(stuck, cash=400), ledger)
    assert going.dies < 0
    assert going.worth > 24 > falls.worth


def test_who_may_be_sold_short_to_the_bottom_counts_for_less() -> None:
    game = roundhouse.load(GAMES / "1817" / "base.json").at(300)
    s = game.state
    view = View(bots.Magnate("quick").mind(game), s, next(iter(s.players)))
    at = {cell.price: name for name, cell in game.rules.box.market.cells.items() if cell.price}

    def peril(shares: int, price: int, out: int = 0, coming: int | None = None) -> float:
        shorts = tuple(Cert(20 + n, -100 // shares) for n in range(out))
        held = {"player:1": shorts} if out else {}
        company = replace(s.corporations["A&A"], shares=shares, cell=at[price], certs=held)
        return perils.peril(view, company, at[coming] if coming else "")

    # five shorts bring 60 to the grey zone, and 65 to one step before it
    assert peril(5, 40) == peril(5, 60) > peril(5, 65) > peril(5, 80) > peril(5, 120) == 0
    assert peril(2, 40) == 0
    # ten bring 100 there, but are sold half as often
    assert peril(10, 100) == pytest.approx(0.5 * peril(5, 60))
    # the price of then counts where it is lower
    assert peril(5, 120, coming=60) == peril(5, 60) == peril(5, 60, coming=120)
    # what has been sold short already moves it no more
    assert peril(5, 65, out=3) == pytest.approx(peril(5, 90))
    assert peril(5, 65, out=5) == pytest.approx(peril(5, 110)) == 0


def test_debt_falls_to_who_leads_what_may_be_sold_short_to_the_bottom(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = roundhouse.load(GAMES / "1817" / "base.json").at(300)
    s = game.state
    view = View(bots.Magnate("quick").mind(game), s, next(iter(s.players)))
    company = replace(s.corporations["A&A"], shares=5, loans=4, cash=100, trains=())
    monkeypatch.setattr(perils, "peril", lambda *_: 0.0)
    worth, lead = view.share(s, company)
    monkeypatch.setattr(perils, "peril", lambda *_: 0.25)
    feared, burden = view.share(s, company)
    assert feared == pytest.approx(0.75 * worth)
    assert burden == pytest.approx(0.75 * lead - 0.25 * 300)


def test_how_many_shares_may_be_sold_short_is_told_by_the_rules() -> None:
    most = {}
    for title, options in (("1817", ()), ("1817", ("five_shorts",)), ("1817DE", ()), ("1828", ())):
        game = roundhouse.new(title, ["Ada", "Ben", "Cleo"], seed=1, options=options)
        most[title, options] = [game.rules.facts.most_shorts(n) for n in (2, 5, 10)]
    assert most == {
        ("1817", ()): [0, 5, 10],
        ("1817", ("five_shorts",)): [0, 5, 5],
        ("1817DE", ()): [0, 0, 0],
        ("1828", ()): [0, 0, 0],
    }


def test_a_president_who_cannot_pay_the_interest_that_is_due_is_as_good_as_bankrupt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = roundhouse.load(GAMES / "1817" / "base.json").at(300)
    s = game.state.fork()
    mind = bots.Magnate("quick").mind(game)
    c = next(c for c in s.corporations.values() if c.president and c.shares == 5)
    who = str(c.president)

    def seen(cash: int, loans: int, money: int) -> View:
        s.corporations = {**s.corporations, c.id: replace(c, cash=cash, loans=loans)}
        s.players = {**s.players, who: replace(s.players[who], cash=money)}
        return View(mind, s, who)

    monkeypatch.setattr(mind.income, "now", lambda *_: 0)
    due = seen(0, 1, 0).ledger.owed * c.shares
    assert due == 75
    for cash, taken, missing in (
        (due, c.shares, {}),
        (due - 30, c.shares, {who: 30}),
        (due - 30, c.shares - 1, {}),  # one more loan is enough
    ):
        assert perils.unpaid_interest(seen(cash, taken, 0), s, s.players) == missing
    s.loans_left, c = 0, replace(c, shares=2)
    due = seen(0, 1, 0).ledger.owed
    rich = next(o for o in s.corporations.values() if o.cell is not None and o.id != c.id)
    certs = {who: (Cert(index=0, percent=100),)}
    rich = replace(rich, certs=certs, shares=2, cash=1_000, loans=0)
    others = {k: replace(o, certs={}) for k, o in s.corporations.items()}
    s.corporations = {**others, rich.id: rich}
    able, broke = (seen(0, 1, money).standing[who] for money in (due, due - 1))
    assert 0 < broke < 0.25 * able


@pytest.mark.parametrize(
    ("other", "sold"),
    [
        # nobody could lead it for him: but for the president's certificate he has one share
        ((Cert(index=2, percent=20),), 20),
        # somebody could
        ((Cert(index=2, percent=20), Cert(index=3, percent=20)), 60),
    ],
)
def test_the_presidents_certificate_is_no_money_unless_somebody_can_take_it(
    other: tuple[Cert, ...], sold: int
) -> None:
    game = roundhouse.load(GAMES / "1817" / "base.json").at(300)
    s, (who, heir, *_) = game.state.fork(), game.state.players
    c = next(c for c in s.corporations.values() if c.president and c.shares == 5)
    own = (Cert(index=0, percent=40), Cert(index=1, percent=20))
    c = replace(c, president=who, certs={who: own, heir: other})
    s.corporations = {k: replace(o, certs={}) for k, o in s.corporations.items()} | {c.id: c}
    view = View(bots.Magnate("quick").mind(game), s, who)
    least = s.players[who].cash + 0.5 * sold / 20 * game.rules.price(s, c.id)
    assert perils._liquid(view, s, who) == pytest.approx(least)


def test_dividends_on_what_is_sold_short_must_be_paid(monkeypatch: pytest.MonkeyPatch) -> None:
    game = roundhouse.load(GAMES / "1817" / "base.json").at(300)
    s, who = game.state.fork(), "player:1"
    mind = bots.Magnate("quick").mind(game)
    monkeypatch.setattr(mind.income, "now", lambda *_: 100)
    short, rich = (c for c in s.corporations.values() if c.id in ("A&A", "NYSW"))
    owed = (Cert(index=20, percent=-20), Cert(index=22, percent=-20))
    own = replace(rich, shares=2, cash=1_000, loans=0, certs={who: (Cert(index=0, percent=100),)})
    s.corporations = {
        **{k: replace(c, certs={}) for k, c in s.corporations.items()},
        short.id: replace(short, certs={**short.certs, who: owed}),
        rich.id: own,
    }

    def standing(money: int) -> float:
        s.players = {**s.players, who: replace(s.players[who], cash=money)}
        view = View(mind, s, who)
        assert perils.owed_on_shorts(view, s, who) == 40
        return view.standing[who]

    assert standing(2_000) - standing(40) == pytest.approx(1_960)
    assert 0 < standing(39) < 0.25 * standing(40)


def test_a_company_that_falls_to_the_grey_zone_is_over() -> None:
    game = roundhouse.new("1817", ["Ada", "Ben", "Cleo", "Dora"], seed=1)
    plans = forecast.Forecast(game.rules, knowledge_of(game.title))
    ledger = Ledger(10.0, {"2": 0.0}, dict.fromkeys(game.rules.box.trains, inf), ())
    at = next(n for n, cell in game.rules.box.market.cells.items() if cell.price == 40)
    stuck = Firm("A&S", 5, at, 100, 0, ("2",), 0, 0.0, 1)
    falls = plans.plan(stuck, ledger)
    assert (falls.dies, falls.price) == (0, 0)


def test_trains_a_network_has_no_room_for_are_worth_little_for_long() -> None:
    game = roundhouse.new("1839", ["Ada", "Ben", "Cleo"], seed=1)
    known = knowledge_of(game.title)
    ledger = Ledger(8.0, {"3+": 20.0}, dict.fromkeys(game.rules.box.trains, inf), ())
    roomy = Firm("ZHESM", 10, "94,5,3", 0, 0, ("2+",) * 3, 70, 0.64, 4)
    narrow = replace(roomy, more=0.0)
    soon = replace(known, weights=replace(known.weights, spreading=1.0))

    def paid(firm: Firm, known: Knowledge = known) -> float:
        return forecast.Forecast(game.rules, known).plan(firm, ledger).paid

    assert paid(narrow) < 0.95 * paid(narrow, soon)
    assert paid(roomy) == paid(roomy, soon)


def test_a_conversion_is_seen_with_the_shares_bought_of_it() -> None:
    raw = (Path(__file__).parent / "games" / "1817" / "base.json").read_bytes()
    game = roundhouse.load(raw)
    at = next(n for n, e in enumerate(game.history) if isinstance(e.action, Convert))
    before = game.at(at)
    decision = bots.player(level="quick", seed=1).choose(before)
    found = [c for c in decision.candidates if c.action.type == "convert"]
    assert found
    assert any("in hand" in r.text for c in found for r in c.reasons)


def test_the_first_train_of_a_kind_waits_until_a_company_can_pay_it() -> None:
    game = _running("18Ireland")
    known, s = knowledge_of(game.title), game.state.fork()
    s.depot = replace(s.depot, piles=s.depot.piles[1:])
    runs = next(c for c in s.corporations.values() if c.floated and c.trains)
    waits = []
    for cash in (0, 60, 179, 180):
        others = {k: replace(c, floated=k == runs.id) for k, c in s.corporations.items()}
        s.corporations = {**others, runs.id: replace(runs, cash=cash)}
        waits.append(first_sale(game.rules, known, s))
        assert make_ledger(game.rules, known, s).arrival["4H"] == waits[-1]
    assert waits == sorted(waits, reverse=True)
    assert waits[0] > waits[-1] < 1
    assert first_sale(game.rules, replace(known, patient=False), s) == waits[-1]


def test_stock_rounds_come_after_as_many_operating_rounds_as_the_phase_of_then_has() -> None:
    game = roundhouse.new("1839", ["Ada", "Ben", "Cleo"], seed=1)
    far = dict.fromkeys(game.rules.box.trains, inf) | {"2+": 0.0}
    green, blue = far | {"3+": 2.0}, far | {"3+": 2.0, "5+": 4.0, "7+": 6.0}
    s = game.state.fork()
    s.round = OperatingRound(number=1, order=())
    assert sorted(stock_rounds(game.rules, s, far))[:4] == [0, 1, 2, 3]
    s.round = StockRound(player="player:1")
    assert sorted(stock_rounds(game.rules, s, far))[:4] == [-1, 0, 1, 2]
    assert sorted(stock_rounds(game.rules, s, green))[:6] == [-1, 0, 1, 3, 5, 7]
    assert sorted(stock_rounds(game.rules, s, blue))[:6] == [-1, 0, 1, 3, 5, 8]


@pytest.mark.parametrize("title", ["1817", "1828", "1839", "1873", "18Ireland"])
def test_sets_are_as_long_as_the_phases_that_trains_begin_say(title: str) -> None:
    """In 1873 a phase that no train begins, with sets of three, comes after the first."""
    game = roundhouse.new(title, ["Ada", "Ben", "Cleo"], seed=1)
    s, phases = game.state.fork(), game.rules.box.phases.values()
    s.round = StockRound(player="player:1")
    arrival = dict.fromkeys(game.rules.box.trains, inf)
    for phase in phases:
        if phase.on or phase is next(iter(phases)):
            s.phase = phase.name
            arrival |= dict.fromkeys(phase.on, 0.0)
            after = sorted(stock_rounds(game.rules, s, arrival))
            assert {later - at for at, later in pairwise(after)} == {phase.operating_rounds}


def test_a_president_adds_to_a_train_before_a_high_price_falls() -> None:
    game = roundhouse.new("1828", ["Ada", "Ben", "Cleo", "Dora"], seed=1)
    known, market = knowledge_of(game.title), game.rules.box.market
    ledger = make_ledger(game.rules, known, game.state)
    ledger = replace(
        ledger,
        rounds=2.0,
        arrival=ledger.arrival | {"3": 0.0, "5": 0.6},
        rust=ledger.rust | {"2": 0.6},
        kinds=("5", "3+D"),
    )
    firm = Firm(
        id="PRR", shares=10, cell="353,2,14", cash=143, loans=0, kinds=("2", "2"), income=100,
        quality=0.7, room=4, more=0.5, full=True,
    )  # fmt: skip
    plan = forecast.Forecast(game.rules, known).plan(firm, ledger)
    assert plan.help > 0
    assert plan.worth > market.price[firm.cell]
    low = replace(firm, cell=min(market.price, key=lambda c: market.price[c] or inf))
    assert forecast.Forecast(game.rules, known).plan(low, ledger).help < plan.help


def test_a_company_its_president_can_have_float_now_operates_in_the_next_round() -> None:
    game = roundhouse.new("1828", ["Ada", "Ben", "Cleo", "Dora"], seed=1)
    rng = Random(1)
    while not any(c.cell and not c.floated for c in game.state.corporations.values()):
        selfplay.play_on(game, rng, policy=bots.thrifty, actions=1)
    while not isinstance(game.state.round, StockProgress):
        selfplay.play_on(game, rng, policy=bots.thrifty, actions=1)
    s = game.state
    c = next(c for c in s.corporations.values() if c.cell and not c.floated)
    mind = Mind(game.rules, knowledge_of(game.title), 100)
    found = []
    for cash in (0, 5_000):
        rich = s.fork()
        rich.players = {k: replace(p, cash=cash * (k == c.president)) for k, p in s.players.items()}
        view = View(mind, rich, c.president or "")
        found.append((floats.hope(view, rich, c), view.firm(rich, c).delay))
    (poor, later), (sure, now) = found
    assert poor < sure > 0.9
    assert later > now == 0


def test_a_first_run_brings_most_of_what_trains_typically_do() -> None:
    game = roundhouse.new("1828", ["Ada", "Ben", "Cleo", "Dora"], seed=1)
    known = knowledge_of(game.title)
    mind = Mind(game.rules, known, 100)
    s = game.state.fork()
    cell = next(c.id for c in game.rules.box.market.cells.values() if c.price == 71)
    s.corporations = {**s.corporations, "B&O": replace(s.corporations["B&O"], cell=cell)}
    firm = View(mind, s, "player:1").firm(s, s.corporations["B&O"])
    assert firm.income == pytest.approx(0.7 * known.typical["2"])


def _firm_of_1839(**changes: object) -> float:
    """What a share of a company of 1839 is worth, which runs a 7+ badly."""
    game = roundhouse.new("1839", ["Ada", "Ben", "Cleo", "Dora"], seed=1)
    known = knowledge_of(game.title)
    ledger = make_ledger(game.rules, known, game.state)
    ledger = replace(
        ledger,
        rounds=9.0,
        arrival={k: 0.0 if k in ("2+", "3+", "5+", "7+") else 5.0 for k in ledger.arrival},
        rust=dict.fromkeys(ledger.rust, inf),
        kinds=("7+", "5D", "7D", "FLOOD"),
    )
    firm = Firm(
        id="AMS", shares=10, cell="105,3,2", cash=0, loans=0, kinds=("7+",), income=120,
        quality=0.4, room=3, more=0.0,
    )  # fmt: skip
    return forecast.Forecast(game.rules, known).plan(replace(firm, **changes), ledger).worth


def test_a_company_gains_nothing_by_buying_the_train_again_that_it_sold_for_its_price() -> None:
    sold = {"kinds": (), "cash": 700, "supposed": ("7+",)}
    assert _firm_of_1839(**sold) <= _firm_of_1839() < _firm_of_1839(income=240)


def test_a_dividend_just_below_a_price_does_nearly_what_one_just_above_it_does() -> None:
    worths = [_firm_of_1839(income=n, quality=n / 420) for n in range(90, 121, 2)]
    steps = [b - a for a, b in pairwise(worths)]
    assert max(steps) < 0.35 * (worths[-1] - worths[0])


def test_who_could_be_made_to_lead_a_company_bears_a_part_of_what_that_costs() -> None:
    game = _running("1839")
    mind = Mind(game.rules, knowledge_of(game.title), 200)
    while not isinstance(game.state.round, StockProgress):
        selfplay.play_on(game, Random(1), policy=bots.thrifty, actions=1)
    lead, heir, other = list(game.state.players)[:3]
    c = next(c for c in game.state.corporations.values() if c.floated)
    found = {}
    for held in (10, 20):
        certs = {lead: (Cert(0, 20), Cert(1, 10)), heir: (Cert(2, held),), other: (Cert(3, 10),)}
        poor = replace(c, certs=certs, president=lead, trains=(), cash=0)
        s = game.state.fork()
        s.corporations = {**s.corporations, c.id: poor}
        view = View(mind, s, lead)
        each, extra = view.share(s, poor)
        assert extra < 0
        stakes = dict.fromkeys(s.players, 0.0)
        view._add_stakes(s, poor, stakes)
        found[held] = stakes[lead] - 3 * each, stakes[heir] - held / 10 * each
        assert sum(found[held]) == pytest.approx(extra)
    assert found[10][1] == pytest.approx(0)
    assert found[20][1] == pytest.approx(found[20][0])


def test_a_pile_lasts_until_companies_can_have_paid_it() -> None:
    game = _running("18Ireland")
    known, s = knowledge_of(game.title), game.state.fork()
    runs = next(c for c in s.corporations.values() if c.floated and c.trains)
    mind = Mind(game.rules, known, 200)
    lasts = []
    for few in (False, True):
        alike = {k: replace(c, floated=True, trains=runs.trains) for k, c in s.corporations.items()}
        s.corporations = {**alike, runs.id: runs}
        if few:
            s.corporations = {runs.id: runs}
        arrival = make_ledger(game.rules, known, s).arrival
        assert mind.ledger(s).arrival == arrival
        lasts.append(arrival["6H"] - arrival["4H"])
    assert lasts[0] < lasts[1]


def test_a_game_that_may_end_a_round_sooner_or_later_is_planned_in_between() -> None:
    game = roundhouse.new("18Ireland", ["Ada", "Ben", "Cleo"], seed=1)
    known = knowledge_of(game.title)
    ledger = make_ledger(game.rules, known, game.state)
    firm = Firm(
        id="LER", shares=5, cell="60,3,3", cash=40, loans=0, kinds=("2H",), income=50,
        quality=0.9, room=2,
    )  # fmt: skip
    planner = forecast.Forecast(game.rules, known)
    worth = {n: planner.plan(firm, replace(ledger, rounds=n)).worth for n in (8.0, 8.25, 9.0)}
    assert worth[8.0] != worth[9.0]
    assert worth[8.25] == pytest.approx(worth[8.0] + 0.25 * (worth[9.0] - worth[8.0]))


def test_a_system_earns_what_those_it_was_merged_from_did() -> None:
    """It has not operated, but it has their stations, their trains and work for two of each."""
    game = roundhouse.load(GAMES / "1828" / "base.json")
    before, mind = game.at(826), bots.Magnate("quick").mind(game)
    who = before.rules.president(before.state, before.state.acting[0]) or ""
    merger = next(e.action for e in game.history if e.action.id == 827)
    end = dealing.outcome(before.rules, before.state, merger)
    assert end is not None
    view = View(mind, before.state, who)
    system = next(c for k, c in end.corporations.items() if k not in before.state.corporations)
    parts = [
        prospects.earning(view, before.state, before.state.corporations[p]) for p in ("CPR", "B&M")
    ]
    assert not system.operated
    assert prospects.earning(view, end, system) >= 0.9 * sum(parts) > 0
    typical = mind.forecast.typical
    assert typical(("3", "3"), 2) == 2 * typical(("3",)) > typical(("3", "3"))


def _shorts(game: Game, position: State) -> dict[str, float]:
    """What shorts are worth to whoever is asked, by company."""
    view = View(bots.Magnate("quick").mind(game), position, position.acting[0])
    choices = [c for c in machine.choices(game.rules, position) if isinstance(c.action, Short)]
    found = shares.shorts(view, choices)
    return {a.corporation: c.score for c in found if isinstance(a := c.action, Short)}


def test_what_is_to_be_liquidated_is_sold_short_whatever_else_is_owed() -> None:
    game = roundhouse.load(GAMES / "1817" / "base.json")
    s = game.at(423).state
    before = _shorts(game, s)
    assert max(before.values()) < 0
    bad = s.fork()
    lost = replace(s.corporations["A&A"], trains=(), cash=0, loans=10)
    bad.corporations = {**s.corporations, "A&A": lost}
    after = _shorts(game, bad)
    assert after["A&A"] == pytest.approx(game.rules.price(s, "A&A"), rel=0.1)
    poor = bad.fork()
    poor.players = {**s.players, "player:4": replace(s.players["player:4"], cash=0)}
    assert after["A&A"] == pytest.approx(_shorts(game, poor)["A&A"], rel=0.1)
    assert after["NYSW"] >= _shorts(game, poor)["NYSW"]


def test_a_price_is_expected_to_fall_for_shares_in_the_pool_and_to_rise_sold_out() -> None:
    """1839: a row for each share that lies there at the end of a stock round."""
    game = roundhouse.new("1839", ["Ada", "Ben", "Cleo"], seed=1)
    known = knowledge_of(game.title)
    ledger = replace(make_ledger(game.rules, known, game.state), stock=frozenset({-1}), rounds=1.0)
    firm = Firm(
        id="AMS", shares=10, cell="94,5,3", cash=400, loans=0, kinds=("2+",), income=94,
        quality=0.9, room=4,
    )  # fmt: skip
    planner = forecast.Forecast(game.rules, known)
    prices = [planner.plan(replace(firm, pool=n), ledger).price for n in range(4)]
    assert prices == sorted(prices, reverse=True)
    assert prices[0] > prices[3]
    later = replace(ledger, stock=frozenset({5}))
    assert planner.plan(replace(firm, pool=3), later).price == planner.plan(firm, later).price


def test_a_price_of_1817_falls_by_a_step_for_each_share_in_the_market() -> None:
    game = roundhouse.new("1817", ["Ada", "Ben", "Cleo"], seed=1)
    known = knowledge_of(game.title)
    ledger = replace(make_ledger(game.rules, known, game.state), stock=frozenset({-1}), rounds=1.0)
    at = {cell.price: name for name, cell in game.rules.box.market.cells.items() if cell.price}
    firm = Firm("A&A", 10, at[200], 500, 0, ("4",), 300, 1.0, 2)
    planner = forecast.Forecast(game.rules, known)
    # a dividend above the price is a step up; of ten shares seven are thought to stay there
    assert planner.plan(firm, ledger).price == 220
    assert planner.plan(replace(firm, pool=10), ledger).price == 120


def test_a_sale_must_bring_more_than_plans_are_off_by() -> None:
    game = roundhouse.load(GAMES / "1828" / "base.json").at(139)
    known, s = knowledge_of(game.title), game.state
    sales = [c for c in game.choices() if isinstance(c.action, SellShares)]
    scores = []
    for part in (0.0, 0.5):
        weighed = replace(known, weights=replace(known.weights, sale=part))
        view = View(Mind(game.rules, weighed, 100), s, s.acting[0])
        scores.append([c.score for c in foreseen(view, sales)])
    for c, one, other in zip(sales, *scores, strict=True):
        assert isinstance(c.action, SellShares)
        price = game.rules.price(s, c.action.shares[0].rpartition("_")[0])
        assert one - other == pytest.approx(0.5 * price * (c.action.percent or 0) / 10)


def test_the_best_rival_counts_more_the_nearer_the_end_is() -> None:
    game = _running("1839")
    s = game.state
    view = View(bots.Magnate("quick").mind(game), s, s.order[0])
    worth = dict(zip(s.order, (900.0, 1000.0, 200.0, 300.0), strict=False))
    scores = []
    for rounds in (20.0, 5.0, 1.0):
        view.ledger = replace(view.ledger, rounds=rounds)
        better = worth | {s.order[1]: 1100.0}
        scores.append(view.against(s, worth, s.order[0]) - view.against(s, better, s.order[0]))
    assert scores == sorted(scores)
    assert 0 < scores[0] < 20
    assert 30 < scores[2] < 60


def test_shares_are_not_traded_to_and_fro() -> None:
    """Where a sale moves no price, a small difference of two plans was enough for it."""
    game = roundhouse.new("1839", ["Ada", "Ben", "Cleo", "Dora"], seed=12944)
    magnate = bots.player("magnate", "quick", seed=12944)
    while game.state.turn < 4:
        game.apply(magnate.choose(game).action)
        assert len(game) < 400
    assert sum(isinstance(e.action, SellShares) for e in game.history) <= 4


def test_who_names_a_private_bids_at_once_what_somebody_else_would() -> None:
    game = roundhouse.new("1817", ["Ada", "Ben", "Cleo", "Dora"], seed=3)
    player = bots.player(seed=1)
    first = player.choose(game)
    assert isinstance(first.action, Bid)
    figures = first.reasons[0].figures
    assert 0 < first.action.price <= 0.6 * float(figures["worth"])
    game.apply(first.action)
    second = player.choose(game).action
    assert isinstance(second, Bid)
    assert second.price == first.action.price + 5


def test_a_railway_with_two_homes_has_not_built_before_it_operates() -> None:
    game = roundhouse.load(GAMES / "1873" / "base.json")
    mind = bots.Magnate("quick").mind(game)
    states = (e.state for e in game.history)
    s = next(s for s in states if any(t.city for t in s.corporations["HBE"].tokens))
    railway = s.corporations["HBE"]
    assert not railway.operated
    assert sum(t.city is not None for t in railway.tokens) == 2
    view = View(mind, s, railway.president or "")
    assert prospects.quality(view, s, railway) == pytest.approx(0.9)


def test_the_first_train_of_a_company_that_is_still_to_float_is_certainly_paid_for() -> None:
    """1839: one that begins in three rounds with ƒ670 where a train costs ƒ2,000."""
    game = roundhouse.new("1839", ["Ada", "Ben", "Cleo"], seed=1)
    known = replace(knowledge_of(game.title), vague=0.0)
    rust = dict.fromkeys(game.rules.box.trains, inf)
    ledger = Ledger(8.0, {"FLOOD": 0.0}, rust, ("FLOOD",))
    firm = Firm("SS", 10, "67,13,7", 670, 0, (), 400, 1.0, 2, delay=2)
    plan = forecast.Forecast(game.rules, known).plan(firm, ledger)
    assert plan.help == pytest.approx((2000 - 670) / (1 + known.weights.growth) ** 3)


def test_plans_are_the_mean_of_games_that_go_slower_and_faster() -> None:
    """A 4H rusts by the first 8H: half as it is expected, a quarter each sooner and later. How long
    the game lasts is scaled too, unless it is known."""
    game = roundhouse.new("18Ireland", ["Ada", "Ben", "Cleo", "Dora"], seed=1)
    known, kinds = knowledge_of(game.title), game.rules.box.trains
    rust = {**dict.fromkeys(kinds, inf), "4H": 4.0}
    ledger = Ledger(8.0, {"6H": 0.0, "8H": 4.0}, rust, ("6H", "8H"), certain=True)
    firm = Firm("GNRI", 10, "100,0,6", 0, 0, ("4H",), 150, 1.0, 2)
    alone = forecast.Forecast(game.rules, known)
    sooner, likely, later = (alone.plan(firm, ledger.stretched(p)) for p in (0.5, 1.0, 1.5))
    assert sooner.worth < likely.worth < later.worth
    paces = forecast.Doubt(pace=0.5), forecast.Doubt(pace=1.5)
    mixed = forecast.Forecast(game.rules, known, paces).plan(firm, ledger)
    assert mixed.worth == pytest.approx((sooner.worth + 2 * likely.worth + later.worth) / 4)
    assert mixed.help == pytest.approx((sooner.help + 2 * likely.help + later.help) / 4)
    assert mixed.bought == likely.bought
    assert ledger.stretched(1.5).arrival == {"6H": 0.0, "8H": 6.0}
    assert ledger.stretched(1.5).rust["4H"] == 6.0
    assert ledger.stretched(1.5).rounds == 8.0
    assert replace(ledger, certain=False).stretched(1.5).rounds == 12.0
    over = replace(ledger, rounds=0.0)
    both = (alone, forecast.Forecast(game.rules, known, paces))
    assert len({plans.plan(firm, over) for plans in both}) == 1


def test_plans_are_the_mean_of_track_that_proves_better_and_worse() -> None:
    """What a company earns is known half now, and is not later; one that lives on the runs of
    others has no track."""
    game = roundhouse.new("18Ireland", ["Ada", "Ben", "Cleo", "Dora"], seed=1)
    known, kinds = knowledge_of(game.title), game.rules.box.trains
    ledger = Ledger(6.0, {"6H": 0.0}, dict.fromkeys(kinds, inf), ("6H",), certain=True)
    firm = Firm("GNRI", 10, "100,0,6", 0, 0, ("4H",), 150, 1.0, 2)
    alone = forecast.Forecast(game.rules, known)
    poor = alone.plan(replace(firm, income=135, quality=0.8), ledger)
    rich = alone.plan(replace(firm, income=165, quality=1.2), ledger)
    likely = alone.plan(firm, ledger)
    assert poor.worth < likely.worth < rich.worth
    track = forecast.Doubt(track=0.8), forecast.Doubt(track=1.2)
    mixed = forecast.Forecast(game.rules, known, track).plan(firm, ledger)
    assert mixed.worth == pytest.approx((poor.worth + 2 * likely.worth + rich.worth) / 4)
    visited = replace(firm, visited=(30.0, 2800.0, 1.0))
    assert [doubt.firm(visited) for doubt in track] == [visited] * 2


@pytest.mark.parametrize("title", [n for n in all_titles() if n.startswith("1817")])
def test_loans_are_thought_to_cost_what_they_do(title: str) -> None:
    """$5 each while none is out, and what the rules say of any number of them."""
    game = roundhouse.new(title, ["Ada", "Ben", "Cleo", "Dora"], seed=1)
    rules, known, s = game.rules, knowledge_of(game.title), game.state
    assert rules.facts.loan_value == 100
    assert make_ledger(rules, known, s).owed == 5
    for out in (3, 6, 11, 30):
        then = replace(s, loans_left=s.loans_left - out)
        assert make_ledger(rules, known, then).owed == rules.facts.interest_rate(then), out
