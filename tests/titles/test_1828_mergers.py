"""Mergers of 1828: scenarios 10 to 15 of the rules text's tests (§17)."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

import roundhouse
from alike import unnamed
from roundhouse import Game, IllegalAction
from roundhouse.board import laying
from roundhouse.history import Stored
from roundhouse.model.actions import decode_action
from roundhouse.model.frozen import put
from roundhouse.model.records import set_corporation
from roundhouse.selfplay import lively
from roundhouse.sentences.buttons import Wording

from build1828 import (
    P1,
    P2,
    P3,
    POOL,
    Table,
    charter,
    corporation,
    indexes,
    money,
    player,
    types,
)

#: Of a game with a merger that fails.
FAILING_SEED = 1


def nyc_and_prr(options: tuple[str, ...] = ()) -> Table:
    """§17.10: NYC at 68, PRR at 67; the order is P3, P2, P1, and P1 has sold NYC."""
    t = Table(options=options)
    t.cash(p1=19, p2=1, p3=128)
    held = {P3: [0, 1, 2, 3, 4], P1: [6], POOL: [5]}
    t.start("NYC", "68,12,6", P3, held, cash=110)
    t.start("PRR", "67,13,7", P3, {P3: [0, 2, 3, 4], P2: [5], POOL: [1]}, cash=253)
    t.stock_round(P3, (P3, P2, P1), barred={P1: ("NYC",)})
    return t


def test_merger_with_sales_forced_by_lack_of_cash_and_an_earlier_sale() -> None:
    game = nyc_and_prr().game()
    game.apply(player(3, "choose", choice="NYC"))
    game.apply(corporation("NYC", "merge", corporation="PRR"))
    assert game.acting == (P3,)
    game.apply(player(3, "choose", choice="NYC"))
    game.apply(player(3, "choose", choice="Exchange"))
    assert charter(game, "NYC-PRR").cell == "95,7,6"
    assert indexes(game, "NYC-PRR", P3) == [0, 2, 3, 4]
    assert indexes(game, "NYC-PRR", POOL) == [5]
    assert indexes(game, "NYC-PRR", "NYC-PRR") == [6, 7, 8, 1]
    assert charter(game, "NYC-PRR").treasury == 1
    assert money(game, "NYC-PRR") == 363
    assert [money(game, p) for p in (P1, P2, P3)] == [19 + 68, 1 + 67, 128 - 27]
    assert "NYC" not in game.state.corporations
    assert charter(game, "NYC-PRR").floated


def _labels(game: Game) -> list[str]:
    wording = Wording(game.rules, game.state)
    return [wording.of(c) for c in game.choices()]


def test_questions_of_a_merger_tell_the_share_and_the_money() -> None:
    game = nyc_and_prr().game()
    game.apply(player(3, "choose", choice="NYC"))
    assert _labels(game) == ["with PRR · Pennsylvania Railroad"]
    game.apply(corporation("NYC", "merge", corporation="PRR"))
    assert _labels(game) == ["Set a share of NYC aside ($68)", "Set a share of PRR aside ($67)"]
    assert [f.short for f in game.rules.facts.game(game.state)] == ["NYC + PRR"]
    game.apply(player(3, "choose", choice="NYC"))
    assert _labels(game) == [
        "Exchange the share of NYC for one of NYC-PRR, paying $27",
        "Sell the share of NYC for $68",
    ]


def test_any_piece_of_an_offered_answer_is_taken_and_nothing_else() -> None:
    game = nyc_and_prr().game()
    game.apply(player(3, "choose", choice="NYC"))
    game.apply(corporation("NYC", "merge", corporation="PRR"))
    for wrong in ("B&M", "NYC PRR", ""):
        assert not game.is_legal(player(3, "choose", choice=wrong))
    for piece, keeps in (("NYC ($", "NYC"), ("PR", "PRR"), ("NY", "PRR"), ("$", "PRR")):
        action = player(3, "choose", choice=piece)
        covering = [c.action.choice for c in game.choices() if c.covers(decode_action(action))]
        assert covering == [keeps]
        assert game.is_legal(action)
    assert game.is_legal(player(3, "choose", choice="PRR ($67)"))
    game.apply(player(3, "choose", choice="NYC ($68)"))
    assert game.is_legal(player(3, "choose", choice="Exchange ($-27)"))
    assert game.is_legal(player(3, "choose", choice="Sell ($68)"))


def test_who_sold_may_exchange_under_the_option() -> None:
    t = nyc_and_prr(("merger_exchange_after_sale",))
    t.cash(p1=27)
    game = t.game()
    game.apply(player(3, "choose", choice="NYC"))
    game.apply(corporation("NYC", "merge", corporation="PRR"))
    game.apply(player(3, "choose", choice="NYC"))
    assert game.acting == (P1,)
    game.apply(player(1, "choose", choice="Exchange"))
    game.apply(player(3, "choose", choice="Exchange"))
    assert money(game, P1) == 0
    assert len(indexes(game, "NYC-PRR", P1)) == 1


def test_the_rest_goes_to_the_pool_under_the_option() -> None:
    game = nyc_and_prr(("merger_rest_to_pool",)).game()
    game.apply(player(3, "choose", choice="NYC"))
    game.apply(corporation("NYC", "merge", corporation="PRR"))
    game.apply(player(3, "choose", choice="NYC"))
    game.apply(player(3, "choose", choice="Exchange"))
    assert indexes(game, "NYC-PRR", "NYC-PRR") == [1]
    assert indexes(game, "NYC-PRR", POOL) == [5, 6, 7, 8]


def mc_and_cpr(options: tuple[str, ...] = ()) -> Table:
    """§17.14: MC has floated, CPR has not."""
    t = Table(turn=1, options=options)
    t.cash(p1=114, p2=0, p3=130)
    t.start("MC", "67,13,7", P1, {P1: [1, 0, 2, 3, 4]}, operated=False, cash=670)
    t.start("CPR", "67,13,7", P3, {P3: [1, 0]}, operated=False, floated=False)
    return t


def test_merger_with_an_unfloated_partner() -> None:
    t = mc_and_cpr()
    t.stock_round(P1)
    game = t.game()
    game.apply(player(1, "choose", choice="MC"))
    game.apply(corporation("MC", "merge", corporation="CPR"))
    assert game.acting == (P3,)
    game.apply(player(3, "choose", choice="Exchange"))
    system = charter(game, "MC-CPR")
    assert system.cell == "94,8,7"
    assert indexes(game, "MC-CPR", P1) == [0]
    assert indexes(game, "MC-CPR", P3) == [2, 3]
    assert indexes(game, "MC-CPR", "MC-CPR") == [4, 5, 6, 7, 8, 1]
    assert not system.floated
    assert system.cash == 0
    assert money(game, P3) == 130 - 27


def test_unfloated_partner_as_survivor_floats_at_once() -> None:
    t = mc_and_cpr()
    t.stock_round(P3)
    game = t.game()
    game.apply(player(3, "choose", choice="CPR"))
    game.apply(corporation("CPR", "merge", corporation="MC"))
    game.apply(player(3, "choose", choice="Exchange"))
    system = charter(game, "CPR-MC")
    assert indexes(game, "CPR-MC", P1) == [1, 2]
    assert indexes(game, "CPR-MC", P3) == [4, 0]
    assert system.president == P3
    assert system.treasury == 3
    assert system.floated
    assert system.cash == 940


def test_cash_is_kept_under_the_option() -> None:
    t = mc_and_cpr(("merger_keep_cash",))
    t.stock_round(P3)
    game = t.game()
    game.apply(player(3, "choose", choice="CPR"))
    game.apply(corporation("CPR", "merge", corporation="MC"))
    game.apply(player(3, "choose", choice="Exchange"))
    assert charter(game, "CPR-MC").floated
    assert money(game, "CPR-MC") == 670


def failing() -> Table:
    """GT and MC; their common owner would end with two units of the system."""
    t = Table()
    t.cash(p1=500, p2=0, p3=0)
    t.start("GT", "67,13,7", P1, {P1: [0, 1], P2: [2], POOL: [3, 4, 5]}, cash=100)
    t.start("MC", "67,13,7", P1, {P1: [0], P2: [1], POOL: [4, 5, 6]}, cash=100)
    t.stock_round(P1)
    return t


def failed(t: Table | None = None) -> Game:
    """The merger of GT with MC tried; whoever is asked sells."""
    game = (t or failing()).game()
    game.apply(player(1, "choose", choice="GT"))
    game.apply(corporation("GT", "merge", corporation="MC"))
    while game.state.step == "merger":
        game.apply(next(c for c in game.choices() if "Sell" in str(c.action)).action)
    return game


def test_failed_merger_leaves_no_trace_and_uses_the_purchase() -> None:
    """§5.6.7.3: the game itself takes it back and says so."""
    before = failing().game()
    assert "failed_merge" not in types(before)
    game = failed()
    kinds = [e.action.type for e in game.log]
    assert kinds[-2:] == ["undo", "failed_merge"]
    assert game.log[-2].action.action_id == 0
    assert [e.action.type for e in game.history] == ["failed_merge"]
    after = game.state
    for field in ("players", "corporations", "market", "board", "bank", "companies", "trains"):
        assert getattr(after, field) == getattr(before.state, field)
    assert "sell_shares" in types(game)
    assert not {"buy_shares", "choose", "par", "failed_merge"} & types(game)


def test_sales_before_a_failed_merger_stand() -> None:
    """§5.6.7.3: it is taken back to the action before the choice of the survivor."""
    t = failing()
    t.start("B&O", "67,13,7", P2, {P2: [0], P1: [1]})
    game = t.game()
    game.apply(player(1, "sell_shares", shares=["B&O_1"], percent=10, id=7))
    game.apply({"type": "message", "entity": 2, "entity_type": "player", "message": "hm"})
    game.apply(player(1, "choose", choice="GT"))
    game.apply(corporation("GT", "merge", corporation="MC"))
    while game.state.step == "merger":
        game.apply(next(c for c in game.choices() if "Sell" in str(c.action)).action)
    kinds = [e.action.type for e in game.history]
    assert kinds == ["sell_shares", "message", "failed_merge"]


def test_nobody_sends_a_failed_merger() -> None:
    """§5.6.7.4: it is refused live, by itself and as an automatic action."""
    sent = player(1, "failed_merge", corporations=["GT", "MC"])
    game = failing().game()
    hung_on = {"type": "message", "entity": 1, "entity_type": "player", "message": ""}
    for action in (sent, hung_on | {"auto_actions": [sent]}):
        fault = game.why_not(action)
        assert fault is not None
        assert fault.code == "appended"
    game.apply(sent, recorded=True)
    assert game.state.round.used == "failed merger"
    assert not failed().is_legal(sent)
    with pytest.raises(IllegalAction, match="purchase"):
        failed().apply(sent, recorded=True)


def next_turn(game: Game) -> Game:
    """Everybody else passes."""
    game.apply(player(1, "pass"))
    for number in (2, 3):
        if game.acting == (f"player:{number}",):
            game.apply(player(number, "pass"))
    assert game.acting == (P1,)
    return game


def test_who_failed_does_not_go_round_in_circles() -> None:
    """§5.6.7.4: the same pair in the same order is refused to him, until something moves."""
    again = player(1, "choose", choice="GT")
    t = failing()
    t.cash(p1=0, p3=67)
    t.start("B&O", "67,13,7", P2, {P2: [0], P1: [1]})
    game = next_turn(failed(t))
    fault = game.why_not(again)
    assert fault is not None
    assert (fault.code, fault.rule) == ("failed", "5.6.7")
    starts = [c.action.choice for c in game.choices() if c.type == "choose"]
    assert starts == ["MC"]
    twin = game.copy()
    twin.apply(again, recorded=True)
    twin.apply(corporation("GT", "merge", corporation="MC"), recorded=True)
    game.apply(player(1, "sell_shares", shares=["B&O_1"]))
    assert not game.is_legal(again)
    game.apply(player(1, "pass"))
    while game.acting != (P3,):
        game.apply(player(2, "pass"))
    game.apply(player(3, "buy_shares", shares=["MC_4"]))
    while game.acting != (P1,):
        game.apply(player(int(game.acting[0][-1]), "pass"))
    assert game.is_legal(again)


def test_the_bar_is_on_the_player_and_the_pair() -> None:
    """§5.6.7.4: others may still try it."""
    game = failed()
    assert game.state.round.failed == ((P1, "GT", "MC"),)
    s = game.state.fork()
    s.round, s.acting = replace(s.round, player=P2, used="", acted=False), (P2,)
    mc = s.corporations["MC"]
    s.corporations = put(s.corporations, "MC", replace(mc, president=P2))
    game._state = s.seal()
    assert game.is_legal(player(2, "choose", choice="GT"))


def test_who_has_only_a_barred_merger_is_waited_for() -> None:
    """§5.6.7.4 with §5.1.2d, §17.15: he must pass."""
    t = Table(turn=1)
    t.cash(p1=1, p2=1, p3=500)
    t.start("GT", "67,13,7", P1, {P1: [0, 1], P2: [2], POOL: [3, 4, 5]}, cash=100)
    t.start("MC", "67,13,7", P1, {P1: [0], P2: [1], POOL: [4, 5, 6]}, cash=100)
    t.stock_round(P1, failed=((P1, "GT", "MC"), (P1, "MC", "GT")))
    game = t.game()
    assert game.acting == (P1,)
    assert types(game) == {"pass"}


def played_to_a_failure() -> Game:
    """A game from its start in which a merger fails."""
    game = roundhouse.new("1828", ["Ada", "Ben", "Cleo"], seed=FAILING_SEED)
    rng = Random(FAILING_SEED)
    while game.log == () or game.log[-1].action.type != "failed_merge":
        choices = game.choices()
        starts = [c for c in choices if c.type == "choose" and game.state.step == "stock turn"]
        game.apply(starts[0].action if starts else lively(game, choices, rng))
    return game


def test_a_failure_that_is_tried_is_taken_back_as_when_it_is_done() -> None:
    game = played_to_a_failure()
    failing = next(e for e in reversed(game.log) if e.action.type not in ("undo", "failed_merge"))
    early = game.logged(game.log.index(failing))
    again = early.copy()
    again.apply(replace(failing.action, id=None))
    assert again.log[-1].action.type == "failed_merge"
    state, events = early.tried(replace(failing.action, id=None))
    assert state == again.state
    assert events == failing.events


def test_a_failure_is_stored_and_exported() -> None:
    """§5.6.7.5: files hold the undo before it, and load to the same states."""
    game = played_to_a_failure()
    again = roundhouse.load(game.dump())
    assert [e.state for e in again.log] == [e.state for e in game.log]
    exported = game.export()
    kinds = [a["type"] for a in exported["actions"]]
    assert kinds[-2:] == ["undo", "failed_merge"]
    undo = exported["actions"][-2]
    assert exported["actions"][undo["action_id"]]["type"] == "choose"
    short = roundhouse.load(exported)
    assert unnamed(short, short.state) == unnamed(game, game.state)
    stored = [Stored(e.action, e.events) for e in game.log]
    fresh = roundhouse.new("1828", ["Ada", "Ben", "Cleo"], seed=FAILING_SEED)
    fresh.resume(stored)
    assert fresh.state == game.state


@pytest.mark.parametrize(("options", "topped"), [((), False), (("merger_500_ends",), True)])
def test_a_merger_onto_the_last_price(options: tuple[str, ...], topped: bool) -> None:
    """§5.6.2.4, §13."""
    t = Table(options=options)
    t.cash(p1=500, p2=0, p3=0)
    t.start("GT", "412,0,13", P1, {P1: [0, 1, 2]}, cash=0)
    t.start("MC", "357,0,12", P1, {P1: [0, 1, 2]}, cash=0)
    t.stock_round(P1)
    game = t.game()
    game.apply(player(1, "choose", choice="GT"))
    game.apply(corporation("GT", "merge", corporation="MC"))
    assert charter(game, "GT-MC").cell == t.rules.last_cell
    assert game.state.topped == topped


def test_preconditions_of_a_merger() -> None:
    game = nyc_and_prr().game()
    assert game.is_legal(player(3, "choose", choice="PRR"))
    t = nyc_and_prr()
    prr = t.s.corporations["PRR"]
    t.s.corporations = put(t.s.corporations, "PRR", replace(prr, operated=False))
    fault = t.game().why_not(player(3, "choose", choice="PRR"))
    assert fault is not None
    assert fault.rule == "5.6.1"


def real(reference: Path, name: str) -> Game:
    return roundhouse.load(reference / "games" / "1828" / name)


def test_merger_with_trades(reference: Path) -> None:
    """§17.11."""
    game = real(reference, "1828Games_game_end_stock_market.json").at(374)
    system = charter(game, "NYH-MP")
    assert system.cell == "111,3,3"
    p1, p2, p3 = "player:8320", "player:11345", "player:3581"
    held = [indexes(game, "NYH-MP", p) for p in (p2, p1, p3)]
    assert sorted(held) == sorted([[0, 2, 5], [4], [3]])
    assert indexes(game, "NYH-MP", "NYH-MP") == [6, 7, 8, 1]
    assert system.treasury == 1


def test_merger_with_a_discarded_partner(reference: Path) -> None:
    """§17.12."""
    game = real(reference, "23366.json").at(236)
    assert charter(game, "GT-IC").cell == "109,5,6"
    assert money(game, "player:648") == 196
    assert indexes(game, "GT-IC", POOL) == [5]


def test_chain_of_answers(reference: Path) -> None:
    """§17.13."""
    game = real(reference, "1828Games_game_end_stock_market.json").at(1027)
    assert charter(game, "B&O-OSH").cell == "165,2,8"
    assert indexes(game, "B&O-OSH", "player:8320") == [0, 2, 3, 4]
    assert indexes(game, "B&O-OSH", "player:3581") == [5, 8]
    assert indexes(game, "B&O-OSH", "player:11345") == [6, 7]
    assert indexes(game, "B&O-OSH", "B&O-OSH") == [1]
    assert money(game, "player:3581") == 45
    assert money(game, "player:11345") == 157


def two_tokens(options: tuple[str, ...] = ()) -> Game:
    """NYH at home in New York, B&O with a token in Newark, on the same hex."""
    t = Table(options=options)
    t.cash(p1=500, p2=0, p3=0)
    t.start("B&O", "67,13,7", P1, {P1: [0, 1, 2, 3, 4]}, cash=0)
    t.start("NYH", "67,13,7", P1, {P1: [0, 1, 2, 3, 4]}, cash=0)
    for who, places in (("B&O", ("I19/0", "G23/0")), ("NYH", ("G23/1",))):
        for place in places:
            coord, city = laying.split_place(place)
            laying.place_token(t.rules.box, t.s, who, coord, city, 0, 0)
            laying.reserve(t.s, coord, ())
    t.stock_round(P1)
    game = t.game()
    game.apply(player(1, "choose", choice="B&O"))
    game.apply(corporation("B&O", "merge", corporation="NYH"))
    return game


@pytest.mark.parametrize(("options", "tokens"), [((), 5), (("merger_token_returns",), 6)])
def test_two_tokens_on_one_hex(options: tuple[str, ...], tokens: int) -> None:
    """§5.6.3.3."""
    game = two_tokens(options)
    assert game.acting == (P1,)
    assert types(game) == {"remove_token"}
    assert not game.is_legal(corporation("B&O-NYH", "remove_token", city="I19-0-0", slot=0))
    game.apply(corporation("B&O-NYH", "remove_token", city="G23-0-0", slot=0))
    system = charter(game, "B&O-NYH")
    assert game.state.board.cities["G23"] == (("blocker",), ("B&O-NYH",))
    assert len(system.tokens) == tokens
    assert [t.city for t in system.tokens[:2]] == ["I19/0", "G23/1"]
    assert game.state.round.merger is None


def test_second_token_in_a_city_returns_to_the_charter() -> None:
    """§5.6.3.2."""
    t = Table()
    t.cash(p1=500, p2=0, p3=0)
    t.start("B&O", "67,13,7", P1, {P1: [0, 1, 2, 3, 4]}, cash=0)
    t.start("PRR", "67,13,7", P1, {P1: [0, 1, 2, 3, 4]}, cash=0)
    t.s.board = laying.with_tile(t.rules.box, t.s.board, "H12", "15-0", 1)
    laying.place_token(t.rules.box, t.s, "B&O", "H12", 0, 0, 0)
    laying.place_token(t.rules.box, t.s, "PRR", "H12", 0, 1, 0)
    t.stock_round(P1)
    game = t.game()
    game.apply(player(1, "choose", choice="B&O"))
    game.apply(corporation("B&O", "merge", corporation="PRR"))
    assert game.state.board.cities["H12"] == (("B&O-PRR", "blocker"),)
    assert [x.city for x in charter(game, "B&O-PRR").tokens] == ["H12/0"] + [None] * 6


@pytest.mark.parametrize(
    ("prices", "row"),
    [((0, 0), ("blocker", "B&O-PRR")), ((100, 0), ("B&O-PRR", "blocker"))],
)
def test_which_slot_the_second_token_frees(
    prices: tuple[int, int], row: tuple[str | None, ...]
) -> None:
    """§5.6.3.2: the second in the list of tokens, which is sorted by price. PRR has slot 0."""
    t = Table()
    t.cash(p1=500, p2=0, p3=0)
    t.start("B&O", "67,13,7", P1, {P1: [0, 1, 2, 3, 4]}, cash=0)
    t.start("PRR", "67,13,7", P1, {P1: [0, 1, 2, 3, 4]}, cash=0)
    t.s.board = laying.with_tile(t.rules.box, t.s.board, "H12", "15-0", 1)
    for (who, slot), price in zip((("B&O", 1), ("PRR", 0)), prices, strict=True):
        laying.place_token(t.rules.box, t.s, who, "H12", 0, slot, 0)
        first, *rest = t.s.corporations[who].tokens
        set_corporation(t.s, who, tokens=(replace(first, price=price), *rest))
    t.stock_round(P1)
    game = t.game()
    game.apply(player(1, "choose", choice="B&O"))
    game.apply(corporation("B&O", "merge", corporation="PRR"))
    assert game.state.board.cities["H12"] == (row,)
    assert [x.price for x in charter(game, "B&O-PRR").tokens] == [*sorted(prices), *[100] * 5]


def test_a_players_name_is_answered_in_full() -> None:
    """§5.6.4: two players could supply the partner of a pair; one has a name with a price."""
    t = Table(4)
    names = {P2: "Exchange ($5)", P3: "Sell"}
    for who, name in names.items():
        t.s.players = put(t.s.players, who, replace(t.s.players[who], name=name))
    t.cash(p1=500, p2=500, p3=500, p4=0)
    t.start("GT", "67,13,7", P2, {P2: [0, 1, 2], P3: [3, 4, 5]}, cash=0)
    t.start("MC", "67,13,7", P1, {P1: [0, 1, 2, 3, 4, 5]}, cash=0)
    t.stock_round(P1)
    game = t.game()
    game.apply(player(1, "choose", choice="GT"))
    game.apply(corporation("GT", "merge", corporation="MC"))
    while game.state.round.merger.question.kind != "source":
        game.apply(next(c for c in game.choices() if c.type == "choose").action)
    assert {c.action.choice for c in game.choices()} == {"Exchange ($5)", "Sell"}
    game.apply(player(1, "choose", choice="Exchange ($5)"))


@pytest.mark.parametrize(
    ("options", "percent", "pool"), [((), 20, 0), (("merger_exact_pairs",), 10, 10)]
)
def test_a_presidents_certificate_alone(options: tuple[str, ...], percent: int, pool: int) -> None:
    """§5.6.4: it brings two units for two, with exact pairs only one."""
    t = Table(options=options)
    t.cash(p1=0, p2=0, p3=0)
    t.start("GT", "67,13,7", P1, {P1: [0], P2: [1, 2]}, floated=True)
    t.start("MC", "67,13,7", P2, {P2: [0, 1, 2]}, floated=True)
    t.stock_round(P1)
    game = t.game()
    game.apply(player(1, "choose", choice="GT"))
    game.apply(corporation("GT", "merge", corporation="MC"))
    system = charter(game, "GT-MC")
    assert system.held(P1) == percent
    assert system.president == P2
    assert system.held(POOL) == pool


def test_systems_have_two_shells_and_joined_assets(reference: Path) -> None:
    """§5.6.2: also the right to the $40 lay and the coal marker go over."""
    game = real(reference, "1828Games_game_end_stock_market.json").at(374)
    system = charter(game, "NYH-MP")
    assert system.shell("NYH") == ("2-6", "3-0")
    assert system.shell("MP") == ("3-3",)
    assert system.cash == 453
    assert not system.operated
    owners = {c.owner for c in game.state.companies.values() if not c.closed}
    assert "NYH" not in owners
    assert "NYH-MP" in owners
