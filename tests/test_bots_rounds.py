"""What bots know of the round that is running: who has run in it, what is bought in it; and of what
options and powers change."""

from __future__ import annotations

from math import inf
from random import Random

import pytest
from msgspec.structs import replace

import roundhouse
from roundhouse import Game, bots, selfplay
from roundhouse.bots import floats, forecast
from roundhouse.bots.firm import Firm, Plan, Turn
from roundhouse.bots.future import Future, _Payout
from roundhouse.bots.knowledge import knowledge_of
from roundhouse.bots.ledger import Ledger, has_left, make_ledger, operating
from roundhouse.bots.view import View
from roundhouse.model.records import Pile
from roundhouse.rounds.steps.progress import OperatingProgress, StockProgress

from reference import GAMES

PLAYERS = ["Ada", "Ben", "Cleo", "Dora"]


def _plan(turn: Turn, ledger: Ledger, **changes: object) -> Plan:
    """What is expected of a company of 1839 that runs a 5+."""
    game = roundhouse.new("1839", PLAYERS, seed=1)
    firm = Firm(
        id="AMS", shares=10, cell="105,3,2", cash=0, loans=0, kinds=("5+",), income=300,
        quality=1.0, room=3, more=0.0, turn=turn,
    )  # fmt: skip
    plans = forecast.Forecast(game.rules, knowledge_of(game.title))
    return plans.plan(replace(firm, **changes), ledger)


def _ledger(rounds: float, sale: str = "5+", rusts: float = inf, stock: int = 3) -> Ledger:
    kinds = ("5+", "7+", "5D", "7D", "FLOOD")
    arrival = {k: 0.0 if kinds.index(k) <= kinds.index(sale) else 9.0 for k in kinds}
    rust = dict.fromkeys((*kinds, "2+", "3+"), inf) | {"5+": rusts}
    return Ledger(rounds, arrival, rust, kinds, stock=frozenset({stock}))


def test_a_company_that_has_run_does_not_run_again_in_the_round() -> None:
    last = _ledger(1.0)
    runs, bought, over = (_plan(turn, last) for turn in ("run", "trains", "over"))
    assert runs.paid > 0 == bought.paid == over.paid
    assert bought.price == over.price == 105, "nothing is withheld: its price stays"
    assert runs.income == bought.income == over.income == 300
    more = [_plan(turn, _ledger(4.0)).paid for turn in ("run", "over")]
    assert more[0] > 1.2 * more[1] > 0


def test_who_has_run_may_buy_a_train_yet_unless_his_turn_is_over() -> None:
    ledger = _ledger(5.0)
    rich = {"kinds": (), "cash": 1_000, "income": 0, "supposed": ("5+",)}
    assert _plan("trains", ledger, **rich).bought[0] == (0, "5+")
    assert _plan("over", ledger, **rich).bought[0] == (1, "5+")
    poor = rich | {"cash": 0}
    now, then = (_plan(turn, ledger, **poor).soon for turn in ("trains", "over"))
    assert now[0] > 0 == then[0]
    assert then[1] > 0


def test_help_after_a_stock_round_may_fall_to_somebody_else() -> None:
    bare = {"kinds": (), "income": 0, "supposed": ("5D",)}
    for stock, later in ((3, 0.0), (-1, 1.0)):
        plan = _plan("run", _ledger(4.0, "5D", stock=stock), **bare)
        assert plan.help > 0
        assert plan.later == pytest.approx(later * plan.help)
    rusting = _plan("run", _ledger(5.0, "7D", rusts=1.0, stock=0))
    assert rusting.help == pytest.approx(rusting.later)


def test_a_dividend_that_would_have_been_kept_brings_what_others_would_have_got() -> None:
    """Half of a dividend is the company's own by the pool: what is kept of it brings half of that,
    and is missed in the money of its round. It still reaches the price, which stays."""
    game = roundhouse.new("1839", PLAYERS, seed=1)
    any_part = replace(knowledge_of(game.title), kept=())
    for own, kept in ((0.0, 100.0), (5.0, 200.0)):
        plans = forecast.Forecast(game.rules, any_part)
        firm = Firm("AMS", 10, "105,3,2", 0, 0, ("5+",), 400, 1.0, 3, own=own)
        future = Future(plans, firm, _ledger(4.0), {}, 0)
        future.payouts = [_Payout(400.0, 0.9)]
        assert future._saved(100.0) == pytest.approx(0)
        assert future.paid == pytest.approx(-0.9 * kept / 10)
        assert future.payouts == [_Payout(400.0 - kept, 0.9)]
        assert future.quote.cell == firm.cell


