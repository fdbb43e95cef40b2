"""18Ireland: what the rules text says of moments of its two real games (§17), and the parts of
their traces the general comparison leaves out."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from oracle18ireland import Ireland

import roundhouse
from roundhouse import Game, IllegalAction, conformance, selfplay
from roundhouse.board import laying
from roundhouse.box.box import Box
from roundhouse.model.events import AuctionWon
from roundhouse.model.records import MARKET, State
from roundhouse.rounds import machine
from roundhouse.routes.best import best_routes
from roundhouse.routes.check import check_runs
from roundhouse.titles.g18ireland.routes import RouteRules18Ireland
from roundhouse.titles.g18ireland.state import MergerRound, StockRound
from roundhouse.titles.g18ireland.upgrades import ORDINARY, Upgrades18Ireland
from roundhouse.trace import merge, read_trace

from reference import GAMES, reference_path

F1, F3 = "161830", "18Ireland_game_end_stock_market"
#: Seats of the players of the first game.
ONE = {1480: 1, 173: 2, 16405: 3, 17440: 4, 512: 5, 11504: 6}


@cache
def real(name: str) -> Game:
    """A real game, replayed."""
    root = reference_path()
    if root is None or not (root / "games" / "18ireland").is_dir():
        pytest.skip("the reference games are not at hand")
    return roundhouse.load(root / "games" / "18ireland" / f"{name}.json")


def at(name: str, action: int) -> State:
    """The state right after an action."""
    return real(name).at(action).state


def before(name: str, action: int) -> State:
    """The state an action met."""
    game = real(name)
    earlier = [e.state for e in game.history if (e.action.id or 0) < action]
    return earlier[-1] if earlier else game.start


def seat(n: int) -> str:
    """The key of a player of the first game by seat."""
    return f"player:{next(p for p, k in ONE.items() if k == n)}"


def price(s: State, symbol: str) -> tuple[int, ...]:
    """Price, row and column of a corporation."""
    cell = s.corporations[symbol].cell
    assert cell is not None
    return tuple(int(x) for x in cell.split(","))


def indexes(s: State, symbol: str, holder: str) -> list[int]:
    """The certificates of a holder."""
    return [c.index for c in s.corporations[symbol].certs.get(holder, ())]


# setup, auction and stock rounds


@pytest.mark.parametrize(
    ("seed", "players", "options", "companies", "missing", "bank"),
    [
        (1411315859, 6, [], "DAR DR TASPS RSSC DK", "KJR", 3040),
        (689309492, 3, [], "DAR DR BoW CDSPC DK", "CBPR", 3010),
        (387286109, 4, ["larger_bank"], "DAR BoW TASPS WDE DK", "CIR", 4000),
        (237665830, 6, ["larger_bank"], "DAR BoW CDSPC RSSC DK", "GNWR", 4040),
    ],
)
def test_setup(
    seed: int, players: int, options: list[str], companies: str, missing: str, bank: int
) -> None:
    """§17.1: which privates and minors are in the game."""
    names = [str(n) for n in range(players)]
    game = roundhouse.new("18Ireland", names, seed=seed, options=options)
    s = game.state
    assert " ".join(s.companies) == companies
    assert missing not in s.corporations
    assert len(s.corporations) == 13
    assert s.bank == bank


def test_pile_of_the_first_game() -> None:
    s = real(F1).start
    order = "DKR DER DDR GNWR GJR UR SLNCR EBSR WLR CBPR CIR WKR LER"
    assert " ".join(s.corporations) == order
    assert {p.cash for p in s.players.values()} == {160}


def test_cascade() -> None:
    """§17.2: buying the first private lets the others fall to their only bidders."""
    s = at(F1, 6)
    entry = next(e for e in real(F1).history if e.action.id == 6)
    won = [(e.item, e.price) for e in entry.events if isinstance(e, AuctionWon)]
    assert won == [("DAR", 20), ("DR", 35), ("TASPS", 80), ("RSSC", 85), ("DK", 125)]
    assert s.companies["DAR"].owner == seat(6)
    dkr = s.corporations["DKR"]
    assert (price(s, "DKR"), dkr.cash, dkr.trains) == ((60, 3, 3), 45, ("2H-0",))
    assert dkr.president == seat(5)
    assert s.bank == 3340
    assert s.companies["DK"].closed
    assert isinstance(s.round, StockRound)
    assert s.acting == (seat(1),)


def test_auction_of_a_minor() -> None:
    """§17.5: who cannot raise is out at once; the opener's turn is over whoever wins."""
    bidders = [at(F1, n).round.bidding.bidders for n in range(215, 220)]  # type: ignore[union-attr]
    left = [[n for n in range(1, 7) if seat(n) in b] for b in bidders]
    assert left == [[1, 3, 4, 5, 6], [1, 3, 4, 6], [1, 4, 6], [1, 4, 6], [1, 4]]
    assert at(F1, 219).players[seat(4)].cash == 127
    s = at(F1, 220)
    assert (price(s, "UR")[0], s.corporations["UR"].cash) == (50, 110)
    assert s.corporations["UR"].president == seat(4)
    assert s.players[seat(4)].cash == 17
    assert s.acting == (seat(2),)


