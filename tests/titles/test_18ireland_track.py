"""18Ireland: track, the powers of privates, tokens and routes (§8, §9, §11; scenarios of §17)."""

from __future__ import annotations

from typing import Any

import pytest
from build18ireland import P1, P2, Table

from roundhouse.board.tileset import keeps_track
from roundhouse.model.actions import Run
from roundhouse.model.records import Board
from roundhouse.routes.check import check_runs
from roundhouse.titles.g18ireland.upgrades import Upgrades18Ireland


def turn(t: Table, symbol: str = "DER", cash: int = 500, **fields: Any) -> None:
    """A minor's operating turn in phase 4, at its track step."""
    t.start(symbol, "60,3,3", P1, cash)
    t.train(symbol, "2H")
    t.phase("4")
    t.operate(symbol, "track", **fields)


@pytest.mark.parametrize(("cash", "waits"), [(19, False), (20, True)])
def test_track_waits_for_the_board_of_works(cash: int, waits: bool) -> None:
    """§17.9: a player's private that builds, and could be bought."""
    t = Table()
    t.own("BoW", P2)
    turn(t, cash=cash, lays=1, upgraded=True)
    assert (t.s.step == "track") == waits


@pytest.mark.parametrize(("cash", "waits"), [(15, False), (25, True)])
def test_track_waits_for_a_second_upgrade(cash: int, waits: bool) -> None:
    """§17.9: also if its £30 cannot be paid."""
    t = Table()
    t.start("DER", "60,3,3", P1, cash)
    t.own("WDE", "DER")
    t.train("DER", "2H")
    t.phase("8")
    t.operate("DER", "track", lays=1, upgraded=True)
    assert (t.s.step == "track") == waits


def test_pairs_and_the_sea() -> None:
    """§17.28: two tiny railways and the steamer lay beyond the allowances, then close."""
    t = Table()
    t.start("DER", "60,3,3", P1, 500)
    t.train("DER", "2H")
    for company in ("DR", "TDR", "TIM"):
        t.own(company, "DER")
    t.phase("4")
    t.operate("DER", "track")
    t.do("DR", "lay_tile", hex="F4", tile="IR5-0", rotation=1)
    assert t.s.step == "second tile"
    assert t.refused("DR", "lay_tile", hex="E5", tile="78-0", rotation=5) == "no_meeting"
    t.do("DR", "lay_tile", hex="E5", tile="78-0", rotation=4)
    assert t.s.companies["DR"].closed
    t.do("TDR", "lay_tile", hex="A19", tile="IR5-1", rotation=4)
    t.do("TDR", "lay_tile", hex="B18", tile="IR5-2", rotation=1)
    assert t.s.companies["TDR"].closed
    t.do("TIM", "lay_tile", hex="J12", tile="IM-0", rotation=2)
    assert t.s.companies["TIM"].closed
    assert t.s.corporations["DER"].cash == 500
    assert t.s.round.lays == 0  # type: ignore[union-attr]
    assert t.rules.map_now(t.s.board).neighbors["I13"][4] == "J12"
    assert 4 not in t.rules.map_now(Board()).neighbors["I13"]


def test_steamer_rotations() -> None:
    """§8.5: towards land only."""
    t = Table()
    t.start("DER", "60,3,3", P1, 500)
    t.own("TIM", "DER")
    t.phase("4")
    t.operate("DER", "track")
    found: dict[str, list[int]] = {}
    for a in t.offered("lay_tile"):
        if a.entity == "TIM":
            found.setdefault(a.hex, []).append(a.rotation)  # type: ignore[attr-defined]
    assert found == {
        "F0": [0, 1, 2],
        "H0": [0, 1, 2],
        "G-1": [1],
        "J12": [1, 2, 3],
        "G21": [3, 4],
        "H20": [3, 4, 5],
    }


def test_colliery_lay() -> None:
    """§17.33: its hex need only be touched."""
    t = Table()
    t.lay("I5", "69", 0)
    t.start("UR", "60,3,3", P1, 500)
    t.train("UR", "2H")
    t.phase("4")
    t.own("DCR", "UR")
    t.lay("J4", "IR1", 4)
    t.operate("UR", "track")
    edges = t.rules.map_now(t.s.board)
    assert edges.neighbors["H4"][5] == "I5"
    lays = [a for a in t.offered("lay_tile") if a.hex == "H4" and a.tile == "8-0"]  # type: ignore[attr-defined]
    free = sorted(a.rotation for a in lays if a.entity == "DCR")  # type: ignore[attr-defined]
    normal = sorted(a.rotation for a in lays if a.entity == "UR")  # type: ignore[attr-defined]
    assert normal == [3, 5]
    assert free == [0, 1, 2, 3, 4, 5]


def test_junctions_keep_their_own_gauge() -> None:
    """§9.3.4: tile 60 contains plain broad track, never narrow."""
    tiles = Table().rules.box.tiles.tiles
    junction = tiles["60"].turned(0)
    assert keeps_track(tiles["80"].turned(0), junction)
    assert not keeps_track(tiles["710"].turned(0), junction)
    assert not any(keeps_track(tiles["77"].turned(0), tiles["7"].turned(r)) for r in range(6))


