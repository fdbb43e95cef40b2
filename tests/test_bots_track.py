"""What bots know of track: how many tiles away stops are, and which tiles are looked at."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest
from msgspec.structs import replace

import roundhouse
from roundhouse import Game, bots
from roundhouse.board import laying
from roundhouse.bots.aside import towns
from roundhouse.bots.judges.laid import price_of_track
from roundhouse.bots.sites import Sites
from roundhouse.bots.view import View
from roundhouse.bots.ways import Ways
from roundhouse.model.actions import LayTile
from roundhouse.model.records import Board
from roundhouse.titles.title import all_titles

from reference import GAMES

TITLES = [t for t in all_titles() if (GAMES / t / "base.json").exists()]


def _stops(game: Game, board: Board, who: str) -> set[str]:
    return {coord for coord, _ in game.rules.reach(board, who).nodes}


def _with_one_tile(game: Game, board: Board, who: str) -> Iterator[Board]:
    """Every board on which one tile of today's colours more touches a company's network."""
    rules, colors = game.rules, game.rules.box.phases[game.state.phase].tiles
    for coord in rules.reach(board, who).edges:
        for face in rules.upgrades.upgrades(board, coord):
            if face.tile.color in colors:
                yield laying.with_tile(
                    rules.box, board, coord, f"{face.tile.name}-0", face.rotation
                )


@pytest.mark.parametrize("title", TITLES)
def test_no_stop_is_nearer_than_tiles_laid_one_after_the_other_show(title: str) -> None:
    """Stops are as many tiles away as trying all tiles says, one and two of them; never more."""
    game = roundhouse.load(GAMES / title / "base.json")
    ways, agreed, asked = Ways(game.rules), 0, 0
    for entry in list(game.history)[40 :: len(game) // 4]:
        position = game.at(entry.action.id or 0)
        s = position.state
        placed = [c.id for c in s.corporations.values() if any(t.city for t in c.tokens)]
        for who in placed[:2]:
            away, here = ways.away(s, s.board, who), _stops(position, s.board, who)
            assert {coord for coord, tiles in away.items() if not tiles} == here
            one = list(_with_one_tile(position, s.board, who))
            near = set().union(*[_stops(position, b, who) for b in one])
            assert all(away.get(coord, 9) <= 1 for coord in near)
            for board in islice(one, 0, None, 1 + len(one) // 4):
                for second in _with_one_tile(position, board, who):
                    assert all(away.get(c, 9) <= 2 for c in _stops(position, second, who))
            told = {coord for coord, tiles in away.items() if tiles == 1}
            asked, agreed = asked + len(told), agreed + len(told & near)
    assert agreed >= 0.5 * asked


def test_a_tile_that_leads_towards_a_stop_is_worth_more_the_nearer_it_gets() -> None:
    """1828: a tile after which some stops take fewer tiles, and none takes more, is worth
    something."""
    game = roundhouse.load(GAMES / "1828" / "base.json")
    sites = bots.Magnate("quick").mind(game).sites
    seen = 0
    for entry in list(game.history)[30::50]:
        position = game.at(entry.action.id or 0)
        s = position.state
        for c in s.corporations.values():
            if not any(t.city for t in c.tokens):
                continue
            away = sites.ways.away(s, s.board, c.id)
            before = sites.potential(s, s.board, c.id)
            for board in islice(_with_one_tile(position, s.board, c.id), 30):
                then = sites.ways.away(s, board, c.id)
                nearer = all(then.get(k, 9) <= n for k, n in away.items())
                if nearer and any(then[k] < n for k, n in away.items()):
                    assert sites.potential(s, board, c.id) > before
                    seen += 1
    assert seen


def test_a_tile_that_makes_stops_pay_more_is_looked_at_though_it_leads_nowhere_new() -> None:
    """18Ireland: a green city in the middle of the network brings £20 a run; fourteen tiles lead to
    more stops."""
    position = roundhouse.load(GAMES / "18Ireland" / "base.json").at(214)
    decision = bots.player("magnate", "quick", seed=1).choose(position)
    best = decision.candidates[0]
    assert isinstance(best.action, LayTile)
    assert (best.action.hex, best.action.tile) == ("G13", "IR12-0")
    assert best.reasons[0].figures["more"] == 20


def test_a_tile_that_brings_nothing_counts_with_the_one_that_follows_it() -> None:
    """1817: NYSW earns $90 a run more once two tiles lead to Boston, nothing by the first alone."""
    position = roundhouse.load(GAMES / "1817" / "base.json").at(300)
    decision = bots.player("magnate", "quick", seed=1).choose(position)
    best, s, rules = decision.candidates[0], position.state, position.rules
    assert isinstance(best.action, LayTile)
    assert (best.action.hex, best.reasons[0].figures["more"]) == ("C24", 0)
    assert "with a tile on C26 Boston in the next turn: +90 a run" in best.sentence
    income = bots.Magnate("quick").mind(position).income
    then, runs = s.fork(), [0]
    for face in rules.upgrades.upgrades(first := position.tried(best.action)[0].board, "C26"):
        if face.tile.color in rules.box.phases[s.phase].tiles:
            tile = f"{face.tile.name}-0"
            then.board = laying.with_tile(rules.box, first, "C26", tile, face.rotation)
            runs.append(income.now(then, "NYSW"))
    assert max(runs) - income.now(s, "NYSW") == 90
    without = [c for c in decision.candidates if "with a tile" not in c.sentence]
    assert best.score > 100 > max(c.score for c in without)


def test_what_stops_pay_together_counts_narrow_gauge_and_nothing_where_no_trains_run() -> None:
    position = roundhouse.load(GAMES / "18Ireland" / "base.json").at(214)
    s, income = position.state, bots.Magnate("quick").mind(position).income
    who = position.rules.operator(s) or ""
    model = position.rules.route_model(s, who)
    nodes = position.rules.reach(s.board, who).nodes
    worth = sum(model.stop_value(s.corporations[who].trains[0], n) for n in nodes)
    assert income.paying(s, who, None) == worth > 0
    mines = roundhouse.load(GAMES / "1873" / "base.json")
    assert bots.Magnate("quick").mind(mines).income.paying(mines.state, "7", "2T") == 0


def test_a_town_beside_a_network_comes_nearer_with_each_tile_towards_it() -> None:
    """18Ireland: Kilkenny (G17) needs another tile before narrow gauge can lead to Carlow (H16),
    which needs one, too; once both lie Kilkenny pays £10 more."""
    game = roundhouse.load(GAMES / "18Ireland" / "base.json").at(214)
    rules, s = game.rules, game.state
    who = rules.operator(s) or ""
    sites = bots.Magnate("quick").mind(game).sites
    plain = Sites(rules, sides=True)
    assert sites.aside is not None
    green = laying.with_tile(rules.box, s.board, "G17", "IR13-0", 2)
    both = laying.with_tile(rules.box, green, "H16", "IR5-0", 1)
    for board, tiles, pays in ((s.board, 2, 10), (green, 1, 10), (both, 0, 20)):
        then = s.fork()
        then.board = board
        away = towns(sites.aside, s, board, who)
        assert away["H16"] == tiles
        assert "F10" not in away  # a city
        model = rules.route_model(then, who)
        stops = [n for n in rules.reach(board, who).nodes if n[0] == "G17"]
        assert [model.stop_value("", n) for n in stops] == [pays]
        along = sites.potential(s, board, who) - plain.potential(s, board, who)
        assert along == pytest.approx(6.0 * sum(10 * 0.3**n for n in away.values()))


def test_stops_no_train_gets_to_from_a_station_count_less_where_trains_cross_hex_sides() -> None:
    """18Ireland: of stops farther from a company's stations than its 2H crosses hex sides a half
    is left for each side more; a D gets to all."""
    game = roundhouse.load(GAMES / "18Ireland" / "base.json").at(64)
    rules, s = game.rules, game.state
    who, far = "KJR", rules.box.map.distance
    sites, plain = bots.Magnate("quick").mind(game).sites, Sites(rules)
    sides = Sites(rules, sides=True)
    assert sites.sides
    assert [s.trains[t].kind for t in s.corporations[who].trains] == ["2H", "2H"]
    home = next(c for c, cities in s.board.cities.items() if any(who in slots for slots in cities))
    left = {c: 0.5 ** max(0, far(home, c) - 2) for c in plain.ways.away(s, s.board, who)}
    assert {1.0, 0.5, 0.25} <= set(left.values())
    worth = {
        c: 0.8**n * plain.value(s, s.board, c) for c, n in plain.ways.away(s, s.board, who).items()
    }
    counted = sorted([worth[c] * left[c] for c in worth], reverse=True)
    assert sides.potential(s, s.board, who) == pytest.approx(
        sum(w * 0.95**n for n, w in enumerate(counted))
    )
    running = s.fork()
    running.trains = {n: replace(train, kind="D") for n, train in s.trains.items()}
    assert sides.potential(running, s.board, who) == plain.potential(s, s.board, who)


def test_track_costs_what_a_company_loses_by_it_that_cannot_pay_its_train_then() -> None:
    game = roundhouse.load(GAMES / "18Ireland" / "base.json").at(214)
    who = game.rules.operator(game.state) or ""
    c = game.state.corporations[who]
    price, spent = game.rules.box.trains[game.state.depot.piles[0].kind].price, {}
    for cash in (price + 20, price + 200):
        s = game.state.fork()
        s.corporations = {**s.corporations, who: replace(c, cash=cash, trains=())}
        view = View(bots.Magnate("quick").mind(game), s, c.president or "")
        assert price_of_track(view, s.corporations[who], 0, 0.5) == 0
        spent[cash] = price_of_track(view, s.corporations[who], 40, 0.5)
        usual = 0.5 * view.weights.track * 40
    assert spent[price + 200] == usual < spent[price + 20] / 2
