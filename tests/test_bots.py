"""The bot that looks one action ahead: legal in every title, and better than chance."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

import roundhouse
from roundhouse import bots, conformance, dealing, selfplay
from roundhouse.bots import forecast, search
from roundhouse.bots.decision import Candidate
from roundhouse.bots.firm import Firm, Plan
from roundhouse.bots.judges import judge
from roundhouse.bots.judges.shares import before_purchases
from roundhouse.bots.knowledge import knowledge_of
from roundhouse.bots.ledger import make_ledger
from roundhouse.bots.spent import Spent
from roundhouse.bots.together import decide
from roundhouse.bots.view import View
from roundhouse.dealing import concerned
from roundhouse.model.actions import (
    Action,
    Bid,
    BuyShares,
    BuyTrain,
    Dividend,
    LayTile,
    Merge,
    Message,
    Pass,
    PlaceToken,
    SellShares,
    Short,
)
from roundhouse.model.events import Noted
from roundhouse.model.records import State
from roundhouse.rounds.steps.progress import OperatingProgress, StockProgress
from roundhouse.titles.title import all_titles, find_title

from reference import GAMES


@pytest.mark.parametrize("title", list(all_titles()))
def test_a_table_of_bots_plays_every_title(title: str) -> None:
    game = roundhouse.new(title, players=["Ada", "Ben", "Cleo"], seed=5)
    money = conformance.total_money(game.start)
    made = selfplay.play_on(game, Random(5), actions=200, policy=bots.thrifty)
    assert made == 200 or game.finished
    assert conformance.faults(game.rules, game.state, money) == []


def test_the_bot_beats_chance() -> None:
    game = roundhouse.new("18Ireland", players=["Ada", "Ben", "Cleo"], seed=0)
    bot = game.seats[0].id

    def policy(g: roundhouse.Game, choices: object, rng: Random) -> roundhouse.Action:
        chosen = bots.thrifty if g.players_to_act[0] == bot else selfplay.lively
        return chosen(g, g.choices(), rng)

    selfplay.play_on(game, Random(0), actions=3_000, policy=policy)
    scores = game.result()
    assert game.finished
    assert scores.pop(bot) > 2 * max(scores.values())


def test_the_bot_does_not_sell_what_it_just_bought() -> None:
    game = roundhouse.new("1873", players=["Ada", "Ben", "Cleo"], seed=3)
    selfplay.play_on(game, Random(3), actions=400, policy=bots.thrifty)
    actions = [e.action for e in game.history]
    for before, after in pairwise(actions):
        if isinstance(before, BuyShares) and isinstance(after, SellShares):
            assert before.actor != after.actor or set(before.shares) != set(after.shares)


def test_a_bot_pays_dividends_when_that_raises_its_worth() -> None:
    game = roundhouse.new("18Ireland", players=["Ada", "Ben", "Cleo"], seed=0)
    selfplay.play_on(game, Random(0), actions=600, policy=bots.thrifty)
    kinds = [e.action.kind for e in game.history if isinstance(e.action, Dividend)]
    assert kinds.count("payout") > len(kinds) / 2


def test_a_player_decides_the_same_in_the_same_position() -> None:
    game = roundhouse.new("1873", players=["Ada", "Ben", "Cleo"], seed=3)
    one, other = (bots.player("thrifty", seed=7).choose(game) for _ in range(2))
    assert one == other
    assert one.action == one.candidates[0].action
    assert game.is_legal(one.action)


def test_an_unknown_player_is_refused() -> None:
    with pytest.raises(ValueError, match="no player 'greedy'"):
        bots.player("greedy")
    with pytest.raises(ValueError, match="has no levels"):
        bots.player("thrifty", "strong")


def test_nothing_to_choose_from_is_an_error() -> None:
    game = roundhouse.new("1873", players=["Ada", "Ben", "Cleo"], seed=3)
    with pytest.raises(ValueError, match="nobody is waited for"):
        bots.player("lively").choose(game, [])


def played(title: str, players: int, seed: int, actions: int) -> roundhouse.Game:
    """A game of players of the usual kind, its first actions."""
    game = roundhouse.new(title, players=["Ada", "Ben", "Cleo", "Dan"][:players], seed=seed)
    selfplay.play_on(game, Random(seed), actions=actions, policy=bots.player(seed=seed))
    return game


@pytest.mark.parametrize("title", list(all_titles()))
def test_the_magnate_plays_every_title(title: str) -> None:
    game = played(title, 3, 2, 150)
    assert len(game) >= 150 or game.finished
    money = conformance.total_money(game.start)
    assert conformance.faults(game.rules, game.state, money) == []


def test_the_magnate_founds_companies_at_once() -> None:
    game = roundhouse.new("1817", players=["Ada", "Ben", "Cleo"], seed=4)
    policy = bots.player(seed=4)
    while game.state.turn == 1 and type(game.state.round).__name__ != "OperatingRound":
        game.apply(policy(game, game.choices(), Random(4)))
    assert sum(c.cell is not None for c in game.state.corporations.values()) >= 4


def test_a_decision_says_why() -> None:
    game = roundhouse.new("1817", players=["Ada", "Ben", "Cleo"], seed=4)
    decision = bots.player("magnate", "quick").choose(game)
    assert "is worth $" in decision.sentence
    scores = [c.score for c in decision.candidates]
    assert len(scores) > 5
    assert max(scores) - scores[0] <= abs(max(scores)) * 0.1 + 1


def test_the_same_seed_plays_the_same_game_in_another_process() -> None:
    script = (
        "import sys; sys.path.insert(0, 'tests')\n"
        "from test_bots import played\n"
        "print([e.action for e in played('1817', 3, 6, 160).history])"
    )
    command = [sys.executable, "-c", script]
    root = Path(__file__).parents[1]
    made = [
        subprocess.run(
            command,
            cwd=root,
            env={**os.environ, "PYTHONHASHSEED": h},
            capture_output=True,
            check=True,
        ).stdout
        for h in "12"
    ]
    assert made[0] == made[1]
    assert len(made[0]) > 1000


def test_a_level_looks_on_and_stays_the_same() -> None:
    def decisions() -> list[bots.Decision]:
        game = roundhouse.new("18Ireland", players=["Ada", "Ben", "Cleo"], seed=9)
        player, made = bots.player("magnate", "club", seed=9), []
        while len(made) < 90:
            made.append(player.choose(game))
            game.apply(made[-1].action)
        return made

    first, second = decisions(), decisions()
    assert [d.action for d in first] == [d.action for d in second]
    assert any("at the end of the turn" in d.sentence for d in first)


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(ValueError, match="no level 'divine'; it has quick, club, strong"):
        bots.player("magnate", "divine")


def test_the_magnate_gets_ahead_of_those_who_look_one_action_ahead() -> None:
    """One game to its end; benchmarks/bots.py plays many."""
    game = roundhouse.new("1873", players=["Ada", "Ben", "Cleo"], seed=1)
    mine, bot = game.seats[0].id, bots.player(seed=1)

    def policy(g: roundhouse.Game, choices: Sequence[roundhouse.Choice], rng: Random) -> Action:
        return (bot if g.players_to_act[0] == mine else bots.thrifty)(g, choices, rng)

    selfplay.play_on(game, Random(1), actions=2_000, policy=policy)
    assert game.finished
    scores = game.result()
    assert scores.pop(mine) > max(scores.values())


@pytest.mark.parametrize("title", list(all_titles()))
def test_the_magnate_decides_in_any_position(title: str) -> None:
    """Positions a player would never get into: by chance, driven on."""
    game = roundhouse.new(title, players=["Ada", "Ben", "Cleo"], seed=11)
    asked = [bots.player("magnate", level, seed=11) for level in ("quick", "club")]

    def policy(g: roundhouse.Game, choices: Sequence[roundhouse.Choice], rng: Random) -> Action:
        if len(g) % 50 == 49:
            assert all(g.is_legal(player.choose(g).action) for player in asked)
        return selfplay.pushing(g, choices, rng)

    selfplay.play_on(game, Random(11), actions=300, policy=policy)


def test_a_player_weighs_anew_as_one_who_had_those_weights_from_the_first() -> None:
    game = played("18Ireland", 3, 2, 90)
    known = knowledge_of(game.title)
    other = replace(known, weights=replace(known.weights, control=2.0, rivals=0.4, laid=9.0))
    player, differ = bots.Magnate("quick", 3), 0
    for at in range(40, len(game), 4):
        position = game.at(at)
        before = player.choose(position)
        again = player.reweighed(other).choose(position)
        assert again == bots.Magnate("quick", 3, other).choose(position)
        assert player.choose(position) == before
        differ += [c.score for c in again.candidates] != [c.score for c in before.candidates]
    assert differ


def test_a_train_of_another_of_ones_companies_must_bring_a_part_of_its_face_value() -> None:
    game = roundhouse.load(GAMES / "1817" / "base.json")
    known = knowledge_of(game.title)

    def scores(position: roundhouse.Game, deal: float) -> dict[BuyTrain, float]:
        weighing = replace(known, weights=replace(known.weights, deal=deal))
        found = bots.Magnate("quick", 0, weighing).choose(position).candidates
        return {c.action: c.score for c in found if isinstance(c.action, BuyTrain)}

    seen = 0
    for before, entry in pairwise(game.history):
        if not isinstance(entry.action, BuyTrain):
            continue
        position = game.at(before.action.id or 0)
        asked, trains = scores(position, 0.5), position.state.trains
        for action, score in scores(position, 0.0).items():
            used = trains.get(action.train)
            s, seller = position.state, used.owner if used else None
            mine = seller in s.corporations and position.rules.president(
                s, str(seller)
            ) == position.rules.president(s, action.actor)
            face = position.rules.box.trains[used.kind].price if used and mine else 0
            assert asked[action] == pytest.approx(score - 0.5 * face)
            seen += face > 0
        if seen:
            break
    assert seen


def test_a_deal_is_worth_more_to_who_sells_the_more_he_gets() -> None:
    """The first train of a game that was bought of another player's company."""
    game = roundhouse.load(GAMES / "1817" / "base.json")
    lines = pairwise(game.history)
    before, sale = next(
        (before, entry)
        for before, entry in lines
        if entry.action.type == "buy_train"
        and len(concerned(game.rules, before.state, entry.action)) > 1
    )
    position = game.at(before.action.id or 0)
    (seller,) = dealing.parties(position, sale.action)
    magnate = bots.player("magnate", "quick", seed=1)
    offers = [replace(sale.action, price=p) for p in (1, 40)]
    cheap, dear = (magnate.gain(position, a, seller) for a in offers)
    assert cheap < dear
    assert magnate.gain(position, replace(sale.action, price=10**6), seller) == dealing.IMPOSSIBLE