def test_blocked_hex() -> None:
    """§8: the colliery's hex while a player, or nobody, owns it."""
    t = Table()
    for owner in (P1, None):
        if owner:
            t.own("DCR", owner)
        assert Upgrades18Ireland(t.rules).why_blocked(t.s, "H4") is not None


def test_terrain_of_a_second_lay() -> None:
    """§17.8: £40 for the hex and £20 because it is the second."""
    t = Table()
    t.lay("F6", "IR3", 0)
    t.start("SLNCR", "60,3,3", P1, 60)
    t.train("SLNCR", "2H")
    t.operate("SLNCR", "track", lays=1)
    t.do("SLNCR", "lay_tile", hex="F4", tile="4-0", rotation=0)
    assert t.s.corporations["SLNCR"].cash == 0


def test_terrain_of_an_upgrade() -> None:
    """§17.8: the green tiles of Dundalk cost £40."""
    t = Table()
    t.lay("I9", "IR2", 0)
    turn(t, "DER", 39)
    assert t.refused("DER", "lay_tile", hex="I9", tile="IR8-0", rotation=0) == "no_cash"
    t.cash("DER", 40)
    t.do("DER", "lay_tile", hex="I9", tile="IR8-0", rotation=0)
    assert t.s.corporations["DER"].cash == 0


def test_marker_on_belfast() -> None:
    """§17.14: the packet company's marker is worth £10 to the corporation that bought it."""
    t = Table()
    t.lay("J4", "IR1", 4)
    t.lay("I5", "69", 0)
    t.own("CDSPC", P2)
    turn(t, "UR")
    t.do("UR", "buy_company", company="CDSPC", price=23)
    assert t.s.corporations["UR"].markers == ("CDSPC",)
    t.do("CDSPC", "assign", target="J4", target_type="hex")
    assert t.s.companies["CDSPC"].closed
    model = t.rules.route_model(t.s, "UR")
    (route,) = check_runs(model, [Run(train="2H-0", connections=(("J4", "I5"),))])
    assert [model.stop_value("2H-0", stop) for stop in route.stops] == [30, 10]
    assert route.revenue == 50


def test_ambiguous_stop() -> None:
    """§17.15: city and town of Dundalk lie on the same sides; ``nodes`` tells which is meant."""
    t = Table()
    t.lay("I9", "IR7", 0)
    t.lay("I11", "IR9", 0)
    turn(t, "DDR")
    t.do("DDR", "pass")

    def run(**fields: Any) -> Run:
        return Run(train="2H-0", connections=(("I11", "I9"),), **fields)

    model = t.rules.route_model(t.s, "DDR")
    for nodes, revenue in ((("I11-1", "I9-1"), 50), (("I9-0", "I11-1"), 60)):
        (route,) = check_runs(model, [run(nodes=nodes)])
        assert route.revenue == revenue
    for revenue in (50, 60):
        (route,) = check_runs(model, [run(revenue=revenue)])
        assert route.revenue == revenue
    assert t.s.step == "routes"
    told = {"train": "2H-0", "connections": [["I11", "I9"]], "nodes": ["I11-1", "I9-1"]}
    t.do("DDR", "run_routes", routes=[told])
    assert t.s.round.revenue == 50  # type: ignore[union-attr]


def test_the_layer_places_anothers_token() -> None:
    """§9.6: whoever lays the first track on Cork decides for the token that lies there, free."""
    t = Table(seed=1411315859)
    t.lay("D16", "5", 0)
    t.lay("D18", "9", 0)
    t.lay("D20", "8", 3)
    t.start("CBPR", "55,3,2", P2)
    turn(t, "WLR")
    t.do("WLR", "lay_tile", hex="E21", tile="IR1-0", rotation=5)
    assert (t.s.step, t.game.acting) == ("replace token", ("WLR",))
    assert t.refused("WLR", "place_token", city="IR1-0-0") == "tokener"
    assert t.refused("WLR", "pass") == "not_now"
    t.do("WLR", "place_token", city="IR1-0-1", slot=0, tokener="CBPR")
    assert t.s.board.cities["E21"] == ((None,), ("CBPR",))
    assert t.s.corporations["CBPR"].tokens[0].city == "E21/1"
    assert t.s.step == "track"


def test_stations() -> None:
    """§9.7: £20, then £50; one a turn, one a hex, none where the only place is kept for another."""
    t = Table()
    t.lay("I17", "5", 3)
    t.lay("I15", "9", 0)
    t.lay("I13", "4", 0)
    t.start("MRNCC", "60,3,3", P1, 69)
    t.phase("4")
    t.operate("MRNCC", "token")
    assert t.s.step != "token"
    s = t.arrange()
    t.rules.release(s, "DKR")
    t.operate("MRNCC", "token")
    assert [a.city for a in t.offered("place_token")] == ["I11-0-0"]  # type: ignore[attr-defined]
    assert t.refused("MRNCC", "place_token", city="I11-0-1") == "full"
    assert t.refused("MRNCC", "place_token", city="5-0-0") == "own_token"
    t.do("MRNCC", "place_token", city="I11-0-0", slot=3)
    assert (t.s.corporations["MRNCC"].cash, t.s.step != "token") == (49, True)
    assert [x.price for x in t.s.corporations["MRNCC"].tokens if x.city is None] == [50]
