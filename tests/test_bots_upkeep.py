"""What bots know of equipment, and of what keeping it costs, in 1873."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import inf

import pytest
from msgspec.structs import replace

import roundhouse
from openings import mining_company
from roundhouse import Game
from roundhouse.bots.firm import Firm
from roundhouse.bots.forecast import Forecast
from roundhouse.bots.future import Future
from roundhouse.bots.knowledge import knowledge_of
from roundhouse.bots.ledger import Ledger
from roundhouse.bots.view import View
from roundhouse.bots.works import Course, Estate, Piece
from roundhouse.model.events import DividendDeclared
from roundhouse.model.records import Pile, State, Train
from roundhouse.titles.g1873.fleet import maintenance, net_revenue

from reference import GAMES


@pytest.fixture
def game() -> Game:
    return roundhouse.new("1873", ["Ada", "Ben", "Cleo"], seed=3)


def test_a_mining_company_is_worth_more_by_what_its_money_can_buy(game: Game) -> None:
    worth = {}
    for connected in (False, True):
        for cash in (0, 250):
            view, symbol = mining_company(game, cash, connected=connected)
            worth[connected, cash] = view.plan(view.now, symbol).worth
    assert worth[True, 250] - worth[True, 0] > 250 / 2
    assert worth[True, 0] > worth[False, 0]
    assert worth[True, 250] > worth[False, 250]


def test_a_mine_that_gets_connected_counts_for_what_equipment_brings_then(game: Game) -> None:
    before, after = (mining_company(game, 0, connected=c)[0] for c in (False, True))
    works = before.mind.works
    assert works.improved(before.now, after.now, "15", "3T") == 60 + 70
    assert works.improved(before.now, after.now, "MO", "3T") == 0
    assert before.parts(before.now, "MO") == {"player:1": 1.0, "player:2": 0.0, "player:3": 0.0}
    assert before.parts(before.now, "player:2") == {"player:2": 0.75}
    assert before.parts(before.now, None) == {}


def _phase(game: Game, begun: str) -> str:
    return next(name for name, p in game.rules.box.phases.items() if begun in p.on)


def _ledger(game: Game, begun: str, rounds: float) -> Ledger:
    """The first of a kind of train has been bought, and none comes after it."""
    kinds = list(game.rules.box.trains)
    arrival = {k: 0.0 if n <= kinds.index(begun) else inf for n, k in enumerate(kinds)}
    return Ledger(rounds, arrival, dict.fromkeys(kinds, inf), (begun,))


def _equipped(s: State, mine: str, kinds: Sequence[str]) -> State:
    """The position in which a mine has some equipment."""
    found = s.fork()
    found.trains = {**s.trains, **{k: Train(k, k, mine) for k in kinds}}
    record = replace(s.corporations[mine], trains=tuple(kinds))
    found.corporations = {**s.corporations, mine: record}
    return found


@pytest.mark.parametrize("connected", [False, True])
def test_pieces_of_equipment_add_up_to_what_a_mine_brings_with_them(
    game: Game, connected: bool
) -> None:
    view, _ = mining_company(game, 0, connected=connected)
    works, s = view.mind.works, view.now
    company = s.corporations["MO"]
    estate = works.estate(s, replace(company, mines=("15",)), 0)
    assert estate is not None
    machine, switcher = estate.pieces[2:]
    assert machine.row == switcher.row == 0
    for at, begun in enumerate(("2T", "3T", "4T", "5T")):
        for m in range(5):
            for w in range(5):
                kinds = [f"{m + 1}M"] * (m > 0) + [f"{w + 1}S"] * (w > 0)
                then = _equipped(s, "15", kinds)
                then.phase = _phase(game, begun)
                brought = machine.earns[m][at] + switcher.earns[w][at]
                assert brought == net_revenue(game.rules, then, "15"), (begun, kinds)
                owned = works.estate(then, replace(company, mines=("15",)), 0)
                assert owned is not None
                # what a 5T brings a D brings, too
                rows = [n + (n == 4) for n in (m, w)]
                assert [piece.row for piece in owned.pieces[2:]] == rows
                assert [piece.earns for piece in owned.pieces[2:]] == [
                    machine.earns,
                    switcher.earns,
                ]


def test_a_card_does_for_several_places_and_is_paid_at_once(game: Game) -> None:
    """A 3M costs 300 and serves three mines; a mine without one earns nothing here, with one 60."""
    works = knowledge_of(game.title).works
    assert works is not None
    machine = Piece(((0,) * 5, *[(60,) * 5] * 5))
    switcher = Piece(((0,) * 5,) * 6)
    equipped = Piece(machine.earns, row=2)
    for pieces, cash, left, earned in (
        ((machine, switcher) * 2, 299.0, 299.0, 0),
        ((machine, switcher) * 2, 310.0, 10.0, 120),
        ((machine, switcher) * 3, 310.0, 10.0, 180),
        ((machine, switcher) * 4, 310.0, 10.0, 180),
        ((machine, switcher) * 4, 610.0, 10.0, 240),
        ((equipped, switcher, machine, switcher), 310.0, 10.0, 120),
    ):
        course = Course(Estate(pieces, len(pieces) // 2), works)
        assert course.spend(cash, "3T", 9.0, "3T") == left, (len(pieces), cash)
        assert course.earns("3T") == earned, (len(pieces), cash)


def test_a_company_pays_what_its_mines_cost_more_than_they_bring(game: Game) -> None:
    """Two mines without machines cost 40 a round from the first 4T on; a 4M costs 500, a 4S 150."""
    for cash, machine, left in ((520, 0, 480 - 2 * 150), (540, 3, 0)):
        view, symbol = mining_company(game, cash, connected=True)
        s = view.now.fork()
        s.phase, s.depot = "4", replace(s.depot, piles=(Pile("4T", 1, 3),))
        then = View(view.mind, s, view.me)
        firm = then.firm(s, s.corporations[symbol])
        assert firm.steady == -40
        forecast = Forecast(game.rules, knowledge_of(game.title))
        future = Future(forecast, firm, _ledger(game, "4T", 9.0), {}, 0)
        future._round(0, 1.0)
        assert future.course is not None
        assert future.course.rows[0] == machine
        assert future.funds.cash == left


def test_a_company_that_cannot_pay_what_its_mines_cost_is_lost(game: Game) -> None:
    """§5.8.1: two mines without machines cost 40; nobody helps, and all shares are forfeited."""
    for cash, dies in ((39, 0), (40, 1), (79, 1), (80, 2)):
        view, symbol = mining_company(game, cash, connected=True)
        s = view.now.fork()
        s.phase, s.depot = "4", replace(s.depot, piles=(Pile("4T", 1, 3),))
        firm = View(view.mind, s, view.me).firm(s, s.corporations[symbol])
        forecast = Forecast(game.rules, knowledge_of(game.title))
        plan = Future(forecast, firm, _ledger(game, "4T", 9.0), {}, 0).plan()
        assert (plan.dies, plan.help) == (dies, 0)
        assert (plan.worth > 0) == (dies > 1)  # what is farther off may come otherwise


def _with_one_mine(cash: int) -> Firm:
    """A company whose mine earns 100 before the first 4T, then 40 less than nothing, whatever it
    buys."""
    estate = Estate((Piece(((100, 100, -40, -40, -40),) * 6), Piece(((0,) * 5,) * 6)), 1)
    return Firm("MO", 2, "280,0,17", cash, 0, (), 0, 1.0, 0, steady=100, estate=estate)


def test_a_company_keeps_what_the_next_round_costs_it(game: Game) -> None:
    """By hand: it earns 100, and with the 4T that comes before the next round 40 less than
    nothing."""
    forecast = Forecast(game.rules, knowledge_of(game.title))
    ledger = _ledger(game, "3T", 9.0)
    soon = replace(ledger, arrival={**ledger.arrival, "4T": 0.5})
    for cash, kept in ((0, 40), (30, 10), (50, 0)):
        firm = _with_one_mine(cash)
        future = Future(forecast, firm, soon, {}, 0)
        future._round(0, 1.0)
        assert (future.funds.cash, future.paid) == (cash + kept, (100 - kept) / 2)
        future._round(1, 1.0)
        assert future.dies == -1


def test_a_train_may_come_sooner_than_is_expected(game: Game) -> None:
    """What a company needs for it then counts as likely as that is: half where it is expected with
    its turn, nothing from one and a half rounds later on."""
    forecast = Forecast(game.rules, knowledge_of(game.title))
    ledger = _ledger(game, "3T", 9.0)
    for arrival, cash, safe in (
        (0.3, 39, 0.6),
        (0.3, 40, 1.0),
        (1.4, 39, 1 - 0.1 / 3),
        (1.5, 0, 1),
    ):
        firm = _with_one_mine(cash)
        soon = replace(ledger, arrival={**ledger.arrival, "4T": arrival})
        future = Future(forecast, firm, soon, {}, 0)
        future._risk(0, ())
        assert future.safe == pytest.approx(safe)


def test_money_for_the_next_round_is_not_spent(game: Game) -> None:
    """A 3M that brings nothing more costs 300; with the next train the mine costs 40 a round, and
    with the machine still 10."""
    works = knowledge_of(game.title).works
    assert works is not None
    machine = Piece(((0, 0, -40, -40, -40), (0,) * 5, (90, 90, -10, -10, -10)))
    for cash, left in ((309.0, 309.0), (310.0, 10.0)):
        course = Course(Estate((machine, Piece(((0,) * 5,) * 3)), 1), works)
        assert course.spend(cash, "3T", 9.0, "4T") == left


def test_what_trains_are_thought_to_cost_is_what_a_railway_pays(game: Game) -> None:
    facts, costly = game.rules.facts, 0
    for begun in list(game.rules.box.trains)[1:]:
        for kind in game.rules.box.trains:
            s = game.state.fork()
            s.phase, s.trains = _phase(game, begun), {"t": Train("t", kind, "HBE")}
            railway = replace(s.corporations["HBE"], trains=("t",))
            s.corporations = {**s.corporations, "HBE": railway}
            assert facts.upkeep("HBE", begun).get(kind, 0) == maintenance(game.rules, s, "HBE")
            costly += kind in facts.upkeep("HBE", begun)
        assert not facts.upkeep("MHE", begun)
    assert costly == 1 + 2 + 2 + 3


def test_a_railway_is_known_to_get_what_its_home_brings_without_a_train(game: Game) -> None:
    """The town of the QLB pays 60; others get nothing without a train."""
    facts = game.rules.facts
    earned = {who: facts.fixed_income(game.state, who) for who in ("HBE", "KEZ", "QLB")}
    assert earned == {"HBE": 0, "KEZ": 0, "QLB": 60}


def test_trains_that_cost_more_than_they_bring_are_scrapped_but_for_the_last(game: Game) -> None:
    """From the first 4T on a 2T costs 100 a round. It earns 320 where it is the best of its
    company's, as is known of 1873, a 4T 600, and each further train six tenths as much."""
    known, ledger = knowledge_of(game.title), _ledger(game, "4T", 6.0)
    forecast = Forecast(game.rules, known)

    def net(*kinds: str) -> float:
        firm = Firm("HBE", 10, "160,0,9", 0, 0, kinds, 400, 1.0, 3)
        return Future(forecast, firm, ledger, {}, 0)._net(kinds, 0)

    assert known.typical["2T"] == 320
    assert known.typical["4T"] == 600
    assert known.another == 0.6
    assert net("2T", "4T") == pytest.approx(400 * 600 / (600 + 192))  # more than 400 - 100
    assert net("2T", "2T") == 400 - 2 * 100  # more than 400 * 320 / (320 + 192) - 100
    assert net("2T") == 400 - 100
    assert net("4T", "4T") == 400
    # one of thirty is left: 400 * 320 / 800 - 100, and no second one for 400 * 192 / 800
    assert net(*["2T"] * 30) == pytest.approx(60)