def test_top_of_the_pile_leaves() -> None:
    """§17.6: a stock round without an auction."""
    s = at(F1, 157)
    assert "GJR" not in s.corporations
    assert "D6" not in s.board.reserved
    assert before(F1, 157).corporations["GJR"].cell is None
    for symbol in ("DER", "DKR", "DDR", "GNWR"):
        (_, row, column), (_, now, same) = price(before(F1, 157), symbol), price(s, symbol)
        assert (now, same) == (row - 1, column)


def test_issue_and_redeem() -> None:
    """§17.7."""
    s = before(F1, 120)
    assert (s.corporations["GNWR"].cash, price(s, "GNWR")) == (150, (50, 4, 2))
    s = at(F1, 120)
    assert (s.corporations["GNWR"].cash, price(s, "GNWR")) == (200, (38, 5, 2))
    assert indexes(s, "GNWR", MARKET) == [2]
    s = before(F1, 144)
    assert (s.corporations["GNWR"].cash, price(s, "GNWR")[0]) == (60, 30)
    s = at(F1, 144)
    assert (s.corporations["GNWR"].cash, price(s, "GNWR")) == (
        30,
        price(before(F1, 144), "GNWR"),
    )
    assert indexes(s, "GNWR", "GNWR") == [3, 2]


# operating rounds


@pytest.mark.parametrize(("name", "action", "cost"), [(F1, 146, 20), (F3, 402, 0), (F3, 403, 20)])
def test_terrain(name: str, action: int, cost: int) -> None:
    """§17.8: narrow gauge and the Board of Works save terrain costs, not the surcharge."""
    who = real(name).rules.operator(at(name, action))
    assert who is not None
    cash = [s.corporations[who].cash for s in (before(name, action), at(name, action))]
    assert cash[0] - cash[1] == cost


@pytest.mark.parametrize(
    ("action", "cell", "paid", "target"),
    [(462, "85,1,5", 170, "102,1,7"), (908, "138,2,11", 300, "172,1,12")],
)
def test_double_jump(action: int, cell: str, paid: int, target: str) -> None:
    """§17.10: a minor that pays twice its price moves right twice."""
    entry = next(e for e in real(F3).history if e.action.id == action)
    who, was = entry.action.actor, before(F3, action)
    assert (was.corporations[who].cell, was.round.revenue) == (cell, paid)  # type: ignore[union-attr]
    assert entry.state.corporations[who].cell == target