@pytest.mark.parametrize(
    ("kept", "left"), [((), 0.0), ((0.0, 0.5, 1.0), 100.0), ((0.0, 1.0), 300.0)]
)
def test_what_is_kept_beyond_the_price_of_a_train_stays(
    kept: tuple[float, ...], left: float
) -> None:
    """1839 keeps half a dividend or all of it, other titles all: a company without a train that
    kept more of its last one than it lacked has the rest."""
    game = roundhouse.new("1839", PLAYERS, seed=1)
    plans = forecast.Forecast(game.rules, replace(knowledge_of(game.title), kept=kept))
    cost = game.rules.box.trains["5+"].price
    firm = Firm("AMS", 10, "105,3,2", cost - 100, 0, (), 400, 1.0, 3)
    future = Future(plans, firm, _ledger(4.0, "5+"), {}, 0)
    future.payouts = [_Payout(400.0, 0.9)]
    future._trainless(0, 1.0)
    assert future.funds.cash == pytest.approx(left)
    assert future.help == 0
    assert future.bought == [(0, "5+")]


def test_money_that_is_nearly_none_ends_no_company() -> None:
    """Interest paid to the last dollar leaves what additions are not exact to: no loan is taken for
    that, and nobody dies of it."""
    game = roundhouse.new("1817", PLAYERS, seed=1)
    known = knowledge_of(game.title)
    ledger = replace(make_ledger(game.rules, known, game.state), rounds=3.0, owed=5)
    cell = next(k for k, c in game.rules.box.market.cells.items() if c.price == 100)
    for cash in (0.1, 0.2, 0.3, 0.7):
        firm = Firm("A&S", 5, cell, 0, 1, (), 0, 1.0, 2, borrows=5)
        future = Future(forecast.Forecast(game.rules, known), firm, ledger, {}, 0)
        future.funds.cash = cash
        future._settle(0, -sum([cash / 10] * 10))
        assert (future.funds.loans, future.quote.cell, future.dies) == (1, cell, -1)
        assert future.funds.cash == pytest.approx(0)


def _bought(game: Game) -> Game:
    """The game once a company has its first train."""
    rng = Random(5)
    while not any(c.cell and c.trains for c in game.state.corporations.values()):
        selfplay.play_on(game, rng, policy=bots.thrifty, actions=1)
    return game


def test_companies_that_had_their_turn_are_over_in_a_running_round() -> None:
    game = _bought(roundhouse.new("1839", PLAYERS, seed=5))
    mind, found = bots.Magnate("quick").mind(game), set[tuple[str, Turn]]()
    for entry in game.history:
        s, m = entry.state, entry.state.round
        if not isinstance(m, OperatingProgress) or m.index < 0:
            continue
        view = View(mind, s, s.acting[0] if s.acting[0] in s.players else "player:1")
        for number, who in enumerate(m.order):
            turn = view.firm(s, s.corporations[who]).turn
            if number != m.index:
                assert turn == ("over" if number < m.index else "run")
            else:
                assert turn == {"trains": "trains", "abroad": "over", "end": "over"}.get(
                    m.stage, "run"
                )
            found.add((m.stage, turn))
    assert {("track", "run"), ("trains", "trains")} <= found


def test_no_time_passes_as_a_round_begins() -> None:
    game = roundhouse.load(GAMES / "1839" / "bankrupt.json")
    known, seen = knowledge_of(game.title), 0
    for before, after in zip(game.history, game.history[1:], strict=False):
        if isinstance(before.state.round, StockProgress) and operating(after.state):
            m = OperatingProgress.of(after.state)
            start = after.state.fork()
            start.round = replace(m, index=0)
            end = before.state.fork()
            end.depot, end.corporations = start.depot, start.corporations
            ledgers = [make_ledger(game.rules, known, s, ()) for s in (end, start)]
            assert ledgers[0].arrival == pytest.approx(ledgers[1].arrival)
            seen += 1
    assert seen


def test_a_round_that_is_over_is_not_still_to_come() -> None:
    now = _ledger(5.0, stock=1)
    assert (now.past().rounds, now.past().stock) == (4.0, {0})
    assert (now.past().past().stock, now.past().arrival) == ({-1}, now.arrival)
    assert _ledger(1.0).past().rounds == 1.0