def test_a_mining_company_lives_on_when_its_mines_cost_more_than_they_earn(game: Game) -> None:
    """Without machines each of two mines costs 100 a round from the first 4T on: the company buys
    equipment, and did as long as that was still to come."""
    view, symbol = mining_company(game, 560, connected=True)
    worth = []
    for phase, bought in (("3", 0), ("4", 1)):
        s = view.now.fork()
        s.phase, s.depot = phase, replace(s.depot, piles=(Pile("4T", bought, 3), Pile("5T", 0, 99)))
        then = View(view.mind, s, view.me)
        worth.append(then.plan(s, symbol).worth)
        assert bool(then.mind.rules.facts.fixed_income(s, symbol) < 0) == bool(bought)
        assert not then.plan(s, symbol).bought
    assert worth[1] > 0.8 * worth[0] > 300


def test_a_mine_of_a_player_keeps_half_of_what_it_earns_and_pays_its_upkeep(game: Game) -> None:
    works = mining_company(game, 0, connected=False)[0].mind.works
    s = game.state
    mine = replace(s.corporations["13"], cash=0)
    assert works.alone(s, mine, _ledger(game, "2T", 9.0), 2.0) == (140, 70)
    poor = replace(mine, cash=20)
    assert works.alone(s, poor, _ledger(game, "4T", 9.0), 3.0) == (-30, 0)