def test_a_tile_turned_so_that_it_looks_the_same_has_the_same_pattern() -> None:
    straight = roundhouse.new("1828", players=["Ada", "Ben", "Cleo"]).rules.box.tiles.tiles["57"]
    assert straight.turned(0).pattern == straight.turned(3).pattern
    assert straight.turned(0).pattern != straight.turned(1).pattern


def _planned(**changes: Any) -> Plan:
    """The plan of a company of 1828 that has money and no train yet."""
    game = roundhouse.new("1828", players=["Ada", "Ben", "Cleo"])
    known = knowledge_of(game.title)
    cell = next(c.id for c in game.rules.box.market.cells.values() if c.price == 79)
    firm = Firm(
        id="MP", shares=10, cell=cell, cash=790, loans=0, kinds=(), income=0, quality=0.9, room=4
    )
    ledger = replace(make_ledger(game.rules, known, game.state), rounds=9.0)
    return forecast.Forecast(game.rules, known).plan(replace(firm, **changes), ledger)


def test_a_plan_loses_by_waiting_and_gains_by_what_is_sold_out() -> None:
    assert _planned(waits=6).worth < _planned().worth < _planned(full=True).worth


def test_trains_that_the_track_has_no_use_for_are_planned_to_earn_less() -> None:
    two = {"kinds": ("2",), "income": 60}
    assert _planned(**two, more=0.0).worth < _planned(**two, more=1.0).worth