def test_president_helps() -> None:
    """§17.11: the first 4H, too dear for the corporation that has to buy it."""
    was, s = before(F1, 269), at(F1, 269)
    assert (was.corporations["UR"].cash, was.corporations["UR"].trains) == (160, ())
    assert (s.corporations["UR"].cash, s.corporations["UR"].trains) == (0, ("4H-0",))
    assert was.players[seat(4)].cash - s.players[seat(4)].cash == 20
    assert (was.phase, "GSWR" in was.corporations) == ("2", False)
    assert s.phase == "4"
    assert " ".join(s.corporations).endswith("GSWR GNRI DSER MGWR MRNCC WLWR CBSCR")


def test_rust_comes_back() -> None:
    """§17.12."""
    s = at(F1, 537)
    assert s.depot.market == tuple(f"1H'-{n}" for n in range(7))
    assert not any(t.kind == "2H" for t in s.trains.values())
    assert sum(t.kind == "2H" for t in before(F1, 537).trains.values()) == 7
    game = real(F1)
    assert game.rules.operator(s) == "LER"
    following = next(e for e in game.history if (e.action.id or 0) > 537)
    assert following.action.train == "1H'-0"  # type: ignore[attr-defined]
    assert following.action.price == 40  # type: ignore[attr-defined]
    assert len(following.state.corporations["LER"].trains) == 2
    assert game.rules.operator(following.state) != "LER"


def test_narrow_gauge_and_shannon() -> None:
    """§17.13: £180 and £60."""
    action = next(e.action for e in real(F1).history if e.action.id == 737)
    model = real(F1).rules.route_model(before(F1, 737), "GNRI")
    assert isinstance(model, RouteRules18Ireland)
    bare = [msgspec.structs.replace(r, revenue=None) for r in action.routes]  # type: ignore[attr-defined]
    first, second = check_runs(model, bare)
    assert (first.text, first.revenue, second.revenue) in (
        ("F10-D12-D16", 180, 60),
        ("D16-D12-F10", 180, 60),
    )
    worth = {s[0]: (model.base_value(s), model.worth(s)) for s in first.stops}
    assert worth == {"F10": (30, 60), "D12": (10, 20), "D16": (30, 40)}
    assert model.link_option(first.stops) == 60


def test_markers() -> None:
    """§17.14: Galway's marker is worth £20 a route."""
    action = next(e.action for e in real(F1).history if e.action.id == 400)
    model = real(F1).rules.route_model(before(F1, 400), "MGWR")
    assert isinstance(model, RouteRules18Ireland)
    route = next(r for r in check_runs(model, action.routes) if r.revenue == 70)  # type: ignore[attr-defined]
    worth = {s[0]: (model.base_value(s), model.worth(s)) for s in route.stops}
    assert worth == {"C13": (30, 40), "D12": (10, 10)}
    assert at(F1, 400).board.markers["C13"] == ("TASPS",)


def test_closing() -> None:
    """§17.24: a price off the market takes corporation and privates along."""
    was, s = before(F3, 614), at(F3, 614)
    assert (price(was, "UR"), was.corporations["UR"].trains) == ((20, 7, 1), ())
    assert {was.companies[c].owner for c in ("WDE", "DAR")} == {"UR"}
    assert "UR" not in s.corporations
    assert s.companies["WDE"].closed
    assert s.companies["DAR"].closed


def test_tokens_choose_again() -> None:
    """§17.27: the first tile on Belfast."""
    s = at(F1, 266)
    assert (s.step, s.acting) == ("replace token", ("UR",))
    s = at(F1, 267)
    assert s.board.cities["J4"] == (("UR",), (None,))
    assert s.step == "track"
    assert (s.round.lays, s.round.upgraded) == (1, False)  # type: ignore[union-attr]
    following = next(e.action for e in real(F1).history if (e.action.id or 0) > 267)
    assert following.type == "pass"


def test_par_of_a_major() -> None:
    """§17.20."""
    s = at(F1, 774)
    major = s.corporations["WLWR"]
    assert (major.cash, s.players[seat(3)].cash) == (200, 129)
    assert before(F1, 773).players[seat(3)].cash == 329
    home = next(e.action for e in real(F1).history if e.action.id == 774)
    assert home.city == "IR45-0-0"  # type: ignore[attr-defined]
    assert [(t.price, t.city is None) for t in major.tokens] == [(0, False), (20, True), (50, True)]