def test_a_mine_whose_upkeep_rises_buys_the_equipment_its_money_pays(game: Game) -> None:
    s = game.state.fork()
    mine = replace(s.corporations["15"], connected=True, cash=600)
    s.corporations = {**s.corporations, "15": mine}
    works = mining_company(game, 0, connected=True)[0].mind.works
    ledger = _ledger(game, "4T", 9.0)
    rich, cash = works.alone(s, mine, ledger, 8.0)
    poor, _ = works.alone(s, replace(mine, cash=100), ledger, 8.0)
    assert rich > poor + 600
    assert cash < 600 + rich / 2


def test_the_external_railway_pays_what_its_train_brings_until_it_keeps_one(game: Game) -> None:
    """By hand: with a 3T it pays 300 a round, from 120 two steps to 140, from there two to 160; for
    the next set it has a 4T, which pays 400, two steps to 180."""
    mhe = game.rules.external
    known, kinds = knowledge_of(game.title), list(game.rules.box.trains)
    arrival = {k: 0.0 if k in ("1T", "2T", "3T", "4T") else inf for k in kinds}
    ledger = Ledger(3.0, arrival, dict.fromkeys(kinds, inf), ("4T",), stock=frozenset({1}))
    firm = Firm(mhe, 10, "120,0,5", 0, 0, ("3T",), 60, 1.0, 99, steady=300)
    calm = replace(known, weights=replace(known.weights, growth=0.0))
    plan = Forecast(game.rules, calm).plan(firm, ledger)
    assert (plan.income, plan.paid, plan.bought, plan.help) == (300, 30 + 30 + 40, (), 0)
    assert plan.price == 180
    kept = Forecast(game.rules, calm).plan(replace(firm, kinds=("5T",)), ledger)
    assert (kept.paid, kept.price) == (3 * 50, 120)


def test_what_the_external_railway_is_thought_to_pay_is_what_it_pays() -> None:
    game, seen = roundhouse.load(GAMES / "1873" / "base.json"), 0
    external = game.rules.external
    for before, after in pairwise(game.history):
        s = before.state
        trains = s.corporations[external].trains
        for e in after.events:
            if isinstance(e, DividendDeclared) and e.who == external and s.turn == after.state.turn:
                does = game.rules.facts.unled(external, s.trains[trains[0]].kind)
                assert does is not None
                assert e.revenue - e.kept == does.pays
                assert does.stands == game.rules.external_fixed(s, external)
                seen += 1
    assert seen
    assert game.rules.facts.unled("HBE", "3T") is None