def test_a_company_is_begun_with_what_there_is_for_one_where_only_one_is_for_sale() -> None:
    game = roundhouse.new("18Ireland", ["Ada", "Ben", "Cleo"], seed=44)
    players = bots.player(seed=44)
    while not any(isinstance(c.action, Bid) and c.action.corporation for c in game.choices()):
        game.apply(players.choose(game).action)
    opening = players.choose(game).action
    cash = game.state.players[game.state.acting[0]].cash
    assert isinstance(opening, Bid)
    assert 100 < opening.price <= cash
    game.apply(opening)
    raised = players.choose(game).action
    assert isinstance(raised, Pass) or getattr(raised, "price", 0) == opening.price + 5


def test_the_last_private_is_named_at_what_would_be_bid_anyway() -> None:
    """1817: one thing left is no auction going on, in which the least would be enough."""
    game = roundhouse.new("1817", ["Ada", "Ben", "Cleo", "Dora"], seed=3)
    player = bots.player(seed=1)

    def unsold() -> int:
        return sum(c.owner is None for c in game.state.companies.values())

    while unsold() > 1:
        game.apply(player.choose(game).action)
    opening = player.choose(game).action
    assert isinstance(opening, Bid)
    assert opening.price > min(a.price for a in map(_low_bid, game.choices()) if a)