@pytest.mark.parametrize("title", ["1817", "1828", "1873", "18Ireland"])
def test_what_ends_a_round_brings_no_company_a_run_more(title: str) -> None:
    """Who acts last in an operating round would gain by anything that ends it: what is expected
    after it has as many rounds less."""
    game, seen = roundhouse.load(GAMES / title / "base.json"), 0
    mind = bots.Magnate("quick").mind(game)
    for before, after in zip(game.history, game.history[1:], strict=False):
        s, then = before.state, after.state
        runs_on = operating(then) and (s.turn, s.round.number) == (then.turn, then.round.number)
        if not operating(s) or runs_on or then.finished:
            continue
        view = View(mind, s, game.rules.president(s, s.acting[0]) or "")
        assert view.ledger_of(then).rounds == max(1.0, view.ledger.rounds - 1.0)
        seen += 1
        if view.ledger.rounds > 2 and s.depot == then.depot:
            running = [
                c.id
                for c in s.corporations.values()
                if c.trains and c.cell and c.floated and c.id in then.corporations
            ]
            paid = [sum(view.plan(x, k).paid for k in running) for x in (s, then)]
            assert paid[1] < 1.1 * paid[0]
    assert seen


def test_the_first_train_of_an_endless_pile_is_known_by_its_phase() -> None:
    game = roundhouse.new("1839", PLAYERS, seed=1)
    s, endless = game.state.fork(), Pile("FLOOD", 0, None)
    s.depot = replace(s.depot, piles=(endless,))
    s.phase = "Gray"
    assert not has_left(game.rules, s, endless)
    assert make_ledger(game.rules, knowledge_of(game.title), s).arrival["FLOOD"] > 0
    s.phase = "Black"
    assert has_left(game.rules, s, endless)
    assert make_ledger(game.rules, knowledge_of(game.title), s).arrival["FLOOD"] == 0


def test_trains_an_option_makes_permanent_are_not_thought_to_rust() -> None:
    for options, runs in (((), 30.0), (("red_permanent",), inf)):
        game = roundhouse.new("1839", PLAYERS, seed=1, options=options)
        rust = make_ledger(game.rules, knowledge_of(game.title), game.state).rust
        assert (rust["5D"] < 30.0) == (runs < inf)
        assert rust["7+"] < 30.0


def test_powers_that_add_to_runs_count_in_what_a_company_earns() -> None:
    """1839: what a mail contract or an exchange marker adds is seen though the same trains have run
    on the same track without."""
    game = roundhouse.load(GAMES / "1839" / "stock_market.json")
    mind = bots.Magnate("quick").mind(game)
    s = max(
        game.history, key=lambda e: sum([len(c.trains) for c in e.state.corporations.values()])
    ).state
    who = max(
        (c for c in s.corporations.values() if c.trains), key=lambda c: mind.income.now(s, c.id)
    ).id
    plain = s.fork()
    plain.companies = {k: replace(p, owner=None) for k, p in s.companies.items()}
    rich = plain.fork()
    game.rules.facts.grant_right(rich, who, "PTT")
    assert mind.income.now(rich, who) > mind.income.now(plain, who) > 0


def test_what_floats_with_less_operates_sooner() -> None:
    """18Ireland: two fifths, then one, are enough."""
    game = roundhouse.load(GAMES / "18Ireland" / "base.json").at(236)
    mind, s = bots.Magnate("quick").mind(game), game.state.fork()
    s.phase = "6"
    view = View(mind, s, s.acting[0])
    for c in s.corporations.values():
        definition = game.rules.box.corporations.get(c.id)
        if definition is None or c.floated or not definition.float_percent:
            continue
        assert floats.delay(view, s, c) in (0, 1 + definition.float_percent // 30)


def test_countries_buy_trains_with_what_is_still_brought_to_them() -> None:
    game = roundhouse.load(GAMES / "1839" / "stock_market.json")
    mind, seen = bots.Magnate("quick").mind(game), 0
    for entry in game.history[::5]:
        s, m = entry.state, entry.state.round
        if not isinstance(m, OperatingProgress) or m.index != 0 or m.stage != "track":
            continue
        held, whole = (
            game.rules.facts.train_money(s),
            game.rules.facts.train_money(s, mind._brought(s)),
        )
        assert all(a <= b for a, b in zip(held, whole, strict=True))
        seen += sum(whole) > sum(held)
    assert seen