# mergers


def test_merger() -> None:
    """§17.16 and the example of §6.5."""
    votes = [at(F1, n).round.vote for n in (338, 339, 340)]  # type: ignore[union-attr]
    counts = [(v.in_favour, v.available, v.needed, v.accepted) for v in votes if v]
    assert counts == [(0, 8, 5, None), (3, 8, 5, None), (7, 8, 5, True)]
    s = at(F1, 341)
    dser = s.corporations["DSER"]
    assert (dser.cash, dser.trains, price(s, "DSER")) == (66, ("2H-1", "2H-2", "4H-0"), (58, 1, 1))
    assert [t.city and t.city.partition("/")[0] for t in dser.tokens] == ["I9", "J4", None]
    assert dser.president == seat(4)
    held = {n: indexes(s, "DSER", seat(n)) for n in (2, 4, 6)}
    assert held == {2: [1, 2, 3], 4: [4, 5, 0], 6: [6]}
    assert indexes(s, "DSER", "DSER") == [7, 8]
    assert s.acting == (seat(3),)


def test_pool_votes() -> None:
    """§17.17: the pool's share would gain, so it votes for."""
    s = at(F1, 343)
    assert isinstance(s.round, MergerRound)
    assert s.round.vote is not None
    assert (s.round.vote.in_favour, s.round.vote.available, s.round.vote.needed) == (1, 8, 5)
    votes = [at(F1, n).round.vote for n in (344, 345)]  # type: ignore[union-attr]
    assert [(v.in_favour, v.accepted) for v in votes if v] == [(4, None), (5, True)]
    s = at(F1, 346)
    assert price(s, "GNRI") == (60, 2, 2)
    held = {n: indexes(s, "GNRI", seat(n)) for n in (3, 4, 6, 2)}
    assert held == {3: [0, 1], 4: [2], 6: [3, 4], 2: [5]}
    assert (indexes(s, "GNRI", MARKET), indexes(s, "GNRI", "GNRI")) == ([6], [7, 8])


def test_pool_abstains() -> None:
    """§17.18: at equal value its share is not counted; by option it votes against."""
    s = at(F3, 492)
    assert isinstance(s.round, MergerRound)
    assert s.round.vote is not None
    assert (s.round.vote.available, s.round.vote.against, s.round.vote.needed) == (8, 0, 5)
    from roundhouse.titles.g18ireland.merger import open_vote

    rules = roundhouse.new("18Ireland", ["A", "B", "C", "D"], options=["document"]).rules
    vote = open_vote(rules, s, s.round.player, s.round.merging)  # type: ignore[arg-type]
    assert (vote.available, vote.against, vote.needed) == (9, 1, 5)


# the end


def test_end_by_bank() -> None:
    """§17.26: the bank breaks, the second operating round is finished."""
    assert not at(F1, 891).broken  # type: ignore[attr-defined]
    s = at(F1, 892)
    assert (s.bank, s.broken, s.finished) == (-179, True, None)  # type: ignore[attr-defined]
    assert real(F1).end_reason == "bank"
    assert before(F1, 892).bank == 101
    operators = [e.action.actor for e in real(F1).history if (e.action.id or 0) > 892]
    assert set(operators) == {"WKR"}
    assert real(F1).history[-1].action.id == 895
    assert (real(F1).state.turn, real(F1).state.round.number) == (9, 2)
    assert list(real(F1).result().values()) == [2109, 1624, 1558, 1368, 1267, 899]