def _low_bid(choice: roundhouse.Choice) -> Bid | None:
    a = next(iter(choice.actions()))
    return a if isinstance(a, Bid) else None


def test_money_for_what_is_for_sale_is_not_bound_by_bids() -> None:
    """§3 of 18Ireland: while nobody buys the first private, all passing takes every bid back. Three
    who play beside somebody who only passes never come to that."""
    for seed in range(6):
        game = roundhouse.new("18Ireland", players=["Ada", "Ben", "Cleo", "Dora"], seed=seed)
        players = [bots.player("magnate", "quick", seed=k) for k in range(4)]
        while game.state.step == "auction" and len(game) < 300:
            seat = int(game.state.acting[0].rpartition(":")[2]) - 1
            passing = [c.action for c in game.choices() if c.type == "pass"]
            game.apply(passing[0] if seat == 0 and passing else players[seat].choose(game).action)
        notes = [e.code for h in game.history for e in h.events if isinstance(e, Noted)]
        assert "bids_cleared" not in notes
        assert game.state.step != "auction"


def test_of_two_cities_of_a_tile_the_one_that_leads_on_is_taken() -> None:
    """18Ireland's Belfast: track runs out of one of its two cities only, and the token that was
    lifted may go to either."""
    game = roundhouse.new("18Ireland", ["Ada", "Ben", "Cleo", "Dora"], seed=9500)
    magnate = bots.player("magnate", "quick", seed=1)
    while game.state.step != "replace token":
        assert len(game) < 200
        game.apply(magnate.choose(game).action)
    leads = {}
    for choice in game.choices():
        after = game.copy()
        after.apply(choice.action)
        leads[choice.action.city] = sum(c.type == "lay_tile" for c in after.choices())
    assert sorted(leads.values())[0] == 0 < sorted(leads.values())[1]
    chosen = magnate.choose(game).action
    assert isinstance(chosen, PlaceToken)
    assert leads[chosen.city] > 0


def test_what_the_rest_of_a_turn_brings_anyway_is_no_merit_of_what_was_looked_into(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Eyes:
        """A position that says amounts."""

        def money(self, amount: float) -> str:
            return f"{amount:.0f}"

    names = ("first", "second", "third", "fourth")
    scores = dict(zip(names, (100.0, 90.0, 80.0, 5.0), strict=True))
    merits = (100.0, 130.0, 80.0)
    found = [
        Candidate(Message(entity=n, entity_type="player"), score) for n, score in scores.items()
    ]

    def looked(gains: list[float | None]) -> list[Candidate]:
        class Search:
            until = "at the end of the turn"

            def __init__(self, view: object, depth: object, near: object) -> None:
                assert near == found[:3]

            def gains(self) -> list[float | None]:
                return gains

        monkeypatch.setattr(search, "_Search", Search)
        return search.looked_into(Eyes(), found, search.Depth(width=3, actions=1))  # type: ignore[arg-type]

    for rest in (-5_000.0, 0.0, 5_000.0):
        ahead = looked([merit + rest for merit in merits])
        assert [c.action.entity for c in ahead] == ["second", "first", "third", "fourth"]
        assert [c.score for c in ahead] == [110.0, 100.0, 80.0, 5.0]
    assert looked([None, None, None]) == found
    # what there was no time for keeps its first judgement
    assert [c.score for c in looked([100.0, None, 60.0])] == [100.0, 90.0, 70.0, 5.0]


def _stock_round(at: int = 236) -> tuple[View, list[Candidate]]:
    """A position in a stock round of 18Ireland, and what may be done in it, the best first."""
    game = roundhouse.load(GAMES / "18Ireland" / "base.json").at(at).copy()
    view = _seen(game)
    assert isinstance(game.state.round, StockProgress)
    return view, sorted(judge(view, game.choices()), key=lambda c: -c.score)


def test_a_search_plays_on_to_the_end_of_rounds_and_looks_into_what_there_is_time_for() -> None:
    view, found = _stock_round()

    def looked(**depth: Any) -> list[Candidate]:
        ahead = search.looked_into(view, found, search.Depth(width=4, actions=200, **depth))
        return [c for c in ahead if any(r.code == "ahead" for r in c.reasons)]

    for rounds, text in enumerate(("of the turn", "of the round", "of the next round")):
        depth = search.Depth(actions=200, rounds=rounds)
        way = search._Search(view, depth, found[:1])._first
        end = way.stop(None).position
        assert end is not None
        assert way.complete
        assert way.stop(None).work > 0 or not rounds
        assert (end.turn, end.round.number) == (view.now.turn, (1, 1, 2)[rounds])
        assert isinstance(end.round, StockProgress if rounds == 0 else OperatingProgress)
        told = [r.text for c in looked(rounds=rounds) for r in c.reasons]
        assert any(text in line for line in told), told
    assert len(looked(rounds=2, within=2.0)) == 4
    assert not looked(rounds=2, within=2.0, work=1)


def test_where_a_company_operates_a_search_ends_with_its_turn_or_with_the_round() -> None:
    game = roundhouse.load(GAMES / "18Ireland" / "base.json")
    position = next(p for n in range(200, 300) if _first_operates(p := game.at(n))).copy()
    s = position.state
    view = _seen(position)
    found = judge(view, position.choices())[:1]
    operators = []
    for operating in (0, 1):
        depth = search.Depth(actions=400, rounds=2, operating=operating)
        tried = search._Search(view, depth, found)
        assert tried.until == f"at the end of the {('turn', 'round')[operating]}"
        end = tried._first.stop(None).position
        assert end is not None
        operators.append((end.turn, end.round.number, position.rules.operator(end)))
    turn, whole = operators
    assert turn[:2] == (s.turn, s.round.number)
    assert turn[2] != position.rules.operator(s)
    assert whole[:2] == (s.turn, s.round.number + 1)


def test_what_track_brings_beside_what_positions_show_counts_where_a_search_looks_on() -> None:
    game = roundhouse.load(GAMES / "18Ireland" / "base.json")
    position = next(p for n in range(100, 300) if (p := game.at(n)).state.step == "track")
    view = _seen(position)
    found = judge(view, position.choices())
    kinds = {type(c.action) for c in found}
    assert {LayTile, Pass} <= kinds
    for c in found:
        stop = search._Search(view, search.Depth(actions=0), [c])._first.stop(None)
        assert stop.position is not None
        shown = view.score(stop.position) - view.here
        assert c.unseen == isinstance(c.action, LayTile)
        if isinstance(c.action, Pass):
            assert stop.beside == 0.0
        else:
            assert shown + stop.beside == pytest.approx(c.score)


def _seen(position: roundhouse.Game) -> View:
    """A position as the player sees it who decides."""
    s = position.state
    me = position.rules.president(s, s.acting[0]) or ""
    return View(bots.Magnate(seed=1).mind(position), s, me)


def _first_operates(position: roundhouse.Game) -> bool:
    r = position.state.round
    return isinstance(r, OperatingProgress) and r.index == 0 and r.number == 1


def test_a_search_goes_as_far_as_there_is_time_for_and_never_takes_much_more() -> None:
    view, found = _stock_round(240)
    view.mind.spent.begin()
    whole = search._Search(view, search.Depth(actions=200, rounds=2), found[:1])._first
    assert whole.complete
    assert whole.turns > 2
    for work in (2 * whole.stop(1).work + 2, whole.stop(None).work, 8 * whole.stop(None).work):
        depth = search.Depth(width=4, actions=200, rounds=2, samples=3, work=work)
        view.mind.spent.begin()
        tried = search._Search(view, depth, found[:4])
        gains = tried.gains()
        assert gains[0] is not None
        assert view.mind.spent.work <= 1.5 * work + 1_000
        assert (tried.turns is None) == (work > 3 * whole.stop(None).work)
    view.mind.spent.begin()
    again = search._Search(view, depth, found[:4])
    assert again.gains() == gains


def test_a_share_counts_partly_as_it_stands_in_stock_rounds_where_a_title_says_so() -> None:
    view, _ = _stock_round()
    s, usual = view.now, view.known
    c = next(c for c in s.corporations.values() if c.floated and c.trains)
    worth = {}
    for part in (0.0, 0.5, 1.0):
        weights = replace(usual.weights, plain=part)
        mind = view.mind.reweighed(replace(usual, weights=weights))
        worth[part] = View(mind, s, view.me).share(s, c)[0]
    rounds = min(6.0, view.ledger.rounds)
    price = view.rules.box.market.price[c.cell or ""]
    plain = price + (rounds * view.earned(s, c.id) + 0.5 * c.cash) / c.shares
    assert worth[1.0] == pytest.approx(plain)
    assert worth[0.5] == pytest.approx((worth[0.0] + plain) / 2)


def test_a_decision_takes_the_same_work_whatever_was_decided_before() -> None:
    """Routes that are remembered count as if they were searched for, so that a search stops at the
    same point."""
    game = roundhouse.load(GAMES / "18Ireland" / "base.json")
    experienced = bots.Magnate("club", seed=1)
    for at in (233, 234, 235, 236):
        position = game.at(at).copy()
        decision = experienced.choose(position)
        fresh = bots.Magnate("club", seed=1)
        assert fresh.choose(position) == decision
        assert fresh.mind(position).spent.work == experienced.mind(position).spent.work > 0


def test_what_looking_for_routes_takes_counts_as_work() -> None:
    """More for more trains, and nothing the second time a decision asks for it."""
    game = roundhouse.load(GAMES / "18Ireland" / "base.json")
    position = next(p for n in range(300, 400) if (p := game.at(n)).state.step == "track")
    s, mind = position.state, bots.Magnate(seed=1).mind(position)
    spent = []
    for kinds in (("4H",), ("4H", "6H"), ("4H", "6H", "6H")):
        mind.spent.begin()
        mind.income.having(s, s.acting[0], kinds)
        spent.append(mind.spent.work)
    mind.income.having(s, s.acting[0], kinds)
    assert mind.spent.work == spent[-1]
    assert 0 < spent[0] < spent[1] < spent[2], spent


def test_whose_tokens_others_have_does_not_matter_to_what_a_company_earns() -> None:
    game = roundhouse.load(GAMES / "1828" / "base.json").at(500)
    s, mind = game.state, bots.Magnate(seed=1).mind(game)
    who = max(s.corporations, key=lambda c: len(game.rules.reach(s.board, c).edges))
    other = next(c.id for c in s.corporations.values() if c.cell and c.id != who)

    def renamed(owner: str | None, name: str) -> State:
        new = s.fork()
        cities = {
            coord: tuple([tuple([name if o == owner else o for o in city]) for city in row])
            for coord, row in s.board.cities.items()
        }
        new.board = replace(s.board, cities=cities)
        return new

    here = mind.income._place(s, who)
    for owner in (c.id for c in s.corporations.values() if c.id not in (who, other)):
        assert mind.income._place(renamed(owner, other), who) == here
    assert mind.income._place(renamed(who, other), who) != here
    assert mind.income._place(renamed(None, who), who) != here


def test_what_is_asked_for_again_counts_once_and_with_what_it_is_part_of() -> None:
    spent = Spent()
    spent.add(5)
    spent.once("A", 30)
    made, noted = spent.noted(lambda: [spent.once(key, 30) for key in "AB"])
    assert made == [None, None]
    assert (dict(noted), spent.work) == ({"A": 30, "B": 30}, 65)
    spent.begin()
    assert spent.work == 0
    spent.again(noted)
    spent.again(noted)
    assert spent.work == 60


def test_a_merger_is_proposed_for_what_it_brings_once_all_have_voted() -> None:
    position = roundhouse.load(GAMES / "18Ireland" / "base.json").at(231).copy()
    player = bots.player(seed=1)
    proposed = player.choose(position)
    assert isinstance(proposed.action, Merge)
    made = proposed
    while position.state.step != "merger major":
        position.apply(made.action)
        made = player.choose(position)
    assert isinstance(made.action, Merge)
    assert made.candidates[0].score == pytest.approx(proposed.candidates[0].score)


def test_a_merger_its_proposer_would_vote_down_is_not_proposed() -> None:
    game = roundhouse.load(GAMES / "18Ireland" / "base.json")
    alone = replace(knowledge_of(game.title), building=0)  # small companies grow by themselves
    player = bots.Magnate(seed=1, known=alone)
    vote, proposed = player.choose(game.at(420)), player.choose(game.at(418))
    scores = {str(getattr(c.action, "choice", "")): c.score for c in vote.candidates}
    assert scores["for"] < scores["against"]
    assert proposed.action.type == "pass"
    assert all(c.score < 0 for c in proposed.candidates if isinstance(c.action, Merge))


def test_what_was_thought_of_before_changes_no_decision_of_those_who_look_on() -> None:
    game = roundhouse.load(GAMES / "18Ireland" / "base.json")
    thinker = bots.player("magnate", "club", seed=1)
    for number in (200, 225, 236, 240):
        position = game.at(number).copy()
        known = thinker.choose(position)
        fresh = bots.player("magnate", "club", seed=1).choose(position)
        assert known.action == fresh.action
        assert [c.score for c in known.candidates] == [c.score for c in fresh.candidates]


@pytest.mark.parametrize("level", ["quick", "club"])
@pytest.mark.parametrize("title", ["1828", "1839", "18Ireland"])
def test_players_who_remember_together_decide_as_each_alone(title: str, level: str) -> None:
    def played(together: bool) -> list[roundhouse.Action]:
        game = roundhouse.new(title, players=["Ada", "Ben", "Cleo"], seed=4)
        seated = {key: bots.player(level=level, seed=n) for n, key in enumerate(game.state.players)}
        first, *others = seated.values()
        for other in others if together else ():
            other.remember_with(first)
        for _ in range(90 if level == "quick" else 25):
            decision = decide(game, seated)
            assert decision is not None
            game.apply(decision.action)
        return [entry.action for entry in game.history]

    assert played(together=True) == played(together=False)


def test_those_who_think_otherwise_remember_for_themselves() -> None:
    quick, club, weighted = bots.Magnate("quick"), bots.Magnate("club"), bots.Magnate("quick")
    weighted = weighted.reweighed(replace(knowledge_of(find_title("1828")), local=False))
    game = roundhouse.new("1828", players=["Ada", "Ben", "Cleo"], seed=4)
    for other in (club, weighted):
        other.remember_with(quick)
        assert other.mind(game) is not quick.mind(game)
    another = bots.Magnate("quick", seed=3)
    another.remember_with(quick)
    assert another.mind(game) is quick.mind(game)


def test_a_short_that_brings_something_comes_before_the_purchase_that_ends_the_turn() -> None:
    game = roundhouse.load(GAMES / "1817" / "base.json").at(418)
    view = View(bots.Magnate("quick").mind(game), game.state, game.state.acting[0])
    kinds: dict[type[Action], Action] = {type(c.action): c.action for c in game.choices()}
    short, buy = kinds[Short], kinds[BuyShares]

    def scores(gain: float) -> list[float]:
        found = [Candidate(short, gain), Candidate(buy, 50.0), Candidate(kinds[Pass], 0.0)]
        return [c.score for c in before_purchases(view, found)]

    assert scores(20.0) == [70.0, 50.0, 0.0]
    assert scores(-5.0) == [-5.0, 50.0, 0.0]


def test_no_level_looks_on_from_so_many_tiles_as_a_title_is_known_to_be_crowded_with() -> None:
    game = roundhouse.load(GAMES / "18Ireland" / "base.json").at(236).copy()
    tiles, known = len(game.state.board.tiles), knowledge_of(game.title)
    for crowded, looks in ((0, True), (tiles, False), (tiles + 1, True)):
        club = bots.Magnate("club", 1, replace(known, crowded=crowded))
        told = {r.code for c in club.choose(game).candidates for r in c.reasons}
        assert ("ahead" in told) == looks