def test_end_by_price() -> None:
    """§17.26: a marker on 260 comes first, the bank breaking later changes nothing."""
    assert price(at(F3, 978), "GNWR") == (260, 0, 14)
    assert (at(F3, 978).turn, at(F3, 978).round.number) == (10, 2)
    assert not before(F3, 996).broken  # type: ignore[attr-defined]
    assert at(F3, 996).broken  # type: ignore[attr-defined]
    assert real(F3).history[-1].action.id == 999
    assert real(F3).end_reason == "stock_market"


# routes and traces


@pytest.mark.parametrize("name", [F1, F3])
def test_best_routes_are_proven_and_never_worse(name: str) -> None:
    """No director ever ran for more than what we call the best, and the best is legal."""
    game, before = real(name), real(name).start
    for entry in game.history:
        if entry.action.type == "run_routes":
            model = game.rules.route_model(before, entry.action.actor)
            found = best_routes(model, effort=40_000)
            assert found.optimal
            ran = sum(r.revenue or 0 for r in entry.action.routes)  # type: ignore[attr-defined]
            assert ran <= found.revenue
        before = entry.state


def test_must_run_best() -> None:
    """§14: with the option a run below the best is refused, the best and its equals are not."""
    game, before = real(F1), real(F1).start
    strict = roundhouse.new("18Ireland", list("ABCDEF"), options=["must_run_best"]).rules
    refused = 0
    for entry in game.history:
        if entry.action.type == "run_routes" and (entry.action.id or 0) < 450:
            best = best_routes(game.rules.route_model(before, entry.action.actor), effort=40_000)
            ran = sum(r.revenue or 0 for r in entry.action.routes)  # type: ignore[attr-defined]
            if ran < best.revenue:
                refused += 1
                with pytest.raises(IllegalAction) as fault:
                    machine.apply(strict, before, entry.action)
                assert fault.value.code == "not_best"
            else:
                machine.apply(strict, before, entry.action)
            again = msgspec.structs.replace(entry.action, routes=best.routes)
            machine.apply(strict, before, again)
        before = entry.state
    assert refused


@pytest.mark.parametrize("name", [F1, F3])
@pytest.mark.parametrize("part", [0.3, 0.6, 0.9])
def test_random_play_from_the_midst_of_real_games(name: str, part: float) -> None:
    """Majors, mergers and late trains, which random games seldom reach."""
    ids = [e.action.id or 0 for e in real(name).history]
    game = real(name).at(ids[int(part * len(ids))])
    money = conformance.total_money(game.start)

    def watch(game: Game) -> None:
        assert conformance.faults(game.rules, game.state, money) == []

    selfplay.play_on(game, Random(7), actions=150, policy=selfplay.lively, watch=watch)
    assert list(conformance.disagreements(game, 40)) == []


def details(game: Game, s: State) -> dict[str, Any]:
    """What traces of this title tell beyond the common."""
    m: Any = s.round
    ids = {key: p.id for key, p in s.players.items()}
    bids: dict[str, Any] = {}
    merging: list[str] = []
    to_vote: list[Any] = []
    if s.finished is None and game.rules.play(s).short == "ISR":
        bids = {c: [[ids[p], n] for p, n in b] for c, b in m.bids.items() if b}
    if isinstance(m, StockRound) and m.bidding is not None:
        latest = sorted(dict(m.bidding.bids).items(), key=lambda bid: bid[1])
        bids = {m.bidding.item: [[ids[p], n] for p, n in latest if p in m.bidding.bidders]}
    if isinstance(m, MergerRound):
        merging = list(m.merging)
        to_vote = [[ids[p], n] for p, n in m.vote.voters] if m.vote else []
    trains = game.rules.box.trains.values()
    return {
        "bids": bids,
        "merging": merging,
        "to_vote": to_vote,
        "reserved": [
            f"{t.name}-{n}"
            for t in trains
            if t.reserved
            for n in range(s.primed.get(t.name, 0), t.count or 0)  # type: ignore[attr-defined]
        ],
        "markers": {c.id: sorted(c.markers) for c in s.corporations.values() if c.markers},  # type: ignore[attr-defined]
    }


def told(trace: dict[str, Any]) -> dict[str, Any]:
    """The same from a trace."""
    merger = trace.get("merger", {})
    corporations = trace["corporations"].items()
    return {
        "bids": trace.get("bids", {}),
        "merging": merger.get("merging", []),
        "to_vote": merger.get("to_vote", []),
        "reserved": trace.get("reserved_trains", []),
        "markers": {k: sorted(c["assigned"]) for k, c in corporations if c.get("assigned")},
    }


def lines(name: str) -> Iterator[tuple[State, dict[str, Any]]]:
    """Our state and the traced one, at the start and after every action."""
    root = reference_path()
    assert isinstance(root, Path)
    entries = iter(real(name).history)
    theirs: dict[str, Any] = {}
    for line in read_trace(root / "traces" / "18ireland" / f"{name}.jsonl.gz"):
        if line.get("end"):
            return
        merge(theirs, line.get("state") or line.get("d", {}))
        yield (real(name).start if "state" in line else next(entries).state), theirs


@pytest.mark.parametrize("name", [F1, F3])
def test_kinds_of_actions_agree_with_the_trace(name: str) -> None:
    """Whoever is asked may do what the trace says; of some kinds it does not look whether there is
    anything to do, and bankruptcy it always has (§10.6.6)."""
    real(name)
    unlooked = {"bankrupt", "lay_tile", "sell_shares", "buy_train", "bid"}
    for s, theirs in lines(name):
        found = machine.choices(real(name).rules, s)
        kinds = {c.type for c in found if c.actor == s.acting[0]}
        assert kinds <= set(theirs.get("can", [])) <= kinds | unlooked


@pytest.mark.parametrize("name", [F1, F3])
def test_details_agree_with_the_trace(name: str) -> None:
    """Bids, proposals, votes, primed trains in reserve and markers."""
    game = real(name)
    for s, theirs in lines(name):
        assert details(game, s) == told(theirs)


OWN = sorted((GAMES / "18Ireland").glob("*.json"))


@pytest.mark.parametrize("name", [F1, F3, *OWN], ids=lambda n: getattr(n, "stem", n))
def test_lays_agree_with_a_plain_reading_of_the_rules(name: str | Path) -> None:
    """§9.3: every tile in every rotation, on some hexes of some positions."""
    game = roundhouse.load(name) if isinstance(name, Path) else real(name)
    rng, legal = Random(1), 0
    fitting = Upgrades18Ireland(game.rules)  # type: ignore[arg-type]
    box, colliery = game.rules.box, game.rules.powers["DCR"].free_lay
    for entry in rng.sample([e for e in game.history if e.state.step == "track"], 5):
        s: Any = entry.state
        who = game.rules.operator(s) or ""
        plain = Ireland(game.rules, s, who)
        for coord, tile, rotation in lays(rng, box):
            face = box.tiles.tiles[tile].turned(rotation)
            free, site = laying.free_copies(box, s.board, tile), fitting.site(s.board, who, coord)
            fits = bool(free) and fitting.misfit(s.board, coord, face) is None
            for terms in (ORDINARY, colliery):
                found = fits and not (
                    fitting.why_blocked(s, coord)
                    or fitting.why_gauge(site, face)
                    or face.tile.color not in box.phases[s.phase].tiles
                    or fitting.why_unconnected(s.board, who, site, face, terms)
                )
                expected = plain.legal(coord, tile, rotation, colliery=terms is colliery)
                assert found == expected, (entry.action.id, who, coord, tile, rotation)
                legal += found
    assert legal


def lays(rng: Random, box: Box) -> Iterator[tuple[str, str, int]]:
    """Every tile but that for the sea, in every rotation, on some hexes of the land."""
    land = [h.coord for h in box.map.data.hexes if h.tile.color != "blue"]
    for coord in rng.sample(land, 15):
        for tile in box.tiles.tiles:
            if tile != "IM":
                yield from ((coord, tile, rotation) for rotation in range(6))
